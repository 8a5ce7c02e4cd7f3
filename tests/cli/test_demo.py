"""Parts of the demo: where its bank is seen, and what it takes from answers of the service."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memory_service.cli import demo


def test_the_demo_names_the_page_of_a_running_service(monkeypatch: pytest.MonkeyPatch) -> None:
    running = SimpleNamespace(address="http://127.0.0.1:8081")
    monkeypatch.setattr(demo, "find_service", lambda: running)
    assert (
        demo.where_to_look("127.0.0.1", 8080) == "  Its page:  http://127.0.0.1:8081/ui/banks/demo/overview"
    )


@pytest.mark.parametrize(
    ("reason", "plain"),
    [
        ("stable_fact: fact-bearing score 0.49, kept from 0.07", "fact-bearing score 0.49"),
        ("no gate passed; small talk only", "small talk only"),
        ("harm_check: command to the agent: overrides", "command to the agent: overrides"),
        ("duplicate", "duplicate"),
    ],
)
def test_a_reason_is_printed_without_its_gate_and_threshold(reason: str, plain: str) -> None:
    assert demo.plain_reason(reason) == plain


def test_the_first_line_of_each_section_of_a_context() -> None:
    text = '[memory context] Quoted.\n## FACTS\n- "One."\n- "Two."\n## RELEVANT\n- "Three."\n[end of memory context]'
    assert list(demo.first_lines(text)) == [("facts", '"One."'), ("relevant", '"Three."')]
