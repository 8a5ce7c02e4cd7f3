"""Endings of former schedules where a sentence says that an activity is at another time now: "I work out in the
evenings now". An ending has the activity and its new time as its value; `replaces_schedule` decides what it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_service.rules.facts.clause_words import DAY, MONTH
from memory_service.text.late_pattern import LatePattern
from memory_service.types import CandidateFact

_TIMES = (
    rf"(?:on|in|at|every|each|(?:once|twice|(?:two|three|four|five|six|\d) times) an?|{DAY}s?|daily|weekly|monthly|"
    r"fortnightly|nightly|nights)"
)
_SCHEDULE = LatePattern(
    rf"(?i) {_TIMES}(?: (?:and|or|to|on|in|the|at|per|a|every|each|other|second|third|fourth|first|last|two|three|"
    rf"four|{DAY}s?|days?|mornings?|evenings?|nights?|afternoons?|weeks?|weekends?|weekdays?|months?|noon|midnight|"
    r"am|pm|\d{1,2}(?:[:.]\d\d)?(?:am|pm)?),?)*$"
)
"""The end of a habit that says when: "on Tuesdays and Fridays", "every second Tuesday"."""
_CHANGED_BEHIND = LatePattern(
    r"(?i)^,? ?(?:(?:from )?now(?: on)?(?! and (?:then|again)\b)|these days|nowadays|instead|"
    r"from next \w+(?: on)?|(?:as of|starting) (?:now|"
    r"next \w+|(?:in )?(?-i:[A-Z])\w+))(?=$|[.,;!?)]| (?:and|but|so|because|since|instead|not|no longer|rather)\b)"
)
_CHANGED_BEFORE = LatePattern(
    rf"(?i)(?:(?:^|[.,;!] |\b(?:and|so|but) )(?:now|from now on|these days|nowadays|from next \w+(?: on)?|(?:as of|"
    rf"starting) (?:now|next \w+|(?:in )?{MONTH})),? (?:I|we|my|our)\b|\b(?:I|we|(?:my|our) [\w-]+) now )[^.,;!?]*$"
)
"""Searched before the new time."""
_MOVES = r"(?:mov|switch|chang|shift)(?:ed|es|ing)"
_MOVED_TO = LatePattern(rf"(?i)\b{_MOVES}\b[^.,;!?]{{0,60}} to (?:the )?$")
_OLD_TIME = (
    rf"(?P<old>(?:every |the |on |in )*(?:{DAY}s?(?: (?:mornings?|evenings?|nights?|afternoons?))?|mornings|evenings|"
    rf"nights|afternoons)(?: and (?:on )?(?:the )?(?:{DAY}s?|evenings|nights|afternoons))?)(?![\w'-])"
)
_INSTEAD_OF = LatePattern(
    rf"(?i)\b(?:instead of|rather than|no longer(?: on| in)?|(?<=, )not(?: on| in)?) {_OLD_TIME}"
)
_FROM = LatePattern(rf"(?i)\b{_MOVES}\b[^.,;!?]{{0,40}} from {_OLD_TIME} to ")
_FOR_A_TIME = LatePattern(
    r"(?i)\b(?:also|too|as well|besides|additional(?:ly)?|another|extra|on top|both|still|sometimes|some|mostly|often|"
    r"for now|for (?:the|this|a|my) |this (?:week|month|time|once|\w+day)|next (?:\w+day|time)|just (?:once|this)|only "
    r"this|until|till|while|during|temporar\w+|when|if|today|tomorrow|holidays?|exceptionally|a second)\b"
)
"""The former times hold beside the new ones, or again later."""
_SEVERAL = LatePattern(
    r"^(?:(?:goes to|has|does|attends|teaches) )?(?:(?:the|a|an|my|our|their) )?(?:lessons?|class(?:es)?|shifts?|"
    r"sessions?|meetings?|courses?|practice|training|rehearsals?|appointments?|works?|teaches|goes|plays|meets|visits)$"
)
"""Activities without a name: there may be several of them at different times."""
_NEXT = LatePattern(r"(?i)\b(?:from|as of|starting) next \w+")


def former_schedules(stated: Sequence[CandidateFact], sentence: str) -> Iterator[CandidateFact]:
    """Yield an ending of the former times of each habit that the sentence places at another time from now on."""
    if _FOR_A_TIME.search(_NEXT.sub("", sentence)):
        return
    lower = sentence.lower()
    for fact in stated:
        when = _when(fact)
        if when is None or not fact.holds:
            continue
        words = _PREPOSITION.sub("", when)
        place = lower.rfind(words)
        if place < 0:
            continue
        activity = _activity(fact, when)
        if _SEVERAL.search(activity):
            continue
        if old := _INSTEAD_OF.search(sentence) or _FROM.search(sentence):
            yield _ending(fact, "former_schedule", f"{activity} {old['old'].lower()}")
        elif (
            _CHANGED_BEHIND.search(sentence[place + len(words) :])
            or _CHANGED_BEFORE.search(sentence[:place])
            or _MOVED_TO.search(sentence[:place])
        ):
            yield _ending(fact, "schedule", f"{activity} {_with_preposition(when)}")


def _when(fact: CandidateFact) -> str | None:
    """The words of a fact that say when, in lower case, or None where it is no habit with a time."""
    attribute, value = fact.attribute or "", (fact.value or "").lower()
    if attribute == "habit":
        match = _SCHEDULE.search(value)
        return match[0].strip() if match else None
    return value if attribute.endswith(("_day", "_days")) and _REGULAR.search(value) else None


_PREPOSITION = LatePattern(r"^(?:on|in|at) (?:the )?")
_REGULAR = LatePattern(rf"(?i)^{DAY}s(?:(?:, | and ){DAY}s)*$")


def _activity(fact: CandidateFact, when: str) -> str:
    attribute, value = fact.attribute or "", (fact.value or "").lower()
    return (
        value[: value.rfind(when)].strip()
        if attribute == "habit"
        else attribute.rpartition("_")[0].replace("_", " ")
    )


def _with_preposition(when: str) -> str:
    return f"on {when}" if _REGULAR.search(when) else when


def _ending(fact: CandidateFact, attribute: str, value: str) -> CandidateFact:
    return CandidateFact(
        f"{fact.subject}'s former times have changed: {value}.",
        fact.subject,
        attribute,
        value,
        stated=True,
        holds=False,
    )
