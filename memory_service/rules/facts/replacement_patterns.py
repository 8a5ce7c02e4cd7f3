"""Patterns of replacements, cancellations, departures and new dates.

Rows as in clause_patterns.py, where the tables are joined. An event such as a separation or a death is a fact that
holds, beside the ending of the former fact.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    ANIMAL,
    BE,
    CARS,
    DATE,
    DAY,
    END,
    JOB,
    MEDICINE,
    MONTH,
    NAME,
    NAMED,
    PERFECT,
    PHONE,
    TOOLS,
    WHO,
)
from memory_service.rules.facts.patterns import NO_NAME, Says, ends, says

_THE = r"(?:(?:my|our|the|an?|some|this) )?(?:old |new |current |former )?"
_NO_PRONOUN = (
    r"(?!(?:it|that|this|these|those|them|they|he|she|him|her|you|me|us|one|each|every|all|everything|something|"
    r"anything|"
    r"nothing|more|what|who|which)\b)"
)
_PHRASE = (
    rf"{_NO_PRONOUN}[\w&+#/-]+(?:\.\w+)?(?: (?!(?:and|but|so|because|for|with|by|as|in|on|at|from|to|is|are|was|"
    rf"has|have|"
    rf"had|been|got|just|now|will|can|it)\b)[\w&+#/.-]*\w){{0,2}}"
)
_TIME = r"(?: (?:last|this|next|yesterday|today|in|on|at|since|from|two|three|a|because|after|as of|now)\b)"
_STOP = rf"(?=$|[.,;:!?()]|{_TIME}| (?:and|but|so|which)\b)"
_LETS = r"(?:(?:so|then|well|also|now|and|ok|okay|right|plus|news|update|anyway|by the way|from now on|today),? )*"
_NEXT = rf"(?:^{_LETS}|, (?:and |so |but )*)"
_GROUP = (
    r"(?:band|choir|club|team|orchestra|course|class|gym|group|company|firm|party|league|union|committee|board|church|"
    r"course|programme|program|flatshare|study group|book club)"
)
_TEAM = r"(?:band|choir|team|orchestra|league|union|committee|board|flatshare|study group|book club)"
_SURE = r"(?!.*\b(?:if|might|(?-i:may)|would|could|should|maybe|perhaps|whether|were|said|says|imagine|suppose)\b)"
_MED = rf"(?:{MEDICINE}|(?-i:[A-Z])[a-z]{{4,}}(?:-[A-Z][a-z]+)?)"


_DRIVES = (ends("drives", "{who} no longer drives {old}"), says("drives", "{who} drives {value}"))
_PHONES = (
    ends("phone_model", "{who} no longer has the phone {old}"),
    says("phone_model", "{who} has the phone {value}"),
)
_TAKES = (
    ends("takes_medicine", "{subject} no longer takes {old}"),
    says("takes_medicine", "{subject} takes {value}"),
)
_REPLACED = (
    ends("has", "{subject} no longer has {old}"),
    says("has_replaced", "{subject} has {value} in place of {old}", "{value}"),
)
_USES = (says("uses", "{subject} uses {value}"),)
_STOPPED = (ends("uses", "{subject} no longer uses {old}"),)
_MEMBER = (
    ends("member_of", "{who} is no longer in the {old}"),
    says("has_left", "{who} left the {old}", "the {old}"),
)
_COUPLE = (
    ends("relationship_status", "{subject} is no longer single", "single"),
    says("partner", "{subject} and {value} are a couple"),
)
_CANCELLED = (
    ends("goal", "{old} is off"),
    says("cancelled", "{subject}'s {old} is cancelled", "{old}"),
)
_SWAPPED = (
    rf"(?:{PERFECT}{ADV} (?:swapped|traded|exchanged|replaced|ditched|sold|part[- ]exchanged)|{BE}{ADV} "
    rf"(?:swapping|trading|replacing))"
)
_FOR = r"(?: in| out)? (?:for|with|by|against|in favou?r of) "

_EVENT = (
    r"(?:wedding|exam|viva|interview|operation|surgery|course|rehearsals?|practice|training|stand-?up|retro|"
    r"planning|demo|"
    r"class|lesson|appointment|flight|move|due date|deadline|launch|release|party|meeting|shift|market|choir|"
    r"pottery|yoga|"
    r"football|office days?|day off|days off|release day|deploy day)"
)
_PLANNED = (
    rf"(?:[a-z-]+ )?(?:{_EVENT}|internship|marathon|race|concert|gig|trip|holiday|vacation|tournament|conference|"
    rf"retreat)"
)
_ITS = rf"(?P<kin>(?:(?!(?:my|our|your|his|her|their|the|a|this|that)\b)[a-z-]+ )?{_EVENT})"
_MINE = rf"(?:(?:my|our) (?:new |next )?|the )?{_ITS}(?:'s| is| are| takes place| starts)(?: now)?"
_CLOCK = r"(?:(?:half past |quarter (?:past|to) )?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|noon|midnight)"
_WHEN = r"(?=$|[.,;!?()]| (?:in|at|on|with|for|from|and|but|so|because|now|instead)\b)"


def _on(kind: str, before: str) -> tuple[Says, ...]:
    return (says(f"{{kin}}_{kind}", f"{{subject}}'s {{kin}} is {before} {{value}}"),)


REPLACEMENTS: tuple[tuple[str, str, tuple[Says, ...]], ...] = (
    (" swap| trad| exchang| replac| ditch| sold ",
     rf"^(?P<who>I|[Ww]e){_SWAPPED} {_THE}(?P<old>{CARS})(?<! in)(?<! out){_FOR}{_THE}(?P<value>{CARS}){END}", _DRIVES),
    (" swap| trad| exchang| replac| ditch",
     rf"^(?P<who>I|[Ww]e){_SWAPPED} {_THE}(?P<old>{PHONE}){_FOR}{_THE}(?P<value>{PHONE}){END}", _PHONES),
    (" left ", rf"^I{PERFECT}{ADV} left (?P<old>(?:the )?(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,2}}) "
     rf"(?:for|to (?:join|work at|work for|start at)|and (?:joined|started at|work at|work for)) "
     rf"(?P<value>(?:the )?(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,2}}){END}",
     (ends("works_at", "{subject} no longer works at {old}"), says("works_at", "{subject} works at {value}"))),
    (" quit | walked out| resigned | dropped out",
     rf"^{WHO}{PERFECT}{ADV} (?:quit|walked out of|resigned from|dropped out of) (?:the|my|our) "
     rf"(?P<old>(?:[\w-]+ )?{_GROUP}){_STOP}", _MEMBER),
    (" left ", rf"^{WHO}{PERFECT}{ADV} left (?:the|my|our) (?P<old>(?:[\w-]+ )?{_TEAM})(?=$|[.;!]| (?:last \w+|"
     rf"for good|in (?:\d{{4}}|{MONTH}))(?=$|[.,;!]))", _MEMBER),
    (" promoted", rf"^{WHO}(?: was| got|{PERFECT} been|'s been){ADV} promoted,? (?:to |as )?(?:an? |the "
     rf")?(?P<value>{JOB})"
     rf"(?=$|[.,;!?()]|{_TIME})", (says("works_as", "{who} works as {value}"),)),
    (" the ", rf"^{WHO}{PERFECT}{ADV} (?:got|landed) the (?P<value>{JOB}) (?:job|post|position|role)\b",
     (says("works_as", "{who} works as {value}"),)),
    (" marry | getting married ", rf"^(?:(?-i:{NAME}) and )?(?:I|[Ww]e)(?:'ll| will|{BE}{ADV})? (?:marry|get "
     rf"married|getting "
     rf"married)(?: [^.,;!?()]{{2,25}}?)?(?: on|,) (?P<value>(?:{DAY},? )?{DATE})",
     (says("wedding_date", "{subject}'s wedding is on {value}"),)),
    (" mov| postpon| put ", rf"^(?:I|[Ww]e)(?:{BE}{ADV} (?:moving|postponing)|{PERFECT}{ADV} (?:moved|postponed|"
     rf"put off)) "
     rf"(?:my|our|the) (?P<kin>[a-z]+(?: [a-z]+)?) (?:to|until|till) (?P<value>(?:{DAY},? )?(?:the "
     rf")?{DATE})", _on("date", "on")),
    (" plan", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} signed up (?:for|to) (?:the |a |an )?(?P<value>(?-i:[A-Z])[\w+]*(?: "
     rf"(?-i:[A-Z])[\w+]*)?) (?:plan|tier|package)\b", (says("subscription", "{who} is on the {value} plan"),)),
    (" touched ", rf"^{WHO}(?: haven't| have not| hasn't) (?:touched|had) (?:a|one|any) (?:cigarettes?|fag|"
     rf"smoke)s?(?: since| in| "
     rf"for)\b", (ends("smokes", "{who} no longer smokes", "anything"), says("avoids", "{who} stopped "
     "smoking", "smoke"))),
    (" official| together| couple| a thing| dating| an item", rf"^(?:me and|I and) {NAMED}(?: are|'re) (?:now |"
     rf"finally |"
     rf"a proper )*(?:official|together|a couple|a thing|dating|an item)(?=$|[.;!]| now\b)", _COUPLE),
    (" and I ", rf"^{NAMED} and I(?: are|'re) (?:now |officially |finally )*(?:official|together|a (?:proper "
     rf")?couple|a thing|"
     rf"dating|an item)(?=$|[.;!]| now\b)", _COUPLE),
    (" ended it| ended things", rf"^(?P<who>[Ww]e)(?:'ve| have)?{ADV} ended (?:it|things)(?=$|[.,;!?()]|{_TIME})",
     (Says("partner", "{subject}'s relationship has ended", "", holds=False),
      says("separated", "{subject} ended the relationship", "relationship"))),
)  # fmt: skip

REPLACEMENT_MENTIONS: tuple[tuple[str, str, tuple[Says, ...]], ...] = (
    (" on | is |'s ", rf"^{_SURE}{_LETS}{_MINE} on (?P<value>(?:{DAY},? )?(?:the )?{DATE}(?:,? at "
     rf"{_CLOCK})?){_WHEN}", _on("date", "on")),
    (" at ", rf"^{_SURE}{_LETS}{_MINE}(?: every day| daily| always)? at (?P<value>{_CLOCK}){_WHEN}", _on("time", "at")),
    (" changed", rf"^{_SURE}{_LETS}(?:my|our) (?P<kin>[a-z-]+ (?:days?|hours))(?:'s| has| have)? changed(?: to|:|"
     rf",) (?P<value>[^.;!?()]"
     rf"{{3,40}}?)(?=$|[.;!?()])", (says("{kin}", "{subject}'s {kin} are {value}"),)),
    (" days| hours", rf"^{_SURE}{_LETS}(?:my|our) (?P<kin>[a-z-]+ (?:days|hours))(?: are|:)(?: now)? "
     rf"(?P<value>(?:on )?(?:{DAY}s?|\d)[^.;!?()]"
     rf"{{2,40}}?)(?=$|[.;!?()])", (says("{kin}", "{subject}'s {kin} are {value}"),)),
    (" 0| 1| 2| 3| 4| 5| 6| 7| 8| 9| v", rf"(?:^|, )(?P<value>(?:{TOOLS})(?<!\d) v?\d+(?:\.\d+)*)$", _USES),
    (" on ", rf"^{_SURE}{_LETS}(?:our |the )?[\w -]{{2,20}} (?:is|are|runs|run)(?: now| still)? on "
     rf"(?P<value>(?:{TOOLS})(?<!\d) v?\d+"
     rf"(?:\.\d+)*)(?![\w-])", _USES),
    (" dr | Dr", r"^I(?: now)? (?:see|go to) (?:the )?(?P<value>[Dd]r\.? \w+(?: now)?(?:,? (?:once|twice|"
     r"every|each) [^.,;!?()]+)?)(?=$|"
     r"[.,;!?()])", (says("sees", "{subject} sees {value}"),)),
    (", ", rf"^(?P<kin>(?:An?|Our) (?:[\w-]+ ){{0,2}}{ANIMAL}), {NAMED}(?:,? (?:he|she|it|from|who|and|came)\b|$)",
     (says("pet", "{subject} has {kin} called {value}"),)),
    (" proposed", rf"^{NAMED} (?:has )?(?:just |finally )?proposed to me\b",
     (says("relationship_status", "{subject} is engaged to {value}", "engaged"),)),
    ("ew ", rf"^(?:got |bought |I got |we got )?(?:an? |my |the )?new (?P<value>thinkpad|macbook|laptop|"
     rf"workstation|{PHONE})(?: too)?(?=$|[.,;!])",
     (says("has", "{subject} has a {value}", "a {value}"),)),
    (" replaces | replaced ", rf"^{_SURE}(?:.*, (?:so |and )?)?{_LETS}(?:the |our |my )?(?P<value>{_PHRASE}(?: "
     rf"at [\d.]+)?) (?:replaces|has replaced|"
     rf"replaced|is replacing) (?:the |our |my )?(?P<old>{_PHRASE})(?: (?:as|in) (?:the |our |my )?(?P<kin>{_PHRASE}))?"
     rf"(?=$|[.,;:!?()]|{_TIME})", _REPLACED),
    (" swapped | changed | replaced ", rf"^{_SURE}(?:(?:the |my |our )?(?:doc(?:tor)?|gp|vet|specialist|"
     rf"consultant|Dr\.? "
     rf"\w+)|they)(?:'ve|'s| has| have)? (?:swapped|changed|replaced) (?:me (?:over )?from )?(?:the |my "
     rf")?(?P<old>{_MED})"
     rf"(?: for| to| with| by| onto) (?:the )?(?P<value>{_MED})(?![\w-])", _TAKES),
    (" put me on ", rf"\bput me on (?P<value>{_MED})(?![\w-])", (says("takes_medicine", "{who} takes {value}"),)),
    (" is off|'s off| cancelled| canceled| called off| fell through| fallen through",
     rf"^{_SURE}{_LETS}(?:(?:the|my|our|this year's) )?(?P<old>{_PLANNED})(?: is| are|'s| was| were| has "
     rf"been| have been| got| "
     rf"has)?(?: now)? (?:off|cancelled|canceled|called off|fell through|fallen through)(?=$|[.,;:!?()]|"
     rf"{_TIME})", _CANCELLED),
    (" cancelled | called off ", rf"^(?:they|(?:I|we)(?:'ve| have| had to)?) (?:just )?(?:cancelled|canceled|"
     rf"called off|cancel|"
     rf"call off) (?:the|my|our) (?P<old>{_PLANNED}){_STOP}", _CANCELLED),
    *(
        (" moved | moves | moving | postponed| put off", rf"^{_SURE}{_LETS}(?:(?:the|my|our) )?(?P<kin>(?!(?:I|"
        rf"we|he|she|they|it|you|"
         rf"who)\b)[a-z-]+(?: (?!has\b|is\b|was\b|have\b)[a-z-]+)?)(?:'s| has| is| was| have)?(?: been)? "
         rf"(?:moved|moves|moving|"
         rf"postponed|put off|changed)(?: back| forward)? (?:to|until) (?P<value>{value})(?=$|[.,;:!?()]|{_TIME}|"
         rf" (?:now|and|but|"
         rf"so|instead)\b)", _on(kind, before))
        for kind, before, value in (
            ("date", "on", rf"(?:{DAY},? )?(?:the )?{DATE}"),
            ("day", "on", rf"{DAY}s?(?:(?:, | and ){DAY}s?)*(?!,? the \d)"),
            ("time", "at", _CLOCK),
        )
    ),
    (" is the new |'s the new | is our new | is my new |'s our new ",
     rf"{_NEXT}(?P<value>(?-i:{NO_NAME}){NAME}(?: (?-i:{NO_NAME}){NAME})?)(?: is|'s)(?: now)? (?:the|our|my) new "
     rf"(?P<kin>(?-i:[a-z][a-z-]+(?: [a-z-]+)?))(?=$|[.,;:!?()]|{_TIME}| (?:and|for|here|of)\b)",
     (says("{kin}_name", "{subject}'s new {kin} is {value}"),)),
    (", the new |, our new |, my new ", rf"^(?:and |so )?(?:that's|that is|this is|it's) "
     rf"(?P<value>(?-i:{NO_NAME}){NAME}(?: "
     rf"(?-i:{NO_NAME}){NAME})?), (?:the|our|my) new (?P<kin>[a-z][a-z-]+(?: [a-z-]+)?)(?=$|[.,;:!?()])",
     (says("{kin}_name", "{subject}'s new {kin} is {value}"),)),
    (" is ", rf"{_NEXT}(?:our |the )?(?P<value>(?:{TOOLS})(?<!\d)) is (?:now )?(?:at |on )?(?:version "
     rf")?v?(?P<old>\d+(?:\.\d+)*) now\b",
     (says("uses", "{subject} uses {value} {old}", "{value} {old}"),)),
    (" dies | dead| died", rf"{_NEXT}(?:the |my |our )?(?P<old>{TOOLS}|macbook|thinkpad|laptop)(?:'s| is)? "
     rf"(?:dies|died|dead|"
     rf"retired|gone|out|history|being shut down)(?![\w-])", _STOPPED),
    (" moving us to ", rf"\b(?:is|are) (?:moving|switching|migrating) us (?:over )?to (?P<value>{TOOLS}|"
     rf"{_NO_PRONOUN}[^.,;:!?()]"
     rf"{{2,30}}?){END}", _USES),
    ("ou may call me |ou can call me ", rf"\byou (?:may|can)(?: now)? call me (?P<value>(?:(?:Mr|Mrs|Ms|Miss|Dr)\.? )?"
     rf"(?-i:{NO_NAME}){NAME})(?=$|[.,;!?()]| (?:by|for|now|if|please)\b)",
     (says("preferred_name", "{subject} wants to be called {value}"),)),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
