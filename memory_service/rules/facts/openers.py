"""A statement without the words that join it to the sentence before, or announce it to the listener."""

from __future__ import annotations

from memory_service.text.late_pattern import LatePattern

_JOINING = LatePattern(
    r"(?i)^(?:(?:and|but|plus|also|then|anyway|ok|okay|yeah|yes|so(?! (?:far|long|much|many|called|that|as)\b))"
    r"(?: then| now| also)?[,:;]? (?!(?:then|again|size|is|are|am|was|were|do|does|did|can|will|would|has|"
    r"have)\b)|(?:no|oh|ah|aw|well|sorry|right|now|still|hm+)[,:;] )+(?=\S)"
)
_ANNOUNCING = LatePattern(
    r"(?i)^(?:(?:before|while|when|if|as|since|in case|so)\b[^:.!?]{0,60}\byou\b[^:.!?]{0,40}|(?:one|another|a|the)"
    r"(?: (?:other|small|last|more|quick))? (?:thing|rule|point|detail)\b[^:.!?]{0,40}): "
    r"(?=(?:[\w',]+ ){0,4}(?:I|we|my|our)\b)"
)
"""Before a colon and a clause in the first person: "Before you suggest wine: I don't drink"."""


def without_opener(statement: str) -> str:
    """Return the statement without openers, with a capital where one was removed."""
    rest = statement
    while (shorter := _ANNOUNCING.sub("", _JOINING.sub("", rest))) != rest:
        rest = shorter
    return rest if rest == statement else rest[:1].upper() + rest[1:]
