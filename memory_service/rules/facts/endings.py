"""Patterns of endings, and the facts that end.

An ending has the subject, attribute and value of the statement that it ends; no value where it names none.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import ALLERGY_GONE, CARS, FOR_ONCE, ILLNESS, MEDICINE, NO_PERSON
from memory_service.rules.facts.patterns import (
    ADJECTIVES,
    AM,
    APART,
    CONDITIONS,
    FOR_REAL,
    LATELY,
    NAME,
    NO_NAME,
    NOT_LIKED,
    OVER,
    PERFECT,
    PLACE_NAME,
    ROLES,
    STOP,
    SUBJECTS,
    THINGS,
    VALUE,
    WE_OR,
    WHO,
    Row,
    Rows,
    Says,
    says,
)
from memory_service.rules.facts.reactions import SUBSTANCE
from memory_service.rules.relatives import CLOSE_RELATIVES, KIN, OF_ONE, PARTNER, PETS, RELATIVES
from memory_service.rules.word_lists import CONTESTS, DAY, MONTHS

_NAMED = r"(?:,? [A-ZÄÖÜÉ][\w’'-]*\w,?(?= (?:is|isn|has|no)\b))?"
"""The name behind "my son"."""
_NOT = r" (?:don[’']t|do not|doesn[’']t|does not)(?: actually| really| even)?"
_ANYMORE = r"(?: any ?more| any longer)(?! than\b)"
_PLACE = (
    r"(?!(?:fear|pain|peace|poverty|denial|an?|my|our|this|that|it|the (?:past|moment|future))\b)" + VALUE
)
_LIKED = rf"(?!(?:{NOT_LIKED})\b){VALUE}"
_NO_EMPLOYER = r"(?:home|night|free|me|it|work)\b|\w+ (?:days|hours|weeks)\b"
_NO_ATTACK = (
    r"(?! (?:attacks?|episodes?|flare-?ups?|symptoms?|fits|appointments?|medication|meds|pills|cat|dog)\b)"
)
_VERBS: tuple[tuple[str, str, str, str, str, str], ...] = (
    ("lives_in", "live", "lives", "living", f" in {_PLACE}", " in"),
    ("works_at", "work", "works", "working", rf" (?:at|for) (?!{_NO_EMPLOYER}){VALUE}", " at"),
    ("works_in", "work", "works", "working", rf" in (?!{_NO_EMPLOYER}|\w+ing\b|shifts\b|teams?\b){VALUE}", " in"),
    ("works_as", "work", "works", "working", f" as (?:an? |the )?{VALUE}", " as"),
    ("plays", "play", "plays", "playing", rf" (?:the )?(?!(?:with|around|a|in|got|on|for)\b){VALUE}", ""),
    ("drives", "drive", "drives", "driving", rf" (?:an? |my )?(?!to\b|me\b|home\b){VALUE}", ""),
    ("uses", "use", "uses", "using", rf" (?!(?:{NOT_LIKED}|to)\b){VALUE}", ""),
    ("studies", "study", "studies", "studying", rf" (?!for\b|at\b|in\b|with\b){VALUE}", ""),
    ("likes", "like", "likes", "liking", f" {_LIKED}", ""),
    ("likes", "love", "loves", "loving", f" {_LIKED}", ""),
    ("likes", "enjoy", "enjoys", "enjoying", f" {_LIKED}", ""),
    ("dislikes", "hate", "hates", "hating", f" {_LIKED}", ""),
    ("dislikes", "dislike", "dislikes", "disliking", f" {_LIKED}", ""),
    ("eats", "eat", "eats", "eating", f" {_LIKED}", ""),
    ("drinks", "drink", "drinks", "drinking", f" {_LIKED}", ""),
    ("takes_medicine", "take", "takes", "taking", rf" (?:the |my )?(?P<value>(?i:{MEDICINE}))", ""),
    ("has", "have", "has", "having", rf" (?P<value>an? (?:[\w-]+ ){{0,2}}?(?:{THINGS}))\b", ""),
    ("has", "own", "owns", "owning", rf" (?P<value>an? (?:[\w-]+ ){{0,2}}?(?:{THINGS}))\b", ""),
)  # fmt: skip
"""Attribute, the verb in three forms, the pattern behind it, and the preposition of the wording."""


_NO_JOB = Says("job_held", "{who} no longer has the job at {value}", otherwise="{who}'s job has ended")
"""Ends job titles (facts_ended_by.sql)."""


def _verb_endings() -> list[Row]:
    found: list[Row] = []
    for attribute, base, third, ing, rest, before in _VERBS:
        says = (Says(attribute, f"{{who}} no longer {third}{before} {{value}}"),)
        says += (_NO_JOB,) if attribute == "works_at" else ()
        found += [
            (" no longer ", rf"\b{WE_OR}(?: can)? no longer (?:{base}|{third}){rest}{STOP}", says),
            ("more|longer", rf"\b{WE_OR}{_NOT} {base}{rest}{_ANYMORE}\b", says),
            (
                " used to ",
                rf"\b{WE_OR}(?: also)? used to {base}{rest}{STOP}",
                (Says(attribute, f"{{who}} used to {base}{before} {{value}}"),),
            ),
            (" stop| quit", rf"\b{WE_OR}{PERFECT}{LATELY} (?:stopped|quit) {ing}{rest}{STOP}", says),
        ]
        if attribute in ("lives_in", "works_at", "works_as"):
            # A denial in the present without "anymore" ends home and work as well; of likings it is an opinion.
            found.append(
                (
                    "not |n't |n’t ",
                    rf"\b{WE_OR}{_NOT} {base}(?![^.,;:!?\n]*{_ANYMORE}){rest}{STOP}",
                    (Says(attribute, f"{{who}} does not {base}{before} {{value}}"),),
                )
            )
    return found


_BROKE_UP = (
    r"(?:broken? up|split(?: up)?|separated|called it quits|ended (?:things|our relationship|our marriage)|"
    r"called off (?:the|our) (?:wedding|engagement))"
)
_OUR_END = (
    Says("partner", "{who} and {value} are no longer together", otherwise="{who}'s relationship has ended"),
    Says("relationship_status", "{who} is no longer in a relationship", "in a relationship"),
    says("separated", "{who} and {value} broke up", "from {value}"),
)
_DIVORCED = (
    Says("partner", "{who} and {value} are no longer together", otherwise="{who}'s marriage has ended"),
    says("relationship_status", "{who} is divorced", "divorced"),
)
_JOB_OVER = (
    _NO_JOB,
    Says("works_at", "{who} no longer works at {value}", otherwise="{who}'s job has ended"),
    Says("works_as", "{who} no longer works as {job}", "{job}"),
)
_LEFT = (
    Says("lives_in", "{who} left {value}"),
    Says("works_at", "{who} left {value}"),
    Says("job_held", "{who} no longer has the job at {value}"),
)
_LEFT_FOR_GOOD = (
    r"(?=[.;:!?\n)]|$|,(?! (?:on|for|to)\b)| (?:for good|behind|forever|(?:yesterday|today)(?=[.!?]|$)|last (?:year|"
    rf"month|spring|summer|fall|autumn|winter)|in (?:19|20)\d\d|in (?:{MONTHS})|(?:\w+ ){{1,2}}(?:weeks|months|years|"
    r"month|year) ago|because|after|and (?:moved|relocated|settled|joined|started)|for (?:a|my) (?:new )?(?:job|"
    r"position|startup)|to (?:start|join|found|live|move|retire)|but|so|since)\b)"
)
_JOB = r"(?:(?:old|current|day|full-time|part-time|new|first|last) )*(?:job|position|role|post)"
_JOB_AT = (
    r"(?: (?:at|with) (?P<value>[^.,;:!?\n()\"“”\d][^.,;:!?\n()\"“”]{1,40}?))?"
    r"(?: as (?:an? |the )?(?P<job>[a-z][a-z -]{2,30}?))?"
)
_BEEN = r"(?:[’']ve been|[’']s been| have been| has been| was| got)"
_SACKED = r"(?:fired|laid off|let go|made redundant|sacked)"
_STATE = rf"(?P<value>(?i:{ADJECTIVES})|an? (?:[\w-]+ ){{0,2}}?(?i:{ROLES}))"
_TOM = rf"(?P<value>{NO_NAME}{NAME})"
_OTHER = rf"(?P<other>{NO_NAME}{NO_PERSON}{NAME})"
_MY_TOM = rf"my (?:{PARTNER})(?:,? {_TOM},?)?"
_DEAD = (
    r"(?:died|passed(?: away| on)?|crossed the rainbow bridge|"
    r"(?:was|had to be) (?:put (?:down|to sleep)|euthani[sz]ed))"
)
_DEVICES = (
    "Generator|Phone|Laptop|Computer|Tablet|Battery|Engine|Car|Van|Truck|Bike|Fridge|Freezer|Oven|Cooker|Kettle|Toaster|"
    "Microwave|Dishwasher|Dryer|Boiler|Heater|Heating|Router|Server|Printer|Monitor|Screen|Router|Wifi|Internet|Camera|"
    "Watch|Clock|Radio|Telly|Television|Pump|Motor|Mower|Lawnmower|Drill|Charger|Conversation|Silence|Chat|Hope|Plant|"
    "Tree|Somebody|Someone|Nobody|Everyone|Everybody|Two|Three|Four|Several|Both|Half|Most|Many|Another"
)
"""Words for things that die in a figurative sense, and pronouns, which begin a sentence with a capital as names do."""
_SOLD = r"(?P<how>sold|got rid of|gave away|scrapped|traded in)"
_SOLD_THEN = (
    rf" (?:last (?:week\w*|month|year|spring|summer|autumn|fall|winter)|yesterday|in (?:{MONTHS}|(?:19|20)\d\d|the (?:"
    r"spring|summer|autumn|fall|winter))(?: (?:19|20)\d\d)?|(?:\w+ ){1,2}(?:days|weeks|months|years) ago)"
)
_NO_SURGERY = (
    r"(?!.*\b(?:scan|x-?ray|surgery|operat\w+|an(?:a)?esthe\w*|teeth|tooth|dental|wak\w+|woke|heavy|"
    r"for (?:an?|the|his|her|some|\w+ (?:minutes|hours)))\b)"
)
"""Of an animal that the vet puts to sleep for a while."""
_NOT_SAVED = (
    r"(?:didn[’']t|did not) make it(?: through)?(?! (?:to|into|in|on|up|home|back|past|here|there)\b)"
)
_SADLY = r"(?i:(?:(?:sadly|unfortunately|so|and|oh|well|yesterday|today|last night|this morning),? )*)"
_AT_LAST = (
    rf"(?=$|[.,;!]| (?:last (?:night|week|month|year|spring|summer|autumn|fall|winter|{DAY})|yesterday|today|tonight|"
    rf"this (?:morning|week|month|year|afternoon|evening)|on {DAY}|in (?:{MONTHS})|(?:an?|two|three|four|\d+) \w+ ago|"
    r"to cancer)\b)"
)
"""The end of a sentence, or a time: "lost Rex last night", not "lost Rex in the park"."""
_NOT_LOST = (
    r"(?!.*\b(?:found|find\w*|posters?|look\w*|search\w*|missing|back|again|park|crowd|sand|gone (?:to|for|on|out)|"
    rf"vote|election|nap|town|mall|shops?|store|supermarket|market|airport|station|zoo|museum|sold|{CONTESTS})\b)"
)
_TREATMENT = (
    r"(?:the |my |those |these |all (?:the |my )?)?(?P<value>(?!(?:it|them|that|this|one|day|work|job|book|show)\b)"
    r"[A-Za-z][\w-]{2,}(?: (?:tablets?|pills?|capsules?|supplements?|drops|cream|injections?))?)"
)
_AND_THEN = (
    rf"(?:{_AT_LAST}|(?= (?:for good|altogether|completely|entirely|cold turkey|now|because|and|so|since)\b))"
)
_NO_REFILL = r"(?!.*\b(?:refills?|more|pharmacy|prescription|renew\w*|order\w*|for (?:now|today|tonight))\b)"
_CAME = r"(?: has| have| was| is|[’']s| got)?(?: just| been| all)*"
_NO_MORE = r"(?=$|[.,;!]| (?:after all|any ?more|and|so|because)\b)"
_STOPS_IT = Says("treatment", "{subject} no longer takes {value}")
_FINISHED = Says("short_treatment", "{subject} finished {value}")
_RECOVERED = Says("recovered", "{subject} no longer has {value}")
_WITH_CHILD = (
    Says("is", "{who} is no longer pregnant", "pregnant"),
    Says("is", "{who} is no longer pregnant", "expecting"),
    Says("is_expecting", "{who} is no longer pregnant", "a baby"),
)
_LOST_BABY = (*_WITH_CHILD, says("has_died", "{who} lost the baby", "baby"))
# Before the endings of the name and of `has`, through which the others are found.
_KIN_DIED = Says("alive", "{subject}'s {kin} died", "{kin}")
_NAMED_DIED = Says("alive", "{value} died", "{value}")
_NOT_BACK = r"(?!.*\b(?:(?:got|have|gave|offered)(?: (?:me|it|my|her|his|job))* back|re-?hired|reinstated)\b)"
_SUBJECTS_ALONE = rf"(?!(?:music|politics|business|medicine|statistics|literature|law)\b)(?:{SUBJECTS})"
"""Those whose names stand for nothing else that is dropped: an album, a habit, a drug."""
_PARTS = (
    "wrist|ankle|arm|leg|foot|toe|finger|thumb|hand|knee|hip|shoulder|elbow|collarbone|ribs?|jaw|nose|acl|meniscus|"
    "pelvis|tibia|femur"
)
_VEHICLES = r"car|van|truck|motorcycle|motorbike|scooter"

_OUT_OF_HOME = (
    r"(?=[.,;:!?\n)]|$| (?:of (?:my|our) (?:parents[’']?(?: \w+)?|mum[’']s|mom[’']s|dad[’']s|flat|apartment|place|"
    rf"house|flatshare)|last (?:week|month|year|weekend)|yesterday|this (?:week|month)|in (?:{MONTHS})|and|so|"
    r"because)\b)"
)
_LIVES_APART = (Says("lives_with", "", otherwise="{who} lives with none of the former people"),)

_IN_FACT = (
    r"(?:(?:[^.;!?]{0,30}?\b(?:doctor|tests?|turns out|results)\b[^.;!?]{0,20}?)? (?:its|it['’]s|it is)| but)"
    r"(?: actually| the)? "
)
_FOUND = rf"(?i:{SUBSTANCE})(?: gloves| protein)?"
_FOUND_END = r"(?=$|[.,;!?)]| (?:instead|so|which|that|who|he|she|they|and (?:not|that|I)\b))"
_IS_ALLERGIC = (says("allergic_to", "{who} is allergic to {value}"),)
_ALLERGY_FOUND = (
    (r"(?:(?=$|[.;!)])|(?<=,)(?= (?:its|it['’]s|it is)\b))", ()),
    (rf"{_IN_FACT}(?P<value>{_FOUND})(?: (?:\+|and|&) {_FOUND})?{_FOUND_END}", _IS_ALLERGIC),
    (rf"{_IN_FACT}{_FOUND} (?:\+|and|&) (?P<value>{_FOUND}){_FOUND_END}", _IS_ALLERGIC),
)
"""The allergy in place of a mistaken one: "it's latex + banana"."""
_ONE = (
    r"(?:(?:(?:tree|pine|brazil) )?nut|peanut|hazelnut|walnut|almond|cashew|egg|prawn|mussel|oyster|mushroom|onion|"
    r"banana|kiwi|apple|avocado|cat|dog|horse|rabbit|bee|wasp|(?:bee|wasp|insect) sting)"
)
"""Substances in the singular, as before "allergy"."""
_OF_ONE_KIND = (rf"(?P<value>(?i:{_ONE})) allergy", ("{value}", "{value}s"))
_OF_ANOTHER = rf"(?P<value>(?!{_ONE} )(?i:{SUBSTANCE}))"
_ALLERGY = (_OF_ONE_KIND, (f"{_OF_ANOTHER} allergy", ("{value}",)))
"""An allergy, and the values that its end ends: "my nut allergy" is the one of "I'm allergic to nuts"."""
_WRONG_ALLERGY = (_OF_ONE_KIND, (f"{_OF_ANOTHER}(?: allergy)?", ("{value}",)))
_NO_DOUBT = (
    r"(?!.*\b(?:hope[ds]?|thought|thinks?|believed?|assumed?|guess|wish(?:ed)?|said|says|told|claims?|seems?|might|may|"
    r"maybe|perhaps|wrong)\b)"
)

ENDINGS: Rows = (
    *_verb_endings(),
    # Homes
    (" moved ", rf"\b{WE_OR}{PERFECT}{LATELY} moved (?:out of|away from) {PLACE_NAME}{STOP}",
     (Says("lives_in", "{who} moved away from {value}"),)),
    (" moved ", rf"\b{WE_OR}{PERFECT}{LATELY} moved (?:back |here |over )?from {PLACE_NAME} (?:back )?to (?=[A-Z])",
     (Says("lives_in", "{who} moved away from {value}"),)),
    (" left ", rf"\b{WE_OR}{PERFECT}{LATELY} left {PLACE_NAME}{_LEFT_FOR_GOOD}", _LEFT),
    (" moved out", rf"\b(?P<who>I){PERFECT}{LATELY} moved out{_OUT_OF_HOME}", _LIVES_APART),
    (" alone| on my own| by myself", r"\b(?:(?P<who>I)(?:[’']m| am) (?:now )?living|(?:[Nn]ow,? )?I(?: now)? live) "
     r"(?:alone|on my own|by myself)(?:(?<=now live alone)|(?<=now living alone)|(?<=now live on my own)|(?= (?:now|"
     r"these days|again|for now)\b))", _LIVES_APART),
    (" moved out", rf"\b[Mm]y (?:ex-?)?(?P<value>{PARTNER}|flatmate|roommate|housemate|lodger)(?:,? "
     rf"{NO_NAME}{NAME},?)?{PERFECT}{LATELY} moved out{_OUT_OF_HOME}",
     (Says("lives_with", "{who} no longer lives with the {value}"),)),
    (" lived in ", rf"\b{WE_OR} (?:haven[’']t|have not|hasn[’']t|has not) lived in {_PLACE} (?:for|in|since)\b",
     (Says("lives_in", "{who} no longer lives in {value}"),)),
    # Work
    (" job| position| role| post", rf"\b(?P<who>I){PERFECT}{LATELY} (?:quit|left|lost|resigned from|given up|"
     rf"gave up) my "
     rf"{_JOB}{_JOB_AT}{OVER}{FOR_REAL}{_NOT_BACK}", _JOB_OVER),
    (" her | his ", rf"\b(?P<who>my (?:{KIN})){PERFECT}{LATELY} (?:quit|left|lost|resigned from|given up|gave up) "
     rf"(?:her|his) {_JOB}{_JOB_AT}{OVER}{FOR_REAL}{_NOT_BACK}", _JOB_OVER),
    (" quit | resign", rf"\b{WHO}{PERFECT}{LATELY} (?:quit|resigned from) {PLACE_NAME}{OVER}",
     (Says("works_at", "{who} quit {value}"), Says("uses", "{who} quit {value}"), _NO_JOB)),
    (" the company| the firm", rf"\b{WHO}{PERFECT}{LATELY} (?:quit|left) the (?:company|firm){OVER}",
     (Says("works_at", "", otherwise="{who}'s job has ended"), _NO_JOB)),
    ("fired|laid off|let go|redundant|sacked", rf"\b{WHO}{_BEEN}{LATELY} {_SACKED}(?: (?:from|by|at) (?:(?:my|his|"
     r"her) job(?: as an? (?P<job>[a-z][a-z -]+?))?|work|(?:(?:my|his|her) job (?:at|"
     rf"with) )?(?P<value>(?:the )?[A-Z][^.,;:!?\n()]{{1,40}}?)))?{OVER}{FOR_REAL}", _JOB_OVER),
    (" me off| fired me| sacked me| let me go", r"\b(?:[Tt]hey|[Mm]y (?:boss|company|employer|manager)|[Tt]he "
     rf"company)(?:[’']ve| have)? (?:just |finally )?(?:(?:laid me off|fired me|sacked me){OVER}|let me go(?=$|[.,;!]|"
     r" (?:last|yesterday|today|because|from work)\b))",
     (Says("works_at", "", otherwise="{who}'s job has ended"), _NO_JOB)),
    # Of a job or a move that was announced
    (" through| off|celled|celed|withdrawn|rescinded", rf"^{_SADLY}(?:[Tt]he |[Mm]y )?(?:(?:job|offer|position|post) "
     rf"(?:at|with|from) {_TOM}|{_OTHER} (?:job|offer|position|post)){_CAME} (?:fell through|fallen through|off|"
     rf"cancell?ed|withdrawn|rescinded){_NO_MORE}", (Says("works_at", "{subject} does not start at {value}"),)),
    (" through| off|celled|celed", rf"^{_SADLY}(?:[Tt]he |[Mm]y |[Oo]ur )?(?:move|relocation) to {_TOM}{_CAME} "
     rf"(?:fell through|fallen through|off|cancell?ed){_NO_MORE}",
     (Says("lives_in", "{subject} does not move to {value}"),)),
    *((f" not {how} ", rf"^{_SADLY}(?:I{AM}|[Ww]e(?: are|[’']re)) not {how} {_TOM}{_NO_MORE}",
       (Says(attribute, f"{{subject}} is not {how} {{value}}"),))
      for attribute, how in (("lives_in", "moving to"), ("works_at", "starting at"))),
    (" resigned", rf"\b{WHO}{PERFECT}{LATELY} resigned(?=[.,;!]|$| (?:last|yesterday|today|this)\b)",
     (Says("works_at", "", otherwise="{who}'s job has ended"), _NO_JOB)),
    (" retired", rf"\b{WHO}(?:{PERFECT}(?: been)?{LATELY}|{AM}) retired(?: from (?!work\b|"
     rf"worth\b)(?P<value>(?:the )?[^.,;:!?\n()]{{2,30}}?))?(?:{OVER}|(?= for (?:\w+ ){{1,2}}(?:years|months|"
     rf"decades)\b| since (?:\d|{MONTHS})))",
     (Says("works_at", "{who} no longer works at {value}", otherwise="{who}'s working life has ended"),
      says("works_as", "{who} is retired", "retired"))),
    ("graduated from |dropped out of ", rf"\b{WHO}{PERFECT}{LATELY} (?:graduated from|dropped out of) (?!high school|"
     rf"college|university|school|the (?:race|marathon|competition|contest|tournament|game|call|group|team|band|deal|"
     rf"running)\b){VALUE}(?: with [^.,]+)?{OVER}",
     (Says("studies_at", "{who} no longer studies at {value}"),)),
    # Partners
    (" up| separated| quits| ended| off | split", rf"\b(?:[Ww]e|(?:{_MY_TOM}|{_OTHER}) and (?:I|me)|(?:me|I) and my "
     rf"(?:{PARTNER})){PERFECT}{LATELY} {_BROKE_UP}{APART}", _OUR_END),
    (" broke", rf"\bI{PERFECT}{LATELY} (?:broke|broken) up with (?:my (?:{PARTNER})\b,? ?)?{_TOM}?(?: "
     rf"too)?{OVER}", _OUR_END),
    (" broke| left me| dumped me| ended ", rf"\b(?:{_MY_TOM}|{_OTHER}){PERFECT}{LATELY} (?:broke up with me|dumped "
     r"me(?! (?:to|out|into|back|off|at|on|in|here|there|from|with)\b)|left me(?! a| the| my| with| some| at| in| "
     r"alone| hanging| no))\b", _OUR_END),
    (" off | done", rf"\b(?:{_MY_TOM}|{_OTHER}){PERFECT}{LATELY} (?:called off (?:the|our) (?:wedding|engagement)|"
     rf"called the (?:wedding|engagement) off|and I are done){APART}",
     (Says("partner", "{who} and {value} are no longer together"),)),
    (" with ", rf"\bI{AM} (?:no longer|not) (?:together |in a relationship )?with (?:my "
     rf"(?:{PARTNER})\b,? ?)?{_TOM}?{_ANYMORE}", _OUR_END),
    (" no longer with ", rf"\bI{AM} no longer (?:together )?with {_TOM}(?=[.,;!?]|$)", _OUR_END),
    (" together", rf"\b(?:[Ww]e|(?:{_MY_TOM}|{_OTHER}) and I)(?:[’']re| are)(?: no longer together| not "
     rf"together{_ANYMORE}|n[’']t together{_ANYMORE})", _OUR_END),
    (" divorced", rf"\b(?:[Ww]e|I|(?:{_MY_TOM}|{_OTHER}) and I){PERFECT}{LATELY} (?:got(?:ten)? )?divorced(?: my "
     rf"(?:wife|husband))?{OVER}", _DIVORCED),
    (" single", rf"\bI{AM} (?:now |newly )?single\b", (Says("partner", "", otherwise="{who} has no partner"),)),
    ("died|passed", rf"\bmy (?:husband|wife)(?:,? {_TOM},?)?{PERFECT}{LATELY} (?:died|passed away){OVER}",
     (Says("partner", "{who}'s partner {value} died", otherwise="{who}'s partner died"),
      says("relationship_status", "{who} is widowed", "widowed"))),
    *(("died|passed away", rf"\b(?P<who>[Mm]y (?P<kin>{kin})){name}{PERFECT}{LATELY} (?:died|passed away){OVER}",
       (Says("is", "{who} died", "alive"), says("has_died", "{who} died", "died"), *ended))
      for kin, name, ended in (
          (CLOSE_RELATIVES, "", (_KIN_DIED,)),
          (rf"(?!(?:{CLOSE_RELATIVES})\b)(?:{RELATIVES}|friend)", "", ()),  # of several, the known one may be another
          (OF_ONE, rf",? {_TOM},?", (_KIN_DIED, _NAMED_DIED)),
          (rf"(?!(?:{OF_ONE})\b)(?:{RELATIVES}|friend)", rf",? {_TOM},?", (_NAMED_DIED,)))),
    (" buried | lost ", rf"^{_SADLY}(?:[Ww]e|I){PERFECT}{LATELY} (?:buried|lost) (?:(?:my|our) )?"
     rf"(?:beloved |dear |poor )?(?P<kin>{CLOSE_RELATIVES}|{PETS}){_AT_LAST}{_NOT_LOST}", (_KIN_DIED,)),
    (" buried ", rf"^{_SADLY}(?:[Ww]e|I){PERFECT}{LATELY} buried (?:(?:my|our) (?:{RELATIVES}|friend|{PETS}),? )?{_TOM}"
     rf"{_AT_LAST}{_NOT_LOST}", (_NAMED_DIED,)),
    (" widow", rf"\bI{AM}(?: now a widow(?=[.,;!]|$| (?:and|since)\b)| a widow now\b)",
     (Says("alive", "{subject}'s husband died", "husband"),)),
    (" widower", rf"\bI{AM}(?: now a widower(?=[.,;!]|$| (?:and|since)\b)| a widower now\b)",
     (Says("alive", "{subject}'s wife died", "wife"),)),
    # What one is
    (" no longer ", rf"\b{WHO}{AM} no longer {_STATE}\b", (Says("is", "{who} is no longer {value}"),)),
    ("more|longer", rf"\b{WHO}(?:{AM} not| isn[’']t| ain[’']t) {_STATE}{_ANYMORE}\b",
     (Says("is", "{who} is no longer {value}"),)),
    (" used to be ", rf"\b{WHO} used to be {_STATE}\b", (Says("is", "{who} used to be {value}"),)),
    (" being ", rf"\b{WHO}{PERFECT}{LATELY} (?:stopped|quit) being {_STATE}\b",
     (Says("is", "{who} is no longer {value}"),)),
    (" allergic to ", rf"\b{WHO}{_NAMED}(?:{AM} no longer|(?: have|[’']ve| has|[’']s) stopped being| used to be| was "
     rf"once) allergic to (?!any){VALUE}{STOP}", (Says("allergic_to", "{who} is no longer allergic to {value}"),)),
    (" allergic to ", rf"\b{WHO}(?:{AM} not| isn[’']t) (?:actually |really )?allergic to (?!any){VALUE}{_ANYMORE}\b",
     (Says("allergic_to", "{who} is no longer allergic to {value}"),)),
    *((" I'm allergic to| I am allergic to", rf"(?:\b[Ii]t['’]?s|\b[Ii]t is|\b[Tt]hat['’]?s)(?: actually)? not (?:the "
    rf")?(?P<old>(?!just\b|only\b)[a-z]"
       rf"[a-z -]{{2,25}}?) (?:that )?I(?:['’]m| am) allergic to,?{named}",
       (Says("allergic_to", "{who} is not allergic to {old}", "{old}"), *facts))
      for named, facts in _ALLERGY_FOUND),
    *((" wrong about | mistaken about ", r"^(?i:(?:(?:no|oh|hey|sorry|actually|well|wait|hm+|ok|okay|so),? ){0,2}"
       rf"(?:(?:it )?turns out )?)(?P<who>I) was (?:wrong|mistaken) about (?:the |my |being allergic to )?{named}(?:,|;"
       r"| [-–—]|,? and| because) I(?:[’']m| am)(?: actually| really)? not (?:actually |really )?allergic(?: to (?:it|"
       rf"them|that|those))?(?: at all| after all)?(?=$|[.!;]|, (?:but|so|the|it)\b{_NO_DOUBT})",
       tuple(Says("allergic_to", f"Contrary to an earlier statement, {{who}} is not allergic to {value}", value)
             for value in values))
      for named, values in _WRONG_ALLERGY),
    *((" allergy", rf"^{_NO_DOUBT}{pattern}",
       tuple(Says("allergic_to", f"{{who}} is no longer allergic to {value}", value) for value in values))
      for named, values in _ALLERGY
      for pattern in (
          rf"{_SADLY}[Mm]y {named}{ALLERGY_GONE}",
          rf"{_SADLY}{WHO}{PERFECT}{LATELY} (?:outgrew|outgrown|grew out of|grown out of) (?:my|his|her|their) "
          rf"{named}(?=$|[.,;!]| (?:now|and|so|at last|years? ago|as an? \w+|when|by|in|last|thank)\b)")),
    (" have | has ", rf"\b{WHO}{_NAMED}(?: no longer (?:have|has)| used to have) (?P<value>(?i:{ILLNESS}|"
     rf"{CONDITIONS}))\b{_NO_ATTACK}", (Says("has_condition", "{who} no longer has {value}"),)),
    (" have ", rf"\b{WHO}{_NOT} have (?P<value>(?i:{ILLNESS}|{CONDITIONS})){_ANYMORE}\b",
     (Says("has_condition", "{who} no longer has {value}"),)),
    ("more|longer", r"(?:^(?:so |and |but )?|\bI\b[^.;:]{2,60}, (?:so |and )?)not (?P<value>vegan|vegetarian|"
     rf"pescatarian|keto|kosher|halal|single){_ANYMORE}\b", (Says("diet", "{who} is no longer {value}"),)),
    (" meat again", rf"\b{WE_OR}(?:{PERFECT}{LATELY} (?:started|begun|began|gone back to)(?: to eat| eating)?|{AM} "
     rf"eating| eats?) meat again\b{FOR_ONCE}", (Says("diet", "", otherwise="{who} eats meat again"),)),
    (" keto| paleo| diet| low-carb", rf"\b{WE_OR}{PERFECT}{LATELY} (?:quit|stopped|gave up|given up|dropped|ended) "
     rf"(?:doing |with |my |the )*(?P<value>keto|paleo|low[- ]carb)(?: diet)?{OVER}",
     (Says("diet", "{who} gave up {value}"),)),
    # Treatments and illnesses; facts_ended_by finds the current ones
    ("topped | off ", rf"^{_SADLY}(?:I{PERFECT}{LATELY} )?(?:[Ss]topped|[Cc]ame off|[Cc]ome off|[Ww]ent off)"
     rf"(?: taking| using)? {_TREATMENT}{_AND_THEN}{FOR_REAL}", (_STOPS_IT,)),
    (" stop | come off ", r"^(?:[Tt]he |[Mm]y )?(?:[Dd]octor|[Dd]oc|GP|[Nn]urse|[Mm]idwife)(?: has)? (?:just )?"
     rf"(?:says?|said|told me|confirmed|agreed)(?: today| yesterday)?(?: that)? I (?:can|may) (?:now |finally )?"
     rf"(?:stop|come off)(?: taking)? {_TREATMENT}(?=$|[.,;!]| (?:now|today|altogether|completely|for good|and)\b)"
     r"(?!.*\b(?:if|when|once|unless|next|soon|after|before)\b)", (_STOPS_IT,)),
    ("o more ", rf"^{_SADLY}[Nn]o more {_TREATMENT} for me(?=$|[.,;!])", (_STOPS_IT,)),
    (" need ", rf"^{_SADLY}I (?:don[’']t|do not) need {_TREATMENT}{_ANYMORE}", (_STOPS_IT,)),
    ("inished |one with | last ", rf"^{_NO_REFILL}{_SADLY}(?:I(?:{PERFECT}{LATELY}|{AM}) )?(?:[Ff]inished|"
     rf"[Dd]one with|[Tt]ook the last(?: of)?) {_TREATMENT}{_AND_THEN}", (_FINISHED,)),
    (" gone|s gone| over|leared up| remission", rf"(?:^|, ){_SADLY}(?:[Mm]y |[Tt]he )?(?P<value>(?!(?:it|that|this|he|"
     r"she|tablets|pills|meds)\b)[a-z][\w-]+(?: "
     r"(?!(?:is|has|are|have|been|now|finally|all|completely)\b)[a-z-]+)?)(?:[’']s| is| has| are|"
     r" have)?(?: been| now| finally| all| completely)* (?:gone|over|cleared up|in remission)(?=$|[.,;!]| (?:now|since|"
     r"thank|at last|for good|and)\b)", (_RECOVERED,)),
    ("over ", rf"^{_SADLY}(?:I{AM} )?(?:(?:[Ff]inally|all) )*[Oo]ver (?:the|my) (?P<value>[a-z][\w-]+(?: [a-z-]+)?)"
     rf"{_AT_LAST}", (_RECOVERED,)),
    # Pregnancies
    (" lost ", rf"\b{WE_OR}{PERFECT}{LATELY} lost (?:the|our|my|her|their) baby{_AT_LAST}{_NOT_LOST}{FOR_REAL}",
     _LOST_BABY),
    (" miscarr| abortion| terminat", rf"\b{WE_OR}{PERFECT}{LATELY} (?:had a miscarriage|suffered a miscarriage|"
     rf"miscarried|had an abortion|terminated (?:the|my|our) pregnancy){_AT_LAST}{FOR_REAL}",
     (*_WITH_CHILD, says("pregnancy_ended", "{who}'s pregnancy ended", "ended"))),
    ("ad ", rf"^{_SADLY}(?:{WE_OR}{PERFECT}{LATELY} )?[Hh]ad (?:our|my|the|her) (?:baby|little)(?: (?:girl|boy|one|son|"
     rf"daughter|twins))?(?: too)?{_AT_LAST}(?!.*\b(?:in (?:19|20)\d\d|years ago)\b)", _WITH_CHILD),
    # Without these words a denial contradicts and ends nothing.
    (" pregnant|ot pregnant", rf"^{_SADLY}(?:[Ff]alse alarm[,:;.]? (?:I{AM} )?not pregnant(?=$|[.,;!])|(?:I{AM} )?"
     r"[Nn]ot pregnant after all\b)", tuple(say._replace(text="{subject} is not pregnant") for say in _WITH_CHILD)),
    # Habits
    (" smoking again| smoke again", rf"\b{WE_OR}(?:{PERFECT}{LATELY} (?:started|begun|began)(?: smoking| to smoke)|"
     rf"{AM} smoking| smokes?) again\b",
     (says("smokes", "{who} smokes again", "anything"), Says("habit", "{who} does not smoke", "does not smoke"),
      Says("avoids", "{who} smokes again", "smoke"))),
    (" smok", rf"\b{WE_OR}(?:{PERFECT}{LATELY} (?:quit|stopped|gave up|given up) smoking|{_NOT} smoke{_ANYMORE}| no "
     r"longer smokes?| used to smoke)(?=[.,;!?]|$| (?:last|in|a|two|three|\w+ (?:years|months)|and|but|because|for "
     r"good|when|after)\b)",
     (Says("smokes", "{who} no longer smokes", "anything"), says("avoids", "{who} stopped smoking", "smoke"))),
    # Things and animals
    (" stolen| nicked| totalled| written off", rf"\b(?:my|our) (?:old |new )?(?P<thing>(?P<vehicle>{_VEHICLES})|boat|"
     r"bike|bicycle|e-?bike|scooter|laptop|phone|camera|guitar|watch)(?:'s| was| were| got| has| is)(?: been)?(?: "
     r"just)? (?:stolen|nicked|totalled|written off)\b(?!.*\b(?:but|back|found|recovered|returned)\b)(?! (?:the|"
     r"from)\b)",
     (Says("has", "{who} no longer has a {thing}", "a {thing}"),
      Says("drives", "", otherwise="{who} no longer drives the former {vehicle}"))),
    (" sold | rid of | away ", rf"\b{WE_OR}{PERFECT}{LATELY} {_SOLD} (?:my|our|the) (?P<what>(?:old |beloved "
     rf")?(?P<thing>(?P<vehicle>{_VEHICLES})|house|apartment|flat|condo|boat|bike|bicycle|piano|guitar|farm|"
     rf"cabin|land|cottage|caravan|camper|tractor|business|horse|pony|violin|cello)\b(?! (?:seat|key|loan|part|"
     rf"tire)s?\b)(?:{OVER}|(?= (?:to|for|with|through|via)\b))(?:{_SOLD_THEN})?)",
     (Says("has", "{who} no longer has a {thing}", "a {thing}"),
      Says("drives", "", otherwise="{who} no longer drives the former {vehicle}"),
      says("has_sold", "{who} {how} the {what}", "{thing}"))),
    (" sold | rid of | away | scrapped | traded in ", rf"\b{WE_OR}{PERFECT}{LATELY} {_SOLD} (?:my|our|the) "
     rf"(?P<what>(?:old )?(?P<value>(?:[a-z]+ )??(?:{NO_NAME}{NAME}(?: [A-Z0-9]\w*)?|"
     r"(?=[a-z])(?!(?:focus|seat|ram|leaf|swift|mini|polo|fiesta|caddy)\b)"
     rf"(?i:{CARS}))){OVER}(?:{_SOLD_THEN})?)",
     (Says("has", "{who} no longer has the {value}", "a {value}"),
      Says("drives", "{who} no longer has the {value}", "a {value}"),
      says("has_sold", "{who} {how} the {what}"))),
    *(("died|passed| put |euthani|rainbow|make it", r"\b(?:my|[Oo]ur) (?:(?:beloved|old|sweet|dear|poor|"
       rf"little) )*(?P<kin>{PETS}){name}{PERFECT}{LATELY} (?:{_DEAD}|{_NOT_SAVED})",
       (ended, Says("has", "{who}'s {kin} died", "a {kin}"),
        Says("{kin}_name", "{who}'s {kin} {value} died", "{value}"),
        Says("has_died", "{who}'s {kin} {value} died", "{value}", holds=True, otherwise="{who}'s {kin} died")))
      for name, ended in (("", _KIN_DIED), (rf",? {_TOM},?", _NAMED_DIED))),
    ("died|passed| put |euthani|rainbow", rf"^{_SADLY}(?P<value>(?!(?:{_DEVICES})\b){NO_NAME}{NAME}(?<!s))"
     rf"{PERFECT}{LATELY} "
     rf"{_DEAD}(?<!passed)(?=[.,;!?]|$| (?:last|yesterday|today|this|in|on|a|an|two|peacefully|and)\b)",
     (_NAMED_DIED, Says("pet", "{value} died"), says("has_died", "{value} died"))),
    (" put |Put |put ", r"(?:\b(?:[Ww]e|I) had to|^[Hh]ad to|\b[Tt]he vet(?: had to)?) put "
     rf"(?:(?:(?:my|our) (?P<kin>{PETS}),? ?)?"
     rf"{_TOM} (?:down|to sleep)|down (?:(?:my|our) (?:{PETS}) )?{_OTHER}){_NO_SURGERY}",
     (_NAMED_DIED, Says("pet", "{value} died"), says("has_died", "{value} died"),
      Says("has", "{who}'s {kin} died", "a {kin}"))),
    (" put ", r"(?:\b(?:[Ww]e|I) had to|\b[Tt]he vet(?: had to)?) put "
     r"(?P<value>(?!(?:him|her|it|them|you|me|us|that|this|one)\b)[a-z]{3,12}) "
     r"(?:down|to sleep)(?=$|[.,;!?]| (?:last|yesterday|today|this morning)\b)"
     rf"{_NO_SURGERY}{FOR_REAL}(?!.*\b(?:nap|arms?|heavy|bottle|lullaby|crib|cot|bed|singing|rocking|picked)\b)",
     (Says("named_animal", "{value} died"),)),
    ("my|our|My|Our", r"(?:\b(?:[Ww]e|I)(?: had to)?|\b[Tt]he vet(?: had to)?|^[Hh]ad to) put (?:my|our) "
     rf"(?:old |poor )?(?P<kin>{PETS}) (?:down|to sleep){_AT_LAST}{_NO_SURGERY}{FOR_REAL}",
     (_KIN_DIED, Says("has", "{who}'s {kin} died", "a {kin}"))),
    # An animal alone: a person is lost, gone or put down in other senses.
    ("ost | gone|s gone|ade it|ake it|ut ", rf"^{_SADLY}(?:(?:(?:[Ww]e|I){PERFECT}{LATELY} )?[Ll]ost {_TOM}{_AT_LAST}"
     rf"|(?:(?:[Ww]e|I) )?[Pp]ut {_TOM.replace('<value>', '<other>')} (?:down|to sleep){_AT_LAST})"
     rf"{_NOT_LOST}{FOR_REAL}", (Says("named_animal", "{value} died"),)),
    ("make it", rf"^{_SADLY}{_TOM}{PERFECT}{LATELY} {_NOT_SAVED}{_AT_LAST}{_NOT_LOST}{FOR_REAL}",
     (Says("named_animal", "{value} died"),)),
    ("ave |given | give |rehome|re-home", r"^(?!.*\b(?:wedding|church|altar|aisle|"
     r"bride|vet|bath|for (?:an?|the|one|two|three|\d+)|while|until|till|over|during|holidays?|vacation|weekend|trip|"
     r"present|hug|kiss|treat)\b)"
     rf"{_SADLY}(?:{WE_OR}{PERFECT}{LATELY} )?(?:had to )?(?:(?:[Gg]ave|given|give) "
     rf"{_TOM} (?:away|up|to (?:my|our|an?|his|her|friends|another) (?!vet\b|bath\b)[\w’' -]{{3,30}}?)|[Rr]e-?homed? "
     rf"{_OTHER})(?=$|[.,;!?]| (?:to|last|yesterday|today|because|and|on|in)\b){FOR_REAL}",
     (Says("named_animal", "{subject} no longer has {value}"),)),
    (" off", rf"^(?:[Tt]he |[Mm]y )?[Cc]ast(?:[’']s| is| came| has come)(?: finally| now)? off,? (?:and )?(?:my |the )?"
     rf"(?P<value>(?:(?:left|right) )?(?:{_PARTS}))(?: is|[’']s) (?:fine|ok|okay|good|great|healed|all good)"
     r"(?=$|[.,;!]| (?:now|again|too)\b)", (Says("injury", "{subject}'s {value} has healed"),)),
    (" healed| mended", rf"^(?:(?:and|so|update|good news|news)[,:]? )*(?:my )?(?:broken |sprained |torn )*"
     rf"(?P<value>(?:(?:left|right) )?(?:{_PARTS}))(?: has|[’']s| have| is)?(?: now| finally| fully| completely| all| "
     r"well)* (?:healed|mended)(?: now)?(?=$|[.,;!]| (?:again|at last|and|so|nicely|up|well)\b)(?!.*\b(?:but|still|"
     rf"mostly|almost|nearly|partly|somewhat|hopefully|except|though|yet|not|\w+n[’']t)\b){FOR_REAL}",
     (Says("injury", "{who}'s {value} has healed"),)),
    (" dropped | quit | given up| gave up", rf"\b{WHO}{PERFECT}{LATELY} (?:(?:dropped out of|(?:quit|given up|gave up) "
     rf"studying) (?P<value>{SUBJECTS})|dropped (?P<other>{_SUBJECTS_ALONE}))(?=$|[.,;!?]| (?:at uni\w*|because|and|so|"
     rf"last|this (?:year|spring|summer|autumn|fall|winter)|after)\b)(?!.*\b(?:for now|just for|"
     rf"temporarily)\b){FOR_REAL}",
     (Says("studies", "{who} no longer studies {value}"),)),
    (" have | own ", rf"\b{WE_OR}{_NOT} (?:have|own) (?P<value>an? (?:[\w-]+ ){{0,1}}?(?:dog|cat|car|motorcycle|bike|"
     rf"house|apartment|garden|boyfriend|girlfriend|partner)){STOP}(?!{_ANYMORE})",
     (Says("has", "{who} does not have {value}"),)),
)  # fmt: skip
