"""The result of a pass in a batch of banks and its failures: a row of `job_run`."""

from __future__ import annotations

import os
import socket
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import structlog

from memory_service.errors import MemoryServiceError
from memory_service.logs import unexpected

log = structlog.get_logger()


@dataclass(slots=True)
class JobRun:
    """The result of a pass in a batch of banks: a row of `job_run`."""

    night_id: UUID
    name: str
    at: datetime
    job_run_id: UUID = field(default_factory=uuid4)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    bank_ids: list[str] = field(default_factory=list[str])
    seconds: float = 0.0
    failed: int = 0
    error: str | None = None
    counts: Counter[str] = field(default_factory=Counter[str])
    model_calls: int = 0
    tokens: int = 0
    ratios: list[float] = field(default_factory=list[float])

    def row(self) -> dict[str, Any]:
        return {
            "job_run_id": str(self.job_run_id), "night_id": str(self.night_id), "pass": self.name,
            "bank_ids": self.bank_ids, "as_of": self.at.isoformat(), "started_at": self.started_at.isoformat(),
            "seconds": round(self.seconds, 6), "outcome": "failed" if self.failed else "done",
            "failed": self.failed, "counts": {name: n for name, n in self.counts.items() if n},
            "model_calls": self.model_calls, "tokens": self.tokens,
            "compression_ratio": sum(self.ratios) / len(self.ratios) if self.ratios else None,
            "error": self.error, "worker": f"{socket.gethostname()}:{os.getpid()}",
        }  # fmt: skip


def record_failure(bank_id: str, step: str, job_run: JobRun, error: Exception) -> str:
    """Record the failure of a pass in a bank; the reason, which contains no memory text."""
    known = isinstance(error, MemoryServiceError)
    if not known:
        log.error("a pass failed", bank_id=bank_id, pass_name=step, **unexpected(error))
    reason = f"{step}: {error if known else type(error).__name__}"
    job_run.failed += 1
    job_run.error = reason
    return reason


def rows_of(job_runs: Sequence[JobRun]) -> list[dict[str, Any]]:
    return [job_run.row() for job_run in job_runs if job_run.bank_ids]
