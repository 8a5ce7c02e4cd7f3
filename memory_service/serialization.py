"""Results as the JSON that every door shows (DESIGN §8)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from uuid import UUID

from memory_service.validation import BOTH

if TYPE_CHECKING:
    from memory_service.types import (
        Bank,
        Clarification,
        Committed,
        Context,
        DeadLetter,
        Decision,
        Fact,
        FactVersion,
        MemoryItem,
        Page,
        Recalled,
        Superseded,
        Trace,
        TraceLine,
    )


def bank_answer(bank: Bank) -> dict[str, Any]:
    return asdict(bank)


def committed_answer(committed: Committed) -> dict[str, Any]:
    return {"memory_id": committed.memory_id, "status": committed.status}


def item_answer(item: MemoryItem) -> dict[str, Any]:
    return asdict(item)


def items_answer(page: Page[MemoryItem]) -> dict[str, Any]:
    return {"items": [item_answer(item) for item in page.items], "next_cursor": page.next_cursor}


def fact_answer(fact: Fact) -> dict[str, Any]:
    return asdict(fact)


def facts_answer(page: Page[Fact]) -> dict[str, Any]:
    return {"items": [asdict(fact) for fact in page.items], "next_cursor": page.next_cursor}


def versions_answer(page: Page[FactVersion]) -> dict[str, Any]:
    return {"items": [asdict(version) for version in page.items], "next_cursor": page.next_cursor}


def clarification_answer(question: Clarification) -> dict[str, Any]:
    """`keep` is what was answered: a fact's id or both."""
    answered = question.status == "answered"
    shown = asdict(question)
    kept_id = shown.pop("kept_id")
    return {**shown, "keep": (kept_id or BOTH) if answered else None}


def clarifications_answer(page: Page[Clarification]) -> dict[str, Any]:
    return {"items": [clarification_answer(one) for one in page.items], "next_cursor": page.next_cursor}


def decisions_answer(page: Page[Decision]) -> dict[str, Any]:
    return {"items": [asdict(decision) for decision in page.items], "next_cursor": page.next_cursor}


def dead_letters_answer(page: Page[DeadLetter]) -> dict[str, Any]:
    return {"items": [asdict(letter) for letter in page.items], "next_cursor": page.next_cursor}


def redriven_answer(count: int) -> dict[str, Any]:
    return {"redriven": count}


def recall_answer(recalled: Recalled, *, explain: bool) -> dict[str, Any]:
    """Components are there where the caller asked to have the scores explained."""
    return {
        "items": [
            {
                "memory_id": item.candidate.memory_id,
                "type": item.candidate.type,
                "content": item.candidate.content,
                "reply": item.candidate.reply,
                "from_reply": item.candidate.from_reply and bool(item.candidate.reply),
                "occurred_at": item.candidate.occurred_at,
                "score": item.score,
                "metadata": item.candidate.metadata,
                "reason": item.reason,
                **superseded_answer(item.candidate.superseded),
                **({"components": item.components} if explain else {}),
            }
            for item in recalled.items
        ],
        "degraded": recalled.degraded,
        "trace_id": recalled.trace_id,
    }


def superseded_answer(superseded: Superseded | None) -> dict[str, Any]:
    """Only of an episode whose stated fact is no longer true."""
    if superseded is None:
        return {}
    by = None if superseded.by_id is None else {"memory_id": superseded.by_id, "fact": superseded.by_fact}
    told = {"memory_id": superseded.fact_id, "fact": superseded.fact, "since": superseded.since, "by": by}
    return {"superseded": told}


def context_answer(context: Context) -> dict[str, Any]:
    return asdict(context)


def trace_answer(trace: Trace) -> dict[str, Any]:
    return asdict(trace)


def traces_answer(page: Page[TraceLine]) -> dict[str, Any]:
    return {"items": [asdict(line) for line in page.items], "next_cursor": page.next_cursor}


def restored_answer(memory_id: UUID, status: str) -> dict[str, Any]:
    return {"memory_id": memory_id, "status": status}


def expired_answer(count: int) -> dict[str, Any]:
    return {"expired": count}
