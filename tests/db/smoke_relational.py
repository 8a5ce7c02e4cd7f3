"""The functions of relational memory, called once as the service."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory_service.rules.norms.norms import BECAUSE_OF_ALLERGY
from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, unit_vector, value

BANK = "smoke"
LATER = START + timedelta(days=1)
STATED = {
    "kind": "preference",
    "slot": "food street",
    "norm": "I avoid street food.",
    "situation": "when travelling",
}


def bank(service: Connection) -> None:
    value(service, "create_bank", bank=BANK, settings=Jsonb({}), embedding_model=MODEL)


def put(service: Connection, *norms: dict[str, Any], at: object = START) -> list[UUID]:
    bank(service)
    given = Jsonb(list(norms or (STATED,)))
    return value(service, "put_norms", bank=BANK, norms=given, actor="a test", at=at)


def put_norms(service: Connection) -> None:
    ids = put(service)
    assert value(service, "put_norms", bank=BANK, norms=Jsonb([STATED]), actor="a test", at=LATER) == ids


def list_norms(service: Connection) -> None:
    (norm,) = put(service)
    (row,) = rows(service, "list_norms", bank=BANK, as_of=LATER)
    assert (row[0], row[1], row[2], row[10]) == (norm, "preference", "I avoid street food.", True)


def norm_history(service: Connection) -> None:
    (norm,) = put(service)
    (row,) = rows(service, "norm_history", bank=BANK, norm=norm)
    assert (row[0], row[11], row[12]) == (1, "stated by a test", "a test")


def correct_norm(service: Connection) -> None:
    (norm,) = put(service)
    assert value(
        service, "correct_norm", bank=BANK, norm=norm, new_norm="I avoid all street food.", new_situation=None,
        new_level=None, actor="a test", at=LATER,
    )  # fmt: skip
    assert len(rows(service, "norm_history", bank=BANK, norm=norm)) == 2


def review_norm(service: Connection) -> None:
    (norm,) = put(service)
    assert value(service, "review_norm", bank=BANK, norm=norm, judgement="removed", actor="a test", at=LATER)
    assert not value(
        service, "review_norm", bank=BANK, norm=uuid.uuid4(), judgement="removed", actor="a test"
    )


def norms_to_embed(service: Connection) -> None:
    (norm,) = put(service)
    assert rows(service, "norms_to_embed", bank=BANK) == [
        (norm, 0, "I avoid street food.", MODEL), (norm, 1, "when travelling", MODEL),
    ]  # fmt: skip


def embed_norms(service: Connection) -> None:
    (norm,) = put(service)
    given: dict[str, Any] = {
        "norms": [norm, norm], "parts": [0, 1], "texts": ["I avoid street food.", "another"],
        "embeddings": [unit_vector(0), unit_vector(1)],
    }  # fmt: skip
    named = ", ".join(f"{name} => %({name})s" for name in given)
    casts = named.replace("%(norms)s", "%(norms)s::uuid[]").replace("%(parts)s", "%(parts)s::smallint[]")
    casts = casts.replace("%(embeddings)s", "%(embeddings)s::public.halfvec[]")
    query = f"select memory_api.embed_norms(bank => %(bank)s, model => %(model)s, {casts})"
    (written,) = service.execute(query.encode(), {"bank": BANK, "model": MODEL, **given}).fetchall()
    assert written == (1,)


def person_entries(service: Connection) -> None:
    (norm,) = put(service)
    (row,) = rows(service, "person_entries", bank=BANK, model=MODEL, query=None, at=LATER)
    assert (row[0], row[1], row[3]) == ("norm", norm, "when travelling")


def update_relational(service: Connection) -> None:
    bank(service)
    assert value(service, "update_relational", bank=BANK, at=START) == 0
    assert value(service, "update_relational", bank=BANK, token=uuid.uuid4(), at=START) is None
    steps.remember(service, BANK)


def episodes(service: Connection, count: int = 10) -> list[UUID]:
    """Active episodes with signals, entered as the bank; the last one was released by an erasure."""
    ids = [steps.remember(service, BANK, at=START + timedelta(seconds=n))[0] for n in range(count)]
    rows(service, "enter_bank", bank=BANK)
    signals = {
        "norms": [{**STATED, "value": "no", "level": None}], "areas": ["grief"],
        "style": {"words": 5, "casual": 1, "polite": 0, "technical": 0, "emoji": 0},
    }  # fmt: skip
    service.execute(
        "update memory.episodic_memory set signals = %s, emotional_valence = -0.9, "
        "status = case when memory_id = %s then status else 'active' end",
        [Jsonb(signals), ids[-1]],
    )
    service.execute(
        "insert into memory.memory_event "
        "(bank_id, memory_id, memory_type, event, from_status, to_status, reason, actor, at) "
        "values (%s, %s, 'episodic', 'status', 'merged_into', 'pending_embedding', 'released', 'erasure', %s)",
        [BANK, ids[-1], START],
    )
    return ids


def was_embedded(service: Connection) -> None:
    first, last = episodes(service, 2)
    assert [value(service, "was_embedded", bank=BANK, episode=one) for one in (first, last)] == [False, True]


def observe(service: Connection) -> list[UUID]:
    ids = episodes(service)
    assert value(service, "observe_exchanges", bank=BANK, at=LATER) == 10
    return ids


def write_stated_norms(service: Connection) -> None:
    ids = episodes(service, 2)
    assert value(service, "write_stated_norms", bank=BANK, episodes=ids, at=LATER) == 2
    assert value(service, "write_stated_norms", bank=BANK, episodes=ids, at=LATER) == 0


def norm_coverage(service: Connection) -> None:
    assert rows(service, "norm_coverage", bank=BANK, at=LATER) == []
    ids = episodes(service, 2)
    value(service, "write_stated_norms", bank=BANK, episodes=ids, at=LATER)
    ((kind, _, _, _, _, _, detail),) = rows(service, "norm_coverage", bank=BANK, at=LATER)
    assert (kind, len(detail["stated"])) == ("coverage", 2)


def norm_entries(service: Connection) -> None:
    (norm,) = put(service)
    given = {"bank": BANK, "model": MODEL, "query": None}
    assert [row[1] for row in rows(service, "norm_entries", **given, at=LATER)] == [norm]


def relational_exchanges(service: Connection) -> None:
    assert value(service, "relational_exchanges") == 10


def observe_exchanges(service: Connection) -> None:
    observe(service)
    assert value(service, "observe_exchanges", bank=BANK, at=LATER) == 0


def set_phase(service: Connection) -> None:
    observe(service)
    assert value(service, "set_phase", bank=BANK, at=LATER) == "early"


def observe_style(service: Connection) -> None:
    ids = observe(service)
    rows(service, "observe_style", bank=BANK, group_ids=ids, group_end=LATER, at=LATER)
    shown = {row[2] for row in rows(service, "list_norms", bank=BANK, as_of=LATER)}
    assert shown == {"early", "writes short messages", "writes informally", "sensitive about grief"}


def observe_areas(service: Connection) -> None:
    ids = observe(service)
    rows(service, "observe_areas", bank=BANK, group_ids=ids, group_end=LATER, at=LATER)
    ((level,),) = service.execute(
        "select level from memory.relational_memory where slot = 'grief'"
    ).fetchall()
    assert 0.7 < level < 0.9


def observed_style(service: Connection) -> None:
    found = rows(service, "observed_style", words=60, casual=0, polite=1, technical=1, emoji=0)
    assert [row[1] for row in found] == ["detailed", "formal", "technical", ""]


def relationship_phase(service: Connection) -> None:
    given: dict[str, Any] = {"exchanges": 50, "days": 10, "disclosures": 5, "last_at": START, "damages": []}
    assert value(service, "relationship_phase", **given, at=LATER) == "established_trust"


def norm_kind_of(service: Connection) -> None:
    kinds = {
        one: value(service, "norm_kind_of", attribute=one)
        for one in (
            "instruction",
            "answers_length_instruction",
            "avoids",
            "preferred_seat",
            "preferred_name",
            "uses",
        )
    }
    assert kinds == {
        "instruction": "instruction", "answers_length_instruction": "instruction", "avoids": "preference",
        "preferred_seat": "preference", "preferred_name": None, "uses": None,
    }  # fmt: skip


def allergy_reason(service: Connection) -> None:
    order = "user does not want the assistant to suggest asparagus or nuts"
    for norm, directive, is_reason, is_named in (
        (order, order, False, False),
        (order + BECAUSE_OF_ALLERGY, order + " ", True, True),
        (order + ", because I am coeliac.", order, True, True),
        (order + " for allergic guests", order + " for allergic guests", False, True),
        (order + ", they are dull", order + ", they are dull", False, False),
    ):
        plain = norm.removesuffix(BECAUSE_OF_ALLERGY).removesuffix(".")
        found = rows(service, "allergy_reason", norm=norm)
        assert found == [(norm + BECAUSE_OF_ALLERGY, plain, directive, is_reason, is_named)], norm


def remove_norms_of_fact(service: Connection) -> None:
    assert value(service, "remove_norms_of_fact", bank=BANK, fact_id=UUID(int=0), actor="x", at=LATER) == 0


def end_instruction_facts(service: Connection) -> None:
    assert value(service, "end_instruction_facts", bank=BANK, at=LATER) == 0


def withdraw_norm_endings(service: Connection) -> None:
    assert value(service, "withdraw_norm_endings", bank=BANK, kept=[UUID(int=0)]) == []


def end_norm(service: Connection) -> None:
    (norm,) = put(service)
    given = {"kind": "preference", "slot": "food street", "valid_to": LATER, "reason": "r", "actor": "a"}
    assert value(service, "end_norm", bank=BANK, **given, at=LATER) is None  # pinned
    value(service, "review_norm", bank=BANK, norm=norm, judgement="unpinned", actor="a test")
    assert value(service, "end_norm", bank=BANK, **given, at=LATER) == norm


def norm_in_force(service: Connection) -> None:
    norm, instruction = put(service, STATED, STATED | {"kind": "instruction"})
    slot = {"bank": BANK, "kind": "preference", "slot": "food street"}
    assert instruction != norm
    assert instruction in rows(service, "norm_in_force", **slot | {"kind": "instruction"})[0]
    assert norm in rows(service, "norm_in_force", **slot)[0]
    value(service, "review_norm", bank=BANK, norm=norm, judgement="removed", actor="a test")
    assert set(rows(service, "norm_in_force", **slot)[0]) == {None}


def lifted_norms(service: Connection) -> None:
    order = {
        "kind": "instruction",
        "slot": "folder touch",
        "norm": "user wants no change of folders",
        "situation": "",
        "value": "no",
    }
    (norm,) = put(service, STATED | order)
    value(service, "review_norm", bank=BANK, norm=norm, judgement="unpinned", actor="a test")
    given = {"speaker": "user", "value": "yes", "kind": "instruction", "slot": "x", "at": LATER}
    for lifts, asked, ended, stays in (
        ("folder", "yes", [], True), ("folder,job", "yes", [], False), ("folder", "no", [], False),
        ("folder,job or change", "yes", [norm], False),
    ):  # fmt: skip
        given = {**given, "lifts": lifts.split(","), "value": asked}
        assert rows(service, "lifted_norms", bank=BANK, **given) == [(ended, stays)], lifts
    john = "Smith, John"  # the reason begins behind the speaker's name
    text = f"{john} wants the assistant never to suggest cakes with peanuts because of an allergy"
    (narrower,) = put(service, STATED | order | {"slot": "suggest cakes", "norm": text})
    value(service, "review_norm", bank=BANK, norm=narrower, judgement="unpinned", actor="a test")
    for lifts, ended in ((["cakes"], []), (["cakes", "peanuts"], [narrower])):
        given = {**given, "speaker": john, "lifts": lifts, "value": "any"}
        found = rows(service, "lifted_norms", bank=BANK, **given)
        assert [row[0] for row in found] == [ended], lifts


def insert_norm(service: Connection) -> None:
    (first,) = put(service)
    second = value(
        service, "insert_norm", bank=BANK, kind="preference", slot="food street", norm="n", situation="", value="yes",
        level=None, confidence=0.9, status="tentative", pinned=False, source="user", agent=None, extracted_by="rules",
        valid_from=LATER, reason="r", actor="a", at=LATER,
    )  # fmt: skip
    ended = next(r for r in rows(service, "list_norms", bank=BANK, all_states=True) if r[0] == first)
    assert ended[14:16] == (LATER, second)


def record_norm_version(service: Connection) -> None:
    (norm,) = put(service)
    rows(service, "record_norm_version", bank=BANK, norm=norm, reason="r", actor="a", at=LATER)
    assert len(rows(service, "norm_history", bank=BANK, norm=norm)) == 2


def enforce_norm_cap(service: Connection) -> None:
    put(service, STATED, {**STATED, "slot": "other"})
    rows(service, "update_bank", bank=BANK, patch=Jsonb({"most_norms": 1}))
    assert value(service, "enforce_norm_cap", bank=BANK, at=LATER) == 1


def enqueue_relational(service: Connection) -> None:
    ids = episodes(service, 1)
    rows(service, "enqueue_relational", bank=BANK, episodes=ids, at=LATER)
    assert [lease.subject for lease in steps.claim(service, "relational", at=LATER)] == [BANK]


RELATIONAL: tuple[Callable[[Connection], None], ...] = (
    put_norms, list_norms, norm_history, correct_norm, review_norm, norms_to_embed, embed_norms, person_entries,
    update_relational, write_stated_norms, observe_exchanges, observe_style, observe_areas, observed_style,
    relationship_phase, relational_exchanges, norm_coverage, norm_entries, set_phase, end_norm, norm_in_force,
    lifted_norms, norm_kind_of, allergy_reason,
    remove_norms_of_fact, end_instruction_facts, withdraw_norm_endings,
    insert_norm, record_norm_version, enforce_norm_cap,
    enqueue_relational, was_embedded,
)  # fmt: skip
