"""Style of a person's messages: length, formality, technical depth, emojis. Each figure is 0 to 1 but the length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_service.text.late_pattern import compile_late

_CASUAL = compile_late(
    r"(?i)\b(?:lol|lmao|haha+|hehe|gonna|wanna|gotta|kinda|sorta|yeah|yep|yup|nah|nope|dunno|idk|imo|tbh|btw|omg|ugh|"
    r"hey|yo|dude|bro|cuz|cos|u|ur|pls|plz|thx|ty|ok|okay|hmm+|cool|awesome)\b|!{2,}|\b(?:im|ive|dont|cant|wont|didnt|"
    r"isnt|thats)\b|(?-i:(?<![\w.'’/-])i(?=[ '’]))"
)
_POLITE = compile_late(
    r"(?i)\b(?:please|kindly|thank you|i would be grateful|i would appreciate|would you mind|could you please|dear|"
    r"sincerely|with regards|i should like|may i)\b"
)
_TECHNICAL = compile_late(
    r"`|\b(?:api|sql|json|http|cpu|gpu|regex|async|thread|schema|query|index|commit|deploy\w*|docker|kubernetes|linux|"
    r"python|java\w*|typescript|rust|database|latency|cache|algorithm|compiler|framework|endpoint|server|runtime|"
    r"stack trace|unit tests?|architecture|refactor\w*|function|class|variable|library|config\w*|backend|frontend|"
    r"repo(?:sitory)?|branch|merge|bug|hypothesis|regression|variance|coefficient|derivative|tensor|gradient)\b|"
    r"\w+\(\)|\b\w+_\w+\b|==|=>|::",
)
_EMOJI = compile_late("[\U0001f300-\U0001faff\u2600-\u27bf]|(?<!\\w)[:;]-?[)(DP](?!\\w)")
_DAMAGE = compile_late(
    r"(?i)\byou(?:'re| are)? (?:never|not even|don't|do not|didn't|did not) (?:listen|listening|remember|"
    r"understand|care|read what)|\byou (?:forgot|ignored|"
    r"keep (?:forgetting|ignoring|repeating|making)|got (?:it|that) wrong again|let me down|lied)\b|"
    r"\bi (?:already |just )?told you\b|"
    r"\bhow many times (?:do i|have i)\b|\byou(?:'re| are) (?:useless|no help|not helping|annoying|the worst|"
    r"hopeless|disappointing|wrong again)\b|"
    r"\b(?:stop|quit) (?:ignoring|patroni[sz]ing|lecturing) me\b|\bthat'?s not what i (?:asked|said|meant)\b|"
    r"\bi(?:'m| am) (?:done|fed up|disappointed) with you\b|\bi (?:can't|don't|cannot) trust you\b"
)


@dataclass(frozen=True, slots=True)
class Style:
    """Style of the messages of one exchange."""

    words: float
    """Mean number of words of a message."""
    casual: float
    polite: float
    technical: float
    emoji: float
    """Shares of the messages with a sign of each."""


def style_of(texts: Sequence[str]) -> Style | None:
    """The style of these messages; None without words."""
    read = [text for text in texts if text.strip()]
    if not read:
        return None
    return Style(
        words=round(sum(len(text.split()) for text in read) / len(read), 1),
        casual=_share(_CASUAL, read),
        polite=_share(_POLITE, read),
        technical=_share(_TECHNICAL, read),
        emoji=_share(_EMOJI, read),
    )


def shows_damage(texts: Sequence[str]) -> bool:
    """Whether a person tells the assistant that it let them down."""
    return any(_DAMAGE.search(text.replace("’", "'")) for text in texts)


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    return round(sum(1 for text in texts if pattern.search(text)) / len(texts), 3)
