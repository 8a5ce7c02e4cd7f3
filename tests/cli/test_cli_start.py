"""What commands import before they answer, and how they read their words."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any

import pytest
import typer

from memory_service.cli.app import QUICK, app_for
from memory_service.cli.commands import COMMANDS
from memory_service.cli.plain_arguments import arguments_in

HEAVY = {
    "alembic", "asyncio", "asyncpg", "fastapi", "mcp", "mcp_types", "numpy", "onnxruntime", "openai",
    "psycopg", "pydantic", "pydantic_settings", "rich", "sqlalchemy", "structlog", "tokenizers", "uvloop",
}  # fmt: skip
OURS = ("config", "memory", "store", "models", "intake", "server", "connect", "types", "rules.extractor")


def imported(code: str, *words: str) -> set[str]:
    """The modules that a fresh interpreter has after a program."""
    program = f"import atexit, sys\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True, timeout=120
    )
    return set(done.stderr.splitlines()[-1].split())


def heavy_ones(modules: set[str]) -> set[str]:
    return {name for name in modules if name in HEAVY or name in {f"memory_service.{one}" for one in OURS}}


def test_the_list_of_commands_imports_nothing_heavy() -> None:
    found = imported("from memory_service.cli.app import main; main()", "--help")
    assert heavy_ones(found) == set()
    assert "memory_service.cli.read" not in found


CALL = """
from memory_service.cli import client, terminal
from memory_service.cli.app import main
from memory_service.running_service import RunningService
service = RunningService("http://127.0.0.1:1", 1, "", "", 1, 1, 1, "", {})
terminal.find_service = lambda: service
client.Client.answers = lambda _: True
client.Client._call = lambda *_: {"items": [], "text": "", "memory_id": "x", "status": "active"}
main()
"""


@pytest.mark.parametrize("name", QUICK)
def test_a_call_of_a_running_service_imports_nothing_heavy(name: str) -> None:
    found = imported(CALL, name, "some words", "--bank", "anna", "--json")
    assert "memory_service.cli.client" in found
    assert heavy_ones(found) == set()


def test_a_read_of_a_running_service_opens_no_database() -> None:
    answer = """client.Client.send = lambda *_: (200, {}, b'{"items": [], "next_cursor": null}')"""
    found = imported(
        CALL.replace("client.Client._call = ", f"{answer}\n_ = "), "memories", "--bank", "anna", "--json"
    )
    assert "memory_service.cli.service_methods" in found
    needed = {"asyncio", "memory_service.types", "pydantic"}  # for its answers
    assert heavy_ones(found) <= needed


def test_the_listed_help_is_that_of_the_commands() -> None:
    for name, command in COMMANDS.items():
        loaded = command.load()
        told = loaded.info.help if isinstance(loaded, typer.Typer) else inspect.getdoc(loaded)
        assert told == command.help, name


PLAIN: list[tuple[str, list[str]]] = [
    ("recall", ["what", "--bank", "a"]),
    ("recall", ["what", "-b", "a", "-k", "3", "--json", "--explain", "--mode", "passive"]),
    ("recall", ["-b", "a", "--tag", "x", "--tag", "y", "--type", "episodic", "--by", "words", "ünï cödé"]),
    ("recall", ["", "-b", "", "--min-importance", "0.25", "--valence", "-1", "--min-score", "0", "--since", "-"]),
    ("recall", ["q", "-b", "a", "--emotion", "joy", "--topic", "t", "--as-of", "2026-01-01T00:00:00Z", "--until", "x"]),
    ("context", ["m", "--bank", "a", "--conversation", "c", "--recent-tokens", "0", "--knowledge-tokens", "-5"]),
    ("context", ["m", "--bank", "a", "--profile", "p", "--tokenizer", "chars4", "--json"]),
    ("remember", ["m", "--bank", "a", "--create", "--type", "semantic", "--importance", "1", "--lesson", "l"]),
    ("remember", ["m", "--bank", "a", "--occurred-at", "o", "--idempotency-key", "k", "--tag", "t", "--json"]),
]  # fmt: skip

NOT_PLAIN: list[tuple[str, list[str]]] = [
    ("recall", ["--help"]),
    ("recall", ["q"]),
    ("recall", ["--bank", "a"]),
    ("recall", ["q", "r", "--bank", "a"]),
    ("recall", ["q", "--bank"]),
    ("recall", ["q", "--bank=a"]),
    ("recall", ["q", "-ba"]),
    ("recall", ["q", "--bank", "a", "--bank", "b"]),
    ("recall", ["--", "-q", "--bank", "a"]),
    ("recall", ["q", "--bank", "a", "--no-explain"]),
    ("recall", ["q", "--bank", "a", "-k", "1e1"]),
    ("recall", ["q", "--bank", "a", "-k", " 1"]),
    ("recall", ["q", "--bank", "a", "-k", "9" * 30]),
    ("recall", ["q", "--bank", "a", "--valence", "nan"]),
    ("recall", ["q", "--bank", "a", "--unknown", "x"]),
    ("recall", ["q\udcff", "--bank", "a"]),
    ("remember", ["m", "--bank", "a", "--importance", "x"]),
]


def by_typer(name: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What typer gives a command for these words."""
    found: dict[str, Any] = {}
    command = COMMANDS[name]
    function = command.load()

    def noted(**arguments: Any) -> None:
        found.update(arguments)

    signature = inspect.signature(function, eval_str=True)
    noted.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    noted.__signature__ = signature  # type: ignore[attr-defined]
    module = sys.modules[f"memory_service.cli.{command.module}"]
    monkeypatch.setattr(module, command.attribute, noted)
    with pytest.raises(SystemExit) as left:
        app_for([name])([name, *words])
    assert left.value.code == 0
    return found


@pytest.mark.parametrize(("name", "words"), PLAIN)
def test_plain_words_are_read_as_typer_reads_them(
    name: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = arguments_in(COMMANDS[name].load(), words)
    assert read is not None
    typers = by_typer(name, words, monkeypatch)
    assert read == typers
    assert {k: type(v) for k, v in read.items()} == {k: type(v) for k, v in typers.items()}


@pytest.mark.parametrize(("name", "words"), NOT_PLAIN)
def test_what_is_not_plain_is_left_to_typer(name: str, words: list[str]) -> None:
    assert arguments_in(COMMANDS[name].load(), words) is None


def test_a_service_without_mcp_clients_does_not_import_the_sdk() -> None:
    found = imported("import memory_service.server.serve, memory_service.worker_process")
    assert "memory_service.server.mcp_route" in found
    assert not {name for name in found if name.partition(".")[0] in ("mcp", "mcp_types")}


def test_garbage_is_collected_once_a_command_has_its_settings() -> None:
    script = (
        "import gc; from memory_service.startup import configure_process; gc.disable(); configure_process(); "
        "print(gc.isenabled(), gc.get_freeze_count() > 0, gc.get_threshold()[0])"
    )
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "True True 20000\n"
