"""Command that checks the service's surroundings."""

from __future__ import annotations

from dataclasses import asdict

import typer

from memory_service.cli.terminal import AsJson, out, print_json
from memory_service.startup import configure_process

STYLES = {"ok": "green", "warning": "yellow", "error": "bold red"}


def doctor(as_json: AsJson = False) -> None:
    """Check database, models, queue, nightly run and keys, with a remedy for each finding.

    Exit code 1 if a check fails; warnings do not count.
    """
    from rich.markup import escape

    from memory_service.doctor import examine

    findings = examine(configure_process())
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            style = STYLES[finding.level]
            line = f"[{style}]{finding.level:<8}[/{style}]{finding.check}: {escape(finding.text)}"
            out().print(line, soft_wrap=True)
            if finding.remedy is not None:
                out().print(f"        {finding.remedy}", markup=False, soft_wrap=True)
    if any(finding.level == "error" for finding in findings):
        raise typer.Exit(1)
