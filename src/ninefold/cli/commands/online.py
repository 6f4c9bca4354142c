"""Matches over the network: host, join."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from msgspec.structs import replace

from ninefold.cli.bots import BotLine, running_bots
from ninefold.cli.console import (
    Console,
    Hosting,
    QuitRequested,
)
from ninefold.cli.options import (
    PORT,
    command,
    match_options,
)
from ninefold.cli.output import print_wrapped
from ninefold.cli.play_screen import TableScreen
from ninefold.cli.setup_questions import (
    leaves_target_open,
    new_seed,
    prompt_until_valid,
    settle_target,
)
from ninefold.cli.storage import SURFACE, home, open_table, player_store
from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.online import links
from ninefold.session import (
    FRIEND,
    Lessons,
    Proposal,
    Retry,
    Session,
    check_names,
    clean_name,
)
from ninefold.store import LogWriter
from ninefold.views.match_text import (
    LEAVE_HOST_OUT,
    LET_OTHERS_IN,
    LINK_IS_LOCAL,
    SEND_LINK,
    format_invitation,
    format_watched_match,
)

# Modules that speak HTTP are imported where they are used: they would delay every other
# command.
if TYPE_CHECKING:
    from ninefold.arena.bot_process import Bot
    from ninefold.online.join import Seating
    from ninefold.online.messages import CreateMatch
    from ninefold.online.remote_table import RemoteTable

_MOST_DAYS = 36_500
_MOST_WORKERS = 64
_YOUR_NAME = f"Your name? (Enter: {Seat.TWO}) "
_SEAT_SAVED = "Your seat is saved: the same command brings you back to it."
_SEAT_SAVED_IN_MENU = "Your seat is saved: continue brings you back to it."


@command(
    "host duel",
    "host multiplier --target 500 --best-of 3 --name Ada",
    "host madness --host 127.0.0.1",
    "host madness --server https://play.example.org",
    after="You can also set NINEFOLD_SERVER. Without a server, this program hosts the"
    " match itself, which needs: pip install 'ninefold[server]'",
)
@match_options("Who starts; 1 is you.")
@click.option("--name", metavar="N", help="Your name, which the invitation shows.")
@click.option(
    "--coach",
    is_flag=True,
    help="Warn both players before a move gives the win away.",
)
@click.option(
    "--mental", is_flag=True, help="Both work out each product before they see it."
)
@click.option("--hints", is_flag=True, help="Allow both players hints and reasons.")
@click.option("--new", is_flag=True, help="Start a new match, even if one is open.")
@click.option("--server", metavar="URL", help="Host the match on this server.")
@click.option(
    "--host",
    "address",
    metavar="H",
    help="Listen at H; 127.0.0.1 is this machine only.  [default: your network]",
)
@click.option(
    "--port",
    type=PORT,
    metavar="P",
    help="Listen on port P; 0 takes a free one.",
)
@click.pass_obj
def host(
    console: Console,
    *,
    proposal: Proposal,
    name: str | None,
    coach: bool,
    mental: bool,
    hints: bool,
    new: bool,
    server: str | None,
    address: str | None,
    port: int | None,
) -> None:
    """Host GAME for someone who opens your link.

    They open it in a browser, or with ninefold join.
    """
    from ninefold.online.join import request_for

    server = server or console.environ.get("NINEFOLD_SERVER", "").strip() or None
    if server is not None and (address, port) != (None, None):
        message = "--host and --port cannot be combined with --server."
        raise click.UsageError(message)
    url = None if server is None else links.read_server(server)

    proposal = replace(
        proposal,
        opponent=FRIEND,
        lessons=Lessons(coach=coach, mental=mental, hints=hints),
        name=name or None,
    )
    agreed = request_for(proposal)
    if leaves_target_open(console, proposal):
        agreed = replace(agreed, target=None)

    @cache
    def settle() -> CreateMatch:
        """Prompt for the target if it is open; cached: a person answers only once."""
        return request_for(settle_target(console, proposal))

    if new or not _hosting_at(console, url).has_match(agreed):
        settle()  # before anything is opened
    with _server_for(console, url, Hosting(address, port)) as server:
        seating = _hosting_at(console, url, server)
        table = seating.host(agreed, settle, new=new)
        advice = LET_OTHERS_IN if url else LEAVE_HOST_OUT if address else ""
        _print_how_to_join(console, table, advice, "; --new starts another")
        _play(console, table)


def host_match(console: Console, proposal: Proposal) -> bool:
    """Host a match that was set up in the menu, on NINEFOLD_SERVER or this machine."""
    from ninefold.online.join import request_for

    server = console.environ.get("NINEFOLD_SERVER", "").strip()
    url = links.read_server(server) if server else None
    agreed = request_for(proposal)
    continues = _hosting_at(console, url).has_match(agreed) and console.confirm(
        "You already have a match like this. Continue it? (Y/n) ", default=True
    )
    with _server_for(console, url, Hosting(None, None)) as server:
        seating = _hosting_at(console, url, server)
        table = seating.host(agreed, lambda: agreed, new=not continues)
        _print_how_to_join(console, table, LET_OTHERS_IN if url else "")
        return _play(console, table, has_menu=True)


def _hosting_at(console: Console, url: str | None, address: str = "") -> Seating:
    """Return the seating of the server at ``url``, or of one's own at ``address``."""
    from ninefold.online.join import OWN_SERVER

    return _seating(console, url or address, None if url else OWN_SERVER)


@contextmanager
def _server_for(console: Console, url: str | None, hosting: Hosting) -> Iterator[str]:
    """Yield the address of the given server, or of one that runs during the context."""
    if url is not None:
        yield url
        return
    if console.open_server is None:
        message = "this program cannot host here; use --server URL"
        raise NinefoldError(message)
    with console.open_server(hosting) as own:
        print_wrapped(console, f"{own} is open to {_who_reaches(own)}.")
        yield own


@command(
    "join https://play.example.org/m/...",
    "join https://play.example.org/m/... --name Bo",
    "join https://play.example.org/m/... --watch",
    "join https://play.example.org/m/... --as bot:./mybot.py",
    after="At the prompt, ? shows what you can type. Ctrl-C leaves; the same command"
    " brings you back to your seat.",
)
@click.argument("link")
@click.option("--name", metavar="N", help="Your name.")
@click.option("--watch", "watches", is_flag=True, help="Watch without taking a seat.")
@click.option(
    "--as",
    "bot",
    type=BotLine(),
    metavar="BOT",
    help="Let a bot play the seat: bot:COMMAND.",
)
@click.pass_obj
def join(
    console: Console, *, link: str, name: str | None, watches: bool, bot: str | None
) -> None:
    """Join the match at LINK.

    The other player can be in a browser or at a terminal.
    """
    read = links.read_link(link)
    if not watches:
        with running_bots(bot) as bots:
            if bots:
                _let_join(console, read, name, bots[Seat.ONE])
            else:
                join_match(console, read, name)
        return
    if name is not None or bot is not None:
        given = "--as" if name is None else "--name"
        message = f"{given} and --watch cannot be combined."
        raise click.UsageError(message)
    table = _seating(console, read.server).watch(read)
    if console.at_terminal:
        print_wrapped(console, format_watched_match(table.session))
    _play(console, table)


def _who_reaches(url: str) -> str:
    return "this machine only" if links.is_local(url) else "everyone on this network"


def _seating(console: Console, url: str, server: str | None = None) -> Seating:
    from ninefold.online.credentials import Credentials
    from ninefold.online.http_client import Client
    from ninefold.online.join import Seating

    client = Client(url, sleep=console.sleep, progress=console.progress)
    credentials = Credentials(Path(home(console.environ)))
    writer = partial(
        LogWriter, lambda: player_store(console), console.print_error, surface=SURFACE
    )
    return Seating(client, credentials, writer, server=server)


def _let_join(
    console: Console, link: links.MatchLink, name: str | None, bot: Bot
) -> None:
    """Let a bot play the match of a link, and show the match here."""
    from ninefold.arena.bot_table import BotTable

    seating = _seating(console, link.server)
    table = seating.rejoin(link) or seating.join(link, name or bot.name)
    shown = BotTable(table, {table.seats[0]: bot}, console.print_error)
    TableScreen(console, shown, resume_hint=lambda: _SEAT_SAVED).play()


def _play(console: Console, table: RemoteTable, *, has_menu: bool = False) -> bool:
    saved = _SEAT_SAVED_IN_MENU if has_menu else _SEAT_SAVED
    farewell = saved if table.seats else ""
    screen = TableScreen(
        console,
        table,
        resume_hint=lambda: farewell,
        has_menu=has_menu,
        try_again=partial(_try_again, console),
    )
    return screen.play()


def _try_again(console: Console, session: Session, retry: Retry) -> None:
    """Retry an online game from a turning point, as a local match of its own."""
    setup = session.setup.at_home(session.game.first, new_seed())
    table = open_table(console, Session.start(setup))
    table.submit(retry)
    TableScreen(console, table, resume_hint=str, single_match=True).play()


def join_match(
    console: Console,
    link: links.MatchLink,
    name: str | None = None,
    *,
    has_menu: bool = False,
) -> bool:
    """Join the match of a link; at a terminal, watch it if no seat is free."""
    table = _take_seat(console, _seating(console, link.server), link, name)
    return _play(console, table, has_menu=has_menu)


def rejoin(console: Console, link: links.MatchLink, *, has_menu: bool = False) -> bool:
    """Rejoin a match on a server, restarting one's own server if it hosted it."""
    with _opened_again(console, link):
        table = _seating(console, link.server).rejoin(link)
        if table is None:
            message = (
                f"your seat at {link} is no longer saved here; ask for the link again"
            )
            raise NinefoldError(message)
        return _play(console, table, has_menu=has_menu)


@contextmanager
def _opened_again(console: Console, link: links.MatchLink) -> Iterator[None]:
    """Run one's own server during the context, if the match was hosted on it."""
    last, parts = "", urlsplit(link.server)
    with suppress(OSError, ValueError):  # no such file, or it is damaged
        last = (Path(home(console.environ)) / links.PORT_FILE).read_text("ascii")
    with ExitStack() as stack:
        if console.open_server is not None and str(parts.port) == last.strip():
            with suppress(NinefoldError):  # it runs already, or on another machine
                hosting = Hosting(parts.hostname, parts.port)
                stack.enter_context(console.open_server(hosting))
        yield


def _take_seat(
    console: Console, seating: Seating, link: links.MatchLink, name: str | None
) -> RemoteTable:
    """Rejoin one's seat at a match, take the free one, or watch."""
    table = seating.rejoin(link)
    if table is not None:
        return table
    if console.at_terminal:
        watched = seating.watch(link)
        session = watched.session
        if not session.empty_seats and not seating.has_pending_request(link):
            print_wrapped(
                console, f"Both seats are taken. {format_watched_match(session)}"
            )
            if not console.confirm("Watch? (Y/n) ", default=True):
                raise QuitRequested
            return watched
        print_wrapped(console, format_invitation(session))
        if name is None:
            name = _prompt_name(console, session.setup.name(Seat.ONE))
    return seating.join(link, name or str(Seat.TWO))


def _prompt_name(console: Console, other: str) -> str:
    """Prompt for a name until it can be shown and differs from the other player's."""

    def read_name(answer: str) -> str:
        called = clean_name(answer or str(Seat.TWO))
        check_names(called, other)
        return called

    return prompt_until_valid(console, _YOUR_NAME, read_name)


def _print_how_to_join(
    console: Console, table: RemoteTable, advice: str, otherwise: str = ""
) -> None:
    """Print the match's link for the host; in a pipe, only if the match is new.

    ``advice`` is printed if only this machine can open the link: how to let others in.
    ``otherwise`` is printed when a match continues: how to start another.
    """
    link = str(table.link)
    if table.session.empty_seats:
        _show_link(console, link, advice)
    elif console.at_terminal:
        other = table.session.setup.name(Seat.TWO)
        print_wrapped(
            console,
            f"Back in your match with {other}{otherwise}. Its link:",
        )
        console.print_raw(f"{link}\n\n")  # never wrapped


def _show_link(console: Console, link: str, advice: str) -> None:
    """Print the link for the other player, with a QR code for a phone if it fits."""
    print_wrapped(console, SEND_LINK)
    console.print_raw(f"{link}\n")  # never wrapped
    drawn = ""
    if links.is_local(link) and console.at_terminal:
        print_wrapped(console, f"{LINK_IS_LOCAL} {advice}".strip())
    elif console.draw_qr is not None and console.at_terminal and not console.plain:
        drawn = console.draw_qr(link)
    rows = drawn.split("\n")
    fits = max(map(len, rows)) <= console.columns and len(rows) <= console.rows
    if fits and console.can_show(drawn):
        console.print_raw(drawn)
    console.print("\n")
    console.flush()
