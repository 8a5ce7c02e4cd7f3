"""The reference pages name every public method, name, route and command, and none that does not exist."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pytest
import typer
from typer.core import TyperGroup, TyperOption

import memory_service
from memory_service import Memory
from memory_service.cli.commands import COMMANDS
from memory_service.server.app import create_app
from tests.support.pages import ROOT

METHODS = {
    name
    for name, member in inspect.getmembers(Memory)
    if not name.startswith("_") and inspect.isfunction(inspect.unwrap(getattr(member, "__func__", member)))
}
INTERNAL = {"cached_bank", "forget_cached_bank"}
"""Methods that other modules of the package share."""


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_python_page_names_every_method_of_memory() -> None:
    documented = set(
        re.findall(r"^\| `(?:await |memory\.|Memory\.)*(\w+)\(", page("python.md"), re.MULTILINE)
    )
    documented |= set(re.findall(r"`, `(\w+)\(", page("python.md")))
    assert documented == METHODS - INTERNAL


def test_python_page_has_each_parameter() -> None:
    text = page("python.md")
    for name in METHODS - INTERNAL - {"open", "aclose"}:
        signature = re.search(rf"`(?:await )?(?:memory\.)?{name}\(([^`]*)\)`", text)
        assert signature, name
        shown = re.findall(r"(\w+)(?:=[^,]*)?(?:,|$)", signature[1])
        assert shown == [p for p in inspect.signature(getattr(Memory, name)).parameters if p != "self"], name


def test_python_page_names_every_export() -> None:
    for name in memory_service.__all__:
        assert f"`{name}`" in page("python.md") or f"`{name}(" in page("python.md"), name


@pytest.mark.changes_nothing
def test_http_page_has_each_route_with_its_parameters(memory: Memory) -> None:
    api = create_app(memory).openapi()
    routes: dict[str, set[str]] = {}
    for path, calls in api["paths"].items():
        for method, call in calls.items():
            body = (
                call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            )
            [name] = re.findall(r"#/components/schemas/(\w+)", json.dumps(body)) or [None]
            fields: dict[str, Any] = api["components"]["schemas"][name]["properties"] if name else {}
            query = {p["name"] for p in call.get("parameters", []) if p["in"] == "query"}
            routes[f"{method.upper()} {path}"] = {*fields} | query
    documented: dict[str, set[str]] = {}
    for row in re.findall(r"^\| (`[A-Z]+ /.*)$", page("http.md"), re.MULTILINE):
        route, body, _ = row.split("|", 2)
        documented[route.strip(" `")] = {word.strip("?") for word in re.findall(r"`([\w?]+)`", body)}
    assert documented == routes


def test_cli_page_has_each_command_with_its_options() -> None:
    text = page("cli.md")
    commands: dict[str, Any] = {}
    for name, command in COMMANDS.items():
        loaded = command.load()
        app = loaded if isinstance(loaded, typer.Typer) else typer.Typer(add_completion=False)
        if app is not loaded:
            app.command(name)(loaded)
        found = typer.main.get_command(app)
        commands[name] = found
        if isinstance(found, TyperGroup):
            commands |= {f"{name} {sub}": one for sub, one in found.commands.items()}
            if not found.invoke_without_command:
                del commands[name]
    documented = {
        " ".join(re.findall(r"^[a-z-]+(?: [a-z]+)?", entry))
        for row in re.findall(r"^\| (`[a-z][^|]*) \|", text, re.MULTILINE)
        for entry in re.findall(r"`([^`]*)`", row)
    }
    assert documented == set(commands)
    missing = {
        (name, parameter.name)
        for name, command in commands.items()
        for parameter in command.params
        if isinstance(parameter, TyperOption) and not parameter.hidden
        if parameter.name not in ("install_completion", "show_completion")
        if not any(
            re.search(rf"(?<!\S)`?{option}\b", text)
            for option in (*parameter.opts, *parameter.secondary_opts)
        )
    }
    assert missing == set()
