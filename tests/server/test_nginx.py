"""The example of ``docs/serving.md``: a real nginx in front of a real server."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.processes import start
from tests.program import WAIT_SECONDS
from tests.servers import Served

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "nginx.conf"
pytestmark = pytest.mark.prove

REQUEST = {
    "game": "multiplier-showdown",
    "opponent": "friend",
    "name": "Ada",
    "request_id": "a" * 22,
}


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start both; yield the address of nginx."""
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if nginx is None:
        said = "not tested: nginx in front of the server; install nginx to test it"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    folder = tmp_path_factory.mktemp("nginx")
    served = Served(folder / "home")
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(whole(served.port, port, folder))
    proxy = start(
        [nginx, "-p", folder, "-c", configuration, "-g", "daemon off;"],
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(url)
        yield url
    finally:
        proxy.terminate()
        proxy.communicate(timeout=WAIT_SECONDS)
        served.stop()


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def whole(own_port: int, port: int, folder: Path) -> str:
    """Make the example a whole configuration, of a user without rights."""
    example = EXAMPLE.read_text(encoding="utf-8")
    example = example.replace("127.0.0.1:9009", f"127.0.0.1:{own_port}")
    example = re.sub(r"listen 80;", f"listen 127.0.0.1:{port};", example)
    places = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"worker_processes 1;\npid {folder / 'pid'};\nerror_log stderr;\n"
        "events {}\n"
        f"http {{\naccess_log off;\n{places}{example}\n}}\n"
    )


def wait_for(url: str) -> None:
    transport = httpx.HTTPTransport(retries=20)
    with httpx.Client(transport=transport, timeout=WAIT_SECONDS) as client:
        assert client.get(f"{url}/healthz").status_code == 200


def person(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, timeout=WAIT_SECONDS)


def test_a_match_is_played_through_a_proxy(proxied: str) -> None:
    with person(proxied) as ada, person(proxied) as bo:
        made = ada.post("/api/matches", json=REQUEST)
        assert made.status_code == 201
        match_id = made.json()["id"]
        assert made.json()["link"] == f"{proxied}/m/{match_id}"
        of_match = f"/api/matches/{match_id}"
        bo.post(f"{of_match}/seat", json={"name": "Bo", "request_id": "b" * 22})
        with bo.stream("GET", f"{of_match}/events?after=2") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            ask = {"do": "move", "multiplier": 5}
            move = {"ask": ask, "seq": 2, "request_id": "c" * 22}
            assert ada.post(f"{of_match}/log", json=move).status_code == 200
            # It comes while the stream is open: nothing held it back.
            assert "id: 3" in lines
