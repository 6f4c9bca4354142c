"""Matches at this terminal: play, resume; the full-screen app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from shlex import quote
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ninefold.cli import options, storage
from ninefold.cli.bots import PLAYER, BotLine, running_bots
from ninefold.cli.commands.online import rejoin
from ninefold.cli.console import Console
from ninefold.cli.output import line_of_match, short_id
from ninefold.cli.play_screen import TableScreen
from ninefold.cli.setup_questions import new_seed, prompt_until_valid, settle_target
from ninefold.cli.task_games import settle_claim
from ninefold.errors import NinefoldError, ServerUnreachable, UnknownMatch
from ninefold.game import Seat
from ninefold.levels import BOT_PREFIX, HUMAN, LEVELS
from ninefold.notation import Record, write_line
from ninefold.online.links import MatchLink
from ninefold.session import HERE, Lessons, Proposal, Session, Setup
from ninefold.session.lessons import MOST_GIVE_BACKS
from ninefold.session.table import Table
from ninefold.store import Store, StoredMatch

if TYPE_CHECKING:
    from ninefold.arena.bot_process import Bot

_MOST_LISTED = 20
_PACE = 0.8
"""Seconds that a level pretends to think, at a terminal."""
NO_FRAMES = "this terminal cannot draw the app's frames; set LC_ALL=C.UTF-8 to use it"
_WHO = f"Player {{}}: {HUMAN}, {', '.join(LEVELS)}, or {BOT_PREFIX}COMMAND."
_BOT_AGAIN = "Bot that plays Player {}: bot:COMMAND."


@options.command(
    "play madness",
    "play multiplier --target 500 --multipliers 2-5",
    "play duel --best-of 5 --starts loser --name1 Ada --name2 Blaise",
    "play multiplier-showdown --p2 expert --coach",
    "play madness --p1 planner --p2 perfect --pace 2 --seed 7",
    "play madness --p2 bot:./mybot.py",
    after="At the prompt, ? shows what you can type.",
)
@options.match_options("Who starts.")
@click.option("--name1", help="Name of Player 1.")
@click.option("--name2", help="Name of Player 2.")
@click.option("--p1", type=PLAYER, metavar="WHO", default=HUMAN, help=_WHO.format(1))
@click.option("--p2", type=PLAYER, metavar="WHO", default=HUMAN, help=_WHO.format(2))
@options.pace_option
@click.option(
    "--seed",
    type=options.SEED,
    metavar="N",
    help="Make tosses and the computer repeatable.",
)
@click.option("--coach", is_flag=True, help="Warn before a move gives the win away.")
@click.option(
    "--give-backs",
    type=options.WholeNumber(0, MOST_GIVE_BACKS),
    metavar="N",
    help="Second chances that the coach gives in a game.  [default: 3]",
)
@click.option("--mental", is_flag=True, help="Work out each product before you see it.")
@options.learner_option("Learner who plays against the computer; remembered.")
@click.option("--no-save", is_flag=True, help="Do not save this game.")
@click.pass_obj
def play(
    console: Console,
    *,
    proposal: Proposal,
    name1: str | None,
    name2: str | None,
    p1: str,
    p2: str,
    pace: float | None,
    seed: int | None,
    coach: bool,
    give_backs: int | None,
    mental: bool,
    learner: str | None,
    no_save: bool,
) -> None:
    """Play GAME against a person or the computer.

    GAME is a key, a part of one, or a rule book file of your own.
    """
    if give_backs is not None and not coach:
        message = "--give-backs needs --coach."
        raise click.UsageError(message)
    people = [seat for seat, who in zip(Seat, (p1, p2), strict=True) if who == HUMAN]
    names = _with_learner(console, (name1, name2), people, learner, save=not no_save)
    with running_bots(p1, p2) as bots:
        proposal = replace(
            proposal,
            player=p1 if p1 in LEVELS else HUMAN,
            opponent=p2 if p2 in LEVELS else HERE,
            lessons=Lessons(
                coach=coach,
                give_backs=Lessons().give_backs if give_backs is None else give_backs,
                mental=mental,
            ),
            name=names[0],
            other_name=names[1],
        )
        setup = settle_target(console, proposal).setup(
            new_seed() if seed is None else seed,
            {seat: bot.name for seat, bot in bots.items()},
        )
        called = click.get_current_context().params["game"]
        saves = not no_save
        play_match(console, setup, save=saves, pace=pace, called=called, bots=bots)


@click.command()
@click.pass_context
def app(context: click.Context) -> None:
    """Open the full-screen app."""
    console: Console = context.obj
    if console.open_app is None or not console.at_terminal:
        message = "the app needs a terminal; ninefold play GAME works without one"
        raise NinefoldError(message)
    if not console.shows_frames:
        raise NinefoldError(NO_FRAMES)
    context.exit(console.open_app())


@options.command(
    "resume",
    "resume --list",
    "resume 3f2a",
    "resume 3f2a --drop",
    "resume --p2 bot:./mybot.py",
)
@click.argument("id", required=False)
@click.option("--list", "as_list", is_flag=True, help="List the unfinished games.")
@click.option("--drop", is_flag=True, help="Drop the game ID from this list.")
@click.option("--p1", type=BotLine(), metavar="BOT", help=_BOT_AGAIN.format(1))
@click.option("--p2", type=BotLine(), metavar="BOT", help=_BOT_AGAIN.format(2))
@options.pace_option
@click.pass_obj
def resume(
    console: Console,
    *,
    id: str | None,  # noqa: A002 - it is called so on the command line
    as_list: bool,
    drop: bool,
    p1: str | None,
    p2: str | None,
    pace: float | None,
) -> None:
    """Continue an unfinished game.

    By default this is the last one; ID picks another. The start of an ID is
    enough if only one game matches it; last is the last game.
    """
    with storage.open_store(console) as store:
        if as_list:
            _list(console, store)
            return
        if drop:
            _drop(console, store, id)
            return
        if id in (None, storage.LAST):
            stored = _latest(store)
        else:
            stored = store.match(_named(store, id))
    _refuse_bots(stored, p1, p2)
    resume_match(console, stored, pace=pace, bots=(p1, p2))


def _refuse_bots(stored: StoredMatch, *bots: str | None) -> None:
    """Raise an error if a bot is given for a level's seat, or for an online match."""
    seats = [seat for seat, bot in zip(Seat, bots, strict=True) if bot is not None]
    if seats and stored.origin is not None:
        link = MatchLink(stored.origin.server, stored.id)
        message = f"this match is online; run ninefold join {link} --as bot:COMMAND"
        raise NinefoldError(message)
    for seat in seats:
        if not stored.setup.is_person(seat):
            name = stored.setup.name(seat)
            message = f"{name} is the computer in this game; choose the other seat"
            raise NinefoldError(message)


def _list(console: Console, store: Store) -> None:
    unfinished = store.unfinished()
    for row in unfinished[:_MOST_LISTED]:
        console.print(f"{line_of_match(row)}\n")
    if len(unfinished) > _MOST_LISTED:
        more = len(unfinished) - _MOST_LISTED
        console.print_error(
            f"{more} older ones are not shown; ninefold history lists them."
        )
    if not unfinished:
        console.print_error("There are no unfinished games.")


def _drop(console: Console, store: Store, name: str | None) -> None:
    if name is None:
        message = "--drop needs the ID of a game; ninefold resume --list shows them."
        raise click.UsageError(message)
    match_id = _latest(store).id if name == storage.LAST else _named(store, name)
    store.set_aside(match_id)
    console.print_error(f"Dropped game {short_id(match_id)}; it stays in the history.")


def _latest(store: Store) -> StoredMatch:
    """Return the latest unfinished match, which the menu and the app continue, too."""
    left = store.latest_unfinished()
    if left is None:
        message = "there is no unfinished game; start one with ninefold play"
        raise storage.NoStoredGame(message)
    return left[1]


def _named(store: Store, name: str) -> str:
    """Return the id of the only unfinished match whose id starts with ``name``."""
    with suppress(UnknownMatch):
        return storage.find_match(store, name, unfinished=True)
    try:
        over = short_id(storage.find_match(store, name))
    except UnknownMatch as error:
        message = f"{error}{options.did_you_mean(name, [storage.LAST])}"
    else:
        message = f"match {over} is over; see it with ninefold review {over}"
    raise NinefoldError(message)


def _with_learner(
    console: Console,
    names: tuple[str | None, str | None],
    people: Sequence[Seat],
    learner: str | None,
    *,
    save: bool,
) -> tuple[str | None, str | None]:
    """Default the name of the only person at the table to the learner's name."""
    if len(people) != 1:
        if learner is not None:
            message = "--learner needs one person against the computer; use --name1."
            raise click.UsageError(message)
        return names
    one, two = names
    name = one if people == [Seat.ONE] else two
    if name is not None and learner is not None:
        number = people[0].value
        message = f"use either --learner or --name{number}, not both."
        raise click.UsageError(message)
    if name is None:
        name = storage.learner_name(console, learner, save=save)
    return (name, two) if people == [Seat.ONE] else (one, name)


def play_match(
    console: Console,
    setup: Setup,
    *,
    save: bool = True,
    pace: float | None = None,
    called: str = "",
    has_menu: bool = False,
    bots: Mapping[Seat, Bot] | None = None,
) -> bool:
    """Play a match here and, at a terminal, as many rematches as the players like.

    ``called`` is the game as it was typed, for the hint that replays a game of a custom
    rule book. ``has_menu`` offers the menu after a game. Return whether it was chosen.
    """
    table = storage.open_table(console, Session.start(setup), save=save)
    return _play_here(console, table, pace, called, has_menu=has_menu, bots=bots)


def resume_match(
    console: Console,
    stored: StoredMatch,
    *,
    pace: float | None = None,
    has_menu: bool = False,
    bots: tuple[str | None, str | None] = (None, None),
) -> bool:
    """Resume a stored match as ``play_match`` does; rejoin an online one.

    ``bots`` are the command lines of the seats that bots play. None is stored, so a
    person is prompted for those that are missing.
    """
    if stored.origin is not None:
        link = MatchLink(stored.origin.server, stored.id)
        try:
            return rejoin(console, link, has_menu=has_menu)
        except ServerUnreachable as error:
            message = f"{error}; if you host it, run ninefold host again"
            raise ServerUnreachable(message) from error
    one, two = (
        _prompt_bot(console, stored.setup, seat) if line is None else line
        for seat, line in zip(Seat, bots, strict=True)
    )
    with running_bots(one, two) as running:
        table = storage.open_table(console, stored.session, match_id=stored.id)
        called = stored.setup.book
        return _play_here(console, table, pace, called, has_menu=has_menu, bots=running)


def _prompt_bot(console: Console, setup: Setup, seat: Seat) -> str | None:
    """Prompt for the command line of the bot that played a seat, if one did."""
    if seat not in setup.bots:
        return None
    name = setup.name(seat)
    if not console.interactive:
        option = f"--p{seat.value} {BOT_PREFIX}COMMAND"
        console.print_error(f"{name} was a bot; use {option} to let it continue.")
        return None
    question = f"{name} is a bot. Its command line (Enter: play it yourself): "
    return prompt_until_valid(console, question, _read_bot)


def _read_bot(line: str) -> str | None:
    """Check that the bot of a command line starts; return None for an empty line."""
    player = f"{BOT_PREFIX}{line.removeprefix(BOT_PREFIX)}" if line else None
    with running_bots(player):
        return player


def _play_here(
    console: Console,
    table: Table,
    pace: float | None,
    called: str,
    *,
    has_menu: bool,
    bots: Mapping[Seat, Bot] | None,
) -> bool:
    if bots:
        from ninefold.arena.bot_table import BotTable

        table = BotTable(table, bots, console.print_error)
    if pace is None:
        pace = _PACE if console.at_terminal else 0
    screen = TableScreen(
        console,
        table,
        resume_hint=lambda: _where_it_is(table, called, bots or {}),
        pace=pace,
        has_menu=has_menu,
        play_claim=partial(settle_claim, console),
    )
    return screen.play()


def _where_it_is(table: Table, called: str, bots: Mapping[Seat, Bot]) -> str:
    """Return how to resume the match, or else how to replay its game.

    It includes the bots' command lines, which are not stored.
    """
    session = table.session
    if table.is_stored:
        again = [
            f" --p{s.value} {quote(BOT_PREFIX + bot.command)}"
            for s, bot in bots.items()
        ]
        return f"The game is saved. To continue it: ninefold resume{''.join(again)}"
    if not session.game.moves:
        return ""
    line = write_line(Record(session.game, session.book.key))
    if session.setup.book_text is not None:
        line += f" --game {quote(called)}"
    return f"The game so far: ninefold replay {line}"
