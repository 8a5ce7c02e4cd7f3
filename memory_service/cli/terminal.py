"""Shared by all commands: option types, opening the Memory, printing answers as text or JSON."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

import typer

from memory_service.errors import MemoryServiceError
from memory_service.running_service import API_KEY, API_KEY_FILE, find_service
from memory_service.startup import configure_process, run
from memory_service.text.unicode_folding import visible_line

if TYPE_CHECKING:  # imported at use: they take longer than the answer of a running service
    from rich.console import Console

    from memory_service.cli.client import Client
    from memory_service.memory import Memory
    from memory_service.methods import MemoryMethods
    from memory_service.results import Page


INDENT = "    "
"""Indent of the detail lines below a text."""

STATUS_STYLES = {
    "stored": "green", "active": "green", "refused": "yellow", "quarantined": "bold red", "failed": "red",
}  # fmt: skip
"""Colours of outcomes and statuses; rich omits them without a terminal or with NO_COLOR set."""

T = TypeVar("T")
Entry = tuple[str, *tuple[Sequence[str], ...]]
"""A text and the details of each line below it."""
Bank = Annotated[str, typer.Option("--bank", "-b", help="name of the bank")]
AsJson = Annotated[bool, typer.Option("--json", help="print the answer as JSON")]
MaybeBank = Annotated[str | None, typer.Option("--bank", "-b", help="name of a bank")]
Cursor = Annotated[str | None, typer.Option(help="next_cursor of the previous page")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="repeatable: any of them matches")]
NewTags = Annotated[list[str] | None, typer.Option("--tag", help="repeatable: all tags of the memory")]
Time = Annotated[str | None, typer.Option(help="ISO 8601 with a zone")]
Agent = Annotated[str | None, typer.Option(help="agent that stored the memory")]
Recipient = Annotated[str | None, typer.Option(help="person that the memory is for")]
Importance = Annotated[float | None, typer.Option(help="lowest stored importance, 0 to 1")]
AsOf = Annotated[str | None, typer.Option(help="state at this time (valid time): ISO 8601 with a zone")]


def group(help: str, **more: Any) -> typer.Typer:  # noqa: A002 - typer's name
    """A command group with plain-text help: importing rich takes as long as all other imports of --help."""
    return typer.Typer(help=help, rich_markup_mode=None, **more)


def list_whole_lines(commands: typer.Typer) -> None:
    """Make --help list each command with its full help text, which typer truncates to one line otherwise."""
    for command in commands.registered_commands:
        command.short_help = inspect.getdoc(command.callback)


def out() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def err() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def with_memory(use: Callable[[Memory], Awaitable[T]]) -> T:
    """Open the Memory configured by the environment, run `use` on it, and close it."""
    from memory_service.memory import Memory

    async def opened() -> T:
        async with await Memory.open(settings) as memory:
            return await use(memory)

    settings = configure_process()
    return run(opened())


def read_memory(use: Callable[[MemoryMethods], Coroutine[Any, Any, T]]) -> T:
    """Run `use`, which only reads, on the running service, which takes less than half of the processor time of a Memory
    opened here.

    A Memory is opened if no service runs, if the service reads from a replica, if the environment has an API key, since
    no key limits an operator's commands, and after an error, which the Memory raises.
    """
    service = None if os.environ.get(API_KEY) or os.environ.get(API_KEY_FILE) else find_service()
    if service is not None and not service.has_replica:
        from memory_service.cli.client import Client

        with closing(Client(service)) as client, suppress(MemoryServiceError):
            if client.answers():
                from memory_service.cli.service_methods import ServiceMethods
                from memory_service.client.blocking import run as run_blocking

                return run_blocking(use(ServiceMethods(client)))
    return with_memory(use)


def call_service(
    ask: Callable[[Client], Any],
    local: Callable[[Memory], Awaitable[object]],
    *,
    works: bool = False,
    repeatable: bool = True,
) -> Any:
    """The answer as JSON values: `ask` calls the running service; without one, `local` runs on a Memory opened here.

    `works`: the call needs a service with workers. `repeatable`: `local` may run after the service closed the
    connection without an answer.
    """
    service = find_service()
    if service is not None and (service.workers or not works):
        from memory_service.cli.client import Client, KeyNeeded, ServiceGone

        with closing(Client(service)) as client, suppress(KeyNeeded):  # fallback: open the database directly
            if client.answers():
                try:
                    return ask(client)
                except ServiceGone:
                    if not repeatable:
                        raise
    return json.loads(json.dumps(with_memory(local), default=json_value))


def print_json(answer: object) -> None:
    print(json.dumps(answer, default=json_value, ensure_ascii=False, indent=2))  # noqa: T201 - never wrapped


def json_value(value: object) -> object:
    """A datetime, UUID or dataclass as a value that json can write. Errors: TypeError for other types."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")  # the format of HTTP answers
    if isinstance(value, UUID):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(type(value).__name__)


def print_answer(answer: object, text: str, *, as_json: bool) -> None:
    """Print the answer as JSON, or the text about it, which is never wrapped."""
    if as_json:
        print_json(answer)
    else:
        out().print(text, markup=False, soft_wrap=True)


def print_listed(answer: Page[T] | Sequence[T], entry: Callable[[T], Entry], *, as_json: bool) -> None:
    """Print a list as JSON, or as entries (print_entries)."""
    if as_json:
        print_json(answer)
    else:
        items, next_cursor = parts_of(answer)
        print_entries(map(entry, items), next_cursor)


def print_rows(
    answer: Page[T] | Sequence[T], names: Sequence[str], row: Callable[[T], Sequence[str]], *, as_json: bool
) -> None:
    """Print a list as JSON, or as a table with these names of columns."""
    if as_json:
        print_json(answer)
    else:
        items, next_cursor = parts_of(answer)
        print_table(names, map(row, items), next_cursor)


def parts_of(answer: Page[T] | Sequence[T]) -> tuple[Sequence[T], str | None]:
    """The items of a list, and the cursor of its next page."""
    return (answer, None) if isinstance(answer, Sequence) else (answer.items, answer.next_cursor)


def print_entries(entries: Iterable[Entry], next_cursor: str | None) -> None:
    """Print a page of entries: a text, and below it indented lines of details such as the id, which is not broken.

    Not a table: on a narrow terminal its last column would be a few characters wide.
    """
    room = out().width - len(INDENT)
    empty = True
    for text, *lines in entries:
        empty = False
        out().print(visible_line(text), markup=False)
        for line in lines:
            for filled_line in filled([visible_line(detail) for detail in line if detail], room):
                out().print(INDENT + filled_line, markup=False, soft_wrap=True, style="dim")
    if empty:
        out().print("none", style="dim")
    print_more(next_cursor)


def filled(details: Iterable[str], room: int) -> list[str]:
    """The details joined into lines of at most `room` terminal cells; no detail is split."""
    from rich.cells import cell_len

    lines: list[str] = []
    for detail in details:
        longer = f"{lines[-1]}  {detail}" if lines else detail
        if lines and cell_len(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(detail)
    return lines


def print_table(names: Sequence[str], rows: Iterable[Sequence[str]], next_cursor: str | None) -> None:
    """Print a page as a table; each cell is one line of visible text."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible_line(cell), STATUS_STYLES.get(cell, "")) for cell in row))
    out().print(table, markup=False)
    print_more(next_cursor)


def print_more(next_cursor: str | None) -> None:
    if next_cursor:
        out().print(f"more: --cursor {next_cursor}", soft_wrap=True)
