"""A class as a value: pupils, the round being played, and the question being asked.

It follows from the log, the commands so far and their times. Results of games are not
in it: they are read from the matches of its tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from ninefold.classroom import commands
from ninefold.classroom.commands import MOST_MINUTES, MOST_PUPILS, Table
from ninefold.classroom.members import Poll, Pupil, Round
from ninefold.classroom.names import check_names, join_names, key_of
from ninefold.errors import ClassError, NameInUse
from ninefold.session.setup import check_level

MOST_COMMANDS = 100_000
"""After so many, a round and the class can only end."""
_TWO = 2
_CLOSED = "the class is over"


class Classroom(Struct, frozen=True):
    """A class after the commands of its log. ``accept`` returns the next one.

    Each pupil who is here sits at one table or waits; between rounds all wait.
    """

    code: str = ""
    is_open: bool = False
    """Whether newcomers may join."""
    is_closed: bool = False
    roster: commands.Roster | None = None
    pupils: tuple[Pupil, ...] = ()
    """By number, from 1."""
    apart: frozenset[frozenset[int]] = frozenset()
    """The pairs of pupils who must not meet."""
    waiting: tuple[int, ...] = ()
    round: Round | None = None
    rounds: int = 0
    """The number of rounds that have started."""
    tables: tuple[tuple[int, Table], ...] = ()
    """Every table so far, with the number of its round."""
    poll: Poll | None = None
    bands_are_open: bool = False
    revision: int = 0
    """The number of the last command."""

    @classmethod
    def replay(cls, log: Iterable[tuple[commands.Command, datetime]]) -> Self:
        """Return the class after these commands, each with its time."""
        classroom = cls()
        for command, at in log:
            classroom = classroom.accept(command, at)
        return classroom

    def accept(self, command: commands.Command, at: datetime) -> Self:
        """Return the class after a command; raise an error if it refuses it."""
        if self.is_closed:
            raise ClassError(_CLOSED)
        ends = isinstance(command, commands.EndRound | commands.Close)
        if self.revision >= MOST_COMMANDS and not ends:
            message = "this class has gone on for too long; start another one"
            raise ClassError(message)
        return replace(self._after(command, at), revision=self.revision + 1)

    def _after(  # noqa: C901, PLR0911, PLR0912 - one case for each command
        self, command: commands.Command, at: datetime
    ) -> Self:
        match command:
            case commands.Door(code=code, is_open=is_open):
                return replace(self, code=code, is_open=is_open)
            case commands.Roster():
                return self._with_roster(command)
            case commands.Join():
                return self._joined(command)
            case commands.LetIn(pupil=pupil):
                return self.let_in(self.pupil(pupil))
            case commands.Return(pupil=pupil, device=device):
                return self._returned(self.pupil(pupil), device)
            case commands.Leave():
                return self._left(command)
            case commands.Rename(pupil=pupil, names=names):
                return self._renamed(self.pupil(pupil), names)
            case commands.Apart(pupils=pupils, is_on=is_on):
                return self._set_apart(pupils, is_on=is_on)
            case commands.StartRound():
                return self._started(command, at)
            case commands.OpenTable(table=table):
                return self._opened(table)
            case commands.Pause(is_on=is_on):
                return self._paused(at, is_on=is_on)
            case commands.EndRound():
                self.current_round()
                return self._between_rounds()
            case commands.Ask(question=question):
                return replace(
                    self, poll=None if question is None else Poll.of(question)
                )
            case commands.Answer(pupil=pupil, answer=answer):
                return self._answered(self.pupil(pupil), answer)
            case commands.Reveal():
                return self._revealed()
            case commands.Bands(are_open=are_open):
                return replace(self, bands_are_open=are_open)
        # Close is the only command left.
        ended = self._between_rounds()
        return replace(ended, is_open=False, is_closed=True, poll=None)

    # Who is here

    def kept_apart(self, pupil: int) -> tuple[int, ...]:
        """Return the pupils who must not meet a pupil, in ascending order."""
        pairs = (pair - {pupil} for pair in self.apart if pupil in pair)
        return tuple(sorted(other for pair in pairs for other in pair))

    def pupil(self, number: int) -> Pupil:
        """Return a pupil; raise ``ClassError`` for an unknown number."""
        if not 1 <= number <= len(self.pupils):
            message = "this class has no such pupil"
            raise ClassError(message)
        return self.pupils[number - 1]

    @property
    def here(self) -> tuple[Pupil, ...]:
        """The pupils who take part."""
        return tuple(each for each in self.pupils if each.is_here)

    @property
    def knocking(self) -> tuple[Pupil, ...]:
        """The pupils with a device that waits to be let in."""
        return tuple(each for each in self.pupils if each.knock)

    @property
    def absent(self) -> tuple[tuple[str, ...], ...]:
        """The lines of the roster of which no name is in use."""
        if self.roster is None:
            return ()
        taken = self._names_in_use()
        return tuple(
            line for line in self.roster.names if taken.isdisjoint(map(key_of, line))
        )

    def named(self, name: str) -> Pupil | None:
        """Return the latest pupil with a name, even one who has left, or None."""
        wanted = key_of(name)
        for pupil in reversed(self.pupils):
            if not pupil.is_sent_back and wanted in map(key_of, pupil.names):
                return pupil
        return None

    def _names_in_use(self, but: int = 0) -> frozenset[str]:
        """Return the keys of all names, also of two as one, but for one pupil's."""
        return frozenset(
            key_of(name)
            for pupil in self.pupils
            if pupil.number != but and pupil.has_name
            for name in (*pupil.names, pupil.name)
        )

    def check_names(self, names: tuple[str, ...], but: int = 0) -> None:
        """Raise an error unless these can be the names of a device."""
        check_names(names)
        taken = self._names_in_use(but)
        if len(names) == _TWO and key_of(names[0]) == key_of(names[1]):
            raise NameInUse(names[0])
        for name in (*names, join_names(names)):
            if key_of(name) in taken:
                raise NameInUse(name)

    def update(self, *changed: Pupil) -> Self:
        """Return the class with these pupils changed."""
        pupils = list(self.pupils)
        for pupil in changed:
            pupils[pupil.number - 1] = pupil
        return replace(self, pupils=tuple(pupils))

    def _with_roster(self, roster: commands.Roster) -> Self:
        if len(roster.names) > MOST_PUPILS:
            message = f"a class has at most {MOST_PUPILS} pupils"
            raise ClassError(message)
        for names in roster.names:
            check_names(names)
        apart = self.apart.union(_pairs_apart(roster, self.pupils, self.pupils))
        return replace(self, roster=roster if roster.names else None, apart=apart)

    def _joined(self, join: commands.Join) -> Self:
        self._check_door()
        if len(self.pupils) == MOST_PUPILS:
            message = f"the class is full; it has {MOST_PUPILS} pupils"
            raise ClassError(message)
        if join.pupil != len(self.pupils) + 1:
            message = "this number is taken"
            raise ClassError(message)
        self.check_names(join.names)
        is_duel = join.is_duel and len(join.names) == _TWO
        pupil = Pupil(join.pupil, join.names, is_duel=is_duel)
        apart = self.apart.union(_pairs_apart(self.roster, [pupil], self.pupils))
        joined = replace(self, pupils=(*self.pupils, pupil), apart=apart)
        return joined.at_the_door(pupil)

    def _check_door(self) -> None:
        if not self.is_open:
            message = "the door is closed; ask your teacher to open it"
            raise ClassError(message)

    def at_the_door(self, pupil: Pupil) -> Self:
        """Return the class after the latest device of a newcomer has knocked.

        It is let in at once until the first round is over.
        """
        knocking = replace(pupil, knock=pupil.devices)
        changed = self.update(knocking)
        is_early = self.rounds == (0 if self.round is None else 1)
        return changed.let_in(knocking) if is_early else changed

    def _renamed(self, pupil: Pupil, names: tuple[str, ...]) -> Self:
        self.check_names(names, but=pupil.number)
        if len(names) != len(pupil.names):
            message = "the number of names on a device stays the same"
            raise ClassError(message)
        renamed = replace(pupil, names=names)
        apart = self.apart.union(_pairs_apart(self.roster, [renamed], self.pupils))
        return replace(self.update(renamed), apart=apart)

    def let_in(self, pupil: Pupil) -> Self:
        """Return the class with the device that knocks for a pupil let in."""
        if not pupil.knock:
            message = f"{pupil.name} is not knocking"
            raise ClassError(message)
        was_here = pupil.is_here
        changed = self.update(
            replace(pupil, device=pupil.knock, knock=0, has_left=False)
        )
        if was_here:
            return changed
        return replace(changed, waiting=(*self.waiting, pupil.number))

    def _returned(self, pupil: Pupil, device: int) -> Self:
        self._check_door()
        if pupil.is_sent_back:
            message = "choose another name, then join again"
            raise ClassError(message)
        if device != pupil.devices + 1:
            message = "this number is taken"
            raise ClassError(message)
        back = replace(pupil, devices=device)
        if not pupil.has_left:
            return self.update(replace(back, knock=device))
        self.check_names(pupil.names, but=pupil.number)
        return self.at_the_door(back)

    def _left(self, leave: commands.Leave) -> Self:
        pupil = self.pupil(leave.pupil)
        if not pupil.has_name:
            message = f"{pupil.name} has left already"
            raise ClassError(message)
        gone = replace(pupil, has_left=True, knock=0, is_sent_back=leave.is_sent_back)
        changed = self._away_from_tables({pupil.number}).update(gone)
        still = tuple(each for each in changed.waiting if each != pupil.number)
        return replace(changed, waiting=still, poll=self._poll_without(pupil))

    def _poll_without(self, pupil: Pupil) -> Poll | None:
        """Return the poll without a pupil's answer, unless the answers are shown."""
        if self.poll is None or self.poll.shows_answers:
            return self.poll
        answers = {n: a for n, a in self.poll.answers.items() if n != pupil.number}
        return replace(self.poll, answers=answers)

    def _set_apart(self, pupils: tuple[int, int], *, is_on: bool) -> Self:
        one, two = (self.pupil(each) for each in pupils)
        if one == two:
            message = "choose two pupils"
            raise ClassError(message)
        pair = {frozenset(pupils)}
        apart = self.apart | pair if is_on else self.apart - pair
        return replace(self, apart=apart)

    # Rounds

    def current_round(self) -> Round:
        """Return the round being played; raise ``ClassError`` between rounds."""
        if self.round is None:
            message = "no round is being played"
            raise ClassError(message)
        return self.round

    def table(self, match_id: str) -> Table | None:
        """Return the table of a match if it is being played, or None."""
        tables = () if self.round is None else self.round.tables
        return next((each for each in tables if each.match == match_id), None)

    def _started(self, start: commands.StartRound, at: datetime) -> Self:
        if self.round is not None:
            message = "a round is being played; end it first"
            raise ClassError(message)
        if not start.tables:
            message = "nobody is here to play; wait until someone has joined"
            raise ClassError(message)
        if not 1 <= start.minutes <= MOST_MINUTES:
            message = f"a round has 1 to {MOST_MINUTES} minutes"
            raise ClassError(message)
        seated = [pupil for table in start.tables for pupil in table.pupils]
        if len(set(seated)) < len(seated):
            message = "a pupil can sit at one table only"
            raise ClassError(message)
        for number, table in enumerate(start.tables, start=1):
            self._check_table(table, number)
        number = self.rounds + 1
        playing = Round(
            number, start.proposal, start.minutes, at, start.tables, len(start.tables)
        )
        changed = replace(
            self,
            round=playing,
            rounds=number,
            tables=(*self.tables, *((number, table) for table in start.tables)),
            waiting=tuple(each for each in self.waiting if each not in set(seated)),
        )
        has_pairs = any(len(table.pupils) == _TWO for table in start.tables)
        return changed.update(*self._met(start.tables, counts_alone=has_pairs))

    def _check_table(self, table: Table, number: int) -> None:
        if table.number != number:
            message = "tables are numbered one after another"
            raise ClassError(message)
        check_level(table.level)
        seated = [self.pupil(each) for each in table.pupils]
        for pupil in seated:
            if not pupil.is_here:
                message = f"{pupil.name} is not here"
                raise ClassError(message)
        if frozenset(table.pupils) in self.apart and len(seated) == _TWO:
            names = " and ".join(pupil.name for pupil in seated)
            message = f"{names} must not meet; choose another partner"
            raise ClassError(message)
        is_pair = len(set(table.pupils)) == _TWO and table.level is None
        is_alone = len(seated) == 1
        is_duel = is_alone and seated[0].is_duel
        if not (is_pair or (is_alone and (table.level is None) is is_duel)):
            message = "a table has two players"
            raise ClassError(message)
        if is_pair and any(pupil.is_duel for pupil in seated):
            message = "two who play each other on one device have no other partner"
            raise ClassError(message)

    def _met(self, tables: Iterable[Table], *, counts_alone: bool) -> Iterator[Pupil]:
        """Yield the pupils of tables with what pairing remembers of them."""
        for table in tables:
            for number in table.pupils:
                pupil = self.pupil(number)
                others = tuple(each for each in table.pupils if each != number)
                is_alone = not others and not pupil.is_duel and counts_alone
                yield replace(
                    pupil, met=pupil.met + others, alone=pupil.alone + is_alone
                )

    def _opened(self, table: Table) -> Self:
        playing = self.current_round()
        self._check_table(table, playing.opened + 1)
        left = self._away_from_tables(set(table.pupils))
        playing = replace(
            left.current_round(),
            tables=(*left.current_round().tables, table),
            opened=table.number,
        )
        changed = replace(
            left,
            round=playing,
            tables=(*self.tables, (playing.number, table)),
            waiting=tuple(each for each in left.waiting if each not in table.pupils),
        )
        return changed.update(*self._met([table], counts_alone=False))

    def _away_from_tables(self, pupils: set[int]) -> Self:
        """Return the class without the tables of these pupils; all at them wait."""
        if self.round is None:
            return self
        tables = self.round.tables
        ended = [each for each in tables if pupils.intersection(each.pupils)]
        freed = tuple(pupil for table in ended for pupil in table.pupils)
        stays = tuple(each for each in tables if each not in ended)
        return replace(
            self,
            round=replace(self.round, tables=stays),
            waiting=(*self.waiting, *freed),
        )

    def _paused(self, at: datetime, *, is_on: bool) -> Self:
        playing = self.current_round()
        if (playing.paused_at is not None) is is_on:
            message = "the round is paused" if is_on else "the round is not paused"
            raise ClassError(message)
        if playing.paused_at is None:
            return replace(self, round=replace(playing, paused_at=at))
        pauses = playing.pauses + max(at - playing.paused_at, timedelta())
        return replace(self, round=replace(playing, paused_at=None, pauses=pauses))

    def _between_rounds(self) -> Self:
        here = tuple(pupil.number for pupil in self.here)
        return replace(self, round=None, waiting=here)

    # Questions

    def current_poll(self) -> Poll:
        """Return the question being asked; raise ``ClassError`` without one."""
        if self.poll is None:
            message = "there is no question right now"
            raise ClassError(message)
        return self.poll

    def _answered(self, pupil: Pupil, answer: str) -> Self:
        poll = self.current_poll()
        if not pupil.is_here:
            message = f"{pupil.name} is not here"
            raise ClassError(message)
        if poll.shows_answers:
            message = "the answers are shown already; wait for the next question"
            raise ClassError(message)
        if answer not in poll.question.choices:
            message = "this is not one of the answers; choose one of them"
            raise ClassError(message)
        answers = poll.answers | {pupil.number: answer}
        return replace(self, poll=replace(poll, answers=answers))

    def _revealed(self) -> Self:
        poll = self.current_poll()
        if poll.shows_truth:
            message = "everything is shown already; ask the next question"
            raise ClassError(message)
        return replace(self, poll=replace(poll, step=poll.step + 1))


def _pairs_apart(
    roster: commands.Roster | None, pupils: Iterable[Pupil], others: Iterable[Pupil]
) -> Iterator[frozenset[int]]:
    """Yield the pairs of a pupil and another whom the roster keeps apart."""
    pairs = () if roster is None else roster.apart
    keys = [{key_of(one), key_of(two)} for one, two in pairs]
    for pupil in pupils:
        own = set(map(key_of, pupil.names))
        unwanted = {name for pair in keys if pair & own for name in pair - own}
        for other in others:
            if unwanted.intersection(map(key_of, other.names)):
                yield frozenset({pupil.number, other.number})
