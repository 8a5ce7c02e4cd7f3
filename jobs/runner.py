"""Runs passes over the banks that are due, under leases: several processes share a night, and one that dies costs only
its bank a retry."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, NoReturn
from uuid import UUID, uuid4

import structlog
import typer
from rich.console import Console
from rich.markup import escape
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from memory_service.config import Settings
from memory_service.errors import (
    DatabaseUnavailable,
    DatabaseUnsuitable,
    DataFolderInUse,
    EmbeddedPostgresFailed,
    InvalidInput,
    MemoryServiceError,
    NotFound,
)
from memory_service.intake.leases import renewing
from memory_service.iso_time import parsed_time
from memory_service.jobs.passes import Night, Pass
from memory_service.jobs.report import Report, report_for
from memory_service.logs import unexpected
from memory_service.memory import Memory
from memory_service.startup import configure_process, run
from memory_service.store.upkeep import Turn
from memory_service.validation import EARLIEST, check_bank_id

log = structlog.get_logger()

DONE, FAILED, MISUSED, LATE, NO_DATABASE = 0, 1, 2, 3, 4
"""Exit codes: all banks done; some bank failed or rests after a failure; bad arguments or settings; the deadline came
with banks left; the database cannot be used."""

LEAVING = ("model_unavailable", "cap_reached")
"""What a pass counts where it leaves the model's part for another night."""
BATCH = 20
"""Banks claimed at once, and told of in one row of job_run; fewer towards the end (batch_of)."""
FEWEST = 4
SHARE = 8
DRY_PAGE = 500
POLL_SECONDS = 0.1
"""How often a run with nothing to claim looks whether the others are through."""
FIRST_REST_SECONDS = 300.0
LONGEST_REST_SECONDS = 21_600.0
LAST_NIGHT = datetime(9000, 1, 1, tzinfo=UTC)
"""Nothing is due later than a century after a night, and that has to be within the calendar."""
NEXT_NIGHT = timedelta(hours=1)
"""A bank for which something was left is due again this much later than the night's time."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a run is to do."""

    at: datetime
    """The night's present."""
    bank_id: str | None = None
    """This bank alone, due or not."""
    dry_run: bool = False
    deadline: float | None = None
    """Seconds from the start after which no bank is begun."""


@dataclass(slots=True)
class Tally:
    """What a pass came to in a batch of banks: a row of job_run."""

    night_id: UUID
    name: str
    at: datetime
    job_run_id: UUID = field(default_factory=uuid4)
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    bank_ids: list[str] = field(default_factory=list[str])
    seconds: float = 0.0
    failed: int = 0
    error: str | None = None
    counts: Counter[str] = field(default_factory=Counter[str])
    model_calls: int = 0
    tokens: int = 0
    ratios: list[float] = field(default_factory=list[float])

    def row(self) -> dict[str, Any]:
        return {
            "job_run_id": str(self.job_run_id), "night_id": str(self.night_id), "pass": self.name,
            "bank_ids": self.bank_ids, "as_of": self.at.isoformat(), "started_at": self.started_at.isoformat(),
            "seconds": round(self.seconds, 6), "outcome": "failed" if self.failed else "done",
            "failed": self.failed, "counts": {name: n for name, n in self.counts.items() if n},
            "model_calls": self.model_calls, "tokens": self.tokens,
            "compression_ratio": sum(self.ratios) / len(self.ratios) if self.ratios else None,
            "error": self.error, "worker": f"{socket.gethostname()}:{os.getpid()}",
        }  # fmt: skip


class Run:
    """One run of passes over the banks that are due, in this process."""

    def __init__(self, memory: Memory, passes: Sequence[Pass], order: Order, report: Report) -> None:
        self._memory = memory
        self._passes = passes
        self._order = order
        self._report = report
        self._night = Night(memory.store, memory.models, memory.settings, order.at, order.dry_run)
        self._upkeep = memory.store.upkeep
        self._lease = timedelta(seconds=memory.settings.lease_seconds)
        self._counts_tokens = memory.models.language_model() is not None
        self._night_id = uuid4()
        self._began = time.monotonic()
        self._held: list[Turn] = []
        self.done = self.failed = self.lost = 0
        self._model_calls = self._tokens = 0

    async def run(self) -> int:
        """Work until nothing is due that nobody else is at; the exit code.

        Errors: InvalidInput for a bank that there is not; DatabaseUnavailable, DatabaseUnsuitable.
        """
        if self._order.bank_id is not None:
            try:
                await self._memory.store.banks.read(self._order.bank_id)
            except NotFound:
                raise InvalidInput("--bank", "there is no such bank") from None
        with self._report:
            if self._order.dry_run:
                return await self._preview()
            before = left = await self._upkeep.left(self._order.at)
            self._report.due(1 if self._order.bank_id else before.free)
            async with self._holding():
                while not self._late():
                    self._held = await self._upkeep.claim(
                        batch_of(left.free, before.free),
                        self._lease,
                        before.clock,
                        self._order.at,
                        self._order.bank_id,
                    )
                    if self._held:
                        await self._batch(self._held)
                        if self._order.bank_id is not None:
                            break
                        left = await self._upkeep.left(self._order.at, before.clock)
                    elif not await self._others(before.clock):
                        break
            left = await self._upkeep.left(self._order.at, before.clock)
            waiting = left.free + left.held
            code = FAILED if self.failed or (left.resting and self._order.bank_id is None) else DONE
            if code == DONE and self._late() and (waiting or (self._order.bank_id and not self.done)):
                code = LATE
            self._report.summary(
                {"night_id": str(self._night_id), "done": self.done, "failed": self.failed, "left": waiting,
                 "resting": left.resting, "model_calls": self._model_calls, "tokens": self._tokens,
                 "seconds": round(time.monotonic() - self._began, 3), "exit_code": code}
            )  # fmt: skip
            return code

    def _late(self) -> bool:
        deadline = self._order.deadline
        return deadline is not None and time.monotonic() - self._began >= deadline

    async def _others(self, since: datetime) -> bool:
        """Whether to look again, after a while: somebody is at a bank that is due, and may die over it."""
        pause = POLL_SECONDS
        if self._order.bank_id is None:
            left = await self._upkeep.left(self._order.at, since)
            if not left.free and not left.held:
                return False
            pause = 0.05 if left.free else min(pause, max(left.held_seconds or 0.0, 0.05))
        await asyncio.sleep(pause)
        return True

    @asynccontextmanager
    async def _holding(self) -> AsyncGenerator[None]:
        """Keep the leases on what is held; give back what is held when the block is left, however that is."""
        try:
            async with renewing(lambda: self._upkeep.renew(self._held, self._lease), self._lease):
                yield
        finally:
            with suppress(MemoryServiceError):
                await self._upkeep.release(self._held)

    async def _batch(self, turns: Sequence[Turn]) -> None:
        """All passes over each of the banks, one bank after the other, until the deadline."""
        tallies = [Tally(self._night_id, one.name, self._order.at) for one in self._passes]
        for turn in turns:
            if self._late():
                break
            if await self._upkeep.begin(turn, self._lease):
                self._report.began(turn.bank_id)
                await self._bank(turn, tallies)
            self._held = [held for held in self._held if held is not turn]
        await self._upkeep.release(self._held)
        self._held = []
        self._model_calls += sum(tally.model_calls for tally in tallies)
        self._tokens += sum(tally.tokens for tally in tallies)
        self._report.batch(rows(tallies))

    async def _bank(self, turn: Turn, tallies: Sequence[Tally]) -> None:
        """All passes over one bank. One that fails leaves the bank due; the others go on, here and in the next bank.
        Before each it is asked whether the bank is still ours.

        Errors: DatabaseUnavailable, DatabaseUnsuitable, where not even that can be written.
        """
        left = False
        reasons: list[str] = []
        for place, (one, tally) in enumerate(zip(self._passes, tallies, strict=True)):
            try:
                if place and not await self._upkeep.renew([turn], self._lease):
                    self._lose(turn)
                    return
                left = await self._pass(one, turn.bank_id, tally) or left
            except Exception as error:
                reasons.append(note_failure(turn.bank_id, tally.name, tally, error))
                if isinstance(error, DatabaseUnavailable):
                    break
        completed = False
        if not reasons:
            try:
                completed = await self._complete(turn, tallies, left=left)
            except Exception as error:
                reasons.append(note_failure(turn.bank_id, "completion", tallies[-1], error))
        if reasons:
            rest = min(FIRST_REST_SECONDS * 2 ** min(turn.attempts, 20), LONGEST_REST_SECONDS)
            await self._upkeep.fail(turn, reasons[0], timedelta(seconds=rest), rows(tallies))
            self.failed += 1
            self._report.failed(turn.bank_id, reasons[0])
        elif completed:
            self.done += 1
        else:
            self._lose(turn)

    async def _complete(self, turn: Turn, tallies: Sequence[Tally], *, left: bool) -> bool:
        ratio = await self._upkeep.compression(turn.bank_id)
        if ratio is not None:
            tallies[-1].ratios.append(ratio)
        again_at = self._order.at + NEXT_NIGHT if left else None
        days = self._memory.settings.message_days
        return await self._upkeep.complete(turn, rows(tallies), days, again_at, self._order.at)

    def _lose(self, turn: Turn) -> None:
        self.lost += 1
        log.warning("a bank's lease was lost: somebody else sees to it", bank_id=turn.bank_id)

    async def _pass(self, one: Pass, bank_id: str, tally: Tally) -> bool:
        """Run a pass over a bank; whether it left something for another night."""
        tally.bank_ids.append(bank_id)
        line = (await self._upkeep.spent(bank_id)).last_line if self._counts_tokens else None
        began = time.monotonic()
        try:
            # Read anew for each pass: the one before may have changed who is known.
            outcome = await one.run(await self._memory.store.banks.read(bank_id), self._night)
        finally:
            tally.seconds += time.monotonic() - began
            if line is not None:
                spent = await self._upkeep.spent(bank_id, line)
                tally.model_calls += spent.calls
                tally.tokens += spent.tokens
        tally.counts.update(outcome.counts)
        return outcome.left or any(outcome.counts[why] for why in LEAVING)

    async def _preview(self) -> int:
        """A dry run: what each pass would do to each bank that is due, or to the one named."""
        banks, after, failed = 0, "", 0
        while True:
            named = self._order.bank_id
            page = [named] if named else await self._upkeep.due(DRY_PAGE, after, self._order.at)
            for bank_id in page:
                banks += 1
                self._report.began(bank_id)
                try:
                    bank = await self._memory.store.banks.read(bank_id)
                    for one in self._passes:
                        self._report.would(bank_id, one.name, await one.run(bank, self._night))
                except (DatabaseUnavailable, DatabaseUnsuitable):
                    raise
                except MemoryServiceError as error:
                    failed += 1
                    self._report.failed(bank_id, str(error))
            if named or len(page) < DRY_PAGE:
                break
            after = page[-1]
        code = FAILED if failed else DONE
        self._report.summary({"dry_run": True, "banks": banks, "failed": failed, "exit_code": code})
        return code


def batch_of(due: int, at_first: int) -> int:
    """How many banks to claim where so many are due: a share, so that processes that share a night end together. Of a
    night that began with many the last ones one by one; few at once are told of together."""
    return min(BATCH, max(1 if at_first > BATCH else FEWEST, due // SHARE))


def note_failure(bank_id: str, step: str, tally: Tally, error: Exception) -> str:
    """Note what went wrong with a bank; the reason, which holds nothing of its content."""
    known = isinstance(error, MemoryServiceError)
    if not known:
        log.error("a pass failed", bank_id=bank_id, pass_name=step, **unexpected(error))
    reason = f"{step}: {error if known else type(error).__name__}"
    tally.failed += 1
    tally.error = reason
    return reason


def rows(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    return [tally.row() for tally in tallies if tally.bank_ids]


async def run_passes(settings: Settings, passes: Sequence[Pass], order: Order, report: Report) -> int:
    """Open the memory that the settings name and run the passes; the exit code. Errors: as Run.run, Memory.open.

    Clustering multiplies small matrices: more threads of numpy's linear algebra only wait for each other, on processors
    that other processes of the night could use.
    """
    with threadpool_limits(1, "blas"):
        async with await Memory.open(settings, upkeep=True) as memory:
            return await Run(memory, passes, order, report).run()


def main(passes: Sequence[Pass]) -> NoReturn:
    """The command of a job: `python -m jobs.NAME [--bank B] [--as-of T] [--deadline SECONDS] [--dry-run]`."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

    @app.command(help="Run " + ", ".join(one.name for one in passes) + " over the banks that are due.")
    def command(
        bank: Annotated[str | None, typer.Option(help="this bank alone, due or not")] = None,
        as_of: Annotated[
            str | None, typer.Option(help="the night's present: ISO 8601 with a zone; default: now")
        ] = None,
        deadline: Annotated[
            float | None, typer.Option(help="seconds after which no bank is begun; the rest stays due")
        ] = None,
        dry_run: Annotated[bool, typer.Option(help="change nothing; list what would be done")] = False,
    ) -> None:
        sys.exit(guarded(lambda: start(passes, bank, as_of, deadline, dry_run=dry_run)))

    app()
    sys.exit(DONE)


def start(
    passes: Sequence[Pass], bank: str | None, as_of: str | None, deadline: float | None, *, dry_run: bool
) -> int:
    """A run as its arguments say; the exit code. Errors: InvalidInput naming the argument, as run_passes."""
    if bank is not None:
        try:
            check_bank_id(bank)
        except InvalidInput as error:
            raise InvalidInput("--bank", error.problem) from None
    if deadline is not None and not (math.isfinite(deadline) and deadline > 0):
        raise InvalidInput("--deadline", "must be a number of seconds above 0")
    at = parsed_time(as_of, "--as-of") or datetime.now(UTC)
    if not EARLIEST <= at <= LAST_NIGHT:
        raise InvalidInput(
            "--as-of", f"must be from the year {EARLIEST.year} to the year {LAST_NIGHT.year - 1}"
        )
    settings = configure_process()
    order = Order(at, bank, dry_run, deadline)
    return run(stoppable(run_passes(settings, passes, order, report_for(sys.stdout))))


async def stoppable(work: Any) -> int:
    """Let SIGTERM end it as Ctrl-C does: what is under way is given back."""
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
    """Its exit code; what goes wrong is one line on stderr."""
    try:
        return work()
    except InvalidInput as error:
        code, said = MISUSED, error
    except (DatabaseUnavailable, DatabaseUnsuitable, DataFolderInUse, EmbeddedPostgresFailed) as error:
        code, said = NO_DATABASE, error
    except MemoryServiceError as error:
        code, said = FAILED, error
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    stderr = Console(stderr=True, highlight=False)
    stderr.print(f"[red]error:[/red] {escape(str(said))}", soft_wrap=True)
    return code
