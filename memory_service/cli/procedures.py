"""Commands for procedures: habits, routines, patterns, skills and lessons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import typer

from memory_service.cli.facts import Statuses
from memory_service.cli.judging import Actor, OneBank, bank_to_list
from memory_service.cli.terminal import (
    AsJson,
    AsOf,
    Bank,
    Cursor,
    group,
    list_whole_lines,
    out,
    print_entries,
    print_json,
    print_table,
    with_memory,
)
from memory_service.iso_time import parsed_time

if TYPE_CHECKING:
    from memory_service.memory import Memory
    from memory_service.results import MemoryItem, Procedure

procedures = group("List habits, routines, skills and lessons; subcommands show one or change it.")

SHOWN = 20
"""Maximum number of source episodes (the latest) in `procedures show`."""
ProcedureId = Annotated[UUID, typer.Argument(help="id of a procedure, as listed by `procedures`")]
Kinds = Annotated[list[str] | None, typer.Option("--kind", help="repeatable: any of them matches")]


@procedures.callback(invoke_without_command=True)
def list_procedures(
    context: typer.Context,
    bank: OneBank = None,
    as_of: AsOf = None,
    status: Statuses = None,
    kind: Kinds = None,
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """List habits, routines, skills and lessons; subcommands show one or change it."""
    listed = bank_to_list(context, bank, as_of, status, kind, cursor, as_json)
    if listed is None:
        return
    as_of_at = parsed_time(as_of, "as_of")
    page = with_memory(
        lambda memory: memory.list_procedures(
            listed,
            as_of=as_of_at,
            statuses=cast("Any", status),
            kinds=cast("Any", kind),
            limit=limit,
            cursor=cursor,
        )
    )
    if as_json:
        print_json(page)
        return
    print_entries(
        (
            (p.content, (str(p.memory_id), p.kind, marks(p), outcomes_of(p), f"{p.occurred_at:%Y-%m-%d}"))
            for p in page.items
        ),
        page.next_cursor,
    )


@procedures.command()
def show(procedure_id: ProcedureId, bank: Bank, as_json: AsJson = False) -> None:
    """Show one procedure with its steps, outcomes and source episodes."""

    async def read(memory: Memory) -> tuple[Procedure, list[MemoryItem]]:
        procedure = await memory.get_procedure(bank, procedure_id)
        return procedure, [
            await memory.get_memory(bank, episode) for episode in procedure.derived_from[-SHOWN:]
        ]

    procedure, taught = with_memory(read)
    if as_json:
        print_json(procedure)
        return
    rows = [
        (procedure.kind, procedure.content),
        *([("when", procedure.situation)] if procedure.situation else []),
        *((f"step {n}", step) for n, step in enumerate(procedure.steps, 1)),
        *([("why", procedure.why)] if procedure.why else []),
        ("status", f"{marks(procedure)}, importance {procedure.importance:.2f}"),
        ("outcomes", outcomes_of(procedure)),
        *(("from", f"{one.occurred_at:%Y-%m-%d} {one.content} [{one.memory_id}]") for one in taught),
    ]
    print_table(("", ""), rows, None)


@procedures.command()
def history(
    procedure_id: ProcedureId, bank: Bank, limit: int = 200, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """List all versions of a procedure, with reason and actor."""
    page = with_memory(
        lambda memory: memory.procedure_history(bank, procedure_id, limit=limit, cursor=cursor)
    )
    if as_json:
        print_json(page)
        return
    rows = [
        (
            str(v.version),
            f"{v.at:%Y-%m-%d %H:%M}",
            v.reason,
            v.actor,
            v.status,
            f"{v.worked}/{v.worked + v.failed}",
            v.content,
        )
        for v in page.items
    ]
    names = ("", "known since", "why", "by", "status", "worked", "procedure")
    print_table(names, rows, page.next_cursor)


@procedures.command()
def outcome(
    procedure_id: ProcedureId,
    result: Annotated[str, typer.Argument(help="worked or failed")],
    bank: Bank,
    note: Annotated[str | None, typer.Option(help="what happened; kept in the history")] = None,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Record that a procedure worked or failed."""
    print_changed(
        lambda memory: memory.record_outcome(bank, procedure_id, cast("Any", result), note=note, actor=actor),
        result,
        as_json=as_json,
    )


@procedures.command()
def retract(procedure_id: ProcedureId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
    """Mark a procedure as wrong: no read shows it."""
    print_changed(
        lambda memory: memory.retract_procedure(bank, procedure_id, actor=actor), "retracted", as_json=as_json
    )


@procedures.command()
def pin(procedure_id: ProcedureId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
    """Pin a procedure: the cap does not remove it before others."""
    print_changed(
        lambda memory: memory.pin_procedure(bank, procedure_id, actor=actor), "pinned", as_json=as_json
    )


@procedures.command()
def unpin(procedure_id: ProcedureId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
    """Unpin a procedure: the cap applies to it again."""
    print_changed(
        lambda memory: memory.unpin_procedure(bank, procedure_id, actor=actor), "unpinned", as_json=as_json
    )


def print_changed(
    change: Callable[[Memory], Awaitable[Procedure]], participle: str, *, as_json: bool
) -> None:
    """Change a procedure and print it; `participle` names the change."""
    procedure = with_memory(change)
    if as_json:
        print_json(procedure)
    else:
        out().print(
            f"{procedure.memory_id}: {participle}; it is {marks(procedure)}, {outcomes_of(procedure)}.",
            soft_wrap=True,
        )


def outcomes_of(procedure: Procedure) -> str:
    """How often it worked, and its weight."""
    tried = procedure.worked + procedure.failed
    return f"worked {procedure.worked} of {tried}, weight {procedure.weight:.2f}"


def marks(procedure: Procedure) -> str:
    """The procedure's status and flags: pinned, avoid, retracted."""
    more = {
        "pinned": procedure.pinned,
        "avoid": procedure.avoid,
        "retracted": procedure.retracted_at is not None,
    }
    return ", ".join((procedure.status, *(name for name, holds in more.items() if holds)))


list_whole_lines(procedures)
