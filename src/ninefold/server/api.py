"""The API as one table of calls, of which routes and OpenAPI are made."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ninefold.online.messages import (
    Choices,
    CreateMatch,
    GameReview,
    HintView,
    LogAsk,
    LogPage,
    MatchLog,
    Message,
    PuzzleAnswer,
    RulesInWords,
    SeatedState,
    TakeSeat,
    WhyView,
)
from ninefold.server import analysis
from ninefold.server.matches import Matches
from ninefold.server.rate_limits import Handler, Kind
from ninefold.server.responses import BAD_FORM, Refused, answer
from ninefold.server.threads import Pool
from ninefold.views import EndedView, PuzzleView, SolutionView
from ninefold.views.number_line import LineView
from ninefold.views.state import State

_EXPLORED = ("game", "target", "multipliers", "start", "total")
_OF_A_MATCH = "/api/matches/{id}"
_OF_A_SEAT = (400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503)


class Call(Struct, frozen=True, kw_only=True):
    """One call: its method, path and body, its handler, its answers."""

    method: str
    path: str
    handler: Handler
    about: str
    kind: Kind
    body: type[Struct] | None = None
    query: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    """The query parameters that must be given."""
    is_endless: bool = False
    """Whether the answer is a stream of events."""
    status: int = 200
    gives: tuple[type[Struct], ...]
    refuses: tuple[int, ...]


def calls(matches: Matches, think: Pool) -> list[Call]:
    """Return every call of the protocol."""
    return [
        Call(
            method="GET",
            path="/api/choices",
            handler=_choices,
            about="The games and the levels that there are",
            kind=Kind.READ,
            gives=(Choices,),
            refuses=(400, 429),
        ),
        Call(
            method="POST",
            path="/api/matches",
            handler=matches.create,
            about="Make a match; whoever makes it sits in seat 1",
            kind=Kind.CREATE,
            body=CreateMatch,
            status=201,
            gives=(SeatedState,),
            refuses=(400, 403, 408, 409, 413, 415, 422, 429, 503),
        ),
        Call(
            method="POST",
            path=f"{_OF_A_MATCH}/seat",
            handler=matches.take_seat,
            about="Take the seat that is free",
            kind=Kind.CREATE,
            body=TakeSeat,
            gives=(SeatedState,),
            refuses=(400, 403, 404, 408, 409, 413, 415, 422, 429, 503),
        ),
        Call(
            method="POST",
            path=f"{_OF_A_MATCH}/log",
            handler=matches.ask,
            about="Ask for a move or anything else that a seat may want",
            kind=Kind.STEP,
            body=LogAsk,
            query=("as",),
            gives=(State, LogPage),
            refuses=_OF_A_SEAT,
        ),
        Call(
            method="GET",
            path=f"{_OF_A_MATCH}/log",
            handler=matches.log,
            about="The set-up and the log of a match, in pages",
            kind=Kind.READ,
            query=("after",),
            gives=(MatchLog,),
            refuses=(400, 401, 404, 429, 503),
        ),
        Call(
            method="GET",
            path=_OF_A_MATCH,
            handler=matches.state,
            about="The match as it stands",
            kind=Kind.READ,
            gives=(State,),
            refuses=(401, 404, 429, 503),
        ),
        Call(
            method="GET",
            path=f"{_OF_A_MATCH}/events",
            handler=matches.stream,
            is_endless=True,
            about="Everything that happens, as it happens: server-sent events",
            kind=Kind.READ,
            query=("after", "as"),
            gives=(Message,),
            refuses=(400, 401, 404, 429, 503),
        ),
        Call(
            method="GET",
            path=f"{_OF_A_MATCH}/rules",
            handler=matches.rules,
            about="The rules in words",
            kind=Kind.READ,
            gives=(RulesInWords,),
            refuses=(404, 429, 503),
        ),
        Call(
            method="GET",
            path=f"{_OF_A_MATCH}/hint",
            handler=matches.hint,
            about="A hint in steps; 403 where that was not agreed, until the end",
            kind=Kind.THINK,
            gives=(HintView,),
            refuses=(403, 404, 409, 422, 429, 503),
        ),
        Call(
            method="GET",
            path=f"{_OF_A_MATCH}/why",
            handler=matches.why,
            about="Who wins and why; 403 where that was not agreed, until the end",
            kind=Kind.THINK,
            gives=(WhyView,),
            refuses=(403, 404, 409, 422, 429, 503),
        ),
        Call(
            method="GET",
            path=f"{_OF_A_MATCH}/review",
            handler=matches.review,
            about="A game that has ended, every move of it graded",
            kind=Kind.THINK,
            query=("match_number", "number"),
            gives=(GameReview,),
            refuses=(400, 404, 422, 429, 503),
        ),
        Call(
            method="GET",
            path="/api/solve",
            handler=_asking(think, analysis.solve, _EXPLORED),
            about="The perfect answer for any game; public",
            kind=Kind.THINK,
            query=_EXPLORED,
            required=("game",),
            gives=(SolutionView, EndedView),
            refuses=(400, 422, 429, 503),
        ),
        Call(
            method="GET",
            path="/api/line",
            handler=_asking(think, analysis.line, _EXPLORED),
            about="The number line of any game with its lost bands; public",
            kind=Kind.THINK,
            query=_EXPLORED,
            required=("game",),
            gives=(LineView,),
            refuses=(400, 422, 429, 503),
        ),
        Call(
            method="GET",
            path="/api/puzzles",
            handler=_asking(think, analysis.puzzle, ("level", "seed", "game")),
            about="A position at which one multiplier wins",
            kind=Kind.THINK,
            query=("level", "seed", "game"),
            gives=(PuzzleView,),
            refuses=(400, 422, 429, 503),
        ),
        Call(
            method="GET",
            path="/api/puzzles/answer",
            handler=_asking(think, analysis.puzzle_answer, ("key", "multiplier")),
            about="Whether a multiplier solves a puzzle, and why or why not",
            kind=Kind.THINK,
            query=("key", "multiplier"),
            required=("key", "multiplier"),
            gives=(PuzzleAnswer,),
            refuses=(400, 422, 429, 503),
        ),
    ]


async def _choices(_: Request) -> Response:
    return answer(analysis.choices())


def _asking(
    think: Pool, question: Callable[..., Struct], names: tuple[str, ...]
) -> Handler:
    """Make the handler of a question whose arguments are the query."""

    async def handler(request: Request) -> Response:
        given = request.query_params
        unknown = [name for name in given if name not in names]
        if unknown or len(given.multi_items()) != len(given):
            detail = f"ask for each of these at most once: {', '.join(names)}"
            raise Refused(BAD_FORM, "form", detail)
        asked = {name: given.get(name) or None for name in names}
        return answer(await think(lambda: question(**asked)))

    return handler
