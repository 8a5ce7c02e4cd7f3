"""`memory-service sessions …` on an embedded server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from tests.acceptance.running import run_command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder whose server runs, with a session "trip" that was changed after its checkpoint."""
    folder = tmp_path_factory.mktemp("sessions") / "data"

    async def fill() -> None:
        async with await Memory.open(Settings.model_validate({"data_dir": folder})) as memory:
            await memory.create_bank("anna")
            await memory.create_session(
                "anna", "PLANNING", {"nights": 2, "text": "Olá [b]"}, session_id="trip"
            )
            await memory.create_checkpoint("anna", "trip", name="two nights", note="before the change")
            await memory.update_session("anna", "trip", 1, state="BOOKING", data={"nights": 3})

    with open_server(folder):
        asyncio.run(fill())
        yield folder


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    return run_command({"MEMORY_DATA_DIR": str(folder), "COLUMNS": "200"}, ("sessions", *words))


def answer(folder: Path, *words: str) -> Any:
    code, out, err = run(folder, *words, "--bank", "anna", "--json")
    assert code == 0, err
    return json.loads(out)


def test_sessions_are_listed_shown_restored_and_deleted(folder: Path) -> None:
    (line,) = answer(folder, "list")["items"]
    assert (line["session_id"], line["version"], line["checkpoints"]) == ("trip", 2, 1)
    code, out, err = run(folder, "list", "--bank", "anna")
    assert (code, out.split()[:4]) == (0, ["trip", "BOOKING", "version", "2"]), err
    assert answer(folder, "show", "trip")["data"] == {"nights": 3, "text": "Olá [b]"}
    code, out, err = run(folder, "show", "trip", "--bank", "anna")
    first, _, data = out.partition("\n")
    assert (code, first) == (0, "trip is in state BOOKING, version 2."), err
    assert json.loads(data) == {"nights": 3, "text": "Olá [b]"}
    (checkpoint,) = answer(folder, "checkpoints", "trip")["items"]
    code, out, err = run(folder, "checkpoints", "trip", "--bank", "anna")
    assert (code, checkpoint["checkpoint_id"] in out, "before the change" in out) == (0, True, True), err
    restored = answer(folder, "restore", "trip", checkpoint["checkpoint_id"])
    assert (restored["version"], restored["state"], restored["data"]["nights"]) == (3, "PLANNING", 2)
    assert answer(folder, "delete", "trip") == {"session_id": "trip", "deleted": True}
    assert answer(folder, "list") == {"items": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (("show", "nothing", "--bank", "anna"), 1, "there is no session nothing"),
        (("show", "a/b", "--bank", "anna"), 2, "session_id"),
        (("list", "--bank", "nobody"), 1, "there is no such bank"),
        (("list", "--bank", "anna", "--limit", "0"), 2, "limit"),
        (("restore", "trip", "x", "--bank", "anna"), 2, "a valid UUID"),
    ],
)
def test_wrong_arguments_are_named(folder: Path, words: tuple[str, ...], code: int, problem: str) -> None:
    found, out, err = run(folder, *words)
    assert (found, out, problem in " ".join(err.split())) == (code, "", True), err
