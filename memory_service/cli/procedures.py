"""Commands for procedures: habits, routines, patterns, skills and lessons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import typer

from memory_service.cli.facts import Statuses
from memory_service.cli.shared_options import Actor, OneBank, bank_to_list, each_of, marked
from memory_service.cli.terminal import (
    AsJson,
    AsOf,
    Bank,
    Cursor,
    Entry,
    group,
    list_whole_lines,
    print_answer,
    print_json,
    print_listed,
    print_rows,
    print_table,
    read_memory,
    with_memory,
)
from memory_service.iso_time import parsed_time

if TYPE_CHECKING:
    from memory_service.methods import MemoryMethods
    from memory_service.results import MemoryItem, Procedure, ProcedureVersion

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
    page = read_memory(
        lambda memory: memory.list_procedures(
            listed,
            as_of=as_of_at,
            statuses=cast("Any", status),
            kinds=cast("Any", kind),
            limit=limit,
            cursor=cursor,
        )
    )
    print_listed(page, entry_of, as_json=as_json)


def entry_of(p: Procedure) -> Entry:
    """A procedure as print_entries takes it."""
    return p.content, (str(p.memory_id), p.kind, marks(p), outcomes_of(p), f"{p.occurred_at:%Y-%m-%d}")


@procedures.command()
def show(procedure_id: ProcedureId, bank: Bank, as_json: AsJson = False) -> None:
    """Show one procedure with its steps, outcomes and source episodes."""

    async def read(memory: MemoryMethods) -> tuple[Procedure, list[MemoryItem]]:
        procedure = await memory.get_procedure(bank, procedure_id)
        return procedure, [
            await memory.get_memory(bank, episode) for episode in procedure.derived_from[-SHOWN:]
        ]

    procedure, taught = read_memory(read)
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
    page = read_memory(
        lambda memory: memory.procedure_history(bank, procedure_id, limit=limit, cursor=cursor)
    )
    names = ("", "known since", "why", "by", "status", "worked", "procedure")
    print_rows(page, names, version_row, as_json=as_json)


def version_row(v: ProcedureVersion) -> tuple[str, ...]:
    worked = f"{v.worked}/{v.worked + v.failed}"
    return str(v.version), f"{v.at:%Y-%m-%d %H:%M}", v.reason, v.actor, v.status, worked, v.content


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
    procedure = with_memory(
        lambda memory: memory.record_outcome(bank, procedure_id, cast("Any", result), note=note, actor=actor)
    )
    print_answer(procedure, changed_text(procedure, result), as_json=as_json)


REVIEWS = {
    "retract": ("retracted", "Mark a procedure as wrong: no read shows it."),
    "pin": ("pinned", "Pin a procedure: the cap does not remove it before others."),
    "unpin": ("unpinned", "Unpin a procedure: the cap applies to it again."),
}
"""Commands that change a procedure: the change, and the help text."""


@each_of(procedures, REVIEWS)
def review(name: str, participle: str) -> Callable[..., None]:
    """The command of a method of Memory that changes a procedure."""

    def change(procedure_id: ProcedureId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
        procedure: Procedure = with_memory(
            lambda memory: getattr(memory, f"{name}_procedure")(bank, procedure_id, actor=actor)
        )
        print_answer(procedure, changed_text(procedure, participle), as_json=as_json)

    return change


def changed_text(procedure: Procedure, participle: str) -> str:
    return f"{procedure.memory_id}: {participle}; it is {marks(procedure)}, {outcomes_of(procedure)}."


def outcomes_of(procedure: Procedure) -> str:
    """How often it worked, and its weight."""
    tried = procedure.worked + procedure.failed
    return f"worked {procedure.worked} of {tried}, weight {procedure.weight:.2f}"


def marks(procedure: Procedure) -> str:
    """The procedure's status and flags: pinned, avoid, retracted."""
    retracted = procedure.retracted_at is not None
    return marked(procedure.status, pinned=procedure.pinned, avoid=procedure.avoid, retracted=retracted)


list_whole_lines(procedures)
