"""The README says what is true: settings, files and commands that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

from memory_service.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_every_place_that_it_names_is_there() -> None:
    places = re.findall(r"`((?:db|memory_service|jobs|tests)/[\w./]+)`", README)
    assert len(places) > 8
    for place in places:
        assert (ROOT / place).exists(), place


def test_every_command_is_named() -> None:
    for name in COMMANDS.keys() - {"bank"}:
        assert f"`{name}`" in README or f"memory-service {name}" in README, name


def test_every_make_target_that_it_names_is_there() -> None:
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in re.findall(r"`?make ([a-z-]+)", README):
        assert target in targets, target
