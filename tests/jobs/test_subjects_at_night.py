"""Facts about different things, committed through the public interface, are in no conflict before or after a night."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory_service.jobs.nightly import PASSES
from memory_service.jobs.report import JsonLines
from memory_service.jobs.runner import DONE, NightlyRun, RunOptions
from memory_service.memory import Memory
from tests.conftest import Admin, settle

AT = datetime.now(UTC)
FACTS = 60
"""560 of the first pattern made 5,759 false conflicts once, which deprecated 449."""
PATTERNS = ("Person{} works at company {}.", "Server {} runs Debian.", "Room {} is {} metres wide.")


async def test_a_night_finds_no_conflict_between_facts_of_different_subjects(
    memory: Memory, admin: Admin
) -> None:
    await memory.create_bank("anna")
    texts = [PATTERNS[n % 3].format(n // 3, n // 3) for n in range(FACTS)]
    for text in texts:
        await memory.remember("anna", text, type="semantic")
    await settle(memory, "anna")
    assert (
        await NightlyRun(memory, PASSES, RunOptions(AT + timedelta(days=1), "anna"), JsonLines()).run()
        == DONE
    )
    assert admin.execute("select count(*) from memory.fact_conflict").fetchall() == [(0,)]
    kept = admin.execute(
        "select fact, status, confidence from memory.semantic_memory order by fact"
    ).fetchall()
    assert kept == [(text, "tentative", 0.9) for text in sorted(texts)]
