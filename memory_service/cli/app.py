"""The commands. Answers go to stdout, as JSON with --json; progress, logs and errors go to stderr."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn
from uuid import UUID

import typer
from rich.markup import escape
from rich.table import Table

from memory_service import __version__
from memory_service.answers import (
    committed_answer,
    context_answer,
    dead_letters_answer,
    decisions_answer,
    expired_answer,
    item_answer,
    items_answer,
    recall_answer,
    redriven_answer,
    restored_answer,
    trace_answer,
    traces_answer,
)
from memory_service.calibration import EVIDENCE_PRECISION, PRECISION
from memory_service.cli import demo as demonstration
from memory_service.cli.calibrating import calibrate_file
from memory_service.cli.facts import answer, clarifications, facts
from memory_service.cli.importing import import_files
from memory_service.cli.terminal import (
    AsJson,
    AsOf,
    Bank,
    Cursor,
    MaybeBank,
    err,
    out,
    print_entries,
    print_json,
    print_table,
    ready,
    run,
    with_memory,
)
from memory_service.cli.tracing import trace_page
from memory_service.cli.transcripts import parsed_time
from memory_service.connect import find_database, migrate_database
from memory_service.embedded.binaries import find_binaries
from memory_service.errors import InvalidInput, MemoryServiceError
from memory_service.inputs import (
    TOKENIZERS,
    CompactQuery,
    ContextQuery,
    Filters,
    Mood,
    NewMemory,
    RecallQuery,
)
from memory_service.memory import Memory
from memory_service.profiles import PROFILES
from memory_service.server.working import run_worker
from memory_service.types import Context

app = typer.Typer(
    help="Long-term memory for agents, in Postgres.", no_args_is_help=True, pretty_exceptions_enable=False
)
app.add_typer(facts, name="facts")
app.command()(clarifications)
app.command()(answer)

FIRST_CALLS = """\
  curl -s ADDRESS/v1/banks -H 'content-type: application/json' -d '{"bank_id": "anna"}'
  curl -s ADDRESS/v1/banks/anna/memories -H 'content-type: application/json' \\
       -d '{"type": "episodic", "content": "Anna is allergic to walnuts.", "wait_ms": 5000}'
  curl -s ADDRESS/v1/banks/anna/recall -H 'content-type: application/json' \\
       -d '{"query": "What must Anna not eat?"}'
"""

Tokenizer = Annotated[str, typer.Option(help=f"one of {', '.join(TOKENIZERS)}")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="may be given several times: any of them")]
Time = Annotated[str | None, typer.Option(help="ISO 8601 with a zone")]
Agent = Annotated[str | None, typer.Option(help="who remembered it")]
Recipient = Annotated[str | None, typer.Option(help="whom it is for")]
Importance = Annotated[float | None, typer.Option(help="0 to 1, of the stored importance")]
Emotions = Annotated[list[str] | None, typer.Option("--emotion", help="of the present mood; several times")]
Valence = Annotated[float | None, typer.Option(help="of the present mood, -1 to 1")]
Topics = Annotated[list[str] | None, typer.Option("--topic", help="at hand; several times")]
Profile = Annotated[
    str | None, typer.Option(help=f"{', '.join(PROFILES)}, or one of the bank's own; default: the bank's")
]


def main() -> None:
    """Run a command; what goes wrong is one line on stderr and exit code 1, or 2 where the input was at fault."""
    try:
        app()
    except MemoryServiceError as error:
        fail(error)
    except KeyboardInterrupt:
        sys.exit(130)


def fail(error: MemoryServiceError) -> NoReturn:
    err.print(f"[red]error:[/red] {escape(str(error))}", soft_wrap=True)
    sys.exit(2 if isinstance(error, InvalidInput) else 1)


@app.command("serve")
def serve_command() -> None:
    """Start the database, migrate it, and serve with workers until Ctrl-C."""
    from memory_service.server.serve import serve  # no other command needs what HTTP takes to import

    settings = ready()

    def announce(address: str, _: Memory) -> None:
        data = "your Postgres (DATABASE_URL)" if settings.database_url else str(settings.data_dir)
        # Soft: a terminal wraps an address without breaking it.
        out.print(
            f"\nMemory service {__version__} answers on [bold]{address}[/bold]  (docs: {address}/docs)",
            soft_wrap=True,
        )
        out.print(
            f"Data: {escape(data)}. No key was made: it runs open, on loopback only. Ctrl-C stops it.\n",
            soft_wrap=True,
        )
        out.print("A first call to try:\n")
        print(FIRST_CALLS.replace("ADDRESS", address), flush=True)  # noqa: T201 - never wrapped

    run(serve(settings, announce))
    out.print("Stopped; the data stays where it is.")


@app.command()
def worker(
    until_stdin_ends: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Run one more intake worker beside a service on the same database."""
    run(run_worker(ready(), until_stdin_ends=until_stdin_ends))


@app.command()
def migrate(as_json: AsJson = False) -> None:
    """Bring the database to this release."""
    settings = ready()
    access = find_database(settings)
    try:
        changed = migrate_database(access, settings)
    finally:
        access.close()
    if as_json:
        print_json({"release": __version__, "changed": changed})
    else:
        out.print(
            f"The database is at release {__version__}" + ("." if changed else "; nothing had to change.")
        )


@app.command()
def psql() -> None:
    """Open psql in the database, as its owner's administrator."""
    settings = ready()
    access = find_database(settings)
    program = "psql" if access.server is None else str(find_binaries().folder / "psql")
    try:
        code = subprocess.run([program, access.admin_url or access.url], check=False).returncode
    except FileNotFoundError:
        raise MemoryServiceError("psql is not installed; it comes with the Postgres client tools") from None
    finally:
        access.close()
    sys.exit(code)


@app.command("import")
def import_command(
    files: Annotated[
        list[Path], typer.Argument(help="JSON lines, or LoCoMo conversation files", exists=True)
    ],
    bank: Bank,
    intake: Annotated[
        str | None, typer.Option(help="of a new bank: exchange (default), snippet or verbatim")
    ] = None,
    wait: Annotated[bool, typer.Option(help="help to work until everything is decided")] = True,
    as_json: AsJson = False,
) -> None:
    """Import conversations. Safe to run twice and to resume: what is there already is stored once."""
    stats = with_memory(
        lambda memory: import_files(memory, bank, files, intake=intake, wait=wait, console=err)
    )
    if as_json:
        print_json(stats)
        return
    messages = stats["messages"]
    out.print(
        f"{stats['turns']} turns read. The bank has {messages['total']} messages: "
        f"{messages['stored']} stored, {messages['refused']} refused, {messages['failed']} failed, "
        f"{messages['pending']} pending."
    )
    out.print(f"Why: .venv/bin/memory-service decisions --bank {bank}")


@app.command()
def remember(
    content: str,
    bank: Bank,
    type_: Annotated[
        str, typer.Option("--type", help="episodic, what happened, or semantic, what is true")
    ] = "episodic",
    tag: Tags = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1")] = None,
    lesson: Annotated[str | None, typer.Option(help="guidance for the future")] = None,
    occurred_at: Annotated[str | None, typer.Option(help="ISO 8601 with a zone")] = None,
    idempotency_key: Annotated[str | None, typer.Option(help="the same key again stores once")] = None,
    as_json: AsJson = False,
) -> None:
    """Commit a memory consciously and wait until it can be recalled."""
    memory_to_be = NewMemory(
        content,
        type_,
        tags=tag,
        importance=importance,
        lesson=lesson,
        occurred_at=parsed_time(occurred_at, "occurred_at"),
        idempotency_key=idempotency_key,
    )

    async def commit(memory: Memory) -> dict[str, Any]:
        await memory.create_bank(bank)
        stop = asyncio.Event()
        working = asyncio.create_task(memory.work(stop))
        try:
            return committed_answer(await memory.remember(bank, memory_to_be, wait_ms=30_000))
        finally:
            stop.set()
            await working

    answer = with_memory(commit)
    if as_json:
        print_json(answer)
    else:
        out.print(f"{answer['memory_id']} is {answer['status']}.")


@app.command()
def recall(
    query: str,
    bank: Bank,
    k: Annotated[int, typer.Option("-k", help="how many")] = 10,
    mode: Annotated[str, typer.Option(help="tool or passive")] = "tool",
    profile: Profile = None,
    type_: Annotated[list[str] | None, typer.Option("--type", help="may be given several times")] = None,
    tag: Tags = None,
    min_importance: Importance = None,
    since: Time = None,
    until: Time = None,
    agent: Agent = None,
    recipient: Recipient = None,
    emotion: Emotions = None,
    valence: Valence = None,
    topic: Topics = None,
    as_of: AsOf = None,
    explain: Annotated[bool, typer.Option(help="show the parts of each score")] = False,
    as_json: AsJson = False,
) -> None:
    """The memories that answer a query best."""
    question = RecallQuery(
        query,
        k,
        mode=mode,
        profile=profile,
        types=type_,
        filters=Filters(
            tag,
            parsed_time(since, "since"),
            parsed_time(until, "until"),
            recipient,
            agent,
            min_importance,
        ),
        mood=Mood(emotion, valence, topic),
        as_of=parsed_time(as_of, "as_of"),
        explain=explain,
    )
    recalled = with_memory(lambda memory: memory.recall(bank, question))
    if as_json:
        print_json(recall_answer(recalled, explain=explain))
        return
    table = Table(box=None, pad_edge=False)
    for name in ("score", "when", "memory", "why"):
        table.add_column(name)
    for item in recalled.items:
        why = ", ".join(f"{n} {v:.2f}" for n, v in item.components.items()) if explain else item.reason
        table.add_row(
            f"{item.score:.3f}", f"{item.candidate.occurred_at:%Y-%m-%d}", item.candidate.content, why
        )
    out.print(table, markup=False)
    if explain:
        out.print(f"trace {recalled.trace_id} tells what else was considered", soft_wrap=True)
    if recalled.degraded:
        err.print("degraded: the query could not be embedded")


@app.command()
def context(
    message: str,
    bank: Bank,
    conversation: Annotated[str | None, typer.Option(help="whose last messages belong in")] = None,
    recent_tokens: Annotated[int, typer.Option(help="for what is recent")] = 300,
    knowledge_tokens: Annotated[int, typer.Option(help="for what is known")] = 700,
    profile: Profile = None,
    emotion: Emotions = None,
    valence: Valence = None,
    topic: Topics = None,
    tokenizer: Tokenizer = "wordpiece",
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """What to put before the model for its next answer."""
    question = ContextQuery(
        message,
        conversation,
        recent_tokens,
        knowledge_tokens,
        profile=profile,
        mood=Mood(emotion, valence, topic),
        tokenizer=tokenizer,
        as_of=parsed_time(as_of, "as_of"),
    )
    print_context(with_memory(lambda memory: memory.context(bank, question)), as_json=as_json)


@app.command()
def compact(
    bank: Bank,
    recipient: Annotated[str, typer.Option(help="whom the message is for")],
    purpose: Annotated[str, typer.Option(help="what it is for: a tag, or words that are tags")],
    max_tokens: Annotated[int, typer.Option(help="for the whole text")] = 8000,
    tokenizer: Tokenizer = "wordpiece",
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """The bank's best for a message to somebody: important, recent, about them, or tagged with the purpose."""
    question = CompactQuery(recipient, purpose, max_tokens, tokenizer, parsed_time(as_of, "as_of"))
    print_context(with_memory(lambda memory: memory.compact(bank, question)), as_json=as_json)


def print_context(made: Context, *, as_json: bool) -> None:
    answer = context_answer(made)
    if as_json:
        print_json(answer)
    else:
        print(answer["text"])  # noqa: T201 - never wrapped


@app.command()
def decisions(
    bank: Bank,
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Why things were stored or refused, newest first."""
    page = with_memory(lambda memory: memory.list_decisions(bank, limit=limit, cursor=cursor))
    if as_json:
        print_json(decisions_answer(page))
        return
    rows = [
        (
            f"{d.decided_at:%Y-%m-%d %H:%M}",
            d.outcome,
            d.decided_by,
            d.reason,
            d.said or f"{len(d.message_ids)} messages",
        )
        for d in page.items
    ]
    print_table(("when", "outcome", "by", "reason", "about"), rows, page.next_cursor)


@app.command()
def memories(
    bank: Bank,
    type_: Annotated[str | None, typer.Option("--type", help="episodic, semantic or procedural")] = None,
    status: Annotated[str | None, typer.Option(help="active, quarantined, failed, ...")] = None,
    tag: Tags = None,
    min_importance: Importance = None,
    since: Time = None,
    until: Time = None,
    agent: Agent = None,
    recipient: Recipient = None,
    order: Annotated[str, typer.Option(help="recency or importance")] = "recency",
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Memories newest first; with --status quarantined, what waits for a person to look at it."""
    since_at, until_at = parsed_time(since, "since"), parsed_time(until, "until")
    page = with_memory(
        lambda memory: memory.list_memories(
            bank, type=type_, tags=tag, min_importance=min_importance, status=status, since=since_at,
            until=until_at, agent=agent, recipient=recipient, order=order, limit=limit, cursor=cursor,
        )
    )  # fmt: skip
    if as_json:
        print_json(items_answer(page))
        return
    print_entries(
        (
            (
                m.content,
                (str(m.memory_id), f"{m.occurred_at:%Y-%m-%d}", m.status, f"importance {m.importance:.2f}"),
            )
            for m in page.items
        ),
        page.next_cursor,
    )


@app.command()
def trace(
    bank: Bank,
    trace_id: Annotated[
        UUID | None, typer.Argument(help="of one read; without it, the reads are listed")
    ] = None,
    limit: int = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Why a read gave what it gave: every candidate with its score, its parts, and what dropped it."""
    if trace_id is not None:
        found = with_memory(lambda memory: memory.get_trace(bank, trace_id))
        if as_json:
            print_json(trace_answer(found))
            return
        head, names, rows = trace_page(found)
        for line in head:
            out.print(line, markup=False, soft_wrap=True)
        print_table(names, rows, None)
        return
    page = with_memory(lambda memory: memory.list_traces(bank, limit=limit, cursor=cursor))
    if as_json:
        print_json(traces_answer(page))
        return
    print_entries(
        (
            (
                x.query or "(expired)",
                (str(x.trace_id), f"{x.at:%Y-%m-%d %H:%M:%S}", x.kind, x.profile, f"found {x.returned}"),
            )
            for x in page.items
        ),
        page.next_cursor,
    )


@app.command()
def expire(bank: MaybeBank = None, as_json: AsJson = False) -> None:
    """Let go of traces whose time is over, in one bank or in every one. Workers do so every hour."""
    count = with_memory(lambda memory: memory.expire_traces(bank))
    if as_json:
        print_json(expired_answer(count))
    else:
        out.print(f"{count} traces have expired, wholly or their query.")


@app.command()
def release(
    memory_id: UUID,
    bank: Bank,
    actor: Annotated[str | None, typer.Option(help="who vouches for it; default operator")] = None,
    as_json: AsJson = False,
) -> None:
    """Let a memory out of quarantine: it is embedded, then recalled like any other, quoted as data."""
    item = with_memory(lambda memory: memory.release_memory(bank, memory_id, actor=actor))
    if as_json:
        print_json(item_answer(item))
    else:
        out.print(f"{item.memory_id} is released; it is {item.status}.", soft_wrap=True)


@app.command()
def restore(
    memory_id: UUID,
    bank: Bank,
    actor: Annotated[str | None, typer.Option(help="who wants it back; default operator")] = None,
    as_json: AsJson = False,
) -> None:
    """Bring back what the night put away: an archived or deprecated episode, a fact dropped to make room."""
    status = with_memory(lambda memory: memory.restore_memory(bank, memory_id, actor=actor))
    if as_json:
        print_json(restored_answer(memory_id, status))
    else:
        out.print(f"{memory_id} is brought back; it is {status}.", soft_wrap=True)


@app.command("dead-letters")
def dead_letters(
    bank: MaybeBank = None, limit: int = 50, cursor: Cursor = None, as_json: AsJson = False
) -> None:
    """Work that failed for good, with reasons, oldest first; of every bank where none is named."""
    page = with_memory(lambda memory: memory.list_dead_letters(bank, limit=limit, cursor=cursor))
    if as_json:
        print_json(dead_letters_answer(page))
        return
    rows = [
        (
            f"{x.dead_at:%Y-%m-%d %H:%M}",
            x.bank_id,
            x.kind,
            f"{x.about} {x.subject}",
            str(x.attempts),
            x.reason,
        )
        for x in page.items
    ]
    print_table(("dead since", "bank", "kind", "about", "tries", "reason"), rows, page.next_cursor)


@app.command()
def redrive(
    bank: MaybeBank = None,
    every: Annotated[bool, typer.Option("--all", help="every bank that has dead letters")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring dead letters back to life: what failed is tried again."""
    if (bank is None) is not every:
        raise InvalidInput("--bank", "name one bank, or say --all for every bank, and not both")
    count = with_memory(lambda memory: memory.redrive_all() if bank is None else memory.redrive(bank))
    if as_json:
        print_json(redriven_answer(count))
    else:
        out.print(f"{count} dead letters are back in the queue.")


@app.command()
def stats(bank: Bank, as_json: AsJson = False) -> None:
    """Counts of messages, memories and work, and today's spend."""
    answer = with_memory(lambda memory: memory.stats(bank))
    if as_json:
        print_json(answer)
        return
    for part, figures in answer.items():
        out.print(
            f"[bold]{part}[/bold]  " + ", ".join(f"{name} {value}" for name, value in figures.items()),
            soft_wrap=True,
        )


@app.command()
def calibrate(
    pairs: Annotated[
        Path,
        typer.Argument(
            help="JSON lines {a, b, label}: same, supports, contradicts or different", exists=True
        ),
    ],
    model: Annotated[str | None, typer.Option(help="embedding model; default: that of new banks")] = None,
    precision: Annotated[float, typer.Option(help="of duplicates")] = PRECISION,
    evidence_precision: Annotated[float, typer.Option(help="of evidence")] = EVIDENCE_PRECISION,
    apply: Annotated[bool, typer.Option("--apply", help="put the thresholds in force")] = False,
    as_json: AsJson = False,
) -> None:
    """Choose an embedding model's thresholds by labelled pairs; shows them, and writes them with --apply."""
    answer = with_memory(
        lambda memory: calibrate_file(
            memory, pairs, model=model, precision=precision, evidence_precision=evidence_precision,
            apply=apply, out=None if as_json else out, err=err,
        )
    )  # fmt: skip
    if as_json:
        print_json(answer)
    else:
        out.print("In force now." if apply else "Nothing was changed; --apply writes them.")


@app.command()
def demo() -> None:
    """Play a conversation through the whole way and show what is remembered, refused, and why."""
    with_memory(lambda memory: demonstration.play(memory, out))
