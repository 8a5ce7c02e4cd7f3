"""Labelled exchanges through redaction, gate and extraction: what the rules decide, and how often they are right.

`pytest -s -k table` prints precision and recall per gate.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args
from uuid import UUID

import pytest

from memory_service.config import Settings
from memory_service.features import features_of
from memory_service.intake.extract import Case, decide, refusal_of
from memory_service.intake.gate_decision import gate_segment
from memory_service.redaction import redact
from memory_service.rules.extractor import extract
from memory_service.store.messages import StoredSegment
from memory_service.store.work import Claim
from memory_service.types import Bank, Gate, Segment, Utterance

_WHEN = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
_BANK = Bank("anna", {"intake": "exchange", "gate": True}, "minilm", _WHEN)
_FEATURES = features_of(_BANK.settings, Settings())
_CLAIM = Claim("anna", "extract", str(UUID(int=0)), 0, 1, 1, UUID(int=1))
GATES: tuple[Gate, ...] = get_args(Gate)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One labelled exchange; the header of exchanges.jsonl has the rules of labelling."""

    id: str
    turns: tuple[Mapping[str, str], ...]
    outcome: str
    passing: frozenset[str]
    failing: frozenset[str]
    redacted: tuple[str, ...]
    kept: tuple[str, ...]
    needs_model: bool
    by_rules: str


def _implied(entry: Mapping[str, Any]) -> frozenset[str]:
    """The gates that must fail: all positive ones if the exchange is refused and passes the harm check."""
    harmless = entry["outcome"] == "refused" and "harm_check" in entry["pass"]
    return frozenset(GATES) - {"harm_check"} if harmless else frozenset()


def _read() -> list[Exchange]:
    found: list[Exchange] = []
    for line in (Path(__file__).parent / "exchanges.jsonl").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            entry = cast("dict[str, Any]", json.loads(line.replace("‖", "")))
            found.append(
                Exchange(
                    entry["id"],
                    tuple(entry["turns"]),
                    entry["outcome"],
                    frozenset(entry["pass"]),
                    frozenset(entry["fail"]) | _implied(entry),
                    tuple(entry.get("redacted", ())),
                    tuple(entry.get("kept", ())),
                    entry.get("needs_model", False),
                    entry.get("by_rules", entry["outcome"]),
                )
            )
    return found


EXCHANGES = _read()
_BY_ID = {exchange.id: exchange for exchange in EXCHANGES}


@dataclass(frozen=True, slots=True)
class Settled:
    """What the write path makes of an exchange: the texts as they are kept, and the decision's JSON."""

    texts: tuple[str, ...]
    decision: Mapping[str, Any]

    @property
    def passed(self) -> dict[str, bool]:
        return {verdict["gate"]: verdict["passed"] for verdict in self.decision["verdicts"]}


@cache
def _settled(exchange_id: str) -> Settled:
    """As `Extract` settles a segment, without its store."""
    turns = _BY_ID[exchange_id].turns
    said = tuple(
        Utterance(
            UUID(int=n), cast("Any", turn["role"]), redact(turn["content"]).text, turn.get("name"), _WHEN
        )
        for n, turn in enumerate(turns, 1)
    )
    first = next((n for n, utterance in enumerate(said) if utterance.role == "user" or utterance.name), 0)
    segment = Segment(UUID(int=0), said[first:], said[:first])
    ruling = gate_segment(segment, _FEATURES)
    case = Case(_CLAIM, _BANK, _FEATURES, StoredSegment(segment, None, {}), ruling)
    if ruling.decision == "refuse":
        settled = refusal_of(case, ruling.verdicts, "rules")
    else:
        settled = decide(case, extract(segment, ruling))
    return Settled(tuple(utterance.content for utterance in said), settled["decision"])


def _named(exchanges: list[Exchange]) -> list[Any]:
    return [pytest.param(exchange, id=exchange.id) for exchange in exchanges]


@pytest.mark.parametrize("exchange", _named(EXCHANGES))
def test_an_exchange_ends_as_a_sensible_person_would_want(exchange: Exchange) -> None:
    settled = _settled(exchange.id)
    assert settled.decision["outcome"] == exchange.by_rules, settled.decision
    if not exchange.needs_model:
        passed = {gate for gate, passed in settled.passed.items() if passed}
        assert exchange.passing <= passed, settled.decision
        assert not exchange.failing & passed, settled.decision
    for secret in exchange.redacted:
        assert not any(secret in text for text in settled.texts)
    for look_alike in exchange.kept:
        assert any(look_alike in text for text in settled.texts)


@pytest.mark.parametrize("exchange", _named(EXCHANGES))
def test_every_decision_answers_every_gate_with_a_reason(exchange: Exchange) -> None:
    settled = _settled(exchange.id)
    verdicts = settled.decision["verdicts"]
    assert sorted(verdict["gate"] for verdict in verdicts) == sorted(GATES)
    for verdict in verdicts:
        assert verdict["reason"]
        for text in settled.texts:
            assert len(text) < 12 or text not in verdict["reason"]
    positive = any(passed for gate, passed in settled.passed.items() if gate != "harm_check")
    stored = settled.decision["outcome"] == "stored"
    assert stored == (positive and settled.passed["harm_check"])


def test_the_set_is_varied_and_seldom_needs_a_model() -> None:
    assert len(EXCHANGES) == len(_BY_ID) >= 170
    assert sum(exchange.needs_model for exchange in EXCHANGES) < 0.12 * len(EXCHANGES)
    assert {exchange.outcome for exchange in EXCHANGES} == {"stored", "refused", "quarantined"}
    for exchange in EXCHANGES:
        assert exchange.passing | exchange.failing <= set(GATES)
        assert not exchange.passing & exchange.failing
        assert exchange.needs_model or exchange.by_rules == exchange.outcome


FLOORS: dict[Gate, tuple[float, float]] = {
    "explicit_request": (0.98, 0.98),
    "relational_damage": (0.95, 0.93),
    "identity_defining": (0.90, 0.95),
    "stable_fact": (0.91, 0.97),
    "high_emotion": (0.95, 0.70),
    "decision_made": (0.95, 0.88),
    "harm_check": (0.92, 0.92),
}
"""Precision and recall per gate, over all labels, those that need a model among them."""


def test_the_table_of_precision_and_recall_stays_above_its_floors() -> None:
    tally: Counter[tuple[str, bool, bool]] = Counter()
    for exchange in EXCHANGES:
        passed = _settled(exchange.id).passed
        tally.update((gate, True, passed[gate]) for gate in exchange.passing)
        tally.update((gate, False, passed[gate]) for gate in exchange.failing)
    figures: dict[str, tuple[float, float]] = {}
    print(f"\n{'gate':18} precision recall  labels")
    for gate in GATES:
        # The positive class of harm_check is a failure, of other gates a pass.
        looked = gate != "harm_check"
        right, missed, wrong = (
            tally[gate, looked, looked], tally[gate, looked, not looked], tally[gate, not looked, looked]
        )  # fmt: skip
        figures[gate] = right / max(right + wrong, 1), right / max(right + missed, 1)
        labels = sum(tally[gate, label, answer] for label in (True, False) for answer in (True, False))
        print(f"{gate:18} {figures[gate][0]:9.2f} {figures[gate][1]:6.2f} {labels:7}")
    for gate, (precision, recall) in FLOORS.items():
        assert figures[gate][0] >= precision, gate
        assert figures[gate][1] >= recall, gate
