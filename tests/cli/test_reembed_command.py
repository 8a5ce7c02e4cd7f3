"""`memory-service reembed` on an embedded server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_service.config import Settings
from memory_service.embedded import open_server
from memory_service.memory import Memory
from memory_service.models.built_model import BUILT_IN
from memory_service.results import Verification
from tests.acceptance.running import run_command
from tests.conftest import settle
from tests.support.second_model import second_model

WORSE: Verification = {"queries": 9, "embedding_model": 0.9, "other_model": 0.5, "shared": 0.4}


@pytest.fixture
def folder(tmp_path: Path, session_dir: Path) -> Iterator[Path]:
    """A data folder whose server runs, with a bank "anna" of one memory."""
    folder = tmp_path / "data"

    async def fill(memory: Memory) -> None:
        await memory.create_bank("anna")
        await memory.remember("anna", "Anna is allergic to walnuts.")
        await settle(memory, "anna")

    with open_server(folder):
        asyncio.run(with_memory(folder, session_dir, fill))
        yield folder


async def with_memory(folder: Path, session_dir: Path, act: Callable[[Memory], Awaitable[object]]) -> None:
    settings = Settings.model_validate(
        {"data_dir": folder, "embedding_model": BUILT_IN, "local_model_dir": second_model(session_dir)}
    )
    async with await Memory.open(settings) as memory:
        await act(memory)


def test_a_bank_is_switched_returned_and_given_up(folder: Path, session_dir: Path) -> None:
    environment = {
        "MEMORY_DATA_DIR": str(folder), "MEMORY_EMBEDDING_MODEL": BUILT_IN, "COLUMNS": "200",
        "MEMORY_LOCAL_MODEL_DIR": str(second_model(session_dir)),
    }  # fmt: skip
    names: list[str] = []

    def run(*options: str) -> tuple[int, str, str]:
        return run_command(environment, ("reembed", "--bank", "anna", *options))

    def answer(*options: str) -> Any:
        code, out, err = run(*options, "--json")
        assert code == 0, err
        return json.loads(out)

    async def name_of_second(memory: Memory) -> None:
        names.append(memory.models.embedder("local").name)

    async def worse(memory: Memory) -> None:
        await memory.store.banks.register_embedding_model(names[0], 768)
        await memory.store.reembeddings.start("anna", names[0], 7, 9)
        assert await memory.store.reembeddings.record_verification("anna", names[0], WORSE)

    asyncio.run(with_memory(folder, session_dir, name_of_second))
    (model,) = names
    code, _, err = run("--back")
    assert (code, "the bank keeps no vectors of a former model" in err) == (2, True), err
    asyncio.run(with_memory(folder, session_dir, worse))
    code, out, err = run()
    assert (code, "is not switched: the other model finds less" in out, "0.500" in out) == (1, True, True), (
        err
    )
    given_up = answer("--end")["reembedding"]
    assert (given_up["status"], given_up["embedding_model"], given_up["other_model"]) == (
        "kept",
        BUILT_IN,
        model,
    )
    code, _, err = run("--back")
    assert (code, "the bank keeps no vectors of a former model" in err) == (2, True), err
    switched = answer("--to", model, "--verify", "5", "--keep", "2", "--share", "1")
    assert switched["ended"] == "switched"
    assert switched["reembedding"]["verified"] == {
        "queries": 1, "embedding_model": 1.0, "other_model": 1.0, "shared": 1.0,
    }  # fmt: skip
    code, out, err = run("--back", "--share", "1")
    assert (code, f"It uses {BUILT_IN}." in out, f"Vectors of {model} are kept" in out) == (0, True, True), (
        err
    )
    code, _, err = run("--to", model, "--back")
    assert (code, "give one of --to, --back and --end" in err) == (2, True), err
