"""Patterns of people's lives: posts, memberships, couples, names, examinations, schools, habits given up.

Rows as in clause_patterns.py, where the tables are joined. Leaving a group is a fact that holds, beside the ending of
the membership. Group `does` is a predicate in the first person; the fact has it in the third.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    ANIMAL,
    BE,
    CLAUSE_START,
    DOING,
    END,
    FOODS,
    INSTRUMENT,
    JOB,
    MONTH,
    NAME,
    NAMED,
    NO_PERSON,
    NUMBER,
    PERFECT,
    STOP_OR_TIME,
    TIME,
    WHO,
)
from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.patterns import NO_NAME, Rows, Says, does, ends, says
from memory_service.rules.facts.succession_patterns import PLACE_OF_WORK

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
     r"work at|work for|start at)|and (?:joined|started at|work at|work for|start at|am starting at|will start at)) "
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

_EXAM = (
    r"(?:(?:driving|theory|bar|board|entrance|citizenship|language|nursing|licensing|naturali[sz]ation|practical|state|"
    r"swimming|medical|final|civil service)(?: (?:driving|theory|language|practical|school|final))? "
    r"(?:tests?|exams?|examinations?)|viva|finals|gcses|a-levels|abitur|probation|apprenticeship|"
    r"(?:ielts|toefl|telc|goethe|jlpt|dele|delf)(?: [\w.]+)?|[abc][12](?: (?:exam|test|level))?)"
)
_SCHOOL_STEP = (
    r"(?:nursery|kindergarten|pre-?school|reception|primary(?: school)?|secondary(?: school)?|high school|middle "
    r"school|school|college|sixth form|uni|university|law school|med(?:ical)? school|year (?:\d+|one)|first grade)"
)
_GIVEN_UP = (
    "(?:(?:my|the) )?(?:driving|smoking|drinking|running|swimming|dancing|cycling|skiing|teaching|hunting|fishing|"
    "climbing|football|tennis|golf|rugby|bowls|allotment|garden|licen[cs]e|car|flat|job|day job|studies|phd|piano|"
    "violin|guitar|cello|choir|band|gym|social media|facebook|instagram|twitter|tiktok|alcohol|drink|booze|caffeine|"
    "coffee|sugar|gluten|dairy|meat|cigarettes|cigars|weed|gambling|night shifts|weekend shifts|"
    rf"{INSTRUMENT.removeprefix('(?:the )?')}|{DOING})"
)
_LONG = (
    r"(?:for (?:about |over |almost |nearly |like |more than )?(?:\w+[ -]){1,3}(?:years|decades)|since (?:19|20)\d\d|"
    r"since I was [\w-]+)"
)


_AVOIDS = (says("does_not_eat", "{who} avoids {value}"),)
_PARTNER_IS = (
    says("partner", "{who}'s partner is {value}"),
    says("relationship_status", "{who} is in a relationship", "in a relationship"),
)

MILESTONES: Rows = (
    # Studies and examinations
    (" passed | failed ", rf"^{WHO}{PERFECT}{ADV} (?P<does>(?:passed|failed) (?:(?:my|the|his|her|our|"
     rf"their) )?{_EXAM}(?: (?:twice|again|first time|with [^.,;!?()]{{2,30}}?))?){END}", does("exam")),
    (" got in| gotten in| accepted ", rf"^{WHO}{PERFECT}{ADV} (?:got|gotten|been accepted|accepted) (?:in)?to "
     rf"(?P<value>(?:the )?(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,3}} (?:for|to (?:study|do|read)) "
     rf"[^.,;!?()]{{3,30}}?){END}", (says("education", "{who} got into {value}"),)),
    (" start", rf"^(?P<who>I|[Ww]e|my (?:{PEOPLE}))(?:{BE}|{PERFECT}|'ll| will){ADV} (?:starts?|started|starting) "
     rf"(?P<value>{_SCHOOL_STEP}(?: (?:at|in) (?-i:[A-Z])[^.,;!?()]{{2,25}}?)?)(?=$|[.,;!?()]| (?:in|this|next|on|"
     r"last|and|so|but|after|today|tomorrow|soon|now)\b)(?! (?:in|at) (?:\w+ )?(?:minutes|\d))",
     (says("studies_in", "{who} starts {value}"),)),
    # Habits and things given up
    (" touched ", rf"^{WHO}(?: haven't| have not| hasn't) (?:touched|had) (?:a|one|any) (?:cigarettes?|fag|"
     r"smoke)s?(?: since| in| for)\b",
     (ends("smokes", "{who} no longer smokes", "anything"), says("avoids", "{who} stopped smoking", "smoke"))),
    (" gave up | given up | give up ", rf"^{WHO}{PERFECT}{ADV}(?: had to)? (?:gave|given|give) up "
     rf"(?!on\b)(?P<value>{_GIVEN_UP})(?![\w-])(?! (?:for (?:today|now|the day)|trying))",
     (says("has_given_up", "{who} gave up {value}"),)),
    (" off ", rf"^{WHO}(?:{BE}|{PERFECT} been){ADV} off (?P<values>{FOODS}(?:(?:, | or | and ){FOODS})?)(?=$|"
     r"[.,;!?()]| (?:since|for|until|now|again|and|but|so|completely|altogether)\b)", _AVOIDS),
    (" vap", rf"^{WHO}{PERFECT}{ADV} (?:stopped|quit|given up|gave up) vaping\b",
     (says("avoids", "{who} does not vape", "vape"),)),
    (" sober", rf"^{WHO}(?:{BE}|{PERFECT} been){ADV} sober(?P<value> (?:for|since) [^.,;!?()]{{3,20}}?| \w+ years?)?"
     rf"(?=$|[.,;!?()]| (?:and|but|so|now)\b)", (says("does_not_drink", "{who} does not drink alcohol", "alcohol"),)),
    # People
    (" seeing | dating | met ", rf"^(?P<who>I){PERFECT}(?:{BE})?{ADV}(?: been| started)? (?:seeing|dating|(?:met|"
     r"meeting)(?= some)) (?:someone|somebody|a (?:guy|girl|man|woman|lad))(?: new)?,? (?:called|named|(?:her|his|"
     rf"their) name(?:'s| is)) {NAMED}", _PARTNER_IS),
    (" together", rf"^(?:(?:me and|I and) {NAMED}|{NAMED.replace('<value>', '<value2>')} and I)(?:'ve| have|'re| "
     r"are)? (?:just |finally |recently )?(?:moved|moving|move) in together\b",
     (says("lives_with", "{subject} lives with {value}"),)),
    (" godmother| godfather| godparent", f"^{WHO}{BE}{ADV} (?P<value>(?:an? |the )?god(?:mother|father|parent) (?:to|"
     f"of) [^.,;!?()]{{3,30}}?){END}", (says("is", "{who} is {value}"),)),
    (" having a ", rf"^(?P<who>[Ww]e){BE} having (?P<value>a (?:baby )?(?:girl|boy)|twins|a baby)(?=$|[.,;!?()]| "
     r"(?:in|and)\b)", (says("is_expecting", "{who} is expecting {value}"),)),
    (" lady| son| daughter| sister| brother| mum| mom| dad| mother| father| wife| husband| nan| gran| aunt| uncle",
     rf"^(?P<who>(?:my|our) (?:{PEOPLE}))(?:'s| has| have)?(?: just| recently)? (?P<does>(?:broken|broke|had|having) "
     r"(?:an?|his|her|their|the) (?:(?:left|right|new) )*(?:hip|knee|wrist|ankle|arm|leg|foot|shoulder|collarbone|"
     rf"stroke|heart attack|bypass|pacemaker|baby|fall)(?: (?:done|replaced|operated(?: on)?|fitted))?){END}",
     does("health")),
    (" turned ", rf"^{WHO}{PERFECT}{ADV} turned (?P<value>{NUMBER})(?!,\d)(?=$|[.,;!?()]| (?:on|last|in|this|today|"
     r"yesterday|and)\b)", (says("age", "{who} is {value} years old"),)),
    (" years", rf"^{WHO}{BE} (?P<value>{NUMBER}) years(?=$|[.,;!?()]| (?:and|of age|now)\b)(?! and a half)",
     (says("age", "{who} is {value} years old"),)),
    (" been a", rf"^I(?:'ve| have){ADV} been (?P<value>an? (?!(?:bit|little|while|lot|long|great|good|bad|mess|busy|"
     rf"rough|tough|hard|weird)\b)(?:[\w-]+ ){{1,3}}?since (?:(?:19|20)\d\d|I was [\w-]+|{MONTH}))\b",
     (says("has_been", "{who} has been {value}"),)),
    # Activities of many years
    (" years| decades| since ", rf"^(?P<who>I|my (?:{PEOPLE}))(?:'ve| have| has)(?: also| now| always)? "
     r"(?P<value>(?:been (?!waiting|trying|on hold|thinking|looking|meaning|wanting|up\b|here\b|there\b|going)|"
     r"(?:lived|worked|taught|sung|played|swum|volunteered|smoked|driven|kept|owned|run|shared|rented|danced|painted|"
     r"written|spoken|suffered|practi[cs]ed|collected|grown|cycled|fished|sailed|cooked|had|known|used|taken|worn|"
     rf"belonged) )[^.,;!?()]{{2,50}}? {_LONG})(?=$|[.,;!?()]| (?:and|but|so|because|now)\b)",
     (says("has_done", "{who} has {value}", "has {value}"),)),
    # Work
    (" is | are |'s ", rf"^(?P<who>my (?:{PEOPLE})) (?:is|was)(?: now| also| still)? (?P<value>{JOB})(?=$|[.,;!?()]| "
     r"(?:in|at|for|and|of|but|so|by|with)\b)(?<!lead)(?<!cook)(?<!server)(?<!judge)(?<!guide)(?<!coach)(?<!late)",
     (says("works_as", "{who} works as {value}"),)),
    (" work", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?) like (?:an? )?(?P<value>{JOB}){END}",
     (says("works_as", "{who} works as {value}"),)),
    (" found ", rf"^{WHO}{PERFECT}{ADV} found (?:an? )?(?:new )?(?:work|job|position) (?:at|by|with|in) "
     rf"(?P<value>(?:the )?(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,2}}|an? [^.,;!?()]{{3,30}}?|the (?:[\w'-]+ "
     rf"){{0,3}}?{PLACE_OF_WORK}){END}",
     (says("works_at", "{who} works at {value}"),)),
    # Body
    (" 4'| 5'| 6'| 4’| 5’| 6’", rf"^{WHO}{BE}{ADV} (?P<value>[4-6]['’]\d{{1,2}}\"?)(?![\w])",
     (says("height", "{who} is {value}"),)),
    (" handed", rf"^{WHO}{BE}{ADV} (?P<value>left handed)\b", (says("has_condition", "{who} is {value}"),)),
    ("allerg", rf"^{WHO}(?: have| has|'ve)(?: an?| got an?)? (?:strong |bad |big )?allergy (?:on|against|with|for) "
     rf"(?P<value>[a-z][^.,;!?()]{{2,25}}?){END}", (says("allergic_to", "{who} is allergic to {value}"),)),
    (" eat", rf"^{WHO} (?:don't|do not|doesn't|does not|never|can't|cannot|can not|no longer)(?: really| ever)? "
     rf"eats? (?!(?:it|"
     r"that|this|them|much|many|enough|anything|nothing|all|at|before|after|breakfast|lunch|dinner|out|well|a|an|the|"
     r"here|there|in|on|with|when|until|properly|anymore|any|more|what|like|as|as|alone|too|"
     r"so)\b)(?P<value>[a-z][a-z'-]+(?: (?!(?:because|and|or|but|so|since|for|any|at|when|if|either|in|on|due|"
     r"as)\b)[a-z'-]+){0,2})(?=$|[.,;!?()]| (?:because|and|or|but|so|since|for|any ?more|at all|when|if|either|due|"
     r"as)\b)", (says("does_not_eat", "{who} does not eat {value}"),)),
    (" abide| stomach| bear", rf"^{WHO}{ADV} (?:can't|cannot|can not|couldn't) (?:abide|stomach|bear) (?!(?:it|that|"
     rf"this|the (?:thought|idea)|to|you|him|her|them)\b)(?P<value>[^.,;!?()]{{3,30}}?){END}",
     (says("dislikes", "{who} dislikes {value}"),)),
)  # fmt: skip

MILESTONE_MENTIONS: Rows = (
    (" called me | call me ", r"\b(?:(?:I|[Ww]e)(?:'d| would| should)? (?:rather|prefer(?: it)?(?: if)?|like it if) "
     r"you (?:called|call) me|(?:please|do) call me|^call me) (?P<value>(?:(?:Mr|Mrs|Ms|Miss|Dr|Professor)\.? )?"
     rf"(?-i:{NO_NAME}){NAME})", (says("preferred_name", "{who} wants to be called {value}"),)),
)  # fmt: skip
"""Rows that match anywhere in a clause."""
