"""Times that a message announces: when a job or home begins or ends, until when a state lasts."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from memory_service.rules.extractor import extract
from memory_service.types import Segment, Utterance

SAID_AT = datetime(2026, 10, 2, 18, tzinfo=UTC)  # a Friday
Line = tuple[str | None, str | None, bool, str | None, str | None]


def _typed(text: str) -> set[Line]:
    """Attribute, value, whether it holds, day of its beginning and of its end."""
    facts = extract(Segment(uuid4(), (Utterance(uuid4(), "user", text, None, SAID_AT),), ())).facts
    return {
        (f.attribute, f.value, f.holds, f.starts_at and f.starts_at[:10], f.ends_at and f.ends_at[:10])
        for f in facts
        if f.attribute and f.attribute != "job_held"
    }


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I start at Nokia on December 1st", ("works_at", "Nokia", True, "2026-12-01", None)),
        ("got a new job at Nokia, starting in January", ("works_at", "Nokia", True, "2027-01-01", None)),
        ("I got the job at Nokia! First day is the 19th.", ("works_at", "Nokia", True, "2026-10-19", None)),
        ("I'm starting at Nokia next month", ("works_at", "Nokia", True, "2026-11-01", None)),
        ("from November I work at Siemens", ("works_at", "Siemens", True, "2026-11-01", None)),
        ("I'll work at Nokia from March", ("works_at", "Nokia", True, "2027-03-01", None)),
        ("From February we'll live in Espoo", ("lives_in", "Espoo", True, "2027-02-01", None)),
        ("my hourly rate goes up to 70 euros from November",
         ("hourly_rate", "70 euros", True, "2026-11-01", None)),
        ("My new rent is 800 euros from November", ("rent", "800 euros", True, "2026-11-01", None)),
        ("my last day at Brightwell is november 13", ("works_at", "Brightwell", False, "2026-11-14", None)),
        ("I've handed in my notice at Brightwell, last day is the 30th",
         ("works_at", "Brightwell", False, "2026-10-31", None)),
        ("I handed in my notice at Brightwell. My last day will be 13 November.",
         ("works_at", "Brightwell", False, "2026-11-14", None)),
        ("I resigned, but I'm staying until the end of the year", ("works_at", None, False, "2027-01-01", None)),
        ("I'm leaving Brightwell at the end of october", ("works_at", "Brightwell", False, "2026-11-01", None)),
        ("I'm on parental leave until February 1",
         ("is", "on parental leave until February 1", True, None, "2027-02-02")),
        ("I take amoxicillin until Friday", ("takes_medicine", "amoxicillin", True, None, "2026-10-10")),
    ],
)  # fmt: skip
def test_an_announced_time_is_that_of_the_fact(text: str, line: Line) -> None:
    assert _typed(text) == {line}


@pytest.mark.parametrize(
    "text",
    [
        "I've handed in my notice at Brightwell",
        "I gave notice on my flat, moving out in December",
        "I may leave Brightwell on November 13",
        "I leave Oslo on November 13",
    ],
)
def test_what_leaves_a_job_current(text: str) -> None:
    assert not {line for line in _typed(text) if line[0] == "works_at"}


@pytest.mark.parametrize(
    "text",
    [
        "my last day at Brightwell was thursday",
        "my last day at Brightwell is today",
        "I resigned on Monday",
        "I quit my job, my flat is paid until March",
        "I got laid off, the severance runs until March",
        "I quit my job, leaving for Spain on November 3",
        "I joined Nokia in September",
        "I started at Nokia in May",
        "I work at Aldi until 8 pm",
        "I work at Ikea from 9 to 5",
        "I work at Ikea from Monday to Friday",
        "I work at Ikea and my sister visits from Friday",
        "I work at Ikea, from December my sister lives in Spain",
        "I have a canoe, we go to Spain from December 3 to December 9",
        "I'm from Norway and I live in Oslo",
        "I plan to move to Espoo from January",
    ],
)
def test_other_times_move_nothing(text: str) -> None:
    found = _typed(text)
    assert found
    assert not {line for line in found if line[0] not in ("lives_in", "flat_is") and (line[3] or line[4])}


def test_a_time_long_past_is_none_of_the_future() -> None:
    """An import of old messages counts from their own time."""
    assert _typed("my last day at Brightwell is september 11") == {
        ("works_at", "Brightwell", False, None, None)
    }
