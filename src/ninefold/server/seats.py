"""Seats and devices of classes: the secrets that prove them; tokens of requests.

Ids and secrets are derived from one key, which is in a file of its own: a repeated
request gets the same ones again, and a copy of the database opens no seat, because no
secret is stored in it.
"""

from __future__ import annotations

import os
import re
from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest, digest
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request

from ninefold.errors import StoreUnavailable
from ninefold.game import Seat
from ninefold.server.responses import NO_SEAT, HttpRefusal
from ninefold.store.files import make_folder, open_private

COOKIE = "ninefold-seat"
CLASS_COOKIE = "ninefold-class"
TEACHER = 0
"""Stands for the teacher in place of the number of a pupil."""
_KEY_BYTES = 32
_ID_BYTES = 16
_TOKEN_BYTES = 12
_SECRETS_CACHED = 4_000
_MATCH_ID = re.compile(r"[A-Za-z0-9_-]{22}")
_DEVICE = re.compile(
    r"([A-Za-z0-9_-]{22})\.([0-9]{1,4})\.([0-9]{1,6})\.[A-Za-z0-9_-]{43}"
)


class Device(Struct, frozen=True):
    """A device of a class: whose it is, and which of that pupil's it is."""

    class_id: str
    pupil: int
    number: int = 0

    @property
    def is_teacher(self) -> bool:
        return self.pupil == TEACHER


class SeatSecrets:
    """Derives ids, secrets and seeds of matches and classes from the server's key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        # Every request of a seat needs both secrets, which take a tenth of its time.
        self.secret = lru_cache(_SECRETS_CACHED)(self._derive_secret)

    def match_id(self, request_id: str) -> str:
        """Return the id of the match that a request creates."""
        return _text(self._derive("match", request_id)[:_ID_BYTES])

    def _derive_secret(self, match_id: str, seat: Seat) -> str:
        return _text(self._derive("seat", match_id, str(seat.value)))

    def seed(self, match_id: str) -> int:
        """Return the seed of a match, which only the server knows."""
        return int.from_bytes(self._derive("seed", match_id)[:4])

    def seat_of(self, match_id: str, secret: str) -> Seat | None:
        """Return the seat that a secret proves, or None."""
        given = secret.encode()
        proved = [
            seat
            for seat in Seat
            if compare_digest(self.secret(match_id, seat).encode(), given)
        ]
        return proved[0] if proved else None

    def viewer_of(self, request: Request, match_id: str) -> Seat | None:
        """Return the seat that a request proves; None for a spectator.

        Refuse a wrong secret in the header, but ignore an old cookie.
        """
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        if not scheme:
            return self.seat_of(match_id, request.cookies.get(COOKIE, ""))
        seat = None
        if scheme.lower() == "bearer":
            seat = self.seat_of(match_id, secret.strip())
        if seat is None:
            detail = "this is not the secret of a seat of this match"
            raise HttpRefusal(NO_SEAT, "wrong_secret", detail)
        return seat

    # Classes

    def class_id(self, request_id: str) -> str:
        """Return the id of the class that a request creates."""
        return _text(self._derive("class", request_id)[:_ID_BYTES])

    def device_secret(self, device: Device) -> str:
        """Return the secret of a device, as its cookie has it."""
        parts = device.class_id, str(device.pupil), str(device.number)
        return ".".join((*parts, _text(self._derive("device", *parts))))

    def read_device(self, secret: str) -> Device | None:
        """Return the device that a secret proves, or None."""
        found = _DEVICE.fullmatch(secret)
        if found is None:
            return None
        class_id, pupil, number = found.groups()
        device = Device(class_id, int(pupil), int(number))
        expected = self.device_secret(device).encode()
        return device if compare_digest(expected, secret.encode()) else None

    def device_of(self, request: Request) -> Device | None:
        """Return the device that a request proves by its cookie, or None."""
        return self.read_device(request.cookies.get(CLASS_COOKIE, ""))

    def _derive(self, *parts: str) -> bytes:
        return digest(self._key, "/".join(parts).encode(), "sha256")


def is_match_id(text: str) -> bool:
    """Whether a text could be the id of a match."""
    return _MATCH_ID.fullmatch(text) is not None


class Token:
    """Identifies a request in the log: a digest of its seat and id, and of its body."""

    def __init__(self, seat: Seat | None, request_id: str, body: bytes) -> None:
        who = str(seat.value) if seat is not None else ""
        self.request = _token(f"{who}/{request_id}".encode())
        self.body = _token(body)

    def __str__(self) -> str:
        """Return the token as the log stores it."""
        return f"{self.request}.{self.body}"


def _token(text: bytes) -> str:
    return _text(sha256(text).digest()[:_TOKEN_BYTES])


def _text(given: bytes) -> str:
    return urlsafe_b64encode(given).rstrip(b"=").decode()


def read_key(file: Path) -> bytes:
    """Read the server's key; create it, for its owner only, on the first start."""
    try:
        make_folder(file.parent)
        key = os.urandom(_KEY_BYTES)
        try:
            with open_private(file, "xb") as written:
                written.write(key)
                written.flush()
                os.fsync(written.fileno())
        except FileExistsError:
            key = file.read_bytes()
    except OSError as error:
        raise StoreUnavailable.because(str(file), error) from error
    if len(key) != _KEY_BYTES:
        problem = "this is not a server key; restore it, or delete it to start over"
        raise StoreUnavailable(str(file), problem)
    return key
