"""Measured values behind the similarity of recalled memories, from their trace."""

from __future__ import annotations

from memory_service.memory import Memory
from memory_service.results import RecallResult


async def figures_of(memory: Memory, result: RecallResult, bank: str = "anna") -> list[dict[str, float]]:
    """One entry per returned memory, in their order."""
    await memory.flush()
    trace = await memory.get_trace(bank, result.trace_id)
    figures = {candidate.memory_id: candidate.figures for candidate in trace.candidates}
    return [figures[item.memory_id] for item in result.items]
