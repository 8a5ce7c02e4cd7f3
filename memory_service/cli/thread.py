"""Commands for the emotional thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from memory_service.cli.shared_options import Actor, OneBank, bank_to_list
from memory_service.cli.terminal import (
    AsJson,
    AsOf,
    Bank,
    Cursor,
    Entry,
    group,
    list_whole_lines,
    print_answer,
    print_entries,
    print_json,
    print_listed,
    read_memory,
    with_memory,
)
from memory_service.iso_time import parsed_time

if TYPE_CHECKING:
    from memory_service.results import EmotionalThread

thread = group(
    "Show the emotional thread, the mood that is carried on; subcommands list all threads or end it."
)


@thread.callback(invoke_without_command=True)
def show(
    context: typer.Context,
    bank: OneBank = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Show the emotional thread, the mood that is carried on; subcommands list all threads or end it."""
    listed = bank_to_list(context, bank, as_of, as_json, argument="")
    if listed is None:
        return
    at = parsed_time(as_of, "as_of")
    found = read_memory(lambda memory: memory.emotional_thread(listed, as_of=at))
    if as_json:
        print_json(found)
    else:
        print_entries([] if found is None else [entry_of(found)], None)


@thread.command()
def history(bank: Bank, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False) -> None:
    """List all threads, open and ended, the one that began last first."""
    page = read_memory(lambda memory: memory.list_emotional_threads(bank, limit=limit, cursor=cursor))
    print_listed(page, entry_of, as_json=as_json)


@thread.command()
def end(
    bank: Bank,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """End the open thread: no context shows it any more, and the next mood begins another one."""
    ended = with_memory(lambda memory: memory.end_emotional_thread(bank, actor=actor))
    text = "No thread is open." if ended is None else f"{ended.thread_id} is ended."
    print_answer(ended, text, as_json=as_json)


def entry_of(one: EmotionalThread) -> Entry:
    """A thread as print_entries takes it."""
    length = "1 message" if one.thread_length == 1 else f"{one.thread_length} messages"
    return one.current_state, (
        str(one.thread_id),
        f"since {one.started_at:%Y-%m-%d}",
        length,
        f"valence {one.valence:+.2f}",
        "acknowledge it" if one.should_acknowledge else "",
        "" if one.ended_at is None else f"{one.end_reason} {one.ended_at:%Y-%m-%d}",
    )


list_whole_lines(thread)
