"""Patterns of particulars that have one value at a time: dates and times of events, rates and rents, suppliers, hours,
head counts, classes.

Rows as in clause_patterns.py, where the tables are joined. A cancellation is a fact that holds, beside the ending of
the former plan.
"""

from __future__ import annotations

from memory_service.rules.facts.attribute_names import PERIODS
from memory_service.rules.facts.clause_words import (
    ADV,
    BANKS,
    BE,
    DATE,
    DAY,
    DOING,
    END,
    INSTRUMENT,
    LANGUAGE,
    LEAD,
    NAME,
    NUMBER,
    PERFECT,
    STOP_OR_TIME,
    SURE,
    TIME,
    WHO,
)
from memory_service.rules.facts.patterns import NO_NAME, Rows, Says, ends, says
from memory_service.rules.relatives import KIN, RELATIVES, SEVERAL_OF_ONE, SEVERAL_OF_OTHERS

_CANCELLED = (
    ends("goal", "{old} is off"),
    Says("{old}_date", "", otherwise="{subject}'s {old} is cancelled"),
    says("cancelled", "{subject}'s {old} is cancelled", "{old}"),
)
_EVENT = (
    "(?:wedding|exam|viva|interview|operation|op|procedure|surgery|course|rehearsals?|practice|training|stand-?up|retro|planning|"
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


_OFFICE = (
    r"(?:the |my )?(?:consulate|embassy|hospital|clinic|practice|surgery|surgeon|doctor|dentist|gp|vet|school|"
    r"university|"
    r"court|garage|landlord|airline|office|council|venue|bank)"
)


def _on(kind: str, before: str) -> tuple[Says, ...]:
    return (says(f"{{kin}}_{kind}", f"{{subject}}'s {{kin}} is {before} {{value}}"),)


_DAYS = rf"{DAY}s(?:(?:, | and ){DAY}s)*"
_OTHER_ONE = r"(?:from|to|on|in|mind|job|plan|way|focus|attention|money|house|home)"
_NO_EVENT = (
    r"(?:(?!to\b)[a-z-]+ ){0,2}(?:kids?|children|child|bab(?:y|ies)|twins|boys?|girls?|parents|"
    rf"(?:{RELATIVES}|friend)s?|guests?|clients?|dogs?|cats?|horses?|cars?|vans?|"
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
    (" due ", rf"^{SURE}{LEAD}(?:my|our|the) (?P<kin>(?:[a-z]+ )?(?:thesis|dissertation|essay|manuscript|tax return|"
     rf"proposal|coursework))(?:'s| is)(?: now)? due(?: on| by)? (?P<value>(?:{DAY},? )?(?:the )?{DATE}){_WHEN}",
     (says("{kin}_deadline_date", "{subject}'s {kin} is due on {value}"),)),
    (" moved | postponed | pushed | rescheduled | changed | delayed | put ", rf"^{SURE}{LEAD}{_OFFICE}(?:'ve| have| "
     rf"has)? (?:just )?(?:moved|postponed|pushed|rescheduled|changed|delayed|put) my (?P<kin>(?:(?!(?:{KIN}|"
     rf"{SEVERAL_OF_ONE}|{SEVERAL_OF_OTHERS})s?\b)[a-z-]+ )?(?:{_EVENT}|visa|application))(?: thing)?(?: back| "
     rf"forward| off)?(?: from [^.,;!?()]{{3,20}}?)? (?:to|until|till) (?P<value>(?:{DAY},? )?(?:the )?"
     rf"{DATE}){_WHEN}", _on("date", "on")),
    (" cancelled | canceled | called off ", rf"^{SURE}{LEAD}{_OFFICE}(?:'ve| have| has)? (?:just )?(?:cancelled|"
     rf"canceled|called off) my (?P<old>{_PLANNED}){STOP_OR_TIME}", _CANCELLED),
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

_AMOUNT = (
    r"(?:(?:about |around |only )?[$€£]? ?\d[\d.,]*\d?k?(?: ?(?:euros?|dollars|pounds|pesos|francs|crowns|kr|eur|usd|"
    r"gbp|k|%|percent))?(?:,?(?: an?| per|/)(?: )?(?:hour|day|week|month|year|page|word|session|head|person|piece|"
    r"night|lesson))?)"
)
_PAID = (
    "(?:(?:hourly |daily |day |monthly |weekly |annual )?(?:rate|rent|salary|wage|pension|mortgage|fee|budget|deposit|"
    "tuition|allowance|retainer)|weight|price)"
)
_NAMED_ONE = rf"(?P<value>(?-i:{NO_NAME}){NAME}(?: (?:& |and )?(?-i:{NO_NAME}){NAME}){{0,2}})"
_HOUR = (
    rf"(?:(?:half past |quarter (?:past|to) )?(?:\d{{1,2}}(?:[:.]\d\d)?|{NUMBER})(?: ?[ap]m)?|noon|midnight)"
)
_NOT_PER = r"(?! (?:minutes|percent|people|%|times|hours|days|weeks))"
_CLASS = (
    r"(?:(?:year|class|grade|form) (?:\d{1,2}[a-z]?|(?:one|two|three|four|five|six|seven|eight|nine|ten))|"
    r"(?:\d(?:st|nd|rd|th)|first|"
    r"second|third|fourth|fifth|sixth) (?:grade|class|form|year)|reception|nursery|kindergarten|preschool|sixth form)"
)
_SHOP = (
    r"(?:(?:my|our) (?:shop|store|caf[eé]|bakery|office|practice|salon|studio|bar|restaurant|clinic|"
    r"library|surgery))"
)


_GUESTS = (says("number_of_guests", "{subject} expects {value} guests"),)
"""From twenty on, as of a wedding or a party: those of an evening are no lasting fact."""
_KILOS = r"(?:[4-9]\d|[12]\d\d)(?:[.,]\d)? ?(?:kg|kilos|lbs|pounds)"
"""A weight that an adult may have."""

CURRENT_VALUES: Rows = (
    (" charge ", rf"^(?P<who>I|[Ww]e){ADV} charge(?: (?:my |our )?(?:clients|people|customers))? "
     rf"(?P<value>{_AMOUNT}){END}", (says("rate", "{who} charges {value}"),)),
    (" raised | put | increased | lowered | cut | upped | dropped ",
     rf"^(?:I|[Ww]e){PERFECT}{ADV} (?:raised|put|increased|lowered|cut|upped|dropped) (?:my|our|the) "
     rf"(?P<kin>{_PAID})(?: up| down)?(?: from [^.,;!?()]{{1,15}}?)? to (?P<value>{_AMOUNT}){END}",
     (says("{kin}", "{subject}'s {kin} is {value}"),)),
    (" down to | up to | at ", rf"^I(?:{BE}| weigh){ADV}(?: (?:down|up) to| at) (?P<value>\d+(?:[.,]\d)? ?(?:kilos|kg|"
     r"pounds|lbs|stone))\b(?! of\b)", (says("weight", "{subject} weighs {value}"),)),
    (" from | at | with ", rf"^(?P<who>I|[Ww]e){ADV} (?:get|buy|order|source)(?: all)? (?:our|my|the) "
     rf"(?P<kin>[a-z]+(?: [a-z]+)?) (?:from|at|with) {_NAMED_ONE}(?![\w'])",
     (says("{kin}_supplier", "{who} gets {kin} from {value}"),)),
    (" with ", rf"^(?P<who>I|[Ww]e){ADV} bank with {_NAMED_ONE}(?![\w'])",
     (says("bank_name", "{who} banks with " "{value}"),)),
    (" closed ", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} closed (?:my|our) (?P<value>{BANKS}) account(?=$|"
     r"[.,;!]| (?:and|last|because|yesterday|today|this|in|after|as|for good)\b)",
     (says("bank_name", "{who} no longer banks with {value}", holds=False),)),
    (" team of ", rf"^(?P<who>[Ww]e){BE}{ADV} (?:now )?a team of (?P<value>{NUMBER})(?![\w-])",
     (says("team_size", "{subject}'s team has {value} people"),)),
    (" in | into | to | up ", rf"^{WHO}(?:{BE}|{PERFECT}){ADV} (?:in|going into|started|starts|starting|moved(?: "
     rf"up)?(?: in)?to|goes(?: up)?(?: in)?to|going(?: up)?(?: in)?to) (?P<value>{_CLASS})(?![\w-])",
     (says("school_grade", "{who} is in {value}"),)),
    (" stopped | quit | given up| gave up| dropped ", f"^{WHO}{PERFECT}{ADV} (?:stopped|quit|given up|gave up|"
     f"dropped)(?: doing)? (?P<value>{DOING}){END}",
     (says("likes", "{who} no longer does {value}", holds=False), says("has_given_up", "{who} gave up {value}"))),
    (" stopped | quit | gave up| given up", rf"^{WHO}{PERFECT}{ADV} (?:stopped|quit|given up|gave up) going to "
     rf"(?!work\b|bed\b|sleep\b)(?:the |my |our )?(?P<value>[\w-]+(?: [\w-]+)?){END}",
     (says("likes", "{who} no longer goes to the {value}", holds=False),
      says("has_given_up", "{who} stopped going to the {value}"))),
    (" gave up on | given up on | stopped learning | quit learning ",
     rf"^{WHO}{PERFECT}{ADV} (?:(?:given up|gave up) on(?: learning)?|(?:stopped|quit) learning) (?P<value>{LANGUAGE}|"
     rf"(?:the )?{INSTRUMENT}){END}", (says("learns", "{who} no longer learns {value}", holds=False),)),
    (" lost ", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} lost {_NAMED_ONE} as an? (?:client|customer)\b",
     (says("client", "{value} is a client of {subject}", holds=False),
      says("has_lost", "{who} lost the client " "{value}"))),
)  # fmt: skip

CURRENT_VALUE_MENTIONS: Rows = (
    (" this morning| today| now", rf"^(?:(?:weight|weighed in|down to|scale says)(?: at|:| is)? (?P<value>{_KILOS}) "
     rf"(?:this morning|today|now)|(?P<value2>{_KILOS}) this morning)(?=$|[.,;!?()])",
     (says("weight", "{subject} weighs {value}"),)),
    (" today| now", r"^(?P<value>(?:[4-9]\d|1\d\d)[.,]\d ?(?:kg|kilos)) (?:today|now)(?=$|[.,;!?()])",
     (says("weight", "{subject} weighs {value}"),)),
    ("eight", rf"^(?:my )?weight(?: is|:)? (?P<value>{_KILOS}|(?:[4-9]\d|1\d\d)(?:[.,]\d)?)(?: (?:this morning|today|"
     r"now))?(?=$|[,;!?()]|\.(?!\d))", (says("weight", "{subject} weighs {value}"),)),
    ("rate|rent|salary|wage|pension|mortgage|fee|budget|deposit|tuition|allowance|retainer",
     r"^(?!.*\b(?:if|would|could|might)\b)(?:(?:so|and|but) )?(?:my|our|(?:the )?(?=\w+(?:'s| has| is) (?:gone|going|"
     r"now|up|down)|(?:new )?budget (?:is|will be) (?:[$€£]|\d{1,3}(?:[.,]\d{3})+(?!\d)|\d[\d.,]*(?: ?k\b| ?(?:euros?|"
     rf"dollars|pounds|pesos|francs|crowns|kr|eur|usd|gbp)\b))))(?: new| current)? ?(?P<kin>{_PAID})(?:'s| is| has| "
     r"goes| went| will)?(?: now| been| be| gone| going| just)*(?: raised| put| cut)?(?: up| down)?(?: to| at)? "
     rf"(?P<value>{_AMOUNT})(?![\w%]| (?:pages|approved|spent|used up|long)\b)",
     (says("{kin}", "{subject}'s {kin} is {value}"),)),
    *(
        ("imit|quota", rf"^(?!.*\b(?:if|would|could|might|speed)\b)(?:(?:so|and|but) )?(?:(?:{holder}) )?(?:new |"
         rf"current )?(?P<kin>(?:api |request )?{rate}(?:limit|quota))(?:'s| is)(?: now| currently| at)? "
         rf"(?P<value>\d[\d.,]*k?{counted}(?: ?/ ?| per | an? )(?:{spellings}))(?![\w-])",
         (says(f"{{kin}}_per_{period}", "{subject}'s {kin} is {value}"),))
        for period, spellings in PERIODS.items()
        for holder, rate, counted in (
            ("my|our|the", "(?:rate )?", " (?:requests|calls|messages|queries|tokens)"),
            ("my|our|the", "rate ", ""),
            ("my|our", "", ""),
        )
    ),
    ("imit|quota", r"^(?!.*\b(?:if|would|could|might|speed)\b)(?:(?:so|and|but) )?(?:my|our) (?:new |"
     r"current )?(?P<kin>(?:api |request )?(?:rate )?(?:limit|quota))(?:'s| is)(?: now| currently| at)? "
     r"(?P<value>\d[\d.,]*k?(?: (?:requests|calls|messages|queries|tokens))?(?: ?/ ?| per | an? )(?:key|user|"
     r"client))(?![\w-])", (says("{kin}", "{subject}'s {kin} is {value}"),)),
    (" guests| people", rf"^{SURE}{LEAD}(?:[Ww]e(?:'ve got|'ve| have| are|'re)(?: now)?(?: got| expecting| inviting| "
     r"having| down to| up to| at| back to)?|there(?:'re|'s| are| will be)|(?:the |our )?(?:final|new|total) "
     r"(?:number|count|head ?count) is)(?: now| about| around)? (?P<value>[2-9]\d|[1-9]\d\d) (?:wedding )?guests(?=$|"
     r"[.,;!()]| (?:(?:at|for) (?:my|our|the) (?:\w+ )?(?:wedding|party|event|reception|ceremony|dinner)|coming|now|"
     r"and|in total|instead|so)\b)", _GUESTS),
    (" guests", rf"^{SURE}{LEAD}(?P<value>[2-9]\d|[1-9]\d\d) (?:wedding )?guests (?:are |have )?(?:coming|confirmed|"
     r"said yes|invited)\b", _GUESTS),
    ("guests|guest count|head count|headcount", rf"^{SURE}{LEAD}(?:the |our )?(?:(?:final |new |total )?(?:number of "
     r"(?:wedding )?guests|guest count|head ?count)|final guest (?:number|list))(?:'s| is| are)(?: now)?(?: at| up to| "
     r"down to)? (?P<value>[2-9]\d|[1-9]\d\d)(?=$|[.,;!()]| (?:now|and|in total|instead|so|people|guests)\b)", _GUESTS),
    (" open", rf"^(?:[Ww]e|{_SHOP}){ADV} opens? (?:every day |daily )?at (?P<value>{_HOUR})(?![\w:]){_NOT_PER}",
     (says("opening_time", "{subject}'s opening time is {value}"),)),
    (" close", rf"\b(?:[Ww]e|{_SHOP}|and){ADV} closes? at (?P<value>{_HOUR})(?![\w:]){_NOT_PER}",
     (says("closing_time", "{subject}'s closing time is {value}"),)),
    (" no longer ", rf"^{_NAMED_ONE} (?:is|are) no longer (?:an?|my|our) (?P<kin>client|customer|supplier|tenant|"
     r"landlord|flatmate|partner)\b",
     (says("{kin}", "{value} is no longer a {kin} of {subject}", holds=False),
      says("was_{kin}", "{value} is no longer a {kin} of {subject}"))),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
