"""The nightly run: all passes, bank by bank. `python -m jobs.nightly`, started by cron (jobs/crontab)."""

from __future__ import annotations

from memory_service.jobs.budget import Budget
from memory_service.jobs.command import main
from memory_service.jobs.confidence import Confidence
from memory_service.jobs.consolidate import Consolidate
from memory_service.jobs.merge import Merge
from memory_service.jobs.passes import Pass
from memory_service.jobs.procedures import Procedures
from memory_service.jobs.reembed import Reembed
from memory_service.jobs.relational import Relational
from memory_service.jobs.vector_index import VectorIndex

PASSES: tuple[Pass, ...] = (
    Consolidate(), Confidence(), Merge(), Procedures(), Budget(), Relational(), Reembed(), VectorIndex(),
)  # fmt: skip
"""In the order in which a pass depends on the results of those before it."""

if __name__ == "__main__":
    main(PASSES, extra="night", scrubs=True)
