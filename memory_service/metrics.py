"""The metrics of the service and their counting in one process (docs/operations.md, Metrics).

Counting costs well below a microsecond and never waits. Labels have few values: never a bank, an id or text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

FAST_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
WAITING_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0, 7_200.0, 86_400.0)
TEXTS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)


@dataclass(frozen=True, slots=True)
class Metric:
    """The definition of a metric, as it is exposed."""

    name: str
    type: Literal["counter", "histogram", "gauge"]
    help: str
    labels: tuple[str, ...] = ()
    bounds: tuple[float, ...] = ()
    """Upper bounds of a histogram's buckets, without the last one, infinity."""

    @property
    def width(self) -> int:
        """Numbers of one series: the count, or the counts of the buckets and the sum."""
        return len(self.bounds) + 2 if self.type == "histogram" else 1


HTTP_REQUESTS = Metric(
    "memory_http_requests_total", "counter", "HTTP requests answered", ("route", "method", "status")
)
ACKNOWLEDGE = Metric(
    "memory_acknowledge_seconds",
    "histogram",
    "time from the request with messages to its 202",
    bounds=FAST_SECONDS,
)
READS = Metric(
    "memory_read_seconds",
    "histogram",
    "duration of recalls, contexts and compactions",
    ("operation",),
    FAST_SECONDS,
)
READ_STAGES = Metric(
    "memory_read_stage_seconds",
    "histogram",
    "duration of the stages of reads",
    ("operation", "stage"),
    FAST_SECONDS,
)
DEGRADED_READS = Metric(
    "memory_degraded_reads_total",
    "counter",
    "reads whose query could not be embedded in time",
    ("operation",),
)
RECALLABLE = Metric(
    "memory_recallable_seconds",
    "histogram",
    "time from the last message of a segment, or the commit, to its activation",
    ("lane",),
    WAITING_SECONDS,
)
DECISIONS = Metric("memory_gate_decisions_total", "counter", "gate decisions", ("outcome",))
VERDICTS = Metric(
    "memory_gate_verdicts_total", "counter", "verdicts of the gates in decisions", ("gate", "verdict")
)
MODEL_CALLS = Metric("memory_model_calls_total", "counter", "billed model calls", ("purpose", "outcome"))
MODEL_TOKENS = Metric(
    "memory_model_tokens_total",
    "counter",
    "tokens of billed model calls, estimated where the provider reports none",
    ("purpose", "direction", "outcome"),
)
DEFERRED = Metric(
    "memory_deferred_items_total", "counter", "work items deferred by a daily token limit", ("kind",)
)
EMBEDDED_TEXTS = Metric(
    "memory_embedding_batch_texts", "histogram", "texts of one embedding call of intake", bounds=TEXTS
)
WORK_FAILURES = Metric(
    "memory_work_failures_total", "counter", "failed attempts at work items", ("kind", "outcome")
)
REFUSED_KEYS = Metric(
    "memory_refused_keys_total", "counter", "requests whose API key was refused", ("reason",)
)
CONNECTION_WAIT = Metric(
    "memory_database_wait_seconds",
    "histogram",
    "wait of a call for a connection of the pool",
    bounds=FAST_SECONDS,
)

QUEUE_ITEMS = Metric("memory_queue_items", "gauge", "work items in the queue", ("kind",))
QUEUE_OLDEST = Metric("memory_queue_oldest_seconds", "gauge", "age of the oldest work item", ("kind",))
DEAD_LETTERS = Metric("memory_dead_letters", "gauge", "dead letters", ("kind",))
NIGHT_SUCCESS = Metric(
    "memory_nightly_last_success_timestamp_seconds",
    "gauge",
    "end of the last run of a nightly pass in which no bank failed, as Unix time",
    ("pass",),
)
NIGHT_SECONDS = Metric(
    "memory_nightly_duration_seconds", "gauge", "duration of the latest run of a nightly pass", ("pass",)
)
SERVER_UP = Metric(
    "memory_server_up", "gauge", "whether a server of banks answers, where there are several", ("server",)
)

COUNTED = (
    HTTP_REQUESTS, ACKNOWLEDGE, READS, READ_STAGES, DEGRADED_READS, RECALLABLE, DECISIONS, VERDICTS, MODEL_CALLS,
    MODEL_TOKENS, DEFERRED, EMBEDDED_TEXTS, WORK_FAILURES, REFUSED_KEYS, CONNECTION_WAIT,
)  # fmt: skip
"""Counters and histograms: counted by each process, added up in memory.metric."""
GAUGES = (QUEUE_ITEMS, QUEUE_OLDEST, DEAD_LETTERS, NIGHT_SUCCESS, NIGHT_SECONDS, SERVER_UP)
"""Read from the tables at each scrape."""

Series = tuple[str, tuple[str, ...]]
"""The name of a metric and the values of its labels."""
Amounts = dict[Series, list[float]]


class Counts:
    """What this process has counted since it was last taken. For one event loop: not safe for threads."""

    def __init__(self) -> None:
        self._amounts: Amounts = {}

    def count(self, metric: Metric, *labels: str, by: float = 1.0) -> None:
        """Add to a counter. `labels` are values in the order of metric.labels."""
        self._series(metric, labels)[0] += by

    def observe(self, metric: Metric, value: float, *labels: str) -> None:
        """Add a value to a histogram."""
        amounts = self._series(metric, labels)
        amounts[bisect_left(metric.bounds, value)] += 1
        amounts[-1] += value

    def observe_read(self, operation: str, figures: Mapping[str, float], *, degraded: bool = False) -> None:
        """Add the durations of a read: of each stage, in the entries `STAGE_ms` of a trace, and of all together."""
        total = 0.0
        for name, figure in figures.items():
            if name.endswith("_ms"):
                total += figure
                self.observe(READ_STAGES, figure / 1000, operation, name[:-3])
        self.observe(READS, total / 1000, operation)
        if degraded:
            self.count(DEGRADED_READS, operation)

    def count_decision(self, decision: Mapping[str, Any]) -> None:
        """Add a gate decision with its verdicts."""
        self.count(DECISIONS, decision["outcome"])
        for verdict in decision["verdicts"]:
            self.count(VERDICTS, verdict["gate"], "passed" if verdict["passed"] else "failed")

    def take(self) -> Amounts:
        """The amounts counted since the last call."""
        taken, self._amounts = self._amounts, {}
        return taken

    def give_back(self, amounts: Amounts) -> None:
        """Add amounts that were taken and could not be written."""
        for series, numbers in amounts.items():
            known = self._amounts.get(series)
            self._amounts[series] = (
                numbers if known is None else [a + b for a, b in zip(known, numbers, strict=True)]
            )

    def _series(self, metric: Metric, labels: tuple[str, ...]) -> list[float]:
        series = (metric.name, labels)
        amounts = self._amounts.get(series)
        if amounts is None:
            amounts = self._amounts[series] = [0.0] * metric.width
        return amounts
