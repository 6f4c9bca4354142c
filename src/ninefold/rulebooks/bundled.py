"""The rule books inside the package, parsed once and then kept as Python keeps modules.

Importing ``tomllib`` takes longer than starting Python. So a bundled file is loaded
by Python's own loader for source files, told how TOML becomes code: the result lies
in ``__pycache__`` and is read from there until the file changes. An installed package
has no need of that: building it adds the tables as a module (``hatch_build.py``).
"""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from os import path
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_HERE = path.dirname(__file__)  # noqa: PTH120 - pathlib is as slow to import as tomllib


class _TomlLoader(SourceFileLoader):
    def source_to_code(  # type: ignore[override]  # the base takes more kinds of data
        self, data: bytes, path: str
    ) -> CodeType:
        from tomllib import loads  # noqa: PLC0415 - only for a file that has changed

        return compile(f"TABLE = {loads(data.decode())!r}", path, "exec")


def load_table(*names: str) -> dict[str, object]:
    """Load a TOML file of the package, named by its folders and its stem."""
    try:
        from ninefold.rulebooks import tables  # type: ignore[attr-defined]  # noqa: PLC0415 - only if it is there
    except ImportError:
        return _load_file(*names)
    table: dict[str, object] = tables.TABLES["/".join(names)]
    return table


def _load_file(*names: str) -> dict[str, object]:
    file = path.join(_HERE, *names) + ".toml"  # noqa: PTH118 - as above
    module = ModuleType(names[-1])
    _TomlLoader(names[-1], file).exec_module(module)
    table: dict[str, object] = module.TABLE
    return table
