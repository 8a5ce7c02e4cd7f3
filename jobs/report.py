"""Output of a nightly run: a progress line on a terminal, else JSON lines."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from memory_service.jobs.passes import Outcome

Json = Mapping[str, Any]

JSON_ONLY = ("night_id", "dry_run", "exit_code")
"""Figures of the summary that the terminal does not show."""


class Report:
    """Receives the events of a run; `with report:` surrounds the run. Ignores all events."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def on_server(self, server: str) -> None:
        """The server of the banks, where there are several."""

    def unavailable(self, server: str, reason: str) -> None:
        """A server that does not answer; outside of a run."""

    def not_scrubbed(self, server: str, reason: str) -> None:
        """A server that keeps the run from scrubbing; outside of a run."""

    def due(self, banks: int) -> None:
        """The number of banks that are due at the start."""

    def began(self, bank_id: str) -> None: ...

    def failed(self, bank_id: str, reason: str) -> None: ...

    def would(self, bank_id: str, name: str, outcome: Outcome) -> None:
        """The changes that a pass would make in a bank (dry run)."""

    def batch(self, runs: list[dict[str, Any]]) -> None:
        """The rows of `job_run` of a finished batch of banks."""

    def summary(self, figures: Json) -> None: ...


def report_for(stream: Any) -> Report:
    """Screen for a terminal, JsonLines otherwise."""
    return Screen() if stream.isatty() else JsonLines()


class JsonLines(Report):
    """JSON lines on standard output: `event` is failed, would, pass, summary, unavailable or not_scrubbed."""

    def __init__(self) -> None:
        self._server: dict[str, str] = {}

    def on_server(self, server: str) -> None:
        self._server = {"server": server}

    def unavailable(self, server: str, reason: str) -> None:
        write_line({"event": "unavailable", "server": server, "reason": reason})

    def not_scrubbed(self, server: str, reason: str) -> None:
        write_line({"event": "not_scrubbed", "server": server, "reason": reason})

    def failed(self, bank_id: str, reason: str) -> None:
        write_line({"event": "failed", "bank_id": bank_id, "reason": reason})

    def would(self, bank_id: str, name: str, outcome: Outcome) -> None:
        for change in outcome.changes:
            write_line(
                {"event": "would", "bank_id": bank_id, "pass": name, "memory_id": str(change.memory_id),
                 "type": change.type, "act": change.action, "reason": change.reason}
            )  # fmt: skip
        write_line({"event": "would", "bank_id": bank_id, "pass": name, "counts": nonzero(outcome.counts)})

    def batch(self, runs: list[dict[str, Any]]) -> None:
        for run in runs:
            write_line({"event": "pass", **run})

    def summary(self, figures: Json) -> None:
        write_line({"event": "summary", **self._server, **figures})


class Screen(Report):
    """A progress line, and a table of counts at the end."""

    def __init__(self) -> None:
        self._out = Console(highlight=False)
        columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
        self._progress = Progress(*columns, console=self._out, transient=True)
        self._task = self._progress.add_task("looking for banks that are due")
        self._due = self._banks = 0
        self._counts: dict[str, Counter[str]] = {}
        self._server = ""

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def on_server(self, server: str) -> None:
        self._server = f"{server}: "

    def unavailable(self, server: str, reason: str) -> None:
        self._out.print(f"[red]{server}:[/red] {escape(reason)}", soft_wrap=True)

    def not_scrubbed(self, server: str, reason: str) -> None:
        self._out.print(f"[red]not scrubbed:[/red] {server}: {escape(reason)}", soft_wrap=True)

    def due(self, banks: int) -> None:
        self._due = banks

    def began(self, bank_id: str) -> None:
        self._banks += 1
        of = max(self._due, self._banks)
        self._progress.update(self._task, description=f"bank {self._banks} of {of}: {escape(bank_id)}")

    def failed(self, bank_id: str, reason: str) -> None:
        self._out.print(f"[red]failed:[/red] {escape(bank_id)}: {escape(reason)}", soft_wrap=True)

    def would(self, bank_id: str, name: str, outcome: Outcome) -> None:
        for change in outcome.changes:
            line = f"{bank_id}: {name}: {change.memory_id} ({change.type}) {change.action}: {change.reason}"
            self._out.print(escape(line), soft_wrap=True)
        self._count(name, outcome.counts)

    def batch(self, runs: list[dict[str, Any]]) -> None:
        for run in runs:
            self._count(run["pass"], run["counts"])

    def _count(self, name: str, counts: Mapping[str, int]) -> None:
        self._counts.setdefault(name, Counter()).update(counts)

    def summary(self, figures: Json) -> None:
        self._progress.stop()
        table = Table(box=None, pad_edge=False)
        for name in ("pass", "what", "number"):
            table.add_column(name)
        for name, counts in self._counts.items():
            for what, number in sorted(nonzero(counts).items()):
                table.add_row(name, what.replace("_", " "), str(number))
        if table.row_count:
            self._out.print(table)
        shown = [
            f"{name.replace('_', ' ')} {value}" for name, value in figures.items() if name not in JSON_ONLY
        ]
        self._out.print(self._server + ", ".join(shown), soft_wrap=True)


def nonzero(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in counts.items() if number}


def write_line(line: Json) -> None:
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()
