"""The scripted match in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.people import People, Person
from tests.scripted import play
from tests.servers import Served


class InBrowser:
    """Bo at the page: what is told is shown, or said by a screen reader."""

    changed = "The total starts here."  # the page loads itself again

    def __init__(self, people: People) -> None:
        self._people = people
        self._person: Person

    def sit(self, link: str) -> None:
        self._person = self._people.person(link)
        self._person.page.get_by_label("Your name").fill("Bo")
        self._person.press("Join the game")
        self._person.sees("you")

    def plays(self, multiplier: int) -> None:
        self._person.plays(multiplier)

    def answers(self, *, yes: bool) -> None:
        agrees = "Take it back|Play .* and lose"
        self._person.press(re.compile(agrees if yes else "Choose another|anyway"))

    def hint(self) -> None:
        self._person.press("Hint")

    def why(self) -> None:
        self._person.press("Why?")

    def undo(self) -> None:
        self._person.press(re.compile("Take back"))

    def goes_on(self) -> None:
        self._person.press(re.compile("rematch"))

    def is_told(self, sentence: str) -> None:
        told = re.compile(re.escape(sentence), re.IGNORECASE)
        expect(self._person.page.locator("body")).to_contain_text(told)


def test_the_scripted_match_says_in_a_browser_what_every_surface_says(
    people: People, server: Served
) -> None:
    play(InBrowser(people), server)
