"""The files of the page: compressed once, and cached by browsers for a year.

The path of each file contains a digest of all files, so that any change gives new
paths. The digest names a folder: the modules' relative imports lead to files of the
same version without rewriting. Only the HTML, which names the folder, is built for each
visit: it describes its address, for chats that show a preview of a link.
"""

from __future__ import annotations

import gzip
import re
from datetime import date
from hashlib import sha256
from html import escape
from mimetypes import guess_type
from pathlib import Path

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ninefold.server.responses import NOT_FOUND, HttpRefusal
from ninefold.session import Session
from ninefold.views import match_text

_HERE = Path(__file__).parent / "page"
_SHELL = "index.html"
_PREVIEW = b"<!-- preview -->"
_SENTENCES = b"<!-- sentences -->"
_WITHOUT_CONNECTION = {
    "DISCONNECTED": match_text.DISCONNECTED,
    "IS_AWAY": match_text.away_message("{name}"),
    "IS_BACK": match_text.back_message("{name}"),
    "NOTHING_TO_PRACTISE": match_text.NOTHING_TO_PRACTISE,
    "ONE_AT_A_TIME": match_text.ONE_AT_A_TIME,
    "RECONNECTED": match_text.RECONNECTED,
    "LINK_IS_LOCAL": f"{match_text.LINK_IS_LOCAL} {match_text.LET_OTHERS_IN}",
    "WATCHING": match_text.WATCHING,
}
"""Texts that the page shows by itself; all others come in responses."""
_PICTURE = "A game as hops along a number line"
_OK, _NOT_MODIFIED = 200, 304
_FOR_GOOD = "public, max-age=31536000, immutable"
_UNREAD = re.compile(
    rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*$)?|[ \t]*// [^\"'`\n]*$", re.MULTILINE
)
"""Indents, comments in lines of their own, and those that end a line and hold no quote:
a text may look like one."""


class Preview(Struct, frozen=True):
    """The preview of a link in a chat; without players' names, for privacy."""

    title: str = "ninefold · the multiplication games"
    text: str = "One number. Two players. Multiply. In a browser, without an account."
    picture: str = "ninefold"

    @classmethod
    def of_match(cls, session: Session) -> Preview:
        """Preview a match; only a game by its usual rules has a picture of its own."""
        book, rules = session.book, session.setup.rules
        does = "play" if session.empty_seats else "watch"
        text = f"{book.describe(rules)} Open the link to {does}."
        return cls(book.title, text, book.key if rules == book.rules else cls().picture)

    @classmethod
    def of_puzzle(cls, day: str) -> Preview:
        """Preview the puzzle of a day such as 2026-11-18."""
        try:
            read = date.fromisoformat(day)
        except ValueError:
            return cls()
        if read.isoformat() != day:
            return cls()
        return cls("Puzzle of the day", "Exactly one multiplier wins. Can you find it?")

    def tags(self, pictures: str) -> str:
        """Return the tags of Open Graph; ``pictures`` is the address of the folder."""
        facts = {
            "og:site_name": "ninefold",
            "og:type": "website",
            "og:title": self.title,
            "og:description": self.text,
            "og:image": f"{pictures}/{self.picture}.png",
            "og:image:width": "1200",
            "og:image:height": "630",
            "og:image:alt": _PICTURE,
        }
        tags = [
            f'<meta property="{name}" content="{escape(fact)}">'
            for name, fact in facts.items()
        ]
        tags += [
            f'<meta name="description" content="{escape(self.text)}">',
            '<meta name="twitter:card" content="summary_large_image">',
        ]
        return "\n    ".join(tags)


class File(Struct, frozen=True):
    """A file of the page as it is sent: compressed, which every browser accepts."""

    compressed: bytes
    kind: str

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        """Compress a file without comments and indents, but with all its lines."""
        kind = guess_type(name)[0] or "application/octet-stream"
        if kind.endswith(("/javascript", "/css")):
            content = _UNREAD.sub(_blank_lines, content)
        if kind.startswith("text/"):
            kind += "; charset=utf-8"
        return cls(gzip.compress(content, mtime=0), kind)

    def answer(self, status: int, headers: dict[str, str]) -> Response:
        headers |= {"content-type": self.kind, "content-encoding": "gzip"}
        return Response(self.compressed, status, headers)


class Pages:
    """Serves the files of the page, and nothing else."""

    def __init__(self, folder: Path = _HERE) -> None:
        """Read every file now; the path of a request is only looked up among them."""
        read = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        version = _digest(
            *(part for name in read for part in (name.encode(), read[name]))
        )
        self._folder = f"/page/{version}/"
        shell = read.pop(_SHELL).replace(b"/page/", self._folder.encode())
        text = msgspec.json.encode(_WITHOUT_CONNECTION).decode()
        sentences = f'<script id="sentences" type="application/json">{text}</script>'
        self._shell = shell.replace(_SENTENCES, sentences.encode())
        self._files = {
            f"{version}/{name}": File.of(name, content)
            for name, content in read.items()
        }

    def shell(
        self, request: Request, address: str, preview: Preview, status: int = _OK
    ) -> Response:
        """Serve the page itself, for each of its paths.

        ``address`` is the server's public address, for the picture of the preview.
        """
        tags = preview.tags(f"{address}{self._folder}previews")
        shell = self._shell.replace(_PREVIEW, tags.encode())
        tag = f'"{_digest(shell)}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if status == _OK and tag in request.headers.get("if-none-match", ""):
            return Response(status_code=_NOT_MODIFIED, headers=headers)
        return File.of(_SHELL, shell).answer(status, headers)

    async def file(self, request: Request) -> Response:
        found = self._files.get(str(request.path_params["name"]))
        if found is None:
            raise HttpRefusal(
                NOT_FOUND, "not_found", "there is nothing at this address"
            )
        return found.answer(_OK, {"cache-control": _FOR_GOOD})


def _digest(*parts: bytes) -> str:
    digest = sha256()
    for part in parts:
        digest.update(sha256(part).digest())
    return digest.hexdigest()[:16]


def _blank_lines(found: re.Match[bytes]) -> bytes:
    """Replace a match by its line ends, so that errors show the right line numbers."""
    return b"\n" * found[0].count(b"\n")
