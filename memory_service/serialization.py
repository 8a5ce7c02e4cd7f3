"""Results as JSON where they differ from their dataclass."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory_service.results import RecalledMemory, RecallResult


def recall_json(result: RecallResult, *, explain: bool) -> dict[str, Any]:
    """A recall's result; `components` only with `explain`, `superseded` only where it is set."""
    return {
        "items": [recalled_json(item, explain=explain) for item in result.items],
        "degraded": result.degraded,
        "trace_id": result.trace_id,
    }


def recalled_json(item: RecalledMemory, *, explain: bool) -> dict[str, Any]:
    """The fields of an item. `asdict` of the whole would copy each value deeply: 0.84 of 0.88 ms for ten items."""
    values = {name: getattr(item, name) for name in item.__dataclass_fields__}
    if not explain:
        del values["components"]
    if item.superseded is None:
        del values["superseded"]
    else:
        values["superseded"] = asdict(item.superseded)
    return values
