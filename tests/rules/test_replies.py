"""Affirming and denying, by how an utterance begins; whatever is unclear is neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service.rules.replies import reply_in

YES = [
    "Yes", "yes.", "Yes, still there", "yep", "Yeah!", "yup, same as ever", "That's right.", "that’s correct",
    "Correct.", "I still do", "I do", "I still am.", "Exactly!", "Indeed", "You're right.", "Of course",
    "It's still true.", "Still do", "Oh yes, I love it there.", "Well, yes.", "Haha yes", "Right, I work there.",
    "Sure is.", "We still live in Berlin.", "Ja", "Ja, immer noch.", "Genau.", "Stimmt.", "Das stimmt.", "Oui",
    "Oui, toujours.", "C'est vrai.", "Exactement.", "Sí", "Si, claro", "Así es", "Correcto.", "Sì", "Sì, esatto.",
    "Esatto", "È vero.", "Absolutely.", "True.", "Yes! How did you know?",
]  # fmt: skip
NO = [
    "No", "no.", "Nope", "nah", "Not anymore.", "not any more, I moved", "No, I moved to Munich.",
    "That's not right.",
    "That's wrong.", "That isn't true.", "Actually no", "Actually, no.", "No longer.", "I don't anymore.",
    "I'm not.",
    "Not really.", "It's no longer the case.", "Wrong.", "You're mistaken.", "Of course not!", "Well, not anymore.",
    "Nein", "Nein, nicht mehr.", "Nicht mehr.", "Das stimmt nicht.", "Non", "Non, plus maintenant.",
    "Ce n'est pas vrai.",
    "Ya no", "No, ya no.", "No es cierto.", "Non più.", "Non è vero.", "That is outdated.", "Definitely not.",
]  # fmt: skip
UNCLEAR = [
    "", "I moved to Munich.", "What do you mean?", "No problem!", "No worries.", "Never mind.",
    "Right now I'm busy.",
    "Yes and no.", "Yeah, but not for long", "True, but it changes soon", "Not sure.", "No idea", "No way!",
    "Sure, why?",
    "Correct this sentence: he go home.", "Exactly how does it work?", "Yes, please.", "No thanks.", "Do I?",
    "No?", "Yes?",
    "Nobody knows.", "Yesterday I ran.", "Norway is nice.", "I do the dishes.", "I have a dog.", "I am tired.",
    "Janet called.", "Genauso wie gestern", "Tell me a joke.", "Silence is golden", "No one lives there.",
    "Ok", "Thanks!",
    "Noon works.", "Nonsense is fun to read", "Certosa di Pavia is nice",
    "Non lo so.", "No sé.", "Si tu veux", "True love", "Never eat there.", "No es fácil.", "Ancora una volta",
]  # fmt: skip


@pytest.mark.parametrize("text", YES)
def test_an_affirmation_is_heard(text: str) -> None:
    assert reply_in(text) == "yes"


@pytest.mark.parametrize("text", NO)
def test_a_denial_is_heard(text: str) -> None:
    assert reply_in(text) == "no"


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_is_unclear_is_neither(text: str) -> None:
    assert reply_in(text) is None


@given(st.text(max_size=200))
def test_any_text_is_heard(text: str) -> None:
    assert reply_in(text) in ("yes", "no", None)


@given(st.sampled_from([*YES, *NO, *UNCLEAR]))
def test_case_and_space_change_nothing(text: str) -> None:
    assert reply_in(f"  {text.upper()}\n") == reply_in(text.lower()) == reply_in(text)
