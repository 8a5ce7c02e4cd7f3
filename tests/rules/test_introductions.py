"""Introductions and names in careless writing: lower case, without apostrophes, particulars between commas."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.attributes import canonical
from memory_service.rules.facts.statements import statements
from memory_service.text.sentences import sentences


def _found(text: str) -> set[tuple[str | None, str | None, str | None]]:
    forms = [canonical(fact) for fact in statements(text, None)]
    return {(form.subject, form.attribute, form.value) for form in forms if form.holds}


def _of_user(**values: str) -> set[tuple[str, str, str]]:
    return {("user", attribute, value) for attribute, value in values.items()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("im maya, 27, nurse at st marys in bristol",
         _of_user(name="maya", age="27", works_as="nurse", works_at="st marys in bristol")),
        ("hey i'm tom 34 from leeds, work in logistics",
         {*_of_user(name="tom", age="34", works_in="logistics"), ("user", "from", "leeds")}),
        ("hii im noah im 14 and i just started guitar", _of_user(name="noah", age="14")),
        ("hi im tired im 14 today", set[tuple[str, str, str]]()),
        ("im bored im 14", set[tuple[str, str, str]]()),
        ("I myself live in Leeds", _of_user(lives_in="leeds")),
        ("now working in a company called Tekfen since 4 years", _of_user(works_at="tekfen")),
        ("I work in a bank", _of_user(works_in="bank")),
        ("I work in a bank Monday mornings", _of_user(works_in="bank")),
        ("I work in a bank London", set[tuple[str, str, str]]()),
        ("I work in a firm Paris", set[tuple[str, str, str]]()),
        ("hi im fit im 30 and want to run", _of_user(goal="run")),
        ("hi im fit, im 30 and want to run", _of_user(age="30", goal="run")),
        ("im bored im 14 and from leeds", set[tuple[str, str, str]]()),
        ("im noah im 14 and from leeds", {*_of_user(name="noah", age="14"), ("user", "from", "leeds")}),
        ("hi im sam, 31, plumber from hull",
         {*_of_user(name="sam", age="31", works_as="plumber"), ("user", "from", "hull")}),
        ("I'm Priya, 24, studying law", _of_user(name="priya", age="24", studies="law")),
        ("i'm anna 29 f living in york, working as a barista",
         _of_user(name="anna", age="29", lives_in="york", works_as="barista")),
        ("hi im ana, 23", _of_user(name="ana", age="23")),
        ("hello, i'm lucy, a teacher in bath", _of_user(name="lucy", works_as="teacher")),
        ("My name is Anna, 34, a teacher and I love climbing.",
         _of_user(name="anna", age="34", works_as="teacher", likes="climbing")),
        ("my girlfriend nadia cant come", _of_user(partner="nadia")),
        ("my bro jake just got a job at asda",
         {("user", "sibling", "jake"), ("user's brother jake", "works_at", "asda")}),
        ("my sister amy, 25, lives in leeds",
         {("user", "sibling", "amy"), ("user's sister amy", "age", "25"), ("user's sister amy", "lives_in", "leeds")}),
    ],
)  # fmt: skip
def test_an_introduction_gives_its_particulars(text: str, found: set[tuple[str, str, str]]) -> None:
    assert _found(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "im tired, 3 coffees and still asleep", "i'm fine 34 emails to go", "im late, nurse is waiting",
        "im done, 27 tickets closed", "im here, 27, nurse on duty", "im up, 27 messages from leeds",
        "im tom 34 emails to go", "this is maya, 27 tickets left", "im sarah from accounting", "im maya's sister",
        "im broke, 27 and from leeds", "are you maya, 27, nurse at st marys?", "im pregnant, 27 weeks",
        "my girlfriend cant come", "my girlfriend really cant come", "my flatmate also cant come",
        "my friend group cant decide", "my dog walker can't come", "my cat sitter can't make it", "my bro said hi",
        "my son home from school, 12 emails", "my mum just called",
    ],
)  # fmt: skip
def test_other_words_behind_a_person_are_no_name(text: str) -> None:
    assert {attribute for _, attribute, _ in _found(text)} & {
        "name", "partner", "friend", "friend_name", "pet", "sibling", "age", "works_as", "from", "child",
    } == set()  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no call me claire", "claire"), ("nah call me ted", "ted"), ("call me emily", "emily"),
        ("actually call me jo instead", "jo"), ("just call me sam please", "sam"), ("No, call me Claire.", "claire"),
    ],
)  # fmt: skip
def test_a_correction_names_the_person(text: str, value: str) -> None:
    assert _found(text) == {("user", "preferred_name", value)}


@pytest.mark.parametrize(
    "text",
    [
        "call me later", "call me crazy", "no call me back", "call me irresponsible", "call me when you're done",
        "can you call me", "don't call me claire", "call me a cab", "call me names", "call me at 5",
        "no call me tomorrow",
        "you can call me anytime", "just call me lazy", "call me old fashioned but i like paper",
    ],
)  # fmt: skip
def test_other_calls_name_no_one(text: str) -> None:
    assert {attribute for _, attribute, _ in _found(text)} & {"preferred_name", "name"} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My name is pronounced Shaun.", [("user", "name_pronounced", "shaun")]),
        ("my name is spelled Siân", [("user", "name_spelled", "siân")]),
        ("my name is pronounced wrong all the time", []),
        ("my name is spelled differently", []),
    ],
)
def test_how_a_name_is_spoken_is_no_other_name(text: str, found: list[tuple[str, str, str]]) -> None:
    assert sorted(_found(text), key=str) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("got the job :) starting at Aldi monday", ["got the job :)", "starting at Aldi monday"]),
        ("I moved to Leeds 😀 my dog is called Rex", ["I moved to Leeds 😀", "my dog is called Rex"]),
        ("we broke up 💔💔 i live alone", ["we broke up 💔💔", "i live alone"]),
        ("i'm vegan :-D i live in york xD ok", ["i'm vegan :-D", "i live in york xD", "ok"]),
        ("i love my cat <3 her name is Milo", ["i love my cat <3 her name is Milo"]),
        ("I 💙 my dog", ["I 💙 my dog"]),
        ("I ❤️ my dog", ["I ❤️ my dog"]),
        ("I <3 my dog", ["I <3 my dog"]),
        ("my flat 🏠 is in Leeds", ["my flat 🏠 is in Leeds"]),
        ("my dogs 🐶🐶 are called Rex and Max", ["my dogs 🐶🐶 are called Rex and Max"]),
        ("ratio 3:4 I live in York", ["ratio 3:4 I live in York"]),
        ("see http://x.org/:) now", ["see http://x.org/:) now"]),
        ("f(x: D) is a type", ["f(x: D) is a type"]),
        ("I live in Leeds :)", ["I live in Leeds :)"]),
        ("list[1 :] and x[: 2]", ["list[1 :] and x[: 2]"]),
    ],
)
def test_an_emoticon_ends_a_sentence(text: str, parts: list[str]) -> None:
    assert list(sentences(text)) == parts


def test_a_statement_behind_an_emoticon_is_read() -> None:
    assert _found("got the job :) starting at Aldi monday") == {("user", "works_at", "aldi")}
    assert _found("I quit my job :( now I work at Lidl") == {("user", "works_at", "lidl")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I'm Tom, 45, and my wife is a nurse at Barts",
         {*_of_user(name="tom", age="45"), ("user's wife", "works_as", "nurse"), ("user's wife", "works_at", "barts")}),
        ("I'm Tom, 45, not a teacher", _of_user(name="tom", age="45")),
        ("I'm Anna, 30, never been a nurse", _of_user(name="anna", age="30")),
        ("I'm Tom, 45, a nurse at Barts", _of_user(name="tom", age="45", works_as="nurse", works_at="barts")),
        ("I'm Autistic, 30, from Kiel", {*_of_user(has_condition="autism", age="30"), ("user", "from", "kiel")}),
        ("I'm Anna, 30, from Kiel", {*_of_user(name="anna", age="30"), ("user", "from", "kiel")}),
    ],
)  # fmt: skip
def test_parts_about_others_and_descriptions_are_told_apart(
    text: str, found: set[tuple[str, str, str]]
) -> None:
    assert _found(text) == found


def test_a_relative_in_an_introduction_has_the_job() -> None:
    assert ("user", "works_as", "doctor") not in _found("I'm Tom, 45, my boss is a doctor")


@pytest.mark.parametrize(
    "text",
    [
        "im black, 22, from hull", "im bi, 22, from hull", "im obese, 22, from hull", "im overweight, 22, from hull",
        "im homeless, 22, from hull", "im nonbinary, 22, from hull", "im straight, 22, from hull",
        "im freelance, 22, from hull",
        "I'm Homeless, 30, from Leeds", "im size 12, from york", "im gate 27, from leeds",
        "im room 12", "hi im size 12, from york", "I'm Bus 27, from Leeds", "im maya, 27, based in reality",
        "im maya, 27, from work", "im maya, 27, from accounting",
    ],
)  # fmt: skip
def test_a_condition_a_thing_or_no_place_is_no_introduction(text: str) -> None:
    assert {attribute for _, attribute, _ in _found(text)} & {"name", "age", "from", "lives_in"} == set()


@pytest.mark.parametrize(
    "text",
    [
        "they call me fat", "call me monday", "call me sunday", "call me whenever", "call me as", "call me idiot",
        "call me rude", "call me evil", "people call me karen", "everyone calls me slow", "call me heartless",
    ],
)  # fmt: skip
def test_insults_and_days_name_no_one(text: str) -> None:
    assert {attribute for _, attribute, _ in _found(text)} & {"preferred_name", "name"} == set()


def test_what_others_call_is_a_name_with_a_capital() -> None:
    assert _found("they call me Tom") == {("user", "preferred_name", "tom")}
    assert _found("you can call me sam") == {("user", "preferred_name", "sam")}


@pytest.mark.parametrize(
    "text",
    [
        "She said :) I live in Leeds", "My friend wrote :D I'm vegan", "Tom says 😂 i live in Leeds",
        "I wish 😭 i live in Leeds", "she texted me 😂😂 i live in Leeds", "Tom told me :) :) I live in Leeds",
        "he was like 😂 i live in leeds", "only if :) I live in Leeds",
    ],
)  # fmt: skip
def test_reported_speech_goes_on_behind_an_emoticon(text: str) -> None:
    assert _found(text) == set()


def test_a_finished_report_ends_at_an_emoticon() -> None:
    assert _found("She said hi :) I live in Leeds") == {("user", "lives_in", "leeds")}
    assert _found("Tom wrote back 😂 i live in Leeds") == {("user", "lives_in", "leeds")}


@pytest.mark.parametrize(
    "text",
    [
        "my dog toy is broken", "my dog vet is nice", "my cat tree is broken", "my mum friend is nice",
        "my sister boss is rude", "my cat scratcher post is broken", "My last name is pronounced like cow",
        "my surname is hard to spell",
    ],
)  # fmt: skip
def test_a_thing_of_an_animal_is_no_name(text: str) -> None:
    assert {attribute for _, attribute, _ in _found(text)} & {"pet", "mother_name", "sibling", "last_name", "surname"} \
        == set()  # fmt: skip


def test_names_of_animals_and_families_stay() -> None:
    assert ("user", "pet", "milo") in _found("my dog milo is 3")
    assert ("user", "last_name", "smith") in _found("My last name is Smith")
