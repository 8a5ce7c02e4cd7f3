"""Endings and beginnings of facts through the real worker: the resulting facts and their valid times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_service.memory import Memory
from memory_service.requests import NewMessage
from tests.conftest import settle

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


async def _told(memory: Memory, text: str, day: float) -> None:
    at = START + timedelta(days=day)
    reply = NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20))
    await memory.add_messages("anna", f"c{day}", [NewMessage("user", text, occurred_at=at), reply])
    await settle(memory, "anna")


async def _believed(memory: Memory, day: float) -> set[str]:
    page = await memory.list_facts("anna", as_of=START + timedelta(days=day))
    return {fact.fact for fact in page.items}


async def test_what_has_ended_is_believed_until_then(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I live in Berlin.", 0)
    await _told(memory, "I'm dating Tom.", 1)
    await _told(memory, "We adopted a dog named Rex.", 2)
    await _told(memory, "I work at Siemens.", 3)
    before = await _believed(memory, 4)
    assert {"user lives in Berlin.", "user's partner is Tom.", "user's dog is called Rex."} <= before
    assert "user works at Siemens." in before
    await _told(memory, "I left Berlin.", 10)
    await _told(memory, "We broke up.", 11)
    await _told(memory, "Rex died last night.", 12)
    await _told(memory, "I quit my job.", 13)
    assert await _believed(memory, 14) & before == set()
    assert await _believed(memory, 5) == before


async def test_whoever_begins_anew_has_one_partner(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I'm dating Tom.", 0)
    await _told(memory, "I broke up with Tom. I'm dating Ben now.", 5)
    partners = {fact for fact in await _believed(memory, 6) if "partner" in fact}
    assert partners == {"user's partner is Ben."}
    assert "user's partner is Tom." in await _believed(memory, 1)


async def test_a_move_to_another_country_ends_the_home_in_a_town(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I live in Berlin and I speak French, Spanish and German.", 0)
    await _told(memory, "I moved to Spain.", 5)
    spoken = {f"user speaks {language}." for language in ("French", "Spanish", "German")}
    assert await _believed(memory, 6) == spoken | {"user lives in Spain."}
    await _told(memory, "We live in Valencia.", 7)
    await _told(memory, "I moved to Portugal, I live in Porto now.", 9)
    now = await _believed(memory, 10)
    assert {"user lives in Porto.", "user lives in Portugal."} <= now
    assert not [fact for fact in now if "Valencia" in fact or "Spain" in fact]


@pytest.mark.parametrize(
    ("said", "denied", "facts"),
    [
        ("I am allergic to penicillin, please never forget it!", "No, I am not allergic to penicillin.",
         ["user is allergic to penicillin.", "user is not allergic to penicillin."]),
        ("I'm pregnant! Please never forget it.", "I am not pregnant.", ["user is pregnant.", "user is not pregnant."]),
        ("I'm vegan, please never forget it!", "I am not vegan.", ["user is vegan.", "user is not vegan."]),
    ],
)  # fmt: skip
async def test_a_plain_denial_contradicts_and_ends_nothing(
    memory: Memory, said: str, denied: str, facts: list[str]
) -> None:
    await memory.create_bank("anna")
    await _told(memory, said, 0)
    await _told(memory, denied, 9)
    page = await memory.list_facts("anna", as_of=START + timedelta(days=9, minutes=1))
    now = {fact.fact: fact for fact in page.items}
    assert sorted(now) == sorted(facts)
    older, newer = (now[fact].confidence for fact in facts)
    assert (older, newer) == (pytest.approx(0.63, abs=0.01), pytest.approx(0.9, abs=0.01))
    (question,) = (await memory.list_clarifications("anna")).items
    assert (question.status, sorted(fact.fact for fact in question.facts)) == ("open", sorted(facts))


async def test_what_is_so_no_longer_has_ended_without_a_question(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I am allergic to penicillin, please never forget it!", 0)
    await _told(memory, "I'm pregnant! Please never forget it.", 1)
    await _told(memory, "I'm no longer allergic to penicillin.", 9)
    await _told(memory, "I'm not pregnant anymore.", 10)
    assert await _believed(memory, 2) == {"user is allergic to penicillin.", "user is pregnant."}
    assert await _believed(memory, 11) == set()
    assert (await memory.list_clarifications("anna")).items == ()


@pytest.mark.parametrize(
    "said",
    ["I was wrong, I'm not allergic to penicillin.", "I was wrong about penicillin, I'm not allergic to it."],
)
async def test_a_speaker_who_was_wrong_ends_an_allergy_without_a_question(memory: Memory, said: str) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I am allergic to penicillin, please never forget it!", 0)
    await _told(memory, said, 9)
    assert await _believed(memory, 2) == {"user is allergic to penicillin."}
    assert "user is allergic to penicillin." not in await _believed(memory, 10)
    assert (await memory.list_clarifications("anna")).items == ()


@pytest.mark.parametrize("known", ["I have a nut allergy.", "I'm allergic to nuts, please never forget it!"])
@pytest.mark.parametrize(
    ("said", "ends"),
    [
        ("I was wrong about my nut allergy, I'm not allergic.", True),
        ("I was wrong about my nut allergy. I'm not allergic to nuts.", True),
        ("I was wrong about my nut allergy, it's much worse.", False),
        ("I was wrong about my nut allergy. I'm not allergic to cats.", False),
    ],
)
async def test_a_named_allergy_that_was_wrong_ends_in_either_number(
    memory: Memory, known: str, said: str, ends: bool
) -> None:
    await memory.create_bank("anna")
    await _told(memory, known, 0)
    (before,) = await _believed(memory, 2)
    await _told(memory, said, 9)
    assert (before in await _believed(memory, 10)) is not ends
    assert not any("is allergic to" in fact for fact in await _believed(memory, 10) - {before})
    assert (await memory.list_clarifications("anna")).items == ()


@pytest.mark.parametrize(
    ("before", "change", "ended"),
    [
        ("We use Postgres 15 and Redis.", "We upgraded to Postgres 17.", "user uses Postgres 15."),
        ("My dentist is Dr Brandt.", "My dentist is Dr Halloran now.", "user's dentist is Dr Brandt."),
        ("My vet is called Ida.", "My new vet is called Omar.", "user's vet is called Ida."),
        ("I run every Sunday.", "I stopped running.", "user runs every Sunday."),
        (
            "My flight to Lima is on March 3.",
            "My flight to Lima was moved to March 5.",
            "user's flight to lima is on March 3.",
        ),
        (
            "My Genetics exam is on June 4.",
            "My Genetics exam is on June 8 now.",
            "user's genetics exam is on June 4.",
        ),
        ("We open at 7.", "We open at 6:30 now.", "user's opening time is 7."),
        ("I charge 80 euros an hour.", "I charge 95 euros an hour now.", "user charges 80 euros an hour."),
        ("My mother has diabetes.", "My mother died in March.", "user's mother has diabetes."),
        ("I have a cat named Olive.", "Olive died this morning.", "user has a cat."),
        ("I'm pregnant, due in March.", "I lost the baby.", "user is pregnant, due in March."),
        ("I'm pregnant, due in March.", "I'm not pregnant anymore.", "user is pregnant, due in March."),
        ("I'm on doxycycline.", "Finished the tablets.", "user takes doxycycline."),
        ("I'm taking iron tablets.", "Doctor says I can stop the iron.", "user takes iron tablets."),
        ("I'm on citalopram.", "Stopped the citalopram, too tired on it.", "user takes citalopram."),
        ("I have eczema.", "My eczema is gone since the summer.", "user has eczema."),
        ("I have a cat named Olive.", "My cat died this morning.", "user's cat is called Olive."),
        ("I have a cat named Olive.", "We gave Olive to my neighbour.", "user has a cat."),
        ("My husband Hugo is a baker.", "Hugo passed away in May.", "user's husband works as baker."),
        ("My husband is called Hugo.", "I'm a widow now.", "user's husband is called Hugo."),
        ("My grandmother Ruth lives in Riga.", "My granny died.", "user's grandmother lives in Riga."),
        ("My sister Nora lives in Riga.", "My sister Nora died.", "user's sister is called Nora."),
        ("My dad lives in Riga.", "Dad died last night.", "user's father lives in Riga."),
        (
            "My son Finn is allergic to eggs.",
            "My son Finn is no longer allergic to eggs.",
            "user's son Finn is allergic to eggs.",
        ),
        ("My dad is 81.", "My dad turned 82 today.", "user's father is 81 years old."),
        (
            "I live with my boyfriend Callum.",
            "Callum and I broke up.",
            "user lives with their boyfriend Callum.",
        ),
        ("I live with my girlfriend.", "We broke up.", "user lives with their girlfriend."),
        (
            "I take metformin 500 twice a day.",
            "I stopped taking metformin.",
            "user takes metformin 500 twice a day.",
        ),
        ("I take sertraline, 50 mg.", "I'm off the sertraline.", "user's dose of sertraline is 50 mg."),
        (
            "We use MySQL 8 in production.",
            "We migrated from MySQL to Postgres.",
            "user uses MySQL 8 in production.",
        ),
        (
            "My dentist appointment is on December 4.",
            "My dentist appointment was moved to December 9.",
            "user's dentist appointment is on December 4.",
        ),
        (
            "My interview is on December 4.",
            "The interview was cancelled.",
            "user's interview is on December 4.",
        ),
        (
            "I take 50 mg of sertraline.",
            "My sertraline was raised to 100 mg.",
            "user's dose of sertraline is 50 mg.",
        ),
        ("I'm vegetarian.", "I started eating meat again.", "user is vegetarian."),
        (
            "My cataract surgery is on May 4.",
            "My surgery was cancelled.",
            "user's cataract surgery is on May 4.",
        ),
        ("My driving test is on Tuesday.", "I passed my driving test!", "user's driving test is on Tuesday."),
        ("I don't smoke.", "I started smoking again.", "user does not smoke."),
        (
            "I play bridge with Ann on Thursdays.",
            "I no longer play bridge.",
            "user plays bridge with Ann on Thursdays.",
        ),
        (
            "My daughter Mia is allergic to eggs.",
            "Mia is no longer allergic to eggs.",
            "user's daughter Mia is allergic to eggs.",
        ),
        ("My brother Paul is married.", "Paul is divorced now.", "user's brother Paul is married."),
        ("Our dog Bruno is 12.", "we had to put bruno down yesterday", "user's dog is called Bruno."),
        (
            "I have a parrot named Kiwi.",
            "I gave Kiwi away to my brother.",
            "user's parrot is called Kiwi.",
        ),
        ("I work at Nokia in Espoo.", "I've left Nokia.", "user works at Nokia in Espoo."),
        ("I work as a baker.", "I lost my job.", "user works as baker."),
        ("I'm a nurse at St Thomas.", "I quit St Thomas last week.", "user works as nurse."),
        ("I drive a Fiat Panda.", "I scrapped the Panda.", "user drives Fiat Panda."),
        ("I broke my wrist.", "My wrist has healed.", "user broke their wrist."),
        (
            "I broke my left wrist. I sprained my right wrist.",
            "My left wrist has healed.",
            "user broke their left wrist.",
        ),
        ("I broke my wrist.", "My left wrist has healed.", "user broke their wrist."),
        ("My bank is Barclays.", "I switched from Barclays to Monzo.", "user's bank is Barclays."),
        ("My editor is VS Code.", "I use Neovim now.", "user's editor is VS Code."),
        ("I study medicine.", "I study law now.", "user studies medicine."),
        ("I hate olives.", "I like olives now.", "user dislikes olives."),
        (
            "My dentist is Dr. Roth.",
            "My new dentist's a Dr. Kim near the station.",
            "user's dentist is called Dr Roth.",
        ),
    ],
)
async def test_a_change_ends_what_the_bank_holds_of_the_former(
    memory: Memory, before: str, change: str, ended: str
) -> None:
    await memory.create_bank("anna")
    await _told(memory, before, 0)
    assert ended in await _believed(memory, 1)
    await _told(memory, change, 9)
    assert ended in await _believed(memory, 8)
    assert ended not in await _believed(memory, 10)


@pytest.mark.parametrize(
    ("before", "other", "kept"),
    [
        ("We use Python 3.12.", "I upgraded to Python 3.8 in 2020.", "user uses Python 3.12."),
        ("We use Postgres 15.", "We upgraded staging to Postgres 17.", "user uses Postgres 15."),
        ("I use Windows 11.", "I upgraded my mom's laptop to Windows 10.", "user uses Windows 11."),
        ("My dentist is Dr Brandt.", "My sister's new dentist is Dr Bell.", "user's dentist is Dr Brandt."),
        ("My dentist is Dr Brandt.", "My dentist is Dr Brandt now.", "user's dentist is Dr Brandt."),
        ("We use Postgres 15.", "We're on Postgres 15 now.", "user uses Postgres 15."),
        ("I run every Sunday.", "I stopped painting.", "user runs every Sunday."),
        ("I work at Philips.", "I work at the food bank on Saturdays.", "user works at Philips."),
        ("I live in Vienna.", "I moved to Uppsala for the exchange, until January.", "user lives in Vienna."),
        ("I'm a nurse.", "I run a choir on Thursdays.", "user works as nurse."),
        ("My exam is on June 4.", "My viva is on June 9 now.", "user's exam is on June 4."),
        ("I have diabetes.", "My mother died in March.", "user has diabetes."),
        ("I'm pregnant, due in March.", "My sister lost the baby.", "user is pregnant, due in March."),
        ("I'm on metformin.", "Finished the tablets.", "user takes metformin."),
        ("I'm on citalopram. I take metformin.", "Stopped the tablets.", "user takes metformin."),
        ("I'm on metformin.", "Stopped the car on the bridge.", "user takes metformin."),
        ("I have a cat named Olive. I have a cat named Basil.", "Basil died.", "user has a cat."),
        ("I have a cat named Olive. I have a dog named Rex.", "Rex died.", "user has a cat."),
        (
            "My husband is called Hugo. My uncle Hugo lives in Ulm.",
            "Hugo died.",
            "user's uncle Hugo lives in Ulm.",
        ),
        ("My sister Nora's birthday is May 3.", "Nora died.", "user's sister Nora's birthday is May 3."),
        ("My brother lives in Ulm.", "My brother Tom died last year.", "user's brother lives in Ulm."),
        (
            "My interview with Google is on May 3.",
            "My interview with Apple is on May 5.",
            "user's interview with google is on May 3.",
        ),
        ("I run a book club on Mondays.", "I stopped running.", "user runs a book club on Mondays."),
        (
            "I live in Berlin.",
            "I moved to Rome in 1998 and met my first wife there.",
            "user lives in Berlin.",
        ),
        ("I live in Ghent.", "We moved to Brussels for a year in 2009.", "user lives in Ghent."),
        ("I work at Google.", "In 2010 I joined Nokia as an intern.", "user works at Google."),
        ("I'm divorced.", "I got married in 2003.", "user is divorced."),
        ("I live in Leeds.", "I'm living in London for two weeks.", "user lives in Leeds."),
        ("I go to Tesco on Fridays.", "I quit my job at Tesco.", "user goes to Tesco on Fridays."),
        ("I'm a nurse.", "I quit St Thomas last week.", "user works as nurse."),
        ("I'm a nurse at St Thomas.", "I quit Tesco last week.", "user works as nurse."),
        ("I'm a nurse at St Thomas.", "I quit St Thomas. I work at Guy's now.", "user works as nurse."),
        ("I'm a student.", "I lost my job.", "user is a student."),
        ("I drive a Fiat Panda.", "I scrapped the Golf.", "user drives Fiat Panda."),
        ("I broke my wrist.", "My ankle has healed.", "user broke their wrist."),
        ("I broke my left wrist.", "My right wrist has healed.", "user broke their left wrist."),
        (
            "I broke my left wrist. I sprained my right wrist.",
            "My wrist has healed.",
            "user broke their left wrist.",
        ),
        ("I'm an electrician by trade.", "I got laid off.", "user works as electrician."),
        ("I'm a qualified teacher.", "I lost my job.", "user works as qualified teacher."),
        ("I work as a baker.", "I was laid off in 2009.", "user works as baker."),
        ("I work as a baker. I smoke ten a day.", "I've quit.", "user works as baker."),
        ("I have a parrot named Kiwi.", "I gave Coco away to my brother.", "user's parrot is called Kiwi."),
        (
            "My daughter Mia is allergic to eggs.",
            "Ella is no longer allergic to eggs.",
            "user's daughter Mia is allergic to eggs.",
        ),
        (
            "I play bridge with Ann on Thursdays.",
            "I no longer play chess.",
            "user plays bridge with Ann on Thursdays.",
        ),
        (
            "I play bridge with Ann on Thursdays.",
            "Ann no longer plays bridge.",
            "user plays bridge with Ann on Thursdays.",
        ),
    ],
)
async def test_what_does_not_take_its_place_ends_nothing(
    memory: Memory, before: str, other: str, kept: str
) -> None:
    await memory.create_bank("anna")
    await _told(memory, before, 0)
    assert kept in await _believed(memory, 1)
    await _told(memory, other, 9)
    assert kept in await _believed(memory, 10)


async def test_replies_are_read_with_the_messages_before_them(memory: Memory) -> None:
    await memory.create_bank("anna")
    said = (
        ("user", "I can't eat shrimp."),
        ("assistant", "Noted. Do you still live in Oslo?"),
        ("user", "No, Bergen since May."),
        ("assistant", "And what do you do for a living?"),
        ("user", "nurse"),
        ("assistant", "Any pets?"),
        ("user", "I can't eat prawns either."),
        ("assistant", "Noted."),
        ("user", "Sorry, not prawns, I meant oysters."),
    )
    for n, (role, text) in enumerate(said):
        at = START + timedelta(minutes=n)
        await memory.add_messages("anna", "c", [NewMessage(role, text, occurred_at=at)])
    await settle(memory, "anna")
    assert await _believed(memory, 1) == {
        "user does not eat shrimp.",
        "user lives in Bergen.",
        "user works as nurse.",
        "user does not eat oysters.",
    }


async def test_what_is_resumed_parted_or_held_by_another_ends_the_former_fact(memory: Memory) -> None:
    await memory.create_bank("anna")
    for day, text in enumerate(
        ["I gave up coffee.", "my boyfriend is Leo", "my plumber is Dave Lunt", "Hana is my colleague.",
         "we fly to Rome on 12 december", "I live in York."]
    ):  # fmt: skip
        await _told(memory, text, day)
    for day, text in enumerate(
        ["I'm back on coffee, by the way", "leo dumped me", "dave lunt retired!!", "Hana left the company",
         "the dentist is on tuesday, moved to thursday at 11"], 10
    ):  # fmt: skip
        await _told(memory, text, day)
    assert await _believed(memory, 20) == {
        "user drinks coffee.", "user and Leo broke up.", "user flies to Rome on 12 december.", "user lives in York.",
    }  # fmt: skip


DENTIST = {"user's dentist is called Anna.", "user's dentist is Anna."}


@pytest.mark.parametrize(
    ("said", "ending", "believed"),
    [
        (["My coach is Sam.", "My manager is Sam Smith."], "Sam retired",
         {"user's coach is called Sam.", "user's manager is called Sam Smith."}),
        (["My dentist is Anna."], "Anna left the company", DENTIST),
        (["My dentist is Anna."], "Anna left the band", DENTIST),
        (["My dentist is Anna."], "Anna retired", set[str]()),
        (["My dentist is Anna.", "My boss is Anna Bell."], "Anna left the company", DENTIST),
    ],
)  # fmt: skip
async def test_only_the_one_role_that_a_name_stands_for_ends(
    memory: Memory, said: list[str], ending: str, believed: set[str]
) -> None:
    await memory.create_bank("anna")
    for day, text in enumerate(said):
        await _told(memory, text, day)
    await _told(memory, ending, 10)
    assert await _believed(memory, 20) == believed


async def test_a_moved_wedding_has_its_new_date(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "Our wedding is on June 5th 2027.", 0)
    await _told(memory, "Our wedding has been moved to June 6th 2027.", 9)
    assert await _believed(memory, 10) == {"user's wedding is on June 6th 2027."}


@pytest.mark.parametrize(
    ("before", "after", "facts"),
    [
        ("I'm allergic to soy.", "That's wrong, I'm not allergic to soy.", {"user is not allergic to soy."}),
        ("I'm allergic to soy.", "I never said I was allergic to soy, that's wrong.", set[str]()),
        ("I'm diabetic.", "That with the diabetes was my colleague typing, not me.", set[str]()),
    ],
)  # fmt: skip
async def test_a_retracted_statement_leaves_no_question(
    memory: Memory, before: str, after: str, facts: set[str]
) -> None:
    await memory.create_bank("anna")
    await _told(memory, before, 0)
    await _told(memory, after, 9)
    assert await _believed(memory, 10) == facts
    assert (await memory.list_clarifications("anna")).items == ()


async def test_a_value_alone_corrects_the_last_message(memory: Memory) -> None:
    await memory.create_bank("anna")
    messages: list[NewMessage] = []
    for minute, text in enumerate(
        (
            "My brother Jan is a pilot.",
            "Jonas, not Jan. Jan is my cousin lol",
            "I live in Basel.",
            "I meant Bern",
        )
    ):
        at = START + timedelta(minutes=minute)
        messages += [
            NewMessage("user", text, occurred_at=at),
            NewMessage("assistant", "I see.", occurred_at=at + timedelta(seconds=20)),
        ]
    await memory.add_messages("anna", "c", messages)
    await settle(memory, "anna")
    assert await _believed(memory, 1) == {
        "user's brother is called Jonas.",
        "user's brother Jonas works as pilot.",
        "user's cousin is called Jan.",
        "user lives in Bern.",
    }


async def test_an_announced_change_counts_from_its_day(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I work at Siemens.", 0)
    await _told(memory, "I'm on sick leave until April 20.", 1)
    await _told(memory, "I've handed in my notice at Siemens.", 2)
    assert "user works at Siemens." in await _believed(memory, 60)
    await _told(memory, "I start at Nokia on May 4th.", 3)  # day 64
    await _told(memory, "From June I'll live in Espoo.", 4)  # day 92
    before, after, at_last = (
        await _believed(memory, 63),
        await _believed(memory, 65),
        await _believed(memory, 93),
    )
    assert "user works at Siemens." in before
    assert "user works at Nokia." not in before
    assert "user works at Nokia." in after
    assert "user works at Siemens." not in after
    assert "user lives in Espoo." in at_last - after
    leave = "user is on sick leave until April 20."
    assert leave in await _believed(memory, 50)
    assert leave not in await _believed(memory, 51)


async def test_a_job_ends_after_its_announced_last_day(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I work at Siemens.", 0)
    await _told(memory, "My last day at Siemens is April 30.", 1)
    assert "user works at Siemens." in await _believed(memory, 60)
    assert "user works at Siemens." not in await _believed(memory, 61)
    await _told(memory, "I quit my job today.", 10)
    assert "user works at Siemens." in await _believed(memory, 9)
    assert "user works at Siemens." not in await _believed(memory, 11)


async def test_a_later_announced_end_replaces_an_earlier_one(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I take amoxicillin until March 20.", 1)
    await _told(memory, "I take amoxicillin until March 28.", 10)
    assert any("amoxicillin" in fact for fact in await _believed(memory, 27))
    assert not any("amoxicillin" in fact for fact in await _believed(memory, 28))


async def test_messages_with_announced_times_may_arrive_late(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I work at Nokia and I love it.", 70)
    await _told(memory, "I start at Nokia on May 4th.", 3)
    await _told(memory, "I work at Siemens.", 0)
    assert {"user works at Siemens."} == {f for f in await _believed(memory, 60) if "works at" in f}
    assert {"user works at Nokia."} == {f for f in await _believed(memory, 71) if "works at" in f}


async def test_an_announced_change_that_falls_through_does_not_take_place(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I live in Oslo. I work at Nokia.", 0)
    await _told(memory, "From November I'll live in Espoo. I start at Ericsson on November 1st.", 1)
    assert "user lives in Espoo." in await _believed(memory, 300)
    await _told(memory, "The move to Espoo fell through. The Ericsson job fell through.", 2)
    now = await _believed(memory, 300)
    assert {"user lives in Oslo.", "user works at Nokia."} <= now
    assert not now & {"user lives in Espoo.", "user works at Ericsson."}


async def test_whoever_still_works_there_after_a_notice_stays(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "I work at Nokia.", 0)
    await _told(memory, "My last day at Nokia is April 30.", 1)
    assert "user works at Nokia." not in await _believed(memory, 90)
    await _told(memory, "I still work at Nokia, they gave me a raise.", 2)
    assert "user works at Nokia." in await _believed(memory, 90)


async def test_a_friend_without_a_name_may_be_another(memory: Memory) -> None:
    await memory.create_bank("anna")
    await _told(memory, "My friend is called Ana. My mother is called Eva.", 0)
    await _told(memory, "My friend died yesterday.", 5)
    assert "user's friend is called Ana." in await _believed(memory, 6)
    await _told(memory, "My mother died yesterday.", 7)
    assert "user's mother is called Eva." not in await _believed(memory, 8)
