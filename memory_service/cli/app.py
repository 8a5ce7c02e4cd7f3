"""The commands. Answers go to stdout, as JSON with --json; progress, logs and errors go to stderr."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.markup import escape
from rich.text import Text

from memory_service import __version__
from memory_service.answers import (
    committed_answer,
)
from memory_service.calibration import EVIDENCE_PRECISION, PRECISION
from memory_service.cli import demo as demonstration
from memory_service.cli.banks import bank as bank_commands
from memory_service.cli.banks import banks
from memory_service.cli.calibrating import calibrate_file
from memory_service.cli.facts import answer, clarifications, facts
from memory_service.cli.importing import import_files
from memory_service.cli.looking import decisions, memories, trace
from memory_service.cli.reading import compact, context, recall
from memory_service.cli.repairing import dead_letters, expire, redrive, release, restore
from memory_service.cli.terminal import (
    INDENT,
    STATUS_STYLES,
    AsJson,
    Bank,
    Tags,
    err,
    filled,
    out,
    print_json,
    ready,
    run,
    with_memory,
)
from memory_service.cli.transcripts import parsed_time
from memory_service.connect import find_database, migrate_database, shell_login
from memory_service.embedded.binaries import find_binaries
from memory_service.errors import InvalidInput, MemoryServiceError
from memory_service.inputs import (
    NewMemory,
)
from memory_service.memory import Memory
from memory_service.server.working import run_worker
from memory_service.store.database import HTTP_HINT

app = typer.Typer(
    help="Long-term memory for agents, in Postgres.", no_args_is_help=True, pretty_exceptions_enable=False
)

CLI_HINT = "`memory-service banks` lists them, `memory-service bank create NAME` makes one"
FIRST_CALLS = """\
  curl -s ADDRESS/v1/banks -H 'content-type: application/json' -d '{"bank_id": "anna"}'
  curl -s ADDRESS/v1/banks/anna/memories -H 'content-type: application/json' \\
       -d '{"type": "episodic", "content": "Anna is allergic to walnuts.", "wait_ms": 5000}'
  curl -s ADDRESS/v1/banks/anna/recall -H 'content-type: application/json' \\
       -d '{"query": "What must Anna not eat?"}'
"""


def main() -> None:
    """Run a command; what goes wrong is one line on stderr and exit code 1, or 2 where the input was at fault."""
    try:
        app()
    except MemoryServiceError as error:
        fail(error)
    except KeyboardInterrupt:
        sys.exit(130)


def fail(error: MemoryServiceError) -> NoReturn:
    said = str(error).replace(HTTP_HINT, CLI_HINT)
    err.print(f"[red]error:[/red] {escape(said)}", soft_wrap=True)
    sys.exit(2 if isinstance(error, InvalidInput) else 1)


@app.command("serve")
def serve_command(
    beside: Annotated[int | None, typer.Option(hidden=True)] = None,
    until_stdin_ends: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Start the database, migrate it, and serve with workers until Ctrl-C."""
    # No other command needs what HTTP takes to import.
    from memory_service.server.serve import serve, serve_beside

    settings = ready()
    if beside is not None:
        run(serve_beside(settings, beside, until_stdin_ends=until_stdin_ends))
        return

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
    login, secret = shell_login(access.admin_url or access.url)
    try:
        code = subprocess.run([program, login], env={**os.environ, **secret}, check=False).returncode
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
        f"{stats['turns']} turns read, {stats['new']} new. The bank has {messages['total']} messages: "
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
    create: Annotated[bool, typer.Option("--create", help="make the bank where it is missing")] = False,
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
        if create:
            await memory.create_bank(bank)
        else:
            await memory.get_bank(bank)
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
        style = STATUS_STYLES.get(answer["status"], "")
        out.print(f"{answer['memory_id']} is ", Text(answer["status"], style), ".", sep="", soft_wrap=True)


for command in (
    recall, context, compact, memories, decisions, trace, clarifications, answer, expire, release, restore,
    dead_letters, redrive, banks,
):  # fmt: skip
    app.command(command.__name__.replace("_", "-"))(command)
app.add_typer(facts, name="facts")
app.add_typer(bank_commands, name="bank")


@app.command()
def stats(bank: Bank, as_json: AsJson = False) -> None:
    """Counts of messages, memories and work, and today's spend."""
    answer = with_memory(lambda memory: memory.stats(bank))
    if as_json:
        print_json(answer)
        return
    for part, figures in answer.items():
        out.print(part, style="bold")
        for line in filled([f"{name} {value}" for name, value in figures.items()], out.width - len(INDENT)):
            out.print(INDENT + line, markup=False, soft_wrap=True)


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
