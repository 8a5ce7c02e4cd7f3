"""Command that overwrites erased rows in the files of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memory_service.cli.terminal import AsJson, out, print_json
from memory_service.startup import configure_process

if TYPE_CHECKING:
    from memory_service.erasure.scrub import Scrub


def scrub(
    wait: Annotated[
        float, typer.Option(min=0, help="longest wait in seconds for what still reads or keeps erased rows")
    ] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Overwrite erased rows in tables, indexes, statistics and WAL, and list the copies outside of the database."""
    from memory_service.erasure.scrub import scrub as scrub_erased

    done = scrub_erased(configure_process(), wait)
    if as_json:
        print_json(done)
    else:
        print_scrub(done)


def print_scrub(done: Scrub) -> None:
    """Print what a scrub did, and what the operator must let expire."""
    if done.erasure_ids:
        line = (
            f"{len(done.erasure_ids)} erasures are scrubbed since {done.scrubbed_at:%Y-%m-%d %H:%M:%S %Z}: "
            f"{done.tables} tables rewritten, {done.wal_segments} WAL segments written, {done.seconds:.1f} s."
        )
    else:
        line = "No erasure waits for a scrub."
    out().print(line, markup=False, soft_wrap=True)
    out().print("Outside of this database, for you to let expire:", markup=False)
    for copy in done.outside:
        out().print(f"  {copy.place}: {copy.remedy}", markup=False, soft_wrap=True)
