"""Every call of the protocol: what it answers, and each refusal by status and code."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Sequence
from html import unescape
from itertools import combinations
from math import prod

import pytest
from msgspec.structs import asdict

from ninefold.coach import TOO_FAR
from ninefold.rulebooks import KEYS, load
from ninefold.server.rate_limits import DEFAULT_RATES, RateLimits, RequestKind
from ninefold.session import Lessons
from ninefold.store import StoredMatch
from ninefold.store.sqlite import SqliteStore
from tests.program import WAIT_SECONDS, run
from tests.server.asgi import Answer, Json, Person, Site, play
from tests.servers import NOW, make_server

ALL_LESSONS = {"coach": True, "hints": True, "mental": True}
DUEL, MADNESS = "multiplication-duel", "multiplication-madness"


def list_of(state: Json, key: str) -> list[Json]:
    found = state[key]
    assert isinstance(found, list)
    return found


def without(state: Json, *keys: str) -> Json:
    return {key: value for key, value in state.items() if key not in keys}


# Made


def test_whoever_makes_a_match_sits_in_seat_1(site: Site) -> None:
    made = site.post(
        "/api/matches", {"game": MADNESS, "opponent": "friend", "name": "Ada"}
    )
    assert made.status == 201
    state = made.json
    assert state["your_seat"] == 1
    assert state["seq"] == 1
    assert state["seats"] == [
        {"name": "Ada", "kind": "human", "taken": True},
        {"name": "Player 2", "kind": "human", "taken": False},
    ]
    assert state["title"] == "Multiplication Madness"
    assert state["aim"] == "Reach 100 or more to win."
    assert state["length"] == {"count": "best of", "number": 1}
    assert state["said"] == "Ada has joined."
    assert state["link"] == f"http://localhost/m/{state['id']}"
    assert len(str(state["secret"])) == 43
    assert made.header("cache-control") == "no-store"


def test_match_can_have_custom_rules(site: Site) -> None:
    made = site.create(game=DUEL, target=144, multipliers=[2, 3, "4"], start=2).state
    rules = {"ending": "exact", "target": 144, "multipliers": [2, 3, 4], "start": 2}
    assert made["rules"] == rules
    assert made["total"] == 2
    long = "1" + "0" * 20
    assert site.create(target=long).state["rules"] == {
        "ending": "reach",
        "target": long,
        "multipliers": [2, 3, 4, 5, 6, 7, 8, 9],
        "start": 1,
    }


@pytest.mark.parametrize(
    "length",
    [
        {"count": "best of", "number": 3},
        {"count": "first to", "number": 2},
        {"count": "games", "number": 4},
    ],
)
def test_a_match_has_the_length_that_was_asked_for(site: Site, length: Json) -> None:
    assert site.create(length=length).state["length"] == length


@pytest.mark.parametrize("level", ["beginner", "careful", "planner", "expert"])
def test_a_level_sits_in_seat_2_at_once(site: Site, level: str) -> None:
    seats = site.create(opponent=level).state["seats"]
    assert isinstance(seats, list)
    assert seats[1] == {"name": level.title(), "kind": level, "taken": True}


def test_two_at_one_place_have_one_secret_for_both_seats(site: Site) -> None:
    here = site.create(
        game="multiplier-showdown", opponent="here", other_name="Bo", target=20
    )
    seats = [(seat["name"], seat["taken"]) for seat in list_of(here.state, "seats")]
    assert seats == [("Ada", True), ("Bo", True)]
    assert (here.state["your_seat"], here.state["is_shared"]) == (1, True)
    moved = here.move(5).json
    assert (moved["your_seat"], moved["said"]) == (2, "Ada plays ×5: 1 × 5 makes 5.")
    back = here.ask("take-back").json
    assert (back["total"], back["takeback"], back["to_move"]) == (1, None, 1)
    here.move(4)
    ended = here.move(9).json
    assert ended["outcome"] == {"winner": 2, "reason": "reached"}
    assert here.ask("rematch").json["to_move"] == 2
    given_up = here.ask("resign").json
    assert given_up["outcome"] == {"winner": 1, "reason": "resigned"}
    log = here.get("/log").json
    assert list_of(log, "log")[0]["command"] == {"do": "move", "multiplier": 5}


def test_a_match_at_one_place_is_watched_and_has_no_free_seat(site: Site) -> None:
    here = site.create(opponent="here")
    watched = site.get(here.path).json
    assert (watched["your_seat"], watched["may"], watched["seq"]) == (None, [], 0)
    sits = site.post(f"{here.path}/seat", {"name": "Eve"})
    assert sits.error == (409, "seat_taken")
    body = {"seq": 0, "ask": {"do": "move", "multiplier": 5}}
    assert site.post(f"{here.path}/log", body).error == (401, "no_seat")


def test_a_match_at_one_place_is_made_once(site: Site) -> None:
    body: Json = {
        "game": DUEL,
        "opponent": "here",
        "name": "Ada",
        "request_id": site.request_id(),
    }
    made = site.post("/api/matches", body)
    again = site.post("/api/matches", body)
    assert (made.status, again.status) == (201, 201)
    assert again.json == made.json
    other = site.post("/api/matches", body | {"name": "Eve"})
    assert other.error == (409, "request_id_reused")
    Person(site, made).move(2)
    assert site.post("/api/matches", body).json == made.json


def test_who_shares_a_screen_is_called_by_name(site: Site) -> None:
    lessons = {"coach": True, "hints": True, "mental": False}
    here = site.create(
        game=MADNESS, opponent="here", other_name="Bo", lessons=lessons, target=1000
    )
    asked = here.move(7)
    assert asked.error == (422, "question")
    assert str(asked["detail"]).startswith("Ada, that gives the win away.")
    back, stays = list_of(asked["question"], "answers")  # type: ignore[arg-type]
    assert str(back["says"]).startswith("×7 makes 7. Then the other player can leave")
    assert stays["says"] == ""
    slipped = here.move(7, despite_coach=True).json
    assert slipped["coach"] == "Bo, Ada slipped. You can win from here."
    assert str(here.get("/why")["why"]).startswith("×9 leaves 63.")


def test_a_game_is_tried_again_from_some_of_its_moves(site: Site) -> None:
    again = site.create(opponent="careful", moves=[5, 3])
    state = again.state
    assert (state["moves"], state["to_move"]) == ([5, 3], 1)
    assert state["said"] == "Another try from here."
    alone = site.create(opponent="here", moves=[5]).state
    assert (alone["moves"], alone["your_seat"]) == ([5], 2)


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"opponent": "friend", "moves": [2]}, "a level, or 'here'"),
        ({"opponent": "here", "moves": [9, 9, 9]}, "before the end of the game"),
        ({"opponent": "here", "moves": [11]}, "11"),
        ({"opponent": "careful", "other_name": "Bo"}, "leave it out"),
        (
            {"opponent": "here", "other_name": "Ada"},
            "the other player is called Ada too",
        ),
    ],
)
def test_fields_that_do_not_fit_the_opponent_are_refused(
    site: Site, fields: Json, refusal: str
) -> None:
    made = site.post("/api/matches", {"game": MADNESS, "name": "Ada"} | fields)
    assert made.status in (400, 409, 422)
    assert refusal in str(made["detail"])


def test_the_other_seat_may_begin_or_a_toss_decides(site: Site) -> None:
    assert site.create(first=2).state["first"] == 2
    tossed = {str(site.create(first="toss").state["first"]) for _ in range(40)}
    assert tossed == {"1", "2"}


def test_the_loser_starts_the_next_game_where_that_was_agreed(site: Site) -> None:
    people = site.pair(
        length={"count": "best of", "number": 3}, starts="loser", game=DUEL
    )
    people[1].ask("resign")
    assert people[0].ask("next-game")["first"] == 2


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"game": "chess"}, 422, "refused"),
        ({"game": None}, 400, "form"),
        ({"target": [9]}, 400, "form"),
        ({"multipliers": [2, "x"]}, 400, "form"),
        ({"length": {}}, 400, "form"),
        ({"length": {"count": "best of", "number": 3, "games": 2}}, 400, "form"),
        ({"first": 3}, 400, "form"),
        ({"first": "me"}, 400, "form"),
        ({"starts": "never"}, 400, "form"),
        ({"opponent": 7}, 400, "form"),
        ({"lessons": {"coach": "yes"}}, 400, "form"),
        ({"lessons": {"tutor": True}}, 400, "form"),
        ({"lessons": {"give_backs": -1}}, 400, "form"),
        ({"player": "expert"}, 400, "form"),
        ({"book_text": "title = 5"}, 400, "form"),
        ({"request_id": "short"}, 400, "form"),
        ({"request_id": "x" * 65}, 400, "form"),
        ({"request_id": "sixteen letters!"}, 400, "form"),
        ({"clock": 5}, 400, "form"),
    ],
)
def test_invalid_match_is_refused(
    site: Site, fields: Json, status: int, code: str
) -> None:
    usual: Json = {"game": MADNESS, "opponent": "friend", "name": "Ada"}
    refused = site.post("/api/matches", usual | fields)
    assert refused.error == (status, code)
    assert refused["detail"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"target": "ten"}, "target"),
        ({"length": {"count": "best of", "number": "x"}}, "length"),
        ({"opponent": "here", "other_name": "Ada"}, "other_name"),
        ({"opponent": "friend", "moves": [2]}, "moves"),
    ],
)
def test_a_refusal_names_the_field_that_prevents_a_match(
    site: Site, fields: Json, field: str
) -> None:
    usual: Json = {"game": MADNESS, "opponent": "friend", "name": "Ada"}
    refused = site.post("/api/matches", usual | fields)
    assert refused.error == (422, "refused")
    assert refused["field"] == field
    assert "field" not in site.get(f"/api/matches/{'x' * 22}").json


def test_numbers_may_be_sent_as_people_type_them(site: Site) -> None:
    length = {"count": "first to", "number": " 2 "}
    made = site.create(target="1,000", multipliers="2-4, 9", start=" 2", length=length)
    state = made.state
    multipliers = [2, 3, 4, 9]
    assert state["rules"] == {
        "ending": "reach",
        "target": 1000,
        "multipliers": multipliers,
        "start": 2,
    }
    assert state["length"] == {"count": "first to", "number": 2}


def test_what_is_missing_is_named(site: Site) -> None:
    refused = site.post("/api/matches", {"opponent": "friend", "name": "Ada"})
    assert refused.error == (400, "form")
    assert refused["detail"] == "game: this key is missing"


# Joined


def test_a_friend_takes_the_seat_that_is_free(site: Site) -> None:
    ada = site.create()
    assert ada.ask("move", multiplier=5).error == (409, "seat_empty")
    bob = ada.let_in("Bob")
    assert bob.seated["your_seat"] == 2
    assert bob.seated["said"] == "Bob has joined."
    assert bob.secret != ada.secret
    assert bob.seated["link"] == ada.seated["link"]
    assert ada.move(5)["total"] == 5


def test_a_seat_is_taken_once(site: Site) -> None:
    ada, _ = site.pair()
    refused = site.post(f"{ada.path}/seat", {"name": "Eve"})
    assert refused.error == (409, "seat_taken")
    state = refused["state"]
    assert isinstance(state, dict)
    assert state["your_seat"] is None


def test_two_people_have_two_names(site: Site) -> None:
    ada = site.create()
    refused = site.post(f"{ada.path}/seat", {"name": "Ada"})
    assert refused.error == (422, "refused")
    assert site.post(f"{ada.path}/seat", {"name": "\u202e"}).error == (422, "refused")


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (None, Lessons(coach=True, give_backs=2)),
        ({}, Lessons(give_backs=2)),
        ({"coach": True}, Lessons(coach=True, give_backs=2)),
        ({"hints": False}, Lessons(give_backs=2, hints=False)),
        ({"give_backs": 1}, Lessons(give_backs=1)),
        (ALL_LESSONS, Lessons(coach=True, give_backs=2)),
    ],
)
def test_the_lessons_that_both_want_hold(
    site: Site, wanted: Json | None, holds: Lessons
) -> None:
    ada = site.create(lessons={"coach": True, "give_backs": 2})
    fields: Json = {} if wanted is None else {"lessons": wanted}
    assert ada.let_in("Bob", **fields).seated["lessons"] == asdict(holds)


def test_lessons_have_the_same_defaults_as_local_games(site: Site) -> None:
    assert site.create().state["lessons"] == asdict(Lessons())


# Played


def test_moves_are_played_by_turns_to_the_end(site: Site) -> None:
    ada, bob = site.pair()
    moved = ada.move(9)
    assert moved.status == 200
    assert moved["moves"] == [9]
    assert moved["product"] == "1 × 9 = 9"
    assert moved["to_move"] == 2
    bob.move(9)
    won = ada.move(9)
    assert won["total"] == 729
    assert won["outcome"] == {"winner": 1, "reason": "reached"}
    assert won["to_move"] is None
    assert won["match_over"] is True
    assert won["match_winner"] == 1
    assert won["score"] == [1, 0]
    assert won["keys"] == []


@pytest.mark.parametrize("multiplier", [1, 10, 0, -3, "12", "9" * 30])
def test_an_illegal_move_is_refused_with_the_legal_ones(
    site: Site, multiplier: object
) -> None:
    ada, _ = site.pair()
    refused = ada.move(multiplier)
    assert refused.error == (422, "illegal_move")
    assert refused["multipliers"] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert "choose one of 2-9" in str(refused["detail"])


@pytest.mark.parametrize(
    "fields",
    [
        {"multiplier": True},
        {"multiplier": None},
        {"multiplier": [5]},
        {"multiplier": 5, "seq": -1},
        {"multiplier": 5, "seq": 10**9},
        {"multiplier": 5, "seq": "three"},
        {"multiplier": 5, "accepts_loss": "yes"},
    ],
)
def test_malformed_move_is_refused(site: Site, fields: Json) -> None:
    ada, _ = site.pair()
    assert ada.ask("move", **fields).error == (400, "form")


def test_in_mental_arithmetic_no_key_gives_its_product_away(site: Site) -> None:
    ada, bob = site.pair(lessons={"mental": True})
    assert ada.move(7).status == 200  # 1 × 7 is no question
    keys = list_of(bob.state, "keys")
    told = {(key["makes"], key["place"], key["ends"]) for key in keys}
    assert told == {(None, None, None)}


# The coach


def test_the_coach_speaks_to_the_seat_to_move_alone(site: Site) -> None:
    ada, bob = site.pair(game=DUEL, lessons={"coach": True})
    asked = ada.move(2)
    assert asked.error == (422, "question")
    move = {"do": "move", "multiplier": 2, "despite_coach": True}
    assert asked["question"] == {
        "kind": "slip",
        "multiplier": 2,
        "title": "Coach",
        "text": asked["detail"],
        "answers": [
            {
                "label": "Take it back (3 left)",
                "ask": {"do": "give-back", "multiplier": 2},
                "says": "",
            },
            {"label": "Play ×2 anyway", "ask": move, "says": ""},
        ],
        "give_backs": 3,
        "help": [],
        "told": None,
        "marked": "",
    }
    assert ada.move(2, despite_coach=True)["coach"] is None
    assert bob.state["coach"] == "Ada slipped. You can win from here."
    assert site.get(ada.path)["coach"] is None


def test_with_no_move_to_give_back_the_coach_warns_whoever_moves_once(
    site: Site,
) -> None:
    ada, bob = site.pair(game=DUEL, lessons={"coach": True, "give_backs": 0})
    moved = ada.move(2)
    warning = str(moved["warning"])
    assert warning.startswith("That gives the win away. ×2 makes 2.")
    assert warning.endswith("No second chances left in this game.")
    assert moved.json == ada.state
    assert bob.state["warning"] == site.get(ada.path)["warning"] == ""
    assert bob.state["coach"] == "Ada slipped. You can win from here."
    ada.ask("take-back")
    assert bob.ask("allow-take-back")["moves"] == []
    assert ada.move(2)["warning"] == ""
    here = site.create(
        game=DUEL, opponent="here", lessons={"coach": True, "give_backs": 0}
    )
    assert str(here.move(2)["warning"]).startswith("Ada, that gives the win away.")


def test_coach_gives_the_same_warning_in_response_and_state(site: Site) -> None:
    ada, bob = site.pair(game=DUEL, lessons={"coach": True})
    ada.move(2, despite_coach=True)
    ada.ask("take-back")
    declined = bob.ask("decline-take-back")
    assert declined.status == 200
    assert declined["coach"] == "Ada slipped. You can win from here."
    assert declined.json == bob.state


def test_hints_wait_until_the_friend_has_agreed(site: Site) -> None:
    ada = site.create(lessons={"hints": True})
    for call in ("hint", "why"):
        assert site.get(f"{ada.path}/{call}").error == (409, "seat_empty")


def asks(*do: str) -> list[Json]:
    return [{"do": each} for each in do]


def test_state_lists_what_each_seat_may_ask(site: Site) -> None:
    ada, bob = site.pair(game=DUEL)
    play((ada, bob), 5)
    assert ada.state["may"] == asks("take-back", "resign")
    assert ada.ask("take-back")["may"] == asks("withdraw", "resign")
    assert bob.state["may"] == asks("allow-take-back", "decline-take-back", "resign")
    assert bob.ask("resign")["may"] == asks("rematch")
    assert bob.ask("rematch")["may"] == asks("withdraw")
    assert ada.state["may_take_back"] is True
    assert site.create(game=MADNESS).state["may_take_back"] is False


# Levels


def test_a_level_answers_by_itself_after_the_move_is_answered(site: Site) -> None:
    ada = site.create(game=DUEL, opponent="perfect")
    moved = ada.move(2)
    assert moved["to_move"] == 2
    assert moved["turn"] == "Perfect is thinking …"
    state = ada.wait_for("to_move", 1)
    assert state["seq"] == 3
    moves = state["moves"]
    assert isinstance(moves, list)
    assert len(moves) == 2


def test_a_level_that_begins_begins_by_itself(site: Site) -> None:
    ada = site.create(opponent="expert", first=2)
    assert ada.seated["moves"] == []
    assert ada.wait_for("to_move", 1)["seq"] == 2


# Watched


def test_states_differ_only_in_what_is_private(site: Site) -> None:
    ada, bob = site.pair()
    play((ada, bob), 5, 6)
    seen, other = ada.state, bob.state
    watched = site.get(ada.path).json
    assert (seen["your_seat"], other["your_seat"]) == (1, 2)
    assert watched["your_seat"] is None
    own = ("your_seat", "may", "notes", "turn", "no_hint", "said", "coach")
    assert without(seen, *own) == without(other, *own) == without(watched, *own)
    assert "secret" not in seen
    assert "link" not in seen


def test_what_happened_is_told_in_the_right_person(site: Site) -> None:
    ada, bob = site.pair()
    play((ada, bob), 9, 9, 9)
    own, others = str(ada.state["said"]), str(bob.state["said"])
    assert own != others
    assert "you" in own.lower()
    assert "you" not in others.lower()
    assert "Ada" in others
    assert site.get(ada.path)["said"] == others


def test_keys_say_what_they_make_and_how_they_end(site: Site) -> None:
    ada, bob = site.pair(game=DUEL)
    play((ada, bob), 5, 5)
    keys = ada.state["keys"]
    assert isinstance(keys, list)
    four, five = keys[2], keys[3]
    assert four == {"multiplier": 4, "makes": "100", "place": 1.0, "ends": "wins"}
    assert five["ends"] == "loses"
    assert five["place"] > 1


@pytest.mark.parametrize(
    "call", ["", "/events", "/rules", "/hint", "/why", "/review", "/review?number=1"]
)
def test_a_match_that_is_not_there_is_not_found(site: Site, call: str) -> None:
    refused = site.get(f"/api/matches/{'x' * 22}{call}")
    assert refused.error == (404, "no_such_match")
    assert refused["detail"] == "there is no such match"


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("move", {"multiplier": 5}),
        ("give-back", {"multiplier": 2}),
        ("take-back", {}),
        ("resign", {}),
        ("next-game", {}),
        ("rematch", {}),
    ],
)
def test_ask_needs_a_seat_and_repeats_return_the_first_answer(
    site: Site, do: str, fields: Json
) -> None:
    ask = {"do": do, **fields}
    nowhere = f"/api/matches/{'x' * 22}/log"
    assert site.post(nowhere, {"seq": 1, "ask": ask}).error == (404, "no_such_match")
    ada, bob = site.pair(
        game=DUEL, lessons={"coach": True}, length={"count": "best of", "number": 3}
    )
    if do in ("next-game", "rematch"):
        ada.ask("resign")
    if do == "rematch":
        ada.ask("next-game")
        ada.ask("resign")
    if do == "take-back":
        play((ada, bob), 5)
    if do == "give-back":
        assert ada.move(fields["multiplier"]).error == (422, "question")
    body = {"seq": ada.state["seq"], "request_id": site.request_id(), "ask": ask}
    path = f"{ada.path}/log"
    assert site.post(path, body).error == (401, "no_seat")
    done = site.post(path, body, [ada.bearer])
    assert done.status == 200
    bob.ask("resign") if do != "next-game" else bob.move(5)
    assert site.post(path, body, [ada.bearer]) == done
    other = site.post(path, {**body, "seq": 0}, [ada.bearer])
    assert other.error == (409, "request_id_reused")


# Known


@pytest.mark.parametrize("call", ["/hint", "/why"])
def test_help_that_was_not_agreed_is_available_after_the_end(
    site: Site, call: str
) -> None:
    ada, bob = site.pair(lessons={"hints": False})
    assert ada.get(call).error == (403, "not_agreed")
    play((ada, bob), 9, 9, 9)
    assert ada.get(call).status == 200


def test_a_hint_comes_in_steps_and_after_the_end_there_is_none(site: Site) -> None:
    ada, bob = site.pair(lessons={"hints": True})
    assert site.create().get("/hint").error == (409, "seat_empty")
    steps = ada.get("/hint")["steps"]
    assert isinstance(steps, list)
    assert all(step["text"] for step in steps)
    assert steps[0]["multiplier"] is None
    assert steps[-1]["multiplier"] in (6, 7, 8, 9)
    play((ada, bob), 9, 9, 9)
    assert ada.get("/hint")["steps"] == []


def test_why_answers_in_every_state(site: Site) -> None:
    ada, bob = site.pair(lessons={"hints": True})
    for move in (9, 9, 9):
        told = ada.get("/why")
        assert told["why"]
        others = str(told["why"]).startswith("For Bob, whose turn it is: ")
        assert others == (ada.state["to_move"] == 2)
        line = told["line"]
        assert isinstance(line, dict)
        assert line["bands"][0]["text"] == "6 to 11"
        play((ada, bob), move)
    assert ada.get("/why")["why"]


def test_bands_that_are_too_many_to_find_are_left_out(site: Site) -> None:
    asked = f"game=multiplier&target={10**999}&multipliers=2,5,9,11,13,17,19,23"
    line = site.get(f"/api/line?{asked}")
    assert line["bands"] == []
    assert line["caption"] == "There are too many lost totals to draw."


def test_a_game_is_reviewed_when_it_has_ended(site: Site) -> None:
    best = {"count": "best of", "number": 3}
    ada, bob = site.pair(length=best, lessons={"coach": True})
    assert ada.get("/review").error == (404, "no_such_game")
    assert ada.move(2).error == (422, "question")
    ada.ask("give-back", multiplier=2)
    play((ada, bob), 9, 9, 9)
    reviewed = site.get(f"{ada.path}/review")
    assert (reviewed["match_number"], reviewed["number"]) == (1, 1)
    review = reviewed["review"]
    assert isinstance(review, dict)
    assert len(review["moves"]) == 3
    assert str(reviewed["caption"]).startswith("From a striped band every move loses")
    assert review["given_back"] == [1, 0]
    assert review["story"].endswith(" Ada won, with one second chance.")
    ada.ask("next-game")
    ada.ask("resign")
    assert ada.get("/review")["number"] == 2
    games = [
        {"match_number": 1, "number": 1, "winner": 1},
        {"match_number": 1, "number": 2, "winner": 2},
    ]
    both = reviewed.json | {"games": games}
    assert reviewed["games"] == games[:1]
    assert ada.get("/review?number=1").json == both
    assert ada.get("/review?match_number=1&number=1").json == both
    assert ada.get("/review?match_number=2").error == (404, "no_such_game")
    for odd in ("x", "-1", "1" * 10, "٣", "1.0"):
        assert ada.get(f"/review?number={odd}").error == (400, "form")


@pytest.mark.parametrize(("played", "moves"), [((2, 9, 9), [2]), ((6, 2, 9), None)])
def test_a_review_offers_another_try_to_whoever_played(
    site: Site, played: Sequence[int], moves: list[int] | None
) -> None:
    here = site.create(opponent="here", target=100)
    for multiplier in played:
        here.move(multiplier)
    offer = moves and {
        "kind": "retry",
        "label": {"text": "try again from move 2", "name": ""},
        "ask": {"do": "retry", "moves": moves},
    }
    assert here.get("/review")["retry"] == offer
    assert site.get(f"{here.path}/review")["retry"] is None


def test_a_game_too_long_to_see_has_no_review_and_is_practised_by_its_products(
    site: Site,
) -> None:
    far = {"target": str(10**999), "multipliers": [2, 5, 11, 23]}
    ada, bob = site.pair(game="multiplier", **far)
    play((ada, bob), 5, 2)
    bob.ask("resign")
    refused = bob.get("/review")
    assert refused.error == (422, "too_large")
    assert refused["detail"] == bob.get("/why")["why"] == TOO_FAR
    assert [item["key"] for item in list_of(bob.get("/practice").json, "items")] == [
        "5x2"
    ]


def test_a_level_moves_first_in_another_try_at_a_game_that_it_started(
    site: Site,
) -> None:
    ada = site.create(opponent="careful", first=2, moves=[])
    assert ada.wait_for("to_move", 1)["first"] == 2


def test_a_review_has_the_products_that_were_given(site: Site) -> None:
    here = site.create(
        game="multiplier-showdown",
        opponent="here",
        target=100,
        lessons={"coach": False, "hints": False, "mental": True},
        moves=[2],
    )
    here.move(3, answer=7)
    here.ask("take-back")
    here.move(5, answer=10)
    here.move(9, answer=91)
    here.move(2, answer=180)
    assert here.get("/review")["answers"] == [None, 10, 91, 180]


def test_the_rules_are_told_in_words(site: Site) -> None:
    ada = site.create(target=150)
    told = ada.get("/rules").json
    assert told["title"] == "Multiplication Madness"
    assert told["aim"] == "Reach 150 or more to win."
    assert "150" in str(told["text"])


def test_what_can_be_chosen_is_listed(site: Site) -> None:
    listed = site.get("/api/choices").json
    games, levels = listed["games"], listed["levels"]
    assert isinstance(games, list)
    assert isinstance(levels, list)
    assert [game["key"] for game in games] == list(KEYS)
    assert [level["key"] for level in levels][-1] == "perfect"
    for level in levels:
        assert site.create(opponent=level["key"]).seated.status == 201


# Of any game


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("game=madness", ["madness"]),
        ("game=madness&total=12", ["madness", "--total", "12"]),
        ("game=duel&target=144&start=2", ["duel", "--target", "144", "--start", "2"]),
        ("game=multiplier&multipliers=2-5", ["multiplier", "--multipliers", "2-5"]),
    ],
)
def test_the_perfect_answer_is_the_command_lines(
    site: Site, asked: str, arguments: list[str]
) -> None:
    told = site.get(f"/api/solve?{asked}")
    printed = run("solve", *arguments, "--json")
    assert told.json == json.loads(printed.stdout)


@pytest.mark.parametrize("call", ["solve", "line"])
@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ("", 422, "refused"),
        ("game=showdown", 422, "refused"),
        ("game=madness&target=ten", 422, "refused"),
        ("game=madness&target=1", 422, "refused"),
        ("game=madness&multipliers=0", 422, "refused"),
        ("game=madness&total=0", 422, "refused"),
        ("game=madness&game=duel", 400, "form"),
        ("game=madness&depth=3", 400, "form"),
    ],
)
def test_invalid_query_is_refused(
    site: Site, call: str, asked: str, status: int, code: str
) -> None:
    assert site.get(f"/api/{call}?{asked}").error == (status, code)


def test_an_answer_that_would_take_too_long_is_refused(site: Site) -> None:
    crossed = [prod(some) for some in combinations((2, 3, 5, 7, 11, 13, 17, 19), 3)]
    total = prod(crossed) ** 3
    multipliers = ",".join(map(str, crossed))
    asked = f"multipliers={multipliers}&target={1000 * total}&total={total}"
    refused = site.get(f"/api/solve?game=multiplier&{asked}")
    assert refused.error == (422, "too_large")


def test_the_number_line_shows_its_lost_bands(site: Site) -> None:
    line = site.get("/api/line?game=madness&total=10").json
    assert line["total"] == 0.5
    assert line["target"] == 1.0
    bands = line["bands"]
    assert isinstance(bands, list)
    assert [band["text"] for band in bands] == ["6 to 11"]
    assert str(line["caption"]).startswith("From a striped band every move loses")
    assert line["hops"] == []


def test_a_puzzle_is_posed_and_answered(site: Site) -> None:
    posed = site.get("/api/puzzles?level=1&seed=7")
    assert posed == site.get("/api/puzzles?level=1&seed=7")
    rules, key = posed["rules"], posed["key"]
    assert isinstance(rules, dict)
    told = [
        site.post("/api/practice", {"item": key, "entries": [str(multiplier)]})
        for multiplier in rules["multipliers"]
    ]
    assert [answer["right"] for answer in told].count(True) == 1
    assert all(answer["shown"] for answer in told)
    assert site.get("/api/puzzles").status == 200
    for seed in range(3):
        of_a_game = site.get(f"/api/puzzles?game=duel&seed={seed}")
        assert of_a_game.status == 200
        assert str(of_a_game["key"]).startswith("nf1.multiplication-duel.")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ("?level=0", 422),
        ("?level=x", 422),
        ("?game=chess", 422),
        ("?seed=1&seed=2", 400),
    ],
)
def test_invalid_puzzle_query_is_refused(site: Site, asked: str, status: int) -> None:
    assert site.get(f"/api/puzzles{asked}").status == status


# Pages, and what watches over a server


@pytest.mark.parametrize("path", ["/", "/explore", "/puzzles", "/learn"])
def test_the_page_is_served_at_each_of_its_places(site: Site, path: str) -> None:
    page = site.get(path)
    assert page.status == 200
    assert page.header("content-type") == "text/html; charset=utf-8"
    assert page.header("cache-control") == "no-cache"
    assert page.body == site.get("/").body
    tag = page.header("etag")
    kept = site.get(path, [("if-none-match", f'"other", {tag}')])
    assert (kept.status, kept.body) == (304, b"")
    assert kept.header("etag") == tag
    assert site.get(path, [("if-none-match", '"other"')]).status == 200


@pytest.mark.parametrize("id_", ["x" * 22, "x" * 12])
def test_the_page_of_an_unknown_match_is_not_found(site: Site, id_: str) -> None:
    page = site.get(f"/m/{id_}")
    assert page.status == 404
    assert page.body == site.get("/").body
    tag = site.get("/").header("etag")
    assert site.get(f"/m/{id_}", [("if-none-match", tag)]).status == 404


def test_a_link_that_ends_its_sentence_is_the_link_of_its_match(site: Site) -> None:
    path = f"/m/{site.create().match}"
    assert site.get(path).status == 200
    for end in (".", "!", ").", "%E2%80%9D"):
        ended = site.get(f"{path}{end}")
        assert (ended.status, ended.body) == (200, site.get(path).body)


def test_the_choices_are_compressed_for_those_who_accept_that(site: Site) -> None:
    plain = site.get("/api/choices")
    small = site.get("/api/choices", [("accept-encoding", "br, gzip")])
    assert small.header("content-encoding") == "gzip"
    assert small.header("vary") == "accept-encoding"
    assert gzip.decompress(small.body) == plain.body
    assert int(small.header("content-length")) == len(small.body) < len(plain.body) / 2
    assert small.header("cache-control") == plain.header("cache-control")


def preview_of(page: Answer) -> dict[str, str]:
    """Read what a chat reads of a page."""
    tags = r'<meta (?:property|name)="([^"]+)" content="([^"]*)">'
    return {name: unescape(text) for name, text in re.findall(tags, page.text)}


@pytest.mark.parametrize("game", KEYS)
def test_a_link_to_a_match_has_a_preview_that_names_its_game_and_nobody(
    site: Site, game: str
) -> None:
    ada = site.create(game=game, name="Adelheid")
    book = load(game)
    invited = site.get(f"/m/{ada.match}")
    shown = preview_of(invited)
    assert shown["og:title"] == book.title
    assert shown["og:description"] == f"{book.describe()} Open the link to play."
    assert shown["description"] == shown["og:description"]
    assert shown["og:image"].endswith(f"/previews/{game}.png")
    picture = site.get(shown["og:image"].removeprefix("http://localhost"))
    assert (picture.status, picture.header("content-type")) == (200, "image/png")
    assert picture.header("cross-origin-resource-policy") == "cross-origin"
    ada.let_in("Bartholomew")
    seated = site.get(f"/m/{ada.match}")
    assert preview_of(seated)["og:description"].endswith("Open the link to watch.")
    for page in (invited, seated):
        assert "Adelheid" not in page.text
        assert "Bartholomew" not in page.text


def test_a_preview_tells_the_rules_of_its_match_and_shows_no_others(site: Site) -> None:
    target = 10**40
    ada = site.create(game="multiplication-duel", target=str(target))
    shown = preview_of(site.get(f"/m/{ada.match}"))
    assert "100000...000000 (41 digits)" in shown["og:description"]
    assert shown["og:image"].endswith("/previews/ninefold.png")


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/", "ninefold · the multiplication games"),
        ("/m/x", "ninefold · the multiplication games"),
        ("/m/%22%3E%3Cscript%3E", "ninefold · the multiplication games"),
        ("/puzzles/2026-11-08", "Puzzle of the day"),
        ("/puzzles/2026-02-30", "ninefold · the multiplication games"),
        ("/puzzles/20261108", "ninefold · the multiplication games"),
    ],
)
def test_every_other_link_has_a_preview_too(site: Site, path: str, title: str) -> None:
    page = site.get(path, [("host", "192.0.2.7:9009")])
    shown = preview_of(page)
    assert page.status == (404 if path.startswith("/m/") else 200)
    assert shown["og:title"] == title
    assert shown["og:image"].startswith("http://192.0.2.7:9009/page/")
    assert shown["og:image"].endswith("/previews/ninefold.png")


def test_a_page_is_never_refused_for_its_preview() -> None:
    rates = RateLimits({**DEFAULT_RATES, RequestKind.READ: 1})
    with Site(make_server(rates=rates).application()) as site:
        path = f"/m/{site.create().match}"
        titles = [preview_of(site.get(path))["og:title"] for _ in range(2)]
    assert titles == ["Multiplication Madness", "ninefold · the multiplication games"]


class Hanging(SqliteStore):
    """A store that opens no match until it is told to."""

    wakes = threading.Event()

    def match(self, match_id: str) -> StoredMatch:
        self.wakes.wait()
        return super().match(match_id)


def test_a_page_does_not_wait_for_a_database_that_hangs() -> None:
    store = Hanging(None, clock=lambda: NOW, new_id=lambda: "id")
    with Site(make_server(store).application()) as site:
        page = site.get(f"/m/{'x' * 22}")
        store.wakes.set()
    assert preview_of(page)["og:title"] == "ninefold · the multiplication games"


def test_a_head_is_answered_like_a_get(site: Site) -> None:
    assert site.ask("HEAD", "/").status == 200
    assert site.ask("HEAD", "/api/choices").status == 200


def test_a_link_is_drawn_as_a_qr_code(site: Site) -> None:
    ada = site.create()
    drawn = site.get(f"/m/{ada.match}/qr.svg")
    assert drawn.header("content-type") == "image/svg+xml"
    assert drawn.body.startswith(b"<?xml")
    assert site.get(f"/m/{'x' * 22}/qr.svg").body != drawn.body
    for odd in ("x", "x" * 5000, "a%00b", "%ff" * 22):
        assert site.get(f"/m/{odd}/qr.svg").error == (404, "no_such_match")


def test_health_readiness_and_metrics_are_served(site: Site) -> None:
    assert site.get("/healthz").text == "alive\n"
    assert site.get("/readyz").text == "ready\n"
    site.get("/nowhere")
    told = site.get("/metrics")
    assert told.header("content-type").startswith("text/plain")
    assert 'route="/healthz",status="200"' in told.text
    assert 'route="(none)",status="404"' in told.text
    assert "ninefold_commands_total" in told.text


def test_the_protocol_is_described_for_machines(site: Site) -> None:
    described = site.get("/openapi.json").json
    paths = described["paths"]
    assert isinstance(paths, dict)
    assert set(paths["/api/matches/{id}"]) == {"get"}
    assert len(paths) == 32


def test_unknown_address_is_not_found(site: Site) -> None:
    for path in ("/nothing", "/api", "/api/matches/x/y", "/page/", "/page/other.js"):
        assert site.get(path).error == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/matches", {"POST"}),
        ("GET", "/api/matches", {"POST"}),
        ("HEAD", "/api/matches", {"POST"}),
        ("OPTIONS", "/api/matches", {"POST"}),
        ("HEAD", f"/api/matches/{'x' * 22}/events", {"GET"}),
        ("POST", "/api/choices", {"GET", "HEAD"}),
        ("DELETE", f"/api/matches/{'x' * 22}", {"GET", "HEAD"}),
        ("PUT", f"/api/matches/{'x' * 22}/log", {"GET", "HEAD", "POST"}),
        ("POST", "/m/x", {"GET", "HEAD"}),
        ("PATCH", "/page/x.js", {"GET", "HEAD"}),
        ("get", "/healthz", {"GET", "HEAD"}),
    ],
)
def test_wrong_method_is_refused(
    site: Site, method: str, path: str, allowed: set[str]
) -> None:
    refused = site.ask(method, path)
    assert refused.error == (405, "wrong_method")
    assert set(refused.header("allow").split(", ")) == allowed
    html = ("accept", "text/html")
    assert site.ask(method, path, b"", [html]).error == (405, "wrong_method")


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/explore/", "/explore"),
        ("/m/x/", "/m/x"),
        ("/m/a%3Fb%20c/", "/m/a%3Fb%20c"),
        ("/api/choices/?x=%2F", "/api/choices?x=%2F"),
        ("/puzzles///", "/puzzles"),
        ("/page", "/page/"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_address_with_a_slash_too_many_leads_to_the_one_without(
    site: Site, method: str, path: str, leads_to: str
) -> None:
    led = site.ask(method, path, b"", [("host", "127.0.0.1:9009")])
    assert led.status == 307
    assert led.header("location") == f"http://127.0.0.1:9009{leads_to}"
    assert led.header("x-content-type-options") == "nosniff"


@pytest.mark.parametrize(
    "path", ["//", "/m/", "/nothing/", "//healthz", "/healthz%2F/x", "/HEALTHZ"]
)
def test_no_other_slash_leads_anywhere(site: Site, path: str) -> None:
    assert site.get(path).error == (404, "not_found")


def test_a_path_may_be_written_with_percent_signs(site: Site) -> None:
    assert site.get("/%68ealthz").text == "alive\n"
    ada = site.create()
    assert site.get(ada.path.replace("/api", "/%61pi"))["id"] == ada.match
    # A slash in disguise is a slash: it separates, and ends no id.
    assert site.get("/m/a%2Fqr.svg").error == (404, "no_such_match")
    assert site.get("/api/matches/a%2Fb").error == (404, "not_found")


def test_the_route_of_a_request_is_counted_and_never_its_path() -> None:
    with Site(make_server().application()) as site:
        ada, _ = site.pair()
        ada.move(5)
        site.ask("PUT", f"{ada.path}/log")
        site.ask("HEAD", f"/m/{ada.match}")
        site.get("/explore/")
        site.get("/page/none.js")
        told = site.get("/metrics").text
    count, total = re.findall(
        r"^ninefold_request_seconds_(?:count|sum) (\S+)$", told, re.MULTILINE
    )
    counted = re.findall(
        r'^ninefold_requests_total{method="(\w+)",route="(.+)",status="(\d+)"} (\S+)$',
        told,
        re.MULTILINE,
    )
    assert {
        (method, route, int(status)): float(n) for method, route, status, n in counted
    } == {
        ("POST", "/api/matches", 201): 1,
        ("POST", "/api/matches/{id}/seat", 200): 1,
        ("GET", "/api/matches/{id}", 200): 1,
        ("POST", "/api/matches/{id}/log", 200): 1,
        ("PUT", "/api/matches/{id}/log", 405): 1,
        ("HEAD", "/m/{id}", 200): 1,
        ("GET", "(none)", 307): 1,
        ("GET", "/page/{name:path}", 404): 1,
    }
    assert float(count) == len(counted)
    assert 0 < float(total) < WAIT_SECONDS


def test_a_person_who_goes_astray_is_shown_the_page(site: Site) -> None:
    html = ("accept", "text/html,*/*")
    astray = site.get("/nothing", [html])
    assert (astray.status, astray.header("content-type")) == (
        404,
        "text/html; charset=utf-8",
    )
    assert site.get("/nothing").error == (404, "not_found")
    assert site.get("/api/nothing", [html]).error == (404, "not_found")
