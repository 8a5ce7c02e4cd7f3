"""Patterns of events: their dates, days and times, and cancellations.

Rows as in clause_patterns.py, where the tables are joined. A cancellation is a fact that holds,
beside the ending of the former plan.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    BE,
    DATE,
    DAY,
    DOING,
    LEAD,
    NAME,
    PERFECT,
    STOP_OR_TIME,
    SURE,
    TIME,
)
from memory_service.rules.facts.patterns import Rows, Says, ends, says

_CANCELLED = (
    ends("goal", "{old} is off"),
    Says("{old}_date", "", otherwise="{subject}'s {old} is cancelled"),
    says("cancelled", "{subject}'s {old} is cancelled", "{old}"),
)
_EVENT = (
    "(?:wedding|exam|viva|interview|operation|surgery|course|rehearsals?|practice|training|stand-?up|retro|planning|"
    "demo|class|lesson|appointment|flight|move|due date|deadline|launch|release|party|meeting|shift|market|choir|"
    "pottery|yoga|football|office days?|day off|days off|release day|deploy day)"
)
_PLANNED = (
    rf"(?:[a-z-]+ )?(?:{_EVENT}|internship|marathon|race|concert|gig|trip|holiday|vacation|tournament|conference|"
    rf"retreat)"
)
_NTH = (
    r"the \d{1,2}(?:st|nd|rd|th)(?! (?:of|floor|time|grade|birthday|[a-z]+day|one|on the)\b)"
    r"(?! in (?!the (?:morning|afternoon|evening)\b|(?-i:[A-Z])))"
)
"""A day of the month that is near: "the 23rd"; not "the 3rd in two years", "the 5th on the list"."""
_WITH = r"(?: (?:to|with|at|for) (?:(?:the|Dr\.?) )?(?-i:[A-ZÄÖÜÉ])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?)?"
"""Where it goes or with whom: "to Lima", "with Dr Bell". Another one is another event."""
_ITS = rf"(?P<kin>(?:(?!(?:my|our|your|his|her|their|the|a|this|that)\b)[a-z-]+ )?{_EVENT}{_WITH})"
_MINE = rf"(?:(?:my|our) (?:new |next )?|the )?{_ITS}(?:'s| is| are| takes place| starts)(?: now)?"
_CLOCK = r"(?:(?:half past |quarter (?:past|to) )?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|noon|midnight)"
_WHEN = r"(?=$|[.,;!?()]| (?:in|at|on|with|for|from|and|but|so|because|now|instead)\b)"


def _on(kind: str, before: str) -> tuple[Says, ...]:
    return (says(f"{{kin}}_{kind}", f"{{subject}}'s {{kin}} is {before} {{value}}"),)


_DAYS = rf"{DAY}s(?:(?:, | and ){DAY}s)*"
_OTHER_ONE = r"(?:from|to|on|in|mind|job|plan|way|focus|attention|money|house|home)"
_NO_EVENT = (
    r"(?:(?!to\b)[a-z-]+ ){0,2}(?:kids?|children|child|bab(?:y|ies)|twins|boys?|girls?|sons?|daughters?|mum|mom|mother|"
    r"dad|father|parents|wife|husband|partner|brothers?|sisters?|friends?|guests?|clients?|dogs?|cats?|horses?|cars?|vans?|"
    r"bikes?|trucks?|lorry|lorries|bus|motorbikes?|trailer|caravan|camper|boat) (?:to|from|on)\b"
)
"""People, animals and vehicles: "I moved the kids to Mondays"."""
_REGULAR_ONE = (
    rf"(?:my|our|the) (?!{_NO_EVENT})(?:{DAY} )?(?P<kin>(?!{_OTHER_ONE}\b)[a-z-]+(?: (?!{_OTHER_ONE}\b)[a-z-]+){{0,2}})"
    r"(?: from [^.,;!?()]{3,30}?)?"
)
_SHIFTED = (
    rf"(?:{BE}{ADV} (?:moving|switching|changing|shifting)|{PERFECT}{ADV} (?:moved|switched|changed|shifted))"
)
_HELD = (
    rf"(?:(?:my|our) (?P<kin>[a-z-]+(?: (?!(?:is|are|was|on)\b)[a-z-]+)?)|(?:the )?(?P<kin2>{DOING}|{_EVENT}|gym|piano|"
    r"violin|guitar|swimming|releases?|retros?|stand-?ups?|drop-?in|office hours|book club|language exchange))"
)
_NOWADAYS = r"(?: now| from now on| these days| nowadays| instead)"


EVENTS: Rows = (
    (" marry | getting married ", f"^(?:(?-i:{NAME}) and )?(?:I|[Ww]e)(?:'ll| will|{BE}{ADV})? (?:marry|get married|"
     f"getting married)(?: [^.,;!?()]{{2,25}}?)?(?: on|,) (?P<value>(?:{DAY},? )?{DATE})",
     (says("wedding_date", "{subject}'s wedding is on {value}"),)),
    (" mov| postpon| put ", f"^(?:I|[Ww]e)(?:{BE}{ADV} (?:moving|postponing)|{PERFECT}{ADV} (?:moved|postponed|put "
     f"off)) (?:my|our|the) (?P<kin>[a-z]+(?: [a-z]+)?) (?:to|until|till) (?P<value>(?:{DAY},? )?(?:the )?{DATE})",
     _on("date", "on")),
    (" mov| switch| chang| shift", rf"^(?:I|[Ww]e){_SHIFTED} {_REGULAR_ONE} (?:on )?to (?P<value>{_DAYS}){_WHEN}",
     _on("day", "on")),
    (" mov| switch| chang| shift", rf"^(?:I|[Ww]e){_SHIFTED} {_REGULAR_ONE} to (?P<value>the (?:mornings|evenings|"
     rf"nights|afternoons)){_WHEN}", (says("habit", "{subject}'s {kin} is in {value}", "{kin} is in {value}"),)),
    (" mov| switch| chang| shift", rf"^(?:I|[Ww]e){_SHIFTED} {_REGULAR_ONE} to (?P<value>every (?:(?:other|second|"
     rf"third|two|three) )?(?:{DAY}|morning|evening|weeks?|months?)){_WHEN}",
     (says("habit", "{subject}'s {kin} is {value}", "{kin} is {value}"),)),
)  # fmt: skip

EVENT_MENTIONS: Rows = (
    (" on the | is the |'s the ", rf"^{SURE}{LEAD}{_MINE} (?:on )?(?P<value>{_NTH}){_WHEN}", _on("date", "on")),
    (" on | is |'s ", rf"^{SURE}{LEAD}{_MINE} (?:on |(?!\d\d?[.:]\d\d\b))(?P<value>(?:{DAY},? )?(?:the )?{DATE}(?:,? "
     rf"at {_CLOCK})?){_WHEN}", _on("date", "on")),
    (" on ", rf"^{SURE}{LEAD}{_HELD}(?:'s| is| are)(?: (?P<when>now))? on (?P<value>{_DAYS})(?(when)|{_NOWADAYS})(?=$|"
     r"[.,;!?()]| (?:and|but|so|because|not|instead)\b)", _on("day", "on")),
    (" at ", rf"^{SURE}{LEAD}{_MINE}(?: every day| daily| always)? at (?P<value>{_CLOCK}){_WHEN}", _on("time", "at")),
    (" changed", f"^{SURE}{LEAD}(?:my|our) (?P<kin>[a-z-]+ (?:days?|hours))(?:'s| has| have)? changed(?: to|:|,) "
     "(?P<value>[^.;!?()]{3,40}?)(?=$|[.;!?()])", (says("{kin}", "{subject}'s {kin} are {value}"),)),
    (" days| hours", rf"^{SURE}{LEAD}(?:my|our) (?P<kin>[a-z-]+ (?:days|hours))(?: are|:)(?: now)? "
     rf"(?P<value>(?:on )?(?:{DAY}s?|\d)[^.;!?()]{{2,40}}?)(?=$|[.;!?()])",
     (says("{kin}", "{subject}'s {kin} are {value}"),)),
    (" is off|'s off| cancelled| canceled| called off| fell through| fallen through",
     f"^{SURE}{LEAD}(?:(?:the|my|our|this year's) )?(?P<old>{_PLANNED})(?: is| are|'s| was| were| has been| have been|"
     f" got| has)?(?: now)? (?:off|cancelled|canceled|called off|fell through|fallen through)(?=$|[.,;:!?()]|{TIME})",
     _CANCELLED),
    (" cancelled | called off ", "^(?:they|(?:I|we)(?:'ve| have| had to)?) (?:just )?(?:cancelled|canceled|called off|"
     f"cancel|call off) (?:the|my|our) (?P<old>{_PLANNED}){STOP_OR_TIME}", _CANCELLED),
    *(
        (needles, rf"^{SURE}{LEAD}(?:(?:the|my|our) )?{what}(?:'s| has| is| was| have|"
         rf" got)?(?: been)? (?:{verbs})(?: back|"
         rf" forward)? (?:to|until) (?P<value>{value})(?=$|[.,;:!?()]|{TIME}| (?:now|and|but|so|instead)\b)",
         _on(kind, before))
        for needles, what, verbs in (
            (" moved | moves | moving | postponed| put off", r"(?P<kin>(?!(?:I|we|he|she|they|it|you|who|his|her|"
             rf"their)\b)[a-z-]+(?: (?!(?:has|is|was|have|got|to|with|at|for)\b)[a-z-]+)?{_WITH})",
             "moved|moves|moving|postponed|put off|changed"),
            (" extended| pushed| delayed| rescheduled| brought", _ITS, "extended|pushed|delayed|rescheduled|brought"),
        )
        for kind, before, value in (
            ("date", "on", rf"(?:{DAY},? )?(?:the )?{DATE}(?:,? at {_CLOCK})?|{_NTH}"),
            ("day", "on", rf"{DAY}s?(?:(?:, | and ){DAY}s?)*(?!,? the \d)"),
            ("time", "at", _CLOCK),
        )
    ),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
