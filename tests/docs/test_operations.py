"""Tables and commands of docs/operations.md that the runner of all pages cannot check."""

from __future__ import annotations

import re
from pathlib import Path

from memory_service.jobs import runner
from memory_service.jobs.nightly import PASSES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text()


def test_all_exit_codes_are_listed() -> None:
    codes = {runner.DONE, runner.FAILED, runner.MISUSED, runner.LATE, runner.NO_DATABASE}
    listed = re.findall(r"^\| (\d+(?:, \d+)?) \|", PAGE, re.MULTILINE)
    assert ", ".join(listed) == ", ".join(map(str, [*sorted(codes), 130, 143]))


def test_the_passes_are_listed_in_their_order() -> None:
    assert re.findall(r"^\| `(\w+)` \| .*`python -m jobs\.(\w+)` \|$", PAGE, re.MULTILINE) == [
        (one.name, one.name) for one in PASSES
    ]
    for one in PASSES:
        assert (ROOT / "jobs" / f"{one.name}.py").exists()
