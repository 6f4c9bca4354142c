"""The files of the page."""

from __future__ import annotations

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


class File(Struct, frozen=True):
    """A file of the page, read once."""

    content: bytes
    kind: str
    tag: str

    @classmethod
    def read(cls, path: Path) -> File:
        content = path.read_bytes()
        kind = guess_type(path.name)[0] or "application/octet-stream"
        if kind.startswith("text/"):
            kind += "; charset=utf-8"
        return cls(content, kind, f'"{sha256(content).hexdigest()[:32]}"')


class Pages:
    """Serves the files of the page, and nothing else."""

    def __init__(self, folder: Path = _HERE) -> None:
        """Read every file; a path in a request is only looked up among them."""
        self._files = {
            path.relative_to(folder).as_posix(): File.read(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    async def shell(self, request: Request) -> Response:
        """Serve the page itself, for each of its paths."""
        return self._serve(request, _SHELL)

    def nothing(self) -> Response:
        """Serve the page with the status 404."""
        return self._answer(self._files[_SHELL], NOT_FOUND)

    async def file(self, request: Request) -> Response:
        return self._serve(request, str(request.path_params["name"]))

    def _serve(self, request: Request, name: str) -> Response:
        found = self._files.get(name)
        if found is None:
            raise Refused(NOT_FOUND, "not_found", "there is nothing at this address")
        if found.tag in request.headers.get("if-none-match", ""):
            return self._answer(found, _NOT_MODIFIED)
        return self._answer(found, _OK)

    def _answer(self, found: File, status: int) -> Response:
        headers = {"etag": found.tag, "cache-control": "no-cache"}
        if status == _NOT_MODIFIED:
            return Response(status_code=status, headers=headers)
        headers["content-type"] = found.kind
        return Response(found.content, status, headers)
