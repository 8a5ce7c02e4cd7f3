"""Texts that an agent commits: the statements that rules read in the third person."""

from __future__ import annotations

import pytest

from memory_service.intake.facts import committed_candidates

Form = tuple[str | None, str | None]


def _read(text: str) -> tuple[str, Form, list[tuple[str | None, str | None, bool]]]:
    first, *others = committed_candidates(text)
    form = first["attribute"], first["value"]
    return first["text"], form, [(part["attribute"], part["value"], part["holds"]) for part in others]


@pytest.mark.parametrize(
    ("text", "first", "form", "others"),
    [
        ("User is allergic to penicillin and latex.", "user is allergic to penicillin.", ("allergic_to", "penicillin"),
         [("allergic_to", "latex", True)]),
        ("User has celiac disease and asthma.", "user has celiac disease.", ("has_condition", "celiac disease"),
         [("has_condition", "asthma", True)]),
        ("User is vegetarian and lactose intolerant.", "user is vegetarian.", ("diet", "vegetarian"),
         [("has_condition", "lactose intolerance", True)]),
        ("User works at Philips as a project manager", "user works at Philips.", ("works_at", "philips"),
         [("works_as", "project manager", True)]),
        ("Ines lives in Porto and works at Siemens.", "Ines lives in Porto.", ("lives_in", "porto"),
         [("works_at", "siemens", True)]),
        ("User's daughter is called Mila and is 6.", "user's daughter is called Mila.", ("child", "mila"),
         [("age", "6", True)]),
        ("User speaks Dutch, English and German.", "user speaks Dutch.", ("speaks", "dutch"),
         [("speaks", "english", True), ("speaks", "german", True)]),
        ("User's dog is allergic to chicken and beef.", "user's dog is allergic to chicken.",
         ("allergic_to", "chicken"), [("allergic_to", "beef", True)]),
    ],
)  # fmt: skip
def test_a_text_that_is_read_whole_becomes_its_statements(
    text: str, first: str, form: Form, others: list[tuple[str, str, bool]]
) -> None:
    assert _read(text) == (first, form, others)


@pytest.mark.parametrize(
    ("text", "form", "others"),
    [
        ("User is a nurse and lives in Ghent with her two cats.", ("works_as", "nurse"), [("lives_in", "ghent", True)]),
        ("User no longer lives in Utrecht", (None, None), [("lives_in", "utrecht", False)]),
        ("User stopped working at Philips.", (None, None), [("works_at", "philips", False)]),
        ("User quit smoking in March.", ("does_not_smoke", "anything"), [("smokes", "anything", False)]),
        ("User moved from Utrecht to Haarlem.", ("lives_in", "haarlem"), [("lives_in", "utrecht", False)]),
        ("Anna's deadline moved to 12 March", ("deadline_date", "12 march"), [("deadline_date", None, False)]),
        # One part is not read: the text stays as it is, without attribute; vital statements become separate facts.
        ("User is allergic to shellfish and carries an EpiPen.", (None, None), [("allergic_to", "shellfish", True)]),
        ("User is vegan and gluten-free.", (None, None), [("diet", "vegan", True)]),
        ("User is allergic to nuts, but not to almonds.", (None, None), [("allergic_to", "nuts", True)]),
        ("User asked to be called Annie.", ("preferred_name", "annie"), []),
        ("The user wants to be called Bo.", ("preferred_name", "bo"), []),
    ],
)  # fmt: skip
def test_a_text_that_says_more_keeps_its_words(
    text: str, form: Form, others: list[tuple[str, str | None, bool]]
) -> None:
    assert _read(text) == (text, form, others)


@pytest.mark.parametrize(
    "text",
    [
        "User asked whether peanuts are healthy.", "The user asked whether he is allergic to nuts and latex.",
        "User might move to Berlin.", "User may be allergic to nuts and latex.",
        "User thinks he is vegan and diabetic.",
        "User wants to work at Google and live in Zurich.", "User has a friend with diabetes and asthma.",
        "User has questions about diabetes, asthma and gout.", "User is not vegan and diabetic.",
        "User is worried about diabetes and asthma.", "Redis is single-threaded and works as a cache.",
        "User lives in Porto. He works at Siemens.", "User works at Siemens and his wife works at Bosch.",
        "User said his brother works at Shell and lives in Oslo.", "User used to live in Rome and Milan.",
        "User no longer works at Shell and feels great.", "Ines has a dog named Max.", "Client wants a discount.",
        "User is not allergic to penicillin or latex.", "User considers working at Bosch as a nurse.",
        "User asked about living in Rome and working at Fiat.",
    ],
)  # fmt: skip
def test_a_possibility_or_an_unread_part_gives_no_attribute(text: str) -> None:
    assert _read(text) == (text, (None, None), [])
