"""The games and results of a class, read from the matches of its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ninefold.classroom import Classroom, Table
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.online.class_messages import ClassGame, ClassGames, ClassResults
from ninefold.server.live_match import History
from ninefold.session import Answered, Session
from ninefold.views.class_results import PupilGame, result_of
from ninefold.views.number_line import LineView, number_line


def sessions_of(history: History) -> list[Session]:
    """Return the session at the end of each game of a match, and the current one."""
    found = [session for session, _ in history.ended]
    session = history.recent[-1].session
    if session.game.outcome is None and session.game.moves:
        found.append(session)
    return found


def class_games(
    tables: Sequence[tuple[int, Table]], matches: Mapping[str, History]
) -> ClassGames:
    """Return the games at the tables of a class, the latest first."""
    games = [
        _game(number, table, session)
        for number, table in tables
        if table.match in matches
        for session in sessions_of(matches[table.match])
    ]
    return ClassGames(tuple(reversed(games)))


def _game(number: int, table: Table, session: Session) -> ClassGame:
    game, totals = session.game, [session.game.rules.start]
    for move in game.moves:
        totals.append(totals[-1] * move)
    return ClassGame(
        round=number,
        table=table.number,
        number=session.number,
        names=session.setup.names,
        first=game.first,
        book=session.setup.book,
        title=session.book.title,
        rules=game.rules,
        moves=game.moves,
        totals=tuple(totals),
        is_over=game.outcome is not None,
        line=LineView.of(number_line(game.rules, game=game)),
    )


def games_of_pupils(
    room: Classroom, matches: Mapping[str, History]
) -> dict[int, list[PupilGame]]:
    """Return the games of each pupil, the earliest first.

    Two who play each other on one device have no games of their own: nobody knows who
    of them pressed the keys.
    """
    found = defaultdict[int, list[PupilGame]](list)
    for _, table in room.tables:
        history = matches.get(table.match)
        if history is None or (len(table.pupils) == 1 and table.level is None):
            continue
        products = _products(history)
        for session in sessions_of(history):
            for seat, pupil in zip(Seat, table.pupils, strict=False):
                asked = tuple(products[session.number, seat])
                found[pupil].append(PupilGame(session.game, seat, asked))
    return found


def _products(history: History) -> dict[tuple[int, Seat], list[Product]]:
    """Return the products that each seat answered in each game."""
    found = defaultdict[tuple[int, Seat], list[Product]](list)
    if not history.setup.lessons.mental:
        return found
    for snapshot in history.replay_all():
        for event in snapshot.events:
            if isinstance(event, Answered):
                place = snapshot.session.number, event.seat
                found[place].append(event.product)
    return found


def results_of(room: Classroom, matches: Mapping[str, History]) -> ClassResults:
    """Return the results of every pupil, by name."""
    games = games_of_pupils(room, matches)
    pupils = [each for each in room.pupils if each.device and not each.is_sent_back]
    pupils.sort(key=lambda pupil: pupil.name.casefold())
    rows = [
        result_of(pupil.number, pupil.name, games.get(pupil.number, []))
        for pupil in pupils
    ]
    return ClassResults(tuple(rows))
