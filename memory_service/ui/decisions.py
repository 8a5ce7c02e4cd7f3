"""Decisions: what the gate made of each exchange and commit, with the verdicts of its seven gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from fastapi import APIRouter, Request, Response

from memory_service.results import Decision
from memory_service.server.dependencies import ReadMemory
from memory_service.types import Gate
from memory_service.ui.rendering import shown, table_of
from memory_service.ui.route import PageRoute, view
from memory_service.vocabulary import DecisionOutcome

PAGE = 30
COLUMNS = (
    "decision_id",
    "decided_at",
    "outcome",
    "reason",
    "decided_by",
    "memory_id",
    "conversation_id",
    "said",
)

decisions = APIRouter(prefix="/ui/banks/{bank_id}/decisions", route_class=PageRoute)


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The verdict of one gate. `passed` is None where the decision did not need it."""

    gate: Gate
    passed: bool | None
    reason: str


def gates_of(decision: Decision) -> list[GateVerdict]:
    """All seven gates in their order."""
    given = {str(one["gate"]): one for one in decision.verdicts}
    return [
        GateVerdict(gate, bool(given[gate]["passed"]), str(given[gate]["reason"]))
        if gate in given
        else GateVerdict(gate, None, "not needed for this decision")
        for gate in get_args(Gate)
    ]


@view(decisions, "", csv=True)
async def list_decisions(
    request: Request,
    memory: ReadMemory,
    bank_id: str,
    outcome: DecisionOutcome | None = None,
    cursor: str | None = None,
) -> Response:
    found = await memory.list_decisions(bank_id, outcome=outcome, limit=PAGE, cursor=cursor)
    table = table_of(COLUMNS, found.items)
    return shown(
        request, "decisions.html", {"decisions": found}, table,
        outcome=outcome, outcomes=[None, *get_args(DecisionOutcome)],
        gates={one.decision_id: gates_of(one) for one in found.items},
    )  # fmt: skip
