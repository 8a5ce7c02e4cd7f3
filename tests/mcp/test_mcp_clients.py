"""`memory-service connect`: the entries of MCP clients, written and removed without a trace."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import memory_service
from memory_service.errors import Conflict, InvalidInput, NotFound
from memory_service.mcp import clients
from tests.acceptance.running import run_command

OTHERS = {
    "json": '{\n    "theme":   "dark",\n    "mcpServers": {"files": {"command": "files"}}}',
    "toml": 'model = "large"\n\n[mcp_servers.files]\ncommand = "files" # mine\n',
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files_in(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def entry_in(file: clients.ClientFile, name: str = "memory") -> object:
    text = file.located().read_text()
    return (tomllib.loads(text) if file.format == "toml" else json.loads(text))[file.table][name]


@pytest.mark.parametrize("client", clients.CLIENTS)
def test_an_entry_is_written_and_removed_where_there_was_no_file(client: str, home: Path) -> None:
    file, entry = clients.CLIENTS[client], clients.entry_for(client, "anna", {"MEMORY_DATA_DIR": "/data"})
    assert clients.write(file, "memory", entry) is True
    assert entry_in(file) == entry
    assert entry["args"] == ["-P", "-m", "memory_service", "mcp", "--bank", "anna"]
    assert clients.write(file, "memory", entry) is False
    clients.remove(file, "memory", entry)
    assert files_in(home) == {}


def test_a_folder_of_the_project_does_not_replace_the_package(tmp_path: Path) -> None:
    """Clients start the entry in the folder of a project, which may be a stranger's."""
    (tmp_path / "memory_service").mkdir()
    (tmp_path / "memory_service" / "__init__.py").write_text("raise SystemExit('code of the project')")
    entry = clients.entry_for("cursor", "anna", {})
    told = subprocess.run(
        [entry["command"], *entry["args"], "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, "")
    package = Path(memory_service.__file__).parent
    assert not [str(file) for file in package.rglob("*.py") if 'sys.executable, "-m"' in file.read_text()]


@pytest.mark.parametrize("client", ["cursor", "codex"])
def test_a_file_of_others_is_as_it_was(client: str, home: Path) -> None:
    file, entry = clients.CLIENTS[client], clients.entry_for(client, "anna", {})
    file.located().parent.mkdir(parents=True)
    file.located().write_text(OTHERS[file.format])
    file.located().chmod(0o600)
    before = files_in(home)
    clients.write(file, "memory", entry)
    assert entry_in(file) == entry
    assert entry_in(file, "files") == {"command": "files"}
    clients.remove(file, "memory", entry)
    assert files_in(home) == before
    assert file.located().stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("client", ["cursor", "codex"])
def test_changes_made_after_writing_stay(client: str, home: Path) -> None:
    file, entry = clients.CLIENTS[client], clients.entry_for(client, "anna", {})
    file.located().parent.mkdir(parents=True)
    file.located().write_text(OTHERS[file.format])
    clients.write(file, "memory", entry)
    other = clients.entry_for(client, "ben", {})
    clients.write(file, "other", other)
    clients.remove(file, "memory", entry)
    assert entry_in(file, "other") == other
    assert entry_in(file, "files") == {"command": "files"}
    with pytest.raises(KeyError):
        entry_in(file)
    with pytest.raises(NotFound):
        clients.remove(file, "memory", entry)


def test_the_entry_of_another_is_not_replaced(home: Path) -> None:
    file, entry = clients.CLIENTS["cursor"], clients.entry_for("cursor", "anna", {})
    clients.write(file, "memory", entry | {"command": "theirs"})
    before = files_in(home)
    with pytest.raises(Conflict):
        clients.write(file, "memory", entry)
    with pytest.raises(NotFound):
        clients.remove(file, "memory", entry)
    assert files_in(home) == before


@pytest.mark.parametrize("text", ["{ // mine\n}", "[]", '{"mcpServers": []}', "\xff"])
def test_a_file_that_is_not_plain_json_is_not_changed(home: Path, text: str) -> None:
    file = clients.CLIENTS["cursor"]
    file.located().parent.mkdir()
    file.located().write_text(text, encoding="latin-1")
    with pytest.raises(InvalidInput):
        clients.write(file, "memory", clients.entry_for("cursor", "anna", {}))
    assert file.located().read_text(encoding="latin-1") == text
    assert [path.name for path in file.located().parent.iterdir()] == [file.located().name]


def test_a_key_is_in_no_entry() -> None:
    entry = clients.entry_for("cursor", "anna", {"MEMORY_API_KEY": "mem_secret", "MEMORY_URL": "http://x"})
    assert entry["env"] == {"MEMORY_URL": "http://x"}


def test_the_command_prints_writes_and_removes(home: Path) -> None:
    words = ["connect", "vscode", "--bank", "anna"]
    code, printed, _ = run_command({}, words)
    assert code == 0
    assert printed.startswith(".vscode/mcp.json:\n")
    assert json.loads(printed.partition("\n")[2])["servers"]["memory"]["command"] == sys.executable
    assert files_in(home) == {}
    assert run_command({}, [*words, "--write"])[1] == ".vscode/mcp.json: added: memory\n"
    assert run_command({}, [*words, "--write"])[1] == ".vscode/mcp.json: was there: memory\n"
    assert run_command({}, [*words, "--remove"])[1] == ".vscode/mcp.json: removed: memory\n"
    assert files_in(home) == {}
    assert run_command({}, ["connect", "nano", "--bank", "anna"])[0] == 2
    assert run_command({}, [*words, "--write", "--remove"])[0] == 2
