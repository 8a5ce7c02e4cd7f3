"""The built wheel beside an application with packages named `db` and `jobs`: installs, type-checks, runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

APPLICATION = """
import asyncio

import db
import jobs
from memory_service import InvalidInput, Memory, NewMessage, RecallResult


async def ask(memory: Memory, question: str) -> list[str]:
    result: RecallResult = await memory.recall("anna", question, k=3, mode="tool", min_score=0)
    return [item.content for item in result.items]


async def main() -> None:
    async with await Memory.open() as memory:
        await memory.create_bank("anna", {"intake": "verbatim"})
        await memory.add_messages("anna", "c1", [NewMessage("user", "Anna moved to Porto in May.")])
        stop = asyncio.Event()
        worker = asyncio.create_task(memory.work(stop))
        while (await memory.stats("anna"))["queue"]["depth"]:
            await asyncio.sleep(0.1)
        stop.set()
        await worker
        print(await ask(memory, "Where does Anna live?"))
        print((await memory.context("anna", "Where does Anna live?", tokenizer="chars4")).tokens > 0)
        try:
            await memory.recall("anna", "", k=0)
        except InvalidInput as error:
            print(error)
        print(db.MINE, jobs.MINE, len((await memory.list_facts("anna")).items))


if __name__ == "__main__":
    asyncio.run(main())
"""


PRINTED = [
    "['Anna moved to Porto in May.']",
    "True",
    "query: must not be empty",
    "True True 0",
]


def build_wheel(folder: Path) -> Path:
    """The wheel, built in this folder from the files that git knows."""
    source = folder / "source"
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout.split("\0")
    for name in filter(None, files):
        file = ROOT / name
        if not file.exists() and not file.is_symlink():
            continue
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, source / name, follow_symlinks=False)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def write_application(folder: Path) -> None:
    """Write the application and its packages `db` and `jobs`."""
    for name in ("db", "jobs"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("MINE: bool = True\n")
    (folder / "app.py").write_text(APPLICATION)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = build_wheel(folder)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_a_wheel_installs_one_top_level_package(installed: Path) -> None:
    assert {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")} == {
        "memory_service"
    }
    shipped = {file.relative_to(ROOT / "db") for file in (ROOT / "db").rglob("*.sql")}
    assert {file.relative_to(installed / "memory_service/db") for file in installed.rglob("*.sql")} == shipped
    assert (installed / "memory_service" / "py.typed").exists()


def test_a_wheel_has_the_files_of_the_pages(installed: Path) -> None:
    """Templates, stylesheets, scripts, and the licences of vendored ones."""
    pages = ROOT / "memory_service" / "ui"
    for folder in ("templates", "static", "vendor"):
        wanted = {file.name for file in (pages / folder).iterdir() if file.name != "README.md"}
        assert {file.name for file in (installed / "memory_service/ui" / folder).iterdir()} == wanted


def test_an_application_with_packages_of_the_same_names_type_checks_and_runs(
    installed: Path, tmp_path: Path
) -> None:
    write_application(tmp_path)
    (tmp_path / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "strict", "extraPaths": [str(installed)], "include": ["app.py"]})
    )
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{installed}",
        "MEMORY_DATA_DIR": str(tmp_path / "home"),
    }
    ran = subprocess.run(
        [sys.executable, "app.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == PRINTED
