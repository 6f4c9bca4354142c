"""Metrics for Prometheus."""

from __future__ import annotations

from functools import lru_cache

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)


class Metrics:
    """Metrics of one server, separate from others in the same process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "ninefold_requests",
            "Requests answered, by method, route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        # Finding the counter of a route takes longer than counting.
        self._requests_of = lru_cache(self._requests.labels)
        self._seconds = Histogram(
            "ninefold_request_seconds",
            "Response times, without streams.",
            buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3),
            registry=self._registry,
        )
        self.commits = Counter(
            "ninefold_commits", "Commits of the store.", registry=self._registry
        )
        self.commands = Counter(
            "ninefold_commands", "Commands committed.", registry=self._registry
        )
        self.listeners = Gauge(
            "ninefold_listeners", "Open streams.", registry=self._registry
        )
        self.cut_off = Counter(
            "ninefold_listeners_cut_off",
            "Streams ended because they were too slow.",
            registry=self._registry,
        )

    def count(
        self, method: str, route: str, status: int, seconds: float | None
    ) -> None:
        """Count an answered request and its time; ``seconds`` is None for streams."""
        self._requests_of(method, route, status).inc()
        if seconds is not None:
            self._seconds.observe(seconds)

    def format_metrics(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self._registry)
