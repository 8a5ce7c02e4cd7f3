"""The runner with the budget pass and with passes made for the test: after any failure each bank ends in the state of
an undisturbed run."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from uuid import NAMESPACE_URL, UUID, uuid5

import pytest
import structlog

from memory_service.config import Settings
from memory_service.connect import url_with
from memory_service.errors import DatabaseUnavailable, InvalidInput, ModelError
from memory_service.jobs.budget import Budget
from memory_service.jobs.command import main
from memory_service.jobs.nightly import PASSES
from memory_service.jobs.passes import Change, Outcome, Pass, PassContext
from memory_service.jobs.report import JsonLines
from memory_service.jobs.runner import (
    BATCH,
    DONE,
    FAILED,
    LATE,
    MISUSED,
    NO_DATABASE,
    NightlyRun,
    RunOptions,
    batch_size,
)
from memory_service.memory import Memory
from memory_service.store.database import Database
from memory_service.store.upkeep import UpkeepClaim
from memory_service.types import Bank
from tests.conftest import Admin

AT = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
async def night(settings: Settings) -> AsyncIterator[Memory]:
    """A memory as the jobs open it, with short leases."""
    short = settings.model_copy(update={"lease_seconds": 0.3})
    opened = await Memory.open(short, migrated=False, upkeep=True)
    yield opened
    await opened.aclose()


class Made:
    """A pass made for a test."""

    def __init__(
        self, do: Callable[[Bank, PassContext], Outcome | None] | None = None, name: str = "made"
    ) -> None:
        self.name = name
        self.ran: list[str] = []
        self._do = do

    async def run(self, bank: Bank, context: PassContext) -> Outcome:
        self.ran.append(bank.bank_id)
        await asyncio.sleep(0.001)
        return (self._do(bank, context) if self._do else None) or Outcome()


def run(
    memory: Memory,
    passes: Sequence[Pass] = PASSES,
    at: datetime = AT,
    bank: str | None = None,
    **options: Any,
) -> NightlyRun:
    return NightlyRun(memory, passes, RunOptions(at, bank, **options), JsonLines())


async def made_banks(memory: Memory, admin: Admin, *banks: str) -> None:
    """Banks that hold the same, ids included: something for each part of the budget pass."""
    for bank in banks:
        await memory.create_bank(bank, {"prune_after_days": 100})
        for name, importance, age, status in (
            ("dull and old", 0.1, 200, "active"), ("another", 0.2, 300, "archived"), ("dear", 0.9, 400, "active"),
            ("again", 0.5, 200, "merged_into"), ("of today", 0.1, 0, "active"),
        ):  # fmt: skip
            admin.execute(
                "insert into memory.episodic_memory (bank_id, memory_id, segment_id, source, status, occurred_at, "
                "recorded_at, full_text, summary, importance, merged_into_id) "
                "values (%s, %s, %s, 'user', %s, %s, %s, '{}', %s, %s, %s)",
                (bank, named(name), named(f"said {name}"), status, AT - age * DAY, AT - age * DAY, name, importance,
                 named("dull and old") if status == "merged_into" else None),
            )  # fmt: skip
            admin.execute(
                "insert into memory.message (bank_id, message_id, conversation_id, position, role, content, "
                "occurred_at, recorded_at, segment_id, status, memory_id) "
                "values (%s, %s, 'c', (select count(*) + 1 from memory.message), 'user', %s, %s, %s, %s, 'stored', %s)",
                (bank, named(f"message {name}"), name, AT - age * DAY, AT - age * DAY, named(f"said {name}"),
                 named(name)),
            )  # fmt: skip


def named(name: str) -> UUID:
    return uuid5(NAMESPACE_URL, name)


def content(admin: Admin, bank: str) -> list[Any]:
    """All that a bank holds, but for its name and for numbers that the database gives."""
    queries = (
        "select memory_id, status, summary from memory.episodic_memory where bank_id = %s order by 1",
        "select memory_id, event, from_status, to_status, reason, actor, at from memory.memory_event "
        "where bank_id = %s order by 1, 2, 3",
        "select message_id, content, expired_at from memory.message where bank_id = %s order by 1",
    )
    return [admin.execute(query, (bank,)).fetchall() for query in queries]


def everything(admin: Admin) -> dict[str, list[Any]]:
    names = admin.execute(
        "select c.relname from pg_class c where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p') "
        "and not c.relispartition order by 1"
    ).fetchall()
    return {
        str(name): admin.execute(f"select t::text from memory.{name} t order by 1".encode()).fetchall()
        for (name,) in names
    }


def due(admin: Admin) -> list[str]:
    found = admin.execute("select bank_id from memory.upkeep where due_at <= %s order by 1", (AT,))
    return [str(row[0]) for row in found.fetchall()]


def said(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]


class Killed(BaseException):
    """What no handler of ours catches: the process is gone."""


def dying(nth: int, *, answered: bool) -> Any:
    """A database that a process loses at its n-th statement, before or after it was done: nothing comes after that."""
    count = 0
    original = Database._run  # pyright: ignore[reportPrivateUsage]

    async def run_until(
        self: Database, how: str, statement: str, values: tuple[object, ...], **more: Any
    ) -> Any:
        nonlocal count
        # The upgrade check and the metric writer run in tasks that outlive the run.
        if "memory_api.installation" in statement or "memory_api.add_metrics" in statement:
            return await original(self, how, statement, values, **more)
        count += 1
        if count > nth or (count == nth and not answered):
            raise Killed
        answer = await original(self, how, statement, values, **more)
        if count == nth:
            raise Killed
        return answer

    return patch.object(Database, "_run", run_until)


async def test_killed_anywhere_and_run_again_is_undisturbed(night: Memory, admin: Admin) -> None:
    """Twenty seeds: the process dies at some statement, its leases lapse, another goes on."""
    await made_banks(night, admin, "reference")
    await run(night, bank="reference").run()
    expected = content(admin, "reference")
    assert len(expected[0]) == 2
    statements = 0
    for seed in range(20):
        rng = random.Random(seed)
        banks = [f"s{seed}-{n}" for n in range(2)]
        await made_banks(night, admin, *banks)
        nth = rng.randint(2, 24)
        with dying(nth, answered=rng.random() < 0.5):
            try:
                await run(night).run()
            except Killed:
                statements += nth
        admin.execute("update memory.upkeep set not_before = '-infinity'")  # the lease of who died lapses
        assert await run(night).run() == DONE
        for bank in banks:
            assert content(admin, bank) == expected, f"seed {seed}, statement {nth}"
        assert due(admin) == []
    assert statements > 50, "most were killed"


async def test_twice_is_once_and_several_at_once_are_one(
    night: Memory, settings: Settings, admin: Admin
) -> None:
    banks = [f"b{n:02}" for n in range(12)]
    await made_banks(night, admin, *banks, "reference")
    await run(night, bank="reference").run()
    note = Made()
    async with await Memory.open(settings, migrated=False, upkeep=True) as other:
        with patch("memory_service.jobs.runner.BATCH", 2):
            runs = [run(night, [Budget(), note]), run(other, [Budget(), note])]
            assert await asyncio.gather(*(one.run() for one in runs)) == [DONE, DONE]
    assert sorted(note.ran) == banks
    assert all(one.done for one in runs), "they share"
    state = {bank: content(admin, bank) for bank in banks}
    assert all(one == content(admin, "reference") for one in state.values())
    assert await run(night, [note]).run() == DONE
    assert len(note.ran) == len(banks), "nothing is due"
    for bank in banks:
        assert await run(night, bank=bank).run() == DONE
    assert {bank: content(admin, bank) for bank in banks} == state


def test_who_shares_a_night_leaves_some_to_the_others() -> None:
    """Towards the end few are claimed at once, so that no process is left with twenty banks while the others wait."""
    dues = (10_000, 160, 80, 40, 20, 8, 1, 0)
    assert [batch_size(due, 10_000) for due in dues] == [BATCH, BATCH, 10, 5, 2, 1, 1, 1]
    assert [batch_size(due, BATCH) for due in (20, 3)] == [4, 4]


async def test_a_night_takes_over_from_who_died_and_leaves_others_alone(night: Memory, admin: Admin) -> None:
    """A run waits for banks that another process holds: when it ends, all banks are done."""
    await made_banks(night, admin, "a", "b", "c")
    (died,) = await night.store.upkeep.claim(1, timedelta(seconds=0.4), AT + 999 * DAY, AT)
    await night.store.upkeep.begin(died, timedelta(seconds=0.4))
    note = Made()
    assert await run(night, [note]).run() == DONE
    assert note.ran == ["b", "c", "a"]
    untouched = content(admin, "b")
    await night.update_bank("a", {"prune_after_days": 1})
    assert await run(night, bank="a").run() == DONE
    assert len(content(admin, "a")[0]) < len(untouched[0])
    assert content(admin, "b") == untouched


async def test_a_bank_that_fails_stops_nobody_and_says_why(
    night: Memory, admin: Admin, capsys: pytest.CaptureFixture[str]
) -> None:
    await made_banks(night, admin, "a", "b", "c")
    broken = {"a": ModelError("it is not well"), "b": ValueError("the text of a memory")}

    def fail(bank: Bank, _: PassContext) -> None:
        if bank.bank_id in broken:
            raise broken[bank.bank_id]

    before, after = Made(name="before"), Made(name="after")
    passes = [before, Made(fail, "broken"), after]
    assert await run(night, passes).run() == FAILED
    assert (before.ran, after.ran) == (["a", "b", "c"], ["a", "b", "c"]), "what comes after goes on"
    assert due(admin) == ["a", "b"]
    reasons = admin.execute("select last_error, attempts from memory.upkeep order by bank_id").fetchall()
    assert reasons == [("broken: it is not well", 1), ("broken: ValueError", 1), (None, 0)]
    lines = said(capsys)
    assert [(one["bank_id"], one["reason"]) for one in lines if one["event"] == "failed"] == [
        ("a", "broken: it is not well"), ("b", "broken: ValueError"),
    ]  # fmt: skip
    told = lines[-1]
    assert (told["done"], told["failed"], told["resting"], told["exit_code"]) == (1, 2, 2, FAILED)
    runs = admin.execute(
        "select pass, banks, failed, outcome, error from analytics.job_run order by started_at"
    ).fetchall()
    assert runs == [
        ("before", 3, 0, "done", None), ("broken", 3, 2, "failed", "broken: ValueError"),
        ("after", 3, 0, "done", None),
    ]  # fmt: skip
    # They rest, which the next run says; named, one is tried at once.
    assert await run(night, passes).run() == FAILED
    assert len(before.ran) == 3
    del broken["a"], broken["b"]
    assert await run(night, passes, bank="a").run() == DONE
    admin.execute("update memory.upkeep set not_before = '-infinity'")
    assert await run(night, passes).run() == DONE
    assert (before.ran[3:], due(admin)) == (["a", "b"], [])


async def test_the_first_of_two_errors_is_the_reason_and_an_outage_ends_the_bank(
    night: Memory, admin: Admin
) -> None:
    await made_banks(night, admin, "a")

    def fail(error: Exception) -> Callable[[Bank, PassContext], None]:
        def do(_: Bank, __: PassContext) -> None:
            raise error

        return do

    last = Made(name="last")
    two = [Made(fail(ModelError("one")), "first"), Made(fail(ModelError("two")), "second"), last]
    assert await run(night, two).run() == FAILED
    assert admin.execute("select last_error from memory.upkeep").fetchall() == [("first: one",)]
    told = admin.execute("select pass, failed, error from analytics.job_run order by started_at").fetchall()
    assert told == [("first", 1, "first: one"), ("second", 1, "second: two"), ("last", 0, None)]
    assert last.ran == ["a"]
    assert (
        await run(night, [Made(fail(DatabaseUnavailable("gone")), "first"), last], bank="a").run() == FAILED
    )
    assert last.ran == ["a"]


async def test_an_error_at_the_completion_fails_the_bank_alone(night: Memory, admin: Admin) -> None:
    await made_banks(night, admin, "a", "b")
    complete = night.store.upkeep.complete

    async def broken(turn: UpkeepClaim, *given: Any) -> bool:
        if turn.bank_id == "a":
            raise ValueError("the text of a memory")
        return await complete(turn, *given)

    with patch.object(night.store.upkeep, "complete", broken):
        assert await run(night, [Made()]).run() == FAILED
    reasons = admin.execute("select bank_id, last_error from memory.upkeep order by 1").fetchall()
    assert reasons == [("a", "completion: ValueError"), ("b", None)]
    assert due(admin) == ["a"]


async def test_a_bank_that_keeps_messages_longer_than_time_lasts_is_done(night: Memory, admin: Admin) -> None:
    """As only who writes into the table can set it."""
    await made_banks(night, admin, "a")
    admin.execute("""update memory.bank set settings = '{"message_days": 4000000}'""")
    assert await run(night).run() == DONE
    assert due(admin) == []


async def test_an_idle_bank_follows_a_changed_default_of_intake(night: Memory, admin: Admin) -> None:
    """Claimed by the nightly run, after the bank was verbatim by the default alone."""
    await night.create_bank("by-default", {"most_active": 10})
    await night.create_bank("own", {"most_active": 10, "intake": "verbatim"})
    admin.execute(
        "insert into memory.episodic_memory (bank_id, memory_id, segment_id, source, status, occurred_at, "
        "recorded_at, full_text, summary, importance) "
        "select b.bank_id, gen_random_uuid(), gen_random_uuid(), 'user', 'active', %s, %s, '{}', 'Bird ' || n, 0.5 "
        "from memory.bank b cross join generate_series(1, 55) as n",
        (AT, AT),
    )

    async def claimed(days: float, intake: str) -> list[str]:
        night.settings = night.settings.model_copy(update={"intake": intake})
        made = Made()
        assert await run(night, [Budget(), made], AT + days * DAY).run() == DONE
        return sorted(made.ran)

    def active() -> list[tuple[Any, ...]]:
        return admin.execute(
            "select bank_id, count(*) from memory.episodic_memory where status = 'active' group by 1 order by 1"
        ).fetchall()

    assert await claimed(0, "verbatim") == ["by-default", "own"]
    assert await claimed(29, "verbatim") == []
    assert await claimed(30, "verbatim") == ["by-default"]
    assert active() == [("by-default", 55), ("own", 55)]
    assert await claimed(59, "exchange") == []
    assert await claimed(60, "exchange") == ["by-default"]
    assert active() == [("by-default", 10), ("own", 55)]
    assert await claimed(3000, "exchange") == [], "without the default, nothing changes by time alone"


async def test_silence_moves_the_phase_of_a_bank_in_which_nothing_else_happens(
    night: Memory, admin: Admin
) -> None:
    await night.create_bank("a")
    last = AT - timedelta(days=179)
    admin.execute(
        "insert into memory.relationship (bank_id, exchanges, days, disclosures, last_at, updated_at) "
        "values ('a', 60, 20, 5, %s, now())",
        (last,),
    )
    phases: list[str] = []
    for at in (AT, last + timedelta(days=180, seconds=1), last + timedelta(days=365, seconds=1)):
        assert await run(night, at=at).run() == DONE
        phases.append((await night.relational("a")).relationship_phase)
        days = "case when due_at = 'infinity' then 'never' else extract(day from due_at - %s)::text end"
        phases += [
            str(row[0]) for row in admin.execute(f"select {days} from memory.upkeep".encode(), (last,))
        ]
    assert phases == ["established_trust", "180", "building", "365", "early", "never"]


async def test_who_has_lost_a_lease_stops_with_that_bank(night: Memory, admin: Admin) -> None:
    await made_banks(night, admin, "a", "b")

    def lose(bank: Bank, _: PassContext) -> None:
        if bank.bank_id == "a":
            admin.execute(
                "update memory.upkeep set lease_token = gen_random_uuid(), not_before = now() + interval '1 hour' "
                "where bank_id = 'a'"
            )

    first, second = Made(lose, "first"), Made(name="second")
    with patch("memory_service.jobs.runner.NightlyRun._wait_for_others", return_value=False):
        one = run(night, [first, second])
        await one.run()
    assert (first.ran, second.ran) == (["a", "b"], ["b"])
    assert (one.done, one.failed, one.lost) == (1, 0, 1)
    assert due(admin) == ["a"], "whoever has it completes it"


async def test_after_the_deadline_no_bank_is_begun(
    night: Memory, admin: Admin, capsys: pytest.CaptureFixture[str]
) -> None:
    await made_banks(night, admin, "a", "b", "c")
    clock = [0.0]

    def slow(_: Bank, __: PassContext) -> None:
        clock[0] += 40

    note = Made(slow)
    with patch("memory_service.jobs.runner.time", SimpleNamespace(monotonic=lambda: clock[0])):
        assert await run(night, [note], deadline=60.0).run() == LATE
    assert (note.ran, due(admin)) == (["a", "b"], ["c"])
    assert said(capsys)[-1]["left"] == 1
    held = admin.execute("select count(*), sum(attempts) from memory.upkeep where lease_token is not null")
    assert held.fetchone() == (0, None)
    assert admin.execute("select sum(attempts) from memory.upkeep").fetchone() == (0,), "waiting is no try"


async def test_what_is_stopped_gives_its_banks_back(night: Memory, admin: Admin) -> None:
    await made_banks(night, admin, "a", "b")
    stop = asyncio.Event()

    class Endless(Made):
        async def run(self, bank: Bank, context: PassContext) -> Outcome:
            stop.set()
            await asyncio.sleep(3600)
            return Outcome()

    running = asyncio.create_task(run(night, [Endless()]).run())
    await stop.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    free = admin.execute("select bank_id, attempts from memory.upkeep where lease_token is null order by 1")
    assert free.fetchall() == [("a", 0), ("b", 0)]


async def test_a_dry_run_changes_nothing_and_lists_what_would_go(
    night: Memory, admin: Admin, capsys: pytest.CaptureFixture[str]
) -> None:
    await made_banks(night, admin, "a", "b")
    before = everything(admin)
    with patch("memory_service.jobs.runner.DRY_PAGE", 1):
        assert await run(night, dry_run=True).run() == DONE
    assert everything(admin) == before
    lines = said(capsys)
    acts = [(one["bank_id"], one["memory_id"], one["act"]) for one in lines if "memory_id" in one]
    gone = {named(name) for name in ("dull and old", "another", "again")}
    assert sorted(acts) == sorted((bank, str(one), "deleted") for bank in "ab" for one in gone)
    counts = [one["counts"] for one in lines if one.get("pass") == "budget" and "counts" in one]
    # Of the four messages that are old enough three go with their episodes.
    assert counts == 2 * [{"episodes_deleted": 3, "messages_emptied": 1}]
    assert lines[-1] == {"event": "summary", "dry_run": True, "banks": 2, "failed": 0, "exit_code": DONE}
    assert await run(night).run() == DONE
    assert content(admin, "a")[0] == [row for row in content(admin, "a")[0] if row[0] not in gone]
    told = admin.execute(
        "select counts, seconds > 0, cardinality(bank_ids) from memory.job_run where pass = 'budget'"
    ).fetchall()
    assert told == [({"episodes_deleted": 6, "messages_emptied": 2}, True, 2)]


async def test_what_is_left_is_for_the_next_night(night: Memory, admin: Admin) -> None:
    """And what changed by time alone is due on its own day."""
    await made_banks(night, admin, "a")

    def leave(_: Bank, __: PassContext) -> Outcome:
        outcome = Outcome(changes=[Change(named("dear"), "episodic", "left", "no model")])
        outcome.counts["model_unavailable"] += 1
        return outcome

    note = Made(leave)
    ran: list[int] = []
    for at in (AT, AT, AT + 59 * timedelta(minutes=1), AT + DAY):
        assert await run(night, [note], at).run() == DONE
        ran.append(len(note.ran))
    assert ran == [1, 1, 1, 2]
    quiet = Made()
    await run(night, [quiet], bank="a").run()
    for days in (0, 1, 28, 31):
        await run(night, [quiet], AT + days * DAY).run()
    assert len(quiet.ran) == 2, "the episode of today turned 30 days old"


async def test_an_unknown_bank_is_named(night: Memory) -> None:
    with pytest.raises(InvalidInput, match="--bank: there is no such bank"):
        await run(night, bank="nobody").run()


COMMANDS: list[tuple[list[str], int, str]] = [
    ([], DONE, ""),
    (["--bank", "a", "--as-of", "2026-03-01T00:00:00Z"], DONE, ""),
    (["--dry-run", "--deadline", "5"], DONE, ""),
    (["--bank", "nobody"], MISUSED, "--bank: there is no such bank"),
    (["--bank", "no body"], MISUSED, "--bank: "),
    (["--as-of", "yesterday"], MISUSED, "--as-of: must be a time"),
    (["--as-of", "2026-03-01"], MISUSED, "--as-of: has no time zone"),
    (["--as-of", "0001-01-01T00:00:00Z"], MISUSED, "--as-of: must be from the year 1800"),
    (["--as-of", "9999-12-31T23:59:59-14:00"], MISUSED, "--as-of: must be from the year 1800"),
    (["--bank", "a", "--as-of", "1800-01-01T00:00:00Z"], DONE, ""),
    (["--bank", "a", "--as-of", "9000-01-01T00:00:00Z"], DONE, ""),
    (["--deadline", "0"], MISUSED, "--deadline: "),
    (["--deadline", "nan"], MISUSED, "--deadline: "),
    (["--deadline", "soon"], MISUSED, "--deadline"),
    (["--what"], MISUSED, "--what"),
]


@pytest.mark.own_database
def test_exit_codes_and_errors_that_name_the_argument(
    database_url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    subtests: pytest.Subtests,
) -> None:  # fmt: skip
    logging = structlog.get_config()
    monkeypatch.setenv("MEMORY_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("DATABASE_URL", database_url)
    asyncio.run(create(settings, "a"))

    def ended(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["jobs.nightly", *words])
        with pytest.raises(SystemExit) as exited:
            main(PASSES)
        structlog.configure(**logging)
        return int(exited.value.code or 0), capsys.readouterr().err

    for words, code, problem in COMMANDS:
        with subtests.test(" ".join(words)):
            told = ended(*words)
            assert told[0] == code, told
            assert problem in told[1]
    monkeypatch.setenv("DATABASE_URL", url_with(database_url, dbname="postgres"))
    assert ended("--dry-run")[0] == NO_DATABASE, "a dry run migrates no database"
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    code, told = ended()
    assert code == NO_DATABASE
    assert told.startswith("error: DATABASE_URL")
    monkeypatch.setenv("MEMORY_NONSENSE", "1")
    assert ended()[0] == MISUSED


async def create(settings: Settings, bank: str) -> None:
    async with await Memory.open(settings, migrated=False) as memory:
        await memory.create_bank(bank)
