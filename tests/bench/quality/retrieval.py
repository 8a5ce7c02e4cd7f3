"""Whether recall finds the turns that a question's answer rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from memory_service.inputs import RecallQuery
from memory_service.memory import Memory
from tests.bench.quality.data import out, table
from tests.bench.quality.evidence import Question

BASELINES = {
    "MiniLM cosine, raw question": ("36.2", "45.4", "55.3", "30.1", "31.2"),
    "BM25, stemmed": ("55.6", "62.5", "68.3", "48.9", "49.8"),
    "RRF of both, the usual hybrid": ("48.2", "57.5", "67.6", "40.5", "41.8"),
}
"""Measured once on all ten conversations (1,535 questions), not on these files."""


async def measure(
    memory: Memory,
    name: str,
    asked: Mapping[str, Sequence[Question]],
    baselines: Mapping[str, Sequence[str]],
) -> None:
    """Print recall at 5, 10 and 20, mean reciprocal rank and nDCG of the evidence turns, by profile."""
    shown = table(
        f"evidence in {name}, each turn one memory, in percent",
        *("profile", "R@5", "R@10", "R@20", "MRR", "nDCG@10", "questions"),
    )
    for profile in ("precise", "balanced"):
        shown.add_row(profile, *await one_profile(memory, asked, profile))
    for baseline, figures in baselines.items():
        shown.add_row(baseline, *figures, "1535")
    out.print(shown)


async def one_profile(memory: Memory, asked: Mapping[str, Sequence[Question]], profile: str) -> list[str]:
    sums: dict[str, float] = dict.fromkeys(("r5", "r10", "r20", "mrr", "ndcg"), 0.0)
    count = 0
    for bank_id, questions in asked.items():
        for question in questions:
            found = await memory.recall(bank_id, RecallQuery(question.text, k=20, profile=profile))
            ids = [item.candidate.metadata.get("dia_id") for item in found.items]
            hits = [dia_id in question.evidence for dia_id in ids]
            for k in (5, 10, 20):
                sums[f"r{k}"] += sum(hits[:k]) / len(question.evidence)
            sums["mrr"] += next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
            ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(question.evidence), 10) + 1))
            gained = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits[:10], 1) if hit)
            sums["ndcg"] += gained / ideal
            count += 1
    return [*(f"{100 * value / max(count, 1):.1f}" for value in sums.values()), str(count)]
