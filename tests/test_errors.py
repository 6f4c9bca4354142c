from __future__ import annotations

import copy
import pickle

import pytest

from ninefold import errors

SPECIAL: tuple[errors.NinefoldError, ...] = (
    errors.IllegalMove(12, (2, 3)),
    errors.BotFailed("Otto", "ended before its answer"),
    errors.MatchChanged(),
    errors.MissingExtra("ninefold.rl.batch", "NumPy", "rl"),
    errors.NameInUse("Mia"),
    errors.RecordError("column 3", "expected the end"),
    errors.ProposalError("target", "the target must be greater than the start"),
    errors.PositionError(7, "write a total above it"),
    errors.RequestRefused(409, "seat_taken", "somebody sits there already"),
    errors.RulebookError("mine.toml", "title", "expected a line"),
    errors.UnknownRulebook("chess", ("multiplier",), several=False),
    errors.StoreUnavailable("games.db", "it is a folder"),
    errors.StoreTooNew("games.db", found=9, known=1),
    errors.DamagedStore("games.db", "parts of it cannot be read"),
    errors.DamagedMatch("m1", "column 3"),
    errors.DamagedClass("a command is missing"),
    errors.UnknownMatch("m1"),
    errors.UnknownClass(),
    errors.UnknownLearner("Ada", ["Bo"]),
    errors.NameTaken("Ada", "Ada"),
    errors.RevisionConflict("m1", 2),
    errors.ExportError(3, "ninefold: expected version 1"),
)


def whole_tree(base: type[errors.NinefoldError]) -> list[type[errors.NinefoldError]]:
    own = base.__module__ == errors.__name__
    below = [kind for child in base.__subclasses__() for kind in whole_tree(child)]
    return [base, *below] if own else below


def one_of_each() -> list[errors.NinefoldError]:
    special = {type(error): error for error in SPECIAL}
    kinds = whole_tree(errors.NinefoldError)
    return [special.get(kind) or kind("a sentence") for kind in kinds]


@pytest.mark.parametrize("error", one_of_each(), ids=lambda e: type(e).__name__)
def test_every_error_can_be_pickled(
    error: errors.NinefoldError,
) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@pytest.mark.parametrize(
    "error",
    [
        errors.RulebookError("mine\x1b[2J.toml", "title\n", "found \x07"),
        errors.RecordError("game\r", "found \u202e"),
        errors.StoreUnavailable("\x1b]0;home\x07", "it is a folder"),
        errors.NinefoldError("\udce9"),
    ],
)
def test_no_error_contains_control_characters(
    error: errors.NinefoldError,
) -> None:
    assert str(error).isprintable()


def test_an_error_of_the_store_says_where_and_what_and_keeps_both() -> None:
    unavailable = errors.StoreUnavailable("games.db", "it is a folder")
    assert str(unavailable) == "games.db: it is a folder"
    assert (unavailable.path, unavailable.problem) == ("games.db", "it is a folder")


def test_an_illegal_move_with_a_single_multiplier_offers_no_choice() -> None:
    assert str(errors.IllegalMove(3, (2,))) == "3 is not a multiplier here; choose 2"


@pytest.mark.parametrize(
    "odd", [10**5000, [10**5000], "\x1b", "9" * 999], ids=["int", "list", "esc", "str"]
)
def test_an_illegal_move_of_any_type_can_be_quoted(odd: object) -> None:
    for error in (errors.IllegalMove(odd, (2,)), errors.PositionError(odd, "no")):
        assert str(error).isprintable()
        assert len(str(error)) < 100
