"""Parts of the demo: the address of its page, the parts of answers that it prints, and its worker."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from memory_service import Memory, NewMessage
from memory_service.cli import demo
from memory_service.cli.worker import work_until_idle
from memory_service.errors import DatabaseUnsuitable


def test_the_demo_names_the_page_of_a_running_service(monkeypatch: pytest.MonkeyPatch) -> None:
    running = SimpleNamespace(address="http://127.0.0.1:8081")
    monkeypatch.setattr(demo, "find_service", lambda: running)
    assert (
        demo.where_to_look("127.0.0.1", 8080) == "  Its page:  http://127.0.0.1:8081/ui/banks/demo/overview"
    )


@pytest.mark.parametrize(
    ("reason", "plain"),
    [
        ("stable_fact: fact-bearing score 0.49, kept from 0.07", "fact-bearing score 0.49"),
        ("no gate passed; small talk only", "small talk only"),
        ("harm_check: command to the agent: overrides", "command to the agent: overrides"),
        ("duplicate", "duplicate"),
    ],
)
def test_a_reason_is_printed_without_its_gate_and_threshold(reason: str, plain: str) -> None:
    assert demo.plain_reason(reason) == plain


def test_the_first_line_of_each_section_of_a_context() -> None:
    text = '[memory context] Quoted.\n## FACTS\n- "One."\n- "Two."\n## RELEVANT\n- "Three."\n[end of memory context]'
    assert list(demo.first_lines(text)) == [("facts", '"One."'), ("relevant", '"Three."')]


async def test_a_worker_that_fails_ends_the_wait(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    await memory.create_bank(demo.BANK)
    await memory.add_messages(demo.BANK, "c", [NewMessage("user", "I live in Porto.", id="m")])

    async def fail(_: asyncio.Event) -> None:
        raise DatabaseUnsuitable("another release has migrated the database")

    polls: list[int] = []

    def show(waiting: int) -> None:
        polls.append(waiting)
        assert len(polls) < 20

    monkeypatch.setattr(memory, "work", fail)
    with pytest.raises(DatabaseUnsuitable, match="another release"):
        await work_until_idle(memory, demo.BANK, show)
    assert len(polls) < 20, "it waits for a worker that has ended"
