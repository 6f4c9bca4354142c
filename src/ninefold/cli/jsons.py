"""The JSON of the data commands. ``docs/command-line.md`` describes every key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ninefold.numerals import to_json

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.rules import Rules
    from ninefold.theory import Band


def say_json(console: Console, content: object) -> None:
    """Say something as JSON."""
    console.say(json.dumps(content, indent=2) + "\n")


def rules_as_json(rules: Rules) -> dict[str, object]:
    """Return what makes the rules."""
    return {
        "ending": rules.ending.value,
        "target": to_json(rules.target),
        "multipliers": numbers_as_json(rules.multipliers),
        "start": to_json(rules.start),
    }


def numbers_as_json(numbers: tuple[int, ...] | list[int]) -> list[int | str]:
    """Return numbers, each in the form it has in JSON."""
    return [to_json(number) for number in numbers]


def band_as_json(band: Band) -> dict[str, int | str]:
    """Return both ends of a band."""
    return {"lowest": to_json(band.lowest), "highest": to_json(band.highest)}
