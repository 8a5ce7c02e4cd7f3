"""Commands for norms: how to behave with the person of a bank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from memory_service.cli.shared_options import Actor, OneBank, bank_to_list
from memory_service.cli.terminal import (
    AsJson,
    AsOf,
    Bank,
    group,
    print_answer,
    print_entries,
    print_json,
    print_rows,
    read_memory,
    with_memory,
)
from memory_service.iso_time import parsed_time

if TYPE_CHECKING:
    from memory_service.person_results import Norm

norms = group("List the norms of a bank's person; subcommands show one, state, correct or remove one.")

NormId = Annotated[UUID, typer.Argument(help="id of a norm, as listed by `norms`")]


@norms.callback(invoke_without_command=True)
def list_norms(
    context: typer.Context,
    bank: OneBank = None,
    as_of: AsOf = None,
    all_states: Annotated[bool, typer.Option("--all", help="replaced and removed norms too")] = False,
    as_json: AsJson = False,
) -> None:
    """List the norms in force, the most recently confirmed first; subcommands show one norm or change it."""
    listed = bank_to_list(context, bank, as_of, all_states, as_json)
    if listed is None:
        return
    at = parsed_time(as_of, "as_of")
    if as_json:
        print_json(read_memory(lambda memory: memory.relational(listed, as_of=at)))
        return
    found = read_memory(lambda memory: memory.list_norms(listed, as_of=at, all_states=all_states))
    print_entries(((norm.norm, (str(norm.memory_id), *marks(norm))) for norm in found), None)


@norms.command()
def history(norm_id: NormId, bank: Bank, as_json: AsJson = False) -> None:
    """List all versions of a norm, with reason and actor."""
    versions = read_memory(lambda memory: memory.norm_history(bank, norm_id))
    print_rows(
        versions,
        ("version", "at", "norm", "reason"),
        lambda v: (str(v.version), f"{v.at:%Y-%m-%d %H:%M}", v.norm, f"{v.reason} ({v.actor})"),
        as_json=as_json,
    )


@norms.command()
def state(
    kind: Annotated[str, typer.Argument(help="preference, instruction, communication_style, sensitivity")],
    norm: Annotated[str, typer.Argument(help="the norm, such as 'wants short answers'")],
    bank: Bank,
    situation: Annotated[str, typer.Option(help="where it applies; default: always")] = "",
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """State a norm: it replaces the norm about the same matter and is pinned."""
    given = {"kind": kind, "norm": norm, "situation": situation}
    found = with_memory(lambda memory: memory.put_relational(bank, [given], actor=actor))
    print_answer(found, f"{len(found.norms)} norms in force", as_json=as_json)


@norms.command()
def correct(
    norm_id: NormId,
    norm: Annotated[str, typer.Argument(help="the new wording")],
    bank: Bank,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Correct the wording of a norm: a new version, pinned."""
    print_one(
        with_memory(lambda memory: memory.correct_norm(bank, norm_id, norm=norm, actor=actor)),
        as_json=as_json,
    )


@norms.command()
def confirm(norm_id: NormId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
    """Confirm a norm; a removed one is in force again."""
    print_one(with_memory(lambda memory: memory.confirm_norm(bank, norm_id, actor=actor)), as_json=as_json)


@norms.command()
def remove(norm_id: NormId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
    """Remove a norm: it is not shown any more, and earlier statements do not bring it back."""
    print_one(with_memory(lambda memory: memory.remove_norm(bank, norm_id, actor=actor)), as_json=as_json)


@norms.command()
def pin(norm_id: NormId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
    """Pin a norm: messages do not change it."""
    print_one(with_memory(lambda memory: memory.pin_norm(bank, norm_id, actor=actor)), as_json=as_json)


@norms.command()
def unpin(norm_id: NormId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
    """Unpin a norm: messages may change it again."""
    print_one(with_memory(lambda memory: memory.unpin_norm(bank, norm_id, actor=actor)), as_json=as_json)


def print_one(norm: Norm, *, as_json: bool) -> None:
    print_answer(norm, f"{norm.norm} ({', '.join(marks(norm))})", as_json=as_json)


def marks(norm: Norm) -> list[str]:
    """The marks printed beside a norm."""
    found = [norm.kind, norm.status, f"confidence {norm.confidence:.2f}"]
    if norm.situation:
        found.append(f"when: {norm.situation}")
    if norm.level is not None:
        found.append(f"level {norm.level:.2f}")
    if norm.pinned:
        found.append("pinned")
    if norm.valid_to is not None:
        found.append(f"until {norm.valid_to:%Y-%m-%d}")
    return found
