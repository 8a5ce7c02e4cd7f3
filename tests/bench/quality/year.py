"""The persona with noise (tests/acceptance/year.py) after a year and a half of nightly runs: rows left, questions that
contexts answer, time and tokens."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import psycopg

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from tests.acceptance import year
from tests.acceptance.living import AWAKE, answerable, live, stay_awake
from tests.acceptance.test_persona import BANK
from tests.bench.quality.data import out, table
from tests.conftest import Admin, at_work
from tests.support.fake_gemini import FakeGemini

FEWER = 300
"""Tokens of knowledge, beside the default's 700."""
HELD = """
select count(*) filter (where e.status = 'active'), count(*) filter (where e.status = 'archived'),
       coalesce(sum(length(e.summary)) filter (where e.status = 'active'), 0),
       (select count(*) from memory.semantic_memory f
         where f.bank_id = e.bank_id and f.status in ('tentative', 'stable') and f.valid_to is null)
  from memory.episodic_memory e
 where e.bank_id = %s
 group by e.bank_id"""
SPENT = """
select j.pass, sum(j.seconds), sum(j.model_calls), sum(j.tokens),
       (select string_agg(c.key || ' ' || c.n, ', ' order by c.key)
          from (select k.key, sum(k.value::integer) as n
                  from memory.job_run o cross join jsonb_each_text(o.counts) as k
                 where o.pass = j.pass group by k.key) as c)
  from memory.job_run j
 group by j.pass
 order by min(j.started_at)"""


async def measure(examples: bool) -> None:
    """Live through it with a night a day, and print what contexts answer beside a bank that never slept."""
    with FakeGemini(reply=year.reply) as fake:
        await one_life(
            "a scripted model", {"gemini_api_key": "not-a-key", "gemini_base_url": fake.url}, examples
        )
    await one_life("rules alone", {}, examples)


async def one_life(how: str, model: Mapping[str, str], examples: bool) -> None:
    with tempfile.TemporaryDirectory(prefix="memory-year-") as data, open_server(Path(data)) as server:
        settings = Settings.model_validate(
            {
                "data_dir": Path(data),
                "embedding_model": "all-MiniLM-L6-v2-memory",
                "poll_seconds": 0.05,
                **model,
            }
        )
        async with await Memory.open(settings) as memory, await Memory.open(settings, upkeep=True) as upkeep:
            await memory.create_bank(BANK, {"merge_similar": True})
            with psycopg.connect(server.url(database="memory"), autocommit=True) as admin:
                begin, days = time.monotonic(), 0
                async with at_work(memory):
                    with redirect_stdout(StringIO()):
                        async for _ in live(memory, upkeep, admin):
                            days += 1
                    seconds = time.monotonic() - begin
                    await stay_awake(memory)
                out.print(f"By {how}: {len(year.exchanges())} exchanges, {days} nights, {seconds:.0f} s")
                await show(memory, admin, examples)


async def show(memory: Memory, admin: Admin, examples: bool) -> None:
    shown = table(
        "A persona's year and a half", "bank", "active", "archived", "characters", "open facts", *year.asked()
    )
    for bank, name in ((AWAKE, "without nights"), (BANK, "after all nights")):
        answered = await answerable(memory, bank)
        fewer = await answerable(memory, bank, FEWER)
        held = admin.execute(HELD, (bank,)).fetchone() or ()
        shares = [
            f"{len(answered[about])}, {len(fewer[about])} of {len(pairs)}"
            for about, pairs in year.asked().items()
        ]
        shown.add_row(name, *map(str, held), *shares)
        if examples:
            missed = [q for about, pairs in year.asked().items() for q, _ in left(pairs, answered[about])]
            out.print(f"  {name}: not answered {missed}", markup=False)
    out.print(shown)
    shown = table("Its nights", "pass", "seconds", "model calls", "tokens", "counts")
    for name, seconds, calls, tokens, counts in admin.execute(SPENT).fetchall():
        shown.add_row(str(name), f"{seconds:.1f}", str(calls), str(tokens), str(counts or ""))
    out.print(shown)


def left(pairs: Sequence[tuple[str, str]], answered: Sequence[str]) -> list[tuple[str, str]]:
    return [pair for pair in pairs if pair[0] not in answered]
