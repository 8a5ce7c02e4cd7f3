"""What a label marks as another person's states nothing about the speaker; labels of own matters hide nothing."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.labelled_texts import without_labelled
from memory_service.rules.facts.statements import statements
from memory_service.rules.facts.user_text import own_words


@pytest.mark.parametrize(
    "said",
    [
        "Milos in the group chat: I'm a vegan and I live in Porto, where do we eat?",
        "Tester: I live in Malmö",
        "crash report: I live in Peru and every date is off by a day",
        "support ticket #88: I work at Lidl and can't sign in",
        "From Greta: I'm vegan",
        "Priya: I moved to Utrecht",
        "Ayla: I moved to Utrecht\nTom: we miss you",
        "teams chat with Ayla: I moved to Utrecht. My son is 4.",
        "mail from Tobias - I live in Bern and I'm vegan",
        "Ruta just messaged me: I'm pregnant, can we swap shifts",
        "just got this from support: I don't eat meat",
        "client quote - I have three kids",
        "Karin (product owner): I live in Bern",
        "my landlady on the phone: I live in Bern",
        "2026-03-09 WARN visitor: I live in Bern",
        "[09:14] Ayla: I live in Bern",
    ],
)
def test_a_label_of_another_person_or_text_hides_its_statements(said: str) -> None:
    assert list(statements(said, None)) == []


@pytest.mark.parametrize(
    "label",
    [
        "Me:", "btw:", "quick question:", "Hi Nils:", "test:", "TL;DR:", "important for the hotel booking:",
        "note to self:", "PS:", "Context:", "my situation:", "About me:", "great news:", "Home:", "Background:",
        "my ticket from Monday:", "One thing -", "Nils -", "I told Nils:", "the problem:", "Berlin trip:",
        "QA here:", "Status report:", "Bern:", "Summary (for the record):", "Marathon:", "Breakfast:", "Bosch:",
        "Asthma:", "Guitar:", "Dog:", "Experience in sales:", "Code review:", "Support tickets:",
        "Career in marketing -", "From Monday:", "Work: I have a desk\nHome:",
    ],
)  # fmt: skip
def test_a_label_of_own_matters_hides_nothing(label: str) -> None:
    said = statements(f"{label} I live in Bern", None)
    assert [(fact.attribute, fact.value) for fact in said] == [("lives_in", "Bern")]


@pytest.mark.parametrize(
    ("speaker", "subject"), [("Tom", "Tom"), ("Tom Reed", "Tom Reed"), ("Anna", None), (None, None)]
)
def test_a_label_with_the_name_of_the_speaker_is_own(speaker: str | None, subject: str | None) -> None:
    found = [(fact.subject, fact.value) for fact in statements("Tom: I live in Leeds", speaker)]
    assert found == ([(subject, "Leeds")] if subject else [])


def test_the_writer_goes_on_where_a_sentence_is_not_of_that_person() -> None:
    said = "support ticket: I work at Lidl. I live in Ulm. What should I answer? I live in Bern."
    assert own_words(said).strip() == "What should I answer? I live in Bern."
    said = "Ayla on slack: I'm vegan. She moved in March. I live in Bern."
    assert own_words(said).strip() == "She moved in March. I live in Bern."


@pytest.mark.parametrize(
    "said",
    [
        "Siemens replied: I got the job, I work at Siemens",
        "Bosch called - I work at Bosch",
        "mail from HR: I got promoted, I work at Bosch",
        "great feedback from my manager: I work at Bosch from now on",
        "just got an offer from Bosch: I work at Bosch from May",
    ],
)
def test_news_for_the_speaker_is_own(said: str) -> None:
    assert without_labelled(said) == said


def test_a_label_with_the_full_name_of_the_speaker_is_own() -> None:
    assert without_labelled("Tom Reed: I live in Leeds", "Tom") == "I live in Leeds"
    assert without_labelled("Tom Reed: I live in Leeds", "Tom Smith") == ""
