"""Commands that list memories, gate decisions, traces and counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import typer

from memory_service.cli.sparkline import charts
from memory_service.cli.terminal import (
    INDENT,
    Agent,
    AsJson,
    Bank,
    Cursor,
    Entry,
    Importance,
    Recipient,
    Tags,
    Time,
    filled,
    out,
    print_json,
    print_listed,
    print_rows,
    print_table,
    read_memory,
    with_memory,
)
from memory_service.cli.trace_page import trace_page
from memory_service.iso_time import parsed_time
from memory_service.vocabulary import DecisionOutcome

if TYPE_CHECKING:
    from memory_service.memory import Memory
    from memory_service.results import BankStats, DailyActivity, Decision, MemoryItem, TraceLine

CHART_DAYS = 14


def memories(
    bank: Bank,
    type_: Annotated[str | None, typer.Option("--type", help="episodic, semantic or procedural")] = None,
    status: Annotated[str | None, typer.Option(help="active, quarantined, failed, ...")] = None,
    tag: Tags = None,
    min_importance: Importance = None,
    since: Time = None,
    until: Time = None,
    agent: Agent = None,
    recipient: Recipient = None,
    order: Annotated[str, typer.Option(help="recency or importance")] = "recency",
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """List memories, newest first; --status quarantined lists those that wait for release."""
    since_at, until_at = parsed_time(since, "since"), parsed_time(until, "until")
    page = read_memory(
        lambda memory: memory.list_memories(
            bank, type=cast("Any", type_), tags=tag, min_importance=min_importance,
            status=cast("Any", status), since=since_at, until=until_at, agent=agent,
            recipient=recipient, order=cast("Any", order), limit=limit, cursor=cursor,
        )
    )  # fmt: skip
    print_listed(page, memory_entry, as_json=as_json)


def memory_entry(m: MemoryItem) -> Entry:
    day, importance = f"{m.occurred_at:%Y-%m-%d}", f"importance {m.importance:.2f}"
    return m.content, (str(m.memory_id), day, m.type, m.status, importance)


def decisions(
    bank: Bank,
    outcome: Annotated[
        str | None, typer.Option(help="stored, refused, quarantined or failed; default: all")
    ] = None,
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """List gate decisions with their reasons, newest first."""
    page = read_memory(
        lambda memory: memory.list_decisions(
            bank, outcome=cast("DecisionOutcome | None", outcome), limit=limit, cursor=cursor
        )
    )
    print_rows(page, ("when", "outcome", "by", "reason", "about"), decision_row, as_json=as_json)


def decision_row(d: Decision) -> tuple[str, ...]:
    about = d.said or (f"{len(d.message_ids)} messages" if d.message_ids else "a conscious commit")
    return f"{d.decided_at:%Y-%m-%d %H:%M}", d.outcome, d.decided_by, d.reason, about


def trace(
    bank: Bank,
    trace_id: Annotated[
        UUID | None, typer.Argument(help="id of one trace; without it, traces are listed")
    ] = None,
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Show a trace: each candidate with its score, the parts of the score, and why it was dropped."""
    if trace_id is not None:
        found = read_memory(lambda memory: memory.get_trace(bank, trace_id))
        if as_json:
            print_json(found)
            return
        head, names, rows = trace_page(found)
        for line in head:
            out().print(line, markup=False, soft_wrap=True)
        print_table(names, rows, None)
        return
    page = read_memory(lambda memory: memory.list_traces(bank, limit=limit, cursor=cursor))
    print_listed(page, trace_entry, as_json=as_json)


def trace_entry(x: TraceLine) -> Entry:
    details = (str(x.trace_id), f"{x.at:%Y-%m-%d %H:%M:%S}", x.kind, x.profile, f"found {x.returned}")
    return x.query or "(expired)", details


def stats(bank: Bank, as_json: AsJson = False) -> None:
    """Show counts of messages, memories and work items, today's spending, and charts of the last 14 days."""

    if as_json:
        print_json(read_memory(lambda memory: memory.stats(bank)))
        return

    async def read(memory: Memory) -> tuple[BankStats, list[DailyActivity]]:
        return await memory.stats(bank), await memory.activity_by_day(bank, days=CHART_DAYS)

    answer, activity = with_memory(read)
    parts: dict[str, dict[str, object]] = cast("Any", answer)
    for part, figures in parts.items():
        out().print(part, style="bold")
        for line in filled([f"{name} {value}" for name, value in figures.items()], out().width - len(INDENT)):
            out().print(INDENT + line, markup=False, soft_wrap=True)
    out().print(f"last {CHART_DAYS} days to today, in UTC", style="bold")
    for line in activity_charts(activity, datetime.now(UTC).date()):
        out().print(INDENT + line, markup=False, soft_wrap=True)


def activity_charts(activity: Sequence[DailyActivity], today: date) -> list[str]:
    """Lines with the messages and memories of each of the last CHART_DAYS days, the oldest first."""
    by_day = {one.day: one for one in activity}
    days = [by_day.get(today - timedelta(days=back)) for back in reversed(range(CHART_DAYS))]
    messages = [day.messages if day else 0 for day in days]
    memories = [day.memories if day else 0 for day in days]
    return charts(
        (name, values, f"{sum(values)}, at most {max(values)} a day")
        for name, values in (("messages", messages), ("memories", memories))
    )
