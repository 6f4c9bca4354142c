"""Runs a server: its address, its database, uvicorn, and a clean shutdown."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from threading import Thread, current_thread, main_thread
from urllib.parse import unquote, urlsplit
from uuid import uuid4

import uvicorn
from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import NinefoldError, StoreUnavailable
from ninefold.online.links import PORT_FILE, USUAL_PORT, is_local
from ninefold.server.asgi import Options, Server
from ninefold.server.live_matches import utc_now
from ninefold.server.qr_codes import qr_lines
from ninefold.server.rate_limits import RateLimits
from ninefold.server.seats import read_key
from ninefold.server.security import BoundedProtocol
from ninefold.server.worker_processes import Workers
from ninefold.store import Store
from ninefold.store.files import make_folder, open_private
from ninefold.store.sqlite import SqliteStore

_BACKLOG = 2_048
_ELSEWHERE = ("192.0.2.1", 9)
"""An address of the range reserved for examples."""


_NETWORKS = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
"""An address elsewhere, and one in each range of private networks."""


class BindAddress(Struct, frozen=True):
    """The address and port that a server listens on."""

    host: str
    port: int
    """0 for any free port."""


def listen(place: BindAddress) -> socket.socket:
    """Bind the port; raise ``NinefoldError`` if that fails."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM
        )[0]
        opened = _opened(family, address)
    except OSError as error:
        problem = error.strerror or str(error)
        message = (
            f"cannot listen on {place.host}:{place.port} ({problem});"
            " choose another address or port"
        )
        raise NinefoldError(message) from error
    opened.setblocking(False)  # noqa: FBT003 - the standard library's signature
    return opened


def _opened(family: int, address: tuple[object, ...]) -> socket.socket:
    with ExitStack() as closing:
        opened = closing.enter_context(socket.socket(family))
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(_BACKLOG)
        closing.pop_all()  # without an error, leave it open
    return opened


def url_of(listening: socket.socket) -> str:
    """Return the address for a browser; for a wildcard, this machine's own one."""
    host, port = listening.getsockname()[:2]
    return url_at(own_address() if ip_address(host).is_unspecified else host, port)


def url_at(host: str, port: int) -> str:
    """Return the address of a host and port, with IPv6 hosts in brackets.

    >>> url_at("127.0.0.1", 80), url_at("::1", 80)
    ('http://127.0.0.1:80', 'http://[::1]:80')
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def is_loopback(listening: socket.socket) -> bool:
    """Whether only this machine can reach the socket."""
    return ip_address(listening.getsockname()[0]).is_loopback


def own_address(remote: tuple[str, int] = _ELSEWHERE) -> str:
    """Return this machine's address on the network, or 127.0.0.1 without one.

    Nothing is sent: connecting a UDP socket only selects a route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(remote)
        except OSError:  # there is no network
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def own_addresses() -> list[str]:
    """Return this machine's addresses on its networks, the likeliest first.

    The first is that of the usual route, which a VPN may have taken over; so there are
    those of routes into private networks, and of this machine's name.
    """
    found = [own_address((network, 9)) for network in _NETWORKS]
    with suppress(OSError):
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        found += [str(address[0]) for *_, address in named]
    return [each for each in dict.fromkeys(found) if not ip_address(each).is_loopback]


def known_hosts(public_url: str | None) -> tuple[str, ...]:
    """Return the host names that requests may use, beside IP addresses."""
    own = socket.gethostname().lower()
    names = ["localhost", own, f"{own.partition('.')[0]}.local"]
    if public_url is not None:
        parts = urlsplit(public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = "--public-url needs an address such as https://play.example.org"
            raise NinefoldError(message)
        names.append(parts.hostname)
    return tuple(names)


Clock = Callable[[], datetime]

_LEAST_OPEN_FILES = 100
"""A class of thirty: a stream and a request each, and the server's own files."""


def check_open_files() -> None:
    """Raise an error if too few files may be open for a class's connections."""
    try:
        import resource
    except ImportError:  # on Windows, which has no such limit
        return
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most in range(_LEAST_OPEN_FILES):
        message = (
            f"a server needs at least {_LEAST_OPEN_FILES} open files, one for each"
            f" connection, and may open {most:,} here; allow more with ulimit -n 1024"
        )
        raise NinefoldError(message)


_SHORTEST_PATH = 2
_POSTGRES = ("postgresql", "postgres")


def open_database(url: str | None, home: Path, clock: Clock) -> Store:
    """Open the store at an address; by default a file in the home folder."""
    file = file_of(url, home)
    return _open_postgres(url or "", clock) if file is None else open_file(file, clock)


def file_of(url: str | None, home: Path) -> Path | None:
    """Return the file of a database address, or None for PostgreSQL."""
    parts = urlsplit(url or "")
    if parts.scheme in _POSTGRES:
        return None
    if url is None:
        return home / "server.db"
    if parts.scheme != "sqlite" or parts.netloc or len(parts.path) < _SHORTEST_PATH:
        shown = f"{parts.scheme}://..." if parts.scheme else "this"
        message = (
            f"{shown} is not a database address; use sqlite:///FILE,"
            " sqlite:////FOLDER/FILE from the root, or postgresql://..."
        )
        raise NinefoldError(message)
    return Path(unquote(parts.path[1:]))


def open_file(file: Path, clock: Clock) -> SqliteStore:
    """Open the store in a file, for a server."""
    return SqliteStore(
        file.parent,
        clock=clock,
        new_id=new_id,
        file_name=file.name,
        journal_mode="WAL",
    )


def _check(store: Store) -> None:
    """Raise an error if a store cannot be read, before the address is printed."""
    with store:
        store.unfinished(1)


@contextmanager
def lock_database(file: Path, way_out: str) -> Iterator[None]:
    """Lock a database file: two servers would not see each other's commands.

    ``way_out`` tells people what else to do if another server has it. The lock is
    SQLite's, on an empty file beside: it works on every system, and ends with the
    process.
    """
    file = file.resolve()
    lock = file.with_name(f"{file.name}.lock")
    try:
        make_folder(file.parent)
        with suppress(FileExistsError):
            open_private(lock, "xb").close()
    except OSError as error:
        raise StoreUnavailable.because(str(file), error) from error
    connecting = sqlite3.connect(
        lock, timeout=0, isolation_level=None, check_same_thread=False
    )
    with closing(connecting) as connection:
        try:
            connection.execute("PRAGMA journal_mode = OFF")  # or it leaves a file
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            problem = f"another server is using it; stop that one, or {way_out}"
            if "locked" not in str(error):
                problem = f"{lock.name}: {error}; delete it, or use another folder"
            raise StoreUnavailable(str(file), problem) from None
        yield


def _open_postgres(url: str, clock: Clock) -> Store:
    try:
        from ninefold.store.postgres import PostgresStore
    except ModuleNotFoundError as error:
        message = (
            f"PostgreSQL needs {error.name}, which is not installed;"
            " run: pip install 'ninefold[cluster]'"
        )
        raise NinefoldError(message) from None
    return PostgresStore(url, clock=clock, new_id=new_id)


def new_id() -> str:
    """Return a random id."""
    return str(uuid4())


_SECONDS_TO_END = 1
_SECONDS_KEPT = 75
"""Keep-alive of idle connections: longer than nginx's own, which could otherwise send a
request into a closing connection."""
KEY_NAME = "server.key"


class Terminal(Struct, frozen=True):
    """The output of the server."""

    print: Callable[[str], None]
    log: Callable[[str], None]
    """Receives the log, line by line."""
    flush: Callable[[], None]
    draws: bool
    """Whether to draw a QR code of a public address: the output is a terminal."""
    clock: Clock


class Formatter(logging.Formatter):
    """Leaves out exceptions' messages, which may quote a request or name a match."""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{self.formatTime(record)} {record.getMessage()}"
        if not record.exc_info:
            return line
        kind, _, trace = record.exc_info
        frames = "".join(traceback.format_tb(trace))
        return f"{line}\n{frames}{kind.__name__ if kind else ''}"


class _Lines(logging.Handler):
    """A logging handler that passes formatted lines to a function."""

    def __init__(self, log: Callable[[str], None]) -> None:
        super().__init__()
        self._log = log
        self.setFormatter(Formatter())

    def emit(self, record: logging.LogRecord) -> None:
        self._log(self.format(record))


@contextmanager
def logging_to(log: Callable[[str], None], level: int = logging.INFO) -> Iterator[None]:
    """Pass log lines of a level, or a higher one, to ``log`` within the block."""
    everything, lines = logging.getLogger(), _Lines(log)
    everything.setLevel(level)
    everything.addHandler(lines)
    try:
        yield
    finally:
        everything.removeHandler(lines)


class _GracefulServer(uvicorn.Server):
    """Closes event streams before shutdown, or uvicorn waits for them."""

    def __init__(self, server: Server, *, is_host: bool = False) -> None:
        super().__init__(_config(server))
        self._server = server
        self._is_host = is_host

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._server.live_matches.end_streams(host_leaves=self._is_host)
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down on these signals, which uvicorn would raise again at the end.

        A server in a thread leaves them to the program around it.
        """
        if current_thread() is main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, self.handle_exit)
        yield


def serve(
    place: BindAddress,
    database: str | None,
    home: Path,
    options: Options,
    terminal: Terminal,
) -> None:
    """Open the database and the port, print the address, serve until a signal."""
    check_open_files()
    options = replace(options, hosts=known_hosts(options.public_url))
    file = file_of(database, home)
    if options.workers > 1 and file is not None:
        message = "--workers needs PostgreSQL: --database postgresql://..."
        raise NinefoldError(message)
    key = read_key(home / KEY_NAME)
    with ExitStack() as stack:
        if file is not None:
            stack.enter_context(lock_database(file, "give --database"))
        store = open_database(database, home, terminal.clock)
        _check(store)
        listening = stack.enter_context(listen(place))
        if options.public_url is None and not is_loopback(listening):
            # Links get the public address, from wherever a match was created.
            options = replace(options, public_url=url_of(listening))
        _say_where(listening, options, terminal)
        stack.enter_context(logging_to(terminal.log))
        if options.workers > 1:
            work = Work(database=database or "", home=home, key=key, options=options)
            Workers(options.workers, listening, work).run()
        else:
            run(listening, Server(store, key, clock=terminal.clock, options=options))


def _say_where(listening: socket.socket, options: Options, terminal: Terminal) -> None:
    url = options.public_url or url_of(listening)
    terminal.print(f"Serving ninefold at {url}\n")
    if terminal.draws and not is_local(url):
        terminal.print(qr_lines(url))
    if url != url_of(listening):
        terminal.print(f"Listening on {url_of(listening)}\n")
    reach = "Anyone who can reach this machine can play."
    if is_loopback(listening):
        reach = "Only this machine can reach it; use --host 0.0.0.0 to let others in."
    terminal.print(f"{reach} Press Ctrl-C to stop.\n")
    terminal.flush()


class Work(Struct, frozen=True):
    """The job of a worker process."""

    database: str
    home: Path
    key: bytes
    options: Options

    def __call__(self, listening: socket.socket) -> None:
        store = open_database(self.database, self.home, utc_now)
        server = Server(store, self.key, clock=utc_now, options=self.options)
        with logging_to(partial(print, file=sys.stderr, flush=True)):
            run(listening, server)


def listen_again(address: str, file: Path) -> socket.socket:
    """Bind the port of last time, the usual one, or any free one; save it."""
    last = USUAL_PORT
    with suppress(OSError, ValueError):  # there is none, or it is not a number
        last = int(file.read_text("ascii"))
    listening = None
    for port in (last, USUAL_PORT):
        with suppress(NinefoldError, OverflowError):  # in use, or not a port
            listening = listen(BindAddress(address, port))
            break
    listening = listening or listen(BindAddress(address, 0))
    # If it cannot be stored, the next port may be another one.
    with suppress(OSError), open_private(file, "wb") as written:
        written.write(str(listening.getsockname()[1]).encode())
    return listening


@contextmanager
def run_in_thread(
    host: str | None,
    port: int | None,
    home: Path,
    clock: Clock,
    *,
    rates: RateLimits | None = None,
    is_host: bool = False,
) -> Iterator[str]:
    """Run a server in a thread beside a game; yield its address.

    Without ``port`` it reuses the port of last time, to which links lead, else the
    usual one, else any free one. With ``is_host`` it tells every table at the end that
    the host has left.
    """
    check_open_files()
    key, file = read_key(home / KEY_NAME), home / "host.db"
    store = open_file(file, clock)
    address = host or own_address()
    with lock_database(file, "invite someone there"):
        _check(store)
        if port is None:
            listening = listen_again(address, home / PORT_FILE)
        else:
            listening = listen(BindAddress(address, port))
        options = Options(hosts=known_hosts(None))
        server = Server(store, key, clock=clock, options=options, rates=rates)
        beside = _GracefulServer(server, is_host=is_host)
        thread = Thread(target=beside.run, args=([listening],), name="server")
        thread.start()
        try:
            yield url_of(listening)
        finally:
            beside.should_exit = True
            thread.join()


_RARELY = (20_000, 50, 100)
_SWITCH_SECONDS = 0.0005


def _collect_rarely() -> None:
    """Collect cyclic garbage rarely, and never among the program's own modules.

    Matches are values without cycles: the collector finds next to nothing among them,
    and its search is a large part of the CPU time of a move. This is for a process that
    only serves. A server beside a game keeps the usual collector, which is set for the
    whole process: a host has few moves.
    """
    gc.freeze()
    gc.set_threshold(*_RARELY)


def _switch_often() -> None:
    """Let threads that compute hand over soon: a move waits for several turns.

    With Python's usual 5 ms, a question about a total of 300 digits delays a move by
    40 to 60 ms, and with this by 5 to 8 ms.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)


def run(listening: socket.socket, server: Server) -> None:
    """Serve until a signal, in a process that does nothing else."""
    _collect_rarely()
    _switch_often()
    ending = _GracefulServer(server)
    with asyncio.Runner(loop_factory=ending.config.get_loop_factory()) as runner:
        runner.run(ending.serve(sockets=[listening]))


def _config(server: Server) -> uvicorn.Config:
    proxies = list(server.options.trusted_proxies)
    return uvicorn.Config(
        server.application(),
        access_log=False,  # its lines contain the secret addresses of matches
        log_config=None,
        log_level="warning",
        http=BoundedProtocol,
        ws="none",
        lifespan="on",
        server_header=False,
        timeout_keep_alive=_SECONDS_KEPT,
        timeout_graceful_shutdown=_SECONDS_TO_END,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
    )
