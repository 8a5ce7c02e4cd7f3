"""Every number and every time that an interface accepts works from then on: whatever is stored, each read of the bank
and its night answer. What cannot work is refused with the name of its field."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
import pytest
from hypothesis import HealthCheck, Phase, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import JsonLines
from memory_service.jobs.runner import DONE, LATEST, NightlyRun, RunOptions
from memory_service.memory import Memory
from memory_service.profiles import PROFILES
from memory_service.types import EMOTIONS
from memory_service.validation import EARLIEST, check_time
from tests.conftest import Admin, settle
from tests.support.shared_app import app_on

BELOW_1 = 1 - 2**-53
TINY = [5e-324, 1e-320, 2.3e-308, 1e-300, 1e-200, 1e-160, 1e-154, 1e-100, 1e-70, 1e-31, 1e-30, 1e-17, 1e-9]
SHARES = [0.0, -0.0, *TINY, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, BELOW_1, 1.0]
EVERYWHERE = ["2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00-14:00",
              "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999+14:00",
              "9999-12-31T23:59:59.999999-14:00", "1800-01-01T00:00:00Z", "2000-01-01T00:00:00Z"]  # fmt: skip
"""Written as callers write them; some are beyond the calendar in UTC."""

share = st.one_of(st.sampled_from(SHARES), st.floats(0, 1))
valence = st.one_of(share, share.map(lambda x: -x))
weight = st.one_of(st.sampled_from([*SHARES, 1e3, 1e308]), st.floats(0, 1000))
days = st.one_of(st.sampled_from([*SHARES, 36_500.0, 36_500.1, 1e308, 10**400]), st.floats(0, 36_500))
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
whenever = st.one_of(
    st.sampled_from(EVERYWHERE),
    st.datetimes(timezones=zones).map(datetime.isoformat),
)
past = st.one_of(
    st.sampled_from([EARLIEST, EARLIEST + timedelta(microseconds=1)]),
    st.integers(-23, 48 * 365 * 24).map(lambda hours: datetime.now(UTC) - timedelta(hours=hours)),
).map(datetime.isoformat)
present = st.one_of(
    st.sampled_from([EARLIEST, LATEST]),
    st.integers(1801, 8999).map(lambda y: datetime(y, 7, 1, tzinfo=UTC)),
)
count = st.sampled_from([0, 1, 1000, 2**31 - 2, 2**31 - 1])


def optional(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), values)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object with any of these."""
    return st.fixed_dictionaries({}, optional=fields)


profile = st.fixed_dictionaries(
    {"similarity": weight, "importance": weight, "recency": weight},
    optional={"emotion": weight, "floor": weight},
)
bank_settings = some(
    trace_days=days, trace_query_days=days, message_days=days, compress_after_years=days,
    compress_keep_importance=share, prune_after_days=days, prune_below_importance=share, merge_similar=st.booleans(),
)  # fmt: skip
metadata = st.sampled_from([1e308, 5e-324, -0.0, 2**63, -(2**64), 10**400]).map(
    lambda number: {"number": number}
)
memory_fields = some(
    importance=share,
    metadata=metadata,
    valence=valence,
    occurred_at=past,
    emotions=st.just(list(EMOTIONS[:2])),
)
read_fields = some(
    min_importance=share, since=whenever, until=whenever, as_of=whenever, valence=valence, topics=st.just(["boats"]),
    emotions=st.just(list(EMOTIONS[:3])),
)  # fmt: skip


@pytest.fixture
async def client(memory: Memory) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app_on(memory), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as opened:
        yield opened


async def asked(client: httpx.AsyncClient, method: str, path: str, **given: Any) -> httpx.Response:
    """The answer, which is a success or names the field at fault."""
    answer = await client.request(method, path, **given)
    assert answer.status_code < 500, (method, path, given, answer.text)
    if answer.status_code >= 400:
        assert answer.json()["errors"][0]["field"], answer.text
    return answer


async def read_all(
    client: httpx.AsyncClient, bank: str, own: list[str], fields: dict[str, Any], *, forgotten: bool = False
) -> None:
    """Every read of the bank, by every profile. None fails; those without the extreme fields succeed, and find
    something unless a night may have forgotten it."""
    as_of = {name: fields[name] for name in ("as_of",) if name in fields}
    mood = {name: fields[name] for name in ("valence", "topics", "emotions") if name in fields}
    for name in (*PROFILES, *own):
        for by in (None, ["salience"]):
            query = {"query": "What does Anna do?", "profile": name, "explain": True, "by": by, **fields}
            await asked(client, "POST", f"{bank}/recall", json=query)
        found = await asked(
            client, "POST", f"{bank}/recall", json={"query": "What does Anna do?", "profile": name}
        )
        assert found.status_code == 200, found.text
        assert forgotten or name == "salient" or name in own or found.json()["items"]
        await asked(client, "POST", f"{bank}/context",
                    json={"message": "What does Anna do?", "profile": name, **as_of, **mood})  # fmt: skip
        made = await asked(
            client, "POST", f"{bank}/context", json={"message": "What does Anna do?", "profile": name}
        )
        assert made.status_code == 200, made.text
    for body in ({}, as_of):
        await asked(
            client, "POST", f"{bank}/compact", json={"recipient": "Anna", "purpose": "farewell", **body}
        )
    for order in ("recency", "importance"):
        query = {name: fields[name] for name in ("min_importance", "since", "until") if name in fields}
        for params in ({}, query):
            listed = await asked(
                client, "GET", f"{bank}/memories", params={"order": order, "limit": 1, **params}
            )
            cursor = listed.json().get("next_cursor")
            if cursor:
                await asked(
                    client, "GET", f"{bank}/memories", params={"order": order, "cursor": cursor, **params}
                )
    for params in ({}, as_of, {"known_at": fields.get("since", "2020-01-01T00:00:00Z")},
                   {**as_of, "known_at": fields.get("until", "2020-01-01T00:00:00Z")}):  # fmt: skip
        listed = await asked(client, "GET", f"{bank}/facts", params={"limit": 1, **params})
        for fact in listed.json().get("items", []):
            await asked(client, "GET", f"{bank}/facts/{fact['memory_id']}/history")
    for params in ({}, as_of):
        await asked(client, "GET", f"{bank}/emotional-thread", params=params)
    for page in ("", "/stats", "/decisions", "/clarifications", "/traces", "/emotional-thread/history"):
        answer = await asked(client, "GET", f"{bank}{page}")
        assert answer.status_code == 200, answer.text


async def night(memory: Memory, bank: str, at: datetime) -> None:
    """A night over this bank alone ends well."""
    assert await NightlyRun(memory, PASSES, RunOptions(at, bank), JsonLines()).run() == DONE, at


POISON = {"importance": 1e-70, "occurred_at": "1990-01-01T00:00:00+00:00"}
CASES: dict[str, dict[str, Any]] = {
    "the importance of an old memory": {"first": POISON},
    "weights": {"own": {"similarity": 0.0, "importance": 1e-160, "recency": 1e-200}, "first": POISON},
    "the end of the calendar": {"read": {"as_of": "9999-12-31T23:59:59.999999Z"}},
    "its beginning": {"read": {"as_of": "0001-01-01T00:00:00Z", "since": "0001-01-01T00:00:00Z"}},
    "valences": {"first": {"valence": 5e-324}, "second": {"valence": -5e-324}, "read": {"valence": 5e-324}},
    "an integer beyond any float": {"settings": {"trace_days": 10**400}},
    "numbers in metadata": {"first": {"metadata": {"number": 10**400, "other": 5e-324, "third": 2**64}}},
    "counts": {"counted": 2**31 - 1},
    "a certain memory": {"first": {"importance": BELOW_1}, "second": {"importance": 5e-324}},
}
"""Input that once caused errors, or is most likely to."""
NOTHING: dict[str, Any] = {
    "own": {"similarity": 1.0, "importance": 0.0, "recency": 0.0}, "settings": {}, "first": {}, "second": {},
    "read": {}, "counted": 0, "stored": 0.5, "said_at": "2001-01-01T00:00:00+00:00",
    "night_at": datetime(2026, 6, 1, tzinfo=UTC),
}  # fmt: skip


@pytest.mark.changes_nothing
@pytest.mark.parametrize("end", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
async def test_no_time_reaches_the_database_as_infinity(database_url: str, end: datetime) -> None:
    """Postgres 16 refuses to subtract from an infinite timestamp, Postgres 17 and later do not."""
    connection = await asyncpg.connect(database_url)
    try:
        at = check_time(end, "as_of")
        assert await connection.fetchval("select isfinite($1::timestamptz)", at)
    finally:
        await connection.close()


@pytest.mark.parametrize("name", CASES)
async def test_what_a_door_takes_works(
    memory: Memory, client: httpx.AsyncClient, admin: Admin, name: str
) -> None:
    await lives(memory, client, admin, **NOTHING | CASES[name])


@hypothesis_settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(
    own=profile, settings=bank_settings, first=memory_fields, second=memory_fields, read=read_fields, counted=count,
    stored=share, said_at=past, night_at=present,
)  # fmt: skip
@example(**NOTHING | {"first": POISON, "stored": 1e-70})
async def test_whatever_a_door_takes_works(
    memory: Memory, client: httpx.AsyncClient, admin: Admin, own: dict[str, float], settings: dict[str, Any],
    first: dict[str, Any], second: dict[str, Any], read: dict[str, Any], counted: int, stored: float, said_at: str,
    night_at: datetime,
) -> None:  # fmt: skip
    await lives(memory, client, admin, own=own, settings=settings, first=first, second=second, read=read,
                counted=counted, stored=stored, said_at=said_at, night_at=night_at)  # fmt: skip


async def lives(
    memory: Memory, client: httpx.AsyncClient, admin: Admin, *, own: dict[str, float], settings: dict[str, Any],
    first: dict[str, Any], second: dict[str, Any], read: dict[str, Any], counted: int, stored: float, said_at: str,
    night_at: datetime,
) -> None:  # fmt: skip
    """A bank with these settings and memories is made, read, given rows as an older release may have left them, read
    again, and gone through by a night."""
    bank_id = f"b{uuid4().hex}"
    bank = f"/v1/banks/{bank_id}"
    assert (await asked(client, "POST", "/v1/banks", json={"bank_id": bank_id})).status_code == 201
    for name, value in settings.items():
        await asked(client, "PATCH", bank, json={"settings": {name: value}})
    taken = await asked(
        client, "PATCH", bank, json={"settings": {"profiles": {"mine": own}, "profile": "mine"}}
    )
    names = ["mine"] if taken.status_code == 200 else []
    for kind, text, fields in (
        ("episodic", "Anna builds wooden boats in Bergen.", first),
        ("episodic", "Anna sings in a choir every week.", second),
        ("semantic", "Anna lives in Bergen.", first),
        ("semantic", "Anna lives in Oslo.", second),
    ):
        fields = {n: v for n, v in fields.items() if kind == "episodic" or n not in ("valence", "emotions")}
        body = {"type": kind, "content": text, **fields}
        committed = await asked(client, "POST", f"{bank}/memories", json=body)
        assert committed.status_code == 201, committed.text
    said = {"role": "user", "content": "Remember: I am allergic to peanuts.", "occurred_at": said_at}
    answer = await asked(
        client, "POST", f"{bank}/messages", json={"conversation_id": "c", "messages": [said]}
    )
    assert answer.status_code == 202, answer.text
    await memory.end_import(bank_id, ["c"])
    stats = await settle(memory, bank_id)
    assert not stats["queue"]["dead"], stats
    await read_all(client, bank, names, read)
    await memory.flush()
    for table in ("episodic_memory", "semantic_memory"):
        admin.execute(
            f"update memory.{table} set importance = %s, access_count = %s where bank_id = %s".encode(),
            (stored, counted, bank_id),
        )
    admin.execute("update memory.semantic_memory set confidence = %s where bank_id = %s", (stored, bank_id))
    # A profile of an older release, whatever its weights.
    admin.execute(
        "update memory.bank set settings = settings || jsonb_build_object('profiles', jsonb_build_object('mine', "
        "jsonb_build_object('similarity', 0, 'importance', %s::float8, 'recency', %s::float8, 'emotion', %s::float8))) "
        "where bank_id = %s",
        (own["importance"] or 5e-324, own["recency"], own.get("emotion", 5e-324), bank_id),
    )
    # A patch, so that readers take the settings anew.
    assert (await asked(client, "PATCH", bank, json={"settings": {"gate": None}})).status_code == 200
    await read_all(client, bank, ["mine"], read)
    await memory.flush()
    for at in (datetime.now(UTC), night_at):
        await night(memory, bank_id, at)
    await read_all(client, bank, ["mine"], {}, forgotten=True)
