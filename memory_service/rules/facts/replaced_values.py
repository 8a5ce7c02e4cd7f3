"""Endings of former values where a sentence says that one is new: "my new dentist is ...", "we upgraded to Node 22"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memory_service.rules.facts.attributes import canonical, is_replaced
from memory_service.rules.facts.clause_words import TOOLS
from memory_service.text.lazy_pattern import LatePattern
from memory_service.types import CandidateFact

_NEW = LatePattern(
    r"(?i)\b(?:my|our) new\b|\b(?:changed|switched|swapped) (?:my |our |the )?[\w-]+(?=$|[,.;!]| "
    r"(?:and|so|to|from|in|last|this)\b)|\bnow\b|\bthese days\b"
)
_UPGRADED = LatePattern(
    r"(?i)\b(?:upgrad|updat|bump|mov|migrat|switch|went|go)\w*(?: (?:everything|it|all|us|over|(?:my|our|the) "
    r"(?:db|database|app|backend|frontend|server|cluster|repos?|code ?base|project|service|stack))){0,2}"
    rf"(?: from [\w. ]{{2,20}}?)? (?:to|onto|on) (?:{TOOLS}) ?v?\d|\d(?:\.\d+)* now\b|\bnow (?:on|at) (?:{TOOLS}) ?v?\d"
)
_PART = LatePattern(
    r"(?i)\b(?:staging|prod(?:uction)?|test(?:ing)?|dev|local(?:ly)?|legacy|laptop|pc|desktop|side|hobby|other|another|"
    r"second|one of|some of|half|partly|branch|clients?|customers?|his|her|their|"
    r"[\w.]*\d (?:and|or) [\w.]*\d|\w+['’]s (?!now)|both|still|for "
    r"(?:my|our|the|a)|in (?:19|20)\d\d|years? ago|back then|at the time|when)\b"
)
"""A part of what the speaker has, another's, or another time: the former value may still hold."""

_AT = LatePattern(
    r"(?i)(?:^|[,;.!] |\b(?:and|so|but|now),? )(?:now )?(?:(?:I'm|I am)(?: now)?(?: starting)?|"
    r"(?:I )?start(?:ed|ing)?) (?:now )?(?:at|with|in(?= an? )) "
    r"(?P<value>(?!(?:home|work|school|uni|university|college|peace|least|last|once|first|the (?:moment|end|beach|pub|"
    r"airport|gym|station|doctor\w*|hospital)|a (?:loss|meeting|good|bad|better|new|hurry|rush|band|relationship|place|"
    r"lot|car|bus|train|hotel)|my|your|his|her|their|him|them|you|it|that)\b)(?:the |an? )?"
    r"[\w&-]+(?: (?!(?:now|on|from|next|since|this|and|because|so)\b)[\w&-]+){0,2})"
    r"(?=(?: now)?(?: (?:on|from|next|since|this|in) |$|[,.;!?]| and\b| now\b))"
)
_IT_IS = LatePattern(
    rf"(?i)(?:^|[,;.!] |\b(?:and|so) )(?:it's|it is|that's|everything's|everything is)(?: all)? "
    rf"(?P<value>{TOOLS}) now\b"
)
_INSTEAD = {"works_at": (_AT, "works at", {"works_at", "works_in"}), "uses": (_IT_IS, "uses", {"uses"})}
_THEN = LatePattern(r"(?i)\bin (?:19|20)\d\d\b|\byears ago\b|\bback then\b|\bat the time\b")


def is_former_version(fact: CandidateFact, sentence: str) -> bool:
    """Whether a version was in use at a time in the past: "I upgraded to Python 3.8 in 2020"."""
    return (canonical(fact).attribute or "").endswith("_version") and _THEN.search(sentence) is not None


def replacements(stated: Sequence[CandidateFact], sentence: str) -> Iterator[CandidateFact]:
    """Yield an ending of every former value for each stated fact that the sentence calls new."""
    forms = [form for fact in stated if fact.holds and is_replaced((form := canonical(fact)).attribute)]
    for form in dict.fromkeys(forms):
        attribute = form.attribute or ""
        version = attribute.endswith("_version")
        tool = attribute.removesuffix("_version").replace("_", " ")
        alone = len({other.value for other in forms if other.attribute == attribute}) == 1 and (
            not version or sentence.lower().count(tool) == 1
        )
        new = (_UPGRADED if version else _NEW).search(sentence)
        if alone and new and not (version and _PART.search(sentence)):
            for name in (
                (attribute,)
                if version
                else (attribute.removesuffix("_name"), f"{attribute.removesuffix('_name')}_name")
            ):
                former = (
                    f"{form.subject}'s former {name.removesuffix('_name').replace('_', ' ')} is replaced."
                )
                yield CandidateFact(former, form.subject, name, None, stated=True, holds=False)


def new_values(
    sentence: str, ended: Sequence[CandidateFact], known: Sequence[CandidateFact], subject: str
) -> Iterator[CandidateFact]:
    """Yield the new value where a clause without a verb replaces an ended one: "quit Tesco, I'm at Lidl now".

    `ended` are endings of this sentence and the one before, `known` the facts already read in this sentence.
    """
    for attribute, (pattern, verb, names) in _INSTEAD.items():
        old = {fact.value for fact in ended if fact.attribute in names and fact.subject == subject}
        if old and not any(fact.holds and fact.attribute == attribute for fact in known):
            match = pattern.search(sentence)
            if match and match["value"] not in old:
                yield CandidateFact(
                    f"{subject} {verb} {match['value']}.", subject, attribute, match["value"], stated=True
                )
