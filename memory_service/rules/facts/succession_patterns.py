"""Patterns of successions: homes, jobs, partners, diets, studies, tools, medicines.

Rows as in clause_patterns.py. Where the old value is named, its end is a fact beside the new one.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    BE,
    DOSE,
    END,
    FOODS,
    FOR_ONCE,
    JOB,
    MEDICINE,
    NAME,
    NAMED,
    NO_PERSON,
    PERFECT,
    PLACE,
    TOOLS,
    WHO,
    V,
)  # fmt: skip
from memory_service.rules.facts.patterns import APART, NO_NAME, Says, ends, says

_PLACE_OF_WORK = (
    r"(?:bakery|shop|bookshop|store|supermarket|restaurant|hospital|clinic|surgery|practice|pharmacy|school|"
    r"nursery|kindergarten|college|university|company|firm|agency|bank|factory|mill|brewery|lab|laboratory|"
    r"library|archives?|museum|gallery|theatre|theater|cinema|office|council|court|studio|caf[eé]|pub|bar|"
    r"hotel|hostel|farm|garage|workshop|startup|start-up|warehouse|depot|station|airport|harbou?r|shipyard|"
    r"aquarium|zoo|care home|hospice|call cent(?:er|re)|charity|newspaper|publisher|salon|gym|post office)"
)
_AT_WORK = (
    rf"(?P<value>(?:(?:the|an?) (?:[\w'-]+ ){{0,2}}{_PLACE_OF_WORK}(?: (?:in|at|on|near|of) (?:(?:the )?{NAME}|"
    rf"[a-z]+(?= (?:next|on|from|today|tomorrow|this)\b)))?|"
    rf"(?:the )?(?-i:{NO_NAME}){NAME}(?: (?:and |& )?{NAME}){{0,3}}))"
)
_STREET = (
    rf"(?P<value>(?:{NAME} ){{1,2}}(?:Road|Street|Lane|Avenue|Close|Drive|Crescent|Square|Terrace|Gardens|"
    rf"Rd|St|Ave)|(?-i:[A-ZÄÖÜ])[\w-]*(?:stra(?:ß|ss)e|straat|gade|gatan|gasse|weg|laan))\b"
)
_DWELLING = (
    r"(?:house|flat|apartment|bedsit|studio|room|cottage|bungalow|flatshare|maisonette|condo|place|loft|"
    r"house ?share)"
)
_WORD = r"[\w.+#-]+(?: [\w.+#-]+)?"


_WORKS_AT = (says("works_at", "{who} works at {value}"),)
_USED = ends("uses", "{subject} no longer uses {old}")
_NEW_TOOL = (_USED, says("uses", "{subject} uses {value}"))
PARTED = (
    ends("partner", "{subject} and {value} are no longer together", "{value}"),
    ends("relationship_status", "{subject} is no longer in a relationship", "in a relationship"),
    says("separated", "{subject} and {value} broke up", "from {value}"),
)
_TAKES = (
    ends("takes_medicine", "{who} no longer takes {old}"),
    says("takes_medicine", "{who} takes {value}"),
)
_STUDIES = (
    ends("studies", "{who} no longer studies {old}"),
    says("studies", "{who} studies {value}"),
)

SUCCESSIONS: tuple[tuple[str, str, tuple[Says, ...]], ...] = (
    # Homes
    (" in a| in our| in my", rf"^{WHO}(?:{BE}{ADV}(?: living| renting)?|{ADV} (?:lives?|rents?)) (?:in "
     rf")?(?:an?|our|my) "
     rf"(?:[\w-]+ ){{0,3}}{_DWELLING} (?:on|off|in) (?:the )?{_STREET}", (says("address", "{who} lives in {value}"),)),
    # Work
    (" start| job| work| hired| transfer| moved ",
     rf"^{WHO}(?:{BE}{ADV} (?:starting|working|going to (?:start|work))|{PERFECT}{ADV} (?:started|been hired|"
     r"been transferred|transferred|got (?:a|the|my) (?:new )?job|found (?:a|the) (?:new )?(?:job|post)|got hired|"
     rf"accepted (?:a|the) (?:job|offer|post|position))|{ADV} (?:start|works?)|'ll(?: be)? (?:start|starting|working)) "
     rf"(?:at|with|by|for|from) {_AT_WORK}(?=$|[.,;!?()]| (?:next|last|on|in|as|from|since|now|this|and|two|three|"
     r"after|because|today|soon|tomorrow|for (?:the|almost|over|about|\w+ (?:years|months)))\b)", _WORKS_AT),
    (" became| become| retrain| qualif", f"^{WHO}{PERFECT}{ADV} (?:become|became|retrained as|qualified "
     f"as) (?:an? |the )?(?P<value>{JOB}){END}", (says("works_as", "{who} works as {value}"),)),
    (" notice", rf"^I{PERFECT}{ADV} (?:handed|given|gave|put)(?: in)? (?:my )?(?:\w+ weeks?[’']? )?notice(?: in)?"
     rf"(?: (?:at|to) (?P<old>(?:the )?(?-i:{NO_NAME}){NAME}))?(?=$|[.,;!?()]| \w)",
     (ends("works_at", "{subject} no longer works at {old}", otherwise="{subject} gave notice"),)),
    (" resigned| quit", rf"^I{PERFECT}{ADV} (?:resigned|quit(?: my job)?)(?: from (?P<old>(?:the "
     rf")?(?-i:{NO_NAME}){NAME}))?(?=$|[.,;!?()]| (?:today|yesterday|last|this|on)\b)",
     (ends("works_at", "{subject} no longer works at {old}", otherwise="{subject}'s job has ended"),)),
    (" quit| left| leaving", rf"^I(?:{PERFECT}{ADV} (?:quit|left)|{BE}{ADV} (?:quitting|leaving)) "
     rf"(?:my job at |my job with |the job at )(?P<old>(?:the )?[\w'’& -]{{2,30}}?){END}",
     (ends("works_at", "{subject} no longer works at {old}"),)),
    # Partners
    (" ended| broke| over| split", rf"^(?:(?:me and|I and) {NAMED}|{NO_PERSON}{NAMED.replace('<value>', '<value2>')} "
     rf"and (?:I|me))(?:'ve| have)?{ADV} (?:ended it|ended things|ended our relationship|broke up|broken up|split(?: "
     rf"up)?|separated|are (?:over|done|no longer together)){APART}", PARTED),
    # Diet
    (" again", f"^{WHO}(?:{BE}{ADV} (?:back (?:on|to) )?(?:eating|having)|{ADV} eats?|{PERFECT}{ADV} "
     f"(?:started|gone back to) (?:eating |to eat )?) ?(?P<value>{FOODS}) again{FOR_ONCE}",
     (Says("does_not_eat", "{who} eats {value} again", "{value}", holds=False), says("eats", "{who} eats "
     "{value} again"))),
    (" cut out| given up| gave up| quit| stopped", rf"^{WHO}{PERFECT}{ADV} (?:cut out|given up|gave up|quit|stopped "
     rf"(?:eating|having|drinking)) (?P<values>{FOODS}(?:(?:, | or | and ){FOODS}){{0,3}})(?=$|[.,;!?()]| \w)",
     (says("does_not_eat", "{who} avoids {value}"),)),
    (" smok", rf"^{WHO}{ADV} smokes? (?P<value>(?:about |around )?(?:\w+ )?(?:\w+ )?(?:a|per) day|(?:\w+ "
     rf")?(?:cigarettes|"
     rf"roll-ups|cigars|a pipe|a pack(?:et)? a day))", (says("smokes", "{who} smokes {value}", "anything"),)),
    (" stopped| quit| gave up| given up", rf"^{WHO}{PERFECT}{ADV} (?:stopped|quit|given up|gave up) (?:the "
     r")?(?:smoking|fags|cigarettes|ciggies|smokes)\b",
     (ends("smokes", "{who} no longer smokes", "anything"), says("avoids", "{who} stopped smoking", "smoke"))),
    # Studies
    (" major| degree| course| subject| program", rf"^I(?:{BE}{ADV} (?:switching|changing|swapping)|{PERFECT}{ADV} "
     r"(?:switched|changed|swapped))(?: (?:my |the )?(?:major|degree|course|subject|program(?:me)?))(?: from "
     rf"(?P<old>[\w ]{{3,40}}?))? to {V}{END}", _STUDIES),
    # Tools and things
    (" from ", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV}(?: being)?|{PERFECT}{ADV}(?: been)?) (?:switch|migrat|mov|port|convert|"
     r"transition|chang|upgrad|go)\w* (?:(?:over|everything|all|away|the|our|my|it|\w+) ){0,4}?from "
     rf"(?P<old>{TOOLS}) (?:over )?(?:to|onto) (?P<value>{TOOLS}|{_WORD}?)(?:{END}|(?= in (?:the|spring|summer|autumn|"
     r"winter)\b))", _NEW_TOOL),
    # Medicines
    (" take", rf"^{WHO}{ADV} takes? (?P<value>(?!(?:this|that|them|some|it|time|notes|care|part|place|turns|these|"
     rf"those|about|the|my|one|two)\b)(?:{DOSE} (?:of )?)?[a-z]{{5,18}})(?: now)?,? (?:{DOSE}|"
     r"one in the|once a day|twice a day|daily|every (?:morning|evening|night)|in the (?:morning|evening)|"
     r"at night|morning and|for my|against)\b", (says("takes_medicine", "{who} takes {value}"),)),
)  # fmt: skip

SUCCESSION_MENTIONS: tuple[tuple[str, str, tuple[Says, ...]], ...] = (
    (" here in ", rf"\bhere in (?!(?:{TOOLS})\b){PLACE}(?!\w)(?! (?:for|on|until|till)\b)",
     (says("lives_in", "{subject} lives in {value}"),)),
    (" last day at ", r"\bmy last day at (?P<old>(?!(?:work|school|uni|home)\b)(?:the )?[\w'’&-]+(?: "
     r"(?-i:[A-Z])[\w'’&-]+)*)", (ends("works_at", "{subject} no longer works at {old}"),)),
    ("more ", rf"\bno more (?P<old>{MEDICINE})\b", (ends("takes_medicine", "{subject} no longer takes {old}"),)),
    (" to | onto | on ", r"(?<!n't )(?<!not )(?<!to )\b(?:switched|changed|moved|put) (?:me )?(?:over )?(?:from "
     rf"(?P<old>{MEDICINE}) )?(?:to|onto|on) (?P<value>{MEDICINE}(?:,? {DOSE})?)(?![\w-])",
     tuple(say._replace(text=say.text.replace("{who}", "{subject}")) for say in _TAKES)),
)  # fmt: skip
