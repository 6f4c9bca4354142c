"""The endpoints of learners, whom the page identifies by a secret cookie.

The id of a learner is a digest of the secret, so that a copy of the database gives no
access to a learner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256, shake_256
from random import Random
from secrets import token_urlsafe

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from ninefold.errors import NinefoldError
from ninefold.learning import (
    Activity,
    Answer,
    Fact,
    Item,
    Walk,
    mastery,
    path_steps,
    practice,
    read_puzzle,
)
from ninefold.learning.claims import claim, play_out
from ninefold.learning.walk import LEARNER
from ninefold.notation import is_record
from ninefold.online import messages
from ninefold.playing.page_walk import Replay, Shown, show_puzzle
from ninefold.playing.state import State
from ninefold.rules import Ending, Rules
from ninefold.server import analysis
from ninefold.server.commit_queue import Writer
from ninefold.server.match_endpoints import Committed, Matches
from ninefold.server.qr_codes import draw_qr
from ninefold.server.requests import read_body, read_number, read_query
from ninefold.server.responses import (
    NOT_FOUND,
    HttpRefusal,
    answer,
    request_id_reused,
    set_secret,
)
from ninefold.server.seats import Token
from ninefold.server.thread_pool import Pool
from ninefold.session import Answered, Moved, Setup, clean_name
from ninefold.store import DEFAULT_LEARNER, GameRow, Store
from ninefold.views.number_line import LineView, number_line
from ninefold.views.practice import (
    format_improvement,
    name_card,
    name_cards,
)
from ninefold.views.progress import (
    MEANINGS,
    GamesView,
    Played,
    ProgressView,
    digest,
    find_played,
    format_games,
)

COOKIE = "ninefold-learner"
MOST_ANSWERS = 5_000
"""The most stored answers of one learner; later ones are judged, but not stored."""
PUZZLE_QUERY = ("level", "seed", "game")
_PATH = "/api"
_SURFACE = "page"
_HELP = "?"
_FIRST_MOVES = (1, 2)
"""The numbers that the first move of a seat can have in a game."""
_SECRET_BYTES = 32
_TRANSFER_LIFETIME = timedelta(minutes=10)


class Learners:
    """Handles the endpoints of learners, which ``endpoints`` describes."""

    def __init__(
        self,
        writer: Writer,
        pool: Pool,
        matches: Matches,
        clock: Callable[[], datetime],
    ) -> None:
        self._writer = writer
        self._pool = pool
        self._matches = matches
        self._clock = clock

    async def _answers(self, request: Request) -> list[Answer]:
        learner = _id_of(_secret_of(request))
        return await self._writer.query(lambda store: store.answers(learner))

    async def _store(
        self, request: Request, response: Response, work: Callable[[Store, str], None]
    ) -> bool:
        """Change a learner's data; create a learner for a request without a secret.

        For an unknown secret, delete its cookie, store nothing and return False: it was
        made up, or its learner was removed.
        """
        sent = _secret_of(request)
        secret = sent or token_urlsafe(_SECRET_BYTES)
        learner = _id_of(secret)

        def change(store: Store) -> bool:
            is_known = not sent or store.has_learner(learner)
            if is_known:
                work(store, learner)
            return is_known

        is_known = await self._writer.query(change)
        if is_known:
            address = self._matches.address(request)
            set_secret(response, COOKIE, secret, path=_PATH, address=address)
        else:
            response.delete_cookie(COOKIE, _PATH)
        return is_known

    # Practice

    async def drill(self, request: Request) -> Response:
        answers, now = await self._answers(request), self._clock()
        chance = Random(request.query_params.get("seed"))
        items = await self._pool(lambda: practice.drill(answers, now, chance))
        return answer(_round(items, answers))

    async def of_a_game(self, request: Request) -> Response:
        session, seat = await self._matches.last_ended(request)
        answers, book = await self._answers(request), session.setup.book
        items = await self._pool(
            lambda: practice.practise_game(session.game, seat, book, _known(answers))
        )
        return answer(_round(items, answers))

    async def enter(self, request: Request) -> Response:
        body = await read_body(request, messages.PracticeEntry)
        answers = await self._answers(request) if _HELP in body.entries else ()

        def go_on() -> tuple[Replay, messages.WalkView]:
            item = practice.read_item(body.item, _known(answers))
            at = Replay(Walk.of([item]), body.entries)
            view = _walk_view(at)
            if at.right and is_record(item.key):
                solved = show_puzzle(read_puzzle(item.key), solved=True)
                view = replace(view, shown=(*view.shown, solved))
            return at, view

        at, view = await self._pool(go_on)
        activity = Activity.PUZZLE if is_record(body.item) else Activity.DRILL
        return await self._record(request, body, activity, at, view)

    async def _record(
        self,
        request: Request,
        body: messages.PracticeEntry | messages.StepEntry,
        activity: Activity,
        at: Replay,
        view: messages.WalkView,
    ) -> Response:
        """Store the answers to the last entry; respond with the view."""
        response = answer(view)
        given = [
            Answer(
                item=each.item.key,
                given=each.given,
                right=bool(each.right),
                at=self._clock(),
                activity=activity,
                seconds=body.seconds,
                hinted=each.hinted,
                surface=_SURFACE,
            )
            for each in at.answers
        ]
        sent = msgspec.json.encode(body)

        def add(store: Store, learner: str) -> None:
            if not _add_answers(store, learner, body.request_id, sent, given):
                raise request_id_reused()

        if given or _secret_of(request):
            await self._store(request, response, add)
        return response

    async def puzzle(self, request: Request) -> Response:
        query, now = read_query(request, PUZZLE_QUERY), self._clock()
        answers, games = list[Answer](), list[GameRow]()
        if query["seed"] is None:
            learner, answers = _id_of(_secret_of(request)), await self._answers(request)
            games = await self._writer.query(lambda store: store.games_of(learner))
        return answer(
            await self._pool(
                lambda: analysis.puzzle(**query, games=games, answers=answers, at=now)
            )
        )

    async def record(self, committed: Committed) -> None:
        """Store the product that a seat entered as an answer of its learner.

        The first move against a level also stores the match as the learner's. Programs
        store their own answers at home, and two people at one screen have no learner.
        """
        request, snapshot = committed.request, committed.snapshot
        session = snapshot.session
        if "authorization" in request.headers or session.is_shared:
            return
        is_first = session.setup.has_level and len(session.game.moves) in _FIRST_MOVES
        begins = is_first and any(isinstance(each, Moved) for each in snapshot.events)
        products = [
            Answer(
                item=event.product.key,
                given=str(event.product.answer),
                right=event.product.right,
                at=self._clock(),
                activity=Activity.PLAY,
                hinted=event.product.hinted,
                surface=_SURFACE,
            )
            for event in snapshot.events
            if isinstance(event, Answered) and session.setup.lessons.mental
        ]
        if not (begins or products):
            return

        def record(store: Store, learner: str) -> None:
            if begins:
                store.add_match(learner, snapshot.id)
            known = f"{snapshot.id}/{committed.request_id}"
            _add_answers(store, learner, known, b"", products)

        with suppress(NinefoldError):  # the move itself is committed
            await self._store(request, committed.response, record)

    # The path and claims

    async def path(self, request: Request) -> Response:
        done = {each.item for each in await self._answers(request)}
        chapters = tuple(
            messages.PathChapter(
                chapter.key,
                chapter.title,
                chapter.aim(path_steps.FIRST_TARGET),
                tuple(
                    messages.PathStep(
                        path_steps.step_title(chapter.key, step),
                        path_steps.step_key(chapter.key, step) in done,
                    )
                    for step in range(1, len(path_steps.STEPS) + 1)
                ),
            )
            for chapter in path_steps.CHAPTERS.values()
        )
        following = path_steps.next_step(sorted(done)) or (None, None)
        return answer(messages.PathView(chapters, *following))

    async def step(self, request: Request) -> Response:
        body = await read_body(request, messages.StepEntry)
        chapter, step = path_steps.CHAPTERS[body.chapter], body.step
        like = Setup(rules=chapter.rules(path_steps.FIRST_TARGET), book=chapter.book)

        def go_on() -> tuple[Replay, messages.WalkView]:
            at = Replay(
                path_steps.walk(chapter.key, step), body.entries, like, body.seed
            )
            return at, _walk_view(at, chapter.ending)

        at, view = await self._pool(go_on)
        return await self._record(request, body, Activity.PATH, at, view)

    async def claim(self, request: Request) -> Response:
        body = await read_body(request, messages.ClaimEntry)

        def play() -> messages.WalkView:
            book, at = analysis.position(
                body.game, body.target, body.multipliers, body.start, body.total
            )
            claimed = claim(at.rules, at.total, lost=body.lost)
            like = Setup(rules=at.rules, book=book)
            reached = Replay(Walk(play_out(claimed)), body.entries, like, body.seed)
            return _walk_view(reached)

        return answer(await self._pool(play))

    # Progress

    async def progress(self, request: Request) -> Response:
        learner, after = _id_of(_secret_of(request)), read_number(request, "after")
        known = await self._writer.query(lambda store: _Known.read(store, learner))
        return answer(await self._pool(lambda: self._view(known, after)))

    async def update(self, request: Request) -> Response:
        body = await read_body(request, messages.UpdateLearner)
        secret = _secret_of(request)
        if body.name is None:
            learner = _id_of(secret)
            await self._writer.query(lambda store: store.remove_learner(learner))
            return self._nobody()
        name, learner = clean_name(body.name), _id_of(secret)
        known = await self._writer.query(lambda store: _Known.read(store, learner))
        named = replace(known, name=name)
        response = answer(await self._pool(lambda: self._view(named)))

        def rename(store: Store, learner: str) -> None:
            store.name_learner(learner, name)

        is_known = await self._store(request, response, rename)
        return response if is_known else self._nobody()

    async def offer_transfer(self, request: Request) -> Response:
        """Offer the learner to another device; the stored data alone opens nothing."""
        await read_body(request, messages.OfferTransfer)
        secret, code = _secret_of(request), token_urlsafe(_SECRET_BYTES)
        learner = _id_of(secret)

        def offer(store: Store) -> bool:
            is_known = store.has_learner(learner)
            if is_known:
                sealed = _pad(secret.encode(), code).hex()
                store.offer_transfer(learner, _id_of(code), sealed, _TRANSFER_LIFETIME)
            return is_known

        if not await self._writer.query(offer):
            detail = "there is no progress to move yet; answer a question first"
            raise HttpRefusal(NOT_FOUND, "no_learner", detail)
        link = f"{self._matches.address(request)}/progress#move-{code}"
        drawn = await self._pool(lambda: draw_qr(link))
        minutes = int(_TRANSFER_LIFETIME.total_seconds()) // 60
        return answer(messages.TransferOffer(link, drawn.decode(), minutes))

    async def take_transfer(self, request: Request) -> Response:
        """Set the cookie of an offered learner, once for each link."""
        body = await read_body(request, messages.TakeTransfer)
        sealed = await self._writer.query(
            lambda store: store.take_transfer(
                _id_of(body.code), body.request_id, _TRANSFER_LIFETIME
            )
        )
        if sealed is None:
            detail = (
                "this link has been used, has expired, or is incomplete; get another"
                " one on the other device"
            )
            raise HttpRefusal(NOT_FOUND, "no_transfer", detail)
        secret = _pad(bytes.fromhex(sealed), body.code).decode()
        learner = _id_of(secret)
        known = await self._writer.query(lambda store: _Known.read(store, learner))
        response = answer(await self._pool(lambda: self._view(known)))
        address = self._matches.address(request)
        set_secret(response, COOKIE, secret, path=_PATH, address=address)
        return response

    def _nobody(self) -> Response:
        """Respond with an empty view, and delete the learner's cookie."""
        response = answer(self._view(_Known()))
        response.delete_cookie(COOKIE, _PATH)
        return response

    def _view(self, known: _Known, after: int | None = None) -> messages.LearnerView:
        now, name, answers = self._clock(), known.name, known.answers
        games = GamesView.of(known.games, ())
        view = ProgressView.of(name or DEFAULT_LEARNER, answers, games, now)
        facts, shaky, puzzles, played, suggestion = digest(view)
        cards = name_cards(view.improved)
        improved = f"Improved in the last four weeks: {cards}." if cards else ""
        latest = played if games.played else improved
        return messages.LearnerView(
            name=name,
            answered=len(answers),
            facts=view.facts,
            skills=tuple(
                replace(row, name=name_card(row.name, example=True))
                for row in view.skills
            ),
            meanings={each.value: meaning for each, meaning in MEANINGS.items()},
            games=format_games(games, draws=True) if games.played else "",
            digest=tuple(filter(None, (facts, shaky, puzzles, latest, suggestion))),
            gain=""
            if after is None
            else format_improvement(practice.gain(answers[:after], answers), now),
        )


class _Known(Struct, frozen=True):
    """A learner's stored data."""

    name: str = ""
    answers: Sequence[Answer] = ()
    games: Sequence[Played] = ()
    """The games against levels, oldest first."""

    @classmethod
    def read(cls, store: Store, learner: str) -> _Known:
        found = store.learner_with_id(learner)
        return cls(
            "" if found is None else found.name,
            store.answers(learner),
            find_played(reversed(store.games_of(learner))),
        )


def _secret_of(request: Request) -> str:
    """Return the learner's secret in a request, or ""."""
    return request.cookies.get(COOKIE, "")


def _id_of(secret: str) -> str:
    """Return the id of a secret's learner; without a secret, an id that nobody has."""
    return sha256(secret.encode()).hexdigest() if secret else "-"


def _pad(text: bytes, code: str) -> bytes:
    """Encrypt or decrypt a secret with a code that is used once."""
    pad = shake_256(f"pad {code}".encode()).digest(len(text))
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))


def _add_answers(
    store: Store, learner: str, request_id: str, body: bytes, given: Sequence[Answer]
) -> bool:
    """Call ``Store.add_answers_of`` with as many answers as ``MOST_ANSWERS`` allows."""
    token = Token(None, f"{learner}/{request_id}", body)
    room = MOST_ANSWERS - store.count_answers(learner)
    return store.add_answers_of(
        learner, token.request, token.body, given[: max(room, 0)]
    )


def _known(answers: Sequence[Answer]) -> Sequence[Fact]:
    return practice.known_facts(mastery(answers))


def _round(items: Iterable[Item], answers: Sequence[Answer]) -> messages.PracticeRound:
    views = [
        _item_view(item) for item in items if len(item.key) <= messages.LONGEST_ITEM_KEY
    ]
    return messages.PracticeRound(tuple(views), len(answers))


def _item_view(item: Item) -> messages.ItemView:
    return messages.ItemView(item.key, item.text, item.kind, item.choices, item.target)


def _walk_view(at: Replay, ending: Ending | None = None) -> messages.WalkView:
    """Return the view of a walk, with a line of the ending's game to shade a band."""
    state, line = at.walk.state, None
    item = state.item
    if ending is not None and item is not None and item.target is not None:
        line = LineView.of(number_line(Rules(ending, item.target)))
    return messages.WalkView(
        shown=tuple(_shown(each) for each in at.shown),
        caption="" if state.play is None else state.play.caption,
        right=at.right,
        item=None if item is None else _item_view(item),
        line=line,
        is_over=state.is_over,
        is_done=state.is_done,
        closing=state.closing,
    )


def _shown(part: str | Shown) -> str | State:
    if isinstance(part, str):
        return part
    session, events = part
    return State.of("", session).seen_by(LEARNER, session, events)
