"""The pictures that show the page; ``PICTURES=write`` draws them anew."""

from __future__ import annotations

import io
import os
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

import ninefold
from ninefold.rulebooks import load
from tests.browser.lessons import Lesson
from tests.browser.people import PICTURES, People, keep_picture
from tests.online.pictures import IN_DOCS, draw_terminal
from tests.online.tables import Seated
from tests.servers import Served

pytestmark = pytest.mark.prove

LARGEST = 150 * 1024
LARGEST_IN_DOCS = 60 * 1024
PREVIEWS = Path(ninefold.__file__).parent / "server" / "page" / "previews"
TAGLINE = "One number. Two players. Multiply."
HOPS = {
    "ninefold": [5, 3, 6, 4, 5],
    "multiplication-duel": [4, 5, 5],
    "multiplication-madness": [4, 3, 2, 6],
    "multiplication-showdown": [5, 2, 5, 2],
    "multiplier": [3, 4, 5, 4, 6],
    "multiplier-showdown": [6, 4, 5, 2, 9],
}
"""A game for each preview, from the start to its end."""
TALL = 1200
"""How high a screen must be for hops as high as those of a preview."""
DRAW_PREVIEW = """async ([title, text, moves, target]) => {
  const folder = document.querySelector("script[src$='start.js']").src.replace("start.js", "");
  const { h, render } = await import(`${folder}dom.js`);
  const { sample } = await import(`${folder}home.js`);
  const { drawLine } = await import(`${folder}number-line.js`);
  const place = document.querySelector("main").cloneNode();
  document.querySelector("main").replaceWith(place); // the page goes on drawing there
  for (const each of document.querySelectorAll(".top > :not(.brand)")) each.remove();
  document.documentElement.style.fontSize = "32px";
  document.querySelector(".brand img").style.cssText = "width: 1.6em; height: 1.6em";
  const line = () => drawLine(sample(moves, target), {
    width: place.clientWidth, label: "", final: true,
  });
  const large = { "font-size": "2.4rem", "font-weight": 800, "letter-spacing": "-0.03em" };
  const soft = { "font-size": "1.0625rem", margin: "0.6rem auto 0.25rem" };
  const middle = { padding: "clamp(0.5rem, 3vh, 2rem) 0 0", "text-align": "center" };
  render(place, h("section", { style: middle },
    h("h1", { style: large }, title),
    h("p", { class: "soft", style: { ...soft, "max-width": "36rem" } }, text),
    h("div", {}, line())));
}"""
FAINT = 1.0
"""How much two pictures may differ in the mean, white being 255."""
NAMES = {"end", "explore", "home", "table-desktop-light", "table-phone-dark"}


def test_a_game_as_it_looks(people: People) -> None:
    ada = people.person()
    expect(ada.button("Play the computer")).to_be_visible()
    ada.picture("home")
    ada.opens_options()
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.get_by_label("How many").fill("3")
    ada.starts("friend")
    ada.sees("Send this link")
    bo = people.guest(ada, "Bo", size=(360, 740), scheme="dark")
    ada.plays(5)
    bo.plays(3)
    ada.must_move()
    ada.press("Why?")
    ada.sees("Hide why")
    ada.key(5).hover()
    expect(ada.page.locator(".preview")).to_have_count(1)
    ada.picture("table-desktop-light")
    ada.plays(6)
    bo.must_move()
    bo.press("Why?")
    bo.sees("Hide why")
    bo.page.locator(".brand").scroll_into_view_if_needed()
    expect(bo.page.locator(".brand")).to_be_in_viewport(ratio=1)
    bo.key(4).hover()
    expect(bo.page.locator(".preview")).to_have_count(1)
    bo.picture("table-phone-dark")
    bo.plays(7)
    ada.plays(9)
    ada.sees("You win!")
    ada.picture("end")


def test_a_game_between_a_terminal_and_a_browser(
    people: People, server: Served
) -> None:
    command = ("host", "multiplier-showdown", "--target", "1000", "--name", "Ada")
    ada = Seated(
        *(*command, "--hints", "--server", server.url),
        NO_COLOR="",
        COLORTERM="",
        TERM="xterm-256color",
    )
    ada.wait_for("Waiting for someone to join")
    match_id = ada.text.partition("/m/")[2][:22]
    bo = people.person(f"/m/{match_id}", size=(360, 820), scheme="dark")
    bo.page.get_by_label("Your name").fill("Bo")
    bo.press("Join the game")
    ada.wait_for("Bo has joined.")
    ada.wait_for("Choose a multiplier (2-9): ")
    ada.type("map")
    ada.wait_for("Choose a multiplier (2-9): ")
    ada.type("5")
    ada.wait_for("Bo's turn (? for help): ")
    bo.plays(3)
    ada.wait_for("Choose a multiplier (2-9): ")
    ada.type("6")
    ada.wait_for("Bo's turn (? for help): ")
    bo.must_move()
    bo.total_is(90)
    bo.press("Why?")
    bo.sees("Hide why")
    bo.page.locator(".brand").scroll_into_view_if_needed()
    expect(bo.page.locator(".brand")).to_be_in_viewport(ratio=1)
    bo.misses("away")
    screen = "Bo has joined." + ada.text.partition("Bo has joined.")[2]
    drawn = draw_terminal(screen, " ".join(("ninefold", *command)), "online")
    if os.environ.get("PICTURES") == "write":
        (IN_DOCS / "online-terminal.svg").write_text(drawn, encoding="utf-8")
    keep_picture(bo.page, IN_DOCS / "online-browser.png")
    ada.type("q")
    assert ada.end()[0] == 0
    kept = (IN_DOCS / "online-terminal.svg").read_text(encoding="utf-8")
    assert drawn == kept, "look at it, then draw it anew: PICTURES=write"
    page = (IN_DOCS.parent / "playing-online.md").read_text(encoding="utf-8")
    for picture in ("online-terminal.svg", "online-browser.png"):
        assert f"pictures/{picture}" in page
        assert (IN_DOCS / picture).stat().st_size < LARGEST


SCREENS = {
    "page-320x568": (320, 568),
    "page-844x390": (844, 390),
    "page-zoomed": (640, 400),
    "page-projector": (1920, 1080),
}
"""Small phones, 1280x800 at 200 %, a projector."""
TOGETHER = (*SCREENS, "page-two-on-one-device", "page-how-to-play")


def test_the_page_in_the_docs_as_it_looks(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.get_by_role("combobox", name="Level").select_option("Perfect")
    ada.starts()
    ada.plays(5)
    ada.total_is(40)
    ada.must_move()
    for name, (width, height) in SCREENS.items():
        ada.page.set_viewport_size({"width": width, "height": height})
        expect(ada.key(9)).to_be_in_viewport(ratio=1)
        keep_picture(ada.page, IN_DOCS / f"{name}.png")
    ada.page.set_viewport_size({"width": 600, "height": 1260})
    ada.types("?")
    ada.sees("Close")
    keep_picture(ada.page, IN_DOCS / "page-how-to-play.png")
    cleo = people.person(size=(390, 700), scheme="dark")
    cleo.chooses("here")
    cleo.page.get_by_label("Your name").fill("Cleo")
    cleo.page.get_by_label("Second player").fill("Dan")
    cleo.starts("here")
    for multiplier, name in ((4, "Dan"), (7, "Cleo"), (3, "Dan")):
        cleo.key(multiplier).click()
        cleo.hands_over_to(name)
    cleo.page.mouse.move(0, 0)
    keep_picture(cleo.page, IN_DOCS / "page-two-on-one-device.png")
    page = (IN_DOCS.parent / "playing-online.md").read_text(encoding="utf-8")
    for name in TOGETHER:
        assert f"pictures/{name}.png" in page
        assert (IN_DOCS / f"{name}.png").stat().st_size < LARGEST_IN_DOCS


LEARNING = ("page-step", "page-claim", "page-progress")


def test_learning_in_the_docs_as_it_looks(people: People) -> None:
    ada = people.person("/learn?chapter=reach&step=4", size=(390, 620), scheme="dark")
    ada.page.get_by_label("From", exact=True).fill("6")
    ada.page.get_by_label("To", exact=True).fill("11")
    keep_picture(ada.page, IN_DOCS / "page-step.png")
    ada.page.goto("/learn?game=multiplication-madness&total=8&says=lost")
    ada.sees("Prove it: win 3 games from there")
    ada.types("Enter")
    ada.must_move()
    keep_picture(ada.page, IN_DOCS / "page-claim.png")
    bo = people.person("/practise", size=(390, 780))
    for number in range(1, 13):
        bo.sees(f"{number} of 12")
        bo.answers_item()
        bo.types("Enter")
    bo.sees("Round finished!")
    bo.page.goto("/progress")
    bo.sees("Facts")
    keep_picture(bo.page, IN_DOCS / "page-progress.png")
    page = (IN_DOCS.parent / "learning.md").read_text(encoding="utf-8")
    for name in LEARNING:
        assert f"pictures/{name}.png" in page
        assert (IN_DOCS / f"{name}.png").stat().st_size < LARGEST_IN_DOCS


def test_explore_as_it_looks(people: People) -> None:
    ada = people.person("/explore?game=multiplier-showdown&target=5000&total=24")
    ada.sees("from 24")
    ada.picture("explore")


@pytest.mark.parametrize("name", HOPS)
def test_a_preview_of_a_link_is_what_the_page_draws(people: People, name: str) -> None:
    title, text, target = "The multiplication games", TAGLINE, 1000
    if name != "ninefold":
        book = load(name)
        title, text, target = book.title, book.describe(), book.rules.target
    ada = people.person("/look-back")
    ada.sees("Look back")
    ada.page.set_viewport_size({"width": 1200, "height": TALL})
    ada.page.evaluate(DRAW_PREVIEW, [title, text, HOPS[name], target])
    ada.page.set_viewport_size({"width": 1200, "height": 630})
    keep_picture(ada.page, PREVIEWS / f"{name}.png")
    drawn = Image.open(io.BytesIO(ada.page.screenshot(animations="disabled")))
    kept = Image.open(PREVIEWS / f"{name}.png")
    difference = ImageChops.difference(drawn.convert("L"), kept.convert("L"))
    assert ImageStat.Stat(difference).mean[0] < FAINT, "look at it: PICTURES=write"


def test_every_picture_is_there_and_small() -> None:
    sizes = {path.stem: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert sizes.keys() == NAMES
    assert max(sizes.values()) < LARGEST


CLASS = ("class-join", "class-board", "class-phone", "class-question", "class-results")
CLASS_NAMES = (
    *("Ada", "Ben", "Can", "Dora", "Emil", "Fay", "Gus", "Hana"),
    *("Ida", "Jo", "Kim", "Lea"),
)


def test_a_class_in_the_docs_as_it_looks(people: People, server: Served) -> None:
    teacher = people.person("/teach", size=(1280, 720))
    lesson = Lesson(people, teacher, server)
    pupils = {name: lesson.joins(name) for name in CLASS_NAMES}
    mia = lesson.seats("Mia")
    mia.page.set_viewport_size({"width": 320, "height": 568})
    teacher.sees("13 here")
    keep_picture(teacher.page, IN_DOCS / "class-join.png")
    lesson.starts_a_round()
    rng = Random(4)
    for _ in range(40):
        pupil = pupils[rng.choice(CLASS_NAMES)]
        if pupil.must_move() and pupil.total() < 60:
            pupil.plays(rng.randint(2, 5))
    mia.must_move()
    keep_picture(mia.page, IN_DOCS / "class-phone.png")
    expect(teacher.page.get_by_text("Table 7", exact=True)).to_be_visible()
    keep_picture(teacher.page, IN_DOCS / "class-board.png")
    lesson.opens("Talk")
    typed = teacher.page.locator(".typed-position")
    typed.get_by_label("Game").select_option("multiplier-showdown")
    typed.get_by_label("Total").fill("60")
    typed.get_by_role("button", name="Who wins from here?").click()
    mia.sees("Who wins from here?")
    for name, pupil in pupils.items():
        pupil.answers("mover" if name in "Ada Ben Fay Kim" else "other")
    teacher.sees("12 of 13 have answered")
    teacher.types("ArrowRight")
    teacher.sees("Show the truth")
    teacher.types("ArrowRight")
    expect(teacher.page.locator(".reason")).to_be_visible()
    keep_picture(teacher.page, IN_DOCS / "class-question.png")
    lesson.opens("Only for you")
    teacher.press("Nobody else sees this screen")
    teacher.sees("Dora")
    keep_picture(teacher.page, IN_DOCS / "class-results.png")
    page = (IN_DOCS.parent / "for-teachers.md").read_text(encoding="utf-8")
    for name in CLASS:
        assert f"pictures/{name}.png" in page
        assert (IN_DOCS / f"{name}.png").stat().st_size < LARGEST
