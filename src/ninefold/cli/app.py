"""The commands and their options, by way of click."""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING

import click

from ninefold import __version__
from ninefold.cli import INTERRUPTED
from ninefold.cli.books import find_book
from ninefold.errors import UnknownRulebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ninefold.cli.console import Console

COMMANDS = (
    "play",
    "resume",
    "games",
    "rules",
    "solve",
    "why",
    "map",
    "table",
    "review",
    "puzzle",
    "facts",
    "history",
    "stats",
    "replay",
    "export",
    "import",
)

_EPILOG = """
\b
Examples:
  ninefold                                      choose a game from a menu
  ninefold play madness                         play Multiplication Madness
  ninefold play multiplier --target 500         with another target
  ninefold play duel --best-of 5                a match
  ninefold play ./mine.toml                     a rule book of your own

Exit codes: 0 the game ended or you left it with quit, 1 input ended before
the game did, 2 wrong use, 130 Ctrl-C.
"""


def _be_plain(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's
    if value:
        context.obj.plain = True


_PLAIN = click.Option(
    ["--plain"],
    is_flag=True,
    expose_value=False,
    callback=_be_plain,
    help="Lines only: no colour, no boxes, nothing drawn.",
)
"""Every command has it, for screen readers and simple terminals."""


class _Commands(click.Group):
    """Loads a command when it is asked for. What is no command may be a game."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        if name not in COMMANDS:
            return None
        module = f"{name}_" if iskeyword(name) else name
        commands = "ninefold.cli.commands"
        command: click.Command = import_module(f"{commands}.{module}").command
        if _PLAIN not in command.params:
            command.params.append(_PLAIN)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS:
            _refuse_what_is_no_game(name)
            args = ["play", *args]
        return super().resolve_command(ctx, args)


def _refuse_what_is_no_game(name: str) -> None:
    try:
        find_book(name)
    except UnknownRulebook as error:
        if not error.several:
            commands, games = ", ".join(COMMANDS), ", ".join(error.candidates)
            message = (
                f"'{error.name}' is neither a command ({commands})"
                f" nor a game ({games})."
            )
            raise click.UsageError(message) from None
        raise


@click.command(
    cls=_Commands,
    epilog=_EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ninefold", message="%(prog)s %(version)s")
@click.pass_context
def ninefold(context: click.Context) -> None:
    """Play the multiplication games: a shared total, multiplied in turn.

    At a terminal, ninefold alone opens a menu. ninefold GAME is short for
    ninefold play GAME.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        context.exit(2)


def run(arguments: Sequence[str], console: Console) -> int:
    """Run a command line."""
    try:
        code = ninefold.main(
            list(arguments), prog_name="ninefold", standalone_mode=False, obj=console
        )
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    return code or 0
