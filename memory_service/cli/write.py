"""Commands that write: import and remember."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_service.cli.terminal import (
    STATUS_STYLES,
    AsJson,
    Bank,
    NewTags,
    call_service,
    err,
    out,
    print_json,
    with_memory,
)
from memory_service.iso_time import parsed_day, parsed_time
from memory_service.validation import check_choice

if TYPE_CHECKING:
    from memory_service.cli.client import Client
    from memory_service.memory import Memory

WAIT_MS = 30_000


def import_command(
    files: Annotated[
        list[str], typer.Argument(help="files of the product named by --from; of mem0 also a database's URL")
    ],
    bank: Bank,
    product: Annotated[
        str,
        typer.Option(
            "--from",
            help="chatgpt or claude (exports of accounts), mem0, graphiti, notes (Markdown), or jsonl, which includes "
            "LoCoMo",
        ),
    ] = "jsonl",
    table: Annotated[str | None, typer.Option(help="of mem0 in a database: its table, default mem0")] = None,
    user: Annotated[str | None, typer.Option(help="of mem0: the user_id of the memories to import")] = None,
    date: Annotated[
        str | None,
        typer.Option(help="of notes: when they were written, default when the file was last changed"),
    ] = None,
    intake: Annotated[
        str | None, typer.Option(help="intake of a new bank: exchange (default), snippet or verbatim")
    ] = None,
    again: Annotated[bool, typer.Option(help="import also what was erased here")] = False,
    wait: Annotated[bool, typer.Option(help="run a worker until all messages are decided")] = True,
    as_json: AsJson = False,
) -> None:
    """Import conversations. Resumable and idempotent: each message is stored once."""
    from memory_service.cli.imports import import_files
    from memory_service.transfer.readers import PRODUCTS, ReadOptions

    check_choice(product, "--from", PRODUCTS)
    options = ReadOptions(table, user, parsed_day(date, "--date"))
    stats = with_memory(
        lambda memory: import_files(
            memory,
            bank,
            files,
            product=product,
            options=options,
            again=again,
            intake=intake,
            wait=wait,
            console=err(),
        )
    )
    if as_json:
        print_json(stats)
        return
    messages = stats["messages"]
    out().print(
        f"{stats['turns']} turns read, {stats['new']} new. The bank has {messages['total']} messages: "
        f"{messages['stored']} stored, {messages['refused']} refused, {messages['failed']} failed, "
        f"{messages['pending']} pending."
    )
    if stats["statements"]:
        out().print(
            f"{stats['statements']} statements read, {stats['new_statements']} new, "
            f"{stats['refused_statements']} refused."
        )
    for kind in ("conversation", "agent"):
        times = [one["erased_at"] for one in stats["erased"] if one["kind"] == kind]
        if times:
            kinds, them = (kind, "it") if len(times) == 1 else (f"{kind}s", "them")
            out().print(
                f"{len(times)} {kinds} skipped: erased here, last on {max(times):%Y-%m-%d}; --again imports {them}."
            )
    out().print(f"Why: .venv/bin/memory-service decisions --bank {bank}")


def remember(
    content: str,
    bank: Bank,
    type_: Annotated[
        str,
        typer.Option(
            "--type", help="episodic (an event), semantic (a fact) or procedural (a habit, a skill)"
        ),
    ] = "episodic",
    tag: NewTags = None,
    importance: Annotated[float | None, typer.Option(help="importance, 0 to 1")] = None,
    lesson: Annotated[str | None, typer.Option(help="guidance for later answers")] = None,
    occurred_at: Annotated[str | None, typer.Option(help="ISO 8601 with a zone")] = None,
    situation: Annotated[str | None, typer.Option(help="of a procedure: when it applies")] = None,
    step: Annotated[list[str] | None, typer.Option(help="of a procedure, repeatable, in order")] = None,
    why: Annotated[str | None, typer.Option(help="of a procedure: the reason for it")] = None,
    kind: Annotated[
        str | None, typer.Option(help="of a procedure: habit, routine, pattern, skill or lesson")
    ] = None,
    replaces: Annotated[
        str | None, typer.Option(help="of a procedure: id of the one that it supersedes")
    ] = None,
    idempotency_key: Annotated[
        str | None, typer.Option(help="calls with the same key store one memory")
    ] = None,
    create: Annotated[bool, typer.Option("--create", help="create the bank if it does not exist")] = False,
    as_json: AsJson = False,
) -> None:
    """Store one memory without the gate and wait until it can be recalled."""
    arguments: dict[str, Any] = {
        "content": content,
        "type": type_,
        "tags": tag,
        "importance": importance,
        "lesson": lesson,
        "occurred_at": parsed_time(occurred_at, "occurred_at"),
        "idempotency_key": idempotency_key,
        "situation": situation,
        "steps": step,
        "why": why,
        "kind": kind,
        "replaces": replaces,
        "wait_ms": WAIT_MS,
    }

    def ask(service: Client) -> object:
        service.create_bank(bank) if create else service.bank(bank)
        return service.remember(bank, arguments)

    async def commit(memory: Memory) -> object:
        from memory_service.cli.worker import working

        if create:
            await memory.create_bank(bank)
        else:
            await memory.get_bank(bank)
        async with working(memory):
            return await memory.remember(bank, **arguments)

    answer = call_service(ask, commit, works=True, repeatable=idempotency_key is not None)
    if as_json:
        print_json(answer)
    else:
        from rich.text import Text

        style = STATUS_STYLES.get(answer["status"], "")
        out().print(f"{answer['memory_id']} is ", Text(answer["status"], style), ".", sep="", soft_wrap=True)
