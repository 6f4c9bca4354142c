"""Playing online: a link that somebody sent, or a match on a server for a link."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ninefold.app.announcements import sentence
from ninefold.app.environment import Environment
from ninefold.app.screens.new_game import NewGameScreen
from ninefold.app.screens.online_table import OnlineTableScreen
from ninefold.app.widgets.fields import MarkedButton, Row, TextField
from ninefold.app.widgets.key_bar import KeyBar
from ninefold.app.widgets.panel import Panel
from ninefold.errors import NinefoldError, NotALink
from ninefold.game import Seat
from ninefold.online import seating
from ninefold.online.client import Server
from ninefold.online.links import MatchLink, read_link, read_server
from ninefold.online.seating import Seated
from ninefold.session import Setup
from ninefold.text import excerpt

_WHAT_TO_DO = (
    "Paste the link that somebody sent you, and play. Or write the address of a"
    " server, choose a game, and send the link that you get."
)

_EXAMPLES = (
    "Paste a link such as https://HOST/m/…, or write an address such as"
    " https://play.example.org."
)


class OnlineScreen(Screen[None]):
    """Asks for a link or a server, and a name."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("escape", "leave", "leave"),
    ]

    def __init__(self, environment: Environment) -> None:
        """Take where everything comes from."""
        super().__init__()
        self._environment = environment
        self._link = TextField(environment.server, key="link", placeholder="https://…")
        self._called = TextField("Ada", key="name")

    def compose(self) -> ComposeResult:
        """Lay out the two fields."""
        yield Static(Content.styled("Play online", "bold"), classes="-title")
        yield VerticalScroll(
            Row("Link or server", self._link),
            Row("Your name", self._called),
            Row("", MarkedButton("Play", id="play", compact=True)),
            id="form",
            can_focus=False,
        )
        yield Panel()
        yield KeyBar(("Enter", "play"), ("↑ ↓", "rows"))

    def on_mount(self) -> None:
        """Say what to do."""
        self._say(_WHAT_TO_DO)

    def on_input_submitted(self) -> None:
        """Play."""
        self._play()

    def on_button_pressed(self) -> None:
        """Play."""
        self._play()

    def _say(self, text: str) -> None:
        self.query_one(Panel).say(text)

    def _play(self) -> None:
        """Join the match of a link, or settle one for a server."""
        typed = self._link.value
        try:
            link = read_link(typed)
        except NotALink:
            try:
                url = read_server(typed)
            except NotALink:
                neither = f"'{excerpt(typed)}' is no link to a match, and no server. "
                self._say((neither if typed else "") + _EXAMPLES)
                return
            form = NewGameScreen(
                self._environment,
                None,
                against_level=False,
                online_as=self._person(Seat.ONE),
            )
            self.app.push_screen(form, lambda setup: self._host(url, setup))
        else:
            self._sit(lambda: self._join(link))

    def _join(self, link: MatchLink) -> Seated:
        server, seats = Server(link.server), self._environment.seats
        name = self._person(Seat.TWO)
        back = seating.come_back(server, seats, link)
        return seating.join(server, seats, link, name) if back is None else back

    def _person(self, usual: Seat) -> str:
        return self._called.value.strip() or str(usual)

    def _host(self, url: str, setup: Setup | None) -> None:
        if setup is None:
            return
        asked = seating.request_of(setup, setup.names[0], hints=False)
        command = f"app {msgspec.json.encode(asked).decode()}"
        hosted = seating.Hosted(Server(url), self._environment.seats, url, command)
        self._sit(lambda: hosted.sit(lambda: asked))

    @work(exclusive=True, group="online")
    async def _sit(self, take: Callable[[], Seated]) -> None:
        """Sit down without stopping the screen."""
        self._say("One moment …")
        try:
            seated = await asyncio.to_thread(take)
        except NinefoldError as error:
            self._say(sentence(error))
        else:
            self._say(_WHAT_TO_DO)
            self.app.push_screen(OnlineTableScreen(self._environment, seated))

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
