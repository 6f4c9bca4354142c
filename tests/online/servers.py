"""Servers that answer as they are told to, or mean no good."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from tests.program import WAIT_SECONDS

EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """Answer each connection with the next of these, and close it; then refuse."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]

    def answer() -> None:
        for each in answers:
            opened, _ = listening.accept()
            with opened:
                opened.recv(65_536)
                opened.sendall(each)
        listening.close()

    thread = Thread(target=answer, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port}"
    thread.join(WAIT_SECONDS)


def written(status: str, body: bytes = b"") -> bytes:
    """Write an answer with a body."""
    return b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (
        status.encode(),
        len(body),
        body,
    )


@contextmanager
def dripping(first: bytes, drop: bytes) -> Iterator[str]:
    """Answer one connection, and send more and more until it is closed."""
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with listening:
            opened, _ = listening.accept()
        with opened, suppress(OSError):
            opened.settimeout(1)  # nobody reads it any more
            opened.recv(65_536)
            opened.sendall(first)
            while True:
                opened.sendall(drop)

    thread = Thread(target=answer, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    thread.join(WAIT_SECONDS)
    assert not thread.is_alive()
