"""What every command does: open the memory, print an answer for people or as JSON."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

import typer

from memory_service.running_service import find_service
from memory_service.startup import configure_process, run
from memory_service.text.unicode_folding import is_invisible

if TYPE_CHECKING:  # else where a command needs them: they take longer to import than a service to answer
    from rich.console import Console

    from memory_service.cli.client import Client
    from memory_service.memory import Memory


INDENT = "    "
"""Of what is told below a text."""

STATUS_STYLES = {
    "stored": "green", "active": "green", "refused": "yellow", "quarantined": "bold red", "failed": "red",
}  # fmt: skip
"""Colours of words that say what became of something; on a terminal, unless NO_COLOR is set."""

T = TypeVar("T")
Bank = Annotated[str, typer.Option("--bank", "-b", help="the bank")]
AsJson = Annotated[bool, typer.Option("--json", help="print the answer as JSON")]
MaybeBank = Annotated[str | None, typer.Option("--bank", "-b", help="one bank")]
Cursor = Annotated[str | None, typer.Option(help="from the answer before")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="may be given several times: any of them")]
Time = Annotated[str | None, typer.Option(help="ISO 8601 with a zone")]
Agent = Annotated[str | None, typer.Option(help="who remembered it")]
Recipient = Annotated[str | None, typer.Option(help="whom it is for")]
Importance = Annotated[float | None, typer.Option(help="0 to 1, of the stored importance")]
AsOf = Annotated[str | None, typer.Option(help="as it was then: ISO 8601 with a zone")]


def group(help: str, **more: Any) -> typer.Typer:  # noqa: A002 - typer's name
    """Commands whose help is plain text: rich alone takes as long to import as all else that --help needs."""
    return typer.Typer(help=help, rich_markup_mode=None, **more)


def list_whole_lines(commands: typer.Typer) -> None:
    """Let --help list each command with the whole of its help, which is else cut off at the end of a line."""
    for command in commands.registered_commands:
        command.short_help = inspect.getdoc(command.callback)


def out() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def err() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def with_memory(use: Callable[[Memory], Awaitable[T]]) -> T:
    """Open the memory that the environment names, use it, close it."""
    from memory_service.memory import Memory

    async def opened() -> T:
        async with await Memory.open(settings) as memory:
            return await use(memory)

    settings = configure_process()
    return run(opened())


def answered(
    ask: Callable[[Client], Any],
    here: Callable[[Memory], Awaitable[object]],
    *,
    works: bool = False,
    repeatable: bool = True,
) -> Any:
    """The answer as JSON values: the running service's, or, where none runs, that of a memory opened here.

    `works`: a service without workers would not do it. `repeatable`: it may be done once more where a service went away
    over it.
    """
    service = find_service()
    if service is not None and (service.workers or not works):
        from memory_service.cli.client import Client, ServiceGone

        with closing(Client(service)) as client:
            if client.answers():
                try:
                    return ask(client)
                except ServiceGone:
                    if not repeatable:
                        raise
    return json.loads(json.dumps(with_memory(here), default=plain))


def print_json(answer: object) -> None:
    print(json.dumps(answer, default=plain, ensure_ascii=False, indent=2))  # noqa: T201 - never wrapped


def plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")  # as every answer over HTTP has it
    if isinstance(value, UUID):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(type(value).__name__)


def visible(text: str) -> str:
    """One line of it, without what nobody sees: text in quarantine must not steer the terminal."""
    return " ".join("".join(c for c in text if not is_invisible(c)).split())


def print_entries(entries: Iterable[tuple[str, *tuple[Sequence[str], ...]]], next_cursor: str | None) -> None:
    """A page for people of what has a text and an id: the text, below it the id, in one piece to be copied, and what
    else there is to say. Readable however narrow the terminal, where a table's last column would be a strip."""
    room = out().width - len(INDENT)
    empty = True
    for text, *lines in entries:
        empty = False
        out().print(visible(text), markup=False)
        for line in lines:
            for told in filled([visible(detail) for detail in line if detail], room):
                out().print(INDENT + told, markup=False, soft_wrap=True, style="dim")
    if empty:
        out().print("none", style="dim")
    print_more(next_cursor)


def filled(details: Iterable[str], room: int) -> list[str]:
    """Lines of these, as many in each as there is room for; none is taken apart."""
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
    """A page for people of many short figures: a line of visible text a cell."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell), STATUS_STYLES.get(cell, "")) for cell in row))
    out().print(table, markup=False)
    print_more(next_cursor)


def print_more(next_cursor: str | None) -> None:
    if next_cursor:
        out().print(f"more: --cursor {next_cursor}", soft_wrap=True)
