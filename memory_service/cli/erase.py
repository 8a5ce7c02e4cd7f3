"""Commands that erase. Without --yes they print what would be deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from memory_service.cli.scrub import print_scrub
from memory_service.cli.terminal import (
    AsJson,
    Bank,
    Cursor,
    group,
    list_whole_lines,
    out,
    print_answer,
    print_entries,
    print_json,
    print_listed,
    read_memory,
    with_memory,
)
from memory_service.erasure.reasons import ROW_REASONS
from memory_service.errors import InvalidInput
from memory_service.iso_time import parsed_time
from memory_service.startup import configure_process

if TYPE_CHECKING:
    from memory_service.erasure.scrub import Scrub as ScrubResult
    from memory_service.memory import Memory
    from memory_service.results import Erasure, ErasurePlan

erase = group(
    "Show what an erasure would delete; with --yes, erase. Subcommands by scope; `list` shows receipts.",
    no_args_is_help=True,
)

Yes = Annotated[bool, typer.Option("--yes", help="erase; without it, only the plan is printed")]
Reason = Annotated[str | None, typer.Option(help="recorded in the receipt; no content")]
Scrub = Annotated[bool, typer.Option("--scrub", help="overwrite the erased rows in the files as well")]


@erase.command("memories")
def erase_memories(
    memory_ids: Annotated[list[UUID], typer.Argument(help="ids of memories or norms")],
    bank: Bank,
    reason: Reason = None,
    yes: Yes = False,
    scrub: Scrub = False,
    as_json: AsJson = False,
) -> None:
    """Erase memories or norms, with their sources."""
    carry_out(bank, {"memory_ids": memory_ids}, reason, yes=yes, scrub=scrub, as_json=as_json)


@erase.command("conversation")
def erase_conversation(
    conversation_id: Annotated[str, typer.Argument(help="id of the conversation")],
    bank: Bank,
    reason: Reason = None,
    yes: Yes = False,
    scrub: Scrub = False,
    as_json: AsJson = False,
) -> None:
    """Erase a conversation."""
    carry_out(bank, {"conversation_id": conversation_id}, reason, yes=yes, scrub=scrub, as_json=as_json)


@erase.command("period")
def erase_period(
    bank: Bank,
    since: Annotated[str, typer.Option(help="begin: ISO 8601 with a zone")],
    until: Annotated[str, typer.Option(help="end, exclusive: ISO 8601 with a zone")],
    reason: Reason = None,
    yes: Yes = False,
    scrub: Scrub = False,
    as_json: AsJson = False,
) -> None:
    """Erase statements in a period."""
    named = {"since": parsed_time(since, "--since"), "until": parsed_time(until, "--until")}
    carry_out(bank, named, reason, yes=yes, scrub=scrub, as_json=as_json)


@erase.command("agent")
def erase_agent(
    agent_id: Annotated[str, typer.Argument(help="id of the agent")],
    bank: Bank,
    reason: Reason = None,
    yes: Yes = False,
    scrub: Scrub = False,
    as_json: AsJson = False,
) -> None:
    """Erase all that an agent wrote."""
    carry_out(bank, {"agent_id": agent_id}, reason, yes=yes, scrub=scrub, as_json=as_json)


@erase.command("search")
def erase_search(
    query: Annotated[str, typer.Argument(help="finds at most 100 memories, which are listed")],
    bank: Bank,
    confirm: Annotated[
        list[UUID] | None,
        typer.Option("--confirm", help="id of a listed memory to erase; repeatable; needed with --yes"),
    ] = None,
    reason: Reason = None,
    yes: Yes = False,
    scrub: Scrub = False,
    as_json: AsJson = False,
) -> None:
    """List what a query finds; erase those of it that are confirmed."""
    if confirm:
        carry_out(bank, {"memory_ids": confirm}, reason, yes=yes, scrub=scrub, as_json=as_json, search=True)
        return
    if yes:
        raise InvalidInput("--confirm", "must name each memory to erase")
    found = with_memory(lambda memory: memory.recall(bank, query, k=100, mode="tool"))
    if as_json:
        print_json(found.items)
        return
    print_entries(((str(item.memory_id), [item.content]) for item in found.items), None)
    out().print("Nothing is erased. Repeat with --confirm ID for each, and --yes.", markup=False)


@erase.command("bank")
def erase_bank(
    bank: Bank, reason: Reason = None, yes: Yes = False, scrub: Scrub = False, as_json: AsJson = False
) -> None:
    """Erase a bank with everything in it."""

    async def erased(memory: Memory) -> Erasure | ErasurePlan:
        if yes:
            return await memory.erase_bank(bank, reason=reason)
        return await memory.plan_erasure(bank, whole_bank=True)

    show(erased, yes=yes, scrub=scrub, as_json=as_json)


@erase.command("list")
def list_erasures(bank: Bank, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List the receipts of a bank, also of one that was erased, newest first."""
    page = read_memory(lambda memory: memory.list_erasures(bank, limit=limit, cursor=cursor))
    print_listed(page, lambda one: (str(one.erasure_id), summary_of(one)), as_json=as_json)


@erase.command("replay")
def replay_erasures(
    ledger: Annotated[
        list[Path] | None, typer.Option(help="folder of the ledger; repeatable; default: that of the setting")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Carry out the erasures of the ledger that the database does not know, as after a restore by other means."""
    from memory_service.erasure.replay import replay_ledger

    replayed = replay_ledger(configure_process(), ledger or ())
    print_answer({"erasures": replayed}, f"{replayed} erasures are carried out again.", as_json=as_json)


def carry_out(
    bank: str,
    selection: dict[str, Any],
    reason: str | None,
    *,
    yes: bool,
    scrub: bool,
    as_json: bool,
    search: bool = False,
) -> None:
    """Erase, or without `yes` plan, and print the receipt or the plan."""

    async def erased(memory: Memory) -> Erasure | ErasurePlan:
        if yes:
            return await memory.erase(bank, search=search, reason=reason, **selection)
        return await memory.plan_erasure(bank, **selection)

    show(erased, yes=yes, scrub=scrub, as_json=as_json)


def show(
    erased: Callable[[Memory], Awaitable[Erasure | ErasurePlan]], *, yes: bool, scrub: bool, as_json: bool
) -> None:
    """Print the receipt or the plan of `erased`, after a scrub where one is requested."""
    if scrub and not yes:
        raise InvalidInput("--scrub", "needs --yes")
    found = with_memory(erased)
    done = None
    if scrub:
        from memory_service.erasure.scrub import scrub as scrub_erased

        done = scrub_erased(configure_process())
        found = scrubbed(found, done)  # type: ignore[arg-type]
    if as_json:
        print_json(found if done is None else {"erasure": found, "scrub": done})
        return
    for table, count in sorted(found.row_counts.items()):
        reason = ROW_REASONS.get(table, "belongs to a deleted row")
        out().print(f"{table:26}{count:>9,}  {reason}", markup=False, soft_wrap=True)
    if not yes:
        out().print("Nothing is erased. Repeat with --yes.", markup=False)
        return
    print_receipt(found)  # type: ignore[arg-type]
    if done is not None:
        print_scrub(done)


def scrubbed(receipt: Erasure, done: ScrubResult) -> Erasure:
    """The receipt after a scrub."""
    if receipt.erasure_id not in done.erasure_ids:
        return receipt
    return replace(receipt, status="scrubbed", scrubbed_at=done.scrubbed_at)


def print_receipt(receipt: Erasure) -> None:
    reached = receipt.scrubbed_at or receipt.unreachable_at
    out().print(
        f"Erasure {receipt.erasure_id}: {receipt.status} since {reached:%Y-%m-%d %H:%M:%S %Z}.",
        markup=False,
        soft_wrap=True,
    )


def summary_of(receipt: Erasure) -> list[str]:
    """The detail lines of a receipt in a list."""
    rows = sum(receipt.row_counts.values())
    words = [
        receipt.scope,
        receipt.status,
        f"{rows:,} rows",
        f"{receipt.scrubbed_at or receipt.unreachable_at:%Y-%m-%d %H:%M}",
        receipt.actor,
    ]
    return words + ([receipt.reason] if receipt.reason else [])


list_whole_lines(erase)
