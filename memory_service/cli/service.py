"""Commands that run the service, maintain its database, calibrate thresholds, or play the demo."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memory_service import __version__
from memory_service.cli.terminal import AsJson, err, out, print_answer, with_memory
from memory_service.errors import InvalidInput, MemoryServiceError
from memory_service.running_service import publish_service, withdraw_service
from memory_service.startup import configure_process, run
from memory_service.validation import EVIDENCE_PRECISION, PRECISION

if TYPE_CHECKING:
    from memory_service.memory import Memory

FIRST_CALLS = """\
  curl -s ADDRESS/v1/banks -H 'content-type: application/json' -d '{"bank_id": "anna"}'
  curl -s ADDRESS/v1/banks/anna/memories -H 'content-type: application/json' \\
       -d '{"type": "episodic", "content": "Anna is allergic to walnuts.", "wait_ms": 5000}'
  curl -s ADDRESS/v1/banks/anna/recall -H 'content-type: application/json' \\
       -d '{"query": "What must Anna not eat?"}'
"""


def say_starting() -> None:
    """Tell a person at a terminal why nothing happens for some seconds; stderr is otherwise for logs and errors."""
    if err().is_terminal:
        err().print("Starting the database ...", style="dim")


def say_stopping() -> None:
    """Tell a person at a terminal that Ctrl-C was understood: running work and the database end some seconds later."""
    if err().is_terminal:
        err().print("\nStopping ...", style="dim")


def serve_command(
    beside: Annotated[int | None, typer.Option(hidden=True)] = None,
    until_stdin_ends: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Start the database, migrate it, and serve with workers until Ctrl-C."""
    from rich.markup import escape

    from memory_service.server.serve import serve, serve_beside

    settings = configure_process()
    if beside is not None:
        run(serve_beside(settings, beside, until_stdin_ends=until_stdin_ends))
        return

    say_starting()

    def announce(address: str, _: Memory) -> None:
        with suppress(
            OSError
        ):  # data folder not writable: commands then open the database instead of calling the service
            publish_service(settings, address)
        data = "your Postgres (DATABASE_URL)" if settings.database_url else str(settings.data_dir)
        # soft_wrap: rich would insert line breaks into addresses and paths.
        out().print(f"\nMemory service {__version__} answers on [bold]{address}[/bold]\n", soft_wrap=True)
        for name, text in (
            ("API", f"{address}/v1/banks"),
            ("page", f"{address}/ui"),
            ("docs", f"{address}/docs"),
            ("data", escape(data)),
        ):
            out().print(f"  {name:<4}  {text}", soft_wrap=True)
        out().print("\nCtrl-C stops it; the data is kept.\n")
        out().print("First calls:\n")
        print(FIRST_CALLS.replace("ADDRESS", address), flush=True)  # noqa: T201 - never wrapped

    try:
        run(serve(settings, announce, say_stopping))
    finally:
        withdraw_service(settings)
    out().print("Stopped; the data is kept.")


def worker(
    server: Annotated[str | None, typer.Option(help="server whose banks it works for; default: all")] = None,
    until_stdin_ends: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Run one more intake worker beside a service on the same database."""
    from memory_service.placement.server_settings import settings_beside
    from memory_service.worker_process import run_worker

    settings = settings_beside(configure_process(), server)
    run(run_worker(settings, alone=server is not None, until_stdin_ends=until_stdin_ends))


def migrate(as_json: AsJson = False) -> None:
    """Migrate the database to this release, and the other servers of its map."""
    from memory_service.placement.registry import migrate_all

    changed = migrate_all(configure_process())
    print_answer(
        {"release": __version__, "changed": changed},
        f"The database is at release {__version__}" + ("." if changed else "; no change was needed."),
        as_json=as_json,
    )


def psql(
    role: Annotated[str | None, typer.Option(help="role to log in as, on the embedded server")] = None,
) -> None:
    """Open psql on the database as its administrator, or as --role."""
    from memory_service.connect import EMBEDDED_DATABASE, find_database, shell_login
    from memory_service.embedded.binaries import find_binaries

    with closing(find_database(configure_process())) as access:
        program = "psql" if access.server is None else str(find_binaries().folder / "psql")
        url = access.admin_url or access.direct_url or access.url
        if role is not None:
            if access.server is None:
                raise InvalidInput("--role", "is for the embedded server; log in to your own with psql")
            url = access.server.url(user=role, database=EMBEDDED_DATABASE)
        login, secret = shell_login(url)
        try:
            code = subprocess.run([program, login], env={**os.environ, **secret}, check=False).returncode
        except FileNotFoundError:
            raise MemoryServiceError(
                "psql is not installed; it comes with the Postgres client tools"
            ) from None
    sys.exit(code)


def calibrate(
    pairs: Annotated[
        Path,
        typer.Argument(
            help="JSON lines {a, b, label}: same, supports, contradicts or different", exists=True
        ),
    ],
    model: Annotated[
        str | None, typer.Option(help="embedding model; default: the model of new banks")
    ] = None,
    precision: Annotated[
        float, typer.Option(help="required precision of the duplicate threshold")
    ] = PRECISION,
    evidence_precision: Annotated[
        float, typer.Option(help="required precision of the evidence threshold")
    ] = EVIDENCE_PRECISION,
    apply: Annotated[bool, typer.Option("--apply", help="store the thresholds")] = False,
    as_json: AsJson = False,
) -> None:
    """Choose an embedding model's thresholds from labelled pairs; --apply stores them."""
    from memory_service.cli.calibrate import calibrate_file

    answer = with_memory(
        lambda memory: calibrate_file(
            memory, pairs, model=model, precision=precision, evidence_precision=evidence_precision,
            apply=apply, out=None if as_json else out(), err=err(),
        )
    )  # fmt: skip
    print_answer(
        answer,
        "The thresholds are in force." if apply else "Nothing was changed; --apply stores the thresholds.",
        as_json=as_json,
    )


def demo() -> None:
    """Play half a year of conversations into the bank `demo`, run a night, and show decisions, facts and contexts."""
    from memory_service.cli.demo import play

    say_starting()

    with_memory(lambda memory: play(memory, out()))
