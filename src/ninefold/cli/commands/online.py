"""Matches over the network: host, join, serve."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from msgspec import convert
from msgspec.structs import replace

from ninefold.cli.bots import BotLine, running_bots
from ninefold.cli.console import Console, Hosting, QuitRequested, Serving
from ninefold.cli.options import (
    PORT,
    Address,
    WholeNumber,
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

# Modules that speak HTTP are loaded where they are used: no other command waits for
# them.
if TYPE_CHECKING:
    from ninefold.arena.bot_process import Bot
    from ninefold.online.join import Seating
    from ninefold.online.messages import CreateMatch
    from ninefold.online.remote_table import RemoteTable

_MOST_DAYS = 36_500
_MOST_WORKERS = 64
_YOUR_NAME = f"Your name? (Enter: {Seat.TWO}) "
_KEPT = "Your seat is saved: the same command brings you back to it."
_KEPT_FROM_MENU = "Your seat is saved: continue brings you back to it."


@command(
    "host duel",
    "host multiplier --target 500 --best-of 3 --name Ada",
    "host madness --host 127.0.0.1",
    "host madness --server https://play.example.org",
    after="NINEFOLD_SERVER names the server too. Without one, this program is the"
    " server while it runs, which needs: pip install 'ninefold[server]'",
)
@match_options("Who starts; 1 is you.")
@click.option("--name", metavar="N", help="Your name, which the invitation shows.")
@click.option(
    "--coach",
    is_flag=True,
    help="You are both warned before a move gives the win away.",
)
@click.option(
    "--mental", is_flag=True, help="You both work out each product before you see it."
)
@click.option("--hints", is_flag=True, help="You both may ask for hints and reasons.")
@click.option("--new", is_flag=True, help="Make another match, even if one is open.")
@click.option("--server", metavar="URL", help="Make the match on this server.")
@click.option(
    "--host",
    "address",
    metavar="H",
    help="Listen here; 127.0.0.1 is this machine only.  [default: your network]",
)
@click.option(
    "--port",
    type=PORT,
    metavar="P",
    help="Listen on this port; 0 takes a free one.",
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
    """Play GAME with someone who gets a link.

    The other player opens it in a browser, or with ninefold join.
    """
    from ninefold.online.join import request_for

    server = server or console.environ.get("NINEFOLD_SERVER", "").strip() or None
    if server is not None and (address, port) != (None, None):
        message = "--host and --port are for a server of your own; --server is another."
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
        """Ask for what is open; once, since a person answers."""
        return request_for(settle_target(console, proposal))

    if new or not _hosting_at(console, url).has_match(agreed):
        settle()  # before anything is opened
    with _server_for(console, url, Hosting(address, port)) as server:
        seating = _hosting_at(console, url, server)
        table = seating.host(agreed, settle, new=new)
        advice = LET_OTHERS_IN if url else LEAVE_HOST_OUT if address else ""
        _print_how_to_join(console, table, advice, "; --new begins another")
        _play(console, table)


def host_match(console: Console, proposal: Proposal) -> bool:
    """Make the match that the menu has asked for, on a server or on this machine."""
    from ninefold.online.join import request_for

    server = console.environ.get("NINEFOLD_SERVER", "").strip()
    url = links.read_server(server) if server else None
    asked = request_for(proposal)
    goes_on = _hosting_at(console, url).has_match(asked) and console.confirm(
        "You have a match like this already. Go on with it? (Y/n) ", default=True
    )
    with _server_for(console, url, Hosting(None, None)) as server:
        seating = _hosting_at(console, url, server)
        table = seating.host(asked, lambda: asked, new=not goes_on)
        _print_how_to_join(console, table, LET_OTHERS_IN if url else "")
        return _play(console, table, has_menu=True)


def _hosting_at(console: Console, url: str | None, address: str = "") -> Seating:
    """Return who takes seats on a server, or on one's own at some address."""
    from ninefold.online.join import OWN_SERVER

    return _seating(console, url or address, None if url else OWN_SERVER)


@contextmanager
def _server_for(console: Console, url: str | None, hosting: Hosting) -> Iterator[str]:
    """Yield the address of a server: the one that is named, or one's own meanwhile."""
    if url is not None:
        yield url
        return
    if console.open_server is None:
        message = "a server is opened by the program itself; name another: --server URL"
        raise NinefoldError(message)
    with console.open_server(hosting) as own:
        print_wrapped(console, f"Opens {own} to {_who_reaches(own)}.")
        yield own


@command(
    "join https://play.example.org/m/...",
    "join https://play.example.org/m/... --name Bo",
    "join https://play.example.org/m/... --watch",
    "join https://play.example.org/m/... --as bot:./mybot.py",
    after="At the prompt, ? shows what can be typed there. Ctrl-C leaves; the same"
    " command comes back to the same seat.",
)
@click.argument("link")
@click.option("--name", metavar="N", help="Your name.")
@click.option("--watch", "watches", is_flag=True, help="Watch, and take no seat.")
@click.option(
    "--as",
    "bot",
    type=BotLine(),
    metavar="BOT",
    help="Let a program play: bot:COMMAND.",
)
@click.pass_obj
def join(
    console: Console, *, link: str, name: str | None, watches: bool, bot: str | None
) -> None:
    """Play the match that LINK leads to.

    The other player may sit at a browser or at a terminal.
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
        message = f"{given} is for a seat, and --watch takes none; give one of them."
        raise click.UsageError(message)
    table = _seating(console, read.server).watch(read)
    if console.at_terminal:
        print_wrapped(console, format_watched_match(table.session))
    _play(console, table)


@command(
    "serve",
    "serve --host 0.0.0.0 --port 8080",
    "serve --public-url https://play.example.org --keep-days 90",
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="H",
    help="Listen here; 0.0.0.0 lets the whole network in.  [default: 127.0.0.1]",
)
@click.option(
    "--port",
    type=PORT,
    default=links.USUAL_PORT,
    metavar="P",
    help=f"Listen on this port; 0 takes a free one.  [default: {links.USUAL_PORT}]",
)
@click.option(
    "--database",
    metavar="URL",
    help="sqlite:///FILE or postgresql://...  [default: a file of its own]",
)
@click.option("--public-url", metavar="U", help="Where others reach it: in links.")
@click.option(
    "--keep-days",
    type=WholeNumber(1, _MOST_DAYS),
    metavar="N",
    help="Forget matches that nobody touched for N days.",
)
@click.option(
    "--workers",
    type=WholeNumber(1, _MOST_WORKERS),
    default=1,
    metavar="N",
    help="Serve with N processes; needs PostgreSQL.  [default: 1]",
)
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    type=Address(),
    multiple=True,
    metavar="ADDRESS",
    help="Take this proxy's word for where requests are from.",
)
@click.pass_context
def serve(context: click.Context, /, **options: object) -> None:
    """Let people play in a browser.

    One player sends a link, and the other opens it. The other installs
    nothing, and nobody needs an account.
    """
    console: Console = context.obj
    if console.serve is None:
        message = "a server is started by the program itself, and not from here"
        raise NinefoldError(message)
    context.exit(console.serve(convert(options, Serving)))


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
    """Let a bot play the match of a link; whoever sits here watches it."""
    from ninefold.arena.bot_table import BotTable

    seating = _seating(console, link.server)
    table = seating.rejoin(link) or seating.join(link, name or bot.name)
    shown = BotTable(table, {table.seats[0]: bot}, console.print_error)
    TableScreen(console, shown, resume_hint=lambda: _KEPT).play()


def _play(console: Console, table: RemoteTable, *, has_menu: bool = False) -> bool:
    kept = _KEPT_FROM_MENU if has_menu else _KEPT
    farewell = kept if table.seats else ""
    screen = TableScreen(
        console,
        table,
        resume_hint=lambda: farewell,
        has_menu=has_menu,
        try_again=partial(_try_again, console),
    )
    return screen.play()


def _try_again(console: Console, session: Session, retry: Retry) -> None:
    """Play a game of a server again, as a match of its own at this keyboard."""
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
    """Play the match of a link; at a terminal, watch it where no seat is free."""
    table = _take_seat(console, _seating(console, link.server), link, name)
    return _play(console, table, has_menu=has_menu)


def rejoin(console: Console, link: links.MatchLink, *, has_menu: bool = False) -> bool:
    """Come back to one's seat at a match on a server, which may be one's own."""
    with _opened_again(console, link):
        table = _seating(console, link.server).rejoin(link)
        if table is None:
            message = (
                f"your seat at {link} is not known here any more; ask for the link"
            )
            raise NinefoldError(message)
        return _play(console, table, has_menu=has_menu)


@contextmanager
def _opened_again(console: Console, link: links.MatchLink) -> Iterator[None]:
    """Open one's own server where it was the last time, if the match was made there."""
    last, parts = "", urlsplit(link.server)
    with suppress(OSError, ValueError):  # there is no such file, or it is damaged
        last = (Path(home(console.environ)) / links.PORT_FILE).read_text("ascii")
    with ExitStack() as stack:
        if console.open_server is not None and str(parts.port) == last.strip():
            with suppress(NinefoldError):  # it is open, or that of another machine
                hosting = Hosting(parts.hostname, parts.port)
                stack.enter_context(console.open_server(hosting))
        yield


def _take_seat(
    console: Console, seating: Seating, link: links.MatchLink, name: str | None
) -> RemoteTable:
    """Come back to one's seat at a match, take the one that is free, or watch."""
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
    """Ask who joins, until the name can be shown and is not the other's."""
    from ninefold.online.messages import clean_name

    def read_name(answer: str) -> str:
        called = clean_name(answer or str(Seat.TWO))
        check_names(called, other)
        return called

    return prompt_until_valid(console, _YOUR_NAME, read_name)


def _print_how_to_join(
    console: Console, table: RemoteTable, advice: str, otherwise: str = ""
) -> None:
    """Show the link of a match to whoever hosts it; to a program only a new one.

    ``advice`` says how others get in where only this machine can open the link.
    """
    link = str(table.link)
    if table.session.empty_seats:
        _show_link(console, link, advice)
    elif console.at_terminal:
        other = table.session.setup.name(Seat.TWO)
        print_wrapped(
            console,
            f"This is your match with {other}, where you left it{otherwise}."
            " The link of this one:",
        )
        console.print_raw(f"{link}\n\n")  # in one piece, whatever the width


def _show_link(console: Console, link: str, advice: str) -> None:
    """Show where the other person sits down, for a phone too."""
    print_wrapped(console, SEND_LINK)
    console.print_raw(f"{link}\n")  # in one piece, whatever the width
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
