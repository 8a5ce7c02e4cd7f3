"""The end of the demo: where its bank is seen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memory_service.cli import demo


def test_the_demo_names_the_page_of_a_running_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "find_service", lambda: SimpleNamespace(address="http://127.0.0.1:8081"))
    assert demo.where_to_look() == "Its page: http://127.0.0.1:8081/ui/banks/demo/overview"
