"""Gate decisions: the verdicts of the rules and of the extractor, merged, and the outcome that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import uuid_utils.compat as uuids

from memory_service.features import Features
from memory_service.rules.gate.gate import ECHO, Ruling, judge, refused
from memory_service.text.sentences import without_echo
from memory_service.types import Segment, Verdict


def gate_segment(segment: Segment, features: Features) -> Ruling:
    """The rules' ruling on a segment in a bank.

    Without a gate everything is kept but commands, harm and echoes of memories; with verbatim intake everything but
    commands and echoes.
    """
    ruling = judge(segment)
    if ruling.decision == "quarantine" or (features.gate and features.intake != "verbatim"):
        return ruling
    if not any(without_echo(utterance.content) for utterance in segment.utterances):
        return refused(ECHO)
    harm = any(v.gate == "harm_check" and not v.passed for v in ruling.verdicts)
    if harm and features.intake != "verbatim":
        return ruling
    return Ruling("keep", ruling.verdicts)


def merge_verdicts(first: Sequence[Verdict], second: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """One verdict per gate: those of `first`, then those of `second` for the other gates. A failed harm check of either
    wins, a command before other harm."""
    gates = {v.gate for v in first}
    both = (*first, *(v for v in second if v.gate not in gates))
    harm = [v for v in (*first, *second) if v.gate == "harm_check" and not v.passed]
    if not harm:
        return both
    worst = next((v for v in harm if is_command((v,))), harm[0])
    return tuple(worst if v.gate == "harm_check" else v for v in both)


def is_command(verdicts: Sequence[Verdict]) -> bool:
    """Whether the harm check failed because the text is a command to the agent: it is stored in quarantine."""
    return any(v.gate == "harm_check" and not v.passed and v.reason.startswith("command") for v in verdicts)


def decision_of(
    outcome: str,
    verdicts: Sequence[Verdict],
    decided_by: str,
    *,
    always: str | None = None,
    note: str | None = None,
) -> dict[str, Any]:
    """A decision's JSON. Its reason is the verdict that decided, or `always`, the reason why the bank stores
    everything; then `note`."""
    harm = [v for v in verdicts if v.gate == "harm_check" and not v.passed]
    passed = [v for v in verdicts if v.passed and v.gate != "harm_check"]
    if always and outcome == "stored":
        reason = always
    elif outcome != "stored" and harm:
        reason = f"harm_check: {harm[0].reason}"
    elif outcome == "stored" and passed:
        deciding = min(passed, key=lambda v: v.gate == "stable_fact")  # the other gates are more specific
        reason = f"{deciding.gate}: {deciding.reason}"
    else:
        stable_fact = [v.reason for v in verdicts if v.gate == "stable_fact"]
        reason = "; ".join(["no gate passed", *stable_fact])
    return {
        "decision_id": str(uuids.uuid7()),
        "outcome": outcome,
        "reason": f"{reason}; {note}" if note else reason,
        "verdicts": [{"gate": v.gate, "passed": v.passed, "reason": v.reason} for v in verdicts],
        "decided_by": decided_by,
    }
