"""Replay of the year: a bank receives each day's messages on that day, and has a nightly run as of each night."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, date, datetime, time, timedelta

from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import JsonLines
from memory_service.jobs.runner import DONE, NightlyRun, RunOptions
from memory_service.memory import Memory
from tests.acceptance import year
from tests.acceptance.persona import Exchange, name_for
from tests.acceptance.test_persona import BANK, now, rows
from tests.conftest import Admin, until

AWAKE = "awake"
"""A bank that receives the same messages and never has a nightly run."""
BY_THE_CLOCK = ("work", "upkeep", "job_run", "model_call", "installation", "api_key", "embedding_model")
"""Tables whose times are left as they are."""


class Clock:
    """Moves the times of rows just written, by the database's clock, to a day of the story.

    Without it, all imported messages would have been recorded today, in valid time and transaction time alike."""

    def __init__(self, admin: Admin) -> None:
        self._admin = admin
        found = rows(
            admin,
            "select c.table_name as name, array_agg(c.column_name::text) as columns "
            "from information_schema.columns c join information_schema.tables t using (table_schema, table_name) "
            "join pg_class r on r.relname = t.table_name and r.relnamespace = 'memory'::regnamespace "
            "where c.table_schema = 'memory' and c.data_type = 'timestamp with time zone' "
            "and t.table_type = 'BASE TABLE' and not r.relispartition group by 1 order by 1",
        )
        self._columns = {row["name"]: row["columns"] for row in found if row["name"] not in BY_THE_CLOCK}

    def set(self, since: datetime, day: datetime) -> None:
        with self._admin.transaction():
            for name, columns in self._columns.items():
                late = [f"{column} between %(since)s and now() + interval '1 day'" for column in columns]
                moved = ", ".join(
                    f"{column} = case when {one} then {column} - %(since)s + %(day)s else {column} end"
                    for column, one in zip(columns, late, strict=True)
                )
                statement = f"update memory.{name} set {moved} where {' or '.join(late)}"
                self._admin.execute(statement.encode(), {"since": since, "day": day})


async def listen(memory: Memory, bank: str, conversations: Sequence[Sequence[Exchange]]) -> None:
    """Send conversations and wait until no message is pending and the queue is empty; a worker must be running."""
    ids = [f"day-{one[0].conversation}" for one in conversations]
    for name, conversation in zip(ids, conversations, strict=True):
        messages = [message for exchange in conversation for message in exchange.messages(name_for(memory))]
        await memory.add_messages(bank, name, messages)
    await memory.end_import(bank, ids)

    async def settled() -> bool:
        stats = await memory.stats(bank)
        assert stats["queue"]["dead"] == stats["messages"]["failed"] == 0
        return not (
            stats["messages"]["pending"]
            or stats["queue"]["depth"]
            or stats["memories"].get("pending_embedding")
        )

    await until(settled)


async def sleep(upkeep: Memory, at: datetime, bank: str | None = None) -> None:
    """One nightly run as of `at`: over the banks that are due, or over `bank` only."""
    assert await NightlyRun(upkeep, PASSES, RunOptions(at, bank), JsonLines()).run() == DONE


def night_of(day: date) -> datetime:
    return datetime.combine(day, time(3), UTC)


async def live(memory: Memory, upkeep: Memory, admin: Admin) -> AsyncGenerator[date]:
    """Yield each day of the year in order, after its nightly run; its messages are sent when the next day is requested.

    A worker must be running for `memory`; `upkeep` does the nightly runs."""
    clock = Clock(admin)
    said = dict(year.days())
    day = min(said)
    while day <= year.END.date():
        await sleep(upkeep, night_of(day))
        yield day
        if day in said:
            since = now(admin)
            await listen(memory, BANK, said[day])
            clock.set(since, max(one.at for each in said[day] for one in each) + timedelta(minutes=1))
        day += timedelta(days=1)


async def stay_awake(memory: Memory) -> None:
    """Send all messages of the year to the bank AWAKE, which has no nightly run."""
    await memory.create_bank(AWAKE)
    await listen(memory, AWAKE, [each for _, of_day in year.days() for each in of_day])


async def answerable(memory: Memory, bank: str, tokens: int = 700) -> dict[str, list[str]]:
    """The questions, by kind, whose answer is in a context as of the end of the year with `tokens` of knowledge."""
    found: dict[str, list[str]] = {}
    for about, pairs in year.asked().items():
        found[about] = []
        for question, wanted in pairs:
            context = await memory.context(bank, question, as_of=year.END, knowledge_tokens=tokens)
            if wanted.lower() in context.text.lower():
                found[about].append(question)
    return found
