"""The package, its metadata and the plugin have the same version."""

from __future__ import annotations

import json
import tomllib

from memory_service import __version__
from tests.support.pages import ROOT


def test_all_files_name_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    plugin = json.loads((ROOT / "plugin/.claude-plugin/plugin.json").read_text(encoding="utf-8"))
    assert (project["version"], plugin["version"]) == (__version__, __version__)
