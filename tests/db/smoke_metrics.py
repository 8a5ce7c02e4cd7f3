"""The functions of metrics, called once as the service."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import START, Connection, rows, value

BANK = "smoke"


def add_metrics(service: Connection) -> None:
    for amounts in ([1.0, 0.0, 2.5], [1.0, 1.0, 0.5]):
        delta = {"name": "memory_a_seconds", "labels": ["x"], "amounts": amounts}
        value(service, "add_metrics", deltas=Jsonb([delta]))
    assert rows(service, "read_metrics") == [("memory_a_seconds", ["x"], [2.0, 1.0, 3.0])]
    changed = {"name": "memory_a_seconds", "labels": ["x"], "amounts": [7.0, 1.0]}
    value(service, "add_metrics", deltas=Jsonb([changed]))
    assert rows(service, "read_metrics") == [("memory_a_seconds", ["x"], [7.0, 1.0])]


def read_metrics(service: Connection) -> None:
    assert rows(service, "read_metrics") == []


def queue_gauges(service: Connection) -> None:
    steps.enqueue(service, BANK, "c1")
    assert rows(service, "queue_gauges", at=START + timedelta(seconds=30)) == [("segment", 1, 30.0, 0)]


def night_gauges(service: Connection) -> None:
    """The last success is that of a run without a failed batch; the duration that of the latest run."""
    value(service, "create_bank", bank=BANK, settings=Jsonb({}), embedding_model=steps.MODEL)
    for day, outcome in ((1, "done"), (2, "failed")):
        run: dict[str, object] = {
            "job_run_id": str(uuid.uuid4()), "night_id": str(uuid.uuid4()), "pass": "budget", "bank_ids": [BANK],
            "as_of": START.isoformat(), "started_at": (START + timedelta(days=day)).isoformat(), "seconds": float(day),
            "outcome": outcome, "failed": int(outcome == "failed"), "counts": {}, "model_calls": 0, "tokens": 0,
            "worker": "a test",
        }  # fmt: skip
        service.execute("select memory_internal.record_job_runs(%s)", [Jsonb([run])])
    ((name, success, seconds),) = rows(service, "night_gauges", at=START + timedelta(days=3))
    ended = service.execute("select extract(epoch from now())::double precision").fetchone()
    assert ended is not None
    assert (name, success, seconds) == ("budget", ended[0], 2.0)


def list_nights(service: Connection) -> None:
    """One row for each pass of a night, summed over its batches; a page holds whole nights."""
    nights = [uuid.uuid4() for _ in range(2)]
    for day, night in enumerate(nights):
        for batch in range(2):
            run: dict[str, object] = {
                "job_run_id": str(uuid.uuid4()), "night_id": str(night), "pass": "budget", "bank_ids": ["a", "b"],
                "as_of": START.isoformat(), "started_at": (START + timedelta(days=day, minutes=batch)).isoformat(),
                "seconds": 1.5, "outcome": "done", "failed": batch, "counts": {"archived": 2, "deleted": 0},
                "model_calls": 1, "tokens": 10, "worker": "a test", "error": "lease lost" if batch else None,
            }  # fmt: skip
            service.execute("select memory_internal.record_job_runs(%s)", [Jsonb([run])])
    ((night, began, name, _, *figures),) = rows(service, "list_nights", page=1)
    assert (night, began, name) == (nights[1], START + timedelta(days=1), "budget")
    assert figures == [3.0, 4, 1, {"archived": 4}, 2, 20, ["lease lost"]]
    ((night, *_),) = rows(service, "list_nights", page=5, before_at=began)
    assert night == nights[0]


METRICS: tuple[Callable[[Connection], None], ...] = (
    add_metrics, read_metrics, queue_gauges, night_gauges, list_nights,
)  # fmt: skip
