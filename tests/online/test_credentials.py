"""The file of one's seats: secrets, and the ids of requests."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from ninefold.errors import OnlineError, RequestRefused, StoreUnavailable
from ninefold.online.credentials import Credentials
from ninefold.online.http_client import Client
from ninefold.online.join import Seating
from ninefold.online.links import MatchLink
from ninefold.online.messages import CreateMatch
from ninefold.session import FRIEND
from tests.online.servers import answering, serving, written

NOBODY = "A" * 22
HERE, THERE = MatchLink("http://a", NOBODY), MatchLink("http://b", "B" * 22)
MAKE = CreateMatch(
    game="multiplication-duel", opponent=FRIEND, name="Ada", request_id=NOBODY
)


def test_a_secret_is_stored_for_its_owner_alone(tmp_path: Path) -> None:
    credentials = Credentials(tmp_path / "new")
    assert credentials.secret(HERE) is None
    credentials.add_secret(HERE, "one")
    credentials.add_secret(THERE, "two")
    credentials.add_secret(HERE, "three")
    again = Credentials(tmp_path / "new")
    assert again.secret(HERE) == "three"
    assert again.secret(THERE) == "two"
    modes = {file.stat().st_mode & 0o777 for file in (tmp_path / "new").iterdir()}
    assert modes == {0o600}


def test_oldest_secrets_are_dropped(tmp_path: Path) -> None:
    credentials = Credentials(tmp_path)
    for number in range(502):
        credentials.add_secret(MatchLink(f"http://{number}", NOBODY), "secret")
    assert credentials.secret(MatchLink("http://1", NOBODY)) is None
    assert credentials.secret(MatchLink("http://2", NOBODY)) == "secret"


def test_programs_that_store_secrets_at_once_lose_none(tmp_path: Path) -> None:
    def link(name: str, number: int) -> MatchLink:
        return MatchLink("http://a", f"{name}{number}")

    def store(name: str) -> None:
        credentials = Credentials(tmp_path)
        for number in range(20):
            credentials.add_secret(link(name, number), f"{name}-{number}")
            credentials.forget_match_request(MAKE)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(store, "abcd"))
    found = Credentials(tmp_path)
    for name in "abcd":
        stored = [found.secret(link(name, number)) for number in range(20)]
        assert stored == [f"{name}-{number}" for number in range(20)]


def test_secrets_are_stored_without_fcntl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    credentials = Credentials(tmp_path)
    credentials.add_secret(HERE, "one")
    assert credentials.secret(HERE) == "one"


def test_secrets_are_stored_without_file_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    credentials = Credentials(tmp_path)
    credentials.add_secret(HERE, "one")
    assert credentials.secret(HERE) == "one"


def test_the_same_purpose_has_the_same_id_until_it_is_forgotten(tmp_path: Path) -> None:
    credentials = Credentials(tmp_path)
    first = credentials.request_id("match")
    other = credentials.request_id("seat")
    assert credentials.request_id("seat") == other != first
    credentials.forget_request("match")
    assert credentials.request_id("match") != first
    assert credentials.request_id("seat") == other


HANGS = written("503 Busy", b'{"error": "store_unavailable", "detail": "wait"}')
TAKEN = written("409 Conflict", b'{"error": "seat_taken", "detail": "no"}')


def test_a_seat_is_asked_for_with_the_same_id_until_it_is_refused_for_good(
    tmp_path: Path,
) -> None:
    # A store that hangs may have taken the command that it gave no answer to.
    with answering(HANGS, TAKEN) as url:
        seating = Seating(Client(url, pauses=()), Credentials(tmp_path))
        link = MatchLink(url, NOBODY)
        for is_open in (True, False):
            with pytest.raises(RequestRefused):
                seating.join(link, "Bo")
            assert seating.has_pending_request(link) is is_open


def test_match_is_rejoined_until_it_is_refused_for_good(tmp_path: Path) -> None:
    with answering(HANGS, TAKEN) as url:
        seating = Seating(Client(url, pauses=()), Credentials(tmp_path))
        for is_stored in (True, False):
            with pytest.raises(RequestRefused):
                seating.host(MAKE, lambda: MAKE)
            assert seating.has_match(MAKE) is is_stored


def test_a_request_is_on_disk_before_it_is_sent(tmp_path: Path) -> None:
    stored: list[bool] = []

    def answer(request: str) -> Iterator[bytes]:
        sent = json.loads(request.partition("\r\n\r\n")[2])["request_id"]
        stored.append(sent in (tmp_path / "seats.json").read_text())
        yield HANGS

    with serving(answer) as url:
        seating = Seating(Client(url, pauses=()), Credentials(tmp_path))
        with pytest.raises(RequestRefused):
            seating.host(MAKE, lambda: MAKE)
        with pytest.raises(RequestRefused):
            seating.join(MatchLink(url, NOBODY), "Bo")
    assert stored == [True, True]


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("link", [str(HERE), "{url}/m/" + HERE.id])
def test_server_cannot_change_seats_of_another_server(
    tmp_path: Path, link: str, *, is_known: bool
) -> None:
    credentials = Credentials(tmp_path)
    if is_known:
        credentials.add_secret(HERE, "one")

    def answer(_: str) -> Iterator[bytes]:
        told = {"id": HERE.id, "secret": "s" * 43, "link": link.format(url=url)}
        yield written("201 Made", json.dumps(told).encode())

    with serving(answer) as url:
        seating = Seating(Client(url, pauses=()), credentials)
        host = partial(seating.host, MAKE, lambda: MAKE)
        join = partial(seating.join, MatchLink(url, HERE.id), "Bo")
        for play_match in (host, join):
            with pytest.raises(OnlineError) as refused:
                play_match()
            kept = credentials.secret(MatchLink(url, HERE.id))
            if link == str(HERE):
                assert "another server, http://a; if you trust" in str(refused.value)
                assert kept is None
            elif is_known:
                assert "offered a match that you play at http://a" in str(refused.value)
                assert kept is None
            else:
                assert kept == "s" * 43  # its own match, which it then has no log of
    assert credentials.secret(HERE) == ("one" if is_known else None)


def test_a_server_whose_address_changes_keeps_its_seats(tmp_path: Path) -> None:
    credentials = Credentials(tmp_path)
    for server in ("http://192.168.1.7:9009", "http://10.0.0.7:9009"):
        credentials.add_secret(MatchLink(server, NOBODY), "the same")


def test_unusable_secrets_file_is_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "seats.json").write_text("{")
    with pytest.raises(StoreUnavailable, match="delete it to start over"):
        Credentials(tmp_path).secret(HERE)
    (tmp_path / "folder" / "seats.json").mkdir(parents=True)
    with pytest.raises(StoreUnavailable, match="set NINEFOLD_HOME"):
        Credentials(tmp_path / "folder").secret(HERE)
    # A new file cannot be put in the place of a folder, nor be made beside it.
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / f"seats.json.{os.getpid()}").mkdir()
    with pytest.raises(StoreUnavailable, match="set NINEFOLD_HOME"):
        Credentials(tmp_path / "other").add_secret(HERE, "one")
    (tmp_path / "locked" / "seats.json.lock").mkdir(parents=True)
    with pytest.raises(StoreUnavailable, match="set NINEFOLD_HOME"):
        Credentials(tmp_path / "locked").add_secret(HERE, "one")
