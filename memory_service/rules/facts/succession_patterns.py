"""Patterns of one thing in place of another: homes, jobs, partners, diets, studies, tools, cars, phones, medicines.

Rows as in clause_patterns.py, where the tables are joined. Where the old value is named, its end is a fact beside the
new one.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    BE,
    CARS,
    CLAUSE_START,
    DOSE,
    END,
    FOODS,
    FOR_ONCE,
    JOB,
    LEAD,
    MEDICINE,
    NAME,
    NAMED,
    NO_PERSON,
    NUMBER,
    PERFECT,
    PHONE,
    PLACE,
    SURE,
    TIME,
    TOOLS,
    WHO,
    V,
)
from memory_service.rules.facts.patterns import APART, FOR_REAL, NO_NAME, Rows, Says, ends, says
from memory_service.rules.relatives import RELATIVES
from memory_service.rules.word_lists import DAY, MONTHS

_THE = r"(?:(?:my|our|the|an?|some|this) )?(?:old |new |current |former )?"
_ONE_CAR = (
    r"(?!(?-i:focus|seat|ram|leaf|swift|mini|polo|fiesta|panda|caddy)\b)(?=[\w-]+ (?:(?:rover|[\w-]*\d[\w-]*|"
    r"(?-i:[A-Z])[\w-]+) )?(?:goes|went|is|has)\b)"
)
"""Lookahead: a model's name and at most its number, and no common word such as "seat"."""
_NO_PRONOUN = (
    r"(?!(?:it|that|this|these|those|them|they|he|she|him|her|you|me|us|one|each|every|all|everything|something|"
    r"anything|nothing|more|what|who|which)\b)"
)
_PHRASE = (
    rf"{_NO_PRONOUN}[\w&+#/-]+(?:\.\w+)?(?: (?!(?:and|but|so|because|for|with|by|as|in|on|at|from|to|is|are|was|has|"
    r"have|had|been|got|just|now|will|can|it)\b)[\w&+#/.-]*\w){0,2}"
)
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
_NEW_DOSE = (
    rf"(?:{DOSE}|\d{{2,4}}(?:[.,]\d+)?(?=$|[.,;!?)]| (?:now|today|yesterday|last|from|daily|twice|once|and|so|this|"
    r"because)\b))"
)
_OLD_DOSE = rf"(?:{DOSE}|\d{{2,4}}(?:[.,]\d+)?)"
_NO_STOCK = (
    r"(?!.*\b(?:need|left|refill\w*|re-?order\w*|order\w*|running|run|ran|more|packs?|vials?|pens?|pills|tablets|short|"
    r"pounds|euros|dollars|costs?|price\w*|pharmacy|fridge|drawer|spare|until)\b)"
)
"""Lookahead: the number is no stock and no price."""
_LASTING = (
    r"(?!.* (?:for (?:the|a|an|one|two|three|\d+) (?:days?|nights?|weeks?|weekend|month|fortnight|few|couple)|"
    r"for (?:now|"
    r"today|tonight)|until|just today|only today|temporarily)\b)"
)
_POST = (
    r"(?:(?:new|regional|area|national|global|senior|junior|deputy|assistant|associate|general|sales|store|shop|office|"
    r"branch|product|project|marketing|engineering|account|operations|restaurant|kitchen|bar|warehouse|department|"
    r"finance|hr|it|technical|creative|managing|executive|art|medical|clinical|district|floor|shift|night|production|"
    r"plant|data|design|software|site|program(?:me)?|quality|service|support|customer|hotel|factory|construction|team) "
    r"){0,3}?(?:(?:team|tech|project|shift) lead(?:er)?|manager|director|supervisor|foreman|head (?:of (?:marketing|"
    r"sales|engineering|product|design|operations|finance|hr|it|people|data|research|security|legal|support|growth|"
    r"content|department|year|maths?|english|science|nursing|communications)|chef))|"
    rf"(?:senior|principal|staff|lead) {JOB}"
)
_PROMOTED = (
    r"(?=$|[.,;!)]| (?:and|so|now|yesterday|at last|because|after|last (?:week|month|year|spring|summer|autumn|fall|"
    rf"winter|{DAY})|in (?:(?:19|20)\d\d|{MONTHS}))\b){FOR_REAL}{_LASTING}(?!.*\b(?:acting|interim|while)\b)"
)
_DOSES = (says("{kin}_dose", "{subject}'s dose of {kin} is {value}"),)
_DOCTOR = (
    r"(?<!['’]s )\b(?:doc(?:tor)?|gp|specialist|consultant|cardiologist|psychiatrist|neurologist|Dr\.? \w+)(?:'ve|"
    r"'s| have| has)?"
)
"""Not another person's: "my mum's doctor"."""
_REPLACED = (
    ends("has", "{subject} no longer has {old}"),
    says("has_replaced", "{subject} has {value} in place of {old}", "{value}"),
)
_USES = (says("uses", "{subject} uses {value}"),)
_WORKS_WITH = (says("uses", "{who} uses {value}"),)
_NO_TOOL = r"(?!(?:go|rest|make|word|fish|arc|edge|linear|signal|sketch|teams|black|bear)\b)"
_NO_TOOL_MOVED = (
    rf"(?!(?:{DAY}|phoenix|r|go|rest|make|word|fish|arc|edge|logic|express|spring|black|brave|dart|poetry|(?-i:teams|"
    r"linear|signal|sketch|notion|windows|slack|zoom|monday|chrome|unity|word|excel))\b)"
)
_SYSTEM = (
    r"(?:database|db|data|code(?: ?base)?|app|backend|front ?end|site|website|api|services?|projects?|repos?|"
    r"repositor(?:y|ies)|ci|pipelines?|builds?|stack|infra(?:structure)?|clusters?|servers?|tests?|docs|"
    r"documentation|tickets|wiki|mail|chat|hosting|monitoring|queues?|cache|search)"
)
STOPPED_USING = (ends("uses", "{subject} no longer uses {old}"),)
USES_INSTEAD = (*STOPPED_USING, *_USES)
_SWAPPED = (
    rf"(?:{PERFECT}{ADV} (?:swapped|traded|exchanged|replaced|ditched|sold|part[- ]exchanged)|{BE}{ADV} "
    rf"(?:swapping|trading|replacing))"
)
_FOR = r"(?: in| out)? (?:for|with|by|against|in favou?r of) "
PLACE_OF_WORK = (
    r"(?:bakery|shop|bookshop|store|supermarket|restaurant|hospital|clinic|surgery|practice|pharmacy|school|"
    r"nursery|kindergarten|college|university|company|firm|agency|bank|factory|mill|brewery|lab|laboratory|"
    r"library|archives?|museum|gallery|theatre|theater|cinema|office|council|court|studio|caf[eé]|pub|bar|"
    r"hotel|hostel|farm|garage|workshop|startup|start-up|warehouse|depot|station|airport|harbou?r|shipyard|"
    r"aquarium|zoo|care home|hospice|call cent(?:er|re)|charity|newspaper|publisher|salon|gym|post office)"
)
_AT_WORK = (
    rf"(?P<value>(?:(?:the|an?) (?:[\w'-]+ ){{0,2}}{PLACE_OF_WORK}(?: (?:in|at|on|near|of) (?:(?:the )?{NAME}|"
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
PARTED = (
    ends("partner", "{subject} and {value} are no longer together", "{value}"),
    ends("relationship_status", "{subject} is no longer in a relationship", "in a relationship"),
    says("separated", "{subject} and {value} broke up", "from {value}"),
)
_STUDIES = (
    ends("studies", "{who} no longer studies {old}"),
    says("studies", "{who} studies {value}"),
)

SUCCESSIONS: Rows = (
    # Cars and phones
    (" swap| trad| exchang| replac| ditch| sold ", rf"^(?P<who>I|[Ww]e){_SWAPPED} {_THE}(?P<old>{CARS})(?<! in)(?<! "
     rf"out){_FOR}{_THE}(?P<value>{CARS}){END}", _DRIVES),
    (" swap| trad| exchang| replac| ditch", rf"^(?P<who>I|[Ww]e){_SWAPPED} "
     rf"{_THE}(?P<old>{PHONE}){_FOR}{_THE}(?P<value>{PHONE}){END}", _PHONES),
    # Homes
    (" in a| in our| in my", rf"^{WHO}(?:{BE}{ADV}(?: living| renting)?|{ADV} (?:lives?|rents?)) (?:in )?(?:an?|our|"
     rf"my) (?:[\w-]+ ){{0,3}}{_DWELLING} (?:on|off|in) (?:the )?{_STREET}",
     (says("address", "{who} lives in {value}"),)),
    # Work
    (" start| job| work| hired| transfer| moved ", rf"^{WHO}(?:(?:{BE}{ADV} (?:starting|going to (?:start|work))|"
     rf"{PERFECT}{ADV} (?:started|been hired|been transferred|transferred|got (?:a|the|my) (?:new )?job|found (?:a|"
     rf"the) (?:new )?(?:job|post)|got hired|accepted (?:a|the) (?:job|offer|post|position))|{ADV} start|"
     rf"'ll(?: be)? (?:start|starting|working)) (?:at|(?:with|by|for|from)(?! {TOOLS}(?![\w'’-])))|(?:{BE}{ADV} "
     rf"working|{ADV} works?) (?:at|for)) {_AT_WORK}(?=$|[.,;!?()]| (?:next|last|on|in|"
     r"as|from|since|now|this|and|two|three|after|because|today|soon|tomorrow|for (?:the|almost|over|about|\w+ "
     r"(?:years|months)))\b)", _WORKS_AT),
    (" became| become| retrain| qualif", f"^{WHO}{PERFECT}{ADV} (?:become|became|retrained as|qualified as) (?:an? |"
     f"the )?(?P<value>{JOB}){END}", (says("works_as", "{who} works as {value}"),)),
    (" notice", rf"^I{PERFECT}{ADV} (?:handed|given|gave|put)(?: in)? (?:my )?(?:\w+ weeks?[’']? )?notice(?: in)?(?: "
     rf"(?:at|to) (?P<old>(?:the )?(?-i:{NO_NAME}){NAME}))?(?=$|[.,;!?()]| \w)",
     (ends("works_at", "{subject} no longer works at {old}", otherwise="{subject} gave notice"),)),
    (" resigned| quit", rf"^I{PERFECT}{ADV} (?:resigned|quit my job|quit(?= from ))(?: from "
     rf"(?P<old>(?:the )?(?-i:{NO_NAME}){NAME}))?(?=$|[.,;!?()]| (?:today|yesterday|last|this|on)\b)",
     (ends("works_at", "{subject} no longer works at {old}", otherwise="{subject}'s job has ended"),)),
    (" quit| left| leaving", rf"^I(?:{PERFECT}{ADV} (?:quit|left)|{BE}{ADV} (?:quitting|leaving)) (?:my job at |my "
     rf"job with |the job at )(?P<old>(?:the )?[\w'’& -]{{2,30}}?){END}",
     (ends("works_at", "{subject} no longer works at {old}"),)),
    # Partners
    (" ended| broke| over| split", rf"^(?:(?:me and|I and) {NAMED}|{NO_PERSON}{NAMED.replace('<value>', '<value2>')} "
     rf"and (?:I|me))(?:'ve| have)?{ADV} (?:ended it|ended things|ended our relationship|broke up|broken up|split(?: "
     rf"up)?|separated|are (?:over|done|no longer together)){APART}", PARTED),
    # Diet
    (" again", f"^{WHO}(?:{BE}{ADV} (?:back (?:on|to) )?(?:eating|having)|{ADV} eats?|{PERFECT}{ADV} (?:started|gone "
     f"back to) (?:eating |to eat )?) ?(?P<value>{FOODS}) again{FOR_ONCE}",
     (Says("does_not_eat", "{who} eats {value} again", "{value}", holds=False),
      says("eats", "{who} eats " "{value} again"))),
    (" cut out| given up| gave up| quit| stopped", rf"^{WHO}{PERFECT}{ADV} (?:cut out|given up|gave up|quit|stopped "
     rf"(?:eating|having|drinking)) (?P<values>{FOODS}(?:(?:, | or | and ){FOODS}){{0,3}})(?=$|[.,;!?()]| \w)",
     (says("does_not_eat", "{who} avoids {value}"),)),
    (" smok", rf"^{WHO}{ADV} smokes? (?P<value>(?:about |around )?(?:\w+ )?(?:\w+ )?(?:a|per) day|"
     r"(?:\w+ )?(?:cigarettes|roll-ups|cigars|a pipe|a pack(?:et)? a day))",
     (says("smokes", "{who} smokes {value}", "anything"),)),
    (" stopped| quit| gave up| given up", rf"^{WHO}{PERFECT}{ADV} (?:stopped|quit|given up|gave up) "
     r"(?:the )?(?:smoking|fags|cigarettes|ciggies|smokes)\b",
     (ends("smokes", "{who} no longer smokes", "anything"), says("avoids", "{who} stopped smoking", "smoke"))),
    # Studies
    (" major| degree| course| subject| program", rf"^I(?:{BE}{ADV} (?:switching|changing|swapping)|{PERFECT}{ADV} "
     r"(?:switched|changed|swapped))(?: (?:my |the )?(?:major|degree|course|subject|program(?:me)?))(?: from "
     rf"(?P<old>[\w ]{{3,40}}?))? to {V}{END}", _STUDIES),
    # Tools and things
    (" from ", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV}(?: being)?|{PERFECT}{ADV}(?: been)?) (?:switch|migrat|mov|port|"
     r"convert|transition|chang|upgrad|go)\w* (?:(?:over|everything|all|away|the|our|my|it|\w+) ){0,4}?from "
     rf"(?P<old>{TOOLS}) (?:over )?(?:to|onto) (?P<value>{TOOLS}|{_WORD}?)(?:{END}|(?= in (?:the|spring|summer|autumn|"
     r"winter)\b))", USES_INSTEAD),
    (" work", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV} working|{ADV} work)(?: all day| a lot)? with {_NO_TOOL}"
     rf"(?P<values>{TOOLS}(?:(?:,|,? and|,? &) {TOOLS}){{0,3}})(?![\w'’-])(?: (?:mostly|mainly|all day|every day|daily|"
     rf"at work|a lot|a bit))?{END}", _WORKS_WITH),
    (" decided | settled ", rf"^(?:I|[Ww]e){PERFECT}{ADV} (?:decided|settled) on "
     rf"{_NO_TOOL}(?P<value>{TOOLS})(?![\w'’-]){END}",
     _USES),
    (" migrated | moved | ported | switched | converted ",
     rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} (?:migrated|moved|ported|switched|converted)(?: (?:the|our|my) (?:\w+ )?"
     rf"{_SYSTEM})?(?: over)? to {_NO_TOOL_MOVED}(?P<value>{TOOLS})(?![\w'’-])(?: finally)?{END}",
     (says("uses", "{who} uses {value}"),)),
    (" dropped | removed | cancelled | canceled | ditched | scrapped | uninstalled | ripped | rid of | up on ",
     rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} (?:dropped|removed|cancelled|canceled|ditched|scrapped|uninstalled|ripped out|"
     rf"got rid of|gave up on|given up on) (?:the |our |my )?{_NO_TOOL}(?P<old>{TOOLS})(?: subscription| licen[cs]e)?"
     r"(?=$|[.;!)]|,(?! (?:on|in|for)\b)| (?:and|so|because|since|as it|but|last (?:week|month|year|spring|summer|"
     r"autumn|fall|winter)|yesterday|today|this (?:week|month|year)|entirely|completely|altogether|everywhere|for good|"
     r"in favou?r of)\b)(?!.*\b(?:for now|for the moment|temporarily|put (?:it|them) back|just for)\b)", STOPPED_USING),
    (" decided against ", rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} decided against {_NO_TOOL}(?P<old>{TOOLS})"
     r"(?=$|[.,;!)]| (?:and|but|so|because|after all|in the end)\b)",
     STOPPED_USING),
    # Medicines
    (" take", rf"^{WHO}{ADV} takes? (?P<value>(?!(?:this|that|them|some|it|time|notes|care|part|place|turns|these|"
     r"those|about|around|exactly|roughly|nearly|maybe|almost|approximately|usually|only|another|double|half|both|every|"
     rf"hundred|the|my|{NUMBER})\b)(?:{DOSE} (?:of )?)?[a-z]{{5,18}})(?: now)?,? (?:{DOSE}|one in the|once a day|"
     r"twice a day|daily|every (?:morning|evening|night)|in the (?:morning|evening)|at night|morning and|for my|"
     r"against)\b", (says("takes_medicine", "{who} takes {value}"),)),
)  # fmt: skip

SUCCESSION_MENTIONS: Rows = (
    # Versions of tools
    (" 0| 1| 2| 3| 4| 5| 6| 7| 8| 9| v", rf"^(?:(?!(?:the |our |my )?(?:target|goal|plan\w*|wish\w*|todo|later|"
     rf"next|before|previously|former\w*|old)\b[^,]*:).*, )?(?P<value>(?:{TOOLS})(?<!\d) v?\d+(?:\.\d+)*)$", _USES),
    (" on ", rf"^{SURE}{LEAD}(?:our |the )?[\w -]{{2,20}} (?:is|are|runs|run)(?: now| still)? on "
     rf"(?P<value>(?:{TOOLS})(?<!\d) v?\d+(?:\.\d+)*)(?![\w-])", _USES),
    (" is ", rf"{CLAUSE_START}(?:our |the )?(?P<value>(?:{TOOLS})(?<!\d)) is (?:now )?(?:at |"
     r"on )?(?:version )?v?(?P<old>\d+(?:\.\d+)*) now\b",
     (says("uses", "{subject} uses {value} {old}", "{value} {old}"),)),
    # Things, medicines and tools
    ("ew ", r"^(?:got |bought |I got |we got )?(?:an? |my |the )?new (?P<value>thinkpad|macbook|laptop|workstation|"
     rf"{PHONE})(?: too)?(?=$|[.,;!])", (says("has", "{subject} has a {value}", "a {value}"),)),
    (" replaces | replaced ", rf"^{SURE}(?:.*, (?:so |and )?)?{LEAD}(?:the |our |my )?(?P<value>{_PHRASE}(?: at "
     rf"[\d.]+)?) (?:replaces|has replaced|replaced|is replacing) (?:the |our |my )?(?P<old>{_PHRASE})(?: (?:as|in) "
     rf"(?:the |our |my )?(?P<kin>{_PHRASE}))?(?=$|[.,;:!?()]|{TIME})", _REPLACED),
    (" swapped | changed | replaced ", rf"^{SURE}(?:(?:the |my |our )?(?:doc(?:tor)?|gp|vet|specialist|consultant|"
     r"Dr\.? \w+)|they)(?:'ve|'s| has| have)? (?:swapped|changed|replaced) (?:me (?:over )?from )?(?:the |"
     rf"my )?(?P<old>{MEDICINE})(?: for| to| with| by| onto) (?:the )?(?P<value>{_MED})(?![\w-])", _TAKES),
    (" instead of ", rf"(?<![\w-])(?P<value>{MEDICINE})(?: now)? instead of (?:the |my )?(?P<old>{MEDICINE})(?![\w-])",
     _TAKES),
    (" not ", rf"\b(?:takes?|taking|on) (?P<value>{MEDICINE})(?: now)?,? (?:and )?not "
     rf"(?:the )?(?P<old>{MEDICINE})(?![\w-])(?! (?:any|enough))", _TAKES),
    (" stopped | took me off | taken me off | discontinued | came off | off ",
     rf"^(?!.*\b(?:last time|once|when|whenever|if|almost|nearly)\b)(?:.*\b)?(?:{_DOCTOR}{ADV} (?:stopped|"
     rf"discontinued)|(?:{_DOCTOR}|(?:they|he|she)(?:'ve|'s| have| has)?){ADV} (?:took|taken) me off|(?:I|"
     rf"[Ww]e)(?:'ve| have)?{ADV} (?:stopped|quit|came off|come off|went off|stopped taking)|(?:I'm|I am){ADV} off) "
     rf"(?:the |my )?(?P<value>{MEDICINE})(?![\w-])",
     (ends("takes_medicine", "{subject} no longer takes {value}", "{value}"),)),
    (" to ", rf"(?:\b(?:{_DOCTOR}|(?:they|he|she|I|[Ww]e)(?:'ve|'s| have| has)?){ADV} (?:raised|increased|upped|"
     r"doubled|lowered|reduced|cut|halved|dropped|changed|put)|^(?:raised|increased|lowered|reduced|upped)) (?:up |"
     rf"down )?my (?:dose of )?(?P<kin>{MEDICINE})(?: dose| dosage)?(?: up| down)?(?: from {_OLD_DOSE})? to "
     rf"(?P<value>{_NEW_DOSE})(?![\w-]){_LASTING}", _DOSES),
    (" to ", rf"^my (?P<kin>{MEDICINE})(?: dose| dosage)?(?: was| is| has been|'s)(?: now)? (?:raised|increased|"
     rf"lowered|reduced|changed|upped)(?: up| down)?(?: from {_OLD_DOSE})? to (?P<value>{_NEW_DOSE})(?![\w-])"
     rf"{_LASTING}", _DOSES),
    (" now| up to | down to ", rf"^my (?P<kin>{MEDICINE})(?: dose| dosage)?(?: is|'s)(?=(?: now(?: at| "
     rf"up to)?| up to) {DOSE}|(?: now)? down to \d+(?:[.,]\d+)? ?(?:mg|mcg|ug|µg)\b|(?: now(?: at)?) \d{{2,4}}(?=$|"
     rf"[.,;!?)]))(?: now)?(?: at| up to| down to)? (?P<value>{_NEW_DOSE})(?![\w-]){_NO_STOCK}{_LASTING}", _DOSES),
    (" me ", rf"^{LEAD}(?:they|work|[Mm]y (?:boss|manager|company)|the company)(?:'ve|'s| have| has)?{ADV} (?:made|"
     rf"promoted) me (?:to )?(?:an? |the |their )?(?P<value>{_POST}){_PROMOTED}",
     (says("works_as", "{subject} works as {value}"),)),
    (" put me on ", rf"(?<!n't )(?<!not )(?<!to )\bput me on (?P<value>{_MED})(?![\w-])",
     (says("takes_medicine", "{who} takes {value}"),)),
    (" dies | dead| died| gone| history| retired",
     rf"{CLAUSE_START}(?:the |my |our )?(?P<old>{TOOLS}|macbook|thinkpad|laptop)(?:'s| is)? "
     r"(?:dies|died|dead|retired|gone|out|history|being shut down)(?![\w-])", STOPPED_USING),
    (" goes to m| goes to o| went to m| went to o| is going to m",
     rf"^(?!.*\b(?:will|when|once|before|after|until|unless)\b)(?:{LEAD}|[^;:]*\b(?:I|[Ww]e)\b[^;:]*?(?:, | "
     rf"and )(?:and |so |but )*)(?:the|my|our) (?:old )?(?P<old>{_ONE_CAR}{CARS}) (?:goes|went|is going|has gone) to "
     rf"(?:my|our) (?:{RELATIVES}|neighbou?r|friend|"
     r"flatmate|roommate)(?=$|[.!;)]| (?:now|for good|and|so|because)\b|, (?:and|so|because|as|who)\b)",
     (ends("drives", "{subject} no longer drives {old}"),)),
    ("witched | moved |oved |orted |onverted |ewrote |igrated ",
     rf"(?:{CLAUSE_START}(?:I|[Ww]e)(?:'ve| have)?{ADV} |^{LEAD})(?:switched|moved|ported|converted|rewrote|migrated) "
     r"(?:everything|it all|all of it|the (?:(?:whole|entire) )?(?:thing|project|code(?: ?base)?|scripts?|app))(?: "
     rf"over)? (?:from {TOOLS} )?(?:to|into|in) (?P<value>{TOOLS})(?![\w'’-])(?! (?:account|folder|channel|sheet|file|"
     r"doc|board|page|drive)\b)(?!.*\b(?:back|in my head|as an? (?:experiment|joke|test)|in a branch)\b)", _USES),
    (" moving us to ", rf"\b(?:is|are) (?:moving|switching|migrating) us (?:over )?to (?P<value>{TOOLS}|"
     rf"{_NO_PRONOUN}[^.,;:!?()]{{2,30}}?){END}", _USES),
    (" here in ", rf"\bhere in (?!(?:{TOOLS})\b){PLACE}(?!\w)(?! (?:for|on|until|till)\b)",
     (says("lives_in", "{subject} lives in {value}"),)),
    (" last day at ", r"\bmy last day at (?P<old>(?!(?:work|school|uni|home)\b)"
     rf"(?!the (?!(?:[\w-]+ ){{0,2}}?{PLACE_OF_WORK}\b)(?-i:[a-z]))(?:the )?[\w'’&-]+(?: "
     r"(?-i:[A-Z])[\w'’&-]+)*)", (ends("works_at", "{subject} no longer works at {old}"),)),
    ("more ", rf"\bno more (?P<old>{MEDICINE})\b", (ends("takes_medicine", "{subject} no longer takes {old}"),)),
    (" to | onto | on ", r"(?<!n't )(?<!not )(?<!to )\b(?:switched|changed|moved|put) (?:me )?(?:over )?(?:from "
     rf"(?P<old>{MEDICINE}) )?(?:to|onto|on) (?P<value>{MEDICINE}(?:,? {DOSE})?)(?![\w-])", _TAKES),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
