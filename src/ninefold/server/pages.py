"""The files of the page: compressed once, and cached by browsers for good.

Browsers may keep a file for a year, because its path holds a digest of all files: a
change of any makes new paths. The digest names a folder, so the modules' relative
imports lead to files of the same version, and nothing has to rewrite them. Only the
HTML, which names the folder, is asked for at each visit.
"""

from __future__ import annotations

import gzip
import re
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ninefold.server.responses import NOT_FOUND, Refused

_HERE = Path(__file__).parent / "page"
_SHELL = "index.html"
_OK, _NOT_MODIFIED = 200, 304
_FOR_GOOD = "public, max-age=31536000, immutable"
_DOC_COMMENT = re.compile(rb"^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*$", re.MULTILINE)
_NEVER = re.compile(r"\s*q\s*=\s*0(\.0*)?\s*")


class File(Struct, frozen=True):
    """A file of the page, as it is sent."""

    content: bytes
    compressed: bytes
    kind: str

    @classmethod
    def of(cls, name: str, content: bytes) -> File:
        """Compress a file; what documents a module stays behind, its lines do not."""
        kind = guess_type(name)[0] or "application/octet-stream"
        if kind.endswith("/javascript"):
            content = _DOC_COMMENT.sub(_blank_lines, content)
        if kind.startswith("text/"):
            kind += "; charset=utf-8"
        return cls(content, gzip.compress(content, mtime=0), kind)

    def answer(
        self, request: Request, status: int, headers: dict[str, str]
    ) -> Response:
        """Send the file, compressed where the client accepts that."""
        headers |= {"content-type": self.kind, "vary": "accept-encoding"}
        if not _accepts_gzip(request.headers.get("accept-encoding", "")):
            return Response(self.content, status, headers)
        headers["content-encoding"] = "gzip"
        return Response(self.compressed, status, headers)


class Pages:
    """Serves the files of the page, and nothing else."""

    def __init__(self, folder: Path = _HERE) -> None:
        """Read every file; a path in a request is only looked up among them."""
        read = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        version = _digest(
            *(part for name in read for part in (name.encode(), read[name]))
        )
        shell = read.pop(_SHELL).replace(b"/page/", f"/page/{version}/".encode())
        self._shell = File.of(_SHELL, shell)
        self._tag = f'"{_digest(shell)}"'
        self._files = {
            f"{version}/{name}": File.of(name, content)
            for name, content in read.items()
        }

    async def shell(self, request: Request) -> Response:
        """Serve the page itself, for each of its paths."""
        # Weak: compressed or not, it is the same page.
        headers = {"etag": f"W/{self._tag}", "cache-control": "no-cache"}
        if self._tag in request.headers.get("if-none-match", ""):
            headers["vary"] = "accept-encoding"
            return Response(status_code=_NOT_MODIFIED, headers=headers)
        return self._shell.answer(request, _OK, headers)

    def nothing(self, request: Request) -> Response:
        """Serve the page with the status 404."""
        return self._shell.answer(request, NOT_FOUND, {"cache-control": "no-cache"})

    async def file(self, request: Request) -> Response:
        found = self._files.get(str(request.path_params["name"]))
        if found is None:
            raise Refused(NOT_FOUND, "not_found", "there is nothing at this address")
        return found.answer(request, _OK, {"cache-control": _FOR_GOOD})


def _digest(*parts: bytes) -> str:
    digest = sha256()
    for part in parts:
        digest.update(sha256(part).digest())
    return digest.hexdigest()[:16]


def _blank_lines(found: re.Match[bytes]) -> bytes:
    """Keep the numbers of the lines, which errors in a browser tell."""
    return b"\n" * found[0].count(b"\n")


def _accepts_gzip(header: str) -> bool:
    """Whether an Accept-Encoding accepts gzip.

    >>> _accepts_gzip("gzip, deflate, br"), _accepts_gzip("*;q=0.5")
    (True, True)
    >>> _accepts_gzip(""), _accepts_gzip("br"), _accepts_gzip("gzip;q=0, *")
    (False, False, False)
    """
    accepted = {}
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        accepted[name.strip()] = not _NEVER.fullmatch(weight)
    return accepted.get("gzip", accepted.get("*", False))
