"""One call of each function that erases."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import START, Connection, rows, value

BANK = "smoke"


def erased(service: Connection, scope: str, selector: dict[str, Any], **named: Any) -> list[Any]:
    return rows(
        service, "erase", bank=BANK, erasure=uuid.UUID(int=7), scope=scope, selector=Jsonb(selector), actor="ann",
        at=START, **named,
    )  # fmt: skip


def erase(service: Connection) -> None:
    memory, lease = steps.remember(service, BANK)
    steps.activate(service, BANK, [lease])
    steps.fact(service, BANK, "Rex is black.")
    (planned,) = erased(service, "memory", {"memory_ids": [str(memory)]}, dry_run=True)
    assert planned[3] == "planned"
    (receipt,) = erased(service, "memory", {"memory_ids": [str(memory)]})
    assert (receipt[3], receipt[9]) == ("unreachable", planned[9])
    assert steps.recall(service, BANK) == []


def list_erasures(service: Connection) -> None:
    assert rows(service, "list_erasures", bank=BANK, page=5) == []
    erase(service)
    ((erasure, *_),) = rows(service, "list_erasures", bank=BANK, page=5)
    assert rows(service, "list_erasures", bank=BANK, page=5, after=erasure) == []


def erase_bank_rows(service: Connection) -> None:
    (receipt,) = erased(service, "bank", {})
    assert receipt[9]["bank"] == 1


def unscrubbed_erasures(service: Connection) -> None:
    erase(service)
    assert value(service, "unscrubbed_erasures") == [uuid.UUID(int=7)]


def unscrubbed_moves(service: Connection) -> None:
    assert value(service, "unscrubbed_moves") == []


def finish_scrub(service: Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        value(service, "finish_scrub", erasures=[uuid.UUID(int=7)], moves=["smoke"], at=START)


def erasure_line(service: Connection) -> None:
    assert value(service, "erasure_line", bank=BANK, erasure=uuid.UUID(int=7)) is None
    erase(service)
    line = value(service, "erasure_line", bank=BANK, erasure=uuid.UUID(int=7))
    assert line["erasure"] == str(uuid.UUID(int=7))
    assert line["key"] == value(service, "erasure_ledger_key")
    assert len(line["selector"]["memory_ids"]) == 1


def hashed_selector(service: Connection) -> None:
    selector = {"conversation_id": "c", "agent_id": "c", "since": "2026-01-01"}
    hashed = value(service, "hashed_selector", selector=Jsonb(selector))
    assert hashed["since"] == "2026-01-01"
    assert len({hashed["conversation_id"], hashed["agent_id"], "c"}) == 3


def ids_by_hash(service: Connection) -> None:
    memory, _ = steps.remember(service, BANK)
    hashed = value(service, "hashed_selector", selector=Jsonb({"memory_ids": [str(memory)]}))["memory_ids"]
    assert rows(service, "ids_by_hash", bank=BANK, hashes=hashed) == [
        ("memory", str(memory), hashed[0], True)
    ]


def replay_erasures(service: Connection) -> None:
    memory, _ = steps.remember(service, BANK)
    line: dict[str, object] = {
        "erasure": str(uuid.UUID(int=8)), "scope": "memory", "at": START.isoformat(), "items": {},
        "selector": value(service, "hashed_selector", selector=Jsonb({"memory_ids": [str(memory)]})),
    }  # fmt: skip
    assert value(service, "replay_erasures", bank=BANK, lines=Jsonb([line])) == 1
    assert value(service, "replay_erasures", bank=BANK, lines=Jsonb([line])) == 0
    ((_, scope, selector, *_, counts),) = rows(service, "list_erasures", bank=BANK, page=5)
    assert (scope, selector, counts["episodic_memory"]) == ("memory", line["selector"], 1)


def withdraw_decisions(service: Connection) -> None:
    newer, older = (steps.fact(service, BANK, text) for text in ("Rex is black.", "Rex is white."))
    rows(service, "decide_conflict", bank=BANK, one=newer, other=older, keep=newer, reason="r", actor="ann",
         valid_at=START, at=START, segment=uuid.UUID(int=9))  # fmt: skip
    judgements = service.execute(
        "select memory_internal.decision_time(j) from memory.fact_judgement j"
    ).fetchall()
    assert judgements == [(START,)] * 2
    assert not value(service, "was_valid", bank=BANK, fact=newer, at=START, withdrawn=[])
    rows(service, "decide_again", bank=BANK, lost="{}", reason="r", actor="ann", at=START)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        rows(service, "withdraw_decisions", bank=BANK, segments=[uuid.UUID(int=9)], removed=[], timelines=[])


def named(name: str, call: Callable[[Connection], None]) -> Callable[[Connection], None]:
    """The smoke call of an internal function that `call` reaches."""

    def reached(service: Connection) -> None:
        call(service)

    reached.__name__ = name
    return reached


ERASURE: tuple[Callable[[Connection], None], ...] = (
    unscrubbed_erasures, unscrubbed_moves, finish_scrub, erase, list_erasures, erase_bank_rows,
    erasure_line, hashed_selector, ids_by_hash, replay_erasures, named("erasure_ledger_key", erasure_line),
    named("erasure_lock_key", erase_bank_rows),
    named("erased_id_hash", erase), named("hmac_sha256", erase), named("deleted_rows", erase),
    named("erasure_selection", erase), named("erase_rows", erase), named("erase_summaries", erase),
    named("release_duplicates", erase), named("erase_facts", erase), named("undo_merges", erase),
    named("return_commits", erase), named("withdraw_endings", erase), named("choose_wordings", erase),
    named("separate_facts", erase),
    named("delete_facts", erase), named("erase_procedures", erase), named("erase_norms", erase),
    named("overtake_work", erase), named("erase_records", erase), named("erase_notes", erase),
    named("erase_labels", erase), named("erase_procedure_labels", erase),
    named("delete_stored_answers", erase), withdraw_decisions, named("was_valid", withdraw_decisions),
    named("decision_time", withdraw_decisions), named("decide_again", withdraw_decisions),
)  # fmt: skip
