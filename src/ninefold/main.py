"""The program: starts the command line, the app or the server; returns an exit code."""

from __future__ import annotations

import signal
import sys
import traceback
import webbrowser
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import convert

from ninefold.cli import DONE, ENDED_EARLY, INTERRUPTED, UNEXPECTED
from ninefold.cli.console import Console, Hosting, Serving, Teaching
from ninefold.cli.options import named_book
from ninefold.cli.program import run
from ninefold.cli.storage import home, player_store
from ninefold.errors import NinefoldError
from ninefold.store.files import make_folder, open_private

if TYPE_CHECKING:
    from ninefold.server.run import Terminal

_PREFERENCES = "app.json"
_ANYWHERE = Hosting(None, None)
_NO_THREAD = "can't start new thread"
"""Python's message for a failed thread start, which has no exception type."""
_TOO_LITTLE_MEMORY = "there is too little memory; free some, and try again"
Pilot = Callable[[object], Coroutine[object, object, None]]
"""Operates the app in tests; called with Textual's own pilot."""


def main(argv: Sequence[str] | None = None, console: Console | None = None) -> int:
    """Run a command line, by default ``sys.argv``, and return its exit code.

    Every failure becomes a sentence on standard error: no exception escapes.
    """
    if console is None:
        # A script's shell lets what it starts in the background ignore Ctrl-C, which is
        # how people are told to leave.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        console = Console.standard()
        console.open_app = partial(open_app, console)
        console.serve = partial(serve, console)
        console.teach = partial(teach, console)
        console.open_server = partial(open_server, console)
        console.draw_qr = draw_qr
    try:
        code = run(sys.argv[1:] if argv is None else argv, console)
        console.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = ENDED_EARLY
    except UnicodeError:
        console.print_error(
            "ninefold: the input or the output is not UTF-8; set LC_ALL=C.UTF-8"
        )
        code = ENDED_EARLY
    except OSError as error:
        console.print_error(f"ninefold: {error.strerror or error}")
        code = ENDED_EARLY
    except Exception as error:  # noqa: BLE001 - the last resort: a sentence, no traceback
        if isinstance(error, MemoryError) or str(error) == _NO_THREAD:
            console.print_error(f"ninefold: {_TOO_LITTLE_MEMORY}")
            code = ENDED_EARLY
        else:
            _report(error, console)
            code = UNEXPECTED
    console.release()
    return code


def open_app(
    console: Console,
    *,
    headless: bool = False,
    pilot: Pilot | None = None,
    hosting: Hosting = _ANYWHERE,
) -> int:
    """Run the full-screen app, and return its exit code.

    ``headless`` and ``pilot`` let a program operate it. ``hosting`` is the address of
    the app's own server, which starts on demand and ends with the app.
    """
    # Loading Textual takes a quarter of a second; spare the other surfaces that.
    from ninefold.app import Environment, NinefoldApp, PreferencesFile, theme_for

    with ExitStack() as stack:

        @cache
        def own_server() -> str:
            return stack.enter_context(open_server(console, hosting))

        environment = Environment(
            lambda: player_store(console),
            clock=console.now,
            motion=console.environ.get("NINEFOLD_MOTION") != "off",
            memory=PreferencesFile(_file_beside_games(console, _PREFERENCES)),
            seats_folder=lambda: Path(home(console.environ)),
            server=console.environ.get("NINEFOLD_SERVER", "").strip(),
            own_server=own_server,
            draw_qr=draw_qr,
            read_rulebook=named_book,
        )
        theme = theme_for(console.environ.get("COLORFGBG", ""))
        app = NinefoldApp(environment, theme)
        app.run(headless=headless, auto_pilot=pilot)
    if app.failure is not None:
        raise app.failure
    return app.return_code or DONE


def serve(console: Console, serving: Serving) -> int:
    """Run a server until it is stopped, and return its exit code."""
    with _extra("serving"):
        # Loading the server takes a third of a second, and needs an extra.
        from ninefold.server import run
        from ninefold.server.asgi import Options
        from ninefold.server.run import BindAddress
    run.serve(
        BindAddress(serving.host, serving.port),
        serving.database,
        Path(home(console.environ)),
        Options(
            public_url=serving.public_url,
            keep_days=serving.keep_days,
            workers=serving.workers,
            trusted_proxies=serving.trusted_proxies,
        ),
        _terminal(console),
    )
    return DONE


def teach(console: Console, teaching: Teaching) -> int:
    """Run a class until it is stopped, and return its exit code."""
    with _extra("a class"):
        from ninefold.server.teach import Lesson
        from ninefold.server.teach import teach as run_class
    lesson = convert(teaching, Lesson, from_attributes=True)
    show = webbrowser.open if console.at_terminal else lambda _: None
    run_class(lesson, Path(home(console.environ)), _terminal(console), show)
    return DONE


def _terminal(console: Console) -> Terminal:
    """Return the console as the output of a server."""
    from ninefold.server.run import Terminal

    return Terminal(
        print=console.print,
        log=console.print_error,
        flush=console.flush,
        draws=console.at_terminal,
        clock=console.clock,
    )


def open_server(console: Console, hosting: Hosting) -> AbstractContextManager[str]:
    """Return a context manager that runs a server in a thread; it yields the URL."""
    with _extra("hosting on this machine"):
        from ninefold.server import run
    folder = Path(home(console.environ))
    return run.run_in_thread(
        hosting.host, hosting.port, folder, console.clock, is_host=True
    )


def draw_qr(url: str) -> str:
    """Draw an address as a QR code; "" if the extra for it is not installed."""
    try:
        from ninefold.server.qr_codes import qr_lines
    except ModuleNotFoundError:
        return ""
    return qr_lines(url)


@contextmanager
def _extra(purpose: str) -> Iterator[None]:
    """Turn a missing package into an error that names the pip extra to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        message = (
            f"{purpose} needs {error.name}, which is not installed;"
            " run: pip install 'ninefold[server]'"
        )
        raise NinefoldError(message) from None


def _report(error: Exception, console: Console) -> None:
    """Print that ninefold itself failed, and how to report it.

    The traceback goes to a file, because it would hide the sentence. It is printed if
    the file cannot be written, or if ``NINEFOLD_DEBUG`` is set.
    """
    trace = "".join(traceback.format_exception(error))
    file = None if console.environ.get("NINEFOLD_DEBUG") else _keep(trace, console)
    where = "the traceback below" if file is None else f"the file {file}"
    console.print_error(
        f"ninefold crashed; please report this, with {where}\n"
        "Saved games can be resumed: ninefold resume"
    )
    if file is None:
        console.print_error(trace.rstrip("\n"))


def _keep(trace: str, console: Console) -> Path | None:
    """Write the traceback into ninefold's folder; return the file, or None."""
    try:
        file = Path(home(console.environ)) / "crash.txt"
        make_folder(file.parent)
        with open_private(file, "wb") as written:
            written.write(trace.encode(errors="backslashreplace"))
    except (NinefoldError, OSError):
        return None
    return file


def _file_beside_games(console: Console, name: str) -> Path | None:
    """Return the path of a file in ninefold's folder; None if there is no folder."""
    try:
        return Path(home(console.environ)) / name
    except NinefoldError:
        return None
