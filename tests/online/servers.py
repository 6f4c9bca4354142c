"""Servers that answer as they are told to, or mean no good."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Iterator
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


@contextmanager
def serving(answer: Callable[[str], Iterable[bytes]]) -> Iterator[str]:
    """Answer each request, its whole text, with these pieces until it is closed."""
    listening = socket.create_server(("127.0.0.1", 0))
    threads: list[Thread] = []

    def serve(opened: socket.socket) -> None:
        with opened, suppress(OSError):
            opened.settimeout(1)  # nobody reads it any more
            asked = opened.recv(65_536)
            head, _, body = asked.partition(b"\r\n\r\n")
            told = re.search(rb"(?i)content-length: *([0-9]+)", head)
            if told is not None and len(body) < int(told[1]):
                asked += opened.recv(65_536)
            for piece in answer(asked.decode()):
                opened.sendall(piece)

    def accept() -> None:
        with suppress(OSError):  # it is closed
            while True:
                threads.append(Thread(target=serve, args=(listening.accept()[0],)))
                threads[-1].start()

    threads.append(Thread(target=accept, daemon=True))
    threads[0].start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    with suppress(OSError):  # not every system wakes whoever accepts otherwise
        listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    for thread in threads:
        thread.join(WAIT_SECONDS)
        assert not thread.is_alive()


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
