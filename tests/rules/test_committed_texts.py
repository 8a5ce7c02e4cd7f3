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
        ("User stopped working at Philips.", (None, None),
         [("works_at", "philips", False), ("job_held", "philips", False)]),
        ("User quit smoking in March.", ("does_not_smoke", "anything"), [("smokes", "anything", False)]),
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


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("User prefers window seats", ("preferred_seat", "window")),
        ("User prefers the aisle", ("preferred_seat", "aisle")),
        ("User prefers tea over coffee", ("preferred_coffee_or_tea", "tea")),
        ("User prefers coffee to tea.", ("preferred_coffee_or_tea", "coffee")),
        ("User prefers red wine over white wine", ("preferred_wine", "red")),
        ("User prefers morning appointments", ("preferred_appointment_time", "morning")),
        ("User prefers short answers", ("answers_length_instruction", "short")),
        ("User prefers a formal tone", ("answers_tone_instruction", "formal")),
        ("User wants answers in German", ("answers_language_instruction", "german")),
        ("The user would like short replies", ("answers_length_instruction", "short")),
        ("User wants no emojis", ("answers_emojis_instruction", "no emojis")),
        ("User wants the assistant to reply in Dutch.", ("answers_language_instruction", "dutch")),
        ("User wants me to keep answers short", ("answers_length_instruction", "short")),
        ("User asked me to always answer in German", ("answers_language_instruction", "german")),
        ("User does not want me to mention his ex", ("instruction", "do not mention his ex")),
        # Not one of two, or an instruction beside the general one:
        ("User prefers flights to Rome", ("prefers", "flights to rome")),
        ("User prefers films over two hours", ("prefers", "films over two hours")),
        ("User prefers meetings over Zoom", ("prefers", "meetings over zoom")),
        ("User prefers eggs over easy", ("prefers", "eggs over easy")),
        ("User prefers Python over Java", ("preferred_java_or_python", "python")),
        ("User prefers to write messages in English", ("prefers", "to write messages in english")),
        ("User prefers emojis in chats", ("prefers", "emojis in chats")),
        ("User wants the assistant never to reply in English", ("instruction", "never reply in english")),
        (
            "User wants the assistant to reply in English, never in German",
            ("answers_language_instruction", "english"),
        ),
        ("User prefers aisle seats on long flights", ("prefers", "aisle seats on long flights")),
        ("User prefers formal clothes", ("prefers", "formal clothes")),
        ("User prefers coffee over everything", ("prefers", "coffee over everything")),
        ("User prefers talking to people", ("prefers", "talking to people")),
        ("User prefers walking to work", ("prefers", "walking to work")),
        ("User prefers staying home over going out", ("preferred_going_out_or_staying_home", "staying home")),
        ("User prefers to stay home over going out", ("prefers", "to stay home over going out")),
        ("User wants answers in German when he writes German", (None, None)),
        ("User wants recipes in German", (None, None)),
        ("User needs answers in German for homework", (None, None)),
        ("User wants a job in Germany", (None, None)),
        ("User wants no visitors", (None, None)),
        # Orders for once:
        ("User wants me to book a table for Friday", (None, None)),
        ("User asked me to write a poem", (None, None)),
        ("User wanted me to reply in Dutch", (None, None)),
        ("User wants me to write a casual email to Bob", (None, None)),
        ("User told me to never give up", (None, None)),
    ],
)
def test_a_preference_between_alternatives_has_one_value(text: str, form: Form) -> None:
    assert _read(text) == (text, form, [])


@pytest.mark.parametrize(
    ("text", "first", "form", "others"),
    [
        ("- **Name**: Anna\n- Location: Leeds\n- Diet: vegan", "Anna lives in Leeds.", ("lives_in", "leeds"),
         [("diet", "vegan", True)]),
        ("## User profile\n- **Name:** Anna\n* Age: 34\n- Languages: Dutch and English\n- Favourite band: Muse",
         "user is called Anna.", ("name", "anna"),
         [("age", "34", True), ("speaks", "dutch", True), ("speaks", "english", True),
          ("favorite_band", "muse", True)]),
        ("Name: Anna, Age: 34, City: Leeds", "Anna is 34 years old.", ("age", "34"), [("lives_in", "leeds", True)]),
        ("Location: Leeds\nDiet: vegan", "user lives in Leeds.", ("lives_in", "leeds"), [("diet", "vegan", True)]),
        ('{"name": "Anna", "city": "Leeds"}', "Anna's city is Leeds.", ("lives_in", "leeds"), []),
        ('{"user": {"name": "Anna", "homeCity": "Leeds", "allergies": ["nuts", "latex"]}}', "user is called Anna.",
         ("name", "anna"),
         [("lives_in", "leeds", True), ("allergic_to", "nuts", True), ("allergic_to", "latex", True)]),
        ('{"name": "Anna", "allergies": "none", "diet": "vegan"}', "Anna's allergies: none.", (None, None),
         [("diet", "vegan", True)]),
        ("Name: Anna\nConditions: asthma; eczema\nMedication: insulin (10 units) and metformin", "Anna has asthma.",
         ("has_condition", "asthma"),
         [("has_condition", "eczema", True), ("takes_medicine", "insulin", True),
          ("takes_medicine", "metformin", True)]),
        ("Name: Anna\nLikes: salt and vinegar crisps", "Anna likes salt and vinegar crisps.",
         ("likes", "salt and vinegar crisps"), []),
        ("Name: Anna\nLikes: tea, coffee and cake", "Anna likes tea.", ("likes", "tea"),
         [("likes", "coffee", True), ("likes", "cake", True)]),
        ("Name: Anna\nAllergies: nuts and shellfish but not peanuts",
         "Anna's allergies: nuts and shellfish but not peanuts.", (None, None),
         [("allergic_to", "nuts", True), ("allergic_to", "shellfish", True)]),
        ("Name: Anna\nAllergies: nuts (severe, lifelong), latex", "Anna is allergic to nuts (severe, lifelong).",
         ("allergic_to", "nuts"), [("allergic_to", "latex", True)]),
        ("Name: Anna\nKids: 2\nWants: a dog", "Anna's kids: 2.", ("number_of_children", "2"),
         [("wants", "dog", True)]),
        ('{"name": "Anna", "age": "unknown", "city": "Leeds"}', "Anna lives in Leeds.", ("lives_in", "leeds"), []),
    ],
)  # fmt: skip
def test_a_profile_becomes_a_fact_for_each_field(
    text: str, first: str | None, form: Form, others: list[tuple[str, str, bool]]
) -> None:
    assert _read(text) == (first or text, form, others)


@pytest.mark.parametrize(
    "text",
    [
        "Opening hours: 9 to 5\nAddress: High Street 5", "Company: Acme\nRole: backend engineer",
        "TODO: buy milk\nNote: call Bob", "Subject: Re: meeting\nFrom: Bob\nTo: Anna",
        "Ingredients: flour, eggs\nAge: 3 days\nName: Brioche", '{"name": "web-1", "location": "us-east"}',
        '{"a": {"b": 1}}', '{"name": "Anna", "city": ', "Mother: Ellen, 68, lives in Zwolle", "Name: Anna",
        "Anna: I live in Leeds\nBob: I work at Aldi", "Name: Anna\nAge: 34\nShe was late again.",
        '{"name": "Anna", "name2": "Bob", "active": true, "age": 3}', '{"name": "Anna"}', "[1, 2]",
        "Status: done\nPriority: high\nOwner: Anna",
    ],
)  # fmt: skip
def test_other_lists_are_no_profile(text: str) -> None:
    assert _read(text) == (text, (None, None), [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("User moved to Haarlem", "User moved to Haarlem and lives there."),
        ("User moved from Utrecht to Haarlem.", "User moved from Utrecht to Haarlem and lives there."),
        ("Anna relocated to Porto in March", "Anna relocated to Porto in March and lives there."),
        ("User moved to Haarlem and works at ASML", "User moved to Haarlem and works at ASML"),
        ("User plans to move to Rome", "User plans to move to Rome"),
        ("User lives in Rome", "User lives in Rome"),
        ("Today I moved to Rome.", "Today I moved to Rome."),
        ("User's father moved to Leeds in 1980", "User's father moved to Leeds in 1980"),
        ("User originally moved to Leeds", "User originally moved to Leeds"),
        ("Anna's deadline moved to 12 March", "Anna's deadline moved to 12 March"),
    ],
)
def test_a_move_says_that_it_led_to_a_home(text: str, words: str) -> None:
    assert committed_candidates(text)[0]["text"] == words


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Anna", "age": 34, "city": "Lee\\u0000ds"}',
        '{"name": "Anna", "age": 34, "city": "Lee\\ud800ds"}',
        '{"name": "Anna", "age": 34, "ci\\u0000ty": "Leeds"}',
        '{"name": "Anna", "age": 34, "speaks": ["English", "\\udfff"]}',
    ],
)
def test_an_escape_that_postgres_cannot_store_gives_no_profile(text: str) -> None:
    assert _read(text) == (text, (None, None), [])


def test_other_escapes_of_json_are_read() -> None:
    text = '{"name": "Anna", "age": 34, "city": "Z\\u00fcrich", "likes": "\\ud83d\\ude00"}'
    said = _read(text)
    assert [form[:2] for form in said[2]] == [("lives_in", "zürich"), ("likes", "😀")]
