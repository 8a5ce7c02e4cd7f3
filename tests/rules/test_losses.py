"""Deaths and break-ups in ordinary wordings."""

from __future__ import annotations

import pytest

from memory_service.rules.emotions.emotions import valence
from memory_service.rules.facts.statements import statements
from memory_service.rules.gate.sentence_features import read_features
from memory_service.rules.losses import in_plain_words
from memory_service.text.sentences import sentences


def _plain(text: str) -> str:
    return " ".join(in_plain_words(sentences(text)))


def _changed(text: str) -> set[tuple[str | None, str | None, bool]]:
    return {(fact.attribute, fact.value, fact.holds) for fact in statements(text, None)}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Hugo is no longer with us.", "Hugo died."),
        ("Hugo's gone. It was his heart.", "Hugo died. It was his heart."),
        ("Hugo's gone too... A stroke, on the stairs.", "Hugo died... A stroke, on the stairs."),
        ("She was in a coma for days. Nora didn't make it.", "She was in a coma for days. Nora died."),
        ("We buried Hugo on Friday.", "Hugo died on Friday."),
        ("I went to Hugo's funeral yesterday.", "Hugo died, the funeral yesterday."),
        ("I scattered Hugo's ashes.", "Hugo died."),
        ("Nora lost her battle with leukaemia.", "Nora died, of leukaemia."),
        ("Hugo took his own life.", "Hugo died."),
        ("It's 3 years today since my wife died.", "my wife died 3 years ago."),
        ("its been a year since hugo died", "Hugo died a year ago"),
        ("mum passed", "my mum died"),
        ("Our grandma passed.", "Our grandma died."),
        ("My uncle has passed on.", "My uncle died."),
        ("Nora was killed in a landslide.", "Nora died, in a landslide."),
        ("Nora died of pneumonia last year.", "Nora died, of pneumonia last year."),
        ("I lost Hugo in March.", "Hugo died in March."),
        ("I lost my wife last week.", "my wife died last week."),
    ],
)
def test_a_death_is_read_in_ordinary_wordings(text: str, plain: str) -> None:
    assert _plain(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Hugo's gone to the office.",
        "Hugo's gone.",
        "Nora didn't make it to the dinner.",
        "Hugo didn't make it. The train was late after the funeral.",
        "I lost my mum in the supermarket.",
        "I lost Hugo. Could you find him?",
        "We lost Hugo last month, he went to a competitor.",
        "My late train was full.",
        "I'm buried in paperwork.",
        "I went to the funeral of a colleague's father.",
        "Hugo passed his exam.",
        "My brother passed! The driving test is over.",
        "Hugo passed!",
        "We lost to Hugo.",
        "Nora died laughing.",
        "Hugo is dead tired.",
        "It's been a year since my phone died.",
        "My mum passed on the recipe to me.",
    ],
)
def test_what_is_no_death_stays_as_it_is(text: str) -> None:
    assert _plain(text) == text


@pytest.mark.parametrize("text", ["Nora didn't make it.", "Hugo's gone too...", "dads gone", "jay dumped me"])
def test_the_gate_keeps_an_unsure_loss(text: str) -> None:
    assert read_features(text).care


def test_a_death_in_ordinary_words_feels_as_one() -> None:
    assert valence(("Dad passed away on Sunday.",)) <= -0.65
    assert valence(("Nora passed away on Tuesday.",)) == valence(("Nora died on Tuesday.",))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("zeb dumped me", "Zeb broke up with me"),
        ("welp zeb broke up w me", "Zeb broke up with me"),
        ("broke up w zeb", "I broke up with Zeb"),
        ("zeb n i split", "Zeb and I broke up"),
        ("zeb left me", "Zeb broke up with me"),
        ("she dumped me", "we broke up"),
        ("It's over with Zeb.", "Zeb and I broke up."),
        ("Zeb and I have parted ways.", "Zeb and I broke up."),
        ("Zeb is my ex now.", "Zeb and I broke up."),
    ],
)
def test_a_break_up_is_read_in_ordinary_wordings(text: str, plain: str) -> None:
    assert _plain(text) == plain
    assert ("relationship_status", "in a relationship", False) in _changed(text)


@pytest.mark.parametrize(
    "text",
    [
        "work dumped me with reports",
        "dad left me 2k",
        "zeb left me on read",
        "zeb left me a message",
        "we split the costs",
        "the choir split up",
        "Zeb and I have parted ways, he keeps the company.",
        "we broke up but got back together",
        "zeb dumped me but we got back together",
        "Zeb and I are on a break",
    ],
)
def test_what_is_no_break_up_ends_nothing(text: str) -> None:
    assert not any(attribute in ("partner", "relationship_status") for attribute, _, _ in _changed(text))


def test_the_one_who_calls_off_the_wedding_is_no_longer_the_partner() -> None:
    assert _changed("Zeb called off the wedding yesterday.") == {("partner", "Zeb", False)}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Hilda and Ivan have split up.", "separated"),
        ("Hilda has left Ivan.", "separated"),
        ("Hilda and Ivan got divorced.", "divorced"),
    ],
)
def test_the_separation_of_others_ends_what_they_shared(text: str, status: str) -> None:
    found = list(statements(text, "Kim"))
    told = {(fact.subject, fact.attribute, fact.value, fact.holds) for fact in found}
    assert ("Hilda", "partner", "Ivan", False) in told
    assert ("Hilda", "lives_with", "Ivan", False) in told
    assert ("Hilda", "relationship_status", status, True) in told
    assert all(fact.if_known for fact in found)


def test_a_relative_may_be_divorced() -> None:
    assert {fact.subject for fact in statements("My sister and her husband got divorced.", None)} == {
        "user's sister"
    }


@pytest.mark.parametrize(
    "text",
    [
        "Hilda left Ivan a note.",
        "Hugo left Manchester.",
        "Hugo left Google.",
        "Hilda and Ivan split the bill.",
    ],
)
def test_what_is_no_separation_of_others(text: str) -> None:
    assert not any(fact.attribute == "relationship_status" for fact in statements(text, "Kim"))


@pytest.mark.parametrize(
    "text",
    [
        "My husband died in 2015.",
        "My wife passed away five years ago.",
        "It's been 3 years since my wife died.",
    ],
)
def test_a_spouse_who_died_years_ago_is_not_the_partner_of_today(text: str) -> None:
    assert not any(attribute in ("partner", "alive") for attribute, _, _ in _changed(text))
    assert ("alive", "wife", False) in _changed("My wife died last week.")
