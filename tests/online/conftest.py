from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import beside


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with beside(Path(tmp_path_factory.mktemp("server"))) as address:
        yield address
