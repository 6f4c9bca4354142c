"""What workers do in tests; run as a program, two of them answer."""

from __future__ import annotations

import os
import signal
import socket

from ninefold.server.worker_processes import Workers


def answer(listening: socket.socket) -> None:
    """Tell everyone who comes which process this is, and wait until they leave."""
    while True:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"%d\n" % os.getpid())
            connection.recv(1)


def answer_for_ever(listening: socket.socket) -> None:
    """Do the same, and do not listen to who would end it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    answer(listening)


def end_at_once(_: socket.socket) -> None:
    """Do nothing."""


def main() -> None:
    """Say where, and let two workers answer."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)  # noqa: T201 - for the test
        Workers(2, listening, answer).run()


if __name__ == "__main__":
    main()
