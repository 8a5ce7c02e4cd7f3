"""Patterns of arrivals: everyday words for a new home, job or post.

Rows as in beginnings.py. They are read in whole sentences (changes.py): the words around them tell whose keys or whose
first day it is.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import DOING, JOB, TOOLS
from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.facts.known_names import TOWN
from memory_service.rules.facts.patterns import FOR_REAL, NAME, NO_NAME, Rows, says
from memory_service.rules.word_lists import DAY, MONTHS

_LEAD = r"(?:(?i:so|just|finally|officially|now|ok|okay|well|and|slowly|yay|hooray|phew|at last|today|yesterday),? )*"
_LATELY = r"(?:just |finally |now |officially |already |slowly )*"
_SELF = rf"(?:^{_LEAD}|\b(?:I|[Ww]e)(?:[’']ve| have)? {_LATELY})"
_SELF_LATELY = (
    rf"(?:^{_LEAD}|\b(?:I|[Ww]e)(?:(?:[’']ve| have) {_LATELY}| (?:just |finally |now |officially )+))"
)
"""The speaker, lately: a bare past tense ("we moved into a flat in Hove") may be long past."""
_SELF_BE = rf"(?:^{_LEAD}|\b(?:I|[Ww]e)(?:[’']m|[’']re| am| are) {_LATELY})"
"""The speaker, left out only at the beginning of a sentence: a later verb may have another subject."""
_END = (
    r"(?=$|[.,;:!?)]| [-–—]| (?:and|but|so|because|since|now|today|yesterday|tonight|at last|for good|again|as of|"
    rf"after|last (?:week\w*|month|night|{DAY})|this (?:week\w*|month|morning|afternoon|evening)|on {DAY}|"
    rf"in (?:{MONTHS})|with|where|these days)\b)"
)
_OWN = (
    r"(?!.*\b(?i:sons?|daughters?|kids?|child(?:ren)?|boys?|girls?|little one|twins|wife|husband|brother|sister|mum|"
    r"mom|dad|parents|cousins?|nephew|niece|uncle|aunt|friends?|mates?|partner|girlfriend|boyfriend|ex|"
    r"(?:flat|house|room)mates?|neighbour|colleague|(?:he|she)(?:[’']s)?|his|him|hers?)\b)"
)
"""Lookahead: no mention of another person, whose home or first day it may be."""
_STILL = r"(?!.*\b(?i:quit|fired|sacked|laid off|withdrew|withdrawn|rescinded|regret\w*|left|lived|used to|then)\b)"
"""Lookahead: no end follows."""
_INHABITED = (
    r"(?!.*\b(?i:pool|cocktails?|tenants?|lodgers?|rental|(?:to|buy-to)[ -]let|refurb\w*|renovat\w*|recording|caf[eé]|"
    r"shop|office|desks?|opens?|going down)\b)"
)
"""Lookahead: no second home, no workplace, no house that is let or rebuilt."""
_LASTS = (
    FOR_REAL
    + _STILL
    + (
        r"(?!.*\b(?i:hotel|hostel|airbnb|holidays?|vacation|trip|tour|visit\w*|festival|conference|campsite|until|till|"
        r"for (?:now|the (?:day|night|week\w*|month|summer|winter|term)|an?|one|two|three|a few|\d+)|temporar\w+|"
        r"house-?sit\w*|clients?|customers?|workshop|training|audit|exhibition|course|camp|tournament|volunteer\w*|"
        r"intern(?:s|ship)?|work experience|placement|ago|remember|was in|in (?:19|20)\d\d|when (?:I|we) (?:was|were)|"
        r"years later|anniversary|tomorrow|next (?:week|month|year))\b)"
    )
)
"""Lookahead: no stay, no visit, no fiction, no other time."""
_PLACE = (
    r"(?!\w{4,}ly )(?!(?:Chaos|Bedlam|Microsoft|Tinder|Premier|League|Narnia|Hogwarts|Mordor|Gotham|Westeros|Business|"
    r"Block|Storage|Hall|Room|Ward)\b)"
    rf"(?!(?i:{GIVEN_NAME}))(?!(?i:{TOOLS})(?![\w’'-]))"
    rf"{NO_NAME}{NAME}(?: (?:(?:on|upon|of|de|am|la|le|the) )?{NO_NAME}{NAME}){{0,2}}"
)
_NO_FIRM = (
    rf"(?!{TOWN}(?! [A-Z]))(?!(?:the )?(?:[\w’'-]+ ){{0,3}}?(?:\w*[Ff]est|\w*(?:[a-z]Con|CON|Conf)|Euro[A-Z]\w+|Expo|"
    r"Summit|Conference|Festival|Convention|Congress|Camp(?:site|ing)?|Games|Olympics|Paralympics|Championships?|Cup|"
    r"Glastonbury|Wimbledon|Ascot|Coachella|Disney\w*|Legoland|Biennale|Hogwarts|Hilton|Marriott|Airbnb|Butlins"
    r"|\w*Gym|Spa|Beach|Resort|Hotel|Hostel|Lodge|Inn|Rehab|Samaritans|Ambulance|Crisis|Sea|Mum|Mom|Dad|Gran\w*|Nan|"
    r"University|Uni|College|School|"
    r"Academy|Grammar|Primary|Nursery|Kindergarten)\b)"
    rf"(?!(?i:{DOING}|parkrun|weight watchers|slimming world|aa)\b)"
)
"""Lookahead: no town, event, pastime, lodging or family; a school may be a pupil's, a teacher's or a child's."""
_FIRM = rf"(?P<value>(?:the )?{_NO_FIRM}{_PLACE}(?: & {NAME})?(?<![’']s))(?! and {NAME}[’']s)"
_NUMBER = r"(?:one|two|three|four|five|six|seven|eight|\d{1,2})"
_FIRST = (
    r"(?:(?i:today|yesterday|it|that|this)(?: is| was|[’']s) |(?:I(?:[’']ve| have)? )?(?:just )?(?i:had|finished|"
    r"survived|done(?: with)?|completed|started|starting) )?(?i:my |the )?(?:(?i:first) (?:full |proper |real |"
    r"official |working |whole )?(?:day|shift|week|fortnight|month)|(?i:second|third|fourth) (?:week|month)|"
    rf"(?i:day|shift) (?:one|1)|(?i:week|month) {_NUMBER}|(?i:{_NUMBER}) (?:weeks|months) in|"
    rf"(?i:a|one) (?:week|month) in)(?: on the "
    r"job| of work| of the new job| in(?:to)? (?:the|my|a) (?:new )?(?:job|role|post|position))?"
)
"""Time since a beginning: "my first week", "two months in"."""
_FIRSTS = "irst |econd |hird |ourth |ay one|ay 1|hift one|eek |onth |eeks in|onths in"
_FIRST_END = (
    r"(?=$|[.,;:!?)]| [-–—]| (?:and|but|so|today|yesterday|done|down|over|complete|as (?:an?|the)|(?:is|was) (?:over|"
    r"done|great|good|fine|ok|okay|amazing|brilliant|intense|exhausting|hectic|mad|long|lovely|a lot|really|so|very|"
    r"pretty)|is going|went|has been|since|because)\b)"
)
_NEW_ONE = r"(?:(?:the|my) new (?:job|company|office|firm|employer|workplace|gig)(?:,| -| –| —|:)? (?:at )?)?"
_DWELLING = (
    r"(?:(?!(?:office|holiday|summer|mobile|tent|rental|guest|beach|second|weekend|student)\b)[a-z]+ )?(?:house|flat|"
    r"apartment|bungalow|cottage|maisonette|condo|loft|flatshare|home|place)"
)
_NO_POST = (
    r"(?!(?:[a-z]+ )*?(?:designated|family|household|unofficial|honorary|captain|class|player|owner|student|singer"
    r"|drummer|guitarist|pianist|organist|treasurer|secretary|comedian|magician|athlete)\b)"
)
"""Lookahead: no role in a club, a band or a family."""
_POST_END = (
    r"(?=$|[.,;:!?)]| [-–—]| (?:and|but|so|now|today|yesterday|at work|here|as of|since|from|after|because|"
    rf"last (?:week|month)|this (?:week|month|morning)|on {DAY}|in (?:{MONTHS})|at (?=[A-Z]))\b)"
)
_AS_JOB = rf"(?P<value>(?=[a-z])(?:head of [a-z]+|(?!head of){JOB}))"
_AT_WORK = r"(?!.*\b(?i:quiz|charity|club|band|choir|match|raid|guild|lol|haha)\b)"
_OF_JOB = r"(?=.*\b(?:I start|and start|job|role|position|salary|notice)\b)"
_KIND = r"(?:kind|nice|lovely|friendly|welcoming|great)"
_OF_WORK = (
    rf"(?=.*\b(?:{_KIND} team|team (?:is|are|seems?) (?:so |really |very )?{_KIND}|colleagues|co-?workers|"
    r"my (?:new )?boss|onboarding|job|payroll)\b)"
)
_OF_HOME = r"(?=.*\b(?:neighbou?rs|flat|house|apartment|box(?:es)?|unpack\w*|mov(?:e|ed|ing)|new (?:home|town|city))\b)"

_LIVES = (says("lives_in", "{who} lives in {value}"),)
_WORKS = (says("works_at", "{who} works at {value}"),)
_WORKS_AS = (says("works_as", "{who} works as {value}"),)
_IN = rf"(?P<value>{_PLACE})"

ARRIVALS: Rows = (
    # Homes
    (" home", rf"^{_LEAD}{_LASTS}{_OWN}{_IN} (?:is|[’']s) (?:now |finally )?officially (?:now )?(?:my|our) (?:new"
     rf" )?home{_END}", _LIVES),
    (" home", rf"^{_LEAD}{_LASTS}{_OWN}(?P<value>{TOWN}) (?:is|[’']s) (?:(?:now|finally|officially) (?:my |our )?"
     rf"(?:new )?home|(?:my |our )?home (?:now|these days|at last|for good)){_END}", _LIVES),
    (" home", rf"^{_LEAD}{_LASTS}{_OWN}{_IN} (?:is|[’']s) (?:my|our) home (?:now|these days){_END}", _LIVES),
    ("ome is ", rf"^{_LEAD}{_LASTS}{_OWN}(?i:home) is (?:(?:now|officially) {_IN}{_END}|(?P<other>{_PLACE}) (?:now"
     rf"|these days)\b)", _LIVES),
    (" home", rf"\b(?:I|[Ww]e) (?:now |finally )*{_LASTS}call {_IN} (?:my |our )?home (?:now|these"
     rf" days){_END}", _LIVES),
    (" home", rf"\b(?:I|[Ww]e)(?:[’']ve| have) {_LATELY}{_LASTS}made {_IN} (?:my|our) (?:new )?home{_END}", _LIVES),
    ("ack ", rf"{_SELF_BE}{FOR_REAL}(?i:(?:moved |living |settled |home )*back(?: home| living)?) in {_IN}(?: now)? "
     rf"(?:for good|permanently)(?=$|[.,;!)]| now\b| [-–—])", _LIVES),
    ("iving back|ack living", rf"{_SELF_BE}{_LASTS}(?i:living back|back living) in {_IN}{_END}", _LIVES),
    (" keys ", rf"{_SELF}{_LASTS}{_INHABITED}{_OWN}(?i:got|picked up|collected|received|been given) (?:the|our|my)"
     rf" keys (?:to|for|of) (?:(?:our|my) (?=(?:own )?(?:new|first)\b)|the (?=.*\b(?:mov(?:e|ed|ing) (?:straight "
     rf"|right )?in|new|first)\b))(?:new |first |own )*{_DWELLING} in {_IN}{_END}", _LIVES),
    ("nto ", rf"{_SELF_LATELY}{_LASTS}{_INHABITED}{_OWN}(?i:moved|settled|moved in|settled in) ?(?:right |straight "
     rf"|nicely |well )?(?:in)?to (?:the|our|my|an?) (?:new |first |own |bigger |smaller |little |tiny"
     rf" )*{_DWELLING} in {_IN}{_END}", _LIVES),
    ("box", rf"^{_LEAD}{_LASTS}{_OWN}(?i:(?:all )?(?:(?:the|my|our|every) )?(?:last )?(?:moving |removal )box(?:es)?)"
     rf"(?: is| are)?(?: now| finally| all| officially| at last)* unpacked (?:here |over here )?in"
     rf" {_IN}{_END}", _LIVES),
    ("ettled ", rf"\b(?:I|[Ww]e)(?:[’']ve| have) {_LATELY}{_LASTS}settled (?:down |in )?(?:nicely |well )?(?:here "
     rf"|into life )?in {_IN}{_END}", _LIVES),
    ("ettling ", rf"{_SELF_BE}{_LASTS}{_INHABITED}{_OWN}{_OF_HOME}(?i:settling) in (?:nicely |well |ok |fine )?"
     rf"(?:here )?in {_IN}{_END}", _LIVES),
    (" new ", rf"^{_LEAD}{_LASTS}{_INHABITED}{_OWN}(?i:my |our )?(?i:first|second) (?:night|week(?:end)?|morning"
     rf"|month) in (?:the|our|my) new {_DWELLING} in {_IN}{_END}", _LIVES),
    # Work
    (_FIRSTS, rf"^{_LEAD}{_LASTS}{_OWN}(?:(?=.*\b(?:shift|(?:job|role|post|position|work) at|at (?:the|my) new)\b)|"
     rf"{_OF_WORK}){_FIRST} at {_NEW_ONE}{_FIRM}{_FIRST_END}", _WORKS),
    ("ettl", rf"{_SELF_BE}{_LASTS}{_OWN}{_OF_WORK}(?i:settling in|getting settled) (?:nicely |well |ok |fine |quickly"
     rf" )?at {_FIRM}{_END}", _WORKS),
    (" start", rf"^{_LEAD}(?:I(?:[’']ve| have)? {_LATELY})?(?i:handed in|gave|put in) my notice\b[^.;!?]*[,;] (?:and"
     rf" )?(?:I )?(?:start|starting|begin) at {_FIRM}(?=$|[.,;!)]| (?:in|on|from|next|after|as of|at the)\b){FOR_REAL}"
     rf"{_STILL}", _WORKS),
    (" offer", rf"\bI(?:[’']ve| have)? {_LATELY}(?:said yes to|accepted|took|taken) the {_FIRM} (?:job )?offer{_END}"
     rf"{_OF_JOB}{FOR_REAL}{_STILL}", _WORKS),
    (" offered me ", rf"^{_LEAD}{FOR_REAL}{_STILL}{_FIRM}(?:[’']ve| have| has)? (?:just )?offered me (?:the|a) (?:job"
     rf"|post|position|role)(?: as [^.,;!?]{{3,30}})?,? (?:and|so) I(?:[’']ve| have)? (?:happily |just |already )"
     rf"?(?:accepted|took it|taken it|signed)\b", _WORKS),
    (" signed | yes to ", rf"\bI(?:[’']ve| have)? {_LATELY}(?:signed (?:my contract |the contract )?with|said yes to) "
     rf"{_FIRM}{_END}{_OF_JOB}{FOR_REAL}{_STILL}", _WORKS),
    # Posts
    (_FIRSTS, rf"^{_LEAD}{_LASTS}{_OWN}{_AT_WORK}{_FIRST} as (?:an? |the )?{_NO_POST}{_AS_JOB}{_POST_END}", _WORKS_AS),
    (" the new | their new ", rf"\bI(?:[’']m| am) (?:now |officially )*(?:the|their) new"
     rf" {_AT_WORK}{FOR_REAL}{_NO_POST}{_AS_JOB}{_POST_END}", _WORKS_AS),
)  # fmt: skip
