"""Patterns of everyday particulars: family, homes, work, body, things, tools, habits, appointments.

Rows as in clause_patterns.py, where the tables are joined. Group `does` is a predicate in the first person; the fact
has it in the third.
"""

from __future__ import annotations

from memory_service.rules.facts.clause_words import (
    ADV,
    BE,
    DATE,
    DAY,
    END,
    HAVE,
    JOB,
    LANGUAGE,
    MONTH,
    NUMBER,
    PERFECT,
    TOOLS,
    WHO,
    V,
)
from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.patterns import Rows, Says, does, says

_DAY = rf"{DAY}s?"
_SEASON = r"(?:spring|summer|autumn|fall|winter|christmas|easter)"
_WHEN = (
    rf"(?:(?:on|in|at|until|till|from|by) (?:the )?|next |this |tomorrow|today)?(?:\d{{1,2}}(?:st|nd|rd|th)\b|{DATE}|"
    rf"{MONTH}|{_DAY}|{_SEASON}|tomorrow|today|week|month|year|end of \w+|\d{{1,2}}(?::\d\d| ?[ap]m)|(?:19|20)\d\d)"
    rf"[^.,;!?()]{{0,30}}?"
)
_FREQUENCY = (
    r"(?:every (?:(?:other|second|third|single|race) )?(?:day|morning|evening|night|afternoon|week|weekend|month|year|"
    rf"weekday|{_SEASON}|{_DAY})|(?:on|at) (?:{_DAY}(?:, {_DAY}){{0,4}}(?:,? (?:and|&|to|or) {_DAY})?(?: (?:mornings?|"
    rf"evenings?|nights?|"
    r"afternoons?))?|weekends|weekdays|weeknights)|(?:once|twice|\d times|three times|four times|two or three times) "
    r"(?:an?|per|every) (?:day|week|month|year)|daily|(?:in the|before|after) (?:mornings?|evenings?|bed|"
    r"breakfast|work))"
)
_BREEDS = (
    r"dogs?|cats?|pupp(?:y|ies)|kittens?|chickens?|hens?|bees|goats?|sheep|horses?|donkeys?|rabbits?|fish|ducks|pigs|"
    r"alpacas|budgies"
)
_OWNED = (
    r"(?:(?:e-?|electric |mountain |road |cargo |racing )?bikes?|bicycle|motorbike|motorcycle|scooter|moped|cars?|"
    r"(?:camper|caravan|minivan)(?: van)?|van|truck|pickup(?: truck)?|tractor|boat|kayak|canoe|sailing boat|"
    r"rowing boat|guitars?|piano|violin|cello|drum kit|synth\w*|camera|drone|telescope|turntable|record player|printer|"
    r"3d printer|sewing machine|loom|kiln|air fryer|bread maker|coffee machine|espresso machine|wood stove|fireplace|"
    r"sauna|hot tub|pool|swimming pool|trampoline|treadmill|rowing machine|ps[45]|playstation(?: \d)?|xbox|"
    r"(?:nintendo )?switch|steam deck|gaming pc|kindle|e-reader|tablet|ipad(?: \w+)?|laptop|desktop|nas|"
    r"raspberry pi(?: \d)?|macbook"
    r"(?: (?:air|pro))?|thinkpad(?: \w+)?|chromebook|smart ?watch|apple watch|aquarium|terrarium|pond|greenhouse|"
    r"garden|vegetable (?:garden|patch)|allotment|studio|balcony|terrace|orchard|shed|garage|solar panels|heat pump|"
    r"holiday (?:home|flat|house)|summer house|cabin|cottage|house|flat|apartment|condo|farm|vineyard|tattoos?|"
    r"(?:canon|nikon|sony|fuji\w*|leica|olympus|pentax) [\w-]+(?: [\w-]*\d[\w-]*)?|beard|driving licen[cs]e|"
    r"pilot'?s licen[cs]e|dual citizenship|black belt|season ticket)"
)
_COUNT = r"(?:an?|my own|our own|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|some)"
_GADGET = (
    "(?:main |work |old |new |current |gaming |private )?(?:laptop|computer|pc|desktop|phone|mobile|tablet|editor|ide|"
    "browser|shell|terminal|keyboard|camera|bike|bicycle|printer|router|tv|watch|e-reader|console|os|operating system|"
    "distro|front ?end|back ?end|database|db|stack|tech stack|api|web ?site|site|shop|app|service|ci|ci/cd|pipeline|"
    "code ?base|repo(?:sitory)?|monorepo|cluster|server|cloud|infra(?:structure)?|main language|language|framework|orm|"
    "test runner|linter|package manager|note-taking app|calendar|mail client|password manager|search engine)"
)
_MADE = (
    "(?:(?:is|are|'s|was) (?:mostly |all |entirely |mainly |now )?(?:written|built|made|coded|developed|hosted|"
    "deployed|managed|done|based|run|running|implemented) (?:in|on|with|by|using|via|at)|(?:now )?(?:runs?|lives?|"
    "sits?) on|uses?)"
)
_EVENT = (
    r"(?:(?:[\w'-]+ ){0,2}(?:appointment|exams?|interview|test|flight|train|wedding|surgery|operation|check-?up|"
    r"deadline|lease|contract|visa|passport|trial|probation|due date|graduation|presentation|anniversary|holiday|"
    r"vacation|scan|mri|semester|term|internship|tenancy|defen[cs]e|hearing|audit|launch|release))"
)
_HAPPENS = (
    r"(?:is|are|'s|leaves|departs|ends|starts|begins|expires|runs out|runs until|lasts until|was moved to)"
)
_BODY = (
    "(?:left |right |lower |upper |both )*(?:knees?|hips?|back|shoulders?|ankles?|wrists?|neck|foot|feet|legs?|arms?|"
    "elbows?|hands?|fingers?|thumb|toes?|heart|lungs?|eyes?|ears?|collarbone|ribs?|jaw|nose|kidneys?|liver|stomach|"
    "appendix|gallbladder|thyroid|tonsils|acl|meniscus|spine|skull|pelvis|femur|tibia)"
)
_DISEASE = (
    "(?:dementia|alzheimer'?s|(?:breast |lung |skin |prostate )?cancer|leuk(?:a)?emia|parkinson'?s|a stroke|a heart "
    "attack|asthma|epilepsy|adhd|autism|tinnitus|arthritis|osteoporosis|a heart (?:condition|bypass)|pneumonia|covid)"
)
_SCHOOL = (
    r"(?:(?:law|med(?:ical)?|high|primary|secondary|middle|elementary|grad(?:uate)?|business|art|drama|music|nursing|"
    r"night|evening) school|college|uni(?:versity)?|kindergarten|pre-?school|sixth form)"
)
_YEAR = (
    r"(?:first|second|third|fourth|fifth|final|last|(?:\d+)(?:st|nd|rd|th)|freshman|sophomore|junior|senior)"
)
_DOES = (
    "(?:swims?|runs?|jogs?|cycles?|hikes?|climbs?|skis?|bakes?|cooks?|reads?|paints?|draws?|sews?|knits?|gardens?|"
    "sings?|dances?|meditates?|prays?|volunteers?|commutes?|walks?|trains?|works? out|plays?|practi[cs]es?|"
    "watch(?:es)?|listens? to|visits?|calls?|rings?|phones?|meets?|eats?|drinks?|fasts?|sleeps?|naps?|tak(?:e|es) "
    "(?!the first|"
    "the second)|goes?|go|do(?:es)?|attends?|teach(?:es)?|drives?|rides?|surfs?|rows?|sails?|fish(?:es)?|camps?|brews?|"
    "donates?|skat(?:e|es)|hosts?|travels?|deploys?|releases?|cleans?)"
)


_NO_LONGER = (Says("former_schedule", "{who} no longer {does}", "{does}"),)

EVERYDAY: Rows = (
    # Family
    (" are ", rf"^(?:my|our) (?P<kin>kids|children|sons|daughters|twins|boys|girls) are (?P<value>{NUMBER}(?:, "
     rf"{NUMBER})*,? (?:and|&) {NUMBER})(?: years old)?(?=$|[.,;!?()]| (?:and|but|so|now)\b)",
     (says("ages_of_{kin}", "{subject}'s {kin} are {value} years old"),)),
    (" youngest| oldest| eldest| middle| only child", rf"^{WHO}{BE}{ADV} (?P<value>(?:the )?(?:youngest|oldest|eldest|"
     rf"second|middle one) of (?:{NUMBER})(?: (?:kids|children|siblings|brothers|sisters))?|an only child)\b",
     (says("is", "{who} is {value}"),)),
    (" has | have ", rf"^(?P<who>my (?:{PEOPLE}))(?: has| have| had|'s had|'s got) (?P<value>{_DISEASE})(?![\w-])",
     (says("has_condition", "{who} has {value}"),)),
    (" died| passed away", rf"^(?P<who>my (?:{PEOPLE})) (?:died|passed away) (?P<value>(?:when I was \w+|"
     rf"(?:\w+ ){{1,2}}(?:years|months|weeks) ago|in (?:19|20)\d\d|last \w+|in {MONTH}(?: (?:19|20)\d\d)?))(?=$|"
     r"[.,;!?()])", (says("died", "{who} died {value}"),)),
    (" lost my", rf"^(?:I|we) lost (?:my|our) (?P<kin>{PEOPLE}) (?P<value>when I was \w+|(?:\w+ ){{1,2}}(?:years|"
     rf"months|weeks) "
     rf"ago|in (?:(?:19|20)\d\d|{MONTH})|last (?:year|week|month|spring|summer|autumn|fall|winter))(?=$|[.,;!?()])",
     (says("died", "{subject}'s {kin} died {value}", "{kin} {value}"),)),
    (" years", rf"^{WHO} (?:have|has) (?P<value>{NUMBER}) years(?: old)?(?=$|[.,;!?()]| (?:and|but)\b)",
     (says("age", "{who} is {value} years old"),)),
    # Homes
    (" share| rent", rf"^(?P<who>I|[Ww]e|my (?:{PEOPLE})){ADV} (?P<does>(?:shares?|rents?) (?:an?|our|my|the) "
     r"(?:[\w-]+ ){0,4}(?:flat|apartment|house|studio|room|place|cottage|condo|office|workshop|garage|duplex|loft)(?: "
     rf"(?:with|near|in|on|by|from|next to|close to) [^.,;!?()]{{3,50}}?)?){END}", does("home")),
    (" live| living", rf"^(?P<who>I|[Ww]e|my (?:{PEOPLE}))(?:{ADV}|{BE}{ADV}) (?:lives?|living) (?P<where>alone|on my "
     r"own|(?:together )?with (?:my|our|his|her|their|two|three|four|a|an) [^.,;!?()]{3,40}?|on (?:a|an|the) (?:boat|"
     r"farm|houseboat|island|campus|ranch)|next to [^.,;!?()]{3,30}?|(?:\w+ ){1,2}minutes from "
     rf"[^.,;!?()]{{3,30}}?|near [^.,;!?()]{{3,30}}?){END}", (says("home", "{who} lives {where}", "{where}"),)),
    (" floor", rf"^{WHO}(?:{ADV}|{BE}{ADV}) (?:lives?|living) on (?P<value>(?:the )?[\w-]+ floor)(?={END}| of\b)",
     (says("floor", "{who} lives on {value}"),)),
    (" flat| apartment| house| kitchen| garden| balcony", r"^(?:my|our) (?P<kin>flat|apartment|house|kitchen|garden|"
     r"balcony|room|studio|place|office) (?P<does>(?:is (?!so\b|such\b|a mess|too\b|very\b|clean|dirty|empty|full|"
     r"ready|not\b|cold\b|warm\b|burning|on fire)|has (?!been\b|to\b)|faces |was built )[^.;!?()]{3,60}?)(?=$|"
     r"[.;!?()]| (?:and|but|so|because|which)\b)", (says("{kin}_is", "{subject}'s {kin} {does}", "{does}"),)),
    (" come | grew up ", rf"^{WHO}(?:{ADV} (?:come|comes) from|{BE}{ADV} from) (?P<value>an? (?:[\w-]+ )?(?:family of "
     rf"\w+|village|town|farm|island|city)(?: (?:near|in|on|by) [^.,;!?()]{{3,30}}?)?){END}",
     (says("comes_from", "{who} is from {value}"),)),
    # Work and studies
    ("y job ", r"^my (?:day )?job(?:'s| is) (?!(?:to|not|so|very|too|really|killing|a|an|on|at|great|fun|hard|boring|"
     rf"safe|gone|done|stressful)\b){V}{END}", (says("works_in", "{subject}'s job is {value}"),)),
    (" do ", f"^I{ADV} do (?P<value>(?:accounting|bookkeeping|marketing|sales|payroll|it|tech support|customer "
     "(?:service|support)|web design|graphic design|data entry|consulting|translations?|catering|landscaping|research|"
     f"(?:computer )?programming|construction|logistics|procurement|qa|hr) (?:for|at|in) [^.,;!?()]{{3,40}}?){END}",
     (says("works_in", "{subject} does {value}"),)),
    (" night shift| shift", f"^{WHO}{ADV} works? (?P<value>(?:the )?(?:(?:night|early|late|day|rotating|long|12-hour|"
     f"twelve-hour) )+shifts?)(?: (?:at|in|for) [^.,;!?()]{{3,40}}?)?{END}",
     (says("habit", "{who} works {value}", "works {value}"),)),
    (" leave", rf"^{WHO}{BE}{ADV} (?P<value>on (?:maternity|paternity|parental|sick|unpaid|medical|annual) leave(?: "
     rf"(?:until|till) [^.,;!?()]{{3,20}}?)?){END}", (says("is", "{who} is {value}"),)),
    (" been a", rf"^I(?:'ve| have){ADV} been (?P<value>an? (?!(?:bit|little|while|lot|long|great|good|bad|fan|mess|"
     r"busy|rough|tough|hard|weird)\b)(?:[\w-]+ ){1,3}?for (?:\w+ ){1,3}(?:years|months|decades))\b",
     (says("has_been", "{who} has been {value}"),)),
    (" team of| family of", rf"^(?P<who>[Ww]e){BE}{ADV} (?P<value>an? (?:small |big |tiny )?(?:team|family|company|"
     rf"group|band) of (?:{NUMBER})(?: \w+)?)(?=$|[.,;!?()]| (?:and|but|so|who|in|spread)\b)",
     (says("team_size", "{subject}'s team: {value}"),)),
    (" year| grade", rf"^{WHO}{BE}{ADV} (?P<where>in (?:my|his|her|the|their) {_YEAR} year (?:of|at) (?:my |a |"
     rf"the )?[^.,;!?()]{{3,40}}?|in (?:the )?(?:{_YEAR}|\d+(?:st|nd|rd|th)) grade|in (?:the )?year \d+){END}",
     (says("school_year", "{who} is {where}", "{where}"),)),
    (" in ", rf"^{WHO}{BE}{ADV} (?P<value>(?:still )?(?:in|at) {_SCHOOL}){END}",
     (says("studies_in", "{who} is {value}"),)),
    (" go to | goes to | attend", rf"^{WHO}{ADV} (?:go|goes|went) to "
     rf"(?P<value>(?:an? )?(?:[\w-]+ ){{0,2}}{_SCHOOL}){END}", (says("studies_in", "{who} goes to {value}"),)),
    (" phd| PhD| master| degree| bachelor| course| apprenticeship| thesis| dissertation",
     rf"^{WHO}(?:{BE}{ADV} (?:doing|taking|finishing|starting|completing|in|working on|writing)|{HAVE}|{PERFECT}{ADV} "
     r"(?:finished|completed|got|did)) (?:an?|my|the|his|her) (?P<value>(?:[\w'-]+ ){0,2}(?:phd|doctorate|degree|"
     r"master'?s|bachelor'?s|mba|diploma|course|apprenticeship|thesis|dissertation|certificate) (?:in|on|about|as) "
     rf"(?:an? )?[^.,;!?()]{{3,40}}?){END}", (says("education", "{who}: {value}"),)),
    (" dropped out", rf"^{WHO}{PERFECT}{ADV} dropped out of (?P<value>(?:{_SCHOOL})){END}",
     (says("education", "{who} dropped out of {value}", "dropped out of {value}"),)),
    # Body and health
    (" surgery| operation| transplant| replacement| bypass", rf"^{WHO}(?:{PERFECT} had| had|{BE} having|{HAVE}) "
     rf"(?:an? )?(?P<value>(?:{_BODY}|heart|eye|back|cataract|hernia|dental|brain|bypass|laser|wisdom tooth|"
     r"c-section)(?: (?:surgery|operation|replacement|transplant|bypass|surgeries)))(?: (?P<when>in [^.,;!?()]{3,20}?|"
     rf"last \w+|(?:\w+ ){{1,2}}(?:years|months|weeks) ago))?{END}", (says("had_surgery", "{who} had {value}"),)),
    (" broke| tore| torn| cracked| sprained| fractured| lost| injured| dislocated",
     rf"^{WHO}{PERFECT}{ADV} (?P<does>(?:broken?|tore|torn|cracked|sprained|fractured|injured|dislocated) (?:my|his|"
     rf"her|an?|the) "
     rf"{_BODY})(?![\w-])", does("injury")),
    (" recovering", rf"^{WHO}{BE}{ADV} (?P<value>recovering from (?!(?:that|this|it|the (?:shock|party|"
     rf"news))\b)[^.,;!?()]{{3,40}}?){END}", (says("health", "{who} is {value}"),)),
    (" high| low", r"^(?:my|our) (?P<value>blood pressure|cholesterol|iron|blood sugar|ferritin|resting heart rate|"
     rf"bmi) (?:is|'s|has been|was){ADV} (?P<when>high|low)\b",
     (says("has_condition", "{subject} has {when} {value}", "{when} {value}"),)),
    (" therapist| physio| psych| counsel| osteopath| chiro", rf"^{WHO}{ADV} (?P<does>(?:sees?|goes to|go to) (?:an?|"
     r"my|his|her) (?:[\w-]+ )?(?:therapist|physio\w*|psycholog\w+|psychiatrist|counsell?or|osteopath|"
     rf"chiropractor)(?: {_FREQUENCY}| for [^.,;!?()]{{3,30}}?)?){END}", does("health")),
    (" sleep", rf"^{WHO}{ADV} (?P<does>sleeps? (?:badly|poorly|very little|like a \w+|(?:about |around |"
     rf"only )?(?:{NUMBER}) hours(?: (?:a|per) night)?|with [^.,;!?()]{{3,30}}?)){END}", does("habit")),
    (" weigh", rf"^{WHO}{ADV} weighs? (?:about |around )?(?P<value>\d[\d.]* ?(?:kg|kilos?|pounds|lbs|stone))\b",
     (says("weight", "{who} weighs {value}"),)),
    (" old", rf"^{WHO}{BE}{ADV} an? (?P<value>{NUMBER})[- ]years?[- ]old\b",
     (says("age", "{who} is {value} " "years old"),)),
    (" turn ", rf"^{WHO}{ADV} turn (?P<value>{NUMBER})(?=$|[.,;!?()]| (?:next|in|this|on|soon)\b)",
     (says("turns_age", "{who} turns {value}"),)),
    ("pronouns", r"^my pronouns are (?P<pronouns>[a-z]+/[a-z]+(?:/[a-z]+)?)",
     (says("pronouns", "{subject}'s pronouns are {pronouns}", "{pronouns}"),)),
    ("y bad |y dodgy |y weak |y sore |y broken |y artificial ",
     rf"\b(?:my|our) (?P<value>(?:bad|dodgy|weak|artificial) {_BODY})(?![\w-])",
     (says("has_condition", "{subject} has a {value}", "a {value}"),)),
    ("y name", r"^my (?P<kin>(?:first |last |full |sur)?name)(?:'s| is) (?P<how>pronounced|spelled|spelt|written) "
     rf"(?:like |as |with )?(?!(?:wrong|right|correctly|incorrectly|differently|the|that|this|like)\b){V}{END}",
     (says("{kin}_{how}", "{subject}'s {kin} is {how} {value}"),)),
    (" bilingual", f"^{WHO}(?: was)?{ADV} (?:grew up|was raised|am|'m|is) bilingual(?:,? (?:in |"
     f"with )?(?P<names>{LANGUAGE} and {LANGUAGE}))?", (says("speaks", "{who} speaks {value}"),)),
    (" understand", rf"^{WHO}{ADV} understands? (?:some |a bit of |a little )?(?P<value>{LANGUAGE})(?![\w-])",
     (says("understands", "{who} understands {value}"),)),
    # Diet
    (" diet", rf"^{WHO}{BE}{ADV} on an? (?P<value>(?:[\w-]+ )?(?:keto|low[- ]\w+|high[- ]\w+|gluten[- ]free|vegan|"
     r"mediterranean|fodmap|[\w-]+-free|liquid|raw food|paleo|diabetic|renal)) diet\b",
     (says("eats", "{who} is on a {value} diet", "{value} diet"),)),
    (" eat| drink| have", rf"^{WHO} (?P<when>never|rarely|hardly ever|always|usually|mostly) (?P<does>(?:eats?|"
     rf"drinks?|skips?|cooks?) (?!(?:it|that|this|them|there|here|out of)\b)[^.,;!?()]{{3,40}}?){END}",
     (says("habit", "{who} {when} {does}", "{when} {does}"),)),
    (" eat", rf"^{WHO}{ADV} eats? (?P<value>(?:gluten|dairy|sugar|lactose|nut)[- ]free|vegan|vegetarian|kosher|halal|"
     rf"plant-based)(?: at home)?{END}", (says("eats", "{who} eats {value}"),)),
    (" coffee| tea", f"^{WHO}{ADV} (?P<does>(?:drinks?|takes?|likes?) (?:my|our|his|her) (?:coffee|tea) "
     f"[^.,;!?()]{{3,30}}?){END}", does("habit")),
    # Looks, abilities, beliefs
    (" hair| eyes| skin| freckles| beard| dimples", rf"^{WHO}{HAVE}{ADV} (?!goose\b|been\b)(?P<value>(?:an? )?"
     r"(?:(?:(?!(?:no|both|two|my|his|her|the)\b)[\w-]+,? (?:and )?){1,4}?(?:hair|eyes|skin)|(?:(?!(?:no|my|his|her|"
     rf"the)\b)[\w-]+,? (?:and )?){{0,4}}?(?:freckles|dimples|beard)))(?:{END}(?! for\b)|(?= (?:with|like)\b))",
     (says("looks", "{who} has {value}"),)),
    ("y hair |y eyes |y skin |y beard ", rf"^(?:my|our) (?P<kin>hair|eyes|skin|beard) (?:is|are){ADV} "
     r"(?P<value>(?!(?:a mess|tired|dry|wet|cold|on|in|red from|burning|black and blue|red and|blue "
     rf"from)\b)[a-z][^.,;!?()]{{2,30}}?){END}", (says("{kin}", "{subject}'s {kin}: {value}"),)),
    (" feet | foot | tall", rf"^{WHO}{BE}{ADV} (?P<value>(?:{NUMBER}) (?:feet|foot|ft)(?: (?:{NUMBER})(?: "
     r"inches)?)?(?: tall)?)(?![\w-])", (says("height", "{who} is {value}"),)),
    (" good | great | bad | terrible | talented | skilled | hopeless ",
     rf"^{WHO}{BE}{ADV} (?P<value>(?:not )?(?:very |really |pretty |quite )?(?:good|great|bad|terrible|talented|"
     r"skilled|hopeless|horrible) (?:at|with) (?!(?:it|that|this|them|the moment|all|"
     rf"least)\b)[^.,;!?()]{{3,30}}?){END}", (says("skill", "{who} is {value}"),)),
    (" can | know how to | knows how to ", rf"^{WHO}(?:{ADV} can| knows? how to) (?P<value>(?:drive an?|play (?:the|"
     r"an?|guitar|piano|drums|violin|chess|three|two|several|many)|speak|ride|cook|bake|swim|knit|sew|weld|juggle|"
     r"dance|read (?:music|braille|arabic|chinese|hebrew|sheet music)|sign|ski|surf|type \d+) ?(?!(?:it|that|this|"
     rf"around|tomorrow|today|later|along|back|now)\b)[^.,;!?()]{{0,30}}?){END}",
     (says("skill", "{who} can {value}"),)),
    ("'m | am | is ", rf"^{WHO}{BE}{ADV} (?P<value>female|male|blonde?|bald|red-haired|brunette|shy|introverted|"
     r"extroverted|self[- ]employed|adopted|orphaned|homeschooled|home-schooled|agnostic|mormon|hispanic|latino|"
     r"latina|african american|asian|black(?! and blue)|bisexual|asexual|transgender|hard of hearing|near-?sighted|"
     r"ambidextrous|self-taught|tone[- ]deaf|(?:not (?:very )?)?religious|spiritual|dyslexic|anxious by "
     r"nature)(?![\w-])(?=$|[.,;!?()]| (?:and|but|so|with|from)\b)", (says("is", "{who} is {value}"),)),
    ("'m | am | is ", rf"^{WHO}{BE}{ADV} (?P<value>an? (?:[\w-]+ ){{0,2}}?(?:girl|boy|housewife|republican|democrat|"
     r"feminist|libertarian|conservative|liberal|mormon|christian|agnostic|atheist|widow|widower|survivor|veteran|"
     r"immigrant|twin|grandmother|grandfather|grandma|grandpa|carnivore|meat eater|smoker|non-smoker|beginner at "
     r"[\w ]+?|fast learner|picky eater|hard worker|light sleeper|heavy sleeper|coffee drinker|vegetarian|vegan|"
     r"collector))(?=$|[.,;!?()]| (?:and|but|so|who|from|in|with|of)\b)", (says("is", "{who} is {value}"),)),
    (" believe| grow| grows| hunt| invest| own |y own| travel| support| vote| hunts",
     rf"^{WHO}{ADV} (?P<does>(?:believes? in (?:god|jesus|ghosts|karma|[a-z]+ rights|astrology|reincarnation)|grows? "
     r"(?:my own |our own )?(?!(?:up|old|tired|out|into|as|by|in)\b)[a-z][^.,;!?()]{2,30}?|hunts?|invests? in "
     r"[^.,;!?()]{3,30}?|(?:make|makes|sew|sews|brew|brews|bake|bakes|cook|cooks) (?:my|our|his|her) own "
     r"[^.,;!?()]{3,30}?|travels? (?:a lot|often|frequently|for work|the world)|supports? (?:animal|human|gay|women's|"
     rf"equal) rights|owns? (?:an?|two|three|four|five|six|\d+|several|many) [^.,;!?()]{{2,30}}?)){END}",
     does("habit")),
    (" been to | travel| visited", rf"^{WHO}(?:'ve| have| has) (?P<never>never |also |already |recently )*(?:been to|"
     rf"travell?ed to|visited) (?P<value>(?-i:[A-Z])[^.,;!?()]{{2,40}}?){END}",
     (says("has_been_to", "{who} has {never}been to " "{value}"),)),
    (" was a| was in | were ", rf"^(?P<who>I|my (?:{PEOPLE})) was (?P<value>an? (?:{JOB})|in the (?:army|navy|air "
     r"force|marines|military|police))(?=$|[.,;!?()]| (?:and|but|for|in|at|before|until|who)\b)(?! (?:mess|wreck))",
     (says("was", "{who} was {value}"),)),
    (" work", rf"^{WHO}{ADV} works? (?:part[- ]time |full[- ]time )?in (?P<value>(?:the )?(?-i:[A-Z])[\w]+(?: "
     r"(?-i:[A-Z])\w+)?|(?:an? |the )(?:[\w-]+ )?(?:warehouse|factory|hospital|restaurant|school|office|shop|store|"
     r"bakery|kitchen|lab|library|bank|hotel|mine|call cent(?:re|er)|daycare)|(?:graphic|web|interior|fashion|game|"
     rf"product) design|human resources|customer service|law enforcement|real estate){END}",
     (says("works_in", "{who} works in {value}"),)),
    (" jobs", rf"^{WHO}(?:{ADV} works?|{HAVE}) (?P<value>(?:two|three|2|3) (?:part[- ]time )?jobs){END}",
     (says("works_in", "{who} has {value}"),)),
    # Things and tools
    (" have| has| own|'ve got| got | bought| keep", rf"^{WHO}(?:{HAVE}|{PERFECT}{ADV} (?:bought|inherited|got myself|"
     rf"bought myself|bought ourselves)|"
     rf" keeps?){ADV} (?P<value>(?:{_COUNT} (?:(?!(?:for|of|in|on|with|at|to|from|by|about|and|"
     rf"or)\b)[\w-]+ ){{0,3}}?(?:{_OWNED})|dual citizenship|solar panels))(?! for\b| in front\b| behind me| next to "
     rf"me| that (?:won't|is \w+ing|keeps)\b)(?:{END}|(?= (?:with|at|behind|near|from|by|(?:on|in) (?:the|my|our|an?|"
     rf"(?-i:[A-Z])\w+)|together|"
     r"(?:that )?(?:I|we) (?:bought|inherited|built|rent|share))\b)(?! in (?:my|our) (?:head|mind|dreams)\b))",
     (says("has", "{who} has {value}"),)),
    (" keep| own", rf"^{WHO}{ADV} (?:keeps?|owns?|breeds?) (?P<value>(?:(?:an?|two|three|four|five|six|seven|eight|"
     rf"\d+|some) )?(?:[\w-]+ )?(?:{_BREEDS}))\b", (says("has", "{who} has {value}"),)),
    ("y |ur ", rf"^(?:my|our) (?P<kin>{_GADGET})(?:'s| is| are) (?:(?:still|now|currently|just|only) )?(?=(?:an?|"
     rf"the)? ?(?:(?:old|new|used|refurbished|plain|simple|\d+|\w+-year-old) )*(?:{TOOLS}|(?-i:[A-Z])[\w.+-]*|"
     r"\w*\d\w*|thinkpad|pixel|iphone|galaxy|macbook|dell|lenovo|canon|nikon|kobo)(?![\w-]))(?!(?:I|It|Not|Down|Up|"
     rf"Off|Dead|Gone|Slow|Broken)\b|\d+ ?%){V}{END}", (says("{kin}", "{subject}'s {kin} is {value}"),)),
    ("y |ur |he ", rf"^(?:my|our|the) (?P<kin>{_GADGET}) (?P<does>{_MADE} (?!(?:it|that|this|the (?:same|first|second|"
     rf"last|old|new)|a (?:lot|few|bit)|too|more)\b)(?=[^.,;!?()]{{0,12}}?(?:{TOOLS}|"
     r"(?-i:[A-Z])))[^,;!?()]{2,50}?)(?=$|[,;!?()]|\.(?!\w)| (?:and (?:I|we|it)|but|so|because|which|that|right now|"
     r"currently)\b)", (says("{kin}", "{subject}'s {kin} {does}", "{does}"),)),
    (" in ", rf"^(?P<who>I|[Ww]e){ADV} (?:writes?|codes?|programs?|develops?) (?:most of |all |all of |mostly |"
     r"mainly )?(?:(?:my|our) (?:code|services|apps|backend|scripts|tests) |everything |most things )?in "
     rf"(?P<value>{TOOLS})(?![\w-])", (says("uses", "{who} uses {value}"),)),
    # Habits and pastimes
    (" every | on | a week| a month| a day| a year| daily| weekends| before | after | in the m| in the e",
     rf"^{WHO}{ADV}(?<! only) (?P<does>(?:only )?{_DOES}\b(?! (?:back|wrong|on about|over|it|them|him|her|"
     rf"that|this|these|those|through the (?:list|text|code))\b)[^.,;!?()]{{0,50}}? ?{_FREQUENCY}(?: (?:before|after|"
     rf"with|to|at|in) [^.,;!?()]{{3,25}}?)?){END}",
     does("habit")),
    (" no longer ", rf"^{WHO} no longer (?P<does>{_DOES}\b[^.,;!?()]{{0,50}}? {_FREQUENCY})(?=$|[.,;!?()]| (?:and|but|"
     r"so|because|since)\b)", _NO_LONGER),
    ("n't | not ", rf"^{WHO} (?:don't|do not|doesn't|does not) (?P<does>{_DOES}\b[^.,;!?()]{{0,50}}? {_FREQUENCY}) "
     r"(?:any ?more|any longer|now)\b", _NO_LONGER),
    (" bird| owl| person| introvert| extrovert| nerd| bookworm| homebody| perfectionist| orphan| woman",
     rf"^{WHO}{BE}{ADV} (?P<value>an? (?:big |total |real |bit of an? )?(?:early bird|night owl|morning person|night "
     r"person|dog person|cat person|introvert|extrovert|bookworm|homebody|perfectionist|minimalist|orphan|workaholic|"
     r"(?:[\w ]{3,15} )?nerd|woman|man))(?=$|[.,;!?()]| (?:and|but|so|who|from|in)\b)",
     (says("is", "{who} is {value}"),)),
    (" support", rf"^(?P<who>I|my (?:{PEOPLE})){ADV} supports? (?P<value>(?-i:[A-Z])[\w ]{{2,25}}?)(?=$|[.,;!?()]| "
     r"(?:and|but|since|because)\b)", (says("likes", "{who} supports {value}"),)),
    (" train", rf"^(?P<who>I|[Ww]e){ADV} (?P<does>trains? for (?:an?|the|my) [^.,;!?()]{{3,40}}?){END}", does("goal")),
    (" watch| listen| collect| read", rf"^(?P<who>I|[Ww]e|my (?:{PEOPLE}))(?: also| mostly| mainly| usually| often| "
     r"always)* (?P<does>(?:collects? |listens? to |watch(?:es)? |reads? )(?:(?:a )?lots? of |many |old |only |"
     r"vintage )*(?:podcasts|audiobooks|jazz|metal|country music|classical(?: music)?|techno|hip[- ]hop|rock|opera|"
     r"anime|f1|formula 1|football|tennis|cricket|horror movies|crime (?:novels|shows)|fantasy(?: novels)?|sci-?fi|"
     r"manga|comics|poetry|biographies|thrillers|romance novels|stamps|coins|vinyl(?: records)?|records|old \w+|maps|"
     rf"antiques)\b[^.,;!?()]{{0,30}}?){END}", does("hobby")),
    # Appointments and ends of contracts
    ("y |ur ", rf"^(?:my|our) (?P<kin>{_EVENT}(?: (?:to|at|with|for|in) [^.,;!?()]{{2,25}}?)?) (?P<does>{_HAPPENS} "
     rf"{_WHEN})(?=$|[.,;!?()]| (?:and|but|so|because)\b)",
     (says("appointment", "{subject}'s {kin} {does}", "{kin} {does}"),)),
    (" have | has ", rf"^{WHO} (?P<does>(?:have|has) (?:an?|my|our|the|his|her) {_EVENT}(?: (?:at|with|for|in|to) "
     rf"[^.,;!?()]{{2,25}}?)? (?:scheduled |booked |planned )?(?:for )?{_WHEN})(?=$|[.,;!?()]| (?:and|but|so|"
     r"because)\b)", does("appointment")),
    (" start| begin", f"^(?P<who>I|[Ww]e|my (?:{PEOPLE}))(?:'ll| will|{BE})?{ADV} (?:starts?|starting|begins?) (?:an?|"
     "my|his|her) (?P<value>(?:new )?(?:job|position|role|apprenticeship|internship|course|degree|master'?s|phd) (?:at|"
     f"with|in|as) [^.,;!?()]{{3,30}}?){END}", (says("goal", "{who} is starting a {value}", "start a {value}"),)),
)  # fmt: skip

EVERYDAY_MENTIONS: Rows = (
    ("avorite |avourite ", r"^(?!(?:this|that|it|he|she|they|these|those|which|what|who|here|there|nothing|nobody|"
     r"none|everything|anything|neither)\b)(?P<value>[^.,;:!?()]{2,30}?) (?:is|are) my (?:all[- ]time )?favou?rite "
     rf"(?P<kin>[a-z]+(?: [a-z]+){{0,2}}?){END}", (says("favorite_{kin}", "{subject}'s favorite {kin} is {value}"),)),
)  # fmt: skip
"""Rows that match in clauses without a person as their subject."""
