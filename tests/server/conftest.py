"""One server for each module of tests: every test makes matches of its own."""

from __future__ import annotations

import gc
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
def own_process() -> Iterator[None]:
    """Leave the signals and the garbage collection of this process as they were."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    for number, handler in before.items():
        signal.signal(number, handler)
