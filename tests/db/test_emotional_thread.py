"""The rule of the emotional thread: a written conversation, any order of arrival, time, changes of episodes."""

from __future__ import annotations

import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from tests.conftest import Admin
from tests.db import steps
from tests.db.steps import START, Connection, rows, value

BANK = "a"
DAY = timedelta(days=1)
LAST = START + 1000 * DAY


class State(NamedTuple):
    """The open thread at a time."""

    current_state: str
    length: int
    valence: Any
    """A number, or approximately one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An episode, and the open thread at its time."""

    day: float
    valence: float | None
    emotions: str
    topics: str
    then: State | None = None
    source: str = "user"
    memory_id: UUID | None = None

    @property
    def at(self) -> datetime:
        return START + self.day * DAY

    def episode(self) -> dict[str, Any]:
        return {
            **steps.episode(self.memory_id or uuid.uuid4()).obj,
            "occurred_at": self.at.isoformat(),
            "source": self.source,
            "emotional_valence": self.valence,
            "emotions": self.emotions.split(),
            "topics": [topic for topic in self.topics.split(", ") if topic],
        }


CONVERSATION = (
    Turn(0.0, 0.0, "neutral", "siemens, engineer", None),
    # A mood begins a thread. Topics that are words of feeling are no topic of it.
    Turn(0.1, -0.4, "nervousness", "worried, interview, job", State("worried about interview", 1, -0.4)),
    # Without a mood: wears it off by a tenth.
    Turn(0.2, 0.0, "neutral", "python", State("worried about interview", 1, -0.335)),
    # The label alone gives 0.35; the same sign joins.
    Turn(0.3, -0.259, "nervousness", "nervous", State("worried about interview", 2, -0.415)),
    # Politeness is no mood.
    Turn(0.4, 0.0, "gratitude admiration", "", State("worried about interview", 2, -0.359)),
    # The other sign, below 0.35: neither joins nor breaks.
    Turn(0.5, 0.3, "optimism", "weather", State("worried about interview", 2, -0.311)),
    # The other sign, but first of all nervous: joins as the thread is.
    Turn(0.6, 0.4, "nervousness excitement", "interview", State("worried about interview", 3, -0.369)),
    # The other sign, strong: breaks and begins another.
    Turn(0.9, 0.65, "excitement", "job, moon", State("excited about job", 1, 0.65)),
    Turn(1.0, 0.55, "joy", "happy, party", State("happy about party", 2, 0.669)),
    Turn(1.5, -0.3, "annoyance", "annoying, build", State("happy about party", 2, 0.558)),
    # An attitude counts half.
    Turn(2.0, 0.509, "love", "lovely, dinner", State("happy about party", 2, 0.465)),
    Turn(2.5, 0.35, "pride", "daughter", State("proud of daughter", 3, 0.488)),
    Turn(3.0, -0.8, "grief sadness", "grandmother, died", State("grieving over grandmother", 1, -0.8)),
    # Above 0.35, but below half of the grief: does not break it.
    Turn(3.1, 0.38, "joy", "weather", State("grieving over grandmother", 1, -0.707)),
    # A tool's output has no mood, and does not count as an episode without one.
    Turn(3.15, -0.9, "anger", "build", State("grieving over grandmother", 1, -0.701), source="tool"),
    # A commit of an agent that gave no mood.
    Turn(3.2, -0.9, "anger", "server", State("grieving over grandmother", 1, -0.694), source="agent"),
    # No topic: the thread keeps its own.
    Turn(4.0, -0.421, "sadness", "sad", State("sad about grandmother", 2, -0.641)),
    Turn(5.0, -0.2, "neutral", "", State("sad about grandmother", 2, -0.489)),
    # Faded long ago.
    Turn(40.0, -0.5, "anger", "boss, yelled", State("angry about boss", 1, -0.5)),
    Turn(40.5, -0.3, "annoyance", "", State("annoyed about boss", 2, -0.457)),
    # Another family without a topic: not about the boss.
    Turn(40.6, -0.35, "fear", "", State("afraid", 3, -0.498)),
    # No label: only how good or bad.
    Turn(60.0, -0.8, "neutral", "dog, rex", State("feeling low about dog", 1, -0.8)),
    Turn(80.0, -0.3, "annoyance", "printer", State("annoyed about printer", 1, -0.3)),
    Turn(80.01, 0.0, "neutral", "", State("annoyed about printer", 1, -0.267)),
    Turn(80.02, 0.0, "neutral", "", State("annoyed about printer", 1, -0.237)),
    Turn(80.03, 0.0, "neutral", "", State("annoyed about printer", 1, -0.210)),
    # Several in a row end a weak one.
    Turn(80.04, 0.0, "neutral", "", None),
    Turn(80.05, -0.3, "annoyance", "printer", State("annoyed about printer", 1, -0.3)),
)  # fmt: skip


@pytest.fixture
def bank(service: Connection) -> str:
    steps.create_bank(service, BANK)
    return BANK


def numbered(turns: Sequence[Turn], seed: int = 0) -> list[Turn]:
    """The turns with ids that do not follow their order."""
    ids = random.Random(seed)
    return [
        Turn(t.day, t.valence, t.emotions, t.topics, t.then, t.source, UUID(int=ids.getrandbits(128), version=4))
        for t in turns
    ]  # fmt: skip


def experience(service: Connection, turns: Sequence[Turn], bank: str = BANK) -> list[UUID]:
    """Store and activate the turns in one batch; the ids of their episodes."""
    episodes = [turn.episode() for turn in turns]
    rows(service, "insert_episodes", bank=bank, episodes=Jsonb(episodes), at=START)
    steps.activate(service, bank, steps.claim(service, "embed"), merges=False, links=False)
    return [UUID(one["memory_id"]) for one in episodes]


THREAD = (
    "thread_id", "current_state", "emotion", "topic", "valence", "recognized_from", "should_acknowledge",
    "acknowledged_at", "thread_length", "started_at", "last_update", "ended_at", "end_reason", "ended_by",
)  # fmt: skip


def thread(service: Connection, at: datetime = LAST, bank: str = BANK) -> dict[str, Any] | None:
    found = rows(service, "read_thread", bank=bank, at=at)
    return dict(zip(THREAD, found[0], strict=True)) if found else None


def state(service: Connection, at: datetime) -> State | None:
    found = thread(service, at)
    if found is None:
        return None
    return State(found["current_state"], found["thread_length"], pytest.approx(found["valence"], abs=0.0006))


def threads(service: Connection, bank: str = BANK, at: datetime = LAST) -> list[dict[str, Any]]:
    return [
        dict(zip(THREAD, row, strict=True))
        for row in rows(service, "list_threads", bank=bank, page=500, at=at)
    ]


def kept(service: Connection, bank: str = BANK) -> tuple[list[Any], list[Any]]:
    """All rows of threads and their episodes."""
    with service.transaction():
        rows(service, "enter_bank", bank=bank)
        return (
            service.execute("select * from memory.emotional_thread order by started_at").fetchall(),
            service.execute(
                "select * from memory.emotional_thread_episode order by occurred_at, episode_id"
            ).fetchall(),
        )


# The conversation


def test_each_turn_of_a_conversation(service: Connection, bank: str, subtests: pytest.Subtests) -> None:
    for turn in numbered(CONVERSATION):
        experience(service, [turn])
        with subtests.test(day=turn.day):
            assert state(service, turn.at) == turn.then
    assert len(CONVERSATION) >= 25


def test_the_past_of_a_conversation(service: Connection, bank: str, subtests: pytest.Subtests) -> None:
    """All at once, last to first: each past state is read as it was."""
    for turn in reversed(numbered(CONVERSATION)):
        experience(service, [turn])
    for turn in CONVERSATION:
        with subtests.test(day=turn.day):
            assert state(service, turn.at) == turn.then
    ends = [(one["current_state"], one["end_reason"]) for one in reversed(threads(service))]
    assert ends == [
        ("worried about interview", "broken"), ("proud of daughter", "broken"), ("sad about grandmother", "faded"),
        ("afraid", "faded"), ("feeling low about dog", "faded"), ("annoyed about printer", "faded"),
        ("annoyed about printer", "faded"),
    ]  # fmt: skip


# Any order

MOODS = st.sampled_from(
    [
        (0.0, "neutral", ""), (-0.4, "nervousness", "exam"), (0.35, "joy", "garden"), (-0.9, "grief", "grandmother"),
        (0.7, "excitement", "trip"), (-0.3, "annoyance", ""), (0.4, "nervousness joy", ""), (None, "", ""),
    ]
)  # fmt: skip
TURNS = st.lists(
    st.tuples(
        st.integers(0, 160), MOODS, st.sampled_from(["user", "user", "user", "import", "agent", "tool"])
    ),
    min_size=2,
    max_size=14,
)


def without_bank(found: tuple[list[Any], list[Any]]) -> list[list[Any]]:
    return [[row[1:] for row in listed] for listed in found]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=TURNS, order=st.randoms(use_true_random=False), ends=st.lists(st.integers(0, 160), max_size=2))
def test_threads_do_not_depend_on_the_order_of_arrival(
    service: Connection, drawn: list[Any], order: random.Random, ends: list[float]
) -> None:
    """In any order and any batches, also with episodes that are removed again, after acts of a person."""
    turns = numbered([Turn(place / 4, *mood, source=source) for place, mood, source in drawn])
    banks = [f"bank-{uuid.uuid4()}" for _ in range(2)]
    for bank in banks:
        steps.create_bank(service, bank)
    for turn in turns:
        experience(service, [turn], banks[0])
    acts = [
        (START + place / 4 * DAY, row[0])
        for place in sorted(ends)
        for row in rows(service, "end_thread", bank=banks[0], actor="anna", at=START + place / 4 * DAY)
    ]
    extra = numbered([Turn(turn.day + 0.001, 0.9, "joy", "extra") for turn in turns[::3]], seed=1)
    arriving = [*turns, *extra]
    order.shuffle(arriving)
    with service.transaction():
        rows(service, "enter_bank", bank=banks[1])
        for at, thread_id in acts:
            service.execute(
                "insert into memory.emotional_thread_act (bank_id, at, act, thread_id, valence, actor) "
                "values (%s, %s, 'ended', %s, 0, 'anna')",
                (banks[1], at, thread_id),
            )
    while arriving:
        size = order.randint(1, 4)
        experience(service, arriving[:size], banks[1])
        del arriving[:size]
    rows(
        service, "delete_episodes", bank=banks[1], memories=[one.memory_id for one in extra], reason="a test",
        actor="anna", at=START,
    )  # fmt: skip
    assert without_bank(kept(service, banks[1])) == without_bank(kept(service, banks[0]))
    for bank in banks:
        rows(service, "update_bank", bank=bank, patch=Jsonb({}))


def test_an_import_of_old_conversations_is_not_the_present_mood(service: Connection, bank: str) -> None:
    experience(service, [Turn(100, 0.7, "excitement", "trip")])
    before = thread(service, START + 101 * DAY)
    old = [Turn(day, -0.9, "grief", "grandmother", source="import") for day in (1, 2, 3, 50)]
    experience(service, old)
    assert thread(service, START + 101 * DAY) == before
    grief = thread(service, START + 3.5 * DAY)
    assert grief is not None
    assert (grief["current_state"], grief["thread_length"]) == ("grieving over grandmother", 3)


# Time


@pytest.mark.parametrize(
    ("valence", "emotions", "count", "days"),
    [
        (-0.3, "annoyance", 1, 0.32),
        (-0.5, "anger", 1, 1.98),
        (-0.9, "grief", 1, 10.55),
        (-0.9, "grief", 4, 27.2),
        (-0.9, "grief", 20, 32.2),
    ],
)
def test_a_strong_or_long_thread_lasts_longer(
    service: Connection, bank: str, valence: float, emotions: str, count: int, days: float
) -> None:
    experience(service, [Turn(n / 100, valence, emotions, "a") for n in range(count)])
    last = START + (count - 1) / 100 * DAY
    assert thread(service, last + days * 0.98 * DAY) is not None
    assert thread(service, last + days * 1.02 * DAY) is None
    (listed,) = threads(service, at=last + days * 0.98 * DAY)
    assert (listed["ended_at"], listed["end_reason"]) == (None, None)
    (listed,) = threads(service, at=LAST)
    assert listed["end_reason"] == "faded"
    assert abs(listed["ended_at"] - last - days * DAY) < 0.02 * days * DAY


def test_reading_does_not_change_a_thread(service: Connection, bank: str) -> None:
    experience(service, [Turn(0, -0.9, "grief", "a")])
    before = kept(service)
    for day in (5, 1, 9, 400, -3):
        thread(service, START + day * DAY)
    assert kept(service) == before
    assert thread(service, START - DAY) is None
    assert threads(service, at=START - DAY) == []


# Acknowledgement


def trace(at: datetime, thread_id: UUID) -> dict[str, Any]:
    return {
        "trace_id": str(uuid.uuid4()), "kind": "context", "query": "q", "profile": "relevant", "mode": "passive",
        "embedding_model": steps.MODEL, "returned": 0, "degraded": False, "figures": {}, "candidates": "{}",
        "seen": [], "at": at.isoformat(), "acknowledged_thread": str(thread_id),
    }  # fmt: skip


def printed(service: Connection, day: float, times: int = 1) -> None:
    """Contexts printed the thread, if it asked to be acknowledged."""
    found = thread(service, START + day * DAY)
    assert found is not None
    traces = [trace(START + day * DAY, found["thread_id"]) for _ in range(times)]
    value(service, "record_traces", bank=BANK, traces=Jsonb(traces))
    value(service, "record_traces", bank=BANK, traces=Jsonb(traces))


def asks(service: Connection, day: float) -> bool:
    found = thread(service, START + day * DAY)
    assert found is not None
    return found["should_acknowledge"]


def test_a_thread_asks_once_until_it_grows_or_changes(service: Connection, bank: str) -> None:
    experience(service, [Turn(0, -0.3, "annoyance", "build")])
    assert not asks(service, 0.01), "too weak"
    experience(service, [Turn(0.1, -0.45, "annoyance", "build")])
    assert asks(service, 0.11)
    printed(service, 0.12, times=3)
    assert asks(service, 0.11), "the past is not changed"
    assert not asks(service, 0.13)
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        assert service.execute("select count(*) from memory.emotional_thread_act").fetchone() == (1,)
    experience(service, [Turn(0.2, -0.4, "annoyance", "build")])
    assert not asks(service, 0.21), "much the same"
    experience(service, [Turn(0.3, -0.8, "anger", "build")])
    assert asks(service, 0.31), "stronger"
    printed(service, 0.32)
    assert not asks(service, 0.33)
    experience(service, [Turn(0.4, -0.5, "sadness", "build")])
    assert asks(service, 0.41), "another kind of mood"
    printed(service, 0.42)
    experience(service, [Turn(1.4, -0.5, "sadness", "build")])
    assert not asks(service, 1.41)
    assert not asks(service, 3.5), "nothing new since"
    experience(service, [Turn(3.6, -0.5, "sadness", "build")])
    assert asks(service, 3.61), "three days later"
    found = thread(service, START + 3.61 * DAY)
    assert found is not None
    assert found["acknowledged_at"] == START + 0.42 * DAY


def test_another_thread_asks_again(service: Connection, bank: str) -> None:
    experience(service, [Turn(0, -0.5, "anger", "boss")])
    printed(service, 0.5)
    experience(service, [Turn(0.4, 0.8, "joy", "party")])  # arrives late, and began before it was printed
    assert asks(service, 0.51)


# Acts and changes


def test_a_person_ends_a_thread(service: Connection, bank: str, admin: Admin) -> None:
    experience(service, [Turn(0, -0.9, "grief", "grandmother")])
    (ended,) = rows(service, "end_thread", bank=BANK, actor="anna", at=START + DAY)
    given = dict(zip(THREAD, ended, strict=True))
    assert (given["ended_at"], given["end_reason"], given["ended_by"]) == (START + DAY, "ended", "anna")
    assert rows(service, "end_thread", bank=BANK, actor="anna", at=START + DAY) == []
    assert thread(service, START + 1.1 * DAY) is None
    assert thread(service, START + 0.9 * DAY) is not None
    audit = admin.execute(
        "select actor, subjects from memory.audit_event where action = 'thread_ended'"
    ).fetchall()
    assert audit == [("anna", [str(given["thread_id"])])]
    # One that occurred before belongs to it, a later one begins another.
    experience(service, [Turn(0.5, -0.5, "sadness", ""), Turn(1.5, -0.5, "sadness", "")])
    lengths = [
        (one["thread_length"], one["end_reason"], one["ended_by"])
        for one in threads(service, at=START + 1.6 * DAY)
    ]
    assert lengths == [(1, None, None), (2, "ended", "anna")]


def test_a_thread_that_was_switched_off(service: Connection, bank: str) -> None:
    experience(service, [Turn(0, -0.9, "grief", "grandmother")])
    rows(
        service,
        "update_bank",
        bank=BANK,
        patch=Jsonb({"emotional_thread": False}),
        at=START + DAY,
        actor="anna",
    )
    assert thread(service, START + 0.5 * DAY) is None
    assert threads(service) == []
    before = kept(service)
    experience(service, [Turn(1.1, -0.9, "grief", "grandmother")])
    assert kept(service) == before
    rows(service, "update_bank", bank=BANK, patch=Jsonb({"emotional_thread": None}), at=START + 2 * DAY)
    assert thread(service, START + 2 * DAY) is None
    (listed,) = threads(service)
    assert (listed["end_reason"], listed["ended_by"], listed["ended_at"]) == (
        "switched_off",
        "anna",
        START + DAY,
    )
    experience(service, [Turn(2.1, -0.9, "grief", "grandmother")])
    assert [one["thread_length"] for one in threads(service)] == [1, 1]


def status(service: Connection, memory_id: UUID, before: str, to: str) -> None:
    rows(
        service, "set_episode_status", bank=BANK, memory=memory_id, from_statuses=[before], to_status=to,
        reason="a test", actor="a", at=START,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("after", "length"),
    [
        ("archived", 2),
        ("merged_into", 2),
        ("deprecated", 1),
        ("quarantined", 1),
        ("failed", 1),
        ("pending_embedding", 1),
    ],
)
def test_each_status_of_an_episode(service: Connection, bank: str, after: str, length: int) -> None:
    first, second = experience(service, [Turn(0, -0.9, "grief", "secret"), Turn(1, -0.9, "sadness", "")])
    whole = kept(service)
    status(service, first, "active", after)
    (found,) = threads(service)
    assert found["thread_length"] == length
    assert (second in found["recognized_from"], first in found["recognized_from"]) == (True, length == 2)
    assert ("secret" in str(kept(service))) == (length == 2), "the words of an episode go with it"
    status(service, first, after, "active")
    assert kept(service) == whole


def test_a_duplicate_counts(service: Connection, bank: str) -> None:
    episodes = [Turn(day, -0.5, "anger", "boss").episode() for day in (0, 0.5)]
    for one in episodes:
        rows(service, "insert_episodes", bank=BANK, episodes=Jsonb([one]), at=START)
        steps.activate(service, BANK, steps.claim(service, "embed"))
    with service.transaction():
        rows(service, "enter_bank", bank=BANK)
        merged = service.execute("select status from memory.episodic_memory order by occurred_at").fetchall()
    assert merged == [("active",), ("merged_into",)]
    (found,) = threads(service)
    assert found["thread_length"] == 2


def test_changed_content(service: Connection, bank: str) -> None:
    (memory_id,) = experience(service, [Turn(0, -0.9, "grief", "secret")])
    rows(service, "replace_content", bank=BANK, memory=memory_id, content="another", actor="a", at=START)
    assert kept(service) == ([], [])
    (lease,) = steps.claim(service, "annotate")
    extracted: dict[str, object] = {
        "importance": 0.7, "emotional_valence": 0.6, "emotions": ["joy"], "topics": ["party"], "entities": [],
        "importance_features": {}, "candidate_facts": [], "extracted_by": "rules",
    }  # fmt: skip
    value(
        service, "annotate_memory", bank=BANK, memory=memory_id, token=lease.token, lane=0, fields=Jsonb(extracted),
        to_status="pending_embedding", reason="a test", at=START,
    )  # fmt: skip
    steps.activate(service, BANK, steps.claim(service, "embed"))
    assert state(service, START) == State("happy about party", 1, 0.6)


def test_a_commit_counts_with_a_mood_that_was_given(service: Connection, bank: str) -> None:
    memory_id = uuid.uuid4()
    plain = Turn(0, -0.9, "grief", "a", source="agent").episode()
    given = Turn(1, -0.9, "grief", "b", source="agent", memory_id=memory_id).episode() | {
        "given": {"valence": -0.9}
    }
    rows(service, "insert_episodes", bank=BANK, episodes=Jsonb([plain, given]), at=START)
    steps.activate(service, BANK, steps.claim(service, "embed"), merges=False)
    assert [one["recognized_from"] for one in threads(service)] == [[memory_id]]


def test_a_summary_is_nobodys_mood(service: Connection, bank: str) -> None:
    first, second = experience(service, [Turn(0, -0.9, "grief", "a"), Turn(1, -0.9, "grief", "a")])
    before = kept(service)
    wording = {
        "memory_id": str(uuid.uuid4()), "cluster_id": None, "kind": "cluster", "content": "sad days",
        "each": None, "since": START.isoformat(), "extracted_by": "rules", "reason": "a test",
    }  # fmt: skip
    rows(
        service, "write_summary", bank=BANK, model=steps.MODEL, members=[first, second], wording=Jsonb(wording),
        parts="{" + f'"{steps.unit_vector(0)}"' + "}", at=START,
    )  # fmt: skip
    assert kept(service) == before


def test_banks_have_threads_of_their_own(service: Connection, bank: str) -> None:
    steps.create_bank(service, "b")
    experience(service, [Turn(0, -0.9, "grief", "a")])
    experience(service, [Turn(0, 0.9, "joy", "b")], "b")
    found = [thread(service, START, one) for one in (BANK, "b")]
    assert [one and one["current_state"] for one in found] == ["grieving over a", "happy about b"]
    assert all(len(listed) == 1 for one in (BANK, "b") for listed in kept(service, one))
    rows(service, "end_thread", bank="b", actor="x", at=START + DAY)
    assert thread(service, START + DAY) is not None


# Words


@pytest.mark.parametrize(
    ("topics", "entities", "topic"),
    [
        (["Worried", "job interview"], ["Siemens"], "job interview"),
        (["sad"], ["Rex"], "Rex"),
        (["married", "sister"], ["Ola"], "sister"),
        (["married"], ["Ola"], "married"),
        ([], [], None),
        (["  ", "a\n\n b"], [], None),
        (["a\n\n b"], [], "a b"),
        (["the longest topic of all topics in this bank"], [], "the longest topic of all topics in this"),
        (["x" * 60], [], "x" * 40),
    ],
)
def test_topics(service: Connection, topics: list[str], entities: list[str], topic: str | None) -> None:
    assert value(service, "thread_topic", topics=topics, entities=entities) == topic


@pytest.mark.parametrize(
    ("valence", "emotions", "mood", "emotion", "family"),
    [
        (-0.8, "neutral sadness", -0.8, None, None),
        (-0.1, "sadness", -0.35, "sadness", "sadness"),
        (0.25, "sadness", None, None, None),
        (0.5, "sadness joy", 0.5, "joy", "sadness"),
        (None, "grief", -0.6, "grief", "sadness"),
        (0.55, "love", None, None, None),
        (0.7, "love", 0.35, "love", "affection"),
        (None, "", None, None, None),
        (0.1, "surprise curiosity", None, None, None),
        (1e-320, "unknown", None, None, None),
    ],
)
def test_moods(
    service: Connection, valence: float | None, emotions: str, mood: float | None, emotion: str | None,
    family: str | None,
) -> None:  # fmt: skip
    found = rows(service, "read_mood", valence=valence, emotions=emotions.split())
    assert found == ([] if mood is None else [(pytest.approx(mood), emotion, family)])
