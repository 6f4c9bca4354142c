"""Pupils of a class before their devices: they join, play, pause and answer."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import LISTEN, LOST, People, Person, Scheme, ScreenReader
from tests.servers import Served

TABLET = (1024, 768)
PHONE = (320, 568)
SCHEMES = ("light", "dark")
CODE, NAME = "Code, six digits", "First name"
SHOWDOWN = {"game": "multiplier-showdown", "opponent": "friend"}
LOW = """
[...document.querySelectorAll("main :is(button, a, summary, input)")]
  .filter((each) => each.checkVisibility())
  .filter((each) => each.getBoundingClientRect().height < 63.5)
  .map((each) => each.outerHTML)
"""
"""Finds what is too low for a small child's finger."""

TRANSLATE = """
() => {
  const texts = document.createTreeWalker(
    document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) found.push(texts.currentNode);
  for (const text of found.filter(({ data }) => /[a-z]/.test(data))) {
    const translated = document.createElement("font");
    translated.textContent = `(${text.textContent})`;
    text.replaceWith(translated);
  }
}
"""
"""Puts another element in the place of each text, as browsers do."""

Examine = Callable[[Person, str], None]


class Teacher:
    """The teacher of a class of their own, without a page."""

    def __init__(self, people: People) -> None:
        self._requests = people.person("/healthz").page.context.request
        created = self._post("", {})
        self._post("/teach", {"secret": created["link"].partition("#")[2]})

    def _post(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        body["request_id"] = secrets.token_urlsafe(18)
        response = self._requests.post(f"/api/class{path}", data=body)
        assert response.ok, response.text()
        return response.json()

    def asks(self, do: str, **more: object) -> None:
        self._post("/ask", {"ask": {"do": do, **more}})

    def removes(self) -> None:
        self._post("/remove", {})

    @property
    def view(self) -> Any:  # noqa: ANN401 - JSON
        return self._requests.get("/api/class").json()

    @property
    def code(self) -> str:
        code = self.view["code"]
        assert isinstance(code, str)
        return code

    def starts(self, *tables: tuple[int, ...], **lessons: bool) -> None:
        """Start a round of Multiplier Showdown; one pupil plays the level."""
        seatings = [
            {"pupils": pupils, "level": None if len(pupils) > 1 else "beginner"}
            for pupils in tables
        ]
        proposal = SHOWDOWN | {"lessons": lessons}
        self.asks("start-round", proposal=proposal, minutes=8, tables=seatings)

    def asks_about(self, asks: str, total: int) -> None:
        self.asks("ask-typed", asks=asks, game="multiplier-showdown", total=str(total))


@pytest.fixture
def teacher(people: People) -> Teacher:
    return Teacher(people)


def join(
    people: People,
    teacher: Teacher,
    name: str,
    *,
    size: tuple[int, int] = TABLET,
    scheme: Scheme = "light",
    examined: bool = False,
    without: str = "",
) -> Person:
    """Seat a pupil who has come by the QR code and typed a name."""
    pupil = people.person(
        f"/class#{teacher.code}",
        size=size,
        scheme=scheme,
        examined=examined,
        without=without,
    )
    pupil.page.get_by_label(NAME).fill(name)
    pupil.press("Join")
    pupil.sees("You are in.")
    return pupil


def kept_on(pupil: Person) -> object:
    """Return everything that the page has stored on a device."""
    return pupil.page.evaluate("({ ...localStorage, ...sessionStorage })")


def width_beyond_the_screen(pupil: Person) -> object:
    return pupil.page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_a_code_and_a_name_lead_into_the_class(
    people: People, teacher: Teacher
) -> None:
    mia = people.person("/class", size=PHONE)
    wrong = str((int(teacher.code) + 1) % 10**6).zfill(6)
    for digit in wrong:
        mia.page.locator(".pad").get_by_text(digit, exact=True).click()
    mia.sees("This is not the code of a class")
    for digit in teacher.code:
        mia.page.locator(".pad").get_by_text(digit, exact=True).click()
    mia.page.get_by_label(NAME).fill("Mia")
    mia.press("Join")
    mia.sees("You are in.")
    mia.sees("The total starts at 1.")  # how to play, in pictures
    assert [each["name"] for each in teacher.view["pupils"]] == ["Mia"]


@pytest.mark.prove
def test_a_name_in_use_is_asked_again_and_whoever_has_it_can_come_back(
    people: People, teacher: Teacher
) -> None:
    first = join(people, teacher, "Mia")
    other = people.person(f"/class#{teacher.code}")
    other.page.get_by_label(NAME).fill("Mia")
    other.press("Join")
    other.sees("such as Mia B")
    other.press("Choose another name")
    expect(other.page.get_by_label(NAME)).to_have_value("Mia")
    other.page.get_by_label(NAME).fill("Mia B")
    other.press("Join")
    other.sees("You are in.")
    second = people.person(f"/class#{teacher.code}")
    second.page.get_by_label(NAME).fill("Mia")
    second.press("Join")
    second.press("It is me")
    second.sees("Your teacher will let you in.")
    teacher.asks("let-in", pupil=1)
    second.sees("You are in.")
    first.sees("You play on another device now.")


@pytest.mark.prove
def test_names_of_a_file_are_tapped_and_two_can_share_a_device(
    people: People, teacher: Teacher
) -> None:
    teacher.asks("roster", text="Ada\nBen\nMia, Tom\nZoe\n")
    ada = people.person(f"/class#{teacher.code}")
    ada.press("Ada")
    ada.sees("You are in.")
    two = people.person(f"/class#{teacher.code}")
    expect(two.button("Ada")).to_have_count(0)
    two.press("Mia & Tom")
    two.press("We play as one")
    two.sees("You are in.")
    duel = people.person(f"/class#{teacher.code}")
    duel.press("We are two")
    duel.press("Ben")
    duel.press("Zoe")
    duel.press("We play each other")
    duel.sees("You are in.")
    rows = [(each["name"], each["is_duel"]) for each in teacher.view["pupils"]]
    assert rows == [("Ada", False), ("Mia & Tom", False), ("Ben & Zoe", True)]
    teacher.starts((1, 2))
    teacher.asks("open-table", table={"pupils": [3]})
    duel.hands_over_to("Ben")
    duel.key(5).click()
    duel.hands_over_to("Zoe")


@pytest.mark.prove
def test_two_tablets_play_a_game_and_begin_the_next(
    people: People, teacher: Teacher
) -> None:
    ada, ben = join(people, teacher, "Ada"), join(people, teacher, "Ben")
    teacher.starts((1, 2))
    ada.must_move()
    expect(ada.page.locator(".strip")).to_contain_text("Table 1")
    expect(ada.page.locator(".strip")).to_contain_text("8 min")
    ada.sees("game 1")
    ada.plays(9)
    ben.total_is(9)
    ben.plays(9)
    ada.plays(9)
    ben.plays(2)
    ben.sees("You win!")
    ada.sees("Ben wins")
    ada.misses("1,000 games")
    for gone in ("Review", "New match", "Practise", "Why?"):
        ada.misses(gone)
    ben.press(re.compile("Next game"))
    ada.sees("game 2")
    ada.total_is(1)


def test_a_reload_in_mid_game_leads_back_to_the_seat_and_nothing_is_kept_on_the_device(
    people: People, teacher: Teacher
) -> None:
    ada, ben = join(people, teacher, "Ada"), join(people, teacher, "Ben")
    teacher.starts((1, 2))
    ada.plays(6)
    ben.must_move()
    ben.page.reload()
    ben.must_move()
    ben.total_is(6)
    ben.plays(7)
    ada.total_is(42)
    ben.page.locator("#menu summary").click()
    ben.page.get_by_role("radio", name="Dark").check()
    expect(ben.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert kept_on(ada) == kept_on(ben) == {}


@pytest.mark.prove
def test_in_a_pause_the_table_stands_still_and_says_where_to_look(
    people: People, teacher: Teacher
) -> None:
    ada, ben = join(people, teacher, "Ada"), join(people, teacher, "Ben")
    teacher.starts((1, 2))
    ada.must_move()
    teacher.asks("pause", is_on=True)
    ada.sees("Look at the board.")
    ben.sees("Look at the board.")
    ada.types("5")  # no key plays
    teacher.asks("pause", is_on=False)
    ada.misses("Look at the board.")
    ada.total_is(1)
    ada.plays(5)
    ben.total_is(5)
    teacher.asks("end-round")
    ada.sees("The round is over.")


@pytest.mark.prove
def test_a_question_is_answered_on_the_device_until_the_answers_are_shown(
    people: People, teacher: Teacher
) -> None:
    ada, ben = join(people, teacher, "Ada"), join(people, teacher, "Ben")
    teacher.starts((1, 2))
    ada.must_move()
    teacher.asks_about("winner", 200)
    ada.sees("Who wins from here?")
    ada.sees("The total is 200.")
    ada.press("The other player")
    expect(ada.button("The other player")).to_have_attribute("aria-pressed", "true")
    ada.press("The player whose turn it is")
    expect(ada.button("The other player")).to_have_attribute("aria-pressed", "false")
    ada.page.reload()  # the answer is kept by the class
    mine = ada.button("The player whose turn it is")
    expect(mine).to_have_attribute("aria-pressed", "true")
    ben.press("The other player")
    teacher.asks("reveal")
    expect(ada.page.locator(".counted")).to_have_count(2)
    expect(ada.page.locator(".counted").first).to_contain_text("1")
    expect(mine).to_have_count(0)
    teacher.asks("reveal")
    expect(ben.page.locator(".panel.right")).to_contain_text(
        "The player whose turn it is"
    )
    teacher.asks("ask", question=None)
    ada.must_move()
    ada.plays(4)


@pytest.mark.prove
def test_the_teacher_can_ask_for_another_name_and_the_device_turns_red(
    people: People, teacher: Teacher
) -> None:
    ada = join(people, teacher, "Rude", size=PHONE)
    teacher.asks("leave", pupil=1, is_sent_back=True)
    ada.sees("Please choose another name.")
    expect(ada.page.locator("html")).to_have_class(re.compile("sent-back"))
    assert width_beyond_the_screen(ada) == 0
    ada.page.get_by_label(NAME).fill("Ada")
    ada.press("Join")
    ada.sees("You are in.")
    expect(ada.page.locator("html")).not_to_have_class(re.compile("sent-back"))


@pytest.mark.prove
def test_the_next_pupil_finds_a_device_that_knows_nothing_of_the_one_before(
    people: People, teacher: Teacher
) -> None:
    ada = join(people, teacher, "Ada")
    ada.press("Next pupil here")
    ada.press("Stay")
    ada.sees("You are in.")
    ada.press("Next pupil here")
    ada.press("Leave the class")
    expect(ada.page.get_by_label(CODE)).to_have_value("")
    assert "#" not in ada.page.url
    ada.misses("Ada")
    ada.page.get_by_label(CODE).fill(teacher.code)
    ada.page.get_by_label(NAME).fill("Ben")
    ada.press("Join")
    ada.sees("You are in.")
    assert [each["has_left"] for each in teacher.view["pupils"]] == [True, False]


@pytest.mark.prove
def test_newcomers_knock_after_the_first_round(
    people: People, teacher: Teacher
) -> None:
    join(people, teacher, "Ada")
    teacher.starts((1,))
    teacher.asks("end-round")
    late = people.person(f"/class#{teacher.code}")
    late.page.get_by_label(NAME).fill("Ben")
    late.press("Join")
    late.sees("Your teacher will let you in.")
    late.sees("How to play")
    teacher.asks("let-in", pupil=2)
    late.sees("The round is over.")
    teacher.starts((1, 2))
    late.sees("to move")


@pytest.mark.prove
def test_a_class_that_is_over_says_so(people: People, teacher: Teacher) -> None:
    ada = join(people, teacher, "Ada")
    teacher.asks("close")
    ada.sees("The class is over.")
    late = people.person("/class")
    late.page.get_by_label(CODE).fill("000000")
    late.sees("This is not the code of a class")


@pytest.mark.prove
def test_a_device_forgets_the_code_of_a_class_that_is_removed(
    people: People, teacher: Teacher
) -> None:
    ada = join(people, teacher, "Ada")
    teacher.removes()
    ada.sees("Type the code")
    ada.misses("This is not the code of a class")
    assert "#" not in ada.page.url


@pytest.mark.prove
def test_reasons_and_reviews_are_there_once_the_teacher_opens_them(
    people: People, teacher: Teacher
) -> None:
    ada, ben = join(people, teacher, "Ada"), join(people, teacher, "Ben")
    teacher.starts((1, 2), hints=True)
    ada.must_move()
    ada.misses("Hint")
    for pupil, multiplier in ((ada, 9), (ben, 9), (ada, 9), (ben, 2)):
        pupil.plays(multiplier)
    ada.sees("Ben wins")
    ada.misses("Review")
    teacher.asks("bands", are_open=True)
    ada.press("Why?")
    ada.sees("Hide why")
    ada.follow("Review")
    ada.sees("Move 4 of 4")
    teacher.asks("pause", is_on=True)
    ada.sees("Look at the board.")


@pytest.mark.prove
def test_a_hidden_tab_comes_back_to_what_has_happened(
    people: People, teacher: Teacher
) -> None:
    ada, ben = join(people, teacher, "Ada"), join(people, teacher, "Ben")
    ada.types("F9")
    teacher.starts((1, 2))
    ben.sees("to move")
    ada.types("F9")
    ada.plays(5)
    ben.types("F9")
    ben.types("F9")
    ben.total_is(5)


@pytest.mark.prove
def test_a_server_that_is_killed_gives_every_seat_back_without_a_tap(
    people: People, teacher: Teacher, server: Served
) -> None:
    ada, ben = join(people, teacher, "Ada"), join(people, teacher, "Ben")
    waits = join(people, teacher, "Cem")
    teacher.starts((1, 2))
    ada.plays(6)
    ben.total_is(6)
    server.kill()
    ada.sees(LOST)
    waits.sees(LOST)
    ben.key(7).click()
    server.start()
    ada.total_is(42)  # the move that waited
    ada.misses(LOST)
    waits.misses(LOST)
    ada.plays(2)
    ben.total_is(84)


@pytest.mark.prove
def test_a_page_without_a_secure_context_needs_nothing_that_is_not_there(
    people: People, teacher: Teacher
) -> None:
    absent = "delete Navigator.prototype.locks; delete Navigator.prototype.wakeLock;"
    absent += (
        " delete Navigator.prototype.clipboard; delete Crypto.prototype.randomUUID;"
    )
    absent += " delete Crypto.prototype.subtle;"
    ada = join(people, teacher, "Ada", without=absent)
    teacher.starts((1,))
    ada.plays(5)
    ada.must_move()


@pytest.mark.prove
def test_a_second_window_of_a_device_takes_the_class_over(
    people: People, teacher: Teacher
) -> None:
    ada = join(people, teacher, "Ada")
    other = ada.another_tab()
    other.sees("You are in.")
    ada.sees("Your class is open in another window.")
    ada.press("Play here")
    ada.sees("You are in.")
    other.sees("Your class is open in another window.")


@pytest.mark.prove
def test_a_pupils_page_leads_nowhere_else(people: People, teacher: Teacher) -> None:
    ada = join(people, teacher, "Ada")
    expect(ada.page.get_by_role("link")).to_have_count(1)  # to the content
    teacher.starts((1,))
    ada.must_move()
    ada.page.locator(".more > summary").click()
    expect(ada.page.get_by_role("link")).to_have_count(1)


@pytest.mark.prove
def test_a_browser_may_translate_the_page(people: People, teacher: Teacher) -> None:
    ada = join(people, teacher, "Ada")
    ada.page.evaluate(TRANSLATE)
    heading = ada.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("(You are in. Look at the board.)")
    teacher.asks("bands", are_open=True)  # which changes nothing here
    teacher.starts((1,))
    ada.must_move()
    ada.page.evaluate(TRANSLATE)
    ada.plays(5)
    ada.must_move()
    teacher.asks("end-round")
    expect(heading).to_have_text("The round is over. Look at the board.")
    ada.page.evaluate(TRANSLATE)
    teacher.asks("close")
    expect(heading).to_have_text("The class is over. Goodbye!")


@pytest.mark.prove
def test_what_is_new_is_said_and_nothing_of_other_tables(
    people: People, teacher: Teacher
) -> None:
    ada = join(people, teacher, "Ada", without=LISTEN)
    ben, cem = join(people, teacher, "Ben"), join(people, teacher, "Cem")
    teacher.starts((1, 2), (3,))
    ada.must_move()
    cem.plays(5)
    cem.must_move()
    teacher.asks("pause", is_on=True)
    ada.sees("Look at the board.")
    teacher.asks("pause", is_on=False)
    ada.misses("Look at the board.")
    ada.plays(9)
    ben.plays(2)
    ada.must_move()
    teacher.asks_about("move", 40)
    ada.sees("Which move?")
    reader = ScreenReader(ada.page)
    reader.listen()
    said = [line.removeprefix("said: ") for line in reader.lines]
    for text in ("Your move.", "Look at the board.", "Play on.", "Which move?"):
        assert text in said, said
    assert not [line for line in said if "Cem" in line]


@pytest.mark.prove
def test_everything_can_be_done_by_keyboard(people: People, teacher: Teacher) -> None:
    ada = people.person("/class")
    expect(ada.page.get_by_label(CODE)).to_be_focused()
    ada.page.keyboard.type(teacher.code)
    expect(ada.page.get_by_label(NAME)).to_be_focused()
    ada.page.keyboard.type("Ada")
    ada.types("Enter")
    ada.sees("You are in.")
    teacher.starts((1,))
    ada.must_move()
    ada.types("5")
    expect(ada.page.locator(".record")).to_contain_text("×5")
    teacher.asks_about("winner", 200)
    expect(ada.page.get_by_role("heading", name="Who wins")).to_be_visible()
    ada.types("Tab")
    while not ada.page.evaluate("document.activeElement.matches('.reply')"):
        ada.types("Tab")
    ada.types("Enter")
    ada.sees("You can still change it.")
    expect(ada.page.locator(".reply.own")).to_be_focused()


@pytest.fixture
def examine(axe: Path) -> Examine:
    """Return a search for what shuts people out, or children with small screens."""

    def search(pupil: Person, place: str) -> None:
        pupil.page.add_script_tag(path=axe)
        found = pupil.page.evaluate(
            "async () => (await axe.run()).violations.map("
            "({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`)"
        )
        assert found == [], place
        assert width_beyond_the_screen(pupil) == 0, place
        assert pupil.page.evaluate(LOW) == [], place

    return search


@pytest.mark.prove
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_while_a_device_joins(
    people: People, teacher: Teacher, examine: Examine, scheme: Scheme
) -> None:
    ada = people.person("/class", size=PHONE, scheme=scheme, examined=True)
    expect(ada.page.get_by_label(CODE)).to_be_focused()
    examine(ada, "code")
    ada.page.get_by_label(CODE).fill(teacher.code)
    expect(ada.page.get_by_label(NAME)).to_be_visible()
    examine(ada, "name")
    ada.press("We are two")
    examine(ada, "two names")
    ada.press("I am alone")
    ada.press("Join")
    ada.sees("Type your first name.")
    examine(ada, "no name")
    ada.page.get_by_label(NAME).fill("Wilhelmina-Charlotte")
    ada.press("Join")
    ada.sees("You are in.")
    examine(ada, "waiting")
    ada.press("Next pupil here")
    ada.sees("leaves the class on this device")
    examine(ada, "next pupil")
    ada.press("Stay")
    teacher.asks("leave", pupil=1, is_sent_back=True)
    ada.sees("Please choose another name.")
    examine(ada, "sent back")
    teacher.asks("roster", text="Mohammed-Amin\nMia, Tom\nZoe\n")
    ada.page.reload()
    ada.sees("Tap your name")
    examine(ada, "names")
    ada.press("Mia & Tom")
    ada.sees("How do you play?")
    examine(ada, "how two play")


@pytest.mark.prove
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_at_a_table_of_a_class_nor_in_a_question(
    people: People, teacher: Teacher, examine: Examine, scheme: Scheme
) -> None:
    ada = join(people, teacher, "Ada", size=PHONE, scheme=scheme, examined=True)
    teacher.starts((1,))
    ada.must_move()
    examine(ada, "table")
    teacher.asks("pause", is_on=True)
    ada.sees("Look at the board.")
    examine(ada, "pause")
    teacher.asks("pause", is_on=False)
    teacher.asks_about("move", 40)
    ada.press("×3")
    ada.sees("You can still change it.")
    examine(ada, "question")
    teacher.asks("reveal")
    expect(ada.page.locator(".counted").first).to_be_visible()
    examine(ada, "bar")
    teacher.asks("reveal")
    expect(ada.page.locator(".panel.right")).to_be_visible()
    examine(ada, "truth")
