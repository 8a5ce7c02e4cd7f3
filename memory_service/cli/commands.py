"""Commands by name."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple


class Command(NamedTuple):
    """A command's module in memory_service.cli, and its attribute there."""

    module: str
    attribute: str

    def load(self) -> Callable[..., Any]:
        """Import the command: a function, or the typer.Typer of a command group."""
        return getattr(import_module(f"memory_service.cli.{self.module}"), self.attribute)

    @property
    def help(self) -> str:
        """The function's docstring or the group's help, from the source: --help imports no command module."""
        return help_texts(self.module)[self.attribute]


COMMANDS = {
    "serve": Command("service", "serve_command"),
    "worker": Command("service", "worker"),
    "migrate": Command("service", "migrate"),
    "doctor": Command("doctor", "doctor"),
    "mcp": Command("agents", "mcp"),
    "connect": Command("agents", "connect"),
    "backup": Command("backup", "backup"),
    "psql": Command("service", "psql"),
    "import": Command("write", "import_command"),
    "export": Command("transfer", "export"),
    "import-bank": Command("transfer", "import_bank_command"),
    "remember": Command("write", "remember"),
    "recall": Command("read", "recall"),
    "context": Command("read", "context"),
    "compact": Command("read", "compact"),
    "memories": Command("inspect", "memories"),
    "decisions": Command("inspect", "decisions"),
    "trace": Command("inspect", "trace"),
    "clarifications": Command("facts", "clarifications"),
    "answer": Command("facts", "answer"),
    "expire": Command("operate", "expire"),
    "release": Command("operate", "release"),
    "update": Command("operate", "update"),
    "restore": Command("operate", "restore"),
    "dead-letters": Command("operate", "dead_letters"),
    "redrive": Command("operate", "redrive"),
    "banks": Command("banks", "banks"),
    "stats": Command("inspect", "stats"),
    "nights": Command("nights", "nights"),
    "reembed": Command("reembed", "reembed"),
    "calibrate": Command("service", "calibrate"),
    "demo": Command("service", "demo"),
    "norms": Command("norms", "norms"),
    "facts": Command("facts", "facts"),
    "thread": Command("thread", "thread"),
    "sessions": Command("sessions", "sessions"),
    "erase": Command("erase", "erase"),
    "scrub": Command("scrub", "scrub"),
    "procedures": Command("procedures", "procedures"),
    "server": Command("servers", "server"),
    "move-bank": Command("servers", "move_bank"),
    "key": Command("keys", "key"),
    "sql": Command("analysts", "sql"),
    "analyst": Command("analysts", "analyst"),
    "bank": Command("banks", "bank"),
}


@cache
def help_texts(module: str) -> dict[str, str]:
    """The help texts of a module's functions and command groups, by their names."""
    found: dict[str, str] = {}
    for node in ast.parse(Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name):
                found[name] = ast.get_docstring(node) or ""
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name("group"), [ast.Constant(str(text))])):
                found[name] = text
            case _:
                pass
    return found
