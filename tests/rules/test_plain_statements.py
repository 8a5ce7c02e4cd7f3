"""Short statements are kept, short reactions, requests and opinions are not."""

from __future__ import annotations

import pytest

from memory_service.rules.gate.plain_statements import states_plainly

STATED = (
    "I renewed my passport.", "I ran the marathon!", "I got my driving licence.", "I have five employees now.",
    "we hired a second developer", "I don't mind coriander any more.", "I got a raise.", "I joined a climbing gym.",
    "joined a climbing gym", "I started therapy.", "I have a new phone.", "I'm broke.", "We lost the client.",
    "I raised my prices.", "I learned to swim.", "We shipped v2.", "I was studying also.", "I snore.",
    "got my results back, all clear", "failed my theory test", "Bought a tent.", "found my keys", "We made up.",
    "Tess is moving in with me.", "Ollie has a fever.", "Nina called.", "Therapy helped.", "Acme paid the invoice.",
    "Our landlord sold the building.", "My phone screen is cracked.", "The interview went well.",
    "finger is healed, I'm back", "it's a girl btw", "they put a stent in", "Booking reference QX7RTL", "BP 131/84",
    "Café Nord paid.", "Mo quit the apprenticeship.", "the boiler is broken again", "The kitchen is green now.",
    "Mum has a new flat", "so, we painted the kitchen green",
)  # fmt: skip
NOT_STATED = (
    "I agree.", "I think so too!", "I get it now", "I don't get it", "I see what happened", "I meant the second one",
    "I said start with a story", "I'm curious why", "I'm here for you, rooting for you", "I appreciate the effort",
    "I'm stuck on this", "I'm back.", "I love the second option", "I want a table", "I need a title", "We got this!",
    "I would try the other one", "I can't do that", "got it", "found it, thanks", "going with that", "Got you.",
    "Did I pass the exam?", "The second option is good.", "The list is too long now.", "The server is down.",
    "The output was wrong.", "That was my fault.", "It has three parts.", "Octopuses have three hearts.",
    "Mercury is a planet.", "Animals are amazing.", "You have a new phone.", "Please keep it short.",
    "they gave it away", "Error code 500", "Room service was great", "eyes are important", "they are great",
    "I have a question.", "I have no idea.", "I got this error.", "Fixed the typo.", "The build failed.", "I give up.",
    "My code is broken.", "Python is slow.", "Germany won.", "Elena opened the letter and cried.",
    "Rome has seven hills.",
    "Let's go with the red one.", "Sounds great", "Nice work!", "I bought this:", "I feel we are going in circles",
)  # fmt: skip


@pytest.mark.parametrize("sentence", STATED)
def test_an_event_or_a_state_is_stated(sentence: str) -> None:
    assert states_plainly(sentence)


@pytest.mark.parametrize("sentence", NOT_STATED)
def test_reactions_requests_and_opinions_state_nothing(sentence: str) -> None:
    assert not states_plainly(sentence)
