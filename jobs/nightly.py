"""The night: all passes in the order of S1 §7, bank by bank. `python -m jobs.nightly`, run by cron (jobs/crontab)."""

from __future__ import annotations

from jobs.budget import Budget
from jobs.confidence import Confidence
from jobs.consolidate import Consolidate
from jobs.merge import Merge
from jobs.passes import Pass
from jobs.running import main
from jobs.vector_index import VectorIndex

PASSES: tuple[Pass, ...] = (Consolidate(), Confidence(), Merge(), Budget(), VectorIndex())
"""In the order in which one makes work for the next: consolidate, confidence, merge, budget, vector index."""

if __name__ == "__main__":
    main(PASSES)
