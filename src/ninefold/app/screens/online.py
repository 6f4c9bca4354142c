"""Playing online: join a match by its link, host one, or rejoin one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Button, Static

from ninefold.app.environment import SURFACE, Environment, warn
from ninefold.app.screens.dialogs import confirm
from ninefold.app.screens.new_game import NewGameScreen
from ninefold.app.screens.play import TableScreen
from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.app.widgets.form_fields import MarkedButton, Row, TextField
from ninefold.errors import InvalidLink, NinefoldError, SetupError
from ninefold.game import Seat
from ninefold.online.credentials import Credentials
from ninefold.online.http_client import Client
from ninefold.online.join import OWN_SERVER, Seating, request_for
from ninefold.online.links import MatchLink, read_link, read_server
from ninefold.online.messages import CreateMatch
from ninefold.online.remote_table import RemoteTable
from ninefold.session import Proposal, check_names, clean_name
from ninefold.store import LogWriter, MatchRow, Origin, Store
from ninefold.text import excerpt, shorten
from ninefold.views.match_text import format_invitation, format_watched_match, sentence

_WHAT_TO_DO = (
    "Paste a link that someone sent you. Or invite someone: choose a game, and send"
    " them the link that you get. The match runs on your computer, or on a server if"
    " you type its address."
)
_NO_SERVER = "Matches cannot be hosted from here. Type the address of a server."
_EXAMPLES = (
    "Paste a link such as https://HOST/m/…, or type an address such as"
    " https://play.example.org."
)
_MOST_MATCHES = 5
_LOOKED_THROUGH = 50


class OnlineScreen(Screen[None]):
    """Asks for a link or a server, and a name; lists the player's open matches."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self, environment: Environment, link: MatchLink | None = None) -> None:
        """Show the form; with a link, join its match immediately."""
        super().__init__()
        self._environment = environment
        self._follows = link is not None
        typed = environment.server if link is None else str(link)
        self._link = TextField(typed, key="link", placeholder="https://…")
        called = environment.memory.preferences.name
        self._called = TextField(called, key="name", placeholder="such as Ada")
        self._matches, self._panel = MatchList(), Panel()

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("Play online", "bold"), classes="-title")
        yield VerticalScroll(
            Row("Link or server", self._link),
            Row("Your name", self._called),
            Row("", MarkedButton("Play", id="play", compact=True)),
            Row("", MarkedButton("Invite someone", id="invite", compact=True)),
            self._matches,
            id="form",
            can_focus=False,
        )
        yield self._panel
        yield KeyBar(ShownKey("Enter", "play", "enter"), ShownKey("↑ ↓", "rows"))

    def on_mount(self) -> None:
        self._show_text(_WHAT_TO_DO)
        if self._follows:
            self._play()

    def on_screen_resume(self) -> None:
        """Reload the list, once the table above is closed and has stored everything."""
        self.app.call_later(self._list)

    def _list(self) -> None:
        self._matches.found = self._environment.read(_matches, self) or []

    def on_input_submitted(self) -> None:
        self._play()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if isinstance(event.button, MatchButton):
            self._join(event.button.link)
        elif event.button.id == "invite":
            self._invite()
        else:
            self._play()

    def _show_text(self, text: str) -> None:
        self._panel.show_text(text)

    def _play(self) -> None:
        """Join the match of a link, or host one on the given server."""
        link = _link_in(self._link.value)
        if link is not None:
            self._join(link)
        elif self._link.value.strip():
            self._invite()
        else:
            self._show_text(_EXAMPLES)

    def _invite(self) -> None:
        """Open the form of a new match, for the given server or this machine."""
        typed, url = self._link.value.strip(), ""
        try:
            if typed and _link_in(typed) is None:
                url = read_server(typed)
        except InvalidLink:
            problem = f"'{excerpt(typed)}' is not a link to a match, and not a server."
            self._show_text(f"{problem} {_EXAMPLES}")
            return
        name = self._name_for(Seat.ONE)
        if name is None:
            return
        form = NewGameScreen(
            self._environment, None, against_level=False, online_as=name
        )
        self.app.push_screen(form, partial(self._host, url))

    def _join(self, link: MatchLink) -> None:
        """Rejoin the match of a link, or take its free seat."""
        name = self._name_for(Seat.TWO)
        if name is not None:
            self._sit(partial(self._take_seat, link, name))

    async def _take_seat(self, link: MatchLink, name: str) -> RemoteTable | None:
        """Take the free seat after confirmation, or watch; None if declined."""
        if link.server == self._environment.memory.preferences.own_server:
            with suppress(NinefoldError):  # another ninefold may use that address now
                link = MatchLink(await self._open_server(), link.id)
        seating = self._seating(link.server)
        table = await asyncio.to_thread(seating.rejoin, link)
        if table is not None:
            return table
        table = await asyncio.to_thread(seating.watch, link)
        session = table.session
        aim = session.book.describe(session.setup.rules)
        if session.empty_seats or seating.has_pending_request(link):
            check_names(session.setup.name(Seat.ONE), name)
            asks = f"{format_invitation(session)} {aim} Play?"
            if not await confirm(self.app, asks, default=True, escape=False):
                return None
            return await asyncio.to_thread(seating.join, link, name)
        asks = f"Both seats are taken. {format_watched_match(session)} {aim} Watch?"
        watches = await confirm(self.app, asks, default=True, escape=False)
        return table if watches else None

    def _name_for(self, seat: Seat) -> str | None:
        """Read and remember the name; by default it is the seat's.

        Return None, with a message, if it is invalid.
        """
        self.workers.cancel_group(self, "online")  # a new attempt ends the one before
        called = self._called.value.strip()
        try:
            name = clean_name(called or str(seat))
        except SetupError as error:
            self._refuse(error)
            return None
        memory = self._environment.memory
        memory.keep(replace(memory.preferences, name=called))
        return name

    def _refuse(self, error: NinefoldError) -> None:
        """Show an error; if the setup is at fault, focus the name to be changed."""
        self._show_text(sentence(error))
        if isinstance(error, SetupError):
            self._called.focus()

    def _host(self, url: str, proposal: Proposal | None) -> None:
        if proposal is not None:
            self._sit(partial(self._make_match, url, request_for(proposal)))

    async def _make_match(self, url: str, request: CreateMatch) -> RemoteTable | None:
        """Host a match on a server, by default on this machine."""
        server = None if url else OWN_SERVER
        seating = self._seating(url or await self._open_server(), server)

        def make(*, new: bool) -> RemoteTable:
            return seating.host(request, lambda: request, new=new)

        table = await asyncio.to_thread(make, new=False)
        if table.session.empty_seats:
            return table
        other = table.session.setup.name(Seat.TWO)
        asks = f"You already have a match like this with {other}. Continue it?"
        if await confirm(self.app, asks, default=True):
            return table
        table.close()
        return await asyncio.to_thread(make, new=True)

    async def _open_server(self) -> str:
        """Start the built-in server, or keep it; return and remember its address."""
        environment = self._environment
        if environment.own_server is None:
            raise NinefoldError(_NO_SERVER)
        url = await asyncio.to_thread(environment.own_server)
        memory = environment.memory
        memory.keep(replace(memory.preferences, own_server=url))
        return url

    def _seating(self, url: str, server: str | None = None) -> Seating:
        credentials = Credentials(self._environment.seats_folder())
        return Seating(Client(url), credentials, self._writer, server=server)

    def _writer(self) -> LogWriter:
        return LogWriter(
            self._environment.open_store, partial(warn, self.app), surface=SURFACE
        )

    @work(exclusive=True, group="online")
    async def _sit(self, take: Callable[[], Awaitable[RemoteTable | None]]) -> None:
        self._show_text("One moment …")
        try:
            table = await take()
        except NinefoldError as error:
            self._refuse(error)
            return
        self._show_text(_WHAT_TO_DO)
        if table is None:
            return
        screen = TableScreen(self._environment, table, str(table.link))
        if self._follows:
            self.app.switch_screen(screen)
        else:
            self.app.push_screen(screen)


class MatchList(Vertical):
    """Lists the player's matches on servers."""

    found: reactive[list[tuple[MatchRow, Origin]]] = reactive(list, recompose=True)

    def compose(self) -> ComposeResult:
        for at, (row, origin) in enumerate(self.found):
            yield Row("" if at else "Your matches", MatchButton(row, origin))


class MatchButton(MarkedButton):
    """One of the player's matches on a server."""

    def __init__(self, row: MatchRow, origin: Origin) -> None:
        one, two = row.names
        at = "between games" if row.total is None else f"at {shorten(row.total)}"
        host = origin.server.partition("://")[2]
        super().__init__(f"{one} and {two}, {at} · {host}", compact=True)
        self.link = MatchLink(origin.server, row.id)


def _link_in(typed: str) -> MatchLink | None:
    try:
        return read_link(typed)
    except InvalidLink:
        return None


def _matches(store: Store) -> list[tuple[MatchRow, Origin]]:
    rows = store.unfinished(_LOOKED_THROUGH)
    online = [(row, row.origin) for row in rows if row.origin is not None]
    return online[:_MOST_MATCHES]
