"""``ninefold serve``: it says where, serves, and ends well; or says why it cannot."""

from __future__ import annotations

import gc
import json
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from ninefold.cli.console import Console
from ninefold.errors import DamagedStore, NinefoldError, StoreUnavailable
from ninefold.main import main, serve
from ninefold.server.asgi import Options
from ninefold.server.qr_codes import qr_lines
from ninefold.server.run import (
    BindAddress,
    Work,
    known_hosts,
    listen,
    lock_database,
    open_database,
    own_address,
    url_at,
    url_of,
)
from tests.processes import start
from tests.program import (
    NINEFOLD,
    WAIT_SECONDS,
    Stream,
    environment,
    run,
    run_process,
    run_shell,
)
from tests.servers import KEY, NOW, beside
from tests.store.postgres_server import empty_database
from tests.store.stores import answer

ADDRESS = "Serving ninefold at http://"


class Announced(Stream):
    """A stream that passes on what is written to it."""

    def __init__(self, heard: Callable[[str], None], *, terminal: bool) -> None:
        super().__init__(terminal=terminal)
        self._heard = heard

    def write(self, text: str, /) -> int:
        written = super().write(text)
        self._heard(self.text)
        return written


def ask(port: int, path: str, method: str = "GET", body: str = "") -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
    headers = {"Content-Type": "application/json"}
    connection.request(method, path, body or None, headers)
    response = connection.getresponse()
    answer = response.status, response.read()
    connection.close()
    return answer


def served(
    tmp_path: Path, *arguments: str, terminal: bool = False
) -> tuple[int, str, str, list[bytes]]:
    """Serve in this process until it has answered; return what it said and logged."""
    answers: list[bytes] = []

    def visit(port: int) -> None:
        status, body = 0, b""
        while status != 200:  # until it listens
            try:
                status, body = ask(port, "/api/choices")
            except (OSError, HTTPException):
                continue
        answers.append(body)
        os.kill(os.getpid(), signal.SIGTERM)

    visitors: list[threading.Thread] = []

    def heard(text: str) -> None:
        if "to stop.\n" in text and not visitors:
            port = int(re.findall(r":(\d+)$", text, re.MULTILINE)[-1])
            visitors.append(threading.Thread(target=visit, args=(port,)))
            visitors[0].start()

    out, err = Announced(heard, terminal=terminal), Stream()
    console = Console(
        Stream(terminal=terminal),
        out,
        err,
        environ=environment(NINEFOLD_HOME=str(tmp_path)),
    )
    console.serve = partial(serve, console)
    code = main(["serve", "--port", "0", *arguments], console)
    for visitor in visitors:
        visitor.join(WAIT_SECONDS)
    return code, out.text, err.text, answers


@pytest.mark.usefixtures("own_process")
def test_server_prints_its_address_serves_and_shuts_down(tmp_path: Path) -> None:
    code, said, logged, answers = served(tmp_path)
    assert code == 0
    assert said.startswith(ADDRESS + "127.0.0.1:")
    assert "Only this machine can reach it" in said
    assert "GET /api/choices 200" in logged
    assert json.loads(answers[0])["games"]
    assert (tmp_path / "server.key").stat().st_size == 32


def collecting() -> tuple[tuple[int, int, int], int]:
    """Return how often garbage is looked for, and how many objects are left out."""
    return gc.get_threshold(), gc.get_freeze_count()


@pytest.mark.usefixtures("own_process")
def test_a_process_that_only_serves_looks_for_garbage_rarely(tmp_path: Path) -> None:
    usual = collecting()
    served(tmp_path)
    assert collecting() > usual


def test_a_server_beside_a_game_leaves_garbage_to_the_game(tmp_path: Path) -> None:
    usual = collecting()
    with beside(tmp_path) as url:
        status, _ = ask(int(url.rpartition(":")[2]), "/api/choices")
        assert status == 200
        thresholds, left_out = collecting()
    assert thresholds == usual[0]
    assert left_out <= usual[1]  # what is let go of is left out no more


@pytest.mark.usefixtures("own_process")
def test_at_a_terminal_the_address_is_drawn_too(tmp_path: Path) -> None:
    file = tmp_path / "other" / "of mine.db"
    code, said, _, _ = served(
        tmp_path,
        "--host=0.0.0.0",
        "--public-url=https://play.example.org",
        f"--database=sqlite:///{str(file).replace(' ', '%20')}",
        "--keep-days=30",
        "--trusted-proxy=127.0.0.1",
        terminal=True,
    )
    assert code == 0
    assert "Anyone who can reach this machine can play." in said
    assert "█" in said


@pytest.mark.usefixtures("own_process")
def test_public_url_also_prints_the_listening_address(tmp_path: Path) -> None:
    code, said, _, _ = served(tmp_path, "--public-url=https://play.example.org")
    assert code == 0
    assert said.startswith(
        "Serving ninefold at https://play.example.org\nListening on http://127.0.0.1:"
    )


@pytest.mark.parametrize("proxy", ["proxy", "*", "10.0.0.1/8"])
def test_a_proxy_is_trusted_by_its_address(proxy: str) -> None:
    refused = run("serve", f"--trusted-proxy={proxy}")
    assert refused.returncode == 2
    assert f"'{proxy}' is not an address; use one such as 127.0.0.1" in refused.stderr


@pytest.mark.usefixtures("own_process")
def test_several_workers_serve_one_database_and_end_well(tmp_path: Path) -> None:
    with empty_database() as url:
        code, said, _, answers = served(tmp_path, "--workers=2", f"--database={url}")
    assert code == 0
    assert said.startswith(ADDRESS + "127.0.0.1:")
    assert json.loads(answers[0])["games"]


@pytest.mark.usefixtures("own_process")
def test_a_worker_serves_what_it_was_given(tmp_path: Path) -> None:
    answers: list[tuple[int, bytes]] = []

    def visit(port: int) -> None:
        answers.append(ask(port, "/readyz"))
        new = {"game": "multiplication-duel", "opponent": "perfect", "name": "Ada"}
        new["request_id"] = "a-request-of-adas"
        answers.append(ask(port, "/api/matches", "POST", json.dumps(new)))
        os.kill(os.getpid(), signal.SIGTERM)

    with empty_database() as url:
        work = Work(database=url, home=tmp_path, key=KEY, options=Options(workers=2))
        listening = listen(BindAddress("127.0.0.1", 0))
        port = listening.getsockname()[1]
        visitor = threading.Thread(target=visit, args=(port,))
        visitor.start()
        pickle.loads(pickle.dumps(work))(listening)
        visitor.join(WAIT_SECONDS)
    assert [status for status, _ in answers] == [200, 201]


def test_a_process_serves_and_ends_by_a_signal(tmp_path: Path) -> None:
    process = start(
        [*NINEFOLD, "serve", "--port", "0"],
        stderr=subprocess.PIPE,
        env=environment(NINEFOLD_HOME=str(tmp_path)),
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    port = int(first.rsplit(":", 1)[1])
    new = {
        "game": "multiplication-duel",
        "opponent": "perfect",
        "name": "Ada",
        "request_id": "a-request-of-adas",
    }
    status, body = ask(port, "/api/matches", "POST", json.dumps(new))
    made = json.loads(body)
    assert status == 201
    stream = HTTPConnection("127.0.0.1", port, timeout=WAIT_SECONDS)
    stream.request("GET", f"/api/matches/{made['id']}/events")
    response = stream.getresponse()
    assert response.readline() == b"retry: 1000\n"
    process.send_signal(signal.SIGINT)
    response.read()  # the stream ends
    out, err = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 0, err
    assert "Traceback" not in out + err
    assert made["id"] not in err
    stream.close()


# What cannot be


def refused(tmp_path: Path, *arguments: str) -> str:
    out, err = Stream(), Stream()
    environ = environment(NINEFOLD_HOME=str(tmp_path))
    console = Console(Stream(), out, err, environ=environ)
    console.serve = partial(serve, console)
    assert main(["serve", *arguments], console) == 2
    assert not out.text
    return err.text


@pytest.mark.parametrize("command", ["serve --port 0", "host duel --host 127.0.0.1"])
def test_too_few_open_files_are_reported(command: str) -> None:
    finished = run_shell(f"ulimit -n 99; ninefold {command}")
    assert finished.returncode == 2
    assert finished.stderr == (
        "ninefold: a server needs at least 100 open files, one for each connection, and"
        " may open 99 here; allow more with ulimit -n 1024\n"
    )


def test_taken_port_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(tmp_path, "--port", str(port))
    assert f"cannot listen on 127.0.0.1:{port}" in said
    assert "choose another address or port" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--host", "host.invalid"], "cannot listen on"),
        (
            ["--database", "mysql://me:word@db/x"],
            "mysql://... is not a database address",
        ),
        (["--database", "games.db"], "this is not a database address"),
        (
            ["--database", "sqlite://host/games.db"],
            "sqlite://... is not a database address",
        ),
        (["--database", "sqlite:///"], "use sqlite:///FILE"),
        (["--public-url", "play.example.org"], "https://play.example.org"),
        (["--public-url", "ftp://play.example.org"], "--public-url needs an address"),
        (["--public-url", "https://"], "--public-url needs an address"),
        (["--port", "70000"], "65"),
        (["--workers", "2"], "--workers needs PostgreSQL"),
        (["--database", "postgresql://me:word@127.0.0.1:1/x"], "PostgreSQL error"),
        (["--keep-days", "0"], "1"),
    ],
)
def test_invalid_serve_options_are_reported(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    said = refused(tmp_path, "--port", "0", *arguments)
    assert sentence in said
    assert "word" not in said  # an address may hold a password


def test_broken_key_is_reported(tmp_path: Path) -> None:
    (tmp_path / "server.key").write_bytes(b"?")
    assert "this is not a server key" in refused(tmp_path, "--port", "0")


def test_a_server_with_a_damaged_database_does_not_start(tmp_path: Path) -> None:
    file = tmp_path / "server.db"
    file.write_bytes(b"garbage")
    assert refused(tmp_path, "--port", "0") == (
        f"ninefold: {file} is damaged (it is not an SQLite database);"
        " move it away or restore a backup\n"
    )
    assert file.read_bytes() == b"garbage"


def test_a_host_with_a_damaged_database_does_not_start(tmp_path: Path) -> None:
    file = tmp_path / "host.db"
    file.write_bytes(b"garbage")
    with pytest.raises(DamagedStore, match=r"host\.db is dam"), ExitStack() as stack:
        stack.enter_context(beside(tmp_path))
    assert file.read_bytes() == b"garbage"


def test_missing_extra_is_reported_with_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("ninefold.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    said = refused(tmp_path)
    assert "serving needs uvicorn, which is not installed" in said
    assert "pip install 'ninefold[server]'" in said


def test_missing_psycopg_is_reported_with_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "ninefold.store.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = refused(tmp_path, "--database", "postgresql://127.0.0.1:1/x")
    assert "PostgreSQL needs psycopg, which is not installed" in said
    assert "pip install 'ninefold[cluster]'" in said


def test_a_server_is_started_by_the_program_alone() -> None:
    finished = run("serve")
    assert finished.returncode == 2
    assert "cannot be run from here" in finished.stderr


# Its parts


def test_a_long_address_stands_in_brackets() -> None:
    assert url_at("::1", 80) == "http://[::1]:80"
    assert url_at("127.0.0.1", 80) == "http://127.0.0.1:80"


def test_server_listens_on_ipv6() -> None:
    try:
        listening = listen(BindAddress("::1", 0))
    except NinefoldError:
        pytest.skip("not tested: listening on ::1; this machine has no IPv6")
    with listening:
        assert url_of(listening).startswith("http://[::1]:")


def test_a_server_is_known_by_its_names() -> None:
    own = socket.gethostname().lower()
    assert {"localhost", own} <= set(known_hosts(None))
    assert known_hosts("https://Play.Example.org/")[-1] == "play.example.org"


def test_an_address_is_drawn_in_characters() -> None:
    lines = qr_lines("http://127.0.0.1:9009").splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == (len(lines[0]) + 1) // 2
    assert set("".join(lines)) <= set(" ▀▄█")


def test_server_database_is_a_file_of_its_own(tmp_path: Path) -> None:
    with open_database(None, tmp_path, lambda: NOW) as store:
        answer(store)
    assert [file.name for file in tmp_path.glob("*.db")] == ["server.db"]


def test_two_servers_do_not_share_a_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "server.db"
    refusal = pytest.raises(StoreUnavailable, match="another server")
    with lock_database(file, "wait"), refusal, ExitStack() as stack:
        stack.enter_context(lock_database(file, "wait"))
    with lock_database(file, "wait"):
        (lock,) = file.parent.iterdir()
    assert lock.stat().st_mode & 0o777 == 0o600


def test_impossible_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable, match="file"), ExitStack() as stack:
        stack.enter_context(lock_database(tmp_path / "file" / "server.db", "wait"))


def test_a_server_keeps_its_file_from_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)  # as on Windows
    with lock_database(tmp_path / "class.db", "wait"):
        with suppress(StoreUnavailable), lock_database(tmp_path / "class.db", "wait"):
            pass
        refused = run_process("class", "--plain", NINEFOLD_HOME=str(tmp_path))
    assert refused.returncode == 2
    assert "another server is using it" in refused.stderr


def test_a_lock_that_is_no_lock_is_reported(tmp_path: Path) -> None:
    (tmp_path / "server.db.lock").write_text("a file of somebody else" * 100)
    refusal = pytest.raises(StoreUnavailable, match=r"server\.db\.lock: .*delete it")
    with refusal, ExitStack() as stack:
        stack.enter_context(lock_database(tmp_path / "server.db", "wait"))


def test_server_on_all_interfaces_prints_its_network_address() -> None:
    with listen(BindAddress("0.0.0.0", 0)) as listening:
        port = listening.getsockname()[1]
        assert url_of(listening) == f"http://{own_address()}:{port}"
