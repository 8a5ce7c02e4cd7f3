"""Verdicts made into decisions: what the rules and the extractor said, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import uuid_utils.compat as uuids

from memory_service.features import Features
from memory_service.rules.gate.gate import ECHO, Ruling, judge, refused
from memory_service.text.sentences import without_echo
from memory_service.types import Segment, Verdict


def ruling_of(segment: Segment, features: Features) -> Ruling:
    """What the rules say of a segment in a bank: one without a gate keeps all but commands, harm and mere echoes,
    verbatim intake all but commands and echoes."""
    ruling = judge(segment)
    if ruling.decision == "quarantine" or (features.gate and features.intake != "verbatim"):
        return ruling
    if not any(without_echo(utterance.content) for utterance in segment.utterances):
        return refused(ECHO)
    harm = any(v.gate == "harm_check" and not v.passed for v in ruling.verdicts)
    if harm and features.intake != "verbatim":
        return ruling
    return Ruling("keep", ruling.verdicts)


def merged(first: Sequence[Verdict], second: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """One verdict a gate: the rules', then those of gates that the rules had nothing to say about. Harm that either
    of them found stands, and a command before any other."""
    said = {v.gate for v in first}
    both = (*first, *(v for v in second if v.gate not in said))
    harm = [v for v in (*first, *second) if v.gate == "harm_check" and not v.passed]
    if not harm:
        return both
    worst = next((v for v in harm if commands((v,))), harm[0])
    return tuple(worst if v.gate == "harm_check" else v for v in both)


def commands(verdicts: Sequence[Verdict]) -> bool:
    """Whether the harm check failed because the text tries to command the agent: that is kept, in quarantine."""
    return any(v.gate == "harm_check" and not v.passed and v.reason.startswith("command") for v in verdicts)


def decision_of(
    outcome: str,
    verdicts: Sequence[Verdict],
    decided_by: str,
    *,
    always: str | None = None,
    note: str | None = None,
) -> dict[str, Any]:
    """A decision's JSON; its reason is the verdict that settled it, or why this bank keeps everything; then `note`."""
    harm = [v for v in verdicts if v.gate == "harm_check" and not v.passed]
    passed = [v for v in verdicts if v.passed and v.gate != "harm_check"]
    if always and outcome == "stored":
        reason = always
    elif outcome != "stored" and harm:
        reason = f"harm_check: {harm[0].reason}"
    elif outcome == "stored" and passed:
        telling = min(passed, key=lambda v: v.gate == "stable_fact")  # the others say more
        reason = f"{telling.gate}: {telling.reason}"
    else:
        about_facts = [v.reason for v in verdicts if v.gate == "stable_fact"]
        reason = "; ".join(["no gate passed", *about_facts])
    return {
        "decision_id": str(uuids.uuid7()),
        "outcome": outcome,
        "reason": f"{reason}; {note}" if note else reason,
        "verdicts": [{"gate": v.gate, "passed": v.passed, "reason": v.reason} for v in verdicts],
        "decided_by": decided_by,
    }
