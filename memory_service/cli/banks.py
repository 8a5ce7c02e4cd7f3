"""Commands for banks: list them, create one, change its settings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memory_service.cli.terminal import (
    AsJson,
    group,
    list_whole_lines,
    out,
    print_entries,
    print_json,
    read_memory,
    with_memory,
)
from memory_service.cursors import MAX_PAGE
from memory_service.errors import InvalidInput
from memory_service.validation import check_bank_id, check_count

if TYPE_CHECKING:
    from memory_service.memory import Memory
    from memory_service.methods import MemoryMethods
    from memory_service.results import BankLine
    from memory_service.types import Bank

MOST = 10_000

Name = Annotated[str, typer.Argument(help="the bank's name")]
Subject = Annotated[str | None, typer.Option(help="name of the person that the memories are about")]
AgentName = Annotated[str | None, typer.Option(help="name of the agent that talks with the subject")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="SETTING=VALUE, VALUE as JSON, null restores the default; repeatable"),
]

bank = group("Create a bank or change its settings.", no_args_is_help=True)


def banks(
    limit: Annotated[int, typer.Option(help="maximum number of banks")] = 100,
    after: Annotated[str, typer.Option(help="only banks whose name sorts after this one")] = "",
    as_json: AsJson = False,
) -> None:
    """List banks by name."""
    count = check_count(limit, "limit", 1, MOST)
    if after:
        check_bank_id(after, "after")

    async def listed(memory: MemoryMethods) -> list[BankLine]:
        found: list[BankLine] = []
        cursor = after or None
        while True:
            page = await memory.list_banks(limit=min(count - len(found), MAX_PAGE), cursor=cursor)
            found += page.items
            cursor = page.next_cursor
            if cursor is None or len(found) == count:
                return found

    found = read_memory(listed)
    if as_json:
        print_json(found)
        return
    print_entries(((b.bank_id, (f"since {b.created_at:%Y-%m-%d}", b.embedding_model)) for b in found), None)


@bank.command()
def create(
    name: Name,
    subject: Subject = None,
    agent_name: AgentName = None,
    settings: Set = None,
    as_json: AsJson = False,
) -> None:
    """Create a bank. An existing bank is not changed."""
    wanted = settings_of(subject, agent_name, settings)
    made, created = with_memory(lambda memory: memory.create_bank(name, wanted))
    print_bank(made, "was created" if created else "already exists; it was not changed", as_json=as_json)


@bank.command("set")
def set_settings(
    name: Name,
    subject: Subject = None,
    agent_name: AgentName = None,
    settings: Set = None,
    as_json: AsJson = False,
) -> None:
    """Change a bank's settings; without settings, print them."""
    wanted = settings_of(subject, agent_name, settings)

    async def changed(memory: Memory) -> Bank:
        return await memory.update_bank(name, wanted) if wanted else await memory.get_bank(name)

    print_bank(with_memory(changed), "has these settings", as_json=as_json)


def settings_of(subject: str | None, agent_name: str | None, given: Sequence[str] | None) -> dict[str, Any]:
    """Settings from the options. A value that is not JSON is taken as a string.

    Errors: InvalidInput for an unknown setting or a missing `=`.
    """
    from memory_service.bank_settings import SETTINGS

    found: dict[str, Any] = {}
    for entry in given or ():
        name, equals, value = entry.partition("=")
        if not equals or name not in SETTINGS:
            raise InvalidInput("--set", f"must be SETTING=VALUE; the settings are {', '.join(SETTINGS)}")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    named = {"subject": subject, "agent_name": agent_name}
    return found | {name: value for name, value in named.items() if value is not None}


def print_bank(found: Bank, state: str, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    out().print(f"{found.bank_id} {state}.", markup=False, soft_wrap=True)
    for name, value in found.settings.items():
        out().print(
            f"    {name} {json.dumps(value, ensure_ascii=False)}", markup=False, soft_wrap=True, style="dim"
        )


list_whole_lines(bank)
