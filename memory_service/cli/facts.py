"""Commands for facts and for clarifications (questions about conflicting facts)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, cast
from uuid import UUID

import typer

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
from memory_service.validation import BOTH

if TYPE_CHECKING:
    from memory_service.methods import MemoryMethods
    from memory_service.results import Clarification, Fact, FactVersion, MemoryItem

facts = group("List facts, the most recently confirmed first; subcommands show one fact or change it.")

SHOWN = 20
"""Maximum number of source episodes (the latest) and of contradicting facts in `facts show`."""
FactId = Annotated[UUID, typer.Argument(help="id of a fact, as listed by `facts`")]
Statuses = Annotated[list[str] | None, typer.Option("--status", help="repeatable: any of them matches")]


@facts.callback(invoke_without_command=True)
def list_facts(
    context: typer.Context,
    bank: OneBank = None,
    as_of: AsOf = None,
    known_at: Annotated[
        str | None, typer.Option(help="facts as known at this time (transaction time): ISO 8601 with a zone")
    ] = None,
    status: Statuses = None,
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """List facts, the most recently confirmed first; subcommands show one fact or change it."""
    listed = bank_to_list(context, bank, as_of, known_at, status, cursor, as_json)
    if listed is None:
        return
    as_of_at, known_at_at = parsed_time(as_of, "as_of"), parsed_time(known_at, "known_at")
    page = read_memory(
        lambda memory: memory.list_facts(
            listed,
            as_of=as_of_at,
            known_at=known_at_at,
            statuses=cast("Any", status),
            limit=limit,
            cursor=cursor,
        )
    )
    print_listed(
        page,
        lambda f: (f.fact, (str(f.memory_id), marks(f), f"confidence {f.confidence:.2f}", time_of(f))),
        as_json=as_json,
    )


@facts.command()
def show(fact_id: FactId, bank: Bank, as_json: AsJson = False) -> None:
    """Show one fact with its source episodes, superseded versions and contradicting facts."""

    async def read(memory: MemoryMethods) -> tuple[Fact, list[MemoryItem], list[Fact]]:
        fact = await memory.get_fact(bank, fact_id)
        said = [await memory.get_memory(bank, episode) for episode in fact.derived_from[-SHOWN:]]
        against = [await memory.get_fact(bank, other) for other in fact.contradictions[:SHOWN]]
        return fact, said, against

    fact, said, against = read_memory(read)
    if as_json:
        print_json(fact)
        return
    rows = [
        ("fact", fact.fact),
        ("true", time_of(fact)),
        ("status", f"{marks(fact)}, confidence {fact.confidence:.2f}, importance {fact.importance:.2f}"),
        *(("said", f"{one.occurred_at:%Y-%m-%d} {one.content} [{one.memory_id}]") for one in said),
        *(("before", f"{one.fact} (until {one.retired:%Y-%m-%d}: {one.reason})")
          for one in fact.version_history),
        *(("against", f"{one.fact} ({marks(one)}, confidence {one.confidence:.2f}) [{one.memory_id}]")
          for one in against),
    ]  # fmt: skip
    print_table(("", ""), rows, None)


@facts.command()
def history(
    fact_id: FactId, bank: Bank, limit: int = 200, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """List all versions of a fact, with reason and actor."""
    page = read_memory(lambda memory: memory.fact_history(bank, fact_id, limit=limit, cursor=cursor))
    names = ("", "known since", "why", "by", "status", "confidence", "until", "fact")
    print_rows(page, names, version_row, as_json=as_json)


def version_row(v: FactVersion) -> tuple[str, ...]:
    until = "" if v.valid_to is None else f"{v.valid_to:%Y-%m-%d}"
    since = f"{v.at:%Y-%m-%d %H:%M}"
    return str(v.version), since, v.reason, v.actor, v.status, f"{v.confidence:.2f}", until, v.fact


REVIEWS = {
    "confirm": ("confirmed", "Mark a fact as true; its conflict, if any, is resolved in its favour."),
    "dispute": (
        "disputed",
        "Halve a fact's confidence; its conflict, if any, is resolved in favour of the other fact.",
    ),
    "retract": (
        "retracted",
        "Mark a fact as never true. (A fact that was true once is superseded instead.)",
    ),
    "pin": ("pinned", "Pin a fact: its confidence does not decay."),
    "unpin": ("unpinned", "Unpin a fact: its confidence decays again."),
    "unmerge": ("separate again", "Undo a merge by upkeep: the merged fact is a separate fact again."),
}
"""Commands that change a fact: the change as in `is confirmed`, and the help text."""


@each_of(facts, REVIEWS)
def review(name: str, participle: str) -> Callable[..., None]:
    """The command of a method of Memory that changes a fact."""

    def change(fact_id: FactId, bank: Bank, actor: Actor = None, as_json: AsJson = False) -> None:
        fact: Fact = with_memory(lambda memory: getattr(memory, f"{name}_fact")(bank, fact_id, actor=actor))
        text = f"{fact.memory_id} is {participle}; it is {fact.status}, confidence {fact.confidence:.2f}."
        print_answer(fact, text, as_json=as_json)

    return change


def clarifications(
    bank: Bank, status: Statuses = None, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """List questions to the user about contradicting facts, the most important first."""
    page = read_memory(
        lambda memory: memory.list_clarifications(
            bank, statuses=cast("Any", status), limit=limit, cursor=cursor
        )
    )
    print_listed(page, question_entry, as_json=as_json)


def question_entry(q: Clarification) -> Entry:
    facts = ((str(f.memory_id), "right:" if f.memory_id == q.keep else "", f.fact) for f in q.facts)
    return q.question, (str(q.clarification_id), q.status, "both are right" if q.keep == BOTH else ""), *facts


def answer(
    clarification_id: Annotated[UUID, typer.Argument(help="id of a question, as listed by `clarifications`")],
    bank: Bank,
    keep: Annotated[str, typer.Option(help="id of the fact that is right, or `both`")],
    text: Annotated[str | None, typer.Option(help="the user's answer as text")] = None,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Record the user's answer to a question and resolve its conflict."""
    question = with_memory(
        lambda memory: memory.answer_clarification(
            bank, clarification_id, cast("Any", keep), text, actor=actor
        )
    )
    print_answer(question, f"{question.clarification_id} is answered: {question.keep}.", as_json=as_json)


def time_of(fact: Fact) -> str:
    """The fact's valid time."""
    return f"since {fact.valid_from:%Y-%m-%d}" + (f" until {fact.valid_to:%Y-%m-%d}" if fact.valid_to else "")


def marks(fact: Fact) -> str:
    """The fact's status and flags: pinned, unconfirmed, retracted."""
    retracted = fact.retracted_at is not None
    return marked(fact.status, pinned=fact.pinned, unconfirmed=fact.unconfirmed, retracted=retracted)


list_whole_lines(facts)
