"""SeatSecrets, names, files of the page, and the words for each step."""

from __future__ import annotations

import asyncio
import errno
import gzip
import json
import os
import re
import stat
from pathlib import Path
from typing import get_args

import pytest
from starlette.requests import Request
from starlette.responses import Response

from ninefold.errors import StoreUnavailable
from ninefold.game import Seat
from ninefold.playing.state import State
from ninefold.server.pages import Pages, Preview
from ninefold.server.responses import HttpRefusal
from ninefold.server.seats import SeatSecrets, Token, is_match_id, read_key
from ninefold.server.security import origin_of
from ninefold.session import Event, RemoteAsk
from ninefold.views.match_text import DISCONNECTED, LET_OTHERS_IN, LINK_IS_LOCAL
from tests.server.asgi import Site, play, scope_of

# SeatSecrets


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "server.key"
    key = read_key(file)
    assert len(key) == 32
    assert read_key(file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert read_key(tmp_path / "other.key") != key


def test_malformed_key_is_left_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "server.key"
    file.write_bytes(b"too short")
    with pytest.raises(StoreUnavailable, match="restore it, or delete it"):
        read_key(file)
    assert file.read_bytes() == b"too short"


def test_key_that_cannot_be_stored_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(
        StoreUnavailable, match="change the permissions, or use another folder"
    ):
        read_key(tmp_path / "file" / "server.key")


def test_key_on_a_full_disk_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    advice = "No space left on device; free some space, or use another folder"
    with pytest.raises(StoreUnavailable, match=advice):
        read_key(tmp_path / "server.key")


def test_everything_is_derived_from_the_key() -> None:
    one, two = SeatSecrets(b"1" * 32), SeatSecrets(b"2" * 32)
    match_id = one.match_id("a-request")
    assert is_match_id(match_id)
    assert match_id == one.match_id("a-request")
    assert match_id != two.match_id("a-request")
    assert match_id != one.match_id("b-request")
    secret = one.secret(match_id, Seat.TWO)
    assert one.seat_of(match_id, secret) is Seat.TWO
    assert one.seat_of(match_id, one.secret(match_id, Seat.ONE)) is Seat.ONE
    assert one.seat_of("another", secret) is None
    assert two.seat_of(match_id, secret) is None
    assert one.seed(match_id) != two.seed(match_id)


@pytest.mark.parametrize("text", ["", "x", "x" * 23, "x" * 22 + "\n", "é" * 22])
def test_other_texts_are_not_match_ids(text: str) -> None:
    assert not is_match_id(text)


def test_token_depends_on_seat_request_id_and_body() -> None:
    token = Token(Seat.ONE, "a-request", b"body")
    assert str(token) == str(Token(Seat.ONE, "a-request", b"body"))
    assert token.request != Token(Seat.TWO, "a-request", b"body").request
    assert token.request != Token(None, "a-request", b"body").request
    other = Token(Seat.ONE, "a-request", b"other")
    assert (token.request, token.body) != (other.request, other.body)
    assert "a-request" not in str(token)


# Files of the page


SHELL = '<!-- preview --><script src="/page/main.js"></script><link href="/page/icons/icon.png">'
MODULE = """/**
 * Says something.
 * @module
 */
/** @param {string} text */
const say = (text) => /** @type {unknown} */ (text);
  /** @type {string} */ (say("/** kept */"));
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a page of a few files."""
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons" / "icon.png").write_bytes(b"\x89PNG")
    (tmp_path / "page.css").write_text("a {}")
    (tmp_path / "odd").write_bytes(b"?")
    (tmp_path / "main.js").write_text(MODULE)
    (tmp_path / "index.html").write_text(SHELL)
    return tmp_path


def request_of(name: str = "") -> Request:
    return Request({**scope_of("GET", "/"), "path_params": {"name": name}})


def shell_of(pages: Pages) -> str:
    shell = pages.shell(request_of(), "http://here", Preview())
    return gzip.decompress(shell.body).decode()


def version_of(pages: Pages) -> str:
    return shell_of(pages).partition('src="/page/')[2].partition("/")[0]


def serve(pages: Pages, name: str) -> Response:
    return asyncio.run(pages.file(request_of(f"{version_of(pages)}/{name}")))


def content_of(pages: Pages, name: str) -> bytes:
    return gzip.decompress(serve(pages, name).body)


def test_files_are_served_with_their_types(folder: Path) -> None:
    pages = Pages(folder)
    kinds = {
        name: serve(pages, name).headers["content-type"]
        for name in ("icons/icon.png", "page.css", "odd")
    }
    assert kinds == {
        "icons/icon.png": "image/png",
        "page.css": "text/css; charset=utf-8",
        "odd": "application/octet-stream",
    }


def test_files_are_sent_compressed(folder: Path) -> None:
    pages = Pages(folder)
    for answer in (
        serve(pages, "page.css"),
        pages.shell(request_of(), "http://here", Preview()),
    ):
        assert answer.headers["content-encoding"] == "gzip"
    assert content_of(pages, "page.css") == b"a {}"


def test_page_contains_the_texts_it_shows_offline() -> None:
    script = '<script id="sentences" type="application/json">'
    said = json.loads(shell_of(Pages()).partition(script)[2].partition("</script>")[0])
    assert said["DISCONNECTED"] == DISCONNECTED
    assert said["LINK_IS_LOCAL"] == f"{LINK_IS_LOCAL} {LET_OTHERS_IN}"


def test_a_change_of_any_file_changes_the_paths_of_all(folder: Path) -> None:
    before = Pages(folder)
    assert version_of(Pages(folder)) == version_of(before)
    assert shell_of(before).count(f"/page/{version_of(before)}/") == 3
    kept = serve(before, "main.js").headers["cache-control"]
    assert kept == "public, max-age=31536000, immutable"
    (folder / "page.css").write_text("b {}")
    after = Pages(folder)
    assert content_of(before, "page.css") == b"a {}"
    assert content_of(after, "page.css") == b"b {}"
    with pytest.raises(HttpRefusal, match="there is nothing at this address"):
        asyncio.run(after.file(request_of(f"{version_of(before)}/main.js")))


def test_comments_and_indents_are_not_sent_and_lines_keep_their_numbers(
    folder: Path,
) -> None:
    assert content_of(Pages(folder), "main.js").decode().split("\n") == [
        *[""] * 5,
        "const say = (text) => /** @type {unknown} */ (text);",
        '/** @type {string} */ (say("/** kept */"));',
        "",
    ]
    (folder / "page.css").write_text("/* A\n   page. */\na {\n  color: red;\n}\n")
    style = content_of(Pages(folder), "page.css")
    assert style == b"\n\na {\ncolor: red;\n}\n"
    code = 'a(1); // it begins\n// here\nb("x // y"); // it\'s kept\nc(`http://d`);\n'
    (folder / "main.js").write_text(code)
    script = content_of(Pages(folder), "main.js")
    assert script == b'a(1);\n\nb("x // y"); // it\'s kept\nc(`http://d`);\n'


def test_an_origin_is_the_beginning_of_an_address() -> None:
    assert origin_of("HTTPS://Play.example.org:8443/x?y") == (
        "https://play.example.org:8443"
    )


# Words


def test_a_move_without_words_of_its_own_is_told_as_others_are(site: Site) -> None:
    ada, bob = site.pair(game="multiplier-showdown")
    play((ada, bob), 5)
    assert ada.state["said"]
    assert ada.state["said"] == bob.state["said"]
    assert "Ada" in str(ada.state["said"])


def test_a_move_that_is_taken_back_is_told(site: Site) -> None:
    ada, bob = site.pair(game="multiplication-duel")
    play((ada, bob), 5)
    ada.ask("take-back")
    bob.ask("allow-take-back")
    assert ada.state["said"]
    assert ada.state["product"] is None


# What is written about it


def test_docs_describe_every_field_of_the_protocol() -> None:
    root = Path(__file__).parent.parent.parent
    names = ("protocol.md", "json.md")
    page = "".join((root / "docs" / name).read_text(encoding="utf-8") for name in names)
    named = set(re.findall(r"`/?(\w+)`", page))
    assert set(State.__struct_fields__) <= named
    tags = {each.__struct_config__.tag for each in get_args(RemoteAsk | Event)}
    assert tags <= set(re.findall(r"`([\w-]+)`", page))
    sources = (root / "src" / "ninefold" / "server").glob("*.py")
    code = "".join(source.read_text(encoding="utf-8") for source in sources)
    codes = set(re.findall(r'(?:HttpRefusal\(|errors\.\w+,)\s*\w+,\s*"(\w+)"', code))
    assert len(codes) > 20
    assert codes <= named


def test_docs_describe_every_endpoint(site: Site) -> None:
    root = Path(__file__).parent.parent.parent
    page = (root / "docs" / "protocol.md").read_text(encoding="utf-8")
    paths = site.get("/openapi.json")["paths"]
    assert isinstance(paths, dict)
    for path in paths:
        assert path in page or f"`{path.removeprefix('/api/matches/{id}')}`" in page
