"""Patterns of people: posts, memberships, couples, and the names of persons and pets.

Rows as in clause_patterns.py, where the tables are joined. Leaving a group is a fact that holds,
beside the ending of the membership.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    ANIMAL,
    CLAUSE_START,
    END,
    JOB,
    MONTH,
    NAME,
    NAMED,
    NO_PERSON,
    PERFECT,
    STOP_OR_TIME,
    TIME,
    WHO,
)
from memory_service.rules.facts.patterns import NO_NAME, Rows, Says, ends, says

_GROUP = (
    r"(?:band|choir|club|team|orchestra|course|class|gym|group|company|firm|party|league|union|committee|board|church|"
    r"course|programme|program|flatshare|study group|book club)"
)
_TEAM = r"(?:band|choir|team|orchestra|league|union|committee|board|flatshare|study group|book club)"
_MEMBER = (
    ends("member_of", "{who} is no longer in the {old}"),
    says("has_left", "{who} left the {old}", "the {old}"),
)
_COUPLE = (
    ends("relationship_status", "{subject} is no longer single", "single"),
    says("partner", "{subject} and {value} are a couple"),
)

PEOPLE_CHANGES: Rows = (
    (" left ", rf"^I{PERFECT}{ADV} left (?P<old>(?:the )?(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,2}}) (?:for|to (?:join|"
     r"work at|work for|start at)|and (?:joined|started at|work at|work for)) "
     rf"(?P<value>(?:the )?(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,2}}){END}",
     (ends("works_at", "{subject} no longer works at {old}"), says("works_at", "{subject} works at {value}"))),
    (" quit | walked out| resigned | dropped out", rf"^{WHO}{PERFECT}{ADV} (?:quit|walked out of|resigned from|"
     rf"dropped out of) (?:the|my|our) (?P<old>(?:[\w-]+ )?{_GROUP}){STOP_OR_TIME}", _MEMBER),
    (" left ", rf"^{WHO}{PERFECT}{ADV} left (?:the|my|our) (?P<old>(?:[\w-]+ )?{_TEAM})(?=$|[.;!]| (?:last \w+|for "
     rf"good|in (?:\d{{4}}|{MONTH}))(?=$|[.,;!]))", _MEMBER),
    (" promoted", f"^{WHO}(?: was| got|{PERFECT} been|'s been){ADV} promoted,? (?:to |as )?(?:an? |"
     f"the )?(?P<value>{JOB})(?=$|[.,;!?()]|{TIME})", (says("works_as", "{who} works as {value}"),)),
    (" the ", rf"^{WHO}{PERFECT}{ADV} (?:got|landed) the (?P<value>{JOB}) (?:job|post|position|role)\b",
     (says("works_as", "{who} works as {value}"),)),
    (" official| together| couple| a thing| dating| an item", rf"^(?:me and|I and) {NAMED}(?: are|'re) (?:now |"
     r"finally |a proper )*(?:official|together|a couple|a thing|dating|an item)(?=$|[.;!]| now\b)", _COUPLE),
    (" and I ", rf"^{NO_PERSON}{NAMED} and I(?: are|'re) (?:now |officially |finally )*(?:official|together|a "
     r"(?:proper )?couple|a thing|dating|an item)(?=$|[.;!]| now\b)", _COUPLE),
    (" ended it| ended things", rf"^(?P<who>[Ww]e)(?:'ve| have)?{ADV} ended (?:it|things)(?=$|[.,;!?()]|{TIME})",
     (Says("partner", "{subject}'s relationship has ended", "", holds=False),
      says("separated", "{subject} ended the relationship", "relationship"))),
)  # fmt: skip

PEOPLE_MENTIONS: Rows = (
    (" dr | Dr", r"^I(?: now)? (?:see|go to) (?:the )?(?P<value>[Dd]r\.? \w+(?: now)?(?:,? (?:once|twice|every|each) "
     r"[^.,;!?()]+)?)(?=$|[.,;!?()])", (says("sees", "{subject} sees {value}"),)),
    (", ", rf"^(?P<kin>(?:An?|Our) (?:[\w-]+ ){{0,2}}{ANIMAL}), {NAMED}(?:,? (?:he|she|it|from|who|and|came)\b|$)",
     (says("pet", "{subject} has {kin} called {value}"),)),
    (" proposed", rf"^{NAMED} (?:has )?(?:just |finally )?proposed to me\b(?! (?:an?|the|that|some|two|another)\b)",
     (says("relationship_status", "{subject} is engaged to {value}", "engaged"),)),
    (" is the new |'s the new | is our new | is my new |'s our new ",
     rf"{CLAUSE_START}(?P<value>(?-i:{NO_NAME}){NAME}(?: (?-i:{NO_NAME}){NAME})?)(?: is|'s)(?: now)? (?:the|our|my) "
     rf"new (?P<kin>(?-i:[a-z][a-z-]+(?: [a-z-]+)?))(?=$|[.,;:!?()]|{TIME}| (?:and|for|here|of)\b)",
     (says("{kin}_name", "{subject}'s new {kin} is {value}"),)),
    (", the new |, our new |, my new ", r"^(?:and |so )?(?:that's|that is|this is|it's) "
     rf"(?P<value>(?-i:{NO_NAME}){NAME}(?: (?-i:{NO_NAME}){NAME})?), (?:the|our|my) new (?P<kin>[a-z][a-z-]+(?: "
     r"[a-z-]+)?)(?=$|[.,;:!?()])", (says("{kin}_name", "{subject}'s new {kin} is {value}"),)),
    ("ou may call me |ou can call me ", r"\byou (?:may|can)(?: now)? call me (?P<value>(?:(?:Mr|Mrs|Ms|Miss|"
     rf"Dr)\.? )?(?-i:{NO_NAME}){NAME})(?=$|[.,;!?()]| (?:by|for|now|if|please)\b)",
     (says("preferred_name", "{subject} wants to be called {value}"),)),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
