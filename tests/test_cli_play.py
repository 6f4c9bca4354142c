"""Playing through pipes: the transcripts, the variants, the matches, bad entries."""

from __future__ import annotations

import pytest

from ninefold.rulebooks import KEYS, load
from ninefold.rules import vary
from tests import program

OPTIONS = {"multiplier-showdown": ["--target", "100"]}
by_game = pytest.mark.parametrize("key", KEYS)

BAD_ENTRIES = [
    b"abc",
    b"",
    b"   ",
    b"1",
    b"10",
    b"0",
    b"5.0",
    b"+5",
    b"-3",
    "\uff15".encode(),
    b"1e1",
    b"5 5",
    b"9" * 10_000,
    b"\x00",
    b"5\x1b[2J",
    b"\r5\r5",
    b"\xff\xfe5",
    b"{total}",
    b"undo it",
]


def sample(key: str, ending: str) -> str:
    return (program.SAMPLES / f"{key}.{ending}").read_text()


@by_game
def test_the_transcript_matches_the_sample_byte_for_byte(key: str) -> None:
    finished = program.run("play", key, *OPTIONS.get(key, []), typed=sample(key, "in"))
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout == sample(key, "out")


def test_a_process_prints_the_sample_byte_for_byte() -> None:
    key = "multiplication-duel"
    finished = program.run_process("play", key, typed=sample(key, "in"))
    assert (finished.returncode, finished.stderr) == (0, "")
    assert finished.stdout == sample(key, "out")


def at_a_terminal(key: str) -> str:
    """Return the sample as a terminal shows it: its aim before, a question after."""
    options = vary(load(key).rules, target="100") if key in OPTIONS else None
    aim = f"{load(key).describe(options)} Type ? for help.\n\n"
    return aim + sample(key, "out")


def test_a_real_terminal_echoes_an_entry_once() -> None:
    key = "multiplication-madness"
    terminal = program.RealTerminal("play", key, NO_COLOR="1", LINES="10")
    terminal.type(*sample(key, "in").split(), "q")
    code, screen = terminal.end()
    question = "Enter rematch (Player 2 starts) · r review · t try again from move 3"
    more = "p practise this · q quit: q"
    assert code == 0
    assert screen == at_a_terminal(key) + f"\n{question}\n{more}\n"


@by_game
def test_at_a_terminal_the_aim_comes_first_and_the_offers_last(key: str) -> None:
    options = OPTIONS.get(key, [])
    asks_target = key == "multiplier"
    terminal = program.Terminal("play", key, *options, NO_COLOR="1", LINES="10")
    if asks_target:
        terminal.type("")
    terminal.type(*sample(key, "in").split(), "q")
    code, screen = terminal.end()
    asked = "Target Value (Enter for 1000): \n" if asks_target else ""
    expected = asked + at_a_terminal(key)
    assert (code, screen[: len(expected)]) == (0, expected)
    question = screen[len(expected) :]
    assert question.startswith("\nEnter rematch (Player 2 starts) · r review")
    assert question.endswith("q quit: q\n")


@by_game
@pytest.mark.parametrize("entry", BAD_ENTRIES, ids=lambda entry: repr(entry[:12]))
def test_a_bad_entry_changes_neither_total_nor_turn(key: str, entry: bytes) -> None:
    typed = sample(key, "in").encode()
    options = OPTIONS.get(key, [])
    finished = program.run("play", key, *options, typed=entry + b"\n" + typed)
    expected = sample(key, "out").splitlines()
    shown = finished.stdout.splitlines()
    prompt = next(n for n, line in enumerate(expected) if line.endswith(": 5"))
    assert shown[:prompt] == expected[:prompt]
    assert shown[prompt + 2 :] == expected[prompt:]
    refusal = shown[prompt + 1]
    assert "2-9" in refusal
    assert refusal.isprintable()
    assert len(refusal) < 160
    assert finished.returncode == 0


def test_a_terminal_rejects_bad_entries_too() -> None:
    terminal = program.Terminal("play", "madness")
    typeable = [
        entry.decode() for entry in BAD_ENTRIES if entry.isascii() and len(entry) < 99
    ]
    entries = [entry for entry in typeable if entry.isprintable()]
    assert len(entries) > 8
    terminal.type(*entries, "5", "6", "3", "2", "q")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("Allowed multipliers: 2-9.") == len(entries)
    assert screen.count("Player 1, enter a multiplier (2-9): ") == len(entries) + 2


VARIANTS = {
    "multipliers 2-5": ["--multipliers", "2-5", "--target", "30"],
    "multipliers with gaps": ["--multipliers", "2,3,5,7", "--target", "30"],
    "start 4": ["--start", "4", "--target", "90"],
    "player 2 first": ["--first", "2", "--target", "30"],
    "names": ["--name1", "Ada", "--name2", "Blaise", "--target", "30"],
}


@by_game
def test_variants_read_naturally(key: str) -> None:
    told = []
    for name, options in VARIANTS.items():
        finished = program.run("play", key, *options, typed="5\n3\n2\n3\n")
        assert finished.returncode == 0
        told.append(f"[{name}]\n{finished.stdout}\n")
    program.assert_golden(f"variants-{key}.txt", "".join(told))


@by_game
def test_a_match_shows_the_score_and_ends_when_it_is_decided(key: str) -> None:
    options = ["--target", "30", "--best-of", "3", "--starts", "loser"]
    finished = program.run("play", key, *options, typed="5\n3\n2\n2\nresign\n5\n6\n7\n")
    assert finished.returncode in (0, 1)
    program.assert_golden(f"match-{key}.txt", finished.stdout)


@pytest.mark.parametrize(
    ("key", "level"),
    [
        ("multiplication-madness", "The match ends level at 1 all!"),
        ("multiplication-showdown", "The match ends level, 1-1. Well played, "),
        ("multiplier", "The rounds end 1-1: there is no overall champion!"),
        ("multiplier-showdown", "Nobody wins the match: the rounds end 1 to 1!"),
        ("multiplication-duel", "Nobody wins the match: victories are even, 1 to 1."),
    ],
)
def test_a_set_number_of_games_may_end_level_in_the_games_words(
    key: str, level: str
) -> None:
    finished = program.run("play", key, "--games", "2", typed="resign\n" * 2)
    assert finished.returncode == 0
    assert level in finished.stdout.splitlines()[-1]


def test_a_set_number_of_games_is_played_to_the_last() -> None:
    finished = program.run("play", "duel", "--games", "3", typed="resign\n" * 3)
    assert finished.stdout.count("Starting the Multiplication Duel!") == 3
    both = program.run("play", "duel", "--games", "2", "--best-of", "3")
    assert (both.returncode, "use only one" in both.stderr) == (2, True)


def test_a_match_stops_at_the_deciding_game() -> None:
    typed = "resign\nresign\nresign\n"  # starts alternate: 2 wins, then 1, then 2
    finished = program.run("play", "duel", "--best-of", "3", typed=typed)
    assert finished.returncode == 0
    assert finished.stdout.endswith(
        "Victories of Player 1: 1, of Player 2: 2 (best of 3).\n"
        "Player 2 wins the match with 2 victories to 1!\n"
    )


@pytest.mark.parametrize(
    ("starts", "starters"),
    [("alternate", "1212"), ("same", "1111"), ("winner", "1212"), ("loser", "1111")],
)
def test_starts_sets_who_starts_each_game(starts: str, starters: str) -> None:
    # Whoever starts resigns at once, so the other one wins.
    options = ["--first-to", "4", "--starts", starts]
    finished = program.run("play", "madness", *options, typed="resign\n" * 4)
    begun = [
        line[7] for line in finished.stdout.splitlines() if line.endswith("resign")
    ]
    assert "".join(begun) == starters


def test_a_seed_repeats_every_toss() -> None:
    options = ["--starts", "toss", "--first-to", "5", "--seed"]
    outputs = [
        program.run("play", "madness", *options, seed, typed="resign\n" * 9).stdout
        for seed in ("1", "1", "2", "3", "4")
    ]
    assert outputs[0] == outputs[1]
    assert len(set(outputs)) > 1
    tossed = outputs[0].count("takes the first turn.")
    assert (
        tossed == outputs[0].count("Game Start!") - 1
    )  # --first settles the first game


def test_only_the_first_game_has_a_toss_unless_all_do() -> None:
    options = ["--first", "toss", "--seed", "4", "--best-of", "3"]
    finished = program.run("play", "madness", *options, typed="resign\n" * 3)
    assert finished.stdout.count("The coin is tossed") == 1
    begun = [
        line[7] for line in finished.stdout.splitlines() if line.endswith("resign")
    ]
    assert begun[0] != begun[1] == begun[2] or begun[0] == begun[2] != begun[1]


def test_undo_takes_back_one_move_and_returns_the_turn() -> None:
    finished = program.run("play", "multiplier", typed="undo\n5\nUNDO\n7\n9\n9\n2\n")
    assert finished.returncode == 0
    assert "There is no move to take back yet" in finished.stdout
    assert finished.stdout.count("Taken back: 1 × 5") == 1
    assert "567" in finished.stdout


def test_undo_is_rejected_if_the_rule_book_forbids_it() -> None:
    finished = program.run("play", "madness", typed="5\nundo\n7\n9\n")
    assert finished.returncode == 0
    sentence = "Multiplication Madness does not allow backtracking: moves cannot be"
    assert sentence in finished.stdout
    assert "Current Total is now 315." in finished.stdout


def test_moves_are_typed_as_they_are_shown_and_nobody_passes() -> None:
    typed = "pass\nx5\n× 6\n* 3\nX2\n"
    finished = program.run("play", "madness", "--no-save", typed=typed)
    assert (finished.returncode, finished.stderr) == (0, "")
    refusal = "You cannot pass in this game. You can type 2-9. Type ? for help.\n"
    assert finished.stdout.count(refusal) == 1
    assert "Current Total is now 180.\n" in finished.stdout


def test_help_and_rules_can_be_asked_for_at_the_prompt() -> None:
    options = ["--multipliers", "2,3,5,7"]
    finished = program.run("play", "madness", *options, typed="?\nrules\nquit\n")
    program.assert_golden("help-at-the-prompt.txt", finished.stdout)


@pytest.mark.parametrize("word", ["quit", "Q", "exit"])
def test_quit_leaves_and_says_how_to_continue(word: str) -> None:
    finished = program.run("play", "madness", typed=f"5\n6\n{word}\n")
    assert finished.returncode == 0
    assert finished.stderr == "The game is saved. To continue it: ninefold resume\n"


def test_an_unsaved_game_prints_a_record_for_replay() -> None:
    finished = program.run("play", "madness", "--no-save", typed="5\n6\nquit\n")
    command = "ninefold replay nf1.multiplication-madness.reach100.5x6"
    assert finished.stderr == f"The game so far: {command}\n"


def test_input_that_ends_early_is_code_1_and_loses_nothing() -> None:
    finished = program.run("play", "madness", typed="5\n6")
    assert finished.returncode == 1
    assert finished.stdout.endswith("Player 1, enter a multiplier (2-9): \n")
    assert finished.stderr == (
        "The game is saved. To continue it: ninefold resume\n"
        "The input ended before the game was over.\n"
    )


def test_a_target_of_a_thousand_digits_can_be_played() -> None:
    target = "1" + "0" * 999
    finished = program.run("play", "madness", "--target", target, typed="9\n" * 1047)
    assert finished.returncode == 0
    assert finished.stdout.endswith("Player 1 wins the game!\n")


def test_a_total_of_almost_two_thousand_digits_is_shown() -> None:
    options = ["--target", "9" * 1000, "--multipliers", "2," + "8" * 1000]
    typed = "2\n" + "8" * 1000 + "\n"
    finished = program.run("play", "madness", *options, typed=typed)
    assert finished.returncode == 0
    assert f"Current Total is now 1{'7' * 999}6." in finished.stdout


def test_an_endless_entry_is_truncated_and_rejected_once() -> None:
    finished = program.run("play", "madness", typed="9" * 50_000 + "\n8\n9\n2\n")
    assert finished.returncode == 0
    assert finished.stdout.count("Allowed multipliers: 2-9.") == 1


def test_windows_line_endings_are_accepted() -> None:
    assert program.run("play", "madness", typed="5\r\n6\r\n3\r\n2\r\n").returncode == 0


def test_a_pipe_plays_a_needless_loss_without_confirmation() -> None:
    finished = program.run("play", "multiplication-showdown", typed="9\n5\n9\n")
    assert finished.returncode == 0
    assert "Accept the loss?" not in finished.stdout
    assert "has exceeded 100" in finished.stdout


def test_an_endless_pipe_without_moves_is_an_error() -> None:
    finished = program.run("play", "madness", typed="5\n" + "y\n" * 5000)
    assert finished.returncode == 2
    assert "none of 1,000 entries was a move" in finished.stderr
