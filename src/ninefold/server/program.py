"""Running the server: a port, a store, a key, and a clean end."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import segno
import uvicorn
from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import NinefoldError
from ninefold.online.links import USUAL_PORT
from ninefold.server.application import Options, Server
from ninefold.server.databases import (
    Clock,
    alone_with,
    file_of,
    open_database,
    open_file,
)
from ninefold.server.keys import read_key
from ninefold.server.places import (
    Place,
    is_loopback,
    known_hosts,
    listen,
    own_address,
    url_of,
)
from ninefold.server.protocol import BoundedProtocol
from ninefold.server.workers import Workers

_SECONDS_TO_END = 1
_SECONDS_KEPT = 75
"""How long an idle connection is kept: longer than nginx keeps its own, which would
else send a request into one that is being closed."""
_LINE = "%(asctime)s %(message)s"
KEY_NAME = "server.key"


class Terminal(Struct, frozen=True):
    """Where the server says what it does."""

    say: Callable[[str], None]
    log: Callable[[str], None]
    """Takes the lines of the log, one at a time."""
    flush: Callable[[], None]
    draws: bool
    """Whether somebody looks, with a phone perhaps."""
    clock: Clock


def qr_lines(url: str) -> str:
    """Draw an address in characters, for a phone to read from a terminal."""
    code = segno.make(url, micro=False)
    rows = [[bool(cell) for cell in row] for row in code.matrix_iter(border=2)]
    rows.append([False] * len(rows[0]))  # their number is odd, and two make a line
    # Light cells are drawn, dark ones left: most terminals are dark.
    blocks = {(True, True): " ", (True, False): "▄", (False, True): "▀"}
    return "".join(
        "".join(blocks.get(pair, "█") for pair in zip(upper, lower, strict=True)) + "\n"
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )


class _Lines(logging.Handler):
    """Passes the lines of the log on."""

    def __init__(self, log: Callable[[str], None]) -> None:
        super().__init__()
        self._log = log
        self.setFormatter(logging.Formatter(_LINE))

    def emit(self, record: logging.LogRecord) -> None:
        self._log(self.format(record))


@contextmanager
def _logging(log: Callable[[str], None]) -> Iterator[None]:
    """Pass on what is logged, meanwhile."""
    everything, lines = logging.getLogger(), _Lines(log)
    everything.setLevel(logging.INFO)
    everything.addHandler(lines)
    try:
        yield
    finally:
        everything.removeHandler(lines)


class _Ending(uvicorn.Server):
    """Ends every stream first, which uvicorn would wait for, and then ends well."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._server = server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._server.rooms.end_streams()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on these signals; uvicorn would raise them again at the end."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield


class _Beside(_Ending):
    """Leaves signals to whoever it runs beside."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(
    place: Place, database: str | None, home: Path, options: Options, terminal: Terminal
) -> None:
    """Open everything, say where, and serve until told to end."""
    options = replace(options, hosts=known_hosts(options.public_url))
    file = file_of(database, home)
    if options.workers > 1 and file is not None:
        message = "several workers need PostgreSQL: --database postgresql://..."
        raise NinefoldError(message)
    key = read_key(home / KEY_NAME)
    with ExitStack() as stack:
        if file is not None:
            stack.enter_context(alone_with(file, "give --database"))
        store = open_database(database, home, terminal.clock)
        with store:
            store.unfinished(1)  # refuses here what cannot be opened
        listening = stack.enter_context(listen(place))
        if options.public_url is None and not is_loopback(listening):
            # Links lead where others reach it, whichever way they were made.
            options = replace(options, public_url=url_of(listening))
        _say_where(listening, options, terminal)
        stack.enter_context(_logging(terminal.log))
        if options.workers > 1:
            work = Work(database=database or "", home=home, key=key, options=options)
            Workers(options.workers, listening, work).run()
        else:
            run(listening, Server(store, key, clock=terminal.clock, options=options))


def _say_where(listening: socket.socket, options: Options, terminal: Terminal) -> None:
    url = options.public_url or url_of(listening)
    terminal.say(f"ninefold is served at {url}\n")
    if terminal.draws:
        terminal.say(qr_lines(url))
    if url != url_of(listening):
        terminal.say(f"It listens at {url_of(listening)}\n")
    terminal.say(f"{_who_reaches(listening)} Ctrl-C ends it.\n")
    terminal.flush()


def _who_reaches(listening: socket.socket) -> str:
    if is_loopback(listening):
        return "Only this machine reaches it; --host 0.0.0.0 lets the network in."
    return "Whoever reaches this machine can play."


class Work(Struct, frozen=True):
    """What each of several processes does."""

    database: str
    home: Path
    key: bytes
    options: Options

    def __call__(self, listening: socket.socket) -> None:
        """Serve until told to end."""
        logging.basicConfig(level=logging.INFO, format=_LINE)
        store = open_database(self.database, self.home, _now)
        run(listening, Server(store, self.key, clock=_now, options=self.options))


def _now() -> datetime:
    return datetime.now(UTC)


def _listen_again(address: str, kept: Path) -> socket.socket:
    """Open the port of last time, the usual one, or any that is free; keep which."""
    last = USUAL_PORT
    with suppress(OSError, ValueError):  # there is none, or it is no number
        last = int(kept.read_text("ascii"))
    listening = None
    for port in (last, USUAL_PORT):
        with suppress(NinefoldError, OverflowError):  # somebody has it, or it is none
            listening = listen(Place(address, port))
            break
    listening = listening or listen(Place(address, 0))
    with suppress(OSError):  # the next port may be another
        kept.write_text(str(listening.getsockname()[1]), "ascii")
    return listening


@contextmanager
def open_beside(
    host: str | None, port: int | None, home: Path, clock: Clock
) -> Iterator[str]:
    """Serve in a thread beside something else; give the address.

    Without a port, it is the one of last time, to which links lead; else the usual
    one, or another if somebody has that.
    """
    key, file = read_key(home / KEY_NAME), home / "host.db"
    store = open_file(file, clock)
    address = host or own_address()
    with alone_with(file, "play on it: --server URL"):
        with store:
            store.unfinished(1)  # refuses here what cannot be opened
        if port is None:
            listening = _listen_again(address, home / "host.port")
        else:
            listening = listen(Place(address, port))
        options = Options(hosts=known_hosts(None))
        server = Server(store, key, clock=clock, options=options)
        beside = _Beside(_config(server), server)
        thread = Thread(target=beside.run, args=([listening],), name="server")
        thread.start()
        try:
            yield url_of(listening)
        finally:
            beside.should_exit = True
            thread.join()


def run(listening: socket.socket, server: Server) -> None:
    """Serve until told to end."""
    config = _config(server)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_Ending(config, server).serve(sockets=[listening]))


def _config(server: Server) -> uvicorn.Config:
    proxies = list(server.options.trusted_proxies)
    return uvicorn.Config(
        server.application(),
        access_log=False,  # its lines hold addresses of matches, which open them
        log_config=None,
        log_level="warning",
        http=BoundedProtocol,
        server_header=False,
        timeout_keep_alive=_SECONDS_KEPT,
        timeout_graceful_shutdown=_SECONDS_TO_END,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
    )
