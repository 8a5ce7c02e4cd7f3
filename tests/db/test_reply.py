"""The extract of the assistant's reply in SQL: its words and vector are used for search only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any
from uuid import UUID, uuid4

import pytest

from memory_service.intake.embed import REPLY_PART
from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import MODEL, START, Connection, Lease, rows, unit_vector, value

OWN, REPLY, OTHER = unit_vector(0), unit_vector(1), unit_vector(2)


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def activate(connection: Connection, lease: Lease, *parts: tuple[int, str], merges: bool = False) -> UUID:
    """Activate the lease's episode with these parts, by number and vector; its id."""
    memory_id = UUID(lease.subject)
    value(
        connection, "activate_episodes", bank="a", model=MODEL, memories=[memory_id], tokens=[lease.token],
        part_memories=[memory_id] * len(parts), parts=[number for number, _ in parts],
        embeddings="{" + ",".join(f'"{vector}"' for _, vector in parts) + "}", merges=merges, at=START,
    )  # fmt: skip
    return memory_id


def remember(
    connection: Connection,
    fields: Mapping[str, Any],
    own: str = OWN,
    reply: str | None = None,
    *,
    merges: bool = False,
) -> UUID:
    """An active episode of these fields, its own text and its reply each with a vector."""
    (lease,) = steps.pending(connection, "a", fields)
    parts = [(0, own), *([(REPLY_PART, reply)] if reply else [])]
    return activate(connection, lease, *parts, merges=merges)


def candidates(connection: Connection, **asked: object) -> dict[UUID, dict[str, Any]]:
    """The candidates of a search by id."""
    arguments = steps.search("a", **asked)  # type: ignore[arg-type]
    named = ", ".join(f"{name} => %({name})s" for name in arguments)
    cursor = connection.execute(f"select * from memory_api.recall_candidates({named})".encode(), arguments)
    names = [column.name for column in cursor.description or ()]
    return {row[0]: dict(zip(names, row, strict=True)) for row in cursor.fetchall()}


def words_in(connection: Connection, column: str, label: str) -> dict[UUID, list[str]]:
    with connection.transaction():
        connection.execute("select memory_internal.enter_bank('a')")
        found = connection.execute(
            f"select memory_id, tsvector_to_array(ts_filter({column}, '{{{label}}}')) from memory.memory_text".encode()
        ).fetchall()
    return dict(found)


def test_a_reply_is_found_by_meaning(service: Connection, bank: str) -> None:
    told = remember(service, {"summary": "Plan my week.", "reply": "Squats on Monday."}, OTHER, REPLY)
    remember(service, {"summary": "Foxes sleep."}, unit_vector(3))
    found = candidates(service, vector=REPLY)[told]
    assert (found["cosine"], found["reply_cosine"], found["from_reply"]) == (0, 1, True)
    assert found["reply"] == "Squats on Monday."
    by_own = candidates(service, vector=OTHER)[told]
    assert (by_own["cosine"], by_own["reply_cosine"], by_own["from_reply"]) == (1, 0, False)


def test_a_reply_is_found_by_its_words(service: Connection, bank: str) -> None:
    told = remember(service, {"summary": "Plan my week.", "reply": "Squats on Monday."}, OWN, REPLY)
    other = remember(service, {"summary": "Foxes sleep."}, OTHER)
    found = candidates(service, words="squats", vector=unit_vector(9))
    assert found[told]["found"] > 0
    assert found[told]["from_reply"]
    assert (found[other]["reply_cosine"], found[other]["from_reply"]) == (None, False)
    own = candidates(service, words="plan", vector=unit_vector(9))[told]
    assert own["found"] > found[told]["found"]
    assert not own["from_reply"]


def test_reply_words_have_weight_c_and_stay_with_their_memory(service: Connection, bank: str) -> None:
    first = {"summary": "Plan my week.", "reply": "Squats on Monday.", "conversation_id": "c1"}
    told = remember(service, first, OWN, REPLY)
    later = remember(service, {"summary": "Foxes sleep.", "conversation_id": "c1"}, OTHER)
    assert words_in(service, "search", "c") == {told: ["monday", "squat"], later: []}
    assert words_in(service, "search", "a")[told] == ["plan", "week"]
    assert words_in(service, "neighbour_words", "d")[later] == ["plan", "week"]


def test_words_are_counted_with_the_reply(service: Connection, admin: Admin, bank: str) -> None:
    def counted() -> dict[Any, Any]:
        return dict(admin.execute("select word, memories from memory.word_count").fetchall())  # type: ignore[arg-type]

    def held() -> Counter[Any]:
        found = admin.execute("select tsvector_to_array(search) from memory.memory_text").fetchall()
        return Counter(chain.from_iterable(row[0] for row in found))  # type: ignore[arg-type]

    told = remember(service, {"summary": "Plan my week.", "reply": "Squats, and plan rest."}, OWN, REPLY)
    remember(service, {"summary": "Squats hurt."}, OTHER)
    assert counted() == held()
    assert counted()["squat"] == 2
    assert counted()["plan"] == 1
    admin.execute("update memory.episodic_memory set status = 'deprecated' where memory_id = %s", (told,))
    rows(service, "index_episode_words", bank="a", memories=[told])
    assert counted() == held()
    assert counted()["squat"] == 1


def test_replies_make_no_duplicates_links_or_clusters(service: Connection, admin: Admin, bank: str) -> None:
    """Two memories whose replies are the same, and one whose own text is what another's reply says."""
    first = remember(
        service, {"summary": "Plan my week.", "reply": "Squats."}, unit_vector(4), REPLY, merges=True
    )
    second = remember(
        service, {"summary": "What now?", "reply": "Squats."}, unit_vector(5), REPLY, merges=True
    )
    third = remember(service, {"summary": "Squats."}, REPLY, merges=True)
    states = dict(admin.execute("select memory_id, status from memory.episodic_memory").fetchall())  # type: ignore[arg-type]
    assert states == dict.fromkeys((first, second, third), "active")
    assert admin.execute("select from memory.memory_link").fetchall() == []
    near = rows(
        service,
        "nearest_episodes",
        bank="a",
        model=MODEL,
        memories=[third],
        embeddings=f'{{"{REPLY}"}}',
        threshold=0.5,
    )
    assert near == []


def test_clusters_and_evidence_read_the_own_text_alone(service: Connection, bank: str) -> None:
    told = remember(service, {"summary": "Plan my week.", "reply": "Squats."}, OWN, REPLY)
    ((_, _, _, average, _),) = rows(service, "unclustered_episodes", bank="a", model=MODEL, most=10, at=START)
    assert average == OWN
    memory_id = steps.fact(service, "a", "Squats are done on Monday.")
    with service.transaction():
        rows(service, "enter_bank", bank="a")
        service.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
            "values ('a', %s, %s, 'semantic', %s)",
            (memory_id, MODEL, REPLY),
        )
    for episodes in ([told], [told, uuid4()]):  # each of the two ways that the function goes
        found = rows(
            service,
            "similar_episodes",
            bank="a",
            model=MODEL,
            facts=[memory_id],
            episodes=episodes,
            threshold=0.5,
        )
        assert found == []


def test_a_near_duplicate_with_a_reply_merges_and_keeps_the_first_reply(
    service: Connection, admin: Admin, bank: str
) -> None:
    """Reply parts do not make a short memory a long one, which would be left out of duplicates and links."""
    first = remember(service, {"summary": "I eat no meat."}, OWN, merges=True)
    again = remember(
        service, {"summary": "I eat no meat.", "reply": "Then try tofu."}, OWN, REPLY, merges=True
    )
    states = dict(admin.execute("select memory_id, status from memory.episodic_memory").fetchall())  # type: ignore[arg-type]
    assert states == {first: "active", again: "merged_into"}
    # The first one had no reply: it takes over this one, with words and vector.
    assert words_in(service, "search", "c")[first] == ["tofu", "tri"]
    assert candidates(service, vector=REPLY)[first]["reply_cosine"] == 1
    third = remember(
        service, {"summary": "I eat no meat.", "reply": "Lentils are good."}, OWN, OTHER, merges=True
    )
    kept = dict(admin.execute("select memory_id, reply from memory.episodic_memory").fetchall())  # type: ignore[arg-type]
    assert kept == {first: "Then try tofu.", again: "Then try tofu.", third: "Lentils are good."}
    assert candidates(service, vector=OTHER)[first]["reply_cosine"] == 0


def test_what_goes_takes_its_reply_vectors_along(service: Connection, admin: Admin, bank: str) -> None:
    told = remember(service, {"summary": "Plan my week.", "reply": "Squats."}, OWN, REPLY)
    assert admin.execute("select part from memory.memory_vector order by part").fetchall() == [
        (0,),
        (REPLY_PART,),
    ]
    rows(service, "delete_episodes", bank="a", memories=[told], reason="test", actor="test", at=START)
    assert admin.execute("select from memory.memory_vector").fetchall() == []


def test_pending_texts_come_with_their_replies(service: Connection, bank: str) -> None:
    (lease,) = steps.pending(service, "a", {"summary": "Plan my week.", "reply": "Squats."})
    (found,) = rows(service, "read_pending_embedding", bank="a", memories=[UUID(lease.subject)])
    *texts, waited = found
    assert texts == [UUID(lease.subject), "Plan my week.", "Squats.", MODEL]
    assert waited >= 0
