"""docker-compose.yml and Dockerfile: what they must have, and their commands run as compose would, without containers.

The services' commands, variables and secrets are those of the file. Changed are the places: loopback instead of the
containers' network, files below the test's folder instead of /run/secrets.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from memory_service.config import FROM_FILES, Settings
from memory_service.embedded.account import choose_account
from memory_service.embedded.binaries import binaries_for
from tests.own_server import running

ROOT = Path(__file__).resolve().parents[2]
FILE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
OURS = ("migrate", "service", "worker", "cron")
VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")
TOLD = "Please remember that my sister Maria lives in Lisbon."
DEADLINE = 120.0


def environment_of(name: str, folder: Path, **changes: str) -> dict[str, str]:
    """The variables of a service, of an empty .env, with the files of this folder as secrets."""
    given: dict[str, Any] = SERVICES[name]["environment"]
    values = {key: VARIABLE.sub(lambda found: found[2] or "", str(value)) for key, value in given.items()}
    values = {key: value.replace("/run/secrets", str(folder)) for key, value in values.items()}
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MEMORY_")}
    kept.pop("DATABASE_URL", None)
    return kept | values | {"PYTHONPATH": str(ROOT), "MEMORY_DATA_DIR": str(folder / "model")} | changes


def command_of(name: str) -> list[str]:
    """The command of a service, by the image's entry point."""
    return [sys.executable, "-m", "memory_service", *shlex.split(SERVICES[name]["command"])]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The secrets beside an empty Postgres."""
    (tmp_path / "model").mkdir()
    programs = binaries_for(choose_account(tmp_path / "unmade")).folder
    with running(programs) as url:
        (tmp_path / "database_url").write_text(f"{url}\n")
        yield tmp_path


def test_the_services_work_together(folder: Path) -> None:
    """In the order of the file's header: API key, migrate, service and worker, a message, and the nightly run."""
    made = subprocess.run(
        [*command_of("migrate")[:-1], "key", "create", "--role", "admin", "--bank", "*"],
        env=environment_of("migrate", folder), capture_output=True, text=True, check=True,
    )  # fmt: skip
    headers = {"Authorization": f"Bearer {made.stdout.strip()}"}
    subprocess.run(
        command_of("migrate"), env=environment_of("migrate", folder), capture_output=True, check=True
    )
    changes = {"MEMORY_HOST": "127.0.0.1", "MEMORY_PORT": "0"}
    with (
        subprocess.Popen(
            command_of("service"), env=environment_of("service", folder, **changes), stdout=subprocess.PIPE, text=True
        ) as service,
        subprocess.Popen(command_of("worker"), env=environment_of("worker", folder)) as worker,
    ):  # fmt: skip
        try:
            assert service.stdout is not None
            lines = (re.search(r"answers on (http://\S+)", line) for line in service.stdout)
            address = next(found[1] for found in lines if found)
            with httpx.Client(base_url=address, headers=headers, timeout=30) as http:
                assert http.get("/healthz").status_code == 200
                assert http.get("/v1/banks", headers={"Authorization": ""}).status_code == 401
                http.post("/v1/banks", json={"bank_id": "anna"}).raise_for_status()
                message = {"conversation_id": "c", "messages": [{"role": "user", "content": TOLD}]}
                http.post("/v1/banks/anna/messages", json=message).raise_for_status()
                assert "Lisbon" in recalled(http)
            night = run_cron_line(folder)
            assert '"event": "night"' in night or "consolidate" in night, night
        finally:
            service.terminate()
            worker.terminate()
            service.communicate()  # its last line needs the pipe
    assert (service.returncode, worker.returncode) == (0, 0)


def recalled(http: httpx.Client) -> str:
    """The answer to a recall once it has a memory."""
    deadline = time.monotonic() + DEADLINE
    while True:
        answer = http.post("/v1/banks/anna/recall", json={"query": "Where does Maria live?"})
        if answer.json()["items"]:
            return answer.text
        assert time.monotonic() < deadline, "the worker did nothing"
        time.sleep(0.2)


def run_cron_line(folder: Path) -> str:
    """Run the nightly line of jobs/crontab in a folder like the image's; what it wrote into its log."""
    (line,) = re.findall(r"^17 3 \* \* \*  (.*)$", (ROOT / "jobs" / "crontab").read_text(), re.MULTILINE)
    home, log = folder / "home", folder / "night.jsonl"
    home.mkdir()
    (home / ".venv").symlink_to(sys.prefix)
    for name in ("jobs", "db", "memory_service"):
        (home / name).symlink_to(ROOT / name)
    environment = environment_of("cron", folder, SERVICE_HOME=str(home), PYTHONPATH=str(home))
    subprocess.run(
        ["sh", "-c", line.replace("/var/log/memory-nightly.jsonl", str(log))], env=environment, check=True
    )
    return log.read_text()


def test_nothing_starts_before_the_migration_has_ended() -> None:
    for name in ("service", "worker", "cron"):
        assert SERVICES[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
    assert SERVICES["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert SERVICES["migrate"]["restart"] == "no"


def test_only_the_service_is_published_and_on_loopback() -> None:
    published = {name: one["ports"] for name, one in SERVICES.items() if "ports" in one}
    assert published == {"service": ["127.0.0.1:${PORT:-8080}:8080"]}
    assert all("network_mode" not in one for one in SERVICES.values())


def test_secrets_are_files() -> None:
    lines = [line.strip() for line in (ROOT / "docker-compose.yml").read_text().splitlines()]
    assert {line for line in lines if "password" in line.lower() and not line.startswith("#")} == {
        "POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password", "secrets: [postgres_password]", "postgres_password:",
        "file: secrets/postgres_password",
    }  # fmt: skip
    assert {one["file"] for one in FILE["secrets"].values()} == {
        "secrets/postgres_password", "secrets/database_url",
    }  # fmt: skip
    assert "secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    assert all("database_url" in SERVICES[name]["secrets"] for name in OURS)


def test_every_variable_is_a_setting() -> None:
    settings = {f"MEMORY_{name.upper()}" for name in Settings.model_fields}
    known = settings | {*FROM_FILES} | {f"{name}_FILE" for name in FROM_FILES}
    for name in OURS:
        assert {*SERVICES[name]["environment"]} <= known
    assert {"OPENAI_API_KEY", "MEMORY_OPENAI_BASE_URL", "MEMORY_EXTRACTION_MODEL"} <= {
        *SERVICES["worker"]["environment"]
    }


def test_volumes_keep_database_and_model() -> None:
    assert FILE["volumes"].keys() == {"postgres", "model"}
    assert all(SERVICES[name]["volumes"] == ["model:/var/lib/memory-service"] for name in OURS)


def test_the_image_has_what_the_crontab_and_compose_name() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    home = re.search(r"^SERVICE_HOME=(\S+)$", (ROOT / "jobs" / "crontab").read_text(), re.MULTILINE)
    assert home is not None
    assert f"WORKDIR {home[1]}" in dockerfile
    copied = [
        word for line in re.findall(r"^COPY (.*)$", dockerfile, re.MULTILINE) for word in line.split()[:-1]
    ]
    assert [word for word in copied if not (ROOT / word).exists()] == []
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {f"!{word}" for word in copied} <= {*ignored}
    assert re.search(r"^USER memory$", dockerfile, re.MULTILINE)
    assert "/var/log/memory-nightly.jsonl" in dockerfile
    assert "FROM python:3.11" in dockerfile
