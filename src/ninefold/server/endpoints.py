"""The endpoints of the API in one list, and their OpenAPI description."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ninefold import __version__
from ninefold.notation.codec import schemas
from ninefold.online import class_messages, messages
from ninefold.playing.state import State
from ninefold.server import analysis
from ninefold.server.class_endpoints import ADVISED, Classes
from ninefold.server.learner_endpoints import COOKIE as LEARNER_COOKIE
from ninefold.server.learner_endpoints import PUZZLE_QUERY, Learners
from ninefold.server.match_endpoints import Matches
from ninefold.server.rate_limits import Handler, RequestKind
from ninefold.server.requests import read_query
from ninefold.server.responses import BAD_FORM, GONE, NO_SEAT, answer, compress
from ninefold.server.seats import CLASS_COOKIE, COOKIE
from ninefold.server.thread_pool import Pool
from ninefold.views.number_line import ExploredLine
from ninefold.views.solutions import EndedView, SolutionView

_EXPLORED = ("game", "target", "multipliers", "start", "total")
_OF_A_MATCH = "/api/matches/{id}"
_OF_CLASSES = "/api/class"
_OF_A_SEAT = (400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503)


class Endpoint(Struct, frozen=True, kw_only=True):
    """An endpoint: its path and body, its handler, its responses."""

    path: str
    handler: Handler
    about: str
    kind: RequestKind = RequestKind.READ
    body: type[Struct] | None = None
    query: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    """The required query parameters."""
    is_endless: bool = False
    """Whether the response is a stream of events."""
    status: int = 200
    gives: tuple[type[Struct], ...]
    refuses: tuple[int, ...]

    @property
    def method(self) -> str:
        """POST with a body, else GET."""
        return "GET" if self.body is None else "POST"

    @property
    def is_of_learner(self) -> bool:
        """Whether it needs only the cookie of a browser's learner."""
        return self.path.startswith(("/api/practice", "/api/path", "/api/learner"))


def endpoints(
    matches: Matches, learners: Learners, classes: Classes, pool: Pool
) -> list[Endpoint]:
    """Return every endpoint of the protocol."""
    return [
        Endpoint(
            path="/api/choices",
            handler=_choices,
            about="List the games and the levels",
            gives=(messages.Choices,),
            refuses=(400, 429),
        ),
        Endpoint(
            path="/api/matches",
            handler=matches.create,
            about="Create a match and take seat 1",
            kind=RequestKind.CREATE,
            body=messages.CreateMatch,
            status=201,
            gives=(messages.SeatedState,),
            refuses=(400, 403, 408, 409, 413, 415, 422, 429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/seat",
            handler=matches.take_seat,
            about="Take the free seat",
            kind=RequestKind.CREATE,
            body=messages.TakeSeat,
            gives=(messages.SeatedState,),
            refuses=(400, 403, 404, 408, 409, 413, 415, 422, 429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/log",
            handler=matches.ask,
            about="Play a move, or make any other request of a seat",
            kind=RequestKind.STEP,
            body=messages.LogAsk,
            query=("as",),
            gives=(State, messages.LogPage),
            refuses=_OF_A_SEAT,
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/log",
            handler=matches.log,
            about="Read the setup and the log of a match, page by page",
            query=("after",),
            gives=(messages.MatchLog,),
            refuses=(400, 401, 404, 429, 503),
        ),
        Endpoint(
            path=_OF_A_MATCH,
            handler=matches.state,
            about="Read the current state of a match",
            gives=(State,),
            refuses=(401, 404, 429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/events",
            handler=matches.stream,
            is_endless=True,
            about="Follow a match (server-sent events)",
            query=("after", "as"),
            gives=(messages.Message,),
            refuses=(400, 401, 404, 429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/rules",
            handler=matches.rules,
            about="Read the rules in words",
            gives=(messages.RulesInWords,),
            refuses=(404, 429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/hint",
            handler=matches.hint,
            about="Get a hint in steps; 403 during a game without hints",
            kind=RequestKind.THINK,
            gives=(messages.HintView,),
            refuses=(403, 404, 409, 422, 429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/why",
            handler=matches.why,
            about="Get who wins and why; 403 during a game without hints",
            kind=RequestKind.THINK,
            gives=(messages.WhyView,),
            refuses=(403, 404, 409, 422, 429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/review",
            handler=matches.review,
            about="Review a finished game, with every move graded",
            kind=RequestKind.THINK,
            query=("match_number", "number"),
            gives=(messages.GameReview,),
            refuses=(400, 403, 404, 422, 429, 503),
        ),
        Endpoint(
            path="/api/solve",
            handler=_asking(pool, analysis.solve, _EXPLORED),
            about="Solve any game (public)",
            kind=RequestKind.THINK,
            query=_EXPLORED,
            required=("game",),
            gives=(SolutionView, EndedView),
            refuses=(400, 422, 429, 503),
        ),
        Endpoint(
            path="/api/line",
            handler=_asking(pool, analysis.line, _EXPLORED),
            about="Get the number line of any game with its losing bands (public)",
            kind=RequestKind.THINK,
            query=_EXPLORED,
            required=("game",),
            gives=(ExploredLine,),
            refuses=(400, 422, 429, 503),
        ),
        Endpoint(
            path="/api/puzzles",
            handler=learners.puzzle,
            about="Get a puzzle; without a seed, from the learner's own slips first",
            kind=RequestKind.THINK,
            query=PUZZLE_QUERY,
            gives=(messages.PosedPuzzle,),
            refuses=(400, 422, 429, 503),
        ),
        *_of_learners(learners),
        *_of_classes(classes),
    ]


def _of_learners(learners: Learners) -> list[Endpoint]:
    """Return the endpoints of a browser's learner, whose cookie is optional."""
    changes = (400, 403, 408, 413, 415, 422, 429, 503)
    once = (*changes, 409)
    return [
        Endpoint(
            path="/api/practice",
            handler=learners.drill,
            about="Get twelve practice items, due and shaky ones first",
            kind=RequestKind.THINK,
            query=("seed",),
            gives=(messages.PracticeRound,),
            refuses=(429, 503),
        ),
        Endpoint(
            path=f"{_OF_A_MATCH}/practice",
            handler=learners.of_a_game,
            about="Get practice items from a seat's last game: slips and products",
            kind=RequestKind.THINK,
            gives=(messages.PracticeRound,),
            refuses=(401, 403, 404, 422, 429, 503),
        ),
        Endpoint(
            path="/api/practice",
            handler=learners.enter,
            about="Answer an item, or ask for help",
            kind=RequestKind.STEP,
            body=messages.PracticeEntry,
            gives=(messages.WalkView,),
            refuses=once,
        ),
        Endpoint(
            path="/api/path",
            handler=learners.path,
            about="List the steps of the path, and which of them are done",
            gives=(messages.PathView,),
            refuses=(429, 503),
        ),
        Endpoint(
            path="/api/path",
            handler=learners.step,
            about="Replay a step of the path from its entries",
            kind=RequestKind.THINK,
            body=messages.StepEntry,
            gives=(messages.WalkView,),
            refuses=once,
        ),
        Endpoint(
            path="/api/claim",
            handler=learners.claim,
            about="Play out a claim about a total (not stored)",
            kind=RequestKind.THINK,
            body=messages.ClaimEntry,
            gives=(messages.WalkView,),
            refuses=changes,
        ),
        Endpoint(
            path="/api/learner",
            handler=learners.progress,
            about="Read what this browser's learner knows",
            kind=RequestKind.THINK,
            query=("after",),
            gives=(messages.LearnerView,),
            refuses=(400, 429, 503),
        ),
        Endpoint(
            path="/api/learner",
            handler=learners.update,
            about="Rename or remove this browser's learner",
            kind=RequestKind.CREATE,
            body=messages.UpdateLearner,
            gives=(messages.LearnerView,),
            refuses=changes,
        ),
        Endpoint(
            path="/api/learner/transfer",
            handler=learners.offer_transfer,
            about="Get a link to use this browser's learner in another one, too",
            kind=RequestKind.CREATE,
            body=messages.OfferTransfer,
            gives=(messages.TransferOffer,),
            refuses=(*changes, 404),
        ),
        Endpoint(
            path="/api/learner/transfer/take",
            handler=learners.take_transfer,
            about="Use the learner of such a link, which works once",
            kind=RequestKind.CREATE,
            body=messages.TakeTransfer,
            gives=(messages.LearnerView,),
            refuses=(*changes, 404),
        ),
    ]


def _of_classes(classes: Classes) -> list[Endpoint]:
    """Return the endpoints of classes, whose devices have a cookie."""
    changes = (400, 403, 408, 413, 415, 422, 429, 503)
    looks = (401, 429, 503)
    views = (class_messages.PupilView, class_messages.TeacherView)
    teacher = class_messages.TeacherView
    return [
        Endpoint(
            path="/api/class",
            handler=classes.create,
            about="Create a class and teach it",
            kind=RequestKind.CREATE,
            body=class_messages.CreateClass,
            status=201,
            gives=(class_messages.CreatedClass,),
            refuses=changes,
        ),
        Endpoint(
            path="/api/class/teach",
            handler=classes.teach,
            about="Teach the class of a link",
            kind=RequestKind.STEP,
            body=class_messages.TeachClass,
            gives=(teacher,),
            refuses=(*changes, 401),
        ),
        Endpoint(
            path="/api/class/code",
            handler=classes.enter,
            about="Check the code of a class, and get the names to choose from",
            kind=RequestKind.STEP,
            body=class_messages.EnterCode,
            gives=(class_messages.Entrance,),
            refuses=(*changes, 404, 409),
        ),
        Endpoint(
            path="/api/class/join",
            handler=classes.join,
            about="Join a class, or come back to it with another device",
            kind=RequestKind.STEP,
            body=class_messages.JoinClass,
            status=201,
            gives=(class_messages.PupilView,),
            refuses=(*changes, 404, 409),
        ),
        Endpoint(
            path="/api/class/ask",
            handler=classes.ask,
            about="Ask for something as a pupil or as the teacher of a class",
            kind=RequestKind.STEP,
            body=class_messages.ClassAsk,
            gives=views,
            refuses=(*changes, 401, 409),
        ),
        Endpoint(
            path="/api/class/remove",
            handler=classes.remove,
            about="Remove the class, its games and its results",
            kind=RequestKind.STEP,
            body=class_messages.RemoveClass,
            gives=(class_messages.Removed,),
            refuses=(*changes, 401),
        ),
        Endpoint(
            path="/api/class",
            handler=classes.view,
            about="Read the class as this device sees it",
            gives=views,
            refuses=looks,
        ),
        Endpoint(
            path="/api/class/events",
            handler=classes.stream,
            is_endless=True,
            about="Follow the class, and the own table (server-sent events)",
            gives=(*views, messages.Message, class_messages.BoardUpdate),
            refuses=looks,
        ),
        Endpoint(
            path="/api/class/network",
            handler=classes.network,
            about="List the addresses to join at (teacher)",
            gives=(class_messages.Network,),
            refuses=(*looks, 403),
        ),
        Endpoint(
            path="/api/class/plan",
            handler=classes.plan,
            about="Get a plan of who plays whom (teacher)",
            kind=RequestKind.THINK,
            query=("who",),
            gives=(class_messages.SeatingPlan,),
            refuses=(*looks, 400, 403),
        ),
        Endpoint(
            path="/api/class/advice",
            handler=classes.advice,
            about="Get advice about a game for a round (teacher)",
            kind=RequestKind.THINK,
            query=ADVISED,
            required=("game",),
            gives=(class_messages.RoundAdvice,),
            refuses=(*looks, 400, 403, 422),
        ),
        Endpoint(
            path="/api/class/games",
            handler=classes.games,
            about="List the games of the class (teacher)",
            kind=RequestKind.THINK,
            gives=(class_messages.ClassGames,),
            refuses=(*looks, 403),
        ),
        Endpoint(
            path="/api/class/results",
            handler=classes.results,
            about="Read the results of the class (teacher); as=csv for a file",
            kind=RequestKind.THINK,
            query=("as",),
            gives=(class_messages.ClassResults,),
            refuses=(*looks, 400, 403),
        ),
    ]


async def _choices(request: Request) -> Response:
    """Respond compressed: on a slow network the first game waits for it."""
    return compress(answer(analysis.choices()), request)


def _asking(
    pool: Pool, question: Callable[..., Struct], names: tuple[str, ...]
) -> Handler:
    """Return a handler that calls ``question`` with the query's parameters."""

    async def handler(request: Request) -> Response:
        query = read_query(request, names)
        return answer(await pool(lambda: question(**query)))

    return handler


# OpenAPI

Json = dict[str, object]

_REFERENCES = "#/components/schemas/{name}"
_ABOUT_STATUS = {
    400: "Malformed request, or unknown host.",
    401: "No seat secret, or a wrong one.",
    403: "Foreign origin, or help that was not agreed on.",
    404: "There is no such thing.",
    408: "The request took too long to arrive.",
    409: "Out of date or out of turn; carries the current match.",
    410: "The match is damaged.",
    413: "The request is too large.",
    415: "The request is not JSON.",
    422: "The rules do not allow it.",
    429: "Too many requests.",
    503: "Cannot be saved or computed right now; send the same request again.",
}

_ABOUT_QUERY = {
    "who": "pair, same (the same partners) or level (everybody against a level).",
    "after": "The number of the last command or answer that the client has.",
    "as": "log for the commands themselves; by default, the state.",
    "game": "The key of a game, or a part of it that matches only one.",
    "level": "The difficulty of the puzzle, 1 to 5; by default 2.",
    "match_number": "The number of the match among rematches; by default any.",
    "multipliers": "Such as 2-9 or 2,3,5; by default the game's own.",
    "number": "The number of the game in the match; by default the last that ended.",
    "seed": "The same seed gives the same result.",
    "start": "The total at the start; by default the game's own.",
    "target": "A whole number; by default the game's own.",
    "total": "The total of the position; by default the start.",
}


def describe(calls: Collection[Endpoint]) -> Json:
    """Return the OpenAPI 3.1 description of endpoints."""
    shapes: list[type[Struct]] = [messages.Refusal]
    for call in calls:
        shapes += [*call.gives, *([call.body] if call.body else [])]
    shapes = list(dict.fromkeys(shapes))
    found, parts = schemas(shapes, _REFERENCES)
    named = dict(zip(shapes, found, strict=True))
    paths: dict[str, Json] = {}
    for call in calls:
        method = call.method.lower()
        paths.setdefault(call.path, {})[method] = _describe(call, method, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": "ninefold", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": _shorten(parts),
            "securitySchemes": {
                "secret": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "learner": {"type": "apiKey", "in": "cookie", "name": LEARNER_COOKIE},
                "device": {"type": "apiKey", "in": "cookie", "name": CLASS_COOKIE},
            },
        },
    }


def _shorten(schema: object) -> object:
    """Cut descriptions to their first paragraph; the rest is for Python."""
    match schema:
        case list():
            return [_shorten(each) for each in schema]
        case {"description": str(text), **others}:
            first, _, _ = text.partition("\n\n")
            shortened = {key: _shorten(each) for key, each in others.items()}
            return {"description": " ".join(first.split()), **shortened}
        case dict():
            return {key: _shorten(each) for key, each in schema.items()}
    return schema


def _describe(call: Endpoint, method: str, named: Mapping[type[Struct], Json]) -> Json:
    kind = "text/event-stream" if call.is_endless else "application/json"
    given = [named[shape] for shape in call.gives]
    schema: Json = given[0] if len(given) == 1 else {"anyOf": given}
    if call.is_endless:
        # OpenAPI 3.1 cannot describe one event of a stream.
        schema = {"description": "Server-sent events; the data of each is a Message."}
    answers: Json = {
        str(call.status): {
            "description": call.about,
            "content": {kind: {"schema": schema}},
        }
    }
    refuses = {BAD_FORM, *call.refuses}  # every endpoint refuses unknown hosts
    if _OF_A_MATCH in call.path or call.path.startswith(_OF_CLASSES):
        refuses.add(GONE)  # any match or class may be damaged
    for status in sorted(refuses):
        answers[str(status)] = {
            "description": _ABOUT_STATUS[status],
            "content": {"application/json": {"schema": named[messages.Refusal]}},
        }
    described: Json = {
        "summary": call.about,
        "operationId": re.sub(r"\W+", "_", f"{method}{call.path}").strip("_"),
        "parameters": [
            *_path_parameters(call),
            *(_query_parameter(name, call) for name in call.query),
        ],
        "responses": answers,
        "security": _security(call),
    }
    if call.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": named[call.body]}},
        }
    return described


def _security(call: Endpoint) -> list[Json]:
    """Return the accepted proofs of a seat; watching needs none.

    A learner gets a cookie with the first answer.
    """
    if call.is_of_learner:
        return [{"learner": []}, {}]
    if NO_SEAT not in call.refuses:
        return []
    if call.path.startswith(_OF_CLASSES):
        return [{"device": []}]
    proofs: list[Json] = [{"secret": []}, {"cookie": []}]
    return proofs if call.body is not None else [*proofs, {}]


def _path_parameters(call: Endpoint) -> list[Json]:
    schema = msgspec.json.schema(messages.MatchId)
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name in re.findall(r"{(\w+)}", call.path)
    ]


def _query_parameter(name: str, call: Endpoint) -> Json:
    return {
        "name": name,
        "in": "query",
        "required": name in call.required,
        "description": _ABOUT_QUERY[name],
        "schema": {"type": "string"},
    }
