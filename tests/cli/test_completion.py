"""Completion in a real bash, by the script that `--show-completion` prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("memory-service")

pytestmark = pytest.mark.skipif(
    shutil.which("bash") is None or not PROGRAM.exists(), reason="needs bash and the installed command"
)


def completed(tmp_path: Path, *words: str) -> list[str]:
    environment = os.environ | {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    script = subprocess.run(
        ["bash", "-c", "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION=1 memory-service --show-completion bash"],
        env=environment, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    quoted = " ".join(f"'{word}'" for word in words)
    asked = (
        f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _memory_service_completion memory-service\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return subprocess.run(
        ["bash", "-c", asked], env=environment, capture_output=True, text=True, check=True
    ).stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("memory-service", "rec"), {"recall"}),
        (("memory-service", "key", "r"), {"revoke", "rotate"}),
        (("memory-service", "recall", "--min-"), {"--min-importance", "--min-score"}),
    ],
)
def test_commands_and_options_are_completed(
    tmp_path: Path, words: tuple[str, ...], expected: set[str]
) -> None:
    assert {*completed(tmp_path, *words)} == expected
