"""Wishes for silence in natural wordings, rewritten to the order that norms.py reads: "Micah is off limits" becomes
"don't bring up Micah"; and what "him" or "it" in such a wish refers to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory_service.rules.facts.order_limits import is_limited
from memory_service.rules.norms.areas import areas_in
from memory_service.rules.relatives import FEMALE, MALE
from memory_service.rules.word_lists import DAY_OR_MONTH
from memory_service.text.late_pattern import compile_late

_INFORMAL = compile_late(r"(?i)(?<![\w'-])(?:abt|u|pls|plz|didnt|id rather|lets|cant|dont)(?![\w'-])")
_PLAIN = {
    "abt": "about", "u": "you", "pls": "please", "plz": "please", "didnt": "didn't", "id rather": "I'd rather",
    "lets": "let's", "cant": "can't", "dont": "don't",
}  # fmt: skip
_LEAD = r"^(?:(?:and|so|but|ok|okay|hey|also|no|please|honestly|from now on),? )*"
_ABOUT = r"(?:about|on the subject of|regarding)"
_TOPIC = r"(?P<topic>[^.,;!?]{2,80}?)"
_STOP = r"(?P<rest>(?: (?:again|any ?more|ever again|ever|please|at all|from now on))*(?=$|[.,;!?]))"
_NAME_OF = r"(?P<topic>(?:(?:my|our) [\w -]{2,30}|[A-Z][\w-]+)(?=['’]s)|his|her|their|that)(?:['’]s)?"
_FRAMES = (
    compile_late(
        rf"(?i){_LEAD}no (?:more )?(?:(?:questions|messages|talk|talking|jokes|comments|reminders|remarks|mentions?|"
        rf"chat)(?: or |, | and )?)+ (?:{_ABOUT}|(?<=mention )of|(?<=mentions )of|(?<=reminders )of) {_TOPIC}{_STOP}"
    ),
    compile_late(
        rf"(?i){_LEAD}(?:(?:can|could|would) (?:we|you)(?: please| maybe| just)? (?:not|never) |"
        rf"let's (?:please )?(?:not|never) |I'd (?:really )?rather (?:we|you) (?:didn't|did not|don't|never) )"
        rf"(?:ever )?(?:(?:talk|speak|ask)(?: to me| me)? {_ABOUT} {_TOPIC}|"
        rf"(?P<verb>mention|bring up|discuss) {_TOPIC.replace('topic', 'mentioned')}|"
        rf"bring {_TOPIC.replace('topic', 'brought')} up){_STOP}"
    ),
    compile_late(
        rf"(?i)^(?:(?:and|so|but|also),? )*(?:(?:the (?:subject|topic|matter) of|talking about) )?{_TOPIC} (?:is|are)"
        r" (?:strictly |totally |completely )?(?P<limits>off[- ]limits|taboo|not up for discussion)(?P<rest>)"
        r"(?: (?:for me|please|from now on|here|with me|as a topic))*(?=$|[.,;!?])"
    ),
    compile_late(
        rf"(?i){_LEAD}I (?:don't|do not|never|can't|cannot)(?: ever)? (?:want to |wanna |need to )?hear {_NAME_OF} name"
        rf"{_STOP}"
    ),
)
_PRONOUNS = {"his": "him", "her": "her", "their": "them", "that": "that"}
_MATTER = compile_late(
    rf"(?:(?i:my|our) \w|(?!{DAY_OR_MONTH}\b|The\b|This\b|That\b|It\b|These\b|Those\b)[A-Z][\w-]+$)"
)
"""A person or a matter of the speaker's: rooms and sofas are off limits too."""
_PLACES = compile_late(
    r"(?i)\b(?:room|kitchen|garage|office|desk|fridge|bed|bedroom|sofa|couch|garden|house|flat|car|phone|laptop|drawer|"
    r"attic|basement|branch|repo|folder|server|database|account|card|food|snacks?)$"
)
_STATES = compile_late(
    r"(?i)\b(?:is|are|was|were|has|have|had|came|come|arrived|got|yet|so far|says?|said|thinks?|thought|told|tells|"
    r"writes?|wrote|claims?|hopes?|knows?|means?|finds?|found)\b"
)
"""Words of a sentence, which is no topic: "my sister said Tom" is off limits, "the exam were answered"."""
_TO_SOMEONE = compile_late(r"(?i)^(?:it|this|that|them|these)\b.* (?:to|with) ")
_FEMALE, _MALE = (
    compile_late(rf"(?i)\bmy (?:\w+ )?(?:{'|'.join(sorted(kin, key=len, reverse=True))})\b")
    for kin in (FEMALE, MALE)
)


def in_plain_letters(sentence: str) -> str:
    """The sentence without the short forms of chats that such wishes have."""
    return _INFORMAL.sub(lambda match: _PLAIN[match[0].lower()], sentence)


def as_order(sentence: str) -> str:
    """Return the order not to bring up the topic of a wish for silence; else the sentence."""
    if is_limited(sentence):
        return sentence
    for frame in _FRAMES:
        if (match := frame.match(sentence)) is None:
            continue
        found = match.groupdict()
        topic = (found.get("topic") or found.get("mentioned") or found.get("brought") or "").strip()
        topic = _PRONOUNS.get(topic.lower(), topic)
        if found.get("limits") and not _is_matter(topic):
            return sentence
        if topic and not _TO_SOMEONE.match(topic) and not _STATES.search(topic):
            verb = "mention" if found.get("verb") == "mention" else "bring up"
            return f"don't {verb} {topic}{match['rest']}{sentence[match.end() :]}"
    return sentence


def _is_matter(topic: str) -> bool:
    return not _PLACES.search(topic) and (_MATTER.match(topic) is not None or bool(areas_in(topic)))


def fits(pronoun: str, topic: str) -> bool:
    """Whether a pronoun may stand for a topic, by the sex of its relative."""
    word = re.split(r"\W", pronoun.lower(), maxsplit=1)[0]
    return not (word == "him" and _FEMALE.search(topic)) and not (word == "her" and _MALE.search(topic))


def only_one(topics: Iterable[str]) -> str:
    """The topic, where all are the same; else empty."""
    different = {topic for topic in topics if topic}
    return different.pop() if len(different) == 1 else ""
