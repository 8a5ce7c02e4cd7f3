"""Patterns of clauses and the facts that each states.

A clause is in plain wording (informal_english.py) and begins with its subject (clauses.py). Group `who` is the
subject, `value` the value; `names` holds one or more names.
"""

from __future__ import annotations

from memory_service.rules.facts.biography_patterns import BIOGRAPHY, BIOGRAPHY_MENTIONS
from memory_service.rules.facts.clause_words import (
    ADV,
    ALLERGY_GONE,
    ANIMAL,
    BE,
    CARS,
    DATE,
    DAY,
    DOING,
    DOSE,
    END,
    FAN,
    FOODS,
    FOR_ONCE,
    HAVE,
    ILLNESS,
    INSTRUMENT,
    JOB,
    LANGUAGE,
    MEDICINE,
    MONTH,
    NAME,
    NAMED,
    NAMES,
    NO_ALLERGEN,
    NO_PERSON,
    NOT,
    NOT_PLAIN,
    NUMBER,
    PERFECT,
    PHONE,
    PLACE,
    SPORT,
    TO_DO,
    TOOLS,
    V_TEXT,
    VERYLONG,
    WHO,
    V,
)
from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.current_value_patterns import (
    CURRENT_VALUE_MENTIONS,
    CURRENT_VALUES,
    EVENT_MENTIONS,
    EVENTS,
)
from memory_service.rules.facts.everyday_patterns import EVERYDAY, EVERYDAY_MENTIONS
from memory_service.rules.facts.life_patterns import (
    MILESTONE_MENTIONS,
    MILESTONES,
    PEOPLE_CHANGES,
    PEOPLE_MENTIONS,
)
from memory_service.rules.facts.patterns import (
    ADJECTIVES,
    APART,
    FOR_REAL,
    NO_NAME,
    NOT_A_JOB,
    ROLES,
    STOP,
    Rows,
    Says,
    ends,
    says,
)
from memory_service.rules.facts.reactions import REACTION_MENTIONS, REACTIONS
from memory_service.rules.facts.resumption_patterns import RESUMPTION_MENTIONS, RESUMPTIONS
from memory_service.rules.facts.setup_patterns import SETUP_MENTIONS, SETUPS
from memory_service.rules.facts.succession_patterns import (
    PARTED,
    STOPPED_USING,
    SUCCESSION_MENTIONS,
    SUCCESSIONS,
    USES_INSTEAD,
)
from memory_service.rules.word_lists import HELPERS, MONTHS

_NO_NAME = (
    rf"(?:{CARS}|{PHONE}|{TOOLS}|{DAY}|Mac|Nikon|Canon|Sony|Xbox|Kindle|Garmin|Peloton|Excel|Google|Harley|Vespa|"
    r"Thermomix|Lego|Switch|Nintendo|Roomba|Instagram|Netflix|Spotify|Bible|Job|Work|Camera)\b"
)
"""Capital words behind "married to my" that name things."""
_TO_NO_PERSON = (
    rf"(?! to (?:my|the|our|this) (?!(?:[\w'’-]+ ){{0,3}}?(?:{PEOPLE}|{JOB}|spouse|sweetheart|love|soul ?mate|man|"
    r"woman|guy|girl|boy|person|lady|lawyer|vicar|priest|professor|crush|co-?founder|hero|one)\b)"
    rf"(?!(?<= my )(?:[\w'’-]+ )?(?!{_NO_NAME})(?-i:[A-Z][a-z’'-]+)(?![\w'’])))"
)
_NO_TOOL = (
    r"(?:the )?(?:dark|other|light) side\b|(?:[\w-]+ ){0,3}?(?:(?:part|full)[- ]time|(?:shift|session|class|science|"
    r"lesson|hour|day|night|evening|morning|"
    rf"weekend|course|stud(?:y|ie)|weekday)s?|{DAY}s?|school|team|department|medicine|law|biology|physics|history|"
    r"psychology|engineering|nursing)(?=$|[.,;!?()]| (?:now|in|on|last|this|from|because|and|so|since)\b)"
)
"""Lookahead: hours, days and subjects, which people also switch to."""
_NO_GOAL = (
    r"(?:(?:to|not|no longer|on (?:hold|ice|track|pause|schedule)|in (?:place|progress|tatters|ruins|the (?:bin|way))|"
    r"up in the air|called)\b|(?:(?:now|already|basically|totally|still|pretty much|so|too|very|really|finally|all|"
    r"a bit|almost|nearly) ){0,2}(?:over|off|done|dead|gone|finished|completed?|cancell?ed|paused|postponed|unclear|"
    r"clear|simple|unchanged|ready|set|out|good|great|fine|bad|perfect|the same|reached|met|achieved|realistic|"
    r"unrealistic|ambitious|working|failing|unlimited|cheap|expensive|delayed|abandoned|there|close|high|low|hard|"
    r"easy)(?=$|[.,;:!?)]| (?:now|again|and|but|so|because|since|for (?:now|me|us)|already|today|tho|though)\b))"
)
"""What behind "my goal is" states no goal: how it goes."""
_USES = (says("uses", "{who} uses {value}"),)
_SWITCHED = (ends("uses", "{who} no longer uses {old}"), *_USES)
_EMPLOYED = (says("works_as", "{who} works as {job}", "{job}"), says("works_at", "{who} works at {value}"))
_STOPPED_SMOKING = (
    ends("smokes", "{who} no longer smokes", "anything"),
    says("avoids", "{who} stopped smoking", "smoke"),
)
_ROLE = rf"{HELPERS}|manager|boss|supervisor|team ?lead|mentor|publisher"
_NO_PERSON = (
    r"(?!(?-i:\w+ly|Super|Very|Really|So|Too|North|South|East|West|Better|Great|Nice|Good|Strict|Kind|Funny|American|African|"
    r"European|Asian|Finance|Sales|Marketing|Legal|Engineering|Operations|Product|Design|Support|Parliament|Congress|London|"
    r"Paris|Berlin|Brussels|New|Neovim|Adidas|Nike|[A-Z]+)\b)"
)
_ILL = rf"(?:(?:mild|severe|chronic|bad|seasonal) )*(?:{ILLNESS})"
_DIET = (says("diet", "{who} is {value}"),)
_LIVES = (says("lives_in", "{who} lives in {value}"),)

PATTERNS: Rows = (
    *SUCCESSIONS,
    *PEOPLE_CHANGES,
    *EVENTS,
    *CURRENT_VALUES,
    *RESUMPTIONS,
    # Work and study
    (" a", rf"^{WHO}{BE}{ADV} (?:an? |the )?(?P<job>{JOB}) (?:at|for|with) (?!home\b|the moment|heart\b|night\b|now\b|"
     rf"a while|(?:about |over )?\w+ (?:years|months)|\d)(?P<value>[^.,;:!?()]{{2,50}}?){END}", _EMPLOYED),
    (" a", rf"^{WHO}{BE}{ADV} (?:an? )(?P<value>{JOB})(?:$|[.,;:!?()]| (?:in|from|and|by|who|which|working|based|now|still|"
     r"these|with|so|here|on|of)\b)", (says("works_as", "{who} works as {value}"),)),
    (" retired ", rf"^{WHO}{BE}{ADV} (?:an? )?retired (?P<job>{JOB})(?=$|[.,;:!?()]| (?:from|and|who|in|with|but|"
     r"now)\b)", (says("works_as", "{who} is a retired {job}", "retired"),)),
    (" retired ", rf"^I(?:'m| am) (?P<name>(?-i:{NO_NAME}){NAME}(?: {NAME})?), (?:\d+, )?(?:an? )?retired (?P<job>{JOB})"
     r"(?=$|[.,;!?()]| (?:from|and|in)\b)", (says("works_as", "{subject} is a retired {job}", "retired"),
     says("name", "{subject} is called {name}", "{name}"))),
    (" work", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?|(?:'ve| have| has|'s) been{ADV} working) as "
     rf"(?!{NOT_A_JOB}\b)(?:an? |the )?(?P<value>[^.,;:!?()\"]{{3,50}}?)(?: (?:at|for|in|with) [^.,;:!?()]+?)?{END}",
     (says("works_as", "{who} works as {value}"),)),
    (" work", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?) as (?!{NOT_A_JOB}\b)(?:an? |the )?[^.,;:!?()\"]{{3,50}}? "
     rf"(?:at|for|with) (?:(?:an?|the) (?:[\w-]+ ){{0,4}}?(?:called|named) )?(?P<value>(?-i:{NO_NAME}){NAME}(?: "
     rf"{NAME}){{0,3}}){END}", (says("works_at", "{who} works at {value}"),)),
    (" work", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?|{PERFECT} been{ADV} working) (?:at|for) (?!home\b|night\b|"
     rf"{NUMBER} (?-i:[a-z])|"
     rf"least\b|me\b|it\b|the moment|free\b|a living|myself|(?:\w+ )?(?:hours|years|weeks|months)\b){V}{END}",
     (says("works_at", "{who} works at {value}"),)),
    (" as ", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?) (?:at|for) [^.,;:!?]{{2,40}}? as (?:an? |"
     rf"the )(?P<value>{JOB}){END}", (says("works_as", "{who} works as {value}"),)),
    (" work", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?) in (?:an?|the) (?:company|firm|start-?up|bank|agency) "
     rf"(?:called|named) (?P<value>(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,2}}){END}",
     (says("works_at", "{who} works at {value}"),)),
    (" work", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?) in (?P<value>(?:the )?(?:IT|HR|PR|R&D|it|hr|sales|marketing|"
     r"finance|banking|insurance|retail|logistics|healthcare|education|publishing|advertising|accounting|construction|"
     r"hospitality|law|tech|biotech|pharma|research|engineering|consulting|real estate|media|film|television|tv|radio|"
     r"music|fashion|design|architecture|government|local government|politics|agriculture|forestry|energy|solar|wind|"
     r"manufacturing|procurement|purchasing|compliance|customer (?:service|support)|the (?:public|private|care|energy|"
     r"building|charity) sector|software|cyber ?security|data|the (?:kitchen|warehouse|archive|lab|office|hospital|"
     rf"library)|an? (?!(?:company|firm|start-?up|bank|agency) (?:called |named |(?-i:[A-Z])))(?:[\w-]+ "
     rf"){{0,2}}[\w-]+)(?: [\w]+)?){END}", (says("works_in", "{who} works in {value}"),)),
    (" work", rf"^{WHO}(?:{BE}{ADV} working|{ADV} works?) in (?P<value>an? (?:company|firm|start-?up|bank|agency)) "
     rf"{DAY}", (says("works_in", "{who} works in {value}"),)),
    (" teach", rf"^{WHO}{ADV} teach(?:es)? (?!myself|you|me|(?:on|in|at|every|from|full|"
     rf"part)\b)(?P<value>[^.,;:!?()\"]{{2,40}}?)(?: (?:at|to|in) [^.,;:!?]+?)?{END}",
     (says("works_as", "{who} teaches {value}", "teacher of {value}"),)),
    (" run| own| manag|'ve got| have ", rf"^{WHO}{ADV} (?:runs?|owns?|manages?) (?:my |our )?(?P<value>(?:an?|own|the|"
     r"two) (?:[\w-]+ ){0,3}(?:bakery|café|cafe|shop|store|restaurant|farm|business|company|studio|agency|bar|pub|"
     r"hotel|b&b|practice|clinic|salon|garage|workshop|startup|gallery|nursery|bookshop|team|department|school|kennel|"
     rf"vineyard|brewery)(?: (?:in|near|called|for|of) [^.,;:!?()]{{2,30}}?)?){END}",
     (says("works_as", "{who} runs {value}", "runs {value}"),)),
    (" run", rf"^{WHO}{ADV} runs? (?P<value>(?:an?|the|my|our) (?:[\w-]+ ){{0,3}}(?:blog|podcast|channel|choir|club|"
     rf"charity|newsletter|book club|meet-?up|group)(?: (?:in|near|called|for|of|about) [^.,;:!?()]{{2,30}}?)?){END}",
     (says("runs", "{who} runs {value}"),)),
    (" work", rf"^{WHO}{ADV} (?:works?|do|does) (?P<value>nights|night shifts?|shifts?|part[- ]time|full[- ]time|from "
     r"home|remotely|weekends|(?:two|three|four|five|six|\d+) (?:days|nights|hours|shifts) a week|the (?:night|early|late) shift|"
     rf"(?:mostly |fully )?remote){END}", (says("habit", "{who} works {value}", "works {value}"),)),
    (" promoted| made ", rf"^{WHO}(?: was| got|{PERFECT} been|'s been)(?: just)? (?:promoted to|made) (?:an? |"
     rf"the )?(?P<value>{JOB}){END}", (says("works_as", "{who} works as {value}"),)),
    (" start| join| job| offer", rf"^{WHO}{PERFECT}{ADV} (?:(?:started|joined|got (?:a|the|my) (?:new )?job|accepted "
     r"(?:an|the|a) (?:job )?(?:offer|job)|took (?:a|the) (?:new )?job|started (?:a|my) new job|starting) (?:at|(?:with|"
     rf"from)(?= (?-i:[A-Z]))) )(?!the|a |my|home|night|last|work|uni|school|zero|scratch|noon|\d|{NUMBER}\b|"
     rf"(?<!at ){TOOLS}(?![\w'’-])){V}{END}",
     (says("works_at", "{who} works at {value}"),)),
    (" joined", rf"^{WHO}{PERFECT}{ADV} joined (?P<value>(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,3}})(?: as (?:an? |"
     r"the )?[^.,;:!?]+?)?(?! for (?:lunch|dinner|a\b|the\b|drinks|coffee|breakfast))(?=$|[.,;!?()]| (?:last|in|as|"
     r"this|two|three|a|and|on|after|because|\d|today|yesterday|recently)\b)",
     (says("works_at", "{who} works at {value}"),)),
    (" study| studying|stud|major|doing", rf"^{WHO}(?:{BE}{ADV} (?:studying|doing (?:a|my) (?:degree|master'?s|phd|"
     rf"bachelor'?s|ma|msc|bsc|ba|pgce) in|majoring in|reading)|{ADV} (?:study|studies|major in)) (?!for\b|at\b|in\b|"
     rf"with\b|hard\b|your|this|that|the (?:docs|code|menu)){V}(?: at [^.,;:!?]+)?{END}",
     (says("studies", "{who} studies {value}"),)),
    (" at ", rf"^{WHO}(?:{BE}{ADV} (?:studying|a [\w -]*student|doing (?:a|my) [\w' ]+?|at uni(?:versity)?|in my "
     rf"[\w-]+ year)|{ADV} stud(?:y|ies))(?: [\w ]+?)? at (?!the moment|home|night|(?:the|an?|our|my) (?![^.,;!?]*"
     r"\b(?:uni\w*|college|school|academy|institute|conservatoire|polytechnic|faculty|centre|center)\b)(?-i:[a-z]))"
     rf"{V}{END}",
     (says("studies_at", "{who} studies at {value}"),)),
    # Homes and origin
    (" live| living| based", rf"^{WHO}(?:{BE}{ADV} (?:living|based)|{ADV} lives?|(?:'ve| have| has|'s)(?: been)?{ADV} "
     r"(?:lived|living)) (?:here |out |over |up |down |alone |together |with [\w ]+? )?in (?!fear|pain|peace|denial|"
     r"the past|the moment|a world|hope|a constant|that|this)(?P<value>[^.;:!?()\"]{2,50}?)(?=, (?:and|but|so|with|"
     r"where|which|the|a|my|our|I|we)\b|,? (?:with|where|near|since|for|and|but|so|because|now|at the moment|these "
     r"days|right now|anyway|which|these|alone|together|not|if|until|though|,)\b|$|[.;:!?()])", _LIVES),
    (" moved| moving| relocat", rf"^{WHO}(?:{PERFECT}{ADV} (?:moved|relocated))(?: (?:house|out|in|away|over|back|"
     rf"here|home|down|up|across))*(?: from [^.,;:!?]{{2,30}}?)? to (?P<value>(?:the )?{NAME}(?:(?: (?:of |the |on |"
     rf"upon |de |am )?|, (?=[\w'’ -]{{2,40}}?(?:$|[,.;!?)]| (?:in|last|next|on|for|with|and|this|yesterday)\b))){NAME}){{0,3}})"
     rf"(?!['\w]| (?:flat|house|apartment|office|place|branch)\b)", (says("lives_in", "{who} lives in {value}"),)),
    (" moving| move| relocat", rf"^{WHO}(?:{BE}{ADV} (?:moving|relocating|going to move|planning to move)|'ll{ADV} "
     rf"(?:move|be moving)| will{ADV} (?:move|be moving)) (?:out |away |back |over |in |house |down |up |here |from "
     rf"[^.,;:!?]+? )*to (?P<value>(?:the )?{NAME}(?:[^.,;!?()]|,(?= {NAME}(?:$|[.,;!?()]| (?:in|next|on|"
     r"this)\b))){0,90})(?![\w'])", (says("goal", "{who} plans to move to {value}", "move to {value}"),)),
    (" from ", rf"^{WHO}{BE}{ADV} from {PLACE}", (says("from", "{who} is from {value}"),)),
    (" from ", rf"^{WHO} come{ADV} from {PLACE}", (says("from", "{who} is from {value}"),)),
    (" born ", rf"^{WHO} (?:was|were) born (?:and (?:raised|bred|grew up) )?in (?P<value>(?:the "
     rf")?(?:{NAME}[^.,;:!?()]{{0,30}}?|(?:19|20)\d\d)){END}", (says("born_in", "{who} was born in {value}"),)),
    (" grew up | raised ", rf"^{WHO}(?: was| were)?{ADV} (?:grew up|raised|born and raised)(?: bilingual)? (?:in|on|"
     rf"near) {V}{END}", (says("grew_up_in", "{who} grew up in {value}"),)),
    # People
    ("y |ur ", r"^(?:my|our) (?P<kin>(?:(?:new|old|current|direct|line|former|eldest|oldest|youngest|older|younger|"
     rf"little|big|twin|late|first|second|ex-?) )*(?:{PEOPLE}))(?:'s name's|(?:'s name)? (?:is|are|was)(?: "
     r"(?:called|named))?) "
     rf"{NAMES}(?=$|[.,;:!?()]| (?:and|but|who|she|he|now|from|at|in)\b)(?! (?:and|'s)? ?(?:I|my)\b)",
     (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    (" is |'s ", rf"^(?:my|our) (?:new )?(?P<kin>{_ROLE})(?:'s| is)(?: called| named)? "
     rf"(?P<value>{_NO_PERSON}(?-i:{NO_NAME}){NAME} {_NO_PERSON}(?-i:{NO_NAME}){NAME})(?=$|[.,;!?()]| (?:and|but|now|"
     r"from|at|who|she|he)\b)", (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    (" Dr ", rf"^(?:my|our) (?:new )?(?P<kin>{_ROLE})(?:'s| is)(?: an?)? (?P<value>Dr (?!Who\b){NAME})"
     r"(?=$|[.,;!?()]| (?:and|but|now|from|at|in|near|on|over|"
     r"who)\b)", (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    (" new ", rf"^(?:I|we)(?:{HAVE}|{PERFECT}{ADV} got){ADV} an? new (?P<kin>{_ROLE})(?:,|:| called| named) "
     rf"{_NO_PERSON}{NAMED}(?=$|[.,;!?()]| (?:and|but|now|from|at|who|she|he)\b)",
     (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    (" report", rf"^I{ADV} (?:report|reporting|answer) to {_NO_PERSON}{NAMED}(?= now\b|$|[.,;!?()]| (?:and|but|since|"
     r"instead)\b)", (says("manager_name", "{subject}'s manager is called {value}"),)),
    ("called|named", rf"^(?:my|our) (?P<kin>{PEOPLE})(?:'s| is| are|'re) (?:called|named) {NAMES}",
     (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    ("called|named", rf"^(?:I|we){HAVE}{ADV} (?:an? |two |three )?(?:[\w-]+,? ){{0,4}}?(?P<kin>{PEOPLE}|{ANIMAL})s?,? "
     rf"(?:called|named|names? (?:is|are)) {NAMES}", (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    ("name", rf"^my (?:first |full )?name(?:'s| is) (?P<value>{NAME}(?: {NAME}){{0,2}})",
     (says("name", "{who} is called {value}"),)),
    ("I'm |I am ", rf"^I(?:'m| am) (?P<value>(?-i:{NO_NAME}){NAME}(?: {NAME})?)(?=$|, (?:\d|an?|and I|from|the)|, I\b|"
     r" and I\b)(?!ly)", (says("name", "{who} is called {value}"),)),
    (" child| kid| son| daughter| brother| sister| sibling| twin| grand| wife| husband| partner|friend| niece| nephew|"
     " step", rf"^{WHO}(?:{HAVE}){ADV} (?P<value>(?:an?|{NUMBER}|no|lots of) (?:[\w-]+ ){{0,2}}?(?:kids?|"
     r"child(?:ren)?|sons?|daughters?|boys|girls|brothers?|sisters?|siblings?|twins|grandchild(?:ren)?|grandkids|"
     r"nieces?|nephews?|stepkids?|stepson|stepdaughter|husband|wife|partner|girlfriend|boyfriend))\b(?! (?:in law|"
     r"who))(?!['’])", (says("has", "{who} has {value}"),)),
    (" old|'m | am | is |'re | are | turned |'s | turns | turning",
     rf"^{WHO}(?:{BE}{ADV}(?: turning)?|{PERFECT}{ADV} turned| turns| will be|'ll be) (?P<value>{NUMBER})(?: years "
     r"old)?(?=$|[;!?()]|[.,](?!\d)| (?:years old|and|now|next|in|this|on|today|but|so|soon|already|last)\b)(?! (?:of "
     r"us|minutes|hours|percent|and a half|in (?:dog|cat|human)))(?!,? \d)",
     (says("age", "{who} is {value} years old"),)),
    (" birthday", rf"^(?P<who>my (?:{PEOPLE}))'?s birthday(?: is|'s)(?: on)? (?P<value>{DATE})",
     (says("birthday", "{who}'s birthday is {value}"),)),
    (" birthday", rf"^my birthday(?: is|'s)(?: on)? (?P<value>{DATE}|{MONTH})",
     (says("birthday", "{who}'s birthday is {value}"),)),
    (" born ", rf"^{WHO} (?:was|were) born (?:on )?(?P<value>{DATE})",
     (says("birthday", "{who}'s birthday is {value}"),)),
    (" married", rf"^(?P<who>I|[Ww]e){PERFECT}(?:{BE})?{ADV} (?:been |got |gotten )?married{_TO_NO_PERSON}(?: to "
     rf"{NAMED})?(?=$|[.,;!?]| (?:for|since|in|last|now|with|to|two|three|this|on|at|\d+|{NUMBER})\b)",
     (says("relationship_status", "{who} is married", "married"), says("partner", "{who}'s partner is {value}"))),
    (" dating| seeing| engaged", rf"^(?P<who>I|[Ww]e)(?:{BE}|{PERFECT}{ADV} been|{PERFECT} started){ADV} (?:dating|"
     rf"seeing|engaged to|going out with|together with) {NAMED}",
     (says("partner", "{who}'s partner is {value}"),
      says("relationship_status", "{who} is in a " "relationship", "in a relationship"))),
    (" single| divorced| widowed| engaged| separated", rf"^(?P<who>I){BE}{ADV} (?P<value>single|divorced|widowed|"
     r"engaged|separated)(?=$|[.,;!?]| (?:and|but|now|again|since|with|for)\b)",
     (says("relationship_status", "{who} is {value}"),)),
    ("'m | am | is |'s ", rf"^{WHO}{BE}{ADV} (?P<value>{ADJECTIVES})(?![\w-])(?! in (?:one|my|his|her|the (?:left|"
     rf"right))\b)(?! from (?:reality|society|the (?:truth|world|facts)|my (?:job|work|emotions|feelings|body|"
     rf"past))\b){_TO_NO_PERSON}", (says("is", "{who} is {value}"),)),
    ("'m | am | is |'s ", rf"^{WHO}{BE}{ADV} (?P<value>an? (?!dr who\b)(?=(?:[\w-]+ ){{0,3}}?(?:{ROLES})\b)"
     r"(?!bit\b|little\b|lot\b|few\b|(?:big |huge )?fan\b|mess\b|while\b|couple\b|great\b|good\b|bad\b|complete\b|"
     rf"total\b)[^.,;:!?\n]{{2,50}}?){STOP}", (says("is", "{who} is {value}"),)),
    (" pregnant| expecting", rf"^{WHO}{BE}{ADV} (?P<value>pregnant(?: with [\w ]+?)?|expecting(?: (?:a|our|my|"
     rf"twins)[^.,;!?]*)?){END}", (says("is", "{who} is {value}"),)),
    # Animals
    ("a", rf"^{WHO}(?:{HAVE}|{PERFECT}{ADV} (?:adopted|rescued|bought|got(?:ten)?|inherited)|{BE} (?:getting|"
     rf"adopting)){ADV} (?P<value>(?:an?|one|two|three|four|five|six|\d+|some) (?:[\w-]+ ){{0,4}}?{ANIMAL})\b(?! "
     r"(?:allergy|person|food|bed|flap|sitter|hair|toy))", (says("has", "{who} has {value}"),)),
    # Tools
    (" switch| migrat| chang", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV} (?:switching|migrating|changing|transitioning)|"
     rf"{PERFECT}{ADV} (?:switch|migrate|switched|migrated|changed|transitioned))(?: (?:over|everything|all|away|back|"
     rf"(?:the|our|my) (?:\w+ ){{1,3}}?))* from (?P<old>{TOOLS}|[\w.+#-]+(?: [\w.+#-]+){{0,2}}?) (?:over )?to "
     rf"(?P<value>{TOOLS}|[\w.+#-]+(?: [\w.+#-]+)?){END}", _SWITCHED),
    (" mov| going | gone | went | go ", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV} (?:moving|going)|{PERFECT}{ADV} (?:move|"
     r"moved|gone|go|went))(?: (?:over|everything|all|away|back|us|(?:the|our|my) (?:\w+ ){1,3}?))* from "
     rf"(?:(?P<old>{TOOLS}) (?:over )?to (?P<value>{TOOLS}|[\w.+#-]+(?: [\w.+#-]+)?)|(?P<old2>[\w.+#-]+) (?:over )?to "
     rf"(?P<value2>{TOOLS})){END}", _SWITCHED),
    (" switch| migrat| upgrad| chang| mov| standardi", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV} (?:switching|migrating|"
     rf"upgrading)|{PERFECT}{ADV} (?:switch|migrate|switched|migrated|upgraded|converted|standardi[sz]ed on|settled "
     r"on))(?: (?:over|everything|all|back|(?:the|our|my) (?:\w+ ){1,3}?))* to (?!the other|another|it\b|that\b|a "
     rf"different|something|the [^.,;!?]* (?:on|of|in) the\b|{_NO_TOOL}){V}(?: from (?P<old>[\w.+#-]+))?{END}", _USES),
    (" and ", rf"^(?P<who>I|[Ww]e)(?:{PERFECT}{ADV} (?:upgraded|migrated|switched|updated|moved) to|{ADV} use|{BE}{ADV} "
     rf"(?:using|on)) (?P<first>{TOOLS}) v?\d[\d.]* and (?!(?P=first)\b)(?P<value>(?:{TOOLS}) v?\d[\d.]*\b)"
     rf"(?: finally)?{END}", _USES),
    (" replac| dropp| ditch", rf"^(?P<who>I|[Ww]e)(?:{BE}{ADV} (?:replacing|dropping|ditching)|{PERFECT}{ADV} "
     r"(?:replaced|dropped|ditched|swapped(?: out)?|traded(?: in)?|exchanged)) (?:my |our |the "
     rf"(?=(?:old )?(?:{TOOLS}|(?-i:[A-Z])|\w*\d)))?(?:old )?(?!(?:an?|it|that|this|one|each|every|them|"
     r"the)\b)(?P<old>[\w.+#-]+(?: [\w.+#-]+)?)(?<! support) (?:with|for|in favou?r of) "
     r"(?!(?:now|good|the (?:moment|time being))\b)(?:an? |"
     rf"the )?(?:new )?(?P<value>[\w.+#-]+(?: [\w.+#-]+){{0,2}}?){END}", _SWITCHED),
    (" use| using", rf"^(?P<who>I|[Ww]e|(?:my|our) (?:team|company|office|school|project|wife|husband))(?:{ADV} uses?|"
     rf"{BE}{ADV} using|{PERFECT} been{ADV} using) (?!(?:it|that|this|no|none|neither|the (?:same|one|code|following|word|term|first|"
     r"second)|to|up|which|both|something|anything|words?|lots?|time|old|different|your|them|these|those|an? (?:lot|"
     r"few|bit)|\d+ times|the (?:wrong|right|left|top|old|new|other|attached|above|search|back|shift|enter|tab|escape)|"
     rf"{DOING}\b|[a-z]+ing (?:to|as)|(?:[\w-]+ ){{1,2}}(?:button|link|menu|tab|form|field|icon|key|token|method|"
     r"function|variable|type|command|index|loop|example|argument|flag|parameter|branch)|(?:\w )?as (?:the|an?)|[a-z] "
     rf"as)\b)(?!(?-i:(?:British|American|UK|US|Canadian|Australian) (?:spelling|English))){V}{END}", _USES),
    ("phone|pixel|galaxy|fairphone|Pixel|Galaxy|Fairphone|iPhone|Nokia|nokia|OnePlus|Samsung|samsung",
     rf"^(?P<who>I){{1}}(?:{HAVE}|{ADV} use|{BE} using|{PERFECT}{ADV} (?:got|bought|ordered|upgraded to|switched to|"
     rf"moved to)){ADV} (?:myself )?(?:an? |the |my )?(?:(?:new|old|used|refurbished|"
     rf"second-hand) )*(?:phone[,:]? )?(?:an? |the )?(?P<value>{PHONE})\b",
     (says("phone_model", "{who} has the phone {value}"),)),
    (" drive| car | bought| got | have | own |'ve got", rf"^(?P<who>I|[Ww]e)(?:{HAVE}|{ADV} drive|{PERFECT}{ADV} "
     rf"(?:got|bought|ordered|leased)){ADV} (?:an? |the |my |our )?(?P<value>(?:(?:new|old|used|second-hand|electric|"
     rf"red|blue|white|black|grey|silver|green|yellow|\d{{4}}) )*{CARS}){END}",
     (says("drives", "{who} drives {value}"),)),
    (" car", r"^(?:my|our)(?: new)? (?:car|van)(?:'s| is) (?:an? )?(?P<value>(?!(?:in|at|broken|old|dead|new|not|too|"
     rf"very|parked|making|out)\b)[^.,;:!?()]{{2,30}}?){END}", (says("drives", "{who} drives {value}"),)),
    # Diet
    (" eat| have| drink| tolerate| digest", rf"^{WHO}{NOT}(?: really| usually| even)? (?:eat|have|tolerate|digest|do|"
     rf"stomach) (?P<values>{FOODS}(?:(?:, | or | and | nor ){FOODS}){{0,3}})(?=$|[.,;!?()]| (?:and|but|so|because|"
     r"since|any ?more|at all|as|for|or|either|if|due|anyway|when|on)\b)",
     (says("does_not_eat", "{who} does not eat {value}"),)),
    *((" drink", rf"^{WHO}{NOT}(?: really| usually)? drink{what}(?=$|[.,;!?()]| (?:and|but|so|because|since|any ?more|"
       r"at all|as|for|anyway|when|on)\b)", (says("avoids", f"{{who}} does not {drink}", drink),))
      for what, drink in ((r" (?P<value>(?:alcohol|coffee|tea|milk|beer|wine|caffeine|soda|cow'?s milk|black tea)"
                           r"(?: or \w+)?)", "drink {value}"), ("", "drink alcohol"))),
    (" drive| smoke| swim| fly| gamble| ski", rf"^{WHO}{NOT}(?: really)? (?P<value>drive|smoke|swim|fly|gamble|ski|"
     r"cook|cycle|ride a bike|dance|sing|have a car|own a car|have a tv|own a tv|have a car|have children|have kids|"
     r"want (?:kids|children))(?=$|[.,;!?()]| (?:and|but|so|because|since|any ?more|at all|anyway|either)\b)",
     (says("habit", "{who} does not {value}", "does not {value}"),)),
    (" vegan| vegetarian| pesc| kosher| halal| keto|-free| omnivore| flexitarian|plant",
     rf"^{WHO}(?:{BE}{ADV}|{PERFECT}{ADV} (?:gone|went|turned|become|became|been|switched to|go|turning)|{ADV} "
     rf"(?:eats?|keeps?|follows?|do|went)|{BE} (?:going|eating|keeping)){ADV} (?:an? |fully |"
     rf"strictly )*(?P<value>vegan|"
     r"vegetarian|pesc[ae]tarian|kosher|halal|keto|flexitarian|omnivore|(?:gluten|dairy|lactose|sugar|nut|wheat)-free|"
     r"plant-based|paleo|low[- ]carb|fodmap|low[- ]fodmap)(?: diet| food)?(?=$|[.,;!?()]| (?:and|but|so|now|since|for|"
     r"because|too|who|at|in|last|this|again|with|these|when|about|due|as|here|years|no|two|three|over|almost|myself|"
     rf"on)\b)(?! for (?:(?:a|the|one) (?:day|week|weekend|month|fortnight)|lent|veganuary|ramadan|now|"
     rf"{MONTHS})\b)", _DIET),
    ("allerg", rf"^{WHO}{BE}{ADV} allergic to (?!(?:nothing|it|that|this|you|the cat|work\w+|exercise|{NO_ALLERGEN})\b"
     r"(?!['’]s\b| glory\b))(?P<values>[^.;:!?()\"]{2,60}?)(?=$|[.;:!?()]|,? (?:but|so|because|since|which|and (?:I|my|she|he|it|"
     r"so|also)|too|that|what|can|as|if|by|apparently|anyway|remember|don't|do not|please)\b|, (?:ha\w*|lol|naturally|"
     r"apparently|obviously|sadly|unfortunately|seriously|[a-z]+ly|very|quite|really|so|pretty|super|rather|not|just|"
     r"too|always|never|we|he|she)\b|, (?!\w+,? (?:and|or) )\w+ \w+ \w+)",
     (says("allergic_to", "{who} is allergic to {value}"),)),
    ("allerg", rf"^{WHO}{HAVE}{ADV} an? (?:(?:severe|mild|bad|serious|nasty|slight|"
     r"life-threatening) )*(?!(?:(?!allergy)[\w-]+ ){0,3}(?:(?:with|then|about)\b|and an?\b|allergy (?:list|test|"
     r"appointment|question)))(?P<value>[\w -]{2,25}?) allergy\b",
     (says("allergic_to", "{who} is allergic to {value}"),)),
    ("allerg", rf"^{WHO}{HAVE}{ADV} an? (?:(?:severe|mild|bad|serious|nasty|slight) )*allergy to {V}{END}",
     (says("allergic_to", "{who} is allergic to {value}"),)),
    ("intoleran", rf"^{WHO}{BE}{ADV} (?P<value>lactose|gluten|histamine|fructose)[- ]intolerant\b",
     (says("has_condition", "{who} is {value} intolerant", "{value} intolerance"),)),
    ("intoleran", rf"^{WHO}{BE}{ADV} intolerant (?:to|of) (?!(?:it|that|this|people|noise|nonsense|"
     rf"bullshit)\b){V}{END}", (says("has_condition", "{who} is intolerant to {value}", "{value} intolerance"),)),
    # Body and health
    (" have| has|'ve|'s got| got| suffer| live with| get| diagnos",
     rf"^{WHO}(?:{HAVE}|{PERFECT} had|{ADV} (?:suffers?|suffering) from|{PERFECT} (?:been|was|were|got){ADV} "
     rf"diagnosed with|{BE} diagnosed with|{BE} suffering from|{ADV} gets?| live with){ADV} (?:(?:an?|really|pretty|"
     rf"quite|very|mild|severe|chronic|bad|terrible|occasional|seasonal|some) )*?(?P<values>{_ILL}(?:(?:,|,? and) "
     rf"{_ILL}(?! (?:is|are|runs?|was|were|has|have|can|in)\b))*)\b", (says("has_condition", "{who} has {value}"),)),
    (" diagnosed| suffer| live with| get", rf"^{WHO}(?:{PERFECT}{ADV}(?: been| was| were| got){ADV} diagnosed with| "
     rf"was{ADV} diagnosed with|{ADV} suffers? from|{BE}{ADV} suffering from) (?!it\b|that\b){V}{END}",
     (says("has_condition", "{who} has {value}"),)),
    (" been ", rf"^{WHO}{PERFECT} been{ADV} (?:an? )?(?P<value>(?:type (?:1|2|one|two) )?diabetic|coeliac|celiac|"
     r"epileptic|asthmatic)(?=$|[.,;!()]| (?:since|all (?:my|his|her|our) life|my whole life|from (?:birth|childhood)|"
     rf"for (?:\w+ ){{1,3}}(?:years|decades|months)|for (?:years|ages|decades))\b)(?!.*\b(?:past life|"
     rf"until)\b){FOR_REAL}",
     (says("has_condition", "{who} is {value}"),)),
    (" diagnosis", rf"^(?!we\b|I\b.* (?:his|her|our|their) |(?:my|our) .* (?:my|our) ){WHO}{PERFECT}{ADV} (?:got|"
     rf"received) (?:an?|my|his|her|their) (?P<value>{_ILL}) diagnosis(?=$|[.,;!()]| (?:at|in|last|this|when|as|and|"
     r"today|yesterday|after)\b)(?!.*\b(?:wrong|false|mis\w+|overturned|reversed|incorrect|not|\w+n't|quiz)\b)"
     rf"{FOR_REAL}",
     (says("has_condition", "{who} has {value}"),)),
    (" blind|-blind|deaf|dyslexic|autistic|coeliac|celiac|diabetic|epileptic|asthmatic|colou|hearing|handed|bipolar|"
     "insomniac|disabled|hypermobile|paraplegic|anaemic|anemic|sighted|dyspraxic|intolerant| tall|hypersensitive",
     rf"^{WHO}{BE}{ADV} (?:an? )?(?P<value>(?:(?:type|red-green|partially|profoundly|registered|legally|"
     r"insulin-dependent|severely) )*(?:type (?:1|2|one|two) diabetic|pre-?diabetic|colou?r[- ]?blind|blind(?: in (?:one|my) "
     r"[\w ]+)?|deaf(?: in (?:one|my) [\w ]+)?|hard of hearing|dyslexic|dyspraxic|autistic|coeliac|celiac|diabetic|"
     r"epileptic|asthmatic|left-handed|bipolar|disabled|hypermobile|paraplegic|anaemic|anemic|(?:short|near|long|"
     r"far)-?sighted|neurodivergent|dyscalculic|insomniac))\b", (says("has_condition", "{who} is {value}"),)),
    (" on | take|taking| prescribed", rf"^{WHO}(?:{ADV} takes?|{BE}{ADV} (?:taking|on)|{PERFECT}{ADV} (?:been|got|"
     rf"was) (?:put on|prescribed|taking)| was (?:put on|prescribed)|{PERFECT}{ADV} started(?: taking| on)?) "
     rf"(?P<value>(?:{MEDICINE}|(?:{DOSE} (?:of )?)?(?:[a-z]+(?:mab|roxin)|the pill|antihistamines|ibuprofen daily|"
     r"melatonin|iron tablets|iron supplements|vitamin \w+|testosterone|oestrogen|estrogen|hrt))(?:(?: now)?,? "
     rf"{DOSE})?)(?![\w-])", (says("takes_medicine", "{who} takes {value}"),)),
    ("wheelchair", rf"^{WHO}{BE}{ADV} (?:in a wheelchair|a wheelchair user)(?=$|[.,;!?()]| (?:and|so|but|because|"
     r"since)\b)", (says("has_condition", "{who} uses a wheelchair", "a wheelchair"),)),
    (" wear", rf"^{WHO}{ADV} (?:wears?|uses?) (?P<value>(?:[\w-]+ )?(?:glasses|contact lenses|contacts|hearing aids?|"
     r"a hearing aid|a wheelchair|a walking stick|a cane|crutches|a rollator|a walker|a cpap|a cpap machine|insoles|"
     r"braces|a hijab|a headscarf|a wig|screen reader|a screen reader|dentures))\b",
     (says("has_condition", "{who} uses {value}"),)),
    (" tall| weigh", rf"^{WHO}(?:{BE}{ADV} (?P<value>\d[\d.,']*(?:\"|''|’)?(?: ?(?:cm|m|ft|feet|foot))?(?: ?\d+)?(?: "
     r"tall)|\d(?:'|’| foot | ft )\d{1,2}\"?(?: tall)?))\b", (says("height", "{who} is {value}"),)),
    (" scared| afraid| terrified| phobi", rf"^{WHO}(?:{BE}{ADV} (?:afraid|scared|terrified|frightened) of|{HAVE} a "
     r"(?:phobia|fear) of) (?!(?:it|that|this|you|losing|being|what|how|going|(?:the |my |an? |"
     r"your )?(?:\w+ )?(?:exams?|tests?|results?|interview|meeting|presentation|answers?|deadline|operation|surgery|"
     rf"appointment|night|end))\b){V}{END}", (says("fears", "{who} is afraid of {value}"),)),
    # Likes
    (" fan of| into | obsessed| fond| keen| crazy| mad about| passionate| addicted| sucker",
     rf"^{WHO}{BE}{ADV} {FAN} {NOT_PLAIN}{V}{END}", (says("likes", "{who} likes {value}"),)),
    (" not |n't ", rf"^(?!.*\bas much\b){WHO}{BE}{ADV} not(?: really| much| particularly| so| that| too| very)* "
     rf"(?:an? (?:\w+ )?fan of|into|fond of|keen on|crazy about) {NOT_PLAIN}{V}{END}",
     (says("dislikes", "{who} dislikes {value}"),)),
    (" lov| lik| enjoy| ador", rf"^{WHO}{ADV} (?:likes?|loves?|enjoys?|adores?) {NOT_PLAIN}{V}{END}",
     (says("likes", "{who} likes {value}"),)),
    (" hat| dislik| stand| detest| loath| despis", rf"^{WHO}{ADV} (?:hates?|dislikes?|can't stand|cannot stand|"
     rf"detests?|loathes?|despises?|can't bear) {NOT_PLAIN}{V}{END}", (says("dislikes", "{who} dislikes {value}"),)),
    (" like| enjoy| care", rf"^{WHO} (?:don't|do not|doesn't|does not|never)(?: really| particularly| even| much| "
     rf"actually| ever)* (?:liked?|enjoy(?:ed)?|care for) {NOT_PLAIN}{V}{END}",
     (says("dislikes", "{who} dislikes {value}"),)),
    (" prefer", rf"^{WHO}(?: would|'d)?{ADV} (?:much )?prefers? (?!it\b|that\b|this\b|not\b|the (?:first|second|third|"
     rf"last|other|one)\b|option \w+|your\b){VERYLONG}", (says("prefers", "{who} prefers {value}"),)),
    ("favo", r"^(?:my|our) (?:all[- ]time )?favou?rite (?P<kin>[a-z]+(?: [a-z]+){0,2}?)(?:'s| is| are| has "
     r"(?:always )?been| would be) (?!(?:the (?:one|first|part)|that|when|to)\b)(?:(?P<value>[\w'-]+ (?:and|&) "
     rf"[\w'-]+)(?=$|[.,;!?()])|(?P<value2>{V_TEXT}){END})",
     (says("favorite_{kin}", "{subject}'s favorite {kin} is {value}"),)),
    # Pastimes, skills, languages
    (" play", rf"^{WHO}(?:{ADV} plays?|{BE}{ADV} playing|{PERFECT}{ADV} (?:played|taken up|been playing)) "
     rf"(?P<value>(?:in an? (?:[\w ]+? )?(?:band|orchestra|league|team)|(?:a (?:bit|little) of |some )?(?:{INSTRUMENT}|"
     rf"{SPORT})(?: (?:and|&) (?:{INSTRUMENT}|{SPORT}))?))(?![\w-])", (says("plays", "{who} plays {value}"),)),
    (" do | does | doing| go | taken up| took up| start| practi| into",
     rf"^{WHO}(?:{ADV} (?:do|does|go|goes|practi[cs]es?|teach)|{BE}{ADV} doing|{PERFECT}{ADV} (?:taken up|took up|"
     rf"started|been doing|got(?:ten)? into|joined)){ADV} (?:doing |to )?(?:an? |some |my |"
     rf"the )?(?P<value>(?:(?!to\b)[\w-]+ )?{DOING})(?: (?:class(?:es)?|lessons|course|club|group))?(?: "
     rf"(?P<when>(?:twice|once|three times|four times|every|on|each|\d times)[^.,;!?()]{{2,30}}))?{END}",
     (says("hobby", "{who} does {value}"),)),
    (" sing| volunteer| collect| knit| paint| bake| garden| climb| swim| run| cycl| row| sail| draw| sew| crochet| "
     "brew| keep bees| forage| hike| surf| ski", rf"^{WHO}(?:{ADV}|{PERFECT}(?: been)?{ADV}) (?P<value>(?:sings?|sung|"
     r"volunteers?|volunteering|collects?|collecting|knits?|paints?|bakes?|swims?|swum|climbs?|runs?|cycles?|rows?|"
     r"draws?|sews?|crochets?|brews?|gardens?|keeps? bees|forages?|hikes?|surfs?|skis?|skies|boulders?|dances?|"
     r"meditates?|lifts?)(?: (?:alto|tenor|bass|soprano|in|at|with|for|every|on|twice|once|three times|old \w+|vintage "
     rf"\w+|stamps|vinyl|records|coins|\d+)\b[^.,;!?()]{{0,50}}?)){END}", (says("habit", "{who} {value}", "{value}"),)),
    (" learn| teaching myself", rf"^{WHO}(?:{BE}{ADV} (?:learning|teaching myself|trying to learn)|{PERFECT}{ADV} "
     r"(?:been learning|started learning|started to learn|begun learning|begun to learn|taken up)) (?!(?:a lot|how|"
     rf"about|that|it|more|from|so much|the hard)\b){V}(?: (?:on|with|at|using) [^.,;]+?)?{END}",
     (says("learns", "{who} is learning {value}"),)),
    (" speak| fluent| language| tongue| bilingual", rf"^{WHO}(?:{ADV} speaks?|{BE}{ADV} (?:fluent in|bilingual in|a "
     r"native speaker of)) (?:(?:fluent|some|a little|a bit of|basic|native|only|both|good|"
     rf"decent) )*(?P<names>(?:{LANGUAGE})(?:(?:, (?:and )?| and )(?:(?:some|a little|a bit of|"
     rf"basic) )?(?:{LANGUAGE}))*)", (says("speaks", "{who} speaks {value}"),)),
    (" language| tongue", rf"^my (?:first|native|mother) (?:language|tongue)(?:'s| is) (?P<value>{LANGUAGE}|"
     r"(?-i:[A-Z])[a-z]+)", (says("native_language", "{who}'s native language is {value}"),)),
    # Aims and plans
    (" want| hop| plan| aim| try| sav| train| goal| dream| decid| going to",
     rf"^(?P<who>I|[Ww]e)(?:{ADV} (?:wants?|plan|hope|aim|intend|need)(?: to)?|{BE}{ADV} (?:hoping|planning|aiming|"
     rf"trying|determined|working hard)(?: to|on)?|'d(?: really)? (?:love|like)(?: to)?|{PERFECT}{ADV} (?:decided|"
     rf"resolved|promised myself)(?: to)?) (?:eventually |finally |one day |really |also )*{TO_DO}",
     (says("goal", "{who} wants to {value}"),)),
    (" goal| dream| aim| plan", r"^(?:my|our) (?:\w+ )?(?:goal|dream|aim|plan|ambition|target|resolution)(?: (?:for|"
     rf"this) [\w ]+?)?(?:'s| is| has always been) (?:still )?to {VERYLONG}",
     (says("goal", "{who} wants to {value}"),)),
    (" goal| dream| aim| plan", r"^(?:my|our) (?:(?:\w+ )?(?:goal|dream|aim|ambition|target|resolution)|plan(?![^.,;!?]{"
     r"0,40}[^.,;!?\w]\d[\d.,]* ?(?:euros?|eur|dollars?|usd|pounds?|gbp|bucks|quid|gb|€|a month)|[^.,;!?]{0,40}[€$£]))"
     rf"(?: (?:for|this) [\w ]+?)?(?:'s| is| has always been) (?:still |now )?(?!(?:still |now )?{_NO_GOAL}){VERYLONG}",
     (says("goal", "{who}'s goal is {value}"),)),
    (" training for| saving| preparing for| studying for", rf"^(?P<who>I|[Ww]e){BE}{ADV} (?P<value>(?:training|"
     rf"preparing|studying|saving(?: up)?) for (?!it\b|that\b|this\b|you\b)[^.,;!?()]{{3,60}}?){END}",
     (says("goal", "{who} is {value}"),)),
    *((parts, rf"^(?P<who>I|[Ww]e){PERFECT}{ADV} {verb} (?P<what>(?:the |an? )?(?P<value>(?![^.,;!?()]*\byours?\b)"
       r"[^.,;!?()]{4,70}?))(?=$|[.,;!?()]| (?:and|but|so|because|today|yesterday|too|as well|now)\b)", (says("goal", said),))
      for parts, verb, said in (
          (" signed up| enrolled| registered", r"(?:signed up|enrolled|registered)(?: us| me| myself)? (?:for|in|on|"
           r"onto|to)(?: my| our)?", "{who} signed up for {what}"),
          (" signed up| enrolled| registered", r"(?:signed up|enrolled|registered)(?: us| me| myself)? (?P<at>with|at)(?: my| our)?",
           "{who} signed up {at} {what}"),
          (" booked", r"booked(?: us| me| myself)?(?: for| in| on| onto| in for)?(?: my| our)?",
           "{who} booked {what}"))),
    # Habits
    (" get up| wake| go to bed| commute| cycle to| walk to| drive to",
     rf"^{WHO}{ADV} (?P<value>(?:gets? up|wakes? up|goes to bed|go to bed|commutes?|cycles? to|walks? to|drives? to|"
     rf"takes? the (?:train|bus|tram|tube|metro|ferry))(?: [^.,;!?()]{{2,50}}?)?){END}",
     (says("habit", "{who} {value}", "{value}"),)),
    # Other particulars
    ("y |ur ", r"^(?:my|our) (?:new )?(?P<kin>(?:shoe|ring|dress|clothing|shirt|hat|t-shirt) size|budget|(?:monthly|weekly|"
     r"daily) budget|time ?zone|star sign|zodiac sign|pronouns|user ?name|handle|gamertag|email|e-mail|email address|"
     r"phone number|zip code|postcode|mobile number|maiden name|middle name|surname|last name|nickname|"
     r"blood type|blood group|employee number|customer number|order number|account number|membership number|"
     r"licence plate|license plate|wifi name|(?:gp|dentist)(?!(?:'s| is) (?:an?|from|on|vegan|vegetarian|deaf)\b)|"
     r"(?:bank|gym|team)(?!(?:'s| is| are) (?-i:allergic|away|busy|closed|down|leaving|losing|moving|winning)\b)|"
     r"insurance|health insurance|energy provider|phone provider|mobile provider|internet provider|football team|"
     r"favourite team|religion|faith|nationality|degree|major|"
     r"specialty|speciality|hometown|home town|alma mater|thesis|phd|research|hobby|hobbies|diet|salary|rent|mortgage|"
     r"savings target|target weight|resting heart rate|work hours|working hours|office hours|stand-?up|sprint length|"
     r"release day|deploy day|day off|days off)(?:'s| is| are)(?: on| at| called| about| in)? (?!(?:not|too|so|now "
     r"due|the same|very|"
     r"really|a bit|a mess|tight|limited|small|broken|wrong|right|here|there|great|good|bad|fine|ok|getting|driving|"
     r"(?-i:pronounced|spell?ed|spelt|written|hyphenated|hard|easy|rare|common|unusual|difficult)|making|full|due|being|killing|gone|coming|up|"
     r"due)\b)" + V + END, (says("{kin}", "{subject}'s {kin} is {value}"),)),
    ("address", r"(?:^(?:my|our) (?:new )?|(?:^|[,;] |\b(?:and|the|my|our) )new )(?:home |postal |mailing |shipping |"
     r"delivery |billing )?address(?:'s| is|:)(?: now)? (?P<value>(?!(?:not|the same|wrong|right|on|in|at|too|still|"
     r"below|above|here)\b)(?=[^.;:!?()\n]*(?:\d|(?i:\b(?:street|st|road|rd|lane|avenue|ave|square|close|drive|way|"
     r"terrace|court|gardens|place|weg|platz|rue|via|calle)\b|stra(?:ß|ss)e)))(?:[^.;:!?()\n]|\.(?=\w)){4,90}?)(?=$|"
     r"[.;!?()]|,? (?:and|but|so|because|since|until|from|now|please|not)\b)",
     (says("address", "{subject}'s address is {value}"),)),
    (" number", rf"^(?:(?:my|our) (?:new |(?=phone|mobile|cell|telephone))|(?:I|we)(?:{HAVE}|{PERFECT}{ADV} got){ADV} "
     r"an? new )(?:phone |mobile |cell |telephone )?number(?:'s| is|,|:)(?: it's| it is| now)? (?P<value>\+?\d[\d "
     r"()/-]{5,20}\d)(?!\d)", (says("phone", "{subject}'s phone number is {value}"),)),
    ("mail|address|handle|username|postcode|zip code", rf"^(?:I|we)(?:{HAVE}|{PERFECT}{ADV} (?:got|changed to|moved "
     rf"to)){ADV} an? new (?P<kin>e-?mail(?: address)?|address|handle|username|postcode|zip code)(?:,|:| now)*(?: "
     r"it's| it is| which is)? (?P<value>[^\s,;!?()]*(?:\d|@|\.\w)[^,;!?()]*?)(?=$|[,;!?()]|\.(?!\w)| (?:and|so|"
     r"please|now|from)\b)", (says("{kin}", "{subject}'s {kin} is {value}"),)),
    # Changes stated as mentions
    (" in ", r"^(?P<who>I|[Ww]e)(?:'ve been| have been| am| are|'m|'re) (?:living )?in (?!a\b|an\b|the\b|my\b|love|"
     r"therapy|bed|hospital|touch|contact|pain|business|charge|debt|recovery|remission|school|college|training|"
     rf"meetings?|lockdown|jail|tears){PLACE},? (?:since|for (?:\w+ )?(?:years|months)|now|permanently)\b", _LIVES),
    (" quit| resign", rf"^(?P<who>I)(?:{PERFECT}{ADV} (?:quit|resigned from)|{BE}{ADV} quitting) (?P<value>(?:the |"
     r"my )(?:[\w-]+ )?(?:bakery|shop|store|restaurant|hospital|clinic|school|company|firm|bank|agency|factory|lab|"
     r"library|office|university|farm|studio|caf[eé]|pub|hotel|practice|startup|supermarket|museum|archive|"
     rf"warehouse))(?! (?:early|late|at|for (?:the|a) (?:day|night|weekend))\b){END}",
     (ends("works_at", "{who} left {value}", "{value}"),)),
    (" signed with| hired| offered| start", rf"^(?P<who>I)(?:{PERFECT}{ADV} (?:signed with|accepted an offer from|"
     rf"been hired by|been offered a job at)| got hired (?:by|at)|{BE}{ADV} starting at|'ll start at| will start at| "
     rf"start at) (?P<value>(?:the )?(?-i:{NO_NAME}){NAME}(?: {NAME}){{0,3}})(?:{END}|(?= (?:on |next )?{DAY}\b))",
     (says("works_at", "{who} works at {value}"),)),
    (" ", rf"^I(?:'m| am){ADV} (?!not\b|no\b|never\b|an?\b|the\b|my\b|your\b|in\b|on\b|at\b|with\b|from\b|like\b|"
     rf"one\b|tired\b|sick\b|so\b|very\b|running\b|\w+ (?:a|an|the|my|your)\b)(?P<value>{JOB})(?=$|[.,;!?()]| (?:in|"
     r"at|for|from|and|since|now|here|there|by|on|of)\b)(?<!lead)(?<!cook)(?<!server)(?<!judge)(?<!guide)(?<!coach)(?<!owner)",
     (says("works_as", "{who} works as {value}"),)),
    (" ", rf"^I(?:'m| am) {NAME}(?: {NAME})?, (?:\d+, )?(?:an? |the )?(?P<value>{JOB})(?=$|[.,;!?()]| (?:in|from|and|"
     r"here)\b)", (says("works_as", "{who} works as {value}"),)),
    (" fish again| seafood again", rf"^{WHO}(?:{BE}{ADV} (?:back (?:on|to) )?eating|{ADV} eats?|{PERFECT}{ADV} "
     rf"started (?:eating|to eat)) (?:fish|seafood)(?: and seafood)? again\b{FOR_ONCE}",
     (Says("diet", "{who} eats fish again", "vegan"), Says("diet", "{who} eats fish again", "vegetarian"))),
    (" fish", rf"^{WHO}(?:{BE}{ADV} eating|{ADV} eats?|{PERFECT}{ADV} started (?:eating|to eat)) fish(?: and "
     r"seafood)?(?: again| now)*,? but no (?:other )?meat\b",
     (says("diet", "{who} eats fish but no meat", "pescatarian"),)),
    (" together| couple| a thing| dating| engaged", rf"^(?:me and|I and) {NAMED}(?: are|'re) (?:now |officially |"
     r"finally )*(?:together|a (?:proper )?couple|a thing|dating|an item)(?=$|[.,;!]| (?:now|again|since|and|but)\b)",
     (says("partner", "{subject}'s partner is {value}"),)),
    (" and I ", rf"^{NO_PERSON}{NAMED} and I(?: are|'re) (?:now |officially |finally )*(?:together|a "
     r"(?:proper )?couple|a thing|dating|an item|engaged|married)(?=$|[.,;!]| (?:now|again|since|and|but|for|in)\b)",
     (says("partner", "{subject}'s partner is {value}"),)),
    (" broke up| split| separated| finished", f"^(?:me and|I and) {NAMED}(?:'ve| have)?(?: just| finally)? (?:broke "
     f"up|broken up|split(?: up)?|separated|ended it|are (?:over|finished|done|no longer together)){APART}", PARTED),
    (" smok", rf"^{WHO}(?: haven't| have not| hasn't) smoked since\b", _STOPPED_SMOKING),
    (" smok", rf"^{WHO}{PERFECT}{ADV} (?:stopped|quit|given up|gave up) smoking\b", _STOPPED_SMOKING),
    (" on |'re on", rf"^(?P<who>[Ww]e){BE}{ADV} (?:running )?on (?P<value>(?:\w+ )?(?-i:[A-Z])\w+ v?\d+(?:\.\d+)*)\b",
     _USES),
    *EVERYDAY,
    *BIOGRAPHY,
    *REACTIONS,
    *MILESTONES,
    *SETUPS,
)  # fmt: skip

MENTIONS: Rows = (
    *EVENT_MENTIONS,
    *PEOPLE_MENTIONS,
    *SUCCESSION_MENTIONS,
    *CURRENT_VALUE_MENTIONS,
    *RESUMPTION_MENTIONS,
    *EVERYDAY_MENTIONS,
    *BIOGRAPHY_MENTIONS,
    *REACTION_MENTIONS,
    *MILESTONE_MENTIONS,
    *SETUP_MENTIONS,
    (" number | id ", r"^(?:my|our|the) (?P<kin>(?:vat|tax|company|registration|insurance|customer|member(?:ship)?|"
     r"tracking) (?:number|id))(?:'s| is|:) (?P<value>[A-Za-z]*\d[\w /-]{2,20})(?=$|[.,;!?()])",
     (says("{kin}", "{subject}'s {kin} is {value}"),)),
    (" instead of ", rf"(?<![\w.])(?<!^use )(?<!^try )(?<!^prefer )(?<!^install )(?<!lease use )(?<!hould use )"
     rf"(?<!it use )(?<!an you use )(?P<value>{TOOLS}|(?-i:[A-Z])[\w.-]+|[a-z]+-[a-z]+) instead of "
     rf"(?P<old>{TOOLS})(?![\w-])(?! (?:this week|today|tonight|for (?:a|the|now|one)\b|as an? (?:test|trial|"
     r"experiment)))", USES_INSTEAD),
    (" out", rf"(?<![\w.])(?P<old>{TOOLS})(?:'s| is| goes)? out(?:,| and|;|, and)? (?P<value>{TOOLS})(?:'s| is| comes|"
     r" goes)? in\b", USES_INSTEAD),
    (" replaces | replaced ", rf"(?<![\w.])(?P<value>{TOOLS}|[\w.]+_v\d+\.\w+) (?:replaces|has replaced|replaced) "
     rf"(?P<old>{TOOLS}|[\w.]*v\d+[\w.]*)(?![\w-])", USES_INSTEAD),
    (" died| dead| history| gone| goes", rf"^(?:the |my |our |and )*(?P<old>{TOOLS}|macbook|thinkpad|laptop)(?:'s| is|"
     r" has)? (?:died|dead(?: to (?:me|us))?|history|gone|goes(?:$| away| to))(?![\w])", STOPPED_USING),
    (" me on ", rf"(?<!n't )(?<!not )(?<!to )\bput me on (?P<value>{MEDICINE}(?:,? {DOSE})?)(?![\w-])",
     (says("takes_medicine", "{who} takes {value}"),)),
    (" is history| is over| stopped", rf"^(?:and )?(?P<value>{MEDICINE}) (?:is|was) (?:history|stopped|over|gone)\b",
     (ends("takes_medicine", "{who} no longer takes {value}", "{value}"),)),
    (" is my ", r"(?:^|, | and )(?P<value>(?!(?-i:He|She|It|This|That|Here|There|What|Who|Which|Where|How|When|"
     rf"Why)\b)(?-i:{NO_NAME}){NAME}) is my (?:new )?(?P<kin>{PEOPLE})\b(?!['’]s? (?!name\b))(?! (?:{PEOPLE}|"
     rf"{ANIMAL})\b)", (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
    ("call me", r"^(?:please |just |you can |everyone |everybody |friends |people |they |most people )*calls? me "
     r"(?P<value>(?!I\b)(?-i:[A-Z])\w*)(?=$|[.,;!?]| (?:by|please|from|instead|not)\b)",
     (says("preferred_name", "{who} wants to be called {value}"),)),
    (" go by ", r"^I (?:usually |mostly |just )?go by (?P<value>(?!(?:I|Uber|Lyft|Eurostar|Tube|Metro|Train|Bus|Bike|Bicycle|Car|Taxi|"
     rf"Tram|Foot|Ferry|Plane|Boat|Coach|(?-i:[A-Z]{{3,}})|Feel|Instinct|Weight|Volume|Memory|Ear|Gut)\b)"
     rf"(?-i:{NO_NAME}[A-Z])\w*)(?=$|[.,;!?]| (?:at|for short|these days|now)\b)",
     (says("preferred_name", "{who} wants to be called {value}"),)),
    ("allerg", r"(?<!wrong about )(?<!mistaken about )(?:(?<!outgrew )(?<!outgrown )(?<!grew out of )(?<!grown out of )|"
     r"(?<=n't outgrown )|(?<=not outgrown )|(?<=never outgrown )|(?<=never outgrew ))\b(?:my|our) "
     rf"(?P<value>(?!(?:own|bad|severe|food|new|the)\b)[a-z]+(?: [a-z]+)?) allergy\b(?!{ALLERGY_GONE})",
     (says("allergic_to", "{who} is allergic to {value}"),)),
    ("allerg", rf"(?<!wrong about )(?<!mistaken about )\b(?P<who>my (?:{PEOPLE}))(?: (?-i:[A-Z])\w+)?'s (?P<value>[a-z]+"
     r"(?: [a-z]+)?) allergy\b",
     (says("allergic_to", "{who} is allergic to {value}"),)),
    ("y |ur ", r"\b(?:my|our) (?P<kin>(?:(?:older|younger|little|big|twin|eldest|oldest|youngest|new|best|"
     rf"late) )*(?:{PEOPLE}))(?<!s),? (?P<value>(?!(?-i:English|Irish|Indian|Swiss|Dutch|Chinese|Portuguese|Python|"
     r"Java|Teams|Google|Facebook|WhatsApp|Instagram|Slack|Excel|Zoom|Microsoft|Apple|"
     rf"Amazon)\b)(?-i:{NO_NAME}[A-ZÉÖÜÄÅØ][a-zà-ÿ-]*[a-zà-ÿ](?![\w])))(?='s\b|[.,;!?)]|$| (?!(?:and|or)\b "
     r"(?-i:[A-Z]))[a-z])", (says("{kin}_name", "{subject}'s {kin} is called {value}"),)),
)  # fmt: skip
"""Rows that match anywhere in a clause, in questions and requests too."""
