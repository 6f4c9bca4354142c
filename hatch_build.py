"""What building a wheel adds: the rule books, parsed, as a module.

An installer compiles modules but not TOML, and a folder that cannot be written keeps no
cache. So a wheel brings the tables along, and the first prompt waits for no parser.
"""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BOOKS = Path(__file__).parent / "src" / "ninefold" / "rulebooks"
MODULE = "ninefold/rulebooks/tables.py"


class ParsedRulebooks(BuildHookInterface):  # type: ignore[type-arg]  # any build
    """Adds the module to a wheel. A checkout reads the TOML files themselves."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
        """Write the module, and have it included."""
        if version == "editable":
            return
        tables = {
            "/".join(path.relative_to(BOOKS).with_suffix("").parts): tomllib.loads(
                path.read_text(encoding="utf-8")
            )
            for path in sorted(BOOKS.rglob("*.toml"))
        }
        self._folder = tempfile.TemporaryDirectory()
        module = Path(self._folder.name) / "tables.py"
        module.write_text(f"TABLES = {tables!r}\n", encoding="utf-8")
        build_data["force_include"][str(module)] = MODULE

    def finalize(self, version: str, *_: object) -> None:
        """Let go of the file that the module was written to."""
        if version != "editable":
            self._folder.cleanup()
