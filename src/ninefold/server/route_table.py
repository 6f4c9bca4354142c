"""The route table: the handlers of each path, by method."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ninefold.server.rate_limits import Handler


class Route:
    """A path, perhaps with parameters, and its handlers by method."""

    def __init__(self, path: str) -> None:
        """Create a route; metrics and the log name it by this path, as in "/m/{id}"."""
        self.path = path
        self.handlers: dict[str, Handler] = {}

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the route's paths, with a group for each parameter."""
        return re.compile(_PARAMETER.sub(_group, re.escape(self.path)))


_PARAMETER = re.compile(r"\\{(\w+)(:path)?\\}")


def _group(parameter: re.Match[str]) -> str:
    """Match one part of a path for ``{name}``, and all the rest for ``{name:path}``."""
    name, is_path = parameter.groups()
    return f"(?P<{name}>{'.*' if is_path else '[^/]+'})"


class Routes:
    """Finds the route of a path: in a dict, or by its pattern if it has parameters."""

    def __init__(self, entries: Iterable[tuple[str, tuple[str, ...], Handler]]) -> None:
        """Add each path with its methods and their handler; a path may come again."""
        routes: dict[str, Route] = {}
        for path, methods, handler in entries:
            route = routes.setdefault(path, Route(path))
            route.handlers |= dict.fromkeys(methods, handler)
        self._exact = {path: route for path, route in routes.items() if "{" not in path}
        self._patterns = [
            (route.pattern, route) for path, route in routes.items() if "{" in path
        ]

    def find(self, path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a path and its parameters, or None if there is none."""
        exact = self._exact.get(path)
        if exact is not None:
            return exact, {}
        for pattern, route in self._patterns:
            found = pattern.fullmatch(path)
            if found is not None:
                return route, found.groupdict()
        return None
