"""A match in memory, with a table for each screen at which it is played."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ninefold.errors import NinefoldError, RequestRefused, ServerUnreachable
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.playing import presenter
from ninefold.rulebooks import load
from ninefold.rules import Rules
from ninefold.session import Ask, Lessons, Session, Setup, Sit
from ninefold.session.coach_warnings import CoachWarnings
from ninefold.session.table import Listener, News, Update
from ninefold.views.match_text import format_event, sentence

ONE, TWO = Seat
NOT_TOLD = (presenter.Redrawn,)
COACH = Lessons(coach=True)
MENTAL = Lessons(mental=True)


def setup(book: str = "multiplication-madness", **changed: object) -> Setup:
    """Return what Ada and Bo agreed on, at one keyboard."""
    agreed = Setup(
        rules=Rules(load(book).rules.ending, 100),
        book=book,
        names=("Ada", "Bo"),
        seed=1,
    )
    return replace(agreed, **changed)


class MemoryTable:
    """One screen's table."""

    def __init__(self, meeting: Meeting, seats: tuple[Seat, ...]) -> None:
        self._meeting = meeting
        self.seats = seats
        self.session = meeting.session
        self.listener: Listener = lambda _: None
        self.answers: list[tuple[Product, float, bool]] = []
        self.is_stored = True
        self.is_closed = False
        self.fails: NinefoldError | None = None

    def listen(self, listener: Listener) -> None:
        self.listener = listener

    def hear(self, news: News) -> None:
        """Take news, as of a server."""
        if isinstance(news, Update):
            self.session = news.session
        self.listener(news)

    def submit(self, ask: Ask) -> None:
        if self.fails is not None:
            raise self.fails
        self._meeting.submit(self, ask)

    def play_automatic_move(self) -> bool:
        command = self.session.next_automatic_command()
        if command is not None:
            self._meeting.accept(command)
        return command is not None

    def precompute(self) -> None:
        pass

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        self.answers.append((product, seconds, hinted))

    def close(self) -> None:
        self.is_closed = True


class Meeting:
    """A match that is played at one screen or at two."""

    def __init__(self, agreed: Setup, *screens: tuple[Seat, ...]) -> None:
        self.session = Session.start(agreed)
        self._warnings = CoachWarnings()
        self.tables = [MemoryTable(self, seats) for seats in screens]
        for seat in Seat if not agreed.all_seated else ():
            self.accept(Sit(seat, agreed.name(seat), agreed.lessons))

    def submit(self, table: MemoryTable, ask: Ask) -> None:
        if table.session.revision < self.session.revision:
            self.tell(table)
            raise RequestRefused(409, "out_of_step", "the match has moved on")
        seat = self.session.acting_seat(table.seats[0])
        self.accept(self._warnings.decide(self.session, seat, ask))

    def accept(self, command: object, *, told: bool = True) -> None:
        """Accept a command, and report it unless news of it is late."""
        self.session, events = self.session.apply_unchecked(command)  # type: ignore[arg-type]
        self._last = Update(self.session, events)
        for table in self.tables if told else ():
            table.hear(self._last)

    def tell(self, table: MemoryTable) -> None:
        """Report the last command to a table."""
        table.hear(self._last)


class Screen:
    """A surface that keeps what it is shown."""

    def __init__(self, table: MemoryTable, **options: object) -> None:
        self.table = table
        self.changes: list[presenter.Change] = []
        self.now = 0.0
        self.presenter = presenter.Presenter(
            table,
            self.changes.append,
            clock=lambda: self.now,
            **options,  # type: ignore[arg-type]
        )
        self.presenter.open()

    @property
    def scene(self):  # type: ignore[no-untyped-def]  # noqa: ANN201
        return self.presenter.scene

    def told(self) -> list[str]:
        """Return what was shown since the last call, in words."""
        self.presenter.catch_up()
        shown, self.changes[:] = [*self.changes], []
        return [tell(each) for each in shown if not isinstance(each, NOT_TOLD)]

    def after(self, do: Callable[[], object]) -> list[str]:
        """Return what is shown for something that is done."""
        self.told()
        do()
        return self.told()

    def enter(self, *entries: object) -> list[str]:
        self.told()
        for entry in entries:
            self.presenter.enter(str(entry))
        return self.told()

    def enter_product(self, product: object) -> list[str]:
        return self.after(lambda: self.presenter.enter_product(str(product)))

    def ask(self, ask: Ask) -> list[str]:
        return self.after(lambda: self.presenter.ask(ask))

    def answer(self, *, yes: bool) -> list[str]:
        return self.after(lambda: self.presenter.answer(yes=yes))


def tell(  # noqa: PLR0911 - one return for each change
    change: presenter.Change,
) -> str:
    """Write a change in words."""
    match change:
        case presenter.Opened(is_skipped=is_skipped):
            return "skipped" if is_skipped else "opened"
        case presenter.Happened(scene=scene, events=events):
            written = [format_event(e, scene.session, scene.viewer) for e in events]
            kinds = [type(event).__name__ for event in events]
            words = [w.strip() or k for w, k in zip(written, kinds, strict=True)]
            return f"happened: {' | '.join(words)}"
        case presenter.TurnBegan(scene=scene, remarks=remarks):
            mover = scene.name(scene.session.game.to_move)
            return " ".join([f"turn: {mover}", *remarks])
        case presenter.Said(text=text):
            return text
        case presenter.Asked(question=question):
            return f"asked: {question.text}"
        case presenter.Marked(text=text):
            return f"marked: {text}"
        case presenter.Refused(error=error, is_gone=is_gone):
            return f"{'gone' if is_gone else 'refused'}: {sentence(error)}"
    return type(change).__name__


def at_home(agreed: Setup | None = None, **options: object) -> Screen:
    """Open a match at one keyboard, or against a level."""
    agreed = agreed or setup()
    seats = tuple(seat for seat in Seat if agreed.is_person(seat))
    return Screen(Meeting(agreed, seats).tables[0], **options)


def online(
    agreed: Setup | None = None,
) -> tuple[Meeting, Screen, Screen]:
    """Open a match between two screens."""
    meeting = Meeting(agreed or setup(all_seated=False), (ONE,), (TWO,))
    one, two = (Screen(table) for table in meeting.tables)
    return meeting, one, two


UNREACHABLE = ServerUnreachable("the server at http://ninefold.example does not answer")
