"""Runs a server for one class on a teacher's laptop, and prints its links."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from ninefold.classroom import Roster
from ninefold.errors import RevisionConflict
from ninefold.server import run
from ninefold.server.asgi import Options, Server
from ninefold.server.class_endpoints import teaching_path
from ninefold.server.cleanup import LIFETIME_OF_A_CLASS
from ninefold.server.live_classes import new_class
from ninefold.server.seats import SeatSecrets, read_key
from ninefold.store import ClassAppend, ClassCommand, Store

_EVERYWHERE = "0.0.0.0"  # noqa: S104 - the pupils' devices are on the network
_PORT_FILE = "class.port"


class Lesson(Struct, frozen=True, kw_only=True):
    """The class to teach on this machine."""

    game: str | None = None
    """The key of the game that the form for a round starts with."""
    roster: Roster | None = None
    port: int | None = None
    """None for the port of last time, the usual one, or any that is free."""
    is_new: bool = False
    """Whether to start another class if one can be continued."""


def teach(
    lesson: Lesson, home: Path, terminal: run.Terminal, show: Callable[[str], object]
) -> None:
    """Serve one class until a signal; ``show`` opens the teacher's page."""
    run.check_open_files()
    file = home / "class.db"
    key = read_key(home / run.KEY_NAME)
    secrets = SeatSecrets(key)
    with ExitStack() as stack:
        stack.enter_context(run.lock_database(file, "continue the class there"))
        store = run.open_file(file, terminal.clock)
        class_id, pupils = _open_class(store, lesson, secrets, terminal.clock())
        if lesson.port is None:
            opened = run.listen_again(_EVERYWHERE, home / _PORT_FILE)
        else:
            opened = run.listen(run.BindAddress(_EVERYWHERE, lesson.port))
        listening = stack.enter_context(opened)
        port = listening.getsockname()[1]
        addresses = tuple(run.url_at(each, port) for each in run.own_addresses())
        options = Options(
            hosts=run.known_hosts(None), class_id=class_id, addresses=addresses
        )
        path, hash_, secret = teaching_path(secrets, class_id).partition("#")
        query = f"?game={lesson.game}" if lesson.game else ""
        link = f"{run.url_at('localhost', port)}{path}{query}{hash_}{secret}"
        _print_class(link, addresses, pupils, terminal)
        stack.enter_context(run.logging_to(terminal.log, logging.WARNING))
        show(link)
        server = Server(store, key, clock=terminal.clock, options=options)
        run.run(listening, server)


def _open_class(
    store: Store, lesson: Lesson, secrets: SeatSecrets, now: datetime
) -> tuple[str, int]:
    """Return the id of the class to teach, and how many pupils are in it already."""
    roster = () if lesson.roster is None else (lesson.roster,)
    with store:
        latest = None if lesson.is_new else store.latest_class()
        if latest is not None:
            stored = store.class_with_id(latest)
            room, last = stored.classroom, stored.log[-1].at
            is_over = room.is_closed or now - last > LIFETIME_OF_A_CLASS
            if not is_over:
                logged = tuple(ClassCommand(each, now) for each in roster)
                if logged:
                    append = ClassAppend(latest, room.revision, logged, room.code)
                    store.append(append)
                return latest, len(room.here)
        while True:
            class_id = secrets.class_id(run.new_id())
            with suppress(RevisionConflict):  # the code is taken
                store.append(new_class(class_id, now, *roster))
                return class_id, 0


def _print_class(
    link: str, addresses: tuple[str, ...], pupils: int, terminal: run.Terminal
) -> None:
    if pupils:
        count = "one pupil" if pupils == 1 else f"{pupils} pupils"
        terminal.print(f"Continuing the class with {count}; --new starts another.\n")
    terminal.print("Teach on this page, and show it on the projector:\n")
    terminal.print(f"{link}\n\n")
    if addresses:
        terminal.print(f"Pupils open {addresses[0]} and type the code on that page.\n")
    else:
        terminal.print(
            "This machine is on no network, so no other device reaches it.\n"
        )
    terminal.print("Press Ctrl-C to stop; the same command continues the class.\n")
    terminal.flush()
