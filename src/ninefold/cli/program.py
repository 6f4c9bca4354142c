"""The click program: commands, help, errors and exit codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper

import click

from ninefold import __version__
from ninefold.cli import DONE, ENDED_EARLY, INTERRUPTED, NO_STORED_GAME, WRONG_USE
from ninefold.cli.commands import COMMANDS, GROUPS
from ninefold.cli.commands.play import NO_FRAMES
from ninefold.cli.console import Console, EndOfInput, QuitRequested
from ninefold.cli.menu import open_menu
from ninefold.cli.options import did_you_mean, find_book
from ninefold.cli.storage import NoStoredGame
from ninefold.errors import NinefoldError, UnknownRulebook
from ninefold.rulebooks import KEYS
from ninefold.text import excerpt
from ninefold.views.match_text import sentence

_WIDEST_HELP = 80
_GAMES = [*KEYS, *(part for key in KEYS for part in key.split("-"))]
"""Suggestions for a mistyped game: the keys, and the words in them."""
_NO_TERMINAL = "the app and the menu need a terminal; give a command"
_EPILOG = """
\b
Examples:
  ninefold                                      everything, full-screen
  ninefold play madness                         play Multiplication Madness
  ninefold play multiplier --target 500         with another target
  ninefold play duel --best-of 5                a match
  ninefold play ./mine.toml                     a rule book of your own

Exit codes: 0 the game ended or you left it with quit, 1 the input ended too
early or there is no game to continue, 2 usage error, 70 ninefold itself failed,
130 Ctrl-C.
"""


def _set_plain(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's
    if value:
        context.obj.plain = True


_PLAIN = click.Option(
    ["--plain"],
    is_flag=True,
    expose_value=False,
    callback=_set_plain,
    help="Print plain lines: no colour, boxes or drawings.",
)
"""An option of every command, for screen readers and simple terminals."""


class _Formatter(click.HelpFormatter):
    """Narrows the column of options, so that their help fits a narrow terminal."""

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = 30,
        col_spacing: int = 2,
    ) -> None:
        super().write_dl(rows, min(col_max, self.width * 2 // 5), col_spacing)


class _Context(click.Context):
    formatter_class = _Formatter


class _Group(click.Group):
    """Lists commands in the order they were added; GAME is short for play GAME."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(
        self,
        ctx: click.Context,
        formatter: click.HelpFormatter,
    ) -> None:
        # by purpose, a line for each command
        widest = max(map(len, COMMANDS))
        for purpose, commands in GROUPS.items():
            with formatter.section(purpose):
                formatter.write_dl(
                    [
                        (
                            f"{name:{widest}}",
                            command.get_short_help_str(limit=_WIDEST_HELP),
                        )
                        for name, command in commands.items()
                    ]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.commands:
            _refuse_unless_game(name, ctx)
            args = ["play", *args]
        return super().resolve_command(ctx, args)


def _refuse_unless_game(name: str, context: click.Context) -> None:
    try:
        find_book(name)
    except UnknownRulebook as error:
        if error.several:
            raise
        message = f"'{error.name}' is neither a command nor a game"
        raise click.UsageError(
            message + did_you_mean(name, [*COMMANDS, *_GAMES]), context
        ) from None


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

    At a terminal, ninefold alone opens a full-screen app, or a menu where the
    terminal is small or plain. ninefold GAME is short for ninefold play GAME.
    """
    if context.invoked_subcommand is not None:
        return
    console: Console = context.obj
    if not console.at_terminal:
        click.echo(context.get_help())
        console.print_error(f"ninefold: {_NO_TERMINAL}")
        context.exit(WRONG_USE)
    elif console.open_app is None or not console.suits_app:
        open_menu(console)
    elif not console.shows_frames:
        console.print_error(sentence(NO_FRAMES))
        open_menu(console)
    else:
        context.exit(console.open_app())


for _name, _command in COMMANDS.items():
    program.add_command(_command, _name)
for _command in (program, *COMMANDS.values()):
    _command.params.append(_PLAIN)
    _command.context_class = _Context


def run(arguments: Sequence[str], console: Console) -> int:
    """Run a command line and return its exit code; print expected errors."""
    try:
        return _run_click(arguments, console)
    except QuitRequested:
        return DONE
    except EndOfInput as ended:
        console.print_error(str(ended))
        return ENDED_EARLY
    except NoStoredGame as error:
        console.print_error(f"ninefold: {error}")
        return NO_STORED_GAME
    except NinefoldError as error:
        console.print_error(f"ninefold: {_sentence(error)}")
        return WRONG_USE


def _sentence(error: NinefoldError) -> str:
    """Return an error's message; for a mistyped game, suggest the closest one."""
    if isinstance(error, UnknownRulebook) and not error.several:
        closest = did_you_mean(error.name, _GAMES)
        if closest:
            return f"'{error.name}' is not a game{closest}"
    return str(error)


def _run_click(arguments: Sequence[str], console: Console) -> int:
    # Click prints help, versions and completions, as text or as bytes, to stdout. On
    # Ctrl-C it prints a line feed to stderr, which the console has done already.
    written = BytesIO()
    stdout = TextIOWrapper(written, encoding="utf-8", write_through=True)
    with redirect_stdout(stdout), redirect_stderr(StringIO()):
        try:
            code: int | None = program.main(
                list(arguments),
                "ninefold",
                standalone_mode=False,
                obj=console,
                terminal_width=min(console.columns, _WIDEST_HELP) - 2,
            )
        except click.ClickException as error:
            _explain(console, error)
            return error.exit_code
        except click.Abort:
            return INTERRUPTED
        except SystemExit as left:  # after shell completion, or at a closed pipe
            return int(left.code or DONE)
        finally:
            text = written.getvalue().decode()
            if console.writes_to_terminal:
                console.print(text)
            else:  # a shell reads completions, so nothing may be escaped
                console.out.write(text)
    return code or DONE


def _explain(console: Console, error: click.ClickException) -> None:
    """Print a usage error like every other error, and point to --help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and context is not None:
        options = [name for each in context.command.params for name in each.opts]
        problem = f"there is no option {excerpt(error.option_name)}"
        problem += did_you_mean(error.option_name, options)
    else:
        problem = error.format_message().removesuffix(".")
        problem = problem[:1].lower() + problem[1:]
    console.print_error(f"ninefold: {problem}")
    path = "ninefold" if context is None else context.command_path
    console.print_error(f"Try '{path} --help'.")
