"""SQL functions of the interfaces for facts: lists by both times, history, judgements and clarifications."""

from __future__ import annotations

import math
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection, conflict, fact, rows, said, value

DAY = timedelta(days=1)
HOME: dict[str, Any] = {
    "timeline": "user|lives_in",
    "cardinality": "one",
    "subject": "user",
    "attribute": "lives_in",
}
IMPORTANT: dict[str, Any] = {"importance": 0.9}


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, "a")
    return "a"


def entries(connection: Connection, function: str, **arguments: object) -> list[dict[str, Any]]:
    """The rows that a function answers, by the names of their columns."""
    named = ", ".join(f"{name} => %({name})s" for name in arguments)
    with connection.cursor(row_factory=dict_row) as cursor:
        query = f"select * from {steps.SCHEMA_OF[function]}.{function}({named})".encode()
        return cursor.execute(query, {"bank": "a"} | arguments).fetchall()


def listed(connection: Connection, **asked: object) -> list[str]:
    """The texts of facts, the last confirmed first."""
    return [row["fact"] for row in entries(connection, "list_facts", bank="a", **({"page": 99} | asked))]


def one(connection: Connection, memory_id: UUID, at: datetime = START) -> dict[str, Any]:
    (entry,) = entries(connection, "read_fact", bank="a", memory=memory_id, at=at)
    return entry


def judge(connection: Connection, memory_id: UUID, verdict: str, at: datetime, actor: str = "ann") -> Any:
    (entry,) = entries(
        connection, "review_fact", bank="a", memory=memory_id, judgement=verdict, actor=actor, at=at
    )
    return entry


def answer(
    connection: Connection,
    question: UUID | None,
    keep: UUID | None,
    text: str | None = None,
    at: datetime = START + 9 * DAY,
) -> dict[str, Any]:
    (entry,) = entries(
        connection, "answer_clarification", bank="a", clarification=question, keep=keep, answer=text,
        actor="ann", at=at,
    )  # fmt: skip
    return entry


def refusal(call: Any, *arguments: Any, **more: Any) -> tuple[str | None, str]:
    with pytest.raises(psycopg.Error) as refused:
        call(*arguments, **more)
    return refused.value.sqlstate, str(refused.value.diag.message_primary)


# Effective confidence


def effective(connection: Connection, **given: Any) -> float:
    arguments = {
        "confidence": 0.8, "importance": 0.5, "last_confirmed": START, "status": "tentative", "pinned": False,
        "attribute": None, "contradicted_at": None, "at": START + 30 * DAY,
    } | given  # fmt: skip
    return value(connection, "effective_confidence", **arguments)


def test_confidence_fades_by_the_closed_form(service: Connection) -> None:
    assert effective(service) == pytest.approx(0.8 * math.exp(-0.02 * 0.5 * 30))
    assert effective(service, importance=0.9) == pytest.approx(0.8 * math.exp(-0.02 * 0.1 * 30))
    assert effective(service, importance=1.0, at=START + 9000 * DAY) == pytest.approx(0.8)
    assert effective(service, at=START - DAY) == pytest.approx(0.8), "before it was confirmed: as it was then"
    assert effective(service, at=datetime(9999, 12, 31, tzinfo=UTC)) < 1e-200


def test_a_stable_fact_keeps_a_floor_and_a_pinned_one_all(service: Connection) -> None:
    late = START + 5000 * DAY
    assert effective(service, status="stable", at=late) == pytest.approx(0.35)
    assert effective(service, status="stable", confidence=0.32, at=late) == pytest.approx(0.32)
    assert effective(service, pinned=True, at=late) == pytest.approx(0.8)


# Lists


def test_a_fact_is_listed_while_it_is_true(service: Connection, bank: str) -> None:
    berlin = fact(service, bank, "lives in Berlin", value="Berlin", **HOME)
    porto = fact(service, bank, "lives in Porto", at=START + 10 * DAY, value="Porto", **HOME)
    assert listed(service, as_of=START - DAY) == []
    assert listed(service, as_of=START) == ["lives in Berlin"]
    assert listed(service, as_of=START + 10 * DAY - timedelta(seconds=1)) == ["lives in Berlin"]
    assert listed(service, as_of=START + 10 * DAY) == ["lives in Porto"]
    assert listed(service) == ["lives in Porto"]
    assert listed(service, statuses=["tentative"], as_of=START + DAY) == ["lives in Berlin"]
    assert listed(service, statuses=["stable", "deprecated", "merged_into"]) == []
    assert one(service, berlin)["superseded_by"] == porto


def test_what_is_known_later_was_not_known_before(service: Connection, bank: str) -> None:
    """Berlin until day 10, Porto from then on; of the move we hear on day 20, of Rome, before both, on day 30."""
    fact(service, bank, "lives in Berlin", known=START + DAY, value="Berlin", **HOME)
    moved, heard = START + 10 * DAY, START + 20 * DAY
    fact(service, bank, "lives in Porto", at=moved, known=heard, value="Porto", **HOME)
    fact(service, bank, "lives in Rome", at=START - 5 * DAY, known=START + 30 * DAY, value="Rome", **HOME)
    assert listed(service, known_at=START) == []
    assert listed(service, known_at=START, as_of=START + 50 * DAY) == []
    for known_at, home in ((START + DAY, "Berlin"), (heard - DAY, "Berlin"), (heard, "Porto")):
        assert listed(service, known_at=known_at) == [f"lives in {home}"], known_at
        assert listed(service, known_at=known_at, as_of=START + 15 * DAY) == [f"lives in {home}"], known_at
    assert listed(service, known_at=START + 29 * DAY, as_of=START - DAY) == []
    assert listed(service, known_at=START + 30 * DAY, as_of=START - DAY) == ["lives in Rome"]
    assert listed(service, as_of=START - DAY) == ["lives in Rome"]


def test_a_version_of_then_is_shown_whole(service: Connection, bank: str) -> None:
    """list_facts with `known_at` returns the columns of the version of that time, with the evidence known by then."""
    berlin = fact(service, bank, "lives in Berlin", value="Berlin", **HOME)
    porto = fact(service, bank, "lives in Porto", at=START + 10 * DAY, value="Porto", **HOME)
    said(service, bank, porto, START + 12 * DAY, START + 13 * DAY, known=START + 15 * DAY)
    other = fact(service, bank, "lives in Faro", at=START + 16 * DAY, known=START + 20 * DAY)
    conflict(service, bank, porto, other, at=START + 20 * DAY)
    judge(service, porto, "pinned", START + 30 * DAY)
    now = one(service, porto, START + 31 * DAY)
    (then,) = entries(service, "list_facts", bank="a", page=9, known_at=START + 11 * DAY)
    assert (now["evidence_count"], now["pinned"], now["unconfirmed"], now["contradictions"]) == (
        3, True, True, [other],
    )  # fmt: skip
    assert (then["evidence_count"], then["pinned"], then["unconfirmed"], then["contradictions"]) == (
        1, False, False, [],
    )  # fmt: skip
    assert then["memory_id"] == porto
    assert then["confidence"] == pytest.approx(0.6 * math.exp(-0.01 * 0.05))
    assert then["last_confirmed"] == START + 10 * DAY
    assert (len(then["derived_from"]), len(now["derived_from"])) == (1, 3)
    for entry in (then, now):
        ((before),) = entry["version_history"]
        assert (before["fact"], before["reason"]) == ("lives in Berlin", "said")
        assert datetime.fromisoformat(before["retired"]) == START + 10 * DAY
    (first,) = entries(service, "list_facts", bank="a", page=9, known_at=START)
    assert (first["memory_id"], first["valid_to"], first["superseded_by"]) == (berlin, None, None)
    changed = {name for name in now if now[name] != then[name]}
    unchanging = {"bank_id", "memory_id", "fact", "subject", "attribute", "value", "tags", "recipients", "metadata",
                  "recorded_at", "source", "agent_id", "extracted_by", "first_observed", "valid_from", "valid_to",
                  "superseded_by", "merged_into_id", "retracted_at", "version_history", "importance"}  # fmt: skip
    assert not changed & unchanging
    for as_of in (START, START + 31 * DAY):
        known = entries(service, "list_facts", bank="a", page=9, known_at=START + 31 * DAY, as_of=as_of)
        assert known == entries(service, "list_facts", bank="a", page=9, as_of=as_of), (
            "the last is what holds now"
        )
    assert [
        row["superseded_by"] for row in entries(service, "list_facts", bank="a", page=9, as_of=START)
    ] == [porto]


def test_the_version_history_goes_back_to_the_beginning(service: Connection, bank: str) -> None:
    """It includes former wordings, and excludes later, retracted and other timelines' facts."""
    homes = [
        fact(service, bank, f"lives in {home}", at=START + n * DAY, value=home, **HOME)
        for n, home in enumerate(("Rome", "Berlin", "Oslo", "Porto", "Faro"))
    ]
    fact(service, bank, "likes tea")
    judge(service, homes[2], "retracted", START + 9 * DAY)
    with service.transaction():
        rows(service, "enter_bank", bank=bank)
        service.execute(
            "update memory.semantic_memory set fact = 'lives in Oporto' where memory_id = %s", (homes[3],)
        )
        rows(
            service,
            "refresh_facts",
            bank=bank,
            facts=[homes[3]],
            reason="reworded",
            actor="ann",
            at=START + 10 * DAY,
        )
    fact(service, bank, "lives in Bern", at=START - 9 * DAY, known=START + 11 * DAY, value="Bern", **HOME)
    told = [(h["fact"], h["reason"]) for h in one(service, homes[3])["version_history"]]
    assert told.pop(0) == ("lives in Bern", "said")
    assert told == [
        ("lives in Rome", "said"),
        ("lives in Berlin", "retracted"),
        ("lives in Porto", "reworded"),
    ]
    (then, _) = entries(service, "list_facts", bank="a", page=9, known_at=START + 3 * DAY)
    assert [h["fact"] for h in then["version_history"]] == [
        "lives in Rome",
        "lives in Berlin",
        "lives in Oslo",
    ]


def test_a_list_shows_confidence_as_it_was_or_will_be(service: Connection, bank: str) -> None:
    fact(service, bank, "likes tea")
    for days in (0, 10, 100):
        (row,) = entries(service, "list_facts", bank="a", page=9, as_of=START + days * DAY)
        assert row["confidence"] == pytest.approx(0.6 * math.exp(-0.01 * days))


def test_pages_come_in_order_and_meet(service: Connection, bank: str) -> None:
    """Also where several were confirmed at the same moment."""
    for n in range(7):
        fact(service, bank, f"fact {n}", at=START + (n // 3) * DAY)
    whole = entries(service, "list_facts", bank="a", page=99)
    assert [row["last_confirmed"] for row in whole] == sorted(
        (r["last_confirmed"] for r in whole), reverse=True
    )
    for known_at in (None, START + 9 * DAY):
        found: list[UUID] = []
        after: dict[str, Any] = {}
        while page := entries(
            service, "list_facts", bank="a", page=2, as_of=START + 9 * DAY, known_at=known_at, **after
        ):
            found += [row["memory_id"] for row in page]
            after = {"after_at": page[-1]["last_confirmed"], "after_id": page[-1]["memory_id"]}
        assert found == [row["memory_id"] for row in whole]


def test_lists_of_an_unknown_bank_are_refused(service: Connection) -> None:
    for function, more in (
        ("list_facts", {"page": 9}),
        ("read_fact", {"memory": uuid.uuid4()}),
        ("fact_history", {"memory": uuid.uuid4(), "page": 9}),
        ("review_fact", {"memory": uuid.uuid4(), "judgement": "pinned", "actor": "x"}),
        ("list_clarifications", {"page": 9}),
        (
            "answer_clarification",
            {"clarification": uuid.uuid4(), "keep": uuid.uuid4(), "answer": None, "actor": "x"},
        ),
        ("commit_fact", {"decision": Jsonb({}), "fact": Jsonb({})}),
    ):
        assert refusal(rows, service, function, bank="nobody", **more)[0] == "ME001", function


# History


def test_the_history_has_every_state_with_reason_and_actor(service: Connection, bank: str) -> None:
    tea = fact(service, bank, "likes tea")
    said(service, bank, tea, START + DAY)
    judge(service, tea, "confirmed", START + 2 * DAY)
    judge(service, tea, "retracted", START + 3 * DAY, actor="bob")
    states = entries(service, "fact_history", bank="a", memory=tea, page=99)
    assert [(s["version"], s["reason"], s["actor"], s["at"], s["status"]) for s in states] == [
        (1, "said", "worker", START, "tentative"),
        (2, "said", "worker", START + DAY, "tentative"),
        (3, "confirmed", "ann", START + 2 * DAY, "tentative"),
        (4, "retracted", "bob", START + 3 * DAY, "deprecated"),
    ]
    assert [s["confidence"] for s in states[:3]] == [pytest.approx(c) for c in (0.6, 0.62, 0.9)]
    assert states[3]["retracted_at"] == START + 3 * DAY
    rest = entries(service, "fact_history", bank="a", memory=tea, page=2, after_version=1)
    assert [s["version"] for s in rest] == [2, 3]
    assert entries(service, "fact_history", bank="a", memory=uuid.uuid4(), page=9) == []


# Judgements


def test_confirming_is_as_good_as_stating_and_counts_each_time(service: Connection, bank: str) -> None:
    tea = fact(service, bank, "likes tea")
    confirmed = judge(service, tea, "confirmed", START + 5 * DAY)
    assert (confirmed["confidence"], confirmed["last_confirmed"]) == (pytest.approx(0.9), START + 5 * DAY)
    again = judge(service, tea, "confirmed", START + 6 * DAY)
    assert again["last_confirmed"] == START + 6 * DAY
    assert count(service, "fact_judgement") == 2


def test_what_is_confirmed_after_it_ended_is_true_again(service: Connection, bank: str) -> None:
    berlin = fact(service, bank, "lives in Berlin", value="Berlin", **HOME)
    porto = fact(service, bank, "lives in Porto", at=START + DAY, value="Porto", **HOME)
    for _ in range(2):
        back = judge(service, berlin, "confirmed", START + 9 * DAY)
        assert (back["fact"], back["valid_from"], back["valid_to"]) == (
            "lives in Berlin",
            START + 9 * DAY,
            None,
        )
        assert back["memory_id"] not in (berlin, porto)
        assert [h["fact"] for h in back["version_history"]] == ["lives in Berlin", "lives in Porto"]
        assert listed(service) == ["lives in Berlin"]
        assert one(service, porto)["superseded_by"] == back["memory_id"]
        assert (one(service, berlin)["valid_to"], one(service, berlin)["superseded_by"]) == (
            START + DAY,
            porto,
        )


def test_disputing_halves_each_time(service: Connection, bank: str) -> None:
    tea = fact(service, bank, "likes tea")
    assert judge(service, tea, "disputed", START)["confidence"] == pytest.approx(0.3)
    twice = judge(service, tea, "disputed", START)
    assert (twice["status"], twice["confidence"]) == ("deprecated", pytest.approx(0.15))
    assert judge(service, tea, "confirmed", START + DAY)["status"] == "tentative", "it is not lost"


def test_pinning_twice_is_pinning_once(service: Connection, bank: str) -> None:
    tea = fact(service, bank, "likes tea")
    late = START + 1000 * DAY
    assert judge(service, tea, "unpinned", START)["pinned"] is False
    assert count(service, "fact_judgement") == 0
    pinned = judge(service, tea, "pinned", late)
    assert (pinned["pinned"], pinned["confidence"]) == (True, pytest.approx(0.6))
    assert judge(service, tea, "pinned", late) == pinned
    assert count(service, "fact_judgement") == 1
    unpinned = judge(service, tea, "unpinned", late)
    assert (unpinned["pinned"], unpinned["confidence"] < 0.001) == (False, True)
    states = entries(service, "fact_history", bank="a", memory=tea, page=99)
    assert [s["reason"] for s in states] == ["said", "pinned", "unpinned"]


def test_what_was_retracted_was_never_true(service: Connection, bank: str) -> None:
    tea = fact(service, bank, "likes tea")
    retracted = judge(service, tea, "retracted", START + DAY)
    assert (retracted["status"], retracted["retracted_at"]) == ("deprecated", START + DAY)
    assert listed(service, as_of=START) == []
    assert listed(service, as_of=START, statuses=["deprecated"]) == ["likes tea"]
    assert listed(service, as_of=START, statuses=["tentative", "stable", "merged_into"]) == []
    assert listed(service, as_of=START - DAY, statuses=["deprecated"]) == ["likes tea"]
    assert listed(service, as_of=START - DAY, known_at=START + DAY, statuses=["deprecated"]) == ["likes tea"]
    assert listed(service, known_at=START) == ["likes tea"], "we believed it then"
    assert judge(service, tea, "retracted", START + 2 * DAY) == retracted | {"confidence": pytest.approx(
        retracted["confidence"] * math.exp(-0.01)
    )}  # fmt: skip
    assert count(service, "fact_judgement") == 1
    for verdict in ("confirmed", "disputed", "pinned"):
        assert refusal(judge, service, tea, verdict, START) == ("ME007", "retracted")
    assert count(service, "fact_judgement") == 1


def test_retracting_a_successor_brings_back_what_it_had_ended(service: Connection, bank: str) -> None:
    berlin = fact(service, bank, "lives in Berlin", value="Berlin", **HOME)
    porto = fact(service, bank, "lives in Porto", at=START + DAY, value="Porto", **HOME)
    judge(service, porto, "retracted", START + 2 * DAY)
    assert listed(service) == ["lives in Berlin"]
    entry = one(service, berlin)
    assert (entry["valid_to"], entry["superseded_by"]) == (None, None)


def test_a_merged_fact_is_not_judged(service: Connection, bank: str) -> None:
    winner, loser = fact(service, bank, "likes tea"), fact(service, bank, "is fond of tea")
    with service.transaction():
        rows(service, "enter_bank", bank=bank)
        service.execute(
            "update memory.semantic_memory set status = 'merged_into', merged_into_id = %s where memory_id = %s",
            (winner, loser),
        )
    for verdict in ("confirmed", "disputed", "pinned", "retracted"):
        assert refusal(judge, service, loser, verdict, START) == ("ME007", f"merged into {winner}")
    assert judge(service, loser, "unpinned", START)["merged_into_id"] == winner


def test_an_unknown_fact_has_no_row(service: Connection, bank: str) -> None:
    for function, more in (("read_fact", {}), ("review_fact", {"judgement": "pinned", "actor": "x"})):
        assert entries(service, function, bank="a", memory=uuid.uuid4(), **more) == []


# Conflicts


def contradicting(service: Connection, **columns: Any) -> tuple[UUID, UUID, UUID | None]:
    """Two facts that contradict each other, the second the newer one, and the question about them."""
    columns = IMPORTANT | columns
    older = fact(service, "a", "likes coriander", **columns)
    newer = fact(service, "a", "hates coriander", at=START + DAY, **columns)
    question = conflict(service, "a", older, newer, at=START + DAY)
    assert one(service, older)["unconfirmed"]
    assert one(service, older)["contradictions"] == [newer]
    return older, newer, question


def resolution(service: Connection) -> tuple[Any, ...]:
    with service.transaction():
        rows(service, "enter_bank", bank="a")
        row = service.execute("select resolution, kept_id, resolved_by from memory.fact_conflict").fetchone()
    assert row
    return row


def question_of(service: Connection, question: UUID | None) -> dict[str, Any]:
    asked = entries(service, "list_clarifications", bank="a", page=9, statuses=["open", "answered", "void"])
    return next(q for q in asked if q["clarification_id"] == question)


@pytest.mark.parametrize(("verdict", "kept"), [("confirmed", 0), ("disputed", 1), ("retracted", 1)])
@pytest.mark.parametrize("newer", [False, True])
def test_a_judgement_settles_a_conflict_and_answers_its_question(
    service: Connection, bank: str, verdict: str, kept: int, newer: bool
) -> None:
    pair = contradicting(service)[:2]
    pair = pair[::-1] if newer else pair
    (question,) = entries(service, "list_clarifications", bank="a", page=9)
    judge(service, pair[0], verdict, START + 2 * DAY)
    assert resolution(service) == ("kept", pair[kept], "ann")
    assert not one(service, pair[0])["unconfirmed"]
    assert not one(service, pair[1])["unconfirmed"]
    asked = question_of(service, question["clarification_id"])
    assert (asked["status"], asked["kept_id"], asked["actor"]) == ("answered", pair[kept], "ann")


def test_a_conflict_was_open_until_it_was_settled(service: Connection, bank: str) -> None:
    older, newer, _ = contradicting(service)
    judge(service, newer, "disputed", START + 5 * DAY)
    for days, unconfirmed in ((2, True), (5, False)):
        then = entries(service, "list_facts", bank="a", page=9, known_at=START + days * DAY)
        assert {row["memory_id"]: row["unconfirmed"] for row in then} == dict.fromkeys(
            (older, newer), unconfirmed
        )
        assert {row["memory_id"]: row["contradictions"] for row in then} == {older: [newer], newer: [older]}


def test_pinning_settles_nothing(service: Connection, bank: str) -> None:
    older, _, _ = contradicting(service)
    judge(service, older, "pinned", START + 2 * DAY)
    assert resolution(service) == (None, None, None)


def test_a_settled_conflict_gives_the_kept_one_its_confidence_back(service: Connection, bank: str) -> None:
    older, newer, _ = contradicting(service)
    assert one(service, older)["confidence"] == pytest.approx(0.6 * 0.7)
    judge(service, newer, "disputed", START + DAY)
    assert one(service, older)["confidence"] == pytest.approx(0.6)


# Questions


def test_questions_are_listed_the_most_important_first(service: Connection, bank: str) -> None:
    older, newer, first = contradicting(service)
    tea = [fact(service, bank, f"likes tea {n}", at=START + n * DAY, importance=1.0) for n in (5, 6)]
    second = conflict(service, bank, *tea, at=START + 9 * DAY)
    found = entries(service, "list_clarifications", bank="a", page=9)
    assert [q["clarification_id"] for q in found] == [second, first]
    assert [(f["memory_id"], f["fact"]) for f in found[1]["facts"]] == [
        (str(older), "likes coriander"),
        (str(newer), "hates coriander"),
    ]
    (page,) = entries(service, "list_clarifications", bank="a", page=1)
    after = {"after_importance": 1.0, "after_at": page["created_at"], "after_id": page["clarification_id"]}
    rest = entries(service, "list_clarifications", bank="a", page=9, **after)
    assert [q["clarification_id"] for q in rest] == [first]
    answer(service, first, None)
    assert [q["clarification_id"] for q in entries(service, "list_clarifications", bank="a", page=9)] == [
        second
    ]
    answered = entries(service, "list_clarifications", bank="a", page=9, statuses=["answered"])
    assert [q["clarification_id"] for q in answered] == [first]


def test_keeping_the_newer_closes_the_older_which_was_true(service: Connection, bank: str) -> None:
    older, newer, question = contradicting(service)
    answered = answer(service, question, newer, "hates it now")
    assert (answered["status"], answered["kept_id"], answered["answer"], answered["actor"]) == (
        "answered", newer, "hates it now", "ann",
    )  # fmt: skip
    assert resolution(service) == ("kept", newer, "ann")
    closed = one(service, older)
    assert (closed["valid_to"], closed["superseded_by"], closed["status"]) == (
        START + DAY,
        newer,
        "tentative",
    )
    assert closed["retracted_at"] is None
    assert one(service, newer, START + 9 * DAY)["confidence"] == pytest.approx(0.9)
    assert listed(service) == ["hates coriander"]
    assert listed(service, as_of=START) == ["likes coriander"]
    assert one(service, newer)["contradictions"] == [], "each in its time"
    history = one(service, newer)["version_history"]
    assert [(h["fact"], h["reason"]) for h in history] == [("likes coriander", "the user answered")]


def test_what_was_said_again_later_ends_when_it_was_last_said(service: Connection, bank: str) -> None:
    older, newer, question = contradicting(service)
    said(service, bank, older, START + 3 * DAY)
    answer(service, question, newer)
    assert one(service, older)["valid_to"] == START + 3 * DAY
    assert listed(service) == ["hates coriander"]


def test_keeping_the_older_retracts_the_newer_which_was_wrong(service: Connection, bank: str) -> None:
    older, newer, question = contradicting(service)
    answer(service, question, older)
    wrong = one(service, newer)
    assert (wrong["status"], wrong["retracted_at"]) == ("deprecated", START + 9 * DAY)
    assert listed(service, as_of=START + 2 * DAY) == listed(service) == ["likes coriander"]
    assert one(service, older, START + 9 * DAY)["confidence"] == pytest.approx(0.9)


def test_of_what_never_changes_the_other_one_was_wrong(service: Connection, bank: str) -> None:
    older, newer, question = contradicting(service, cardinality="fixed")
    answer(service, question, newer)
    assert one(service, older)["retracted_at"] is not None
    assert listed(service, as_of=START + DAY) == ["hates coriander"]


def test_both_may_hold(service: Connection, bank: str) -> None:
    older, newer, question = contradicting(service)
    answered = answer(service, question, None, "depends on the dish")
    assert (answered["status"], answered["kept_id"]) == ("answered", None)
    assert resolution(service) == ("both", None, "ann")
    for memory_id in (older, newer):
        entry = one(service, memory_id, START + 9 * DAY)
        assert (entry["confidence"], entry["contradictions"]) == (pytest.approx(0.9), [])
        assert entry["valid_to"] is None
    assert sorted(listed(service)) == ["hates coriander", "likes coriander"]


def test_the_same_answer_again_changes_nothing_and_another_is_refused(service: Connection, bank: str) -> None:
    older, newer, question = contradicting(service)
    first = answer(service, question, newer, "hates it")
    judged = count(service, "fact_judgement")
    for again in ("hates it", None):
        assert answer(service, question, newer, again, at=START + 20 * DAY) == first
    for keep, text in ((older, None), (None, None), (newer, "loves it")):
        assert refusal(answer, service, question, keep, text) == ("ME008", "answered")
    assert count(service, "fact_judgement") == judged


def test_both_again_is_the_same_answer(service: Connection, bank: str) -> None:
    _, newer, question = contradicting(service)
    first = answer(service, question, None)
    assert answer(service, question, None) == first
    assert refusal(answer, service, question, newer)[0] == "ME008"


def test_what_is_neither_of_the_two_cannot_be_kept(service: Connection, bank: str) -> None:
    _, _, question = contradicting(service)
    third = fact(service, bank, "likes tea")
    assert refusal(answer, service, question, third) == ("ME009", str(third))
    assert question_of(service, question)["status"] == "open"


def test_a_void_question_takes_no_answer(service: Connection, bank: str) -> None:
    _, newer, question = contradicting(service)
    with service.transaction():
        rows(service, "enter_bank", bank=bank)
        service.execute("update memory.clarification set status = 'void'")
    assert refusal(answer, service, question, newer) == ("ME008", "void")


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("merged", [False, True])
def test_what_is_gone_meanwhile_cannot_be_kept(
    service: Connection, bank: str, both: bool, merged: bool
) -> None:
    _, newer, question = contradicting(service)
    winner = fact(service, bank, "likes tea")
    gone = (
        f"status = 'merged_into', merged_into_id = '{winner}'"
        if merged
        else "status = 'deprecated', retracted_at = now()"
    )
    with service.transaction():
        rows(service, "enter_bank", bank=bank)
        service.execute(f"update memory.semantic_memory set {gone} where memory_id = %s".encode(), (newer,))
    refused = refusal(answer, service, question, None if both else newer)
    assert refused == ("ME007", f"merged into {winner}" if merged else "retracted")
    assert question_of(service, question)["status"] == "open"


def test_an_unknown_question_has_no_row(service: Connection, bank: str) -> None:
    arguments = {"clarification": uuid.uuid4(), "keep": uuid.uuid4(), "answer": None, "actor": "x"}
    assert entries(service, "answer_clarification", bank="a", **arguments) == []


# Commits


def commit(service: Connection, text: str = "Anna keeps bees.", **fields: Any) -> tuple[Any, ...]:
    memory_id = uuid.uuid4()
    given = {"type": "semantic", "content": text}
    record = {
        "memory_id": str(memory_id), "fact": text, "source": "agent", "importance": 0.5,
        "occurred_at": START.isoformat(), "given": given, **fields,
    }  # fmt: skip
    return rows(
        service, "commit_fact", bank="a", decision=steps.decision(), fact=Jsonb(record), at=START + DAY
    )[0]


def test_a_committed_fact_is_known_as_stated_and_waits_for_its_vector(service: Connection, bank: str) -> None:
    memory_id, status, created = commit(service, tags=["bees"], agent_id="planner")
    assert (status, created) == ("tentative", True)
    entry = one(service, memory_id)
    assert (entry["confidence"], entry["valid_from"], entry["recorded_at"], entry["tags"]) == (
        pytest.approx(0.9), START, START + DAY, ["bees"],
    )  # fmt: skip
    assert (entry["evidence_count"], entry["derived_from"]) == (0, [])
    assert entry["first_observed"] == entry["last_confirmed"] == START, (
        "when it was so, not when we heard of it"
    )
    (lease,) = steps.claim(service, "facts", at=START + DAY)
    assert (lease.subject, lease.lane) == (str(memory_id), 0)
    assert rows(service, "fact_state", bank="a", memory=memory_id) == [("tentative", False)]
    (decision,) = rows(service, "list_decisions", bank="a", page=9)
    assert memory_id in decision
    (state,) = entries(service, "fact_history", bank="a", memory=memory_id, page=9)
    assert (state["actor"], state["at"]) == ("planner", START + DAY)
    assert rows(service, "read_commits", bank="a", memories=[memory_id]) == []


def test_a_committed_fact_is_settled_once_it_has_its_vector(service: Connection, bank: str) -> None:
    memory_id, _, _ = commit(service)
    with service.transaction():
        rows(service, "enter_bank", bank=bank)
        service.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, part, tier, embedding) "
            "values ('a', %s, %s, 0, 'semantic', %s)",
            (memory_id, steps.MODEL, steps.unit_vector(0)),
        )
    assert rows(service, "fact_state", bank="a", memory=memory_id) == [("tentative", True)]
    assert rows(service, "fact_state", bank="a", memory=uuid.uuid4()) == [(None, None)]


def test_the_same_key_commits_a_fact_once(service: Connection, bank: str) -> None:
    first = commit(service, idempotency_key="k")
    assert commit(service, idempotency_key="k") == (first[0], "tentative", False)
    assert refusal(commit, service, "Something else.", idempotency_key="k") == ("ME004", "k")
    assert count(service, "semantic_memory") == count(service, "fact_judgement") == 1


def test_a_key_is_of_one_memory_whatever_its_type(service: Connection, bank: str) -> None:
    commit(service, idempotency_key="fact")
    episode = steps.episode(uuid.uuid4(), idempotency_key="fact")
    call = {"bank": "a", "decision": steps.decision(), "episode": episode}
    assert refusal(rows, service, "commit_memory", **call) == ("ME004", "fact")
    episode = steps.episode(uuid.uuid4(), idempotency_key="episode")
    rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=episode)
    assert refusal(commit, service, idempotency_key="episode") == ("ME004", "episode")


def count(service: Connection, table: str) -> int:
    with service.transaction():
        rows(service, "enter_bank", bank="a")
        row = service.execute(f"select count(*) from memory.{table}".encode()).fetchone()
    assert row
    return row[0]


# Views


def test_the_view_for_people_has_the_shapes_of_the_seeds(service: Connection, bank: str) -> None:
    berlin = fact(service, bank, "lives in Berlin", value="Berlin", **HOME)
    porto = fact(service, bank, "lives in Porto", at=START + DAY, value="Porto", **HOME)
    with service.transaction():
        rows(service, "enter_bank", bank=bank)
        shapes = dict(
            service.execute("select memory_id, to_jsonb(f) from analytics.fact f").fetchall()  # type: ignore[arg-type]
        )
    told: dict[str, Any] = shapes[porto]
    assert told["version_history"][0] | {"retired": None} == {
        "fact": "lives in Berlin", "retired": None, "reason": "said",
    }  # fmt: skip
    assert (len(told["derived_from"]), told["contradictions"]) == (1, [])
    assert told["stored_confidence"] == pytest.approx(0.6)
    assert told["confidence"] < 0.6
    assert shapes[berlin]["superseded_by"] == str(porto)


def test_an_answer_closes_the_other_in_one_step(service: Connection, admin: Admin, bank: str) -> None:
    """The ending of a fact without a value adds one row to `fact_version` and none to `semantic_memory`."""
    older, newer, _ = contradicting(service)
    (question,) = entries(service, "list_clarifications", bank="a", page=9)
    rows(
        service, "answer_clarification", bank="a", clarification=question["clarification_id"], keep=newer,
        answer=None, actor="ann", at=START + 2 * DAY,
    )  # fmt: skip
    told = admin.execute(
        "select memory_id, superseded_by, valid_to is null from memory.semantic_memory order by 3"
    )
    assert told.fetchall() == [(older, newer, False), (newer, None, True)]
    versions = admin.execute(
        "select reason from memory.fact_version where fact_id = %s order by version", (older,)
    )
    assert [reason for (reason,) in versions.fetchall()].count("the user answered") == 1
    assert len(one(service, newer)["version_history"]) == 1


def test_confirming_what_an_answer_closed_ends_what_was_kept(
    service: Connection, admin: Admin, bank: str
) -> None:
    older, newer, _ = contradicting(service)
    judge(service, newer, "confirmed", START + 2 * DAY)
    back = judge(service, older, "confirmed", START + 4 * DAY)
    assert (back["valid_to"], back["confidence"]) == (None, pytest.approx(0.9))
    ended = one(service, newer)
    assert (ended["valid_to"], ended["superseded_by"]) == (START + 4 * DAY, back["memory_id"])
    again = judge(service, newer, "confirmed", START + 6 * DAY)
    open_now = admin.execute("select memory_id from memory.semantic_memory where valid_to is null").fetchall()
    assert open_now == [(again["memory_id"],)]
