"""How much code there is: lines without blanks, comments, docstrings and imports.

Run it with ``python -m benchmarks.size``, or name the root of another tree to print the
difference as well: ``python -m benchmarks.size ../before``.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections import Counter
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).parent.parent
_NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
_JS_COMMENT = re.compile(
    r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|/\*.*?\*/|//[^\n]*""",
    re.DOTALL,
)
_JS_IMPORT = re.compile(r"^(?:import|export)\b[^;]*?\bfrom\b[^;]*;", re.MULTILINE)


def python_lines(source: str) -> int:
    r"""Count the lines of Python that hold code.

    >>> python_lines('import os\n\ndef f():\n    "Do it."\n    return 1  # why\n')
    2
    """
    lines: set[int] = set()
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type not in _NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node):
            lines.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(lines)


def _is_text(node: ast.stmt) -> bool:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return False
    return isinstance(node.value.value, str)


def script_lines(source: str) -> int:
    r"""Count the lines of JavaScript or CSS that hold code.

    >>> script_lines("import {\n  a\n} from './a.js';\n/* why */\nf('//'); // so\n")
    1
    """
    source = _JS_COMMENT.sub(lambda match: match[1] or "", source)
    source = _JS_IMPORT.sub("", source)
    return sum(1 for line in source.splitlines() if line.strip())


def measure(root: Path) -> Counter[str]:
    """Count the lines of each part of the tree at ``root``."""
    counts: Counter[str] = Counter()
    package = root / "src" / "ninefold"
    for path in package.rglob("*.py"):
        part = path.relative_to(package).parts[0]
        lines = python_lines(path.read_text(encoding="utf-8"))
        counts[f"  {part.removesuffix('.py')}"] += lines
        counts["Python"] += lines
    for suffix, name in ((".js", "JavaScript"), (".css", "CSS")):
        for path in package.rglob(f"*{suffix}"):
            counts[name] += script_lines(path.read_text(encoding="utf-8"))
    for path in (root / "tests").rglob("*.py"):
        counts["tests"] += python_lines(path.read_text(encoding="utf-8"))
    for path in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        counts["docs, every line"] += len(path.read_text(encoding="utf-8").splitlines())
    return counts


def main() -> None:
    """Print the lines of this tree, and how many more than in another one."""
    here = measure(ROOT)
    other = measure(Path(sys.argv[1])) if len(sys.argv) > 1 else None
    for name in sorted(here if other is None else here | other):
        change = "" if other is None else f"{here[name] - other[name]:+8,}"
        print(f"{name:24}{here[name]:8,}{change}")


if __name__ == "__main__":
    main()
