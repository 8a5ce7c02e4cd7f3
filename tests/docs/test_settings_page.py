"""docs/settings.md is what the code says: generated from it, with the defaults of the SQL functions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory_service.bank_settings import SETTINGS
from memory_service.config import Settings
from tests.docs.settings_page import page

ROOT = Path(__file__).resolve().parents[2]
DEFAULT_IN_SQL = re.compile(r"settings ->> '(\w+)'\)?(?:::[a-z ]+)?, '?(\d[\d.]*|english)'?\)")
"""`coalesce((bank_settings ->> 'most_active')::integer, 1000)`: the setting and its default."""


def test_the_page_is_generated() -> None:
    assert (ROOT / "docs" / "settings.md").read_text() == page(), "run `make docs`"


@pytest.mark.parametrize("name", SETTINGS)
def test_each_setting_has_one_description(name: str) -> None:
    """A setting that the environment has as well is described there."""
    field = Settings.model_fields.get(name)
    assert (SETTINGS[name].meaning is None) == (field is not None)
    assert field is None or SETTINGS[name].default == ""


def test_defaults_are_those_of_the_sql_functions() -> None:
    found = {
        match
        for file in (ROOT / "db" / "functions").rglob("*.sql")
        for match in DEFAULT_IN_SQL.findall(file.read_text())
        if match[0] not in Settings.model_fields
    }
    assert len(found) == 20
    for name, default in found:
        assert SETTINGS[name].default == default, name
