"""Everyday words for a new home, job or post, and what sounds like them."""

from __future__ import annotations

import pytest

from memory_service.rules.facts.sentence_facts import facts_in

_NAMES = ("lives_in", "works_at", "works_as", "studies_at")


def _found(text: str) -> set[tuple[str | None, str | None, bool]]:
    return {
        (fact.attribute, fact.value, fact.holds)
        for fact in facts_in(text, None)
        if fact.attribute in _NAMES and fact.subject in (None, "user")
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Olomouc is officially my home!", "Olomouc"),
        ("So, Seville is home now.", "Seville"),
        ("Home is Tartu now, who would have thought.", "Tartu"),
        ("We call Aveiro home these days.", "Aveiro"),
        ("I've finally made Galway my home.", "Galway"),
        ("I'm back in Perth for good.", "Perth"),
        ("back in Lucca for good now", "Lucca"),
        ("got the keys to the apartment in Cluj, we moved in last night", "Cluj"),
        ("We picked up the keys for our new house in Ely today!", "Ely"),
        ("We've moved into a bigger flat in Liège.", "Liège"),
        ("finally settled into the new cottage in Wells", "Wells"),
        ("All the moving boxes are unpacked in Vigo.", "Vigo"),
        ("We've settled in Pécs with the children.", "Pécs"),
        ("Settling in nicely in Como, the flat is tiny.", "Como"),
        ("First night in our new flat in Deal, and no curtains yet.", "Deal"),
    ],
)
def test_home_is_read(text: str, value: str) -> None:
    assert ("lives_in", value, True) in _found(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("First shift at Ostrava Glass today!", "Ostrava Glass"),
        ("Today was my first shift at Dunmore.", "Dunmore"),
        ("week three at the new job, Pellworm, and I know all names", "Pellworm"),
        ("Two months in at Hartwell Dynamics, nice team.", "Hartwell Dynamics"),
        ("Settling in well at Marlow, the team is kind.", "Marlow"),
        ("handed in my notice at Sedgwick, start at Orlo in July", "Orlo"),
        ("Varga Systems offered me the job and I accepted!", "Varga Systems"),
        ("I took the Kinross offer, I start in May.", "Kinross"),
        ("I signed with Talbot yesterday and start on Monday.", "Talbot"),
    ],
)
def test_employer_is_read(text: str, value: str) -> None:
    assert ("works_at", value, True) in _found(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("First week as ward manager and I'm shattered.", "ward manager"),
        ("I'm the new head of marketing as of Monday.", "head of marketing"),
    ],
)
def test_post_is_read(text: str, value: str) -> None:
    assert ("works_as", value, True) in _found(text)


@pytest.mark.parametrize("lead", ["handed in my", "Gave my", "just put in my"])
def test_notice_without_its_subject(lead: str) -> None:
    assert ("works_at", "Sedgwick", False) in _found(f"{lead} notice at Sedgwick this morning")


@pytest.mark.parametrize(
    "text",
    [
        # Stays, visits, other times
        "We're back in Naples for a week.",
        "got the keys to the holiday flat in Tenby, moving in on Friday",
        "Second night in the new hotel in Riga and the lift is broken.",
        "We moved into a house in Ripon when I was six.",
        "Settling in nicely here in Como until Sunday.",
        "First day at Latitude Festival and it pours.",
        "First day at the customer's in Essen today.",
        "First week at Pilates done.",
        "first day at the pool today",
        "Week two at the Ernst audit.",
        "My first day at Sedgwick was ten years ago.",
        # Others
        "My cousin packed up and moved into a new flat in Hove.",
        "My daughter's first day at Oakwood was today.",
        "first day at Oakwood today, my son was so brave",
        "First day at Tom and Anna's place, what a garden.",
        "Two months in with Sarah and still happy.",
        "My brother handed in his notice at Sedgwick.",
        "Anna is officially home!",
        "Biscuit is officially home from the vet!",
        # Figures of speech, games, tools, wishes
        "Rome feels like home.",
        "Lisbon is home to many artists.",
        "Emacs is my home now.",
        "In Minecraft we moved into a house in Oakvale.",
        "The case, settled in Geneva last week, was costly.",
        "If we moved, Seville would be home.",
        "I nearly handed in my notice at Sedgwick.",
        "I took the Vodafone offer, 20 GB for a tenner.",
        "Varga Systems offered me the job and I declined.",
        "I'm the new captain of our quiz team.",
        "First day as a student driver was fun.",
        # Arrivals of no home and no job
        "Mila is officially home now.",
        "Back in Perth for good measure.",
        "We're back in Rome to stay at the same hotel.",
        "We got the keys to our new studio in Bristol, first recording on Friday.",
        "We've got the keys to our place in Cornwall, going down at Easter.",
        "In 1998 we moved into a bigger house in Kent.",
        "Moved into a flat in Paris and lived there for six years.",
        "Last box unpacked in Storage.",
        "We settled in Kent, then moved to Surrey.",
        "Settling in nicely in Cancun, first drink ordered.",
        "First night in our new summer house in Devon.",
        "first day at Leeds Beckett",
        "First day at Silverstone, rain again.",
        "First week at Headspace, I feel calmer.",
        "My friend is nervous, first shift at Orlo today.",
        "Settled in at Starbucks with my manager.",
        "My sister got a new job, starting at Orlo in July.",
        "I accepted the Sky offer, a free start.",
        "Varga Systems offered me the job and I accepted, then they withdrew.",
        "First week as class rep.",
        "First shift at the Samaritans.",
        "First week at Anfield, the team lost.",
        "my first month at the new place, Hove, flew by",
        "resigned from the PTA",
        "put in my notice of absence",
        "accepted an offer from Oxford!",
        "gave my notice to the landlord",
        # Ends of neither a job nor studies
        "My last day at the festival was Friday.",
        "I dropped out of the race at mile 12.",
    ],
)
def test_near_miss_is_not_read(text: str) -> None:
    assert not _found(text)
