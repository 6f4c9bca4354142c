"""The commands and their options, by way of click."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import click

from ninefold import __version__
from ninefold.cli import DONE, ENDED_EARLY, INTERRUPTED, WRONG_USE
from ninefold.cli.books import find_book
from ninefold.cli.commands import COMMANDS
from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.menu import open_menu
from ninefold.errors import NinefoldError, UnknownRulebook

_EPILOG = """
\b
Examples:
  ninefold                                      choose a game from a menu
  ninefold play madness                         play Multiplication Madness
  ninefold play multiplier --target 500         with another target
  ninefold play duel --best-of 5                a match
  ninefold play ./mine.toml                     a rule book of your own

Exit codes: 0 the game ended or you left it with quit, 1 input ended before
the game did, 2 wrong use, 70 ninefold itself failed, 130 Ctrl-C.
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


class _Group(click.Group):
    """Commands in the order they were added. A game's name is short for playing it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.commands:
            _refuse_unless_game(name)
            args = ["play", *args]
        return super().resolve_command(ctx, args)


def _refuse_unless_game(name: str) -> None:
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
    cls=_Group,
    epilog=_EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ninefold", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context) -> None:
    """Play the multiplication games: a shared total, multiplied in turn.

    At a terminal, ninefold alone opens a menu. ninefold GAME is short for
    ninefold play GAME.
    """
    if context.invoked_subcommand is not None:
        return
    if context.obj.at_terminal:
        open_menu(context.obj)
    else:
        click.echo(context.get_help())
        context.exit(WRONG_USE)


for _name, _command in COMMANDS.items():
    _command.params.append(_PLAIN)
    program.add_command(_command, _name)


def run(arguments: Sequence[str], console: Console) -> int:
    """Run a command line; return its exit code."""
    try:
        return _run_click(arguments, console)
    except Left:
        return DONE
    except InputEnded as ended:
        console.notice(str(ended))
        return ENDED_EARLY
    except NinefoldError as error:
        console.notice(f"ninefold: {error}")
        return WRONG_USE


def _run_click(arguments: Sequence[str], console: Console) -> int:
    # Click writes help, versions and completions to the one stream. On Ctrl-C it ends
    # the line on the other, though the console has done so already.
    with redirect_stdout(console.out), redirect_stderr(StringIO()):
        try:
            code: int | None = program.main(
                list(arguments), "ninefold", standalone_mode=False, obj=console
            )
        except click.ClickException as error:
            shown = StringIO()
            error.show(shown)
            console.notice(shown.getvalue().rstrip("\n"))
            return error.exit_code
        except click.Abort:
            return INTERRUPTED
        except SystemExit as left:  # after words are completed, or a pipe was closed
            return int(left.code or DONE)
    return code or DONE
