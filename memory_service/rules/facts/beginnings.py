"""Patterns of beginnings, and the facts that hold from then on."""

from __future__ import annotations

from memory_service.rules.facts.clause_words import JOB, TOOLS
from memory_service.rules.facts.patterns import (
    AM,
    DOSE,
    FOR_REAL,
    LATELY,
    MEDICINE,
    NAME,
    NO_NAME,
    OFTEN,
    OVER,
    PERFECT,
    ROLES,
    WHO,
    Rows,
    says,
)
from memory_service.rules.relatives import (
    CHILD_OR_SIBLING,
    KIN,
    PARTNER,
    PETS,
    SEVERAL_OF_ONE,
    SEVERAL_OF_OTHERS,
)
from memory_service.rules.word_lists import DAY, HELPERS, MONTHS

_END = (
    r"(?=[.,;:!?\n()]|$| (?:and|but|because|so|since|which|who|when|while|though|as|last|in|on|at|this|one|two|three|"
    r"four|five|six|a|yesterday|today|now|where|for|with|after|about|over)\b| [-–—])"
)
_AT = r"(?P<value>[^.,;:!?\n()\"“”]{2,40}?)"
_NAMED = r"(?P<other>[A-ZÄÖÜ][^.,;:!?\n()\"“”]{1,40}?)"
_AT_NAME = rf"(?P<value>(?:the )?{NO_NAME}[A-ZÄÖÜ][^.,;:!?\n()\"“”]{{1,40}}?)"
_AS_JOB = r"(?:an? |the )?(?P<value>[a-z][\w -]{2,40}?)"
_JOB = r"an? (?:new )?(?:[\w-]+ )?(?:job|position|role)"
_A_JOB = rf"(?:(?:working|work|my new (?:job|position|role)|{_JOB})(?: working)?)"
_GOT = r"(?:got|landed|found|taken|took|have|has)"
_WITH = r"(?: (?:at|for|with) [^.,;:!?\n]{2,40}?)?"
_BEEN = r"(?: was| got|[’']ve been| have been| has been)"
_MOVED_TO = rf"to (?P<value>(?:the )?{NO_NAME}[A-Z][^.,;:!?\n]{{1,40}}?)"
_WORKS_AT = (says("works_at", "{who} works at {value}"),)
_WORKS_AS = (says("works_as", "{who} works as {value}"),)
_TOGETHER = (says("partner", "{who}'s partner is {value}"),)
_PERSON = rf"(?P<value>{NO_NAME}{NAME}(?: {NO_NAME}{NAME})?)"
_NAMED_KIN = rf"{CHILD_OR_SIBLING}|best friend|{PETS}"
_BESIDE = rf"(?P<value>{NO_NAME}[A-ZÄÖÜÉ][\w-]*\w)"
_GOES_ON = (
    r"(?=[.!?]|$|, |’s |'s | and I\b| (?!(?:was|were|left|died|passed|broke|dumped|used|and|or|but|who|"
    r"whom)\b)[a-z])"
)
"""Text behind a name in apposition ("my wife Anna ..."), unless it states an ending."""
_IS_MARRIED = says("relationship_status", "{who} is married", "married")
_IS_ENGAGED = says("relationship_status", "{who} is engaged", "engaged")
_IS_TAKEN = says("relationship_status", "{who} is in a relationship", "in a relationship")
_MARRIED = (*_TOGETHER, _IS_MARRIED)
_BUYS = r"(?:adopted|got|gotten|bought|rescued)"
_THING = rf"(?:{PETS}|car|house|motorcycle|apartment|boat|condo)"

_KEPT = rf"(?:{HELPERS}|bank|supplier|gym|provider|insurer|insurance|printer|roaster|courier|host(?:ing)?)"

_NO_OTHERS = (
    rf"(?!.*\b(?:[Ii]f|[Vv]et|(?i:{KIN}|{SEVERAL_OF_ONE}|{SEVERAL_OF_OTHERS})s?|he|she|his|her|him|they (?!gave me\b)|"
    r"their|them)\b)"
)
"""Lookahead: the sentence is about the speaker alone."""

BEGINNINGS: Rows = (
    # Homes
    (" moved | relocated ", rf"\b(?P<who>[Ww]e){PERFECT}{LATELY} (?:moved|relocated) (?:here |over |back )?(?:from "
     rf"[\w ]{{2,30}} )?{_MOVED_TO}{_END}", (says("lives_in", "{who} lives in {value}"),)),
    # Work
    (" start| began", rf"\b{WHO}{PERFECT}{LATELY} (?:started|begun|began) {_A_JOB} (?:at {_AT}|(?:for|with) "
     rf"{_NAMED}){_END}", _WORKS_AT),
    (" start| began", rf"\b{WHO}{PERFECT}{LATELY} (?:started|begun|began) {_A_JOB}{_WITH} as {_AS_JOB}{_END}",
     _WORKS_AS),
    (" job| position| role", rf"\b{WHO}{PERFECT}{LATELY} {_GOT} {_JOB} (?:at {_AT}|with {_NAMED}){_END}", _WORKS_AT),
    (" job| position| role", rf"\b{WHO}{PERFECT}{LATELY} {_GOT} {_JOB}{_WITH} as {_AS_JOB}{_END}", _WORKS_AS),
    (" joined ", rf"\b{WHO}{PERFECT}{LATELY} joined {_AT_NAME} as (?=an? |the |[a-z])", _WORKS_AT),
    (" joined ", rf"\b{WHO}{PERFECT}{LATELY} joined [A-Z][^.,;:!?\n]{{1,40}}? as {_AS_JOB}{_END}", _WORKS_AS),
    (" hired ", rf"\b{WHO}{_BEEN}{LATELY} hired (?:by|at) {_AT}{_END}", _WORKS_AT),
    ("new job|new employer", rf"\b[Mm]y new (?:job|employer|position) is (?:at |with )?{_AT_NAME}{_END}", _WORKS_AT),
    (" became | become ", rf"\b{WHO}{PERFECT}{LATELY} (?:became|become) (?P<value>an? "
     rf"(?:[\w-]+ ){{0,2}}?(?i:{ROLES}))\b", (says("is", "{who} is {value}"),)),
    (" years as |-years as ", rf"^(?:[Ss]o,? )?[Aa]fter (?P<time>(?:\w+[ -]){{1,3}}years) as (?:an? |the )?(?P<value>"
     rf"(?=[a-z]){JOB}),? I(?:['’]m| am|['’]ve| have| now|['’]ll)\b{FOR_REAL}",
     (says("was", "{who} worked as {value} for {time}"),)),
    # Tools
    (" decided against ", rf"\b(?:I|[Ww]e){PERFECT}{LATELY} decided against (?i:{TOOLS})[,;]? (?:and |so )?(?:it['’]s|"
     rf"it is|we['’]re (?:using|going with)|going with|we (?:chose|picked|took|use)|I (?:chose|picked|took|use)) "
     rf"(?P<value>(?i:{TOOLS}))(?=$|[.,;!)]| (?:instead|now|and|but)\b)", (says("uses", "{subject} uses {value}"),)),
    # Medicines
    ("ow it|ow they gave me ", rf"^{_NO_OTHERS}(?:[Tt]he |[Mm]y )?(?:(?i:{MEDICINE}) gave me|I (?:was on|took) (?:the "
     rf")?(?i:{MEDICINE})|[Mm]y (?:tablets|pills|meds|medication))\b[^.;!?]{{0,60}}?\b[Nn]ow (?:it['’]?s|it is|they "
     rf"gave me) (?P<value>(?i:{MEDICINE}(?:,? {DOSE})?))(?=$|[.,;!)]| (?:instead|and|but)\b)",
     (says("takes_medicine", "{subject} takes {value}"),)),
    # Partners
    (" married ", rf"\bI{PERFECT}{LATELY} married (?:my (?:{PARTNER})\b,? ?)?{_PERSON}(?=[.,;!?]|$| (?:last|in|on|two|"
     r"a|this|yesterday)\b)", _MARRIED),
    (" married| hitched| knot", rf"^(?:{_PERSON}|my (?:{PARTNER})(?:,? {_BESIDE.replace('<value>', '<other>')})?) and I"
     rf"{PERFECT}{LATELY} (?:got (?:married|hitched)|tied the knot)(?=[.,;!?]|$| (?:yesterday|today|"
     rf"last (?:week\w*|month|"
     rf"year|spring|summer|autumn|fall|winter|{DAY})|this (?:week\w*|month|year|spring|summer|autumn|fall|"
     rf"winter|morning)|"
     rf"on (?:{DAY}|the \d\w*|\d)|in (?:{MONTHS}|(?:19|20)\d\d)|\w+ (?:days|weeks|months|years) ago)\b)"
     rf"(?!.*\b(?:to (?:different|other|our)|(?:she|he|each|both)(?:'s)? to|same day|our (?:partners|"
     rf"spouses))\b){FOR_REAL}",
     (says("partner", "{who} is married to {value}"), _IS_MARRIED)),
    (" engaged", rf"\b(?:(?:[Ww]e|I){PERFECT}{LATELY} got engaged|[Ww]e(?:[’']re| are)(?: now| finally)? "
     rf"engaged){OVER}", (_IS_ENGAGED,)),
    (" relationship", rf"\bI{AM} in a (?:\w+ )?relationship(?=[.,;!?]|$| (?:now|and|again)\b)", (_IS_TAKEN,)),
    ("wife |husband |partner |boyfriend |girlfriend |fianc", rf"\b[Mm]y (?:new )?(?P<kin>{PARTNER}),? "
     rf"{_BESIDE}{_GOES_ON}", (says("partner", "{who}'s {kin} is called {value}"),)),
    # People and animals by name
    ("y ", rf"\b[Mm]y (?P<kin>{_NAMED_KIN}),? {_BESIDE}{_GOES_ON}",
     (says("{kin}_name", "{who}'s {kin} is called {value}"),)),
    (" blood type ", r"\b[Mm]y blood type is (?P<value>(?:AB|A|B|O)(?:[+-]| (?:positive|negative))?)(?=[.,;!]|$| \w)",
     (says("blood_type", "{who}'s blood type is {value}"),)),
    # One for another
    (" changed | switched ", rf"\b(?:I|[Ww]e){PERFECT}{LATELY} (?:changed|switched) (?:my |our |"
     rf"the )?(?P<kin>{_KEPT})s?\b,?(?: (?:and|to|now|it[’']s|it is|I[’']m|we[’']re|with|from \w+))*,? "
     rf"(?P<value>{NO_NAME}{NAME}(?: {NAME})?)", (says("{kin}_name", "{who}'s {kin} is now {value}"),)),
    # Age
    (" turned ", rf"\b{WHO}{PERFECT}{LATELY} turned (?P<value>[1-9][0-9]?)(?!,\d)(?=[.,;!?]|$| (?:today|yesterday|"
     r"last|this|on|and|a few|two days|years old)\b)(?! and a half)", (says("age", "{who} is {value} years old"),)),
    # Things and animals
    (" adopted | got | bought | rescued ", rf"\b(?:[Ww]e|I){PERFECT}{LATELY} {_BUYS}(?: ourselves| myself)? "
     rf"(?P<value>an? (?:[\w-]+ ){{0,3}}?{_THING})(?=[.!?]|$|, (?!for)| (?:named|called|last|yesterday|today|from|and|"
     r"this|in(?! front)|two|because|who|whose)\b)", (says("has", "{who} has {value}"),)),
    ("named |called | name is ", rf"\b(?:[Ww]e|I)(?:{PERFECT}{LATELY} {_BUYS}|{OFTEN} have|[’']ve got| own) an? "
     rf"(?:[\w-]+ ){{0,3}}?(?P<kin>{PETS}),? (?:named|called|(?:his|her|its) name is) (?P<value>{NAME}(?: {NAME})?)",
     (says("{kin}_name", "{who}'s {kin} is called {value}"),)),
)  # fmt: skip
