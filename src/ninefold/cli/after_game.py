"""The offers after a game: their prompt, and the words that choose them."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.cli.console import Console
from ninefold.cli.output import width_of
from ninefold.playing.scene import Offer, OfferKind, Scene

_LETTERS = {
    OfferKind.NEXT: "Enter",
    OfferKind.CANCEL: "w",
    OfferKind.REVIEW: "r",
    OfferKind.RETRY: "t",
    OfferKind.PRACTISE: "p",
}
"""The letter that chooses each offer."""
_WORDS = {
    "": OfferKind.NEXT,
    "next": OfferKind.NEXT,
    "rematch": OfferKind.NEXT,
    "withdraw": OfferKind.CANCEL,
    "review": OfferKind.REVIEW,
    "try": OfferKind.RETRY,
    "practise": OfferKind.PRACTISE,
} | {letter: kind for kind, letter in _LETTERS.items()}
_ROOM_TO_ANSWER = 10


def format_offers(console: Console, offers: Iterable[str]) -> str:
    """Return a prompt that lists offers, side by side if they fit."""
    width = width_of(console) - _ROOM_TO_ANSWER
    first, *others = offers
    lines = [first]
    for offer in others:
        beside = f"{lines[-1]} · {offer}"
        if len(beside) > width:
            lines.append(offer)
        else:
            lines[-1] = beside
    return "\n" + "\n".join(lines) + ": "


def offers_prompt(console: Console, scene: Scene, *, has_menu: bool) -> str:
    """Return the prompt after a game: the scene's offers with their letters."""
    made = [
        f"{_LETTERS[kind]} {label}" if offer.is_open else label
        for kind in _LETTERS
        if (offer := _find_offer(scene, kind)) is not None
        for label in [offer.label.fill()]
    ]
    return format_offers(console, [*made, *(["m menu"] if has_menu else []), "q quit"])


def chosen_offer(scene: Scene, word: str) -> Offer | None:
    """Return the offer that an entry chooses, or None."""
    kind = _WORDS.get(word)
    return None if kind is None else _find_offer(scene, kind)


def _find_offer(scene: Scene, kind: OfferKind) -> Offer | None:
    if kind is OfferKind.RETRY:
        return scene.retry_offer
    return next((each for each in scene.offers if each.kind is kind), None)
