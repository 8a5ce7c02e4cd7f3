"""The command line of a job: `python -m jobs.NAME`, its arguments and exit codes."""

from __future__ import annotations

import asyncio
import math
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from memory_service.errors import (
    DatabaseUnavailable,
    DatabaseUnsuitable,
    DataFolderInUse,
    EmbeddedPostgresFailed,
    InvalidInput,
    MemoryServiceError,
)
from memory_service.extras import require
from memory_service.iso_time import parsed_time
from memory_service.jobs.all_servers import run_passes
from memory_service.jobs.passes import Pass
from memory_service.jobs.report import report_for
from memory_service.jobs.runner import DONE, FAILED, LATEST, MISUSED, NO_DATABASE, RunOptions
from memory_service.placement.server_settings import settings_beside
from memory_service.startup import configure_process, run
from memory_service.validation import EARLIEST, check_bank_id


def main(passes: Sequence[Pass], *, extra: str | None = None, scrubs: bool = False) -> NoReturn:
    """The command of a job: `python -m jobs.NAME [--bank B] [--as-of T] [--deadline SECONDS] [--dry-run]
    [--server S]`. `extra`: the optional dependencies that the passes need, checked before a bank is claimed.
    `scrubs`: a run over all banks overwrites erased rows first (MEMORY_NIGHTLY_SCRUB)."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

    @app.command(help="Run " + ", ".join(one.name for one in passes) + " over the banks that are due.")
    def command(
        bank: Annotated[str | None, typer.Option(help="this bank alone, due or not")] = None,
        as_of: Annotated[
            str | None, typer.Option(help="present of the run: ISO 8601 with a zone; default: now")
        ] = None,
        deadline: Annotated[
            float | None, typer.Option(help="seconds after which no bank is begun; the others stay due")
        ] = None,
        dry_run: Annotated[
            bool, typer.Option(help="change nothing; list the changes that would be made")
        ] = False,
        server: Annotated[
            str | None, typer.Option(help="server whose banks the passes run over; default: all")
        ] = None,
    ) -> None:
        def work() -> int:
            if extra is not None:
                require(extra, passes[0].name)
            return start(passes, bank, as_of, deadline, server, dry_run=dry_run, scrubs=scrubs)

        sys.exit(guarded(work))

    app()
    sys.exit(DONE)


def start(
    passes: Sequence[Pass],
    bank: str | None,
    as_of: str | None,
    deadline: float | None,
    server: str | None,
    *,
    dry_run: bool,
    scrubs: bool = False,
) -> int:
    """Validate the arguments and run the passes; the exit code. Errors: InvalidInput naming the argument; as
    run_passes."""
    if bank is not None:
        try:
            check_bank_id(bank)
        except InvalidInput as error:
            raise InvalidInput("--bank", error.problem) from None
    if deadline is not None and not (math.isfinite(deadline) and deadline > 0):
        raise InvalidInput("--deadline", "must be a number of seconds above 0")
    at = parsed_time(as_of, "--as-of") or datetime.now(UTC)
    if not EARLIEST <= at <= LATEST:
        raise InvalidInput("--as-of", f"must be from the year {EARLIEST.year} to the year {LATEST.year - 1}")
    settings = settings_beside(configure_process(), server)
    options = RunOptions(at, bank, dry_run, deadline)
    alone = server is not None
    scrubs = scrubs and settings.nightly_scrub and bank is None
    night = run_passes(settings, passes, options, lambda: report_for(sys.stdout), alone=alone, scrubs=scrubs)
    return run(stoppable(night))


async def stoppable(work: Any) -> int:
    """Await `work`; SIGTERM cancels it as Ctrl-C does, and its leases are released."""
    task = asyncio.ensure_future(work)
    with suppress(NotImplementedError, ValueError):  # not on this platform, or not in the main thread
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        if (current := asyncio.current_task()) is not None and current.cancelling():
            raise  # Ctrl-C
        return 128 + signal.SIGTERM


def guarded(work: Callable[[], int]) -> int:
    """Run `work`; the exit code. An error is printed as one line on standard error."""
    try:
        return work()
    except InvalidInput as error:
        code, problem = MISUSED, error
    except (DatabaseUnavailable, DatabaseUnsuitable, DataFolderInUse, EmbeddedPostgresFailed) as error:
        code, problem = NO_DATABASE, error
    except MemoryServiceError as error:
        code, problem = FAILED, error
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    stderr = Console(stderr=True, highlight=False)
    stderr.print(f"[red]error:[/red] {escape(str(problem))}", soft_wrap=True)
    return code
