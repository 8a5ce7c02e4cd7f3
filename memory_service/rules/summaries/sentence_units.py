"""Sentences that belong together in a summary, and how much short outcomes and requests count there."""

from __future__ import annotations

from collections.abc import Sequence

from memory_service.rules.facts.standing_instructions import is_standing
from memory_service.rules.gate.plain_statements import states_plainly
from memory_service.text.late_pattern import compile_late

_MOST_WORDS = 8
"""Of an outcome; longer sentences have details enough for their score."""
_REFERS_BACK = compile_late(
    r"(?i)(?:(?:and|but|yes|no|the|my|our|his|her|their|already|this is|that[’']s|it[’']s) ){0,2}"
    r"(?:(?:first|second|third|fourth|fifth|sixth|last|another|same|wrong|right|other|new|old|only) (?:one|time|round|"
    r"day in a row|week in a row)|same (?:here|again|story|thing)|(?:for )?the (?:first|second|third|fourth|last) time|"
    r"(?:once|twice|three times|both(?: of them)?|all of (?:them|it)|none(?: of them)?|neither|again|still|not yet|"
    r"not any ?more|as (?:usual|always)|or (?:not|so)|if only))(?: (?:again|now|already|this (?:week|month|year)))?"
    r"\s*[.!…]*"
)
"""A whole sentence that means nothing without the one before it: "Third one."."""
_TAKES_BACK = compile_late(
    r"(?i)(?:(?:oh|ah|hm+|no|sorry|wait|actually|but|ok(?:ay)?|or),? ){0,2}"
    r"(?:no|wait|sorry|hold on|hang on|scratch that|strike that|cross that(?: out)?|correction|i mean|not (?:that|her|"
    r"him|them)|(?:that[’']s|that is|that was|i was) (?:wrong|not right|not true|a lie|a mistake|mistaken)|"
    r"(?:my (?:mistake|bad))|never ?mind|i (?:misspoke|mixed (?:that|it|them) up|take that back|changed my mind))"
    r"(?:,? (?:no|wait|sorry|actually))?\s*[.!,…-]*"
)
"""A whole sentence that takes back the one before it: "No wait."."""
_ANSWERS = compile_late(r"(?i)(?:no|sorry|wait)\W*")
"""Alone it may as well answer a question."""
_STATE = (
    r"(?:approved|rejected|accepted|denied|granted|refused|declined|cancell?ed|benign|malignant|passed|failed|paid|sold|"
    r"divorced|engaged|fired|hired|promoted|pregnant|negative|positive|cleared|confirmed|delivered|signed|published|"
    r"merged|shipped|submitted|postponed|bankrupt|cancer[- ]free|in remission|stolen|gone|dead|over|broken|fixed|"
    r"repaired|healed|lost|found)"
)
_OUTCOME = compile_late(
    r"(?i)(?:(?:it|that|he|she|they|everything|all|both|results?|the results?) (?:(?:just|finally|both|all) )?"
    rf"(?:(?:is|was|were|are|got|[’']s)(?: (?:been|just|finally|all|not|fully|completely)){{0,2}} {_STATE}|"
    r"came back\b[^?]*|said (?:yes|no)|passed|failed|paid|died|left|sold it|survived|lost|won|agreed|refused|declined|"
    r"accepted|approved|cancell?ed|signed)|"
    rf"(?:(?:finally|all|just|not|already|got|been|fully) ){{0,2}}{_STATE})"
    r"(?: (?:today|yesterday|again|now|finally|this \w+|last \w+|on \w+day))?\s*[.!]*"
)
"""A short sentence without a name that says how something ended."""
_REQUEST = compile_late(
    r"(?i)(?:(?:ok(?:ay)?|so|and|but|now|hey|hi|thanks|thank you|also|please)[,.!]* ){0,3}"
    r"(?:(?:can|could|would|will) (?:you|u|we)\b|help me\b|i(?:[’']d like|[’']d love| want| need) you to\b|please \w|"
    r"(?:write|make|give|draft|plan|list|suggest|explain|translate|summari[sz]e|create|tell|show|recommend) "
    r"(?:me|us|an?|the|some|my|this)\b|(?:what|how|where) (?:should|can|do|could|would) (?:i|we)\b|"
    r"any (?:ideas|tips|advice|suggestions)\b)"
)


_OPENS_QUOTE = ('"', "“", "„", "«")
_QUOTE_MARKS = compile_late(r"[\"“”„«»]")
_LONGEST_QUOTE = 600
"""Characters of a unit with a quote."""


def units(sentences: Sequence[str]) -> list[str]:
    """Return the sentences of one speaker, with those joined that mean something else alone: a sentence that refers
    back ("Third one.") with the one before, one that takes back ("No wait.") with its neighbours, a quote with the
    question about it ("Can you shorten this?")."""
    found: list[str] = []
    joins = False
    quoting = False
    for sentence in sentences:
        takes_back = _TAKES_BACK.fullmatch(sentence) is not None and (
            _ANSWERS.fullmatch(sentence) is None or bool(found and not found[-1].endswith("?"))
        )
        quotes = bool(found) and (
            quoting or (sentence.startswith(_OPENS_QUOTE) and found[-1].endswith(("?", ":")))
        )
        if quotes:  # until the marks are balanced
            odd = len(_QUOTE_MARKS.findall(sentence)) % 2 == 1
            quoting = odd != quoting and len(found[-1]) < _LONGEST_QUOTE
        if found and (joins or takes_back or quotes or _REFERS_BACK.fullmatch(sentence)):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
        joins = takes_back
    return found


def is_outcome(sentence: str) -> bool:
    """Whether a short sentence states an event or how something ended: "Pinefield paid.", "It was benign."."""
    return len(sentence.split()) <= _MOST_WORDS and (
        states_plainly(sentence) or _OUTCOME.fullmatch(sentence) is not None
    )


def is_request(sentence: str) -> bool:
    """Whether a sentence requests something once, of the assistant."""
    return _REQUEST.match(sentence) is not None and not is_standing(sentence)
