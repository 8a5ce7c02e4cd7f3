"""Configuration entries of MCP clients: shown, written, and removed without a trace."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from memory_service.errors import Conflict, InvalidInput, NotFound
from memory_service.running_service import API_KEY_FILE, DATA_DIR, URL

Format = Literal["json", "toml"]
BEFORE = ".before-memory-service"
"""Suffix of the copy of a configuration file as it was before `--write`."""
PASSED_ON = (DATA_DIR, URL, API_KEY_FILE)
"""Settings that an entry names; a key itself is never written into a file of a client."""


@dataclass(frozen=True, slots=True)
class ClientFile:
    """A client's configuration file and the table of servers in it."""

    path: str
    """From the home folder (`~/`), else from the current one."""
    table: str
    format: Format = "json"

    def located(self) -> Path:
        return Path(self.path).expanduser()


def desktop_path() -> str:
    if sys.platform == "darwin":
        return "~/Library/Application Support/Claude/claude_desktop_config.json"
    return "~/.config/Claude/claude_desktop_config.json"


CLIENTS = {
    "claude-code": ClientFile(".mcp.json", "mcpServers"),
    "claude-desktop": ClientFile(desktop_path(), "mcpServers"),
    "codex": ClientFile("~/.codex/config.toml", "mcp_servers", "toml"),
    "cursor": ClientFile("~/.cursor/mcp.json", "mcpServers"),
    "gemini": ClientFile("~/.gemini/settings.json", "mcpServers"),
    "vscode": ClientFile(".vscode/mcp.json", "servers"),
    "windsurf": ClientFile("~/.codeium/windsurf/mcp_config.json", "mcpServers"),
}

Entry = dict[str, Any]


def client_file(name: str) -> ClientFile:
    """Errors: InvalidInput listing the clients."""
    if name not in CLIENTS:
        raise InvalidInput("client", f"must be one of {', '.join(CLIENTS)}")
    return CLIENTS[name]


def entry_for(client: str, bank_id: str, environment: Mapping[str, str] = os.environ) -> Entry:
    """The entry that starts `memory-service mcp` with this interpreter and the settings of this process."""
    entry: Entry = {"type": "stdio"} if client == "vscode" else {}
    entry |= {"command": sys.executable, "args": ["-P", "-m", "memory_service", "mcp", "--bank", bank_id]}
    passed = {name: environment[name] for name in PASSED_ON if environment.get(name)}
    if DATA_DIR in passed:
        passed[DATA_DIR] = str(Path(passed[DATA_DIR]).expanduser().absolute())
    return entry | ({"env": passed} if passed else {})


def shown(file: ClientFile, name: str, entry: Entry) -> str:
    """The entry as text for the configuration file."""
    return toml_block(file, name, entry) if file.format == "toml" else json_text({file.table: {name: entry}})


def write(file: ClientFile, name: str, entry: Entry) -> bool:
    """Add the entry; False where it is there already. The file as it was is kept beside it.

    Errors: Conflict where another entry has the name; InvalidInput where the file cannot be read.
    """
    path = file.located()
    before = text_of(path)
    present = entries_in(file, path, before).get(name)
    if present == entry:
        return False
    if present is not None:
        raise Conflict(f"{path} has another entry {name!r}; choose another --name or remove that entry")
    path.parent.mkdir(parents=True, exist_ok=True)
    if before is not None:
        path.with_name(path.name + BEFORE).write_text(before, encoding="utf-8")
    replace(path, added(file, path, before, name, entry))
    return True


def remove(file: ClientFile, name: str, entry: Entry) -> None:
    """Undo `write`: the file is again as it was, or, where it has changed since, without the entry.

    Errors: NotFound where the file does not have the entry.
    """
    path = file.located()
    text = text_of(path)
    if text is None or entries_in(file, path, text).get(name) != entry:
        raise NotFound(f"{path} has no entry {name!r} as --write writes it")
    copy = path.with_name(path.name + BEFORE)
    before = text_of(copy)
    if text == added(file, path, before, name, entry):
        if before is None:
            path.unlink()
        else:
            replace(path, before)
    elif file.format == "toml":
        replace(path, text.replace(toml_block(file, name, entry), "", 1))
    else:
        content = parsed(path, text)
        del content[file.table][name]
        replace(path, json_text(content))
    copy.unlink(missing_ok=True)


def added(file: ClientFile, path: Path, before: str | None, name: str, entry: Entry) -> str:
    """The text of the file with the entry."""
    if file.format == "toml":
        return (before or "") + toml_block(file, name, entry)
    content = parsed(path, before or "{}")
    content[file.table] = {**content.get(file.table, {}), name: entry}
    return json_text(content)


def entries_in(file: ClientFile, path: Path, text: str | None) -> dict[str, Any]:
    """The servers in the file. Errors: InvalidInput."""
    if text is None:
        return {}
    if file.format == "toml":
        try:
            found = tomllib.loads(text).get(file.table, {})
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(str(path), f"is not TOML: {error}") from None
    else:
        found = parsed(path, text).get(file.table, {})
    if not isinstance(found, dict):
        raise InvalidInput(str(path), f"{file.table} is not a table")
    return cast("dict[str, Any]", found)


def parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise InvalidInput(str(path), f"is not plain JSON ({error}); add the printed entry by hand") from None
    if not isinstance(content, dict):
        raise InvalidInput(str(path), "is not a JSON object; add the printed entry by hand")
    return cast("dict[str, Any]", content)


def json_text(content: object) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def toml_block(file: ClientFile, name: str, entry: Entry) -> str:
    """The entry as a table, after an empty line. A JSON text is a TOML value for strings and lists of strings."""
    lines = [f"\n[{file.table}.{json.dumps(name)}]"]
    for key, value in entry.items():
        if isinstance(value, dict):
            pairs = cast("dict[str, str]", value).items()
            value = "{ " + ", ".join(f"{one} = {json.dumps(other)}" for one, other in pairs) + " }"
        else:
            value = json.dumps(value)
        lines.append(f"{key} = {value}")
    return "\n".join(lines) + "\n"


def text_of(path: Path) -> str | None:
    """Errors: InvalidInput."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(str(path), f"cannot be read: {type(error).__name__}") from None


def replace(path: Path, text: str) -> None:
    """Write the file whole or not at all, with its permissions."""
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    if path.exists():
        new.chmod(path.stat().st_mode & 0o7777)
    new.replace(path)
