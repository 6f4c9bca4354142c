"""One server for each module of tests: every test makes matches of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests.server.asgi import Site
from tests.servers import make_server


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(make_server().application()) as started:
        yield started


@pytest.fixture
def signals() -> Iterator[None]:
    """Leave the signals of this process as they were."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
