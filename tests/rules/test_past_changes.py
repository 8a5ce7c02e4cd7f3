"""Changes of the past and stays give no fact about the present, which would close the one that holds."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements

SAID_IN = 2026


def typed(said: str) -> set[tuple[str | None, str | None]]:
    facts = [canonical(fact) for fact in statements(said, None, SAID_IN) if fact.holds]
    return {(fact.attribute, fact.value) for fact in facts if fact.attribute != "has_done"}


@pytest.mark.parametrize(
    "said",
    [
        "We moved to Galway when I was six, then back to Dublin in 1999.",
        "I moved to Rome after university and came back two years later.",
        "We moved to Brussels for a year in 2009.",
        "I moved to Toronto with my parents, but I hated it and came home.",
        "I've lived in Rome for two years, in Paris for one and now I'm back home.",
        "In 2010 I joined Nokia as an intern.",
        "I started at IBM in 2001, it was a different time.",
        "I got a job at Pizza Hut when I was 17.",
        "I started working at Aldi right after school.",
        "I was promoted to head nurse in 2015 but went back to the ward.",
        "I became a teacher in 1990 and hated it.",
        "I bought a Fiat in 1995, my first car.",
        "I got a Golf when I turned 18.",
        "I went vegetarian in 2012.",
        "I switched to Emacs in 2012, hated it.",
        "I got married in 2003 and divorced in 2012.",
        "I got engaged in 2015, it didn't last.",
        "I'm married to my job these days.",
        "I'm living in London for two weeks because of a training.",
        "I'm based in Paris this week.",
        "We got a dog when I was six.",
    ],
)
def test_a_change_of_the_past_says_nothing_about_the_present(said: str) -> None:
    assert typed(said) == set()


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I moved to Lisbon in 2021.", ("lives_in", "lisbon")),
        ("We moved to Leeds in March.", ("lives_in", "leeds")),
        ("I moved to Leeds after we broke up.", ("lives_in", "leeds")),
        ("I moved to Leeds and got divorced.", ("lives_in", "leeds")),
        ("I moved back home to Leeds.", ("lives_in", "leeds")),
        ("I've lived in Porto since 2015.", ("lives_in", "porto")),
        ("I live in Rome now, after two years in Paris.", ("lives_in", "rome")),
        ("I live in Dublin, we moved to Galway when I was six.", ("lives_in", "dublin")),
        ("I'm living in Kyoto for a year.", ("lives_in", "kyoto")),
        ("I joined Monzo after I quit Tesco.", ("works_at", "monzo")),
        ("I started at Bosch two years ago.", ("works_at", "bosch")),
        ("I was promoted to team lead last week.", ("works_as", "team lead")),
        ("I switched to Neovim and quit VS Code.", ("uses", "neovim")),
        ("We got married last month.", ("relationship_status", "married")),
        ("I bought a Skoda yesterday.", ("drives", "skoda")),
        ("I moved to Berlin in 2012 and never left.", ("lives_in", "berlin")),
        ("I moved to Bonn in 2018.", ("lives_in", "bonn")),
        ("I married Tom in 2011.", ("partner", "tom")),
        ("I became a vegan when I was 20.", ("diet", "vegan")),
        ("I moved to Oslo for my internship and stayed.", ("lives_in", "oslo")),
        ("I moved to Lyon for a year but I'm staying.", ("lives_in", "lyon")),
        ("I live in Ulm and I'm on vacation until Monday.", ("lives_in", "ulm")),
        ("We live in Rome, my sister is staying for a week.", ("lives_in", "rome")),
        ("I live in Leeds and my sister visits for two weeks every summer.", ("lives_in", "leeds")),
        ("I work at Mercy Hospital and play tennis on Saturdays.", ("works_at", "mercy hospital")),
        ("I work at Acme and my wife works on weekends.", ("works_at", "acme")),
        ("I run a charity in Leeds.", ("runs", "charity in leeds")),
    ],
)
def test_a_change_that_lasts_is_a_fact(said: str, fact: tuple[str, str]) -> None:
    assert fact in typed(said)


def test_without_the_year_of_the_message_a_year_does_not_count() -> None:
    said = "I moved to Rome in 1998."
    assert [fact.value for fact in statements(said, None)] == ["Rome"]
    assert list(statements(said, None, SAID_IN)) == []
    assert [fact.value for fact in statements(said, None, 2000)] == ["Rome"]
