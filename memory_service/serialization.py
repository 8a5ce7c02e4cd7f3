"""Results as JSON where they differ from their dataclass."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory_service.types import Committed, RecallResult


def committed_json(committed: Committed) -> dict[str, Any]:
    return {"memory_id": committed.memory_id, "status": committed.status}


def recall_json(result: RecallResult, *, explain: bool) -> dict[str, Any]:
    """A recall's result; `components` only with `explain`, `superseded` only where it is set."""
    items = [asdict(item) for item in result.items]
    for item in items:
        if not explain:
            del item["components"]
        if item["superseded"] is None:
            del item["superseded"]
    return {"items": items, "degraded": result.degraded, "trace_id": result.trace_id}
