"""Patterns of particulars that have one value at a time: rates and rents, suppliers, hours, head counts, classes.

Rows as in clause_patterns.py, where the tables are joined.
"""

from __future__ import annotations

from memory_service.rules.facts.attribute_names import PERIODS
from memory_service.rules.facts.clause_words import (
    ADV,
    BE,
    DOING,
    END,
    INSTRUMENT,
    LANGUAGE,
    LEAD,
    NAME,
    NUMBER,
    PERFECT,
    SURE,
    WHO,
)
from memory_service.rules.facts.patterns import NO_NAME, Rows, says

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
_CLOCK = (
    rf"(?:(?:half past |quarter (?:past|to) )?(?:\d{{1,2}}(?:[:.]\d\d)?|{NUMBER})(?: ?[ap]m)?|noon|midnight)"
)
_NOT_PER = r"(?! (?:minutes|percent|people|%|times|hours|days|weeks))"
_CLASS = (
    r"(?:(?:year|class|grade|form) (?:\d{1,2}[a-z]?|(?:one|two|three|four|five|six|seven|eight|nine|ten))|"
    r"(?:\d(?:st|nd|rd|th)|first|"
    r"second|third|fourth|fifth|sixth) (?:grade|class|form|year)|reception|nursery|kindergarten|preschool|sixth form)"
)
_SHOP = (
    r"(?:(?:my|our|the) (?:shop|store|caf[eé]|bakery|office|practice|salon|studio|bar|restaurant|clinic|"
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
    (" open", rf"^(?:[Ww]e|{_SHOP}){ADV} opens? (?:every day |daily )?at (?P<value>{_CLOCK})(?![\w:]){_NOT_PER}",
     (says("opening_time", "{subject}'s opening time is {value}"),)),
    (" close", rf"\b(?:[Ww]e|{_SHOP}|and){ADV} closes? at (?P<value>{_CLOCK})(?![\w:]){_NOT_PER}",
     (says("closing_time", "{subject}'s closing time is {value}"),)),
    (" no longer ", rf"^{_NAMED_ONE} (?:is|are) no longer (?:an?|my|our) (?P<kin>client|customer|supplier|tenant|"
     r"landlord|flatmate|partner)\b",
     (says("{kin}", "{value} is no longer a {kin} of {subject}", holds=False),
      says("was_{kin}", "{value} is no longer a {kin} of {subject}"))),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
