"""Counts for Prometheus."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)


class Metrics:
    """Counters of one server, apart from those of others in the same process."""

    def __init__(self) -> None:
        """Begin to count."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "ninefold_requests",
            "Requests answered, by route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "ninefold_request_seconds",
            "How long answers took; streams are not among them.",
            buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3),
            registry=self._registry,
        )
        self._commits = Counter(
            "ninefold_commits", "Commits of the store.", registry=self._registry
        )
        self._commands = Counter(
            "ninefold_commands", "Commands committed.", registry=self._registry
        )
        self.listeners = Gauge(
            "ninefold_listeners", "Streams that are open.", registry=self._registry
        )
        self.cut_off = Counter(
            "ninefold_listeners_cut_off",
            "Streams ended because they were too slow.",
            registry=self._registry,
        )

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.observe(seconds)

    def committed(self, commands: int) -> None:
        """Count a commit."""
        self._commits.inc()
        self._commands.inc(commands)

    def write(self) -> bytes:
        """Write everything in the text format of Prometheus."""
        return generate_latest(self._registry)
