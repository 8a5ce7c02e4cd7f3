"""The functions of the emotional thread, called once as the service."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory_service.rules.emotions.emotions import BAD, GOOD
from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, value

BANK = "smoke"
EDGE = UUID("ffffffff-ffff-ffff-ffff-ffffffffffff")


def mourned(service: Connection) -> UUID:
    """An active episode with a mood, which began a thread."""
    memory_id, lease = steps.remember(
        service,
        BANK,
        occurred_at=START.isoformat(),
        emotional_valence=-0.9,
        emotions=["grief"],
        topics=["Rex"],
    )
    steps.activate(service, BANK, [lease])
    return memory_id


def thread_of(service: Connection) -> tuple[Any, ...]:
    (found,) = rows(service, "read_thread", bank=BANK, at=START)
    return found


def read_thread(service: Connection) -> None:
    memory_id = mourned(service)
    assert thread_of(service)[1:6] == ("grieving over Rex", "grief", "Rex", -0.9, [memory_id])


def list_threads(service: Connection) -> None:
    mourned(service)
    (listed,) = rows(service, "list_threads", bank=BANK, page=5, at=START)
    assert listed == thread_of(service)
    assert (
        rows(service, "list_threads", bank=BANK, page=5, after_at=START, after_id=listed[0], at=START) == []
    )


def end_thread(service: Connection) -> None:
    mourned(service)
    (ended,) = rows(service, "end_thread", bank=BANK, actor="anna", at=START)
    assert ended[11:] == (START, "ended", "anna")


def close_thread(service: Connection) -> None:
    mourned(service)
    given = {"bank": BANK, "act": "switched_off", "actor": "anna", "at": START}
    assert value(service, "close_thread", **given) is not None
    assert value(service, "close_thread", **given) is None


def open_thread(service: Connection) -> None:
    mourned(service)
    assert rows(service, "open_thread", bank=BANK, at=START) == [thread_of(service)]
    (entry,) = rows(service, "person_entries", bank=BANK, model=MODEL, query=None, at=START)
    assert (entry[0], entry[2]) == ("thread", "grieving over Rex")
    assert entry[6] == {"length": 1, "valence": -0.9, "emotion": "grief", "acknowledge": True}


def thread_as_of(service: Connection) -> None:
    mourned(service)
    thread = thread_of(service)[0]
    assert len(rows(service, "thread_as_of", bank=BANK, thread=thread, at=START)) == 1
    assert rows(service, "thread_as_of", bank=BANK, thread=thread, at=START - timedelta(days=1)) == []


def thread_enabled(service: Connection) -> None:
    rows(service, "enter_bank", bank=BANK)
    assert value(service, "thread_enabled", bank=BANK) is True


def update_thread(service: Connection) -> None:
    memory_id = mourned(service)
    service.execute("update memory.episodic_memory set status = 'failed'")
    rows(service, "update_thread", bank=BANK, memories=[memory_id])
    assert rows(service, "read_thread", bank=BANK, at=START) == []


def rebuild_threads(service: Connection) -> None:
    mourned(service)
    thread = thread_of(service)
    service.execute("update memory.emotional_thread set current_state = 'another'")
    rows(
        service,
        "rebuild_threads",
        bank=BANK,
        since=START,
        since_episode=UUID(int=0),
        until=START,
        until_episode=EDGE,
    )
    assert thread_of(service) == thread


def write_thread(service: Connection) -> None:
    mourned(service)
    service.execute(
        "select memory_internal.write_thread(%s, x, %s, 'ended', 'anna') from memory.emotional_thread_episode x",
        (BANK, START),
    )
    found = service.execute("select end_reason, ended_by from memory.emotional_thread").fetchall()
    assert found == [("ended", "anna")]


def record_acknowledgements(service: Connection) -> None:
    mourned(service)
    trace = {
        "trace_id": str(uuid.uuid4()),
        "at": START.isoformat(),
        "acknowledged_thread": str(thread_of(service)[0]),
    }
    rows(service, "record_acknowledgements", bank=BANK, fresh=[trace["trace_id"]], traces=Jsonb([trace]))
    assert thread_of(service)[6:8] == (False, START)


def thread_course(service: Connection) -> None:
    ((valence, ends_at),) = rows(
        service, "thread_course", bank=BANK, last_update=START, last_episode=EDGE, valence=-0.8, half_life_days=2,
        at=START + timedelta(days=2),
    )  # fmt: skip
    assert (valence, ends_at) == (-0.4, START + timedelta(days=4))


def thread_phrase(service: Connection) -> None:
    cases = (
        ("nervousness", "job", "worried about job"),
        ("joy", None, "happy"),
        (None, "Rex", "feeling low about Rex"),
    )
    for emotion, topic, phrase in cases:
        assert value(service, "thread_phrase", emotion=emotion, topic=topic, valence=-0.5) == phrase


def thread_topic(service: Connection) -> None:
    assert value(service, "thread_topic", topics=["sad", "job"], entities=[]) == "job"


def read_mood(service: Connection) -> None:
    assert rows(service, "read_mood", valence=-0.5, emotions=["sadness"]) == [(-0.5, "sadness", "sadness")]


def mood_labels(service: Connection) -> None:
    """All labels of the taxonomy that take a side, each once."""
    found = rows(service, "mood_labels")
    sides = {label: side for label, side, *_ in found}
    assert len(sides) == len(found)
    assert {label for label, side in sides.items() if side > 0} == GOOD
    assert {label for label, side in sides.items() if side < 0} == BAD


THREADS: tuple[Callable[[Connection], None], ...] = (
    read_thread, list_threads, end_thread, close_thread, open_thread, thread_as_of, thread_enabled,
    update_thread, rebuild_threads, write_thread, record_acknowledgements, thread_course, thread_phrase, thread_topic,
    read_mood, mood_labels,
)  # fmt: skip
