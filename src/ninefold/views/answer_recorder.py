"""A learner at a surface: their stored answers, and the ones they give now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Protocol, TypeVar

from ninefold.game import Seat
from ninefold.learning import Activity, Answer, Response, gain
from ninefold.notation import is_record
from ninefold.session.setup import check_name
from ninefold.store import DEFAULT_LEARNER, Store
from ninefold.views.practice import format_improvement
from ninefold.views.progress import Who, find_learner

T = TypeVar("T")


class AskStore(Protocol):
    """Runs a store query; on failure notifies the user and returns None."""

    def __call__(self, query: Callable[[Store], T], /) -> T | None: ...


class AnswerRecorder:
    """Records the answers that count; a failing store never stops practice."""

    def __init__(
        self,
        ask_store: AskStore,
        clock: Callable[[], float],
        name: str | None = None,
        *,
        surface: str,
        activity: Activity | None = None,
        save: bool = True,
    ) -> None:
        """Load a learner by name; None loads the latest one.

        ``activity`` is stored with each answer; by default a puzzle or a drill, as the
        item is. With ``save``, a given name becomes the latest learner.
        """
        if name is not None:
            check_name(name)
        self._ask_store, self._clock = ask_store, clock
        self._surface, self._activity = surface, activity
        self._began = 0.0
        self.learner = Who("", name or DEFAULT_LEARNER)
        self.earlier: list[Answer] = []
        """The answers from before, oldest first."""
        self.now: list[Answer] = []
        self.at = datetime.min.replace(tzinfo=UTC)
        """When the recorder was created."""
        found = ask_store(partial(self._look_up, name=name, save=save))
        self._saves = save and found is not None

    def _look_up(self, store: Store, name: str | None, *, save: bool) -> bool:
        if name is not None and save:
            store.choose_learner(name)
        self.at, self.learner = store.now(), find_learner(store, name)
        if self.learner.id:
            self.earlier = store.answers(self.learner.id)
        return True

    @property
    def player(self) -> str:
        """What the learner is called in a game: the default one, after the seat."""
        name = self.learner.name
        return str(Seat.ONE) if name == DEFAULT_LEARNER else name

    @property
    def answers(self) -> list[Answer]:
        """All answers, oldest first."""
        return [*self.earlier, *self.now]

    def begin(self) -> None:
        """Start the timer of an answer."""
        self._began = self._clock()

    def add(self, *answers: Response, hinted: bool = False) -> None:
        """Store answers; ``hinted`` marks help from outside the item."""
        seconds = self._clock() - self._began

        def add(store: Store, given: Response) -> Answer:
            item = given.item.key
            usual = Activity.PUZZLE if is_record(item) else Activity.DRILL
            return store.add_answer(
                store.learner(self.learner.name).id,
                item,
                given.given,
                right=bool(given.right),
                activity=self._activity or usual,
                seconds=seconds,
                hinted=hinted or given.hinted,
                surface=self._surface,
            )

        for each in answers:
            if self._saves:
                answer = self._ask_store(partial(add, given=each))
                self._saves = answer is not None
                self.now += [] if answer is None else [answer]

    def gained(self) -> str:
        """Return what improved and when to practise next; "" if nothing was stored."""
        if not self.now:
            return ""
        return format_improvement(gain(self.earlier, self.answers), self.now[-1].at)
