"""The command line. ``main`` is the whole program: it ends in an exit code."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ninefold.cli.console import Console

DONE = 0
"""The game ended, or the players left it, or the question was answered."""
ENDED_EARLY = 1
"""Input ended before the game did, or output could not be written."""
WRONG_USE = 2
INTERRUPTED = 130
"""Ctrl-C."""


def main() -> int:
    """Run the command that the program was started with."""
    try:
        from ninefold.cli.console import Console

        console = Console.standard()
    except KeyboardInterrupt:
        return INTERRUPTED
    try:
        code = _run(sys.argv[1:], console)
        console.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = ENDED_EARLY
    except UnicodeError:
        console.notice(
            "ninefold: the input or the output is in an odd encoding; use UTF-8"
        )
        code = ENDED_EARLY
    except OSError as error:
        console.notice(f"ninefold: {error.strerror or error}")
        code = ENDED_EARLY
    console.let_go()
    return code


def _run(arguments: Sequence[str], console: Console) -> int:
    from ninefold.cli.console import InputEnded, Left
    from ninefold.errors import NinefoldError

    try:
        match arguments:
            case ["play", game] if not game.startswith("-"):
                # Without options there is nothing to parse: the first prompt need
                # not wait for click, which takes thrice as long to load as Python.
                from ninefold.cli.agreement import agree
                from ninefold.cli.sitting import sit_down

                sit_down(console, agree(console, game))
                return DONE
            case [] if console.at_terminal and "_NINEFOLD_COMPLETE" not in os.environ:
                from ninefold.cli.menu import open_menu

                open_menu(console)
                return DONE
            case _:
                from ninefold.cli.app import run

                return run(arguments, console)
    except Left:
        return DONE
    except InputEnded as ended:
        console.notice(str(ended))
        return ENDED_EARLY
    except NinefoldError as error:
        console.notice(f"ninefold: {error}")
        return WRONG_USE
