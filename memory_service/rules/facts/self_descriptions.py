"""Descriptions of the speaker that have no verb: "I'm Petra, a bookkeeper at a brewery"."""

from __future__ import annotations

from collections.abc import Iterator

from memory_service.rules.facts.clause_words import JOB, MONTH, NAME
from memory_service.rules.facts.clauses import Clause
from memory_service.rules.facts.introductions import NO_NAME_IN_LOWER_CASE
from memory_service.rules.facts.patterns import NO_NAME
from memory_service.text.late_pattern import LatePattern

_NO_WORKPLACE = (
    r"(?!(?i:(?:the |an? |my |your )?(?:\w+ )?(?:door|call|meeting|room|way|phone|line|hold|queue|gate|lift|toilet|"
    r"break|leave|holiday)\b))"
)
"""Lookahead: the next words name no place of work but a place or state of the moment."""
_PLACE = rf"(?: (?:at|in|on|with|for(?= (?:the|an?) | [A-ZÄÖÜÉØÅ])) {_NO_WORKPLACE}[^,.;:!?()\"]{{2,60}})?"
_NAMED = LatePattern(
    r"(?:^|[.:;,] |^(?:hi|hello|hey|morning|good \w+),? )(?:I'm|I am|[Mm]y name is|[Mm]y name's) "
    rf"(?P<name>{NO_NAME}{NAME}(?: {NAME})?|{NO_NAME_IN_LOWER_CASE}[a-z]{{3,12}}(?=, (?:an? )?[\w ]+ (?:at|for|with|"
    rf"in) )), (?:and )?(?:\d\d,? )?(?P<what>(?:an? |the )?(?i:{JOB}){_PLACE})(?=$|[,.;!?]| and I\b)"
)
_FRAGMENT = LatePattern(
    rf"^(?:(?:yes|ok|so|and),? )*(?!(?i:an?|the|my|our) )(?P<what>(?i:{JOB}) "
    rf"(?:at|in|on|with) {_NO_WORKPLACE}(?:the |an? )?[^,.;:!?()\"]{{2,50}}?),? "
    rf"(?:since|as of|for (?:\w+ ){{1,2}}years|(?:\w+ )?years|starting|from (?:(?i:{MONTH})|next|the))\b"
)
_DOUBT = LatePattern(
    r"(?i)\b(?:if|would|could|might|maybe|wants?|looking for|needed|wanted|vacancy|ad|please|"
    r"he|she|they|his|her|said|says)\b|\?$"
)


def self_descriptions(sentence: str) -> Iterator[Clause]:
    """Yield the statements that such descriptions in a sentence in plain wording make."""
    for pattern in (_NAMED, _FRAGMENT):
        match = pattern.search(sentence)
        if match and _DOUBT.search(sentence[: match.end()]) is None:
            if name := match.groupdict().get("name"):
                yield Clause(f"my name is {name.title()}", "statement")
            what = match["what"]
            article = "" if what.startswith(("a ", "an ", "the ")) else "a "
            yield Clause(f"I'm {article}{what[:1].lower()}{what[1:]}", "statement")
