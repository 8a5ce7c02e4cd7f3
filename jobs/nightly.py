"""The night: all passes in the order of S1 §7, bank by bank. `python -m jobs.nightly`, run by cron (jobs/crontab)."""

from __future__ import annotations

from memory_service.jobs.budget import Budget
from memory_service.jobs.confidence import Confidence
from memory_service.jobs.consolidate import Consolidate
from memory_service.jobs.merge import Merge
from memory_service.jobs.passes import Pass
from memory_service.jobs.runner import main
from memory_service.jobs.vector_index import VectorIndex

PASSES: tuple[Pass, ...] = (Consolidate(), Confidence(), Merge(), Budget(), VectorIndex())
"""In the order in which one makes work for the next: consolidate, confidence, merge, budget, vector index."""

if __name__ == "__main__":
    main(PASSES)
