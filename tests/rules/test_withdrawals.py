"""Permissions and withdrawals, which replace the norm of an earlier instruction."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest

from memory_service.rules.extractor import extract
from memory_service.rules.gate.forgetting import without_forgetting
from memory_service.rules.gate.gate import judge, read_segment, weighed
from memory_service.rules.norms.norms import norms_of
from memory_service.rules.norms.slots import Slot
from memory_service.rules.norms.withdrawals import withdrawal_in
from memory_service.types import Segment, Utterance

ONLY_LIFT = (
    "Tables are fine now.",
    "You can run the tests again.",
    "You can use the old key again.",
    "Emojis in the story are ok now.",
)
"""Permissions that state nothing without an order that they end."""
TALKS = "talk or mention or bring or speak or ask or discuss or remind or tell"


def segment(text: str) -> Segment:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Segment(uuid.uuid4(), (Utterance(uuid.uuid4(), "user", text, None, at),))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Please contact me by email only, do not call me.", "You may call me now."),
        ("Do not call me.", "u can ring me again"),
        ("Don't use emojis.", "Emojis are ok again."),
        ("No emojis please.", "Ok, you're allowed to use emojis again, I miss them."),
        ("Never use emojis.", "Forget the emoji rule, I was in a bad mood."),
        ("stop using bullet points", "Actually bullet points are fine."),
        ("No bullet points, ever.", "I don't mind bullet points any more"),
        ("Keep your answers short.", "You can write longer answers again."),
        ("Keep your answers short.", "You can give longer answers now, I like details."),
        ("Please keep your replies brief.", "You no longer have to keep it brief."),
        ("Always answer in French.", "Go back to English please."),
        ("Always answer in French.", "Could you switch back to German please?"),
        ("From now on, reply in Polish.", "Ok, let's speak English again."),
        ("Use metric units only.", "Let's go back to imperial."),
        ("Always run the linter.", "You don't need to run the linter any more"),
        ("Always cite sources.", "No need to cite sources anymore, thanks"),
        ("Always remind me about the plants.", "You can stop reminding me about the plants."),
        ("no big words pls", "u can use big words now"),
        ("tabs not spaces pls", "Actually forget the tabs thing, gofmt handles it"),
        ("Please skip the jargon.", "From now on it's fine to use jargon again"),
        ("Always use tabs.", "Forget what I said about tabs."),
        ("stop using bullet points", "I take back what I said about bullet points"),
        ("Be formal with me.", "You don't have to be so formal."),
        ("Be formal.", "You can be more casual again :)"),
        ("Use metric units only.", "You can stop using metric units"),
        ("Don't recommend fish.", "You can recommend fish again."),
        ("Talk like a pirate from now on.", "Stop talking like a pirate."),
        ("talk to me like a pirate", "fine. normal please."),
        ("talk to me like a pirate", "talk normally again"),
        ("Always talk like a pirate.", "enough with the pirate talk"),
        ("Always answer in rhymes.", "Please stop rhyming."),
        ("Always answer in rhymes.", "No more rhymes."),
        ("please never call me, I work nights", "I don't work nights any more so you can call me now"),
        ("no emojis ever pls", "emojis are ok again in stories, not in mails"),
        ("no emoji in commits", "emoji in commits are ok now"),
        ("commit messages: no emoji", "Emojis are fine in commits again."),
        ("Don't use the word leverage.", "You can use the word leverage again."),
        ("Always answer in French.", "go back to english please"),
    ],
)
def test_a_withdrawal_has_the_slot_of_the_instruction_and_another_value(before: str, after: str) -> None:
    former = {norm.slot: norm for norm in norms_of(segment(before)) if norm.kind == "instruction"}
    (norm,) = norms_of(segment(after))
    assert norm.slot in former
    assert norm.value != former[norm.slot].value
    assert norm.kind == "instruction"
    passed = {verdict.gate for verdict in weighed(read_segment(segment(after))) if verdict.passed}
    assert judge(segment(after)).decision == "undecided"
    assert {"relational_damage", "stable_fact"} <= passed


@pytest.mark.parametrize(
    "text",
    [
        "You can use emojis in this one.",
        "You can use emojis again today.",
        "You may call me now, I'm at home.",
        "You can call me tonight.",
        "Can I call you now?",
        "Are emojis ok again?",
        "Is it fine to use bullet points now?",
        "My son says emojis are ok again.",
        "Emojis are fine again, said my son.",
        "Emojis are ok again, Marta told me.",
        '"You can use emojis again" is the whole email.',
        "He told his class: bullet points are fine again.",
        "Bullet points are fine.",
        "Tables are fine now.",
        "You can run the tests again.",
        "You can use the old key again.",
        "You can send the report now.",
        "You can try again now.",
        "You can stop now.",
        "You can stop worrying about the plants.",
        "You don't have to answer me any more.",
        "You don't need to send the form.",
        "You can stop adding salt now, the soup is fine.",
        "You don't have to be so careful with the vase.",
        "I take back what I said about Anna.",
        "Actually jokes are fine but not today.",
        "Long answers are fine for essays.",
        "You no longer answer in French.",
        "Go back to English class.",
        "Write it in English again.",
        "In Norway you can use cash again.",
        "I'm at home so you can call me now.",
        "Everything is back to normal.",
        "Stop talking like that.",
        "Stop talking to my brother.",
        "No more rhymes for the kids' book in this draft.",
        "Is it normal?",
        "Emojis in the story are ok now.",
        "Emojis in commits are fine.",
        "Emojis are fine in this mail again.",
        "you can stop using the secrecy thing",
        "go back to english class",
        "My son talks like a pirate.",
    ],
)
def test_a_permission_for_now_a_question_and_words_of_others_withdraw_nothing(text: str) -> None:
    withdrawal = withdrawal_in(text)
    assert withdrawal is None or withdrawal.only_lifts
    stated = [norm for norm in norms_of(segment(text)) if norm.kind != "preference"]
    assert bool(stated) == (text in ONLY_LIFT)
    assert all(norm.level == 0.0 and norm.lifts for norm in stated)


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("Emojis are ok again.", "user allows the assistant to use emojis"),
        ("You don't have to spell out my dates any more.",
         "user no longer needs the assistant to spell out the user's dates"),
        ("emojis are ok again in stories, not in mails",
         "user allows the assistant to use emojis in stories, not in mails"),
        ("Back to English please", "user wants the assistant to answer in English"),
        ("Never mind the metric thing", "user has no instruction about metric any more"),
    ],
)  # fmt: skip
def test_a_withdrawal_is_in_the_third_person(text: str, norm: str) -> None:
    assert [one.norm for one in norms_of(segment(text))] == [norm]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Forget the tabs rule, use spaces from now on.", "spaces"),
        ("You can stop using metric units, always use imperial units.", "imperial"),
        ("You can use longer answers again, but talk to me in Dutch.", "dutch"),
    ],
)
def test_another_instruction_behind_a_withdrawal_holds(text: str, value: str) -> None:
    assert norms_of(segment(text))[-1].value == value


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("You may talk about politics again", "faith and politics"),
        ("you can ask me about my divorce now", "relationships"),
        ("Ok, we can talk about my cancer again.", "health concerns"),
        ("You're welcome to mention the garden project again if you like.", "topic: garden project"),
    ],
)
def test_a_topic_that_may_be_talked_about_again_has_level_0(text: str, slot: str) -> None:
    norm = norms_of(segment(text))[0]
    assert (norm.kind, norm.slot, norm.level) == ("sensitivity", slot, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "We can talk about dinner now.",
        "You can ask me about the invoice now.",
        "Can we talk about politics again?",
        "You may talk about politics again tomorrow.",
        "You may talk about politics again, said the host.",
        "My teacher says you can talk about religion now.",
    ],
)
def test_other_talk_allows_no_topic(text: str) -> None:
    assert [norm for norm in norms_of(segment(text)) if not norm.lifts] == []


@pytest.mark.parametrize(
    ("text", "lifts"),
    [
        ("You can touch migrations now, squash them for me", ("touch", "migrations")),
        ("meetings on Fridays are fine again", ("meetings", "fridays")),
        ("jokes about cats are okay again", ("cats", TALKS)),
        ("Greg is no longer off limits", ("greg",)),
        ("he is ok now. fine to mention Greg again", ("greg", TALKS)),
        ("You can suggest cheese again", ("suggest or recommend or propose or offer", "cheese")),
        ("forget the rule about semicolons", ("semicolons",)),
        ("my cheese rule no longer applies", ("cheese",)),
        ("please don't correct my spelling any more", ("correct", "spelling")),
        ("you don't have to ask before running tests any more", ("ask", "running", "tests")),
        ("suggest cheese again please", ("suggest or recommend or propose or offer", "cheese")),
        ("use emojis please", ("emojis",)),
        ("I'd like bullet points again", ("bullet", "points")),
        ("please stop adding tests", ("tests",)),
        ("stop reminding me about my pills", ("pills", "remind")),
        ("the redesign ban is officially over", ("redesign",)),
        ("our no-lambda rule does not apply any more", ("lambda",)),
        ("the merge freeze is lifted", ("merge", "freeze")),
        ("the codename thing is moot too", ("codename",)),
        ("disregard my earlier instructions on indentation, prettier runs on save", ("indentation",)),
        ("forget the rules I gave you about footnotes", ("footnotes",)),
        ("I take that back about oxford commas, our editor hates them", ("oxford", "commas")),
        ("you can use the product's public name again", ("product", "public", "name")),
        ("no more release notes, the bot writes them now", ("release", "notes")),
        ("no explanations any more, only the patch", ("explain or explanation",)),
    ],
)
def test_a_permission_or_withdrawal_names_its_matter(text: str, lifts: tuple[str, ...]) -> None:
    norm = norms_of(segment(text))[-1]
    assert tuple(word for word in norm.lifts if word[0] != "-") == lifts
    passed = {verdict.gate for verdict in weighed(read_segment(segment(text))) if verdict.passed}
    assert "relational_damage" in passed


@pytest.mark.parametrize(
    "text",
    [
        "it's fine now",
        "Greg is fine now",
        "the server is ok again",
        "You can talk about it now.",
        "You can have a break now",
        "You can delete the file now",
        "You can touch migrations",
        "You can talk about Greg tomorrow",
        "Can you talk about Greg now?",
        "My mum says you can talk about Greg now",
        "Milk is back, so use the oven now",
        "Dutch is ok",
        "only Italian is fine",
        "Italian is fine again",
        "Chinese is ok again",
        "English is okay now",
        "Thai only.",
        "Persian only.",
        "drop the thai thing",
        "cancel the order for pizza, we ate already",
        "cancel the request for window seats",
        "the travel ban is over",
        "the hosepipe ban is lifted",
        "the fire ban is over",
        "the hiring freeze is over",
        "the party is over",
        "the thing with the neighbours is over",
        "the house rules no longer apply",
        "I take it back about your cooking",
        "no more tests, school is out",
        "no more failing tests, it works now",
        "Write a card for Tim. Use emojis please.",
        "use emojis in this one please",
        "use emojis here",
        "I'd like emojis",
        "suggest a name again",
        "suggest it again",
        "run the tests again please",
        "use the blue one again",
        "stop adding salt now",
        "stop adding it",
        "stop running to the shop",
    ],
)
def test_a_remark_or_a_permission_for_once_names_no_matter(text: str) -> None:
    assert [norm for norm in norms_of(segment(text)) if norm.kind != "preference"] == []


@pytest.mark.parametrize(
    "text",
    [
        "Actually forget the tabs thing, gofmt handles it",
        "Forget about the bullet point rule.",
        "You can forget the emoji thing then.",
        "forget the german thing, english is fine",
        "forget my earlier instructions about the footer, the template has one",
        "forget the thing about the header, it comes from the template",
        "forget what I said about diagrams, I need them only in reviews, not always",
    ],
)
def test_the_end_of_an_instruction_is_no_request_to_erase(text: str) -> None:
    assert without_forgetting(text) == (text, False)


@pytest.mark.parametrize(
    "text",
    [
        "Forget the thing about my mum.",
        "Forget the thing about Petra, we broke up.",
        "Forget what I said about my knee, I never want it mentioned now.",
        "Forget the thing about the loan.",
        "Forget the rules of chess.",
        "Forget the email thing.",
        "Forget my diet.",
        "Forget the tabs I opened.",
    ],
)
def test_other_things_are_forgotten_by_erasing(text: str) -> None:
    assert without_forgetting(text)[1]
    assert withdrawal_in(text) is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Petra Lindqvist asked to delete her data. please forget everything about her", ""),
        ("a customer wants to be forgotten. forget everything about Petra", ""),
        ("you can drop the Nestle thing from memory, don't want that stored", ""),
        ("I live in Leeds. Clear the Nestle thing from your notes please", "I live in Leeds."),
        ("My doctor asked me to delete sugar. Forget my address", "My doctor asked me to delete sugar."),
        ("please forget Petra, she asked me to delete her data", ""),
        ("Petra wants us to delete all of her personal data. Forget Petra", ""),
        ("A customer asked us to delete her data. Forget what I said about my knee",
         "A customer asked us to delete her data."),
        ("Petra asked to delete her data. Forget what I said about Leeds", "Petra asked to delete her data."),
        ("A customer wants to be forgotten. Forget everything about Petra", ""),
        ("The customer asked to be forgotten. Forget the customer", ""),
        ("The customer asked to be forgotten. Forget the knee", "The customer asked to be forgotten."),
        ("A customer asked us to delete her data. Forget what I said about Leeds",
         "A customer asked us to delete her data."),
        ("clear everything from memory", ""),
        ("you can clear everything about me from your memory", ""),
        ("I live in Leeds. please don't keep that", "I live in Leeds."),
        ("I live in Leeds. I don't want that saved.", "I live in Leeds."),
        ("I live in Leeds. I don't want it saved anywhere", "I live in Leeds."),
    ],
)  # fmt: skip
def test_a_request_to_forget_goes_with_its_reason(text: str, left: str) -> None:
    assert without_forgetting(text) == (left, True)


@pytest.mark.parametrize(
    "text",
    [
        "Petra asked to delete her data.", "drop the table from memory", "I dropped that from memory.",
        "you can delete rows from memory with del", "You can remove the array from memory.",
        "I don't want that stored in the fridge", "How do I clear the cache from memory?",
        "please drop the intro bit from the notes", "Drop the boring part from the notes before you translate them",
        "Clear the sports stuff from the records table", "clear everything from memory before the job starts",
        "I don't want that saved. It's the wrong version of the file", "I don't want it saved, I want it spent",
        "please don't keep that dog indoors", "The jar is old, don't keep that",
    ],
)  # fmt: skip
def test_deleting_other_things_is_no_request_to_forget(text: str) -> None:
    assert without_forgetting(text) == (text, False)


def test_an_end_is_no_fact() -> None:
    """It was "user wants it don't need to remind the user"."""
    assert not extract(segment("you don't need to remind me about my pills anymore")).facts
    (fact,) = extract(segment("You don't need to include disclaimers.")).facts
    assert fact.text == "user does not need the assistant to include disclaimers."


@pytest.mark.parametrize("said", ["You can tell Petra now.", "ok, you can tell Petra after all"])
def test_a_person_may_be_told_now(said: str) -> None:
    found = withdrawal_in(said)
    assert found is not None
    assert found.slot == Slot("petra tell", "yes")


@pytest.mark.parametrize(
    "said",
    [
        "You can tell me now.",
        "You can tell Petra it's fine now that I'm here.",
        "You can tell Petra.",
        "You can tell now that it works.",
        "Can you tell Petra now?",
    ],
)
def test_a_task_or_a_remark_allows_to_tell_nobody(said: str) -> None:
    found = withdrawal_in(said)
    assert found is None or found.slot.name != "petra tell"
