"""Conversion of sentences from the first to the third person: "I've had two dogs" by Maren becomes "Maren has had two
dogs"."""

from __future__ import annotations

import re

from memory_service.text.late_pattern import LatePattern

_AUXILIARY = {
    "'m": "is", " am": "is", "'ve": "has", " have": "has", "'ll": "will", "'d": "would", " do": "does",
    " don't": "doesn't", " haven't": "hasn't", " was": "was", " were": "was", "'re": "is", " are": "is",
    " aren't": "isn't",
}  # fmt: skip
_UNCHANGED = frozenset(
    """
    will would can could may might must shall should can't cannot couldn't won't wouldn't shouldn't used had did
    didn't hadn't wasn't was were went got bought started took won made met began found lost saw read wrote ran
    gave been came felt taught told thought left chose built drew quit sold broke spent paid kept held put set
    cut let hit grew knew flew threw drove rode wore spoke slept said sent stood understood caught brought
    fought sat led fed heard meant dealt dreamt learnt burnt drank sang swam rang sank became forgot forgave ate
    fell hurt cost shut bet gonna 'd would've could've should've might've must've
    """.split()  # noqa: SIM905
)
_ADVERBS = frozenset(
    """
    also always last never really just still now currently only often sometimes usually normally mostly finally
    recently already even actually probably definitely both all then not rarely hardly barely generally
    personally absolutely officially kind sort of no longer
    """.split()  # noqa: SIM905
)
_PLURAL = (" are", " were", " have", "'re", "'ve", " do", " don't")
"""Verbs behind "Ben and I"."""
_JOINED = LatePattern(r"(?:^|\s)(?:[A-Z][\w'-]+|(?:[Mm]y|[Oo]ur) (?:\w+ )?\w+) and $")
"""Another person before "I", not another clause."""
_NO_BASE_FORM = LatePattern(
    r"(?<!^ne)(?<!^fe)(?<!^se)(?<!bre)(?<!spe)(?<!ble)ed$|(?<!^br)(?<!^s)(?<!^r)(?<!^w)ing$|n't$"
)
"""Past forms and participles; "need", "feed", "bring", "sing" and "ring" are none."""
_FIRST_ADVERBS = LatePattern(
    rf"(?:(?:{'|'.join(sorted(_ADVERBS))}|(?!(?:apply|rely|reply|supply|multiply|fly|comply|imply) )[a-z]+ly) )*"
)


_JOINED_VERB = LatePattern(
    r"(?P<head>^(?:(?:also|now|still|just|really) )?"
    r"(?!(?:sees?|saw|watch\w*|hears?|heard|helps?|makes?|lets?|thinks?|hopes?|believes?)\b)"
    r"(?:[a-z]+s|was|got|bought|moved|grew up)\b(?:(?! to [a-z]|\w+ing (?:my|our)\b| (?:who|that|which|because|since|"
    r"when|while|if|where|as|than|their|they)\b)[^,.;:!?\"]){0,80}? and (?:(?:also|now|still|then) )?)"
    r"(?P<verb>live|have|go|teach|speak|own|eat|drive|get|need|want|don't|am)(?= )"
)
"""A second verb of the same subject, not of people in between: "lives in Oslo and have two cats"."""


def reported(sentence: str, subject: str) -> str:
    """Return a sentence in plain wording (informal_english.py) in the third person; "we" is the speaker, `subject`."""
    pieces: list[str] = []
    position = 0
    named = False
    for match in re.finditer(r"(?<![\w’'])(?:I|[Ww]e)(?=['\s,.;!?)]|$)", sentence):
        if match.start() < position:
            continue
        pieces.append(sentence[position : match.start()])
        who = subject if not named else "they"
        joined = sentence[match.end() :].startswith(_PLURAL) and _JOINED.search(sentence[: match.start()])
        rest, taken = _verb(sentence[match.end() :], singular=not (named or joined))
        pieces.append(f"{who}{rest}")
        position = match.end() + taken
        named = True
    pieces.append(sentence[position:])
    text = "".join(pieces)
    if named and text.startswith(f"{subject} "):
        text = f"{subject} " + _JOINED_VERB.sub(_third_person_too, text[len(subject) + 1 :])
    owner = f"{subject}'s"

    def whose(match: re.Match[str]) -> str:
        nonlocal owner
        word, owner = "their" if named and match.start() else owner, "their"
        return word

    text = re.sub(r"(?<![\w’'])(?:[Mm]y|[Oo]ur)(?![\w'])", whose, text)
    text = re.sub(r"(?<![\w’'])(?:mine|ours)(?!\w)", "theirs", text)
    text = re.sub(r"(?<![\w’'])(?:myself|ourselves)(?!\w)", "themselves", text)
    text = re.sub(r"(?<=\bof )us(?![\w'])", "them", text)
    return re.sub(r"(?<![\w’'])(?:[Mm]e|us)(?![\w'])", "them" if named else subject, text)


def _third_person_too(match: re.Match[str]) -> str:
    rest, _ = _verb(f" {match['verb']}", singular=True)
    return f"{match['head']}{rest.strip()}"


def _verb(after: str, *, singular: bool) -> tuple[str, int]:
    """Return the third person of the verb behind the subject, and the number of characters that it replaces."""
    if not singular:
        match = re.match(r"'m\b| am\b| was\b", after)
        return (
            ({"'m": "'re", " am": " are", " was": " were"}[match.group()], match.end()) if match else ("", 0)
        )
    match = re.match(
        r"'m|'ve|'ll|'d|'re| am\b| haven't\b| have\b| don't\b| do\b| was\b| were\b| aren't\b| are\b", after
    )
    if match:
        return f" {_AUXILIARY[match.group()]}", match.end()
    adverbs = re.match(rf" {_FIRST_ADVERBS.pattern}", after)
    start = adverbs.end() if adverbs else 0
    word = re.match(r"[a-z][\w'-]*", after[start:])
    if not adverbs or not word or word.group() in _UNCHANGED or _NO_BASE_FORM.search(word.group()):
        return "", 0
    verb = word.group()
    if verb in ("have", "am", "are", "do", "don't"):
        third_person = {"have": "has", "am": "is", "are": "is", "do": "does", "don't": "doesn't"}[verb]
    elif verb.endswith(("s", "x", "ch", "sh", "o", "z")):
        third_person = f"{verb}es"
    elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
        third_person = f"{verb[:-1]}ies"
    else:
        third_person = f"{verb}s"
    return f"{after[:start]}{third_person}", start + word.end()
