"""The real server as a process of its own, which can be killed and started again."""

from __future__ import annotations

import re
import subprocess
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

from tests.program import NINEFOLD, environment


class Served:
    """A server on a folder; once it has a port, it keeps it."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._port = "0"
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        self._process = subprocess.Popen(
            [*NINEFOLD, "serve", "--port", self._port, "--plain"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(NINEFOLD_HOME=str(self._home)),
        )
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)", said)
        assert found is not None, said
        self.url, self._port = found[0], found[1]

    def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        self._wait()

    def back_up(self) -> None:
        """Copy the database while it is in use."""
        database, backup = self._files()
        with closing(connect(database)) as here, closing(connect(backup)) as there:
            here.backup(there)

    def restore(self) -> None:
        """Start it again on the copy, as ``docs/serving.md`` tells."""
        self.stop()
        database, backup = self._files()
        backup.replace(database)
        for suffix in ("-wal", "-shm"):
            database.with_name(database.name + suffix).unlink(missing_ok=True)
        self.start()

    def _files(self) -> tuple[Path, Path]:
        return self._home / "server.db", self._home / "backup.db"

    def stop(self) -> None:
        """Tell it to end."""
        self._process.terminate()
        self._wait()

    def _wait(self) -> None:
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()
