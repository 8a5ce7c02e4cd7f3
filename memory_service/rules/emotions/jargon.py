"""Phrases removed before feelings are read: technical ones with words of feelings ("kill the process", "the build
failed"), apologies of politeness, and verbs of what another person feels."""

from __future__ import annotations

from memory_service.rules.facts.clause_words import CAR_MAKES
from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.relatives import RELATIVES
from memory_service.rules.word_lists import DAY
from memory_service.text.late_pattern import compile_late

_ENDED = (
    r"process(?:es)?|jobs?|tasks?|threads?|servers?|services?|daemons?|pods?|containers?|sessions?|workers?|ports?|"
    r"query|queries|apps?|programs?|scripts?|commands?|connections?|tabs?|instances?|nodes?|transactions?|windows?|"
    r"terminals?|loops?|requests?|builds?|pipelines?"
)
"""Objects of "kill" and "restart"."""
_RUN = (
    r"builds?|tests?|suites?|jobs?|deploy\w*|requests?|query|queries|pipelines?|install\w*|scripts?|commands?|"
    r"compil\w+|"
    r"imports?|logins?|uploads?|downloads?|migrations?|assert\w*|checks?|ci|linter|connections?|calls?|updates?|"
    r"upgrades?|syncs?|backups?|code|programs?|functions?|methods?|modules?|api|endpoints?|validations?|"
    r"transactions?|payments?|parsers?"
)
"""Subjects of "fail", "break" and "crash"."""
_MACHINE = (
    r"servers?|laptop|computer|pc|phone|battery|washing machine|dishwasher|fridge|freezer|oven|"
    r"boiler|toaster|kettle|dryer|disk|drive|ssd|router|wi-?fi|internet|screen|monitor|charger|keyboard|"
    r"printer|engine|app|process|service|session|vm|node|cluster|database|website|site|browser|terminal|tablet|tv|link"
)
"""Subjects of "die" that are no living beings."""
_LINK = r"(?:[’']s| is| was| are| were| has| have| had| just| suddenly| finally| still| now| keeps| got| all){0,3}"
_SOME = r"(?:the |that |this |a |an |all |any |every |its |my |our |these |those |some )?"
_CAR = rf"{CAR_MAKES}(?: (?:{CAR_MAKES}|[\w-]{{0,8}}\d[\w-]{{0,8}}))?"
_NOT_BEHIND = (
    r"(?<!in )(?<!into )(?<!from )(?<!and )(?<!or )(?<!with )(?<!on )(?<!of )(?<!by )(?<!under )(?<!behind )"
)
"""Of a machine: "my friend in the car died" is no machine's end."""
_JARGON = compile_late(
    rf"(?i)\b(?:kill(?:s|ed|ing)? {_SOME}(?:\w+ )?(?:{_ENDED})|kill(?:s|ed)? (?:its|the) child(?:ren)?|kill switch|"
    rf"(?:parent|master|scheduler|kernel|watchdog) kills?|orphan(?:ed)? (?:process\w*|rows?|records?|files?|branch\w*)|"
    rf"dead[- ](?:code|links?|locks?|letters?|lines?|branch(?:es)?|ends?|keys?)|deadlocks?|"
    rf"(?:{_MACHINE}|{_RUN}){_LINK} (?:dead|d(?:ied|ies|ying)|fail(?:s|ed|ing|ures?)?|crash(?:e[sd]|ing)?|broken|"
    rf"panic(?:s|ked)|abort(?:s|ed)|terminat(?:es|ed))|"
    rf"{_NOT_BEHIND}(?:the|my|our|that) (?:old )?(?:(?:car|van|lorry|motorbike){_LINK} d(?:ied|ies|ying)|{_CAR}{_LINK} "
    r"d(?:ied|ies|ying)\b(?=[^.!?\n]{0,60}\b(?:scrapp(?:ed|ing) it|scrap ?yard|towed it|had it towed)\b))|"
    rf"(?:fail(?:ed|ing|s)?|broken|crash(?:ed|ing)|abort(?:ed|ing)?) {_SOME}(?:\w+ )?(?:{_RUN})|"
    rf"(?:(?:fatal|syntax|type|value|runtime|compiler?|server|network|parse|http|permission|import|index|build|"
    rf"segmentation|null pointer|internal|timeout|same|following|an?|the|any|no|this|that|another|these|some|getting|"
    rf"got|throws?|\d{{3}}) )?(?:errors?|exceptions?|faults?)(?: (?:messages?|codes?|handl\w+|logs?|pages?|rates?))?|"
    rf"bugs?|bug ?fix(?:es)?|buggy|debug\w*|(?:kernel|core) (?:panic|dump)s?|garbage[- ]collect\w+|abort(?:s|ed|ing)?|"
    rf"attack (?:surface|vector)s?|hostile (?:payload|input|text|request)s?|fork bombs?|force[- ]push\w*|"
    rf"race conditions?|memory leaks?|critical (?:paths?|sections?)|slave nodes?|crash(?:es|ed)?(?: dumps?| reports?)?|"
    rf"(?:cost|price|budget|detailed|full|quick|daily|weekly|monthly) breakdowns?|breakdowns? (?:of|by|per))\b"
)
_EAGER = compile_late(r"(?i)\b(?:dying (?:to|for)|(?:would|[’']d) kill for)\b")
_OF_OTHERS = compile_late(
    r"(?i)\b(?:hates|dislikes|detests|loathes|fears|dreads|worries|regrets|resents|loves|adores|enjoys|likes|misses)\b"
    r"(?! (?:me|us|my|our|that i|that we|how (?:i|we))\b)"
)
"""Verbs of what another person feels about something: these forms have no first person."""
_OTHERS = (
    r"(?:he|she|they|who|everyone|everybody|(?:the |my |our |his |her |one |a |only one )?(?:baby|child|kids?|children|"
    rf"toddler|newborn|{RELATIVES}|friend|bride|groom))"
)
_CRYING_OF_OTHERS = compile_late(
    rf"(?i)\b{_OTHERS}(?: (?:was|were|is|are|has been|also|even|just|almost|nearly|always|really)){{0,2}} "
    r"(?:cr(?:y|ies|ied|ying)|we(?:eps?|pt)|weeping|sobs?|sobb(?:ed|ing))\b|"
    r"\bcr(?:y|ied|ying) at (?:the|my|our|his|her|their) (?!funeral|grave|cemetery|hospital|doctor|vet|office|"
    r"clinic|idea|thought|news)\w+"
)
"""Tears of others, and at an event: of grief, pain or joy."""
_DISLIKE = compile_late(
    r"(?i)(?<=\bI )(?:(?:really|just|also|absolutely|kinda|generally) )?(?:hate|detest|loathe)(?= (?!(?:this|that|"
    r"these|those|it|my|our|his|her|him|he|she|their|them|they|you|your|me|myself|us|we|i|how|when|what|"
    r"where|why|who|the|a|an|everything|everyone|everybody|life|people|being|living|feeling|losing|having|seeing|work|"
    r"school|today|going|all|every)\b)[a-z][\w-]{1,20}(?: (?!so\b|right\b|today\b|now\b)[a-z][\w-]{1,20})?(?:[.,;]|$| "
    r"(?:and|or|but|between|because|since|with|in|on|as)\b)(?![^.!?\n]{0,80}(?:\bright now|\btoday|\bso much|!)))"
)
"""A lasting dislike of a kind of thing, which is no anger of the moment."""
_PHOBIA = compile_late(
    r"(?i)(?<!\bso )\b(?:afraid|scared|terrified|frightened) of (?=(?:flying|heights|spiders|snakes|dogs|cats|bees|"
    r"wasps|needles|the dark|thunder(?:storms)?|clowns|(?:deep |open )?water|lifts|elevators|crowds|bats|mice|rats|"
    r"insects|bugs|birds|horses|public speaking|driving|ghosts|(?:enclosed|tight) spaces|sharks|"
    r"escalators)\b(?![^.!?\n]{0,80}\b(?:today|tonight|tomorrow|right now|now|this (?:week|morning|evening)|on "
    rf"{DAY})\b))"
)
"""A lasting fear of a kind of thing, unless it meets it soon."""
_LOSS_OF_OTHERS = compile_late(
    rf"(?i)\b{_OTHERS}(?:[’']s|[’']re| is| are| has| have| lives?| was| were|[’']ve)\b(?! sad\b)(?:(?!\b(?:i|we|me|"
    r"us)\b)[^.!?\n]){0,40}?\b(?P<since>(?:ever )?since (?:(?:my|our|his|her|their|the) )?[\w'’-]{2,20} (?:died|"
    r"passed(?: away)?)\b)(?!(?:[^.!?\n]){0,60}\b(?:i|we|me|us)\b)"
)
"""An earlier death in a statement about another person: "she's alone since papa died"."""
_DEATH_OF_OTHERS = compile_late(
    r"(?i)\b(?:his|her|their) (?:[\w’'-]+ ){1,3}?(?:died|passed away)(?= (?:back )?in (?:19|20)\d\d\b| (?:\w+ "
    r"){1,2}years ago\b)(?![^.!?\n]{0,80}\b(?:i|we|me|my|our|mine)\b)"
)
"""A death long ago in another person's family: "her husband Josef died in 2004"; not "and she was my sister"."""
_BAD_FEELING = (
    r"(?:dread|fear|anxiety|panic|sadness|grief|anger|stress|worry|worries|guilt|loneliness|pain|depression|"
    r"nervousness|"
    r"nerves|tension|shame|frustration|heartache|sorrow|gloom|homesickness|burnout)"
)
_ENDED_FEELING = compile_late(
    rf"(?i)\b{_BAD_FEELING} (?:(?:is|are|was|were|has|have|had|[’']s|seems?|feels?) )?(?:(?:been|just|finally|all|"
    r"completely|totally|mostly|almost|pretty much|now|simply|slowly) ){0,2}(?:gone|over|vanished|disappeared|faded|"
    r"lifted|melted away|went away|left me|behind me)\b"
)
_HURT = (
    r"(?![^.!\n]{0,120}\b(?:hurt|forgiv\w+|regret\w*|ashamed|guilty|cruel|horrible|awful|terrible|drunk|myself|shouted|"
    r"yelled|screamed|cried|lied|cheated|goodbye|last night|could I (?:do|have)|have I done|did I do|ever|proud)\b)"
)
"""Not in the rest of the sentence: words of what one regrets."""
_APOLOGY = (
    rf"{_HURT}(?:(?:I['’]?m|I am|my) )?(?:(?:so|very|really|terribly|sincere) )?(?:sorry|apologies|apologi[sz]e|"
    r"excuse me|pardon(?: me)?|my (?:bad|mistake))"
)
_OF_TEXT = (
    r"(?:typos?|delays?|replies|reply|response|answer|confusion|questions?|english|spelling|grammar|messages?|texts?|"
    r"posts?|rant(?:ing)?|rambling|formatting|inconvenience|interruption|spam|noise|misunderstanding|caps|paste|"
    r"wording|phrasing|info|details)"
)
_POLITE = compile_late(
    rf"(?i)\b{_APOLOGY}(?:[,.:;!–-]{{0,3}} (?:but )?(?:I (?:mean|meant|misspoke|mistyped|misread|misheard|"
    r"misunderstood|mixed|typed|wrote|meant to|should(?: have|['’]ve) (?:said|written|mentioned|specified)|"
    r"forgot to (?:say|mention|add|attach|paste|include)|got (?:that|it|this|them) (?:wrong|mixed)|"
    r"(?:didn['’]?t|did not|don['’]?t) (?:catch|get|understand|follow) (?:that|it|this|you|what))\b|not (?!to\b|"
    r"about\b|for\b|being\b)[\w'’-]+(?:,| but) |(?:that was a )?typo\b|correction\b|"
    r"auto-?correct\b|scratch that\b|make that\b|wrong (?:chat|window|file|link|button|number|"
    r"name|word|one|thread|date)\b|(?:what|who|where|when|which|how|can|could|would|will|do you|did you|does|is (?:it|"
    r"that|there|this)|are there|any)\b[^.!?\n]{0,80}\?)|\s?\?|"
    r" (?:again )?to (?:bother|ask|interrupt|disturb|trouble|nag|insist|repeat|ramble|rant|spam|bug|butt|jump|dump|go "
    r"off|change the|keep (?:asking|bothering|bugging)|be (?:a (?:pain|bother|nuisance)|picky|pedantic|that guy|"
    rf"unclear))\b| (?:again )?(?:for|about) (?:(?:the|my|all|this|these|that|any|such|an?|being) )*(?:[\w-]+ ){{0,2}}?"
    rf"(?:{_OF_TEXT}|asking|bothering|unclear|off[- ]topic|rambling)\b| in advance\b| if (?:(?:this|that|it)(?:['’]s|"
    r" is| sounds| seems| has| was (?:already|asked))|I\b(?! was\b))[^.!?\n]{0,40}\b(?:question|stupid|dumb|obvious|"
    r"basic|silly|off[- ]topic|unclear|long|confusing|asked)\b)|"
    r"^\W*(?:(?:oh|ah|ugh|no|wait|oops|hm+|er+m?),? )*sorry[,:–-]{1,2} (?:(?:the|an?|in|on|at) )?(?!(?:sorry|so|very|"
    r"not|no|mum\w*|mom\w*|dad\w*|grand\w+|gran|granny|love|babe|baby|honey|darling|dear|mate|bro|sis|sister|brother|"
    r"son|dude|man|buddy|pal|friend|sweet\w*|guys|folks|all|my|old|little|i|every(?:one|body))\b|"
    rf"{GIVEN_NAME})[\w.:’'-]+(?: (?!sorry\b)"
    r"[\w.:’'-]+)?[\s.!]*$|(?<=safe than )sorry\b|\bsorry not sorry\b|(?<=typo[,.] )sorry\b|"
    r"\b(?:entschuldigung|sorry|tut mir leid|désolée?|pardon|perdón|lo siento|scusa)[,.!]? (?:ich mein(?:t)?e|"
    r"tippfehler|je voulais dire|qu(?:ería|eria|ise) decir|volevo dire)\b"
)
"""Of a correction, a question or a chat's manners: "sorry, I meant Roche", "sorry to bother you"; no remorse."""
_APOLOGIES = ("sorry", "apolog", "excuse me", "pardon", "my bad", "my mistake", "entschuld", "leid", "désol", "perdón",
              "siento", "scusa")  # fmt: skip
_HINTS = (
    "kill", "orphan", "dead", "die", "dying", "fail", "crash", "broke", "panic", "abort", "terminat", "error",
    "exception", "fault", "bug", "dump", "garbage", "attack", "hostile", "bomb", "force", "race", "leak", "critical",
    "slave", "breakdown",
)  # fmt: skip
"""Substrings of which each such phrase has at least one."""


def without_feelings_of_others(text: str) -> str:
    """Return the text without verbs of what another person feels ("my daughter hates broccoli"), without the tears
    ("one child cried") and losses of others, and without lasting dislikes and fears of the writer."""
    lowered = text.lower()
    if "hate" in lowered or "detest" in lowered or "loathe" in lowered:
        text = _DISLIKE.sub("", text)
    if "ed of" in lowered or "afraid of" in lowered:
        text = _PHOBIA.sub("", text)
    if "since" in lowered:
        text = _LOSS_OF_OTHERS.sub(lambda match: match[0][: match.start("since") - match.start()], text)
    if "died" in lowered or "passed" in lowered:
        text = _DEATH_OF_OTHERS.sub(" ", text)
    if "cr" in lowered or "we" in lowered or "sob" in lowered:
        text = _CRYING_OF_OTHERS.sub(" ", text)
    return _OF_OTHERS.sub(" ", text)


def without_polite_apologies(text: str) -> str:
    """Return the text without apologies of a correction or of politeness ("sorry, I meant Roche", "sorry, what?")."""
    lowered = text.lower()
    for word in _APOLOGIES:
        if word in lowered:
            return _POLITE.sub(" ", text)
    return text


def with_ended_feelings(text: str) -> str:
    """Return the text with "relieved" for a bad feeling that is over ("the dread is just gone")."""
    return _ENDED_FEELING.sub("relieved", text)


def without_jargon(text: str) -> str:
    """Return the text without its technical phrases; "dying to" becomes "eager to"."""
    lowered = text.lower()
    for hint in _HINTS:
        if hint in lowered:
            return _EAGER.sub("eager to", _JARGON.sub(" ", text))
    return text
