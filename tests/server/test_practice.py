"""A learner in a browser: practice, products in play, progress, and being forgotten."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from ninefold import Ending
from ninefold.learning import Activity, Answer, AnswerKind, read_item, read_puzzle
from ninefold.playing.page_walk import show_puzzle
from ninefold.server.asgi import Options
from ninefold.server.learner_endpoints import MOST_ANSWERS
from ninefold.store import StoredAnswer
from ninefold.store.sqlite import SqliteStore
from tests.server.asgi import Answer as Answered
from tests.server.asgi import Json, Person, Site
from tests.servers import NOW, make_server, make_store

PUZZLE = "nf1.multiplication-madness.reach100.4"


class Browser:
    """Somebody's browser, which sends its cookies back."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies: dict[str, str] = {}

    @property
    def _headers(self) -> list[tuple[str, str]]:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return [("cookie", kept)] if kept else []

    def get(self, path: str) -> Answered:
        return self.site.get(path, self._headers)

    def post(self, path: str, body: Json) -> Answered:
        headers = [("content-type", "application/json"), *self._headers]
        answer = self.site.ask("POST", path, json.dumps(body).encode(), headers)
        for name, value in answer.headers:
            if name == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0].strip('"')
        return answer

    def names(self, name: str | None) -> Answered:
        asked: Json = {"name": name, "request_id": self.site.request_id()}
        return self.post("/api/learner", asked)

    def enters(self, item: str, *entries: str, **fields: object) -> Answered:
        asked = {"item": item, "entries": entries, "request_id": self.site.request_id()}
        return self.post("/api/practice", asked | fields)

    @property
    def progress(self) -> Json:
        return self.get("/api/learner").json

    def answered(self) -> object:
        return self.progress["answered"]

    def sits_as(self, person: Person) -> None:
        self.cookies["ninefold-seat"] = person.secret

    def moves(self, person: Person, multiplier: int) -> Answered:
        self.sits_as(person)
        ask = {"do": "move", "multiplier": multiplier}
        asked = {"ask": ask, "request_id": self.site.request_id()}
        seq = person.state["seq"]
        return self.post(f"{person.path}/log", {"seq": seq, **asked})

    def loses(self) -> Person:
        """Lose a game to perfect, from 4, where only ×2 wins."""
        seated = self.site.create(opponent="perfect", start=4)
        assert self.moves(seated, 9).status == 200
        seated.wait_for("match_over", value=True)
        return seated


@pytest.fixture
def browser(site: Site) -> Browser:
    return Browser(site)


def standing_of(progress: Json, card: str) -> object:
    facts = progress["facts"]
    assert isinstance(facts, list)
    return next(fact["standing"] for fact in facts if fact["name"] == card)


def test_the_first_answer_opens_a_learner_whose_secret_is_stored_nowhere(
    tmp_path: Path,
) -> None:
    server = make_server(
        make_store(tmp_path), options=Options(public_url="https://localhost")
    )
    with Site(server.application()) as site:
        ada = Browser(site)
        assert ada.get("/api/practice").header("set-cookie") == ""
        assert ada.get("/api/learner").header("set-cookie") == ""
        answered = ada.enters("7x8", "56", seconds=2.5)
        assert answered["shown"] == ["Right. 7 × 8 is 56."]
        assert (answered["right"], answered["is_over"]) == (True, True)
        cookie = answered.header("set-cookie")
        for attribute in ("HttpOnly", "SameSite=lax", "Secure", "Path=/api;"):
            assert attribute in cookie + ";"
        secret = ada.cookies["ninefold-learner"]
        assert re.fullmatch(r"[\w-]{43}", secret)
        site.secrets.add(secret)
        assert ada.answered() == 1
    assert secret.encode() not in b"".join(
        each.read_bytes() for each in tmp_path.iterdir()
    )
    with make_store(tmp_path) as store:
        assert store.answers() == [
            Answer(
                item="7x8",
                given="56",
                right=True,
                at=NOW,
                activity=Activity.DRILL,
                seconds=2.5,
                surface="page",
            )
        ]


def test_a_programs_first_move_against_a_level_makes_no_learner(site: Site) -> None:
    seated = site.create(opponent="perfect", start=4)
    moved = seated.move(9)
    assert (moved.status, moved.header("set-cookie")) == (200, "")


def test_a_drill_asks_twelve_items_and_says_in_the_end_what_is_firmer(
    browser: Browser,
) -> None:
    asked = browser.get("/api/practice?seed=7").json
    assert browser.get("/api/practice?seed=7").json == asked
    items = asked["items"]
    assert isinstance(items, list)
    assert len(items) == 12
    for item in items:
        hints = read_item(item["key"]).hints
        answer = re.findall(r"\d+", hints[-1].replace(",", ""))
        right = answer[1] if "?" in item["key"] else answer[-1]
        assert browser.enters(item["key"], right)["right"] is True, item
    learner = browser.get(f"/api/learner?after={asked['answered']}")
    assert str(learner["gain"]).startswith("Improved: ")
    assert "Next practice: " in str(learner["gain"])
    digest = learner["digest"]
    assert isinstance(digest, list)
    assert len(digest) == 5
    assert re.search(r"[1-9]\d* nearly known", digest[0])


def test_an_answer_that_is_sent_twice_is_stored_once(browser: Browser) -> None:
    browser.enters("7x8", "56")
    again = browser.site.request_id()
    for _ in range(2):
        assert browser.enters("6x7", "41", request_id=again)["right"] is False
    assert browser.answered() == 2
    assert standing_of(browser.progress, "6x7") == "shaky"


@pytest.mark.parametrize("other", [("6x7", "42"), ("7x8", "54"), ("7x8", "?")])
def test_a_request_id_that_stored_an_answer_is_refused_with_another_body(
    browser: Browser, other: tuple[str, str]
) -> None:
    known = browser.site.request_id()
    browser.enters("7x8", "56", request_id=known)
    refused = browser.enters(*other, request_id=known)
    assert refused.error == (409, "request_id_reused")
    assert browser.enters("7x8", "56", request_id=known)["right"] is True
    stranger = Browser(browser.site)
    assert stranger.enters(*other, request_id=known).status == 200
    assert browser.answered() == 1


def test_a_step_of_the_path_refuses_the_request_id_of_another_one(
    browser: Browser,
) -> None:
    known = browser.site.request_id()
    step_at(browser, 2, "12", request_id=known)
    assert step_at(browser, 2, "11", request_id=known)["error"] == "request_id_reused"
    assert browser.answered() == 1


@pytest.mark.parametrize("name", ["Ada", None])
def test_a_learner_is_changed_by_a_request_with_an_id_alone(
    browser: Browser, name: str | None
) -> None:
    browser.enters("7x8", "56")
    refused = browser.post("/api/learner", {"name": name})
    assert refused.error == (400, "form")
    assert (browser.progress["name"], browser.answered()) == ("", 1)


def test_resent_entries_store_each_answer_once(
    browser: Browser,
) -> None:
    entries = ["?", "many", "2", "8"]
    for sent in range(1, len(entries)):
        browser.enters("7x?56-111", *entries[:sent])
    assert browser.answered() == 1
    over = browser.enters("7x?56-111", *entries)
    assert (over["right"], over["is_over"]) == (True, True)
    assert browser.answered() == 1
    assert "hitting a range" in str(browser.progress["digest"])  # helped is shaky
    assert browser.enters("7x8", "56", "56").error == (422, "refused")


def test_a_puzzle_stands_on_a_table_and_is_played_when_it_is_solved(
    site: Site,
) -> None:
    ada = Browser(site)
    for posed in (ada.get("/api/puzzles?level=1&seed=7"), ada.get("/api/puzzles")):
        state = posed["state"]
        assert isinstance(state, dict)
        assert (state["total"], state["your_seat"]) == (
            posed["total"],
            state["to_move"],
        )
        assert {key["ends"] for key in state["keys"]} == {None}
        assert state["line"]["bands"] == []
    puzzle = read_puzzle(str(posed["key"]))
    wrong = next(
        each for each in puzzle.game.rules.multipliers if each != puzzle.answer
    )
    assert shown_in(ada.enters(puzzle.key, str(wrong)).json)[1] == []
    solved = ada.enters(puzzle.key, str(wrong), str(puzzle.answer))
    (said,), (after,) = shown_in(solved.json)
    assert said.startswith("Right.")
    assert "then the other player can" in said  # of each other move
    assert after["total"] == puzzle.game.total * puzzle.answer
    assert after["line"]["bands"]  # type: ignore[index]


@pytest.mark.parametrize("key", ["nf1.multiplier.reach100.4", "nf1.-.reach100.4"])
def test_a_puzzle_of_other_rules_than_its_rule_book_stands_on_a_table_too(
    key: str,
) -> None:
    state = show_puzzle(read_puzzle(key))
    assert state.rules.ending is Ending.REACH
    assert (state.total, state.to_move) == (4, state.your_seat)


def test_a_band_is_two_numbers(browser: Browser) -> None:
    assert read_item("band:reach 100").kind is AnswerKind.BAND
    assert browser.enters("band:reach 100", "6 to 11")["right"] is True


def test_a_name_is_given_and_forget_me_removes_everything_of_one_learner(
    site: Site,
) -> None:
    ada, other = Browser(site), Browser(site)
    for each in (ada, other):
        assert each.names(" Ada ")["name"] == "Ada"
        each.enters("7x8", "56")
    assert ada.names("Bo")["name"] == "Bo"
    assert str(ada.progress["digest"]).startswith("['Of the 36 facts, Bo has")
    assert ada.names("\u202e").status == 422
    forgotten = ada.names(None)
    assert 'ninefold-learner="";' in forgotten.header("set-cookie")
    for progress in (forgotten.json, ada.progress):
        assert (progress["name"], progress["answered"]) == ("", 0)
    assert (other.progress["name"], other.progress["answered"]) == ("Ada", 1)


def test_a_forgotten_learner_stays_forgotten_whatever_is_sent_again(
    site: Site,
) -> None:
    ada = Browser(site)
    known = site.request_id()
    ada.enters("7x8", "56", request_id=known)
    secret = ada.cookies["ninefold-learner"]
    ada.names(None)
    again: list[Callable[[], Answered]] = [
        lambda: ada.enters("7x8", "56", request_id=known),
        lambda: ada.enters("7x8", "?"),
        lambda: ada.names("Ada"),
    ]
    for send in again:
        ada.cookies["ninefold-learner"] = secret
        sent = send()
        assert sent.status == 200
        assert 'ninefold-learner="";' in sent.header("set-cookie")
        ada.cookies["ninefold-learner"] = secret
        assert (ada.progress["name"], ada.answered()) == ("", 0)
    assert sent["name"] == ""
    ada.cookies.clear()
    ada.enters("7x8", "56")
    assert ada.answered() == 1


@pytest.mark.parametrize("chosen", ["A" * 43, "short"])
def test_a_secret_that_a_browser_made_up_opens_no_learner(
    site: Site, chosen: str
) -> None:
    mallory = Browser(site)
    mallory.cookies["ninefold-learner"] = chosen
    assert mallory.enters("7x8", "56")["right"] is True
    assert mallory.cookies["ninefold-learner"] == ""
    mallory.cookies["ninefold-learner"] = chosen
    mallory.loses()
    assert mallory.cookies["ninefold-learner"] == ""
    mallory.cookies["ninefold-learner"] = chosen
    assert (mallory.progress["games"], mallory.answered()) == ("", 0)


# Moving to another device


def offer(browser: Browser) -> Json:
    offered = browser.post(
        "/api/learner/transfer", {"request_id": browser.site.request_id()}
    )
    assert offered.status == 200, offered.text
    return offered.json


def take(browser: Browser, offered: Json, request_id: str = "") -> Answered:
    _, _, code = str(offered["link"]).partition("/progress#move-")
    asked: Json = {"code": code, "request_id": request_id or browser.site.request_id()}
    return browser.post("/api/learner/transfer/take", asked)


def test_progress_moves_to_another_device_by_a_link_that_works_once(
    tmp_path: Path,
) -> None:
    server = make_server(
        make_store(tmp_path), options=Options(public_url="https://localhost")
    )
    with Site(server.application()) as site:
        phone, laptop, eve = Browser(site), Browser(site), Browser(site)
        assert phone.enters("7x8", "56").status == 200
        offered = offer(phone)
        assert str(offered["link"]).startswith("https://localhost/progress#move-")
        assert str(offered["qr"]).startswith("<?xml")
        assert offered["minutes"] == 10
        assert laptop.enters("2x3", "6").status == 200
        request_id = site.request_id()
        for _ in range(2):  # sent again, it is answered again
            assert take(laptop, offered, request_id)["answered"] == 1
        assert laptop.cookies == phone.cookies
        assert laptop.enters("6x7", "42").status == 200
        assert phone.answered() == laptop.answered() == 2
        refused = take(eve, offered)
        assert refused.error == (404, "no_transfer")
        assert "ninefold-learner" not in eve.cookies
        secret = phone.cookies["ninefold-learner"]
    stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert secret.encode() not in stored
    assert str(offered["link"])[-43:].encode() not in stored


def test_a_link_to_move_progress_is_replaced_by_the_next_and_ages() -> None:
    now = [NOW]
    store = SqliteStore(None, clock=lambda: now[0], new_id=lambda: "id")
    with Site(make_server(store).application()) as site:
        ada, bo = Browser(site), Browser(site)
        assert ada.enters("7x8", "56").status == 200
        earlier, later = offer(ada), offer(ada)
        assert take(bo, earlier).error == (404, "no_transfer")
        now[0] += timedelta(minutes=10)
        request_id = site.request_id()
        assert take(bo, later, request_id).status == 200
        now[0] += timedelta(seconds=1)
        assert take(bo, later, request_id).error == (404, "no_transfer")


@pytest.mark.parametrize("damage", ["", "x", "x" * 40, "x" * 43 + ".", "é ~"])
def test_a_damaged_link_to_move_progress_is_refused_as_a_used_one(
    site: Site, damage: str
) -> None:
    refused = take(Browser(site), {"link": f"/progress#move-{damage}"})
    assert refused.error == (404, "no_transfer")


def test_who_has_answered_nothing_has_no_progress_to_move(site: Site) -> None:
    nobody, liar = Browser(site), Browser(site)
    liar.cookies["ninefold-learner"] = "made up"
    for browser in (nobody, liar):
        asked: Json = {"request_id": site.request_id()}
        refused = browser.post("/api/learner/transfer", asked)
        assert refused.error == (404, "no_learner")


def test_products_in_a_match_are_answers_of_the_browser_s_learner(site: Site) -> None:
    lessons = {"coach": False, "hints": False, "mental": True}
    ada, bob = site.pair(lessons=lessons, target=1000)
    browser = Browser(site)
    browser.sits_as(ada)

    def play(number: int, **ask: object) -> Answered:
        asked = {"ask": {"do": "move", **ask}, "request_id": site.request_id()}
        return browser.post(f"{ada.path}/log", {"seq": number, **asked})

    assert play(2, multiplier=6).status == 200
    bob.move(7, answer=42)  # a program, which keeps its answers at home
    assert play(4, multiplier=8, answer=330).status == 200
    assert browser.answered() == 1
    assert standing_of(browser.progress, "2x8") == "new"
    assert "two digits times one" in str(browser.progress["digest"])
    assert play(4, multiplier=8, answer=336).status == 409
    assert browser.answered() == 1


def test_a_first_move_and_its_product_are_one_new_learner_s(site: Site) -> None:
    lessons = {"coach": False, "hints": False, "mental": True}
    seated = site.create(opponent="perfect", start=4, lessons=lessons)
    browser = Browser(site)
    browser.sits_as(seated)
    asked = {
        "ask": {"do": "move", "multiplier": 9, "answer": 36},
        "request_id": site.request_id(),
        "seq": seated.state["seq"],
    }
    first = browser.post(f"{seated.path}/log", asked)
    learners = [v for name, v in first.headers if "ninefold-learner" in v]
    assert len(learners) == 1
    seated.wait_for("match_over", value=True)
    assert browser.answered() == 1
    assert "0 of 1 won" in str(browser.progress["games"])
    assert browser.post(f"{seated.path}/log", asked).status == 200  # sent again
    assert browser.answered() == 1


def test_match_at_one_screen_stores_no_answers(site: Site) -> None:
    lessons = {"coach": False, "hints": False, "mental": True}
    both, browser = site.create(opponent="here", lessons=lessons), Browser(site)
    browser.sits_as(both)
    for number, ask in enumerate(({"multiplier": 6}, {"multiplier": 7, "answer": 42})):
        asked = {"ask": {"do": "move", **ask}, "request_id": site.request_id()}
        told = browser.post(f"{both.path}/log", {"seq": number, **asked})
        assert told.status == 200
    assert browser.answered() == 0


def test_a_lost_game_is_practised_by_its_slips_and_products(site: Site) -> None:
    ada, bob = site.pair()
    assert bob.get("/practice").error == (404, "no_such_game")
    ada.move(4)
    bob.move(4)
    ada.move(7)
    items = bob.get("/practice")["items"]
    assert isinstance(items, list)
    assert [item["key"] for item in items] == [PUZZLE, "4x4"]
    assert site.get(f"{ada.path}/practice").error == (401, "no_seat")


def test_of_two_at_one_place_the_one_who_lost_practises(site: Site) -> None:
    both = site.create(opponent="here")
    for multiplier in (4, 4, 7):
        both.move(multiplier)
    items = both.get("/practice")["items"]
    assert isinstance(items, list)
    assert [item["key"] for item in items] == [PUZZLE, "4x4"]


def test_a_product_that_came_with_help_is_not_known(site: Site) -> None:
    ada, bob = site.pair(lessons={"mental": True}, target=1000)
    browser = Browser(site)
    browser.sits_as(ada)
    ada.move(7)
    bob.move(2, answer=14)
    ask = {"do": "move", "multiplier": 5, "answer": 70, "helped": True}
    asked = {"seq": 4, "request_id": site.request_id(), "ask": ask}
    assert browser.post(f"{ada.path}/log", asked).status == 200
    assert browser.answered() == 1
    assert standing_of(browser.progress, "5x7") != "nearly known"


def test_games_against_a_level_are_progress_of_the_browser_that_played_them(
    site: Site,
) -> None:
    ada, other = Browser(site), Browser(site)
    other.enters("7x8", "56")
    assert ada.progress["games"] == ""
    ada.loses()
    ada.loses()
    games = str(ada.progress["games"])
    assert games.startswith("Against the computer: 0 of 2 won (0%)\n  perfect  ▁▁  ")
    assert games.endswith("\nYou gave the win away twice.\n")
    assert "You won 0 of 2 games against the computer" in str(ada.progress["digest"])
    assert other.progress["games"] == ""
    assert ada.names("Ada")["games"] == games
    assert ada.names(None)["games"] == ""
    assert ada.progress["games"] == ""


def test_a_match_is_nobody_s_progress_without_the_secret_of_its_seat(
    site: Site,
) -> None:
    ada, mallory = Browser(site), Browser(site)
    mallory.enters("7x8", "56")
    seated = site.create(opponent="perfect", start=4)
    asked = {"ask": {"do": "move", "multiplier": 9}, "request_id": site.request_id()}
    seq = seated.state["seq"]
    refused = mallory.post(f"{seated.path}/log", {"seq": seq, **asked})
    assert refused.error == (401, "no_seat")
    ada.moves(seated, 9)
    seated.wait_for("match_over", value=True)
    assert mallory.progress["games"] == ""
    assert ada.progress["games"] != ""
    program = site.create(opponent="perfect", start=4)
    program.move(9)  # a program keeps its games at home
    program.wait_for("match_over", value=True)
    assert "0 of 1 won" in str(ada.progress["games"])


def test_own_slips_are_the_first_puzzles_without_a_seed(site: Site) -> None:
    ada = Browser(site)
    ada.loses()
    own = ada.get("/api/puzzles").json
    assert (own["own_slip"], own["total"]) == (True, 4)
    assert own["origin"] == "You slipped here against perfect."
    assert ada.get("/api/puzzles?seed=1")["own_slip"] is False
    assert Browser(site).get("/api/puzzles")["own_slip"] is False
    ada.enters(str(own["key"]), "2")
    assert ada.get("/api/puzzles")["own_slip"] is False


@pytest.mark.prove
def test_the_answers_of_one_learner_are_bounded_and_practice_goes_on(
    tmp_path: Path,
) -> None:
    with Site(make_server(make_store(tmp_path)).application()) as site:
        keen = Browser(site)
        keen.enters("7x8", "56")
    with make_store(tmp_path) as store:
        (first,) = [each for each in store.entries() if isinstance(each, StoredAnswer)]
        store.import_entries(
            replace(first, id=str(number)) for number in range(1, MOST_ANSWERS)
        )
    with Site(make_server(make_store(tmp_path)).application()) as site:
        keen.site = site
        assert keen.answered() == MOST_ANSWERS
        assert keen.enters("7x8", "56")["right"] is True
        assert keen.answered() == MOST_ANSWERS


# The path and claims


def step_at(browser: Browser, step: int, *entries: str, **fields: object) -> Json:
    asked = {
        "chapter": "reach",
        "step": step,
        "entries": entries,
        "request_id": browser.site.request_id(),
    }
    return browser.post("/api/path", asked | fields).json


def shown_in(at: Json) -> tuple[list[str], list[Json]]:
    """Return what is said at a place of a walk, and the games that are shown."""
    shown = cast("list[str | Json]", at["shown"])
    said = [each for each in shown if isinstance(each, str)]
    return said, [each for each in shown if not isinstance(each, str)]


def test_a_step_is_walked_by_sending_everything_that_was_entered(
    browser: Browser,
) -> None:
    begun = step_at(browser, 2)
    assert begun["item"]["text"].startswith("With target 100")  # type: ignore[index]
    assert step_at(browser, 2, "?", "11", "12")["right"]
    over = step_at(browser, 2, "?", "11", "12", "56")
    assert (over["is_over"], over["is_done"]) == (True, True)
    assert over["closing"] == "Step 2 is done."
    path = browser.get("/api/path").json
    assert (path["next_chapter"], path["next_step"]) == ("reach", 1)
    steps = path["chapters"][0]["steps"]  # type: ignore[index]
    assert [each["is_done"] for each in steps[:3]] == [False, True, False]


def test_a_game_of_the_path_shows_each_move_and_then_the_next_game(
    browser: Browser,
) -> None:
    begun = step_at(browser, 3, "8")
    assert begun["caption"] == "Game 1 of 3"
    said, (game,) = shown_in(begun)
    assert said[-1].startswith("Prove it: win from 8. Perfect starts")
    assert (game["total"], game["your_seat"], game["to_move"]) == (16, 1, 1)
    assert game["said"] == "Perfect plays ×2: 8 × 2 makes 16."
    went_on = step_at(browser, 3, "8", "9")
    _, (ended, game) = shown_in(went_on)
    assert ended["outcome"]["winner"] == 1  # type: ignore[index]
    assert game["total"] == 24
    assert went_on["caption"] == "Game 2 of 3"
    over = step_at(browser, 3, "8", "9", "9", "9")
    assert shown_in(over)[0] == ["Proved: 8 is lost. You won all three games."]
    assert (over["is_done"], over["caption"]) == (True, "")


def test_texts_before_a_game_are_shown_before_it(browser: Browser) -> None:
    asked = {"game": "madness", "total": "12", "lost": True, "entries": []}
    answer = browser.post("/api/claim", asked).json
    (challenge, refuted), games = shown_in(answer)
    assert answer["shown"] == [challenge, *games, refuted]
    assert challenge.startswith("You say 12 is lost:")
    assert [game["total"] for game in games] == [12, 108]
    assert refuted.startswith("False: 12 is won.")


def test_a_game_that_is_given_up_before_any_move_is_asked_about_too(
    browser: Browser,
) -> None:
    given_up = step_at(browser, 1, "resign", "resign", "resign")
    assert given_up["item"]["choices"] == ["1"]  # type: ignore[index]


def test_a_band_comes_with_a_line_to_shade(browser: Browser) -> None:
    asked = step_at(browser, 7)
    assert asked["item"]["kind"] == "band"  # type: ignore[index]
    assert asked["line"]["bands"] == []  # type: ignore[index]


def test_the_same_seed_plays_the_same_game_and_a_repeated_answer_counts_once(
    browser: Browser,
) -> None:
    fields = {"seed": 7, "request_id": browser.site.request_id()}
    assert step_at(browser, 1, "2", **fields) == step_at(browser, 1, "2", **fields)
    for _ in range(2):
        step_at(browser, 2, "12", **fields)
    assert browser.answered() == 1


def test_a_step_that_is_left_in_the_middle_keeps_its_answers(browser: Browser) -> None:
    step_at(browser, 2, "12")
    assert browser.answered() == 1


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (["9", "9", "9"], "Proved: 8 is lost. You won all three games."),
        (["2"], "True, but you slipped at 16: there you win with ×7 to ×9."),
        (["resign"], "True, but you gave up a game."),
    ],
)
def test_a_claim_is_played_out_and_stores_nothing(
    browser: Browser, entries: list[str], said: str
) -> None:
    asked = {"game": "madness", "total": "8", "lost": True, "entries": entries}
    answer = browser.post("/api/claim", asked)
    assert answer.json["shown"][-1] == said  # type: ignore[index]
    assert answer.json["is_over"]
    assert browser.answered() == 0


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"total": "11"}, "11 is not a position in this game"),
        ({"total": "eight"}, "eight"),
        ({"target": "1e9"}, "1e9"),
        ({"entries": ["12"]}, "12"),
        ({"entries": ["nine"]}, "nine"),
        ({"entries": ["9"] * 4}, "this is over; start it again"),
        ({"game": "chess"}, "chess"),
    ],
)
def test_a_claim_that_cannot_be_played_is_refused_in_a_sentence(
    browser: Browser, fields: Json, said: str
) -> None:
    asked: Json = {"game": "madness", "total": "8", "lost": True, "entries": []}
    answer = browser.post("/api/claim", asked | fields)
    assert answer.status in (404, 422)
    assert said in str(answer.json["detail"])
