"""Normalization of informal English before patterns: case of "i", apostrophes, discourse markers, tags, emoji."""

from __future__ import annotations

import re

from memory_service.rules.facts.given_names import GIVEN_NAME
from memory_service.rules.facts.patterns import NO_NAME, SUBJECTS, THINGS
from memory_service.rules.relatives import KIN, OF_ONE, SEVERAL_OF_ONE, SEVERAL_OF_OTHERS
from memory_service.rules.word_lists import DAY, LANGUAGES
from memory_service.text.late_pattern import LatePattern, compile_late
from memory_service.text.text_cache import text_cache

_CONTRACTIONS = {
    "im": "I'm", "ive": "I've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't",
    "wont": "won't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "havent": "haven't",
    "hasnt": "hasn't", "wouldnt": "wouldn't", "couldnt": "couldn't", "shouldnt": "shouldn't", "thats": "that's",
    "whats": "what's", "hes": "he's", "shes": "she's", "weve": "we've", "theyre": "they're", "youre": "you're",
    "theres": "there's", "gonna": "going to", "wanna": "want to", "gotta": "have to", "u": "you", "ur": "your",
    "bc": "because", "cuz": "because", "coz": "because", "cos": "because", "cause": "because", "rn": "right now",
    "w": "with", "w/": "with", "ppl": "people", "fave": "favourite", "bday": "birthday", "bf": "boyfriend",
    "gf": "girlfriend", "yo": "years old", "atm": "at the moment", "tmrw": "tomorrow", "kinda": "kind of",
    "sis": "sister", "bro": "brother", "veggie": "vegetarian", "vego": "vegetarian", "n": "and",
    "alergic": "allergic", "allergc": "allergic", "allergick": "allergic", "alergy": "allergy", "alergies": "allergies",
}  # fmt: skip
_CONTRACTED = LatePattern(
    r"(?i)(?<![\w’'./@#%$\\-])(?:"
    + "|".join(sorted(_CONTRACTIONS, key=len, reverse=True))
    + r")(?![\w’'@]|[./-]\w)"
)
_ONLY_LOWER = frozenset({"u", "w", "n", "yo", "cause", "cos", "sis", "bro", "veggie"})
"""Words of careful writing too, or names, when a capital begins them."""
_NOUN_TOO = {
    "cause": compile_late(
        r"\b(?:the|a|an|good|root|main|of|this|that|will|can|could|may|might|not|you|probable|likely|exact|actual|"
        r"real|true|possible|underlying|common|usual|immediate|noble|worthy|my|your|his|her|our|their|its|no|any|some|"
        r"what|which|for|to|find|identify|determine) $"
    ),
    "yo": compile_late(r"(?!.*\d ?$)"),
    "bro": compile_late(r"(?!.*\b(?:my|his|her|our) $)"),
    "sis": compile_late(r"(?!.*\b(?:my|his|her|our) $)"),
}
"""Words before which the word is left unchanged."""
_ID = LatePattern(r"(?<![\w’'])[Ii]d(?= (?:love|like|rather|prefer|say|want|been|never|have|be)\b)")
_NUMBERED = LatePattern(r"^\d{1,2}\) (?=\w)")
_TITLE = LatePattern(r"(?<!\w)(Dr|Mr|Mrs|Ms|Prof|St|Ste|Mt)\.(?= [^\W\d_])")
_APART = LatePattern(r"(?i)(?<=\w)\s([’'])\s?(?=(?:ll|m|ve|re|d|s|t)\b)")
_LOWER_I = LatePattern(r"(?<![\w.’'/-])i(?=[’' ]|$|[,;])")
_MY = LatePattern(r"(?<![\w’'])(?:My|MY)(?= )")
_WE_OUR = LatePattern(r"(?<![\w’'.])(?:We|Our)(?=[’' ])")
_EMOJI = LatePattern(
    "[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+|(?<!\\w)(?:[:;]-?[)(DPp/]|<3|xD|XD)(?!\\w)"
)
_MARKERS = LatePattern(
    r"(?i)(?:^|(?<=[\s,(]))(?:lol|lmao|rofl|haha(?:ha)*|hehe|tbh|ngl|imo|imho|btw|fyi|fwiw|afaik|iirc|smh|omg|ugh|"
    r"meh|yk|innit|mate|dude|man)(?=$|[\s,.!?;:)])[,.!]*(?! \d)"
)
_MARKER_WORDS = frozenset(
    """
    lol lmao rofl tbh ngl imo imho btw fyi fwiw afaik iirc smh omg ugh meh yk innit mate dude man
    """.split()  # noqa: SIM905
)
_NOT_A_MARKER = LatePattern(
    r"(?i)\b(?:a|an|the|my|best|old|young|this|that|your|his|her|class|soul|team|room|"
    r"call(?:s|ed|ing)? (?:me|us|you|him|her|them)|called)\s$"
)
_SAYS_MORE = LatePattern(r"(?i) (?:it|that)(?:['’]?s| is| feels| looks| sounds| makes| was| reminds)\b")
"""Begins a remark behind a marker: "no caps lol it feels like shouting"."""
_TAG = LatePattern(
    r"(?i)[,;]? (?:right|you know|y'?know|remember|yeah|yes|no|ok(?:ay)?|eh|huh|see|isn'?t it|you see|of course|"
    r"obviously|actually|by the way|anyways?|though|for the record|just so you know|for your information|"
    r"in case you(?:'re| are) wondering|if that helps|if that matters|if it matters|if that's relevant|"
    r"if you(?: (?:need|want) to|'re| are)? (?:know|remember|curious))\s*(?P<end>[?.!…]*)$"
)
_LEAD_WORDS = (
    r"oh|so|well|ok(?:ay)?|yeah|yes|yep|yup|no|nope|nah|he+y+|hi+|hello|hiya|and|but|also|plus|btw|by the way|actually|"
    r"anyways?|alright|right|sure|great|cool|nice|thanks(?: a lot| so much| again)?|thank you(?: so much| "
    r"very much)?|thx|ty|hmm+|ah+|aw+|um+|uh+|er+m?|"
    r"honestly|frankly|basically|obviously|unfortunately|sadly|luckily|fortunately|thankfully|apparently|admittedly|"
    r"fyi|for context|for the record|for background|for reference|for info|for what it[’']s worth|just so you know|"
    r"just to (?:be clear|add|clarify)|to be (?:honest|fair|clear|precise)|in fact|as (?:a reminder|I said|I "
    r"(?:think )?mentioned|you know|I told you|a side note|it happens|it turns out)|like I said|(?:as|like) I (?:said|"
    r"told you) (?:before|earlier|last time)|side note|small (?:thing|update|note|correction)|quick (?:update|note|"
    r"question|one|background|thing)|good news|bad news|big news|update|correction|background|context|note|reminder|"
    r"p\.?s\.?|fun fact|random(?: fact)?|one (?:more )?thing|another thing|first(?:ly)?|second(?:ly)?|finally|lastly|"
    r"the thing is|thing is|fact is|the truth is|turns out|it turns out|guess what|you see|look|listen|I mean|you know|"
    r"wait|no wait|oops|sorry|my bad|please|speaking of (?:which|that)|on (?:that|another) note|in case (?:it|"
    r"that) (?:helps|matters)|if it helps|if that helps|funny (?:enough|thing is)|to (?:give you )?(?:some "
    r")?(?:context|background)"
)
_TELLING = (
    r"(?:please |do |kindly |you should |just )*(?:remember|note|keep in mind|bear in mind|know|be aware|"
    r"don[’']t forget)(?: please)?(?: that|,|:)|"
    r"(?:I )?(?:just |also |already )*(?:should|forgot to|wanted to|must|need to|have to|can) (?:also |just |"
    r"probably )?(?:mention|say|add|tell you|point out|note|let you know|warn you)(?: that|,|:)?|"
    r"(?:I )?(?:think |believe )?(?:I(?:[’']ve| have)? )?(?:already |just |might have |may have )?(?:mentioned|"
    r"told you|said)(?: (?:before|earlier|already|last time|once))?(?: that|,)|did I (?:mention|tell you|"
    r"say)(?: that)?|have I (?:mentioned|told you)(?: that)?|you (?:may|might|probably|already) (?:already )?(?:know|"
    r"remember)(?: that)?|you (?:should|must|need to|have to|ought to) (?:also )?know(?: that)?|do you remember(?: "
    r"that)?|you know(?: that)?|guess what[,!:]|the (?:reason|thing|"
    r"problem) is(?: that)?|it[’']s (?:just )?(?:that|because)|I(?:[’']m| am) (?:happy|glad|proud|pleased|excited|"
    r"sorry|sad|afraid) (?:to say|to report|to tell you|to announce)?(?: that)?(?= (?:I|we|my)\b)|"
    r"I (?:just )?(?:realised|realized|found out|learned|noticed)(?: that)?(?= (?:I|we|my)\b)|"
    r"(?:I )?(?:officially|finally) have to (?:say|admit)(?: that)?|I (?:have to |must )?(?:admit|confess)(?: that)?"
)
_NOT_OF_SPEAKER = (
    rf"{KIN}|friends?|mates?|boss|manager|supervisor|mentor|coach|colleagues?|co-?workers?|(?:flat|house|room)mates?|"
    r"neighbou?rs?|teacher|tutor|landlord|landlady|team|kids?|twins|parents|clients?|customers?|users?|vendor|supplier|"
    r"staging|test|dev|prod|todos?|to-dos?|plan|idea|log|changelog|release(?:-notes)?|commit|readme|docs"
)
"""Labels before a change of a version that is not the speaker's, or not made."""
_LEAD = LatePattern(
    rf"(?i)^(?:(?:{_LEAD_WORDS})(?:\s*[,:;.!…–—-]+\s*|\s+(?=(?:{_LEAD_WORDS})\b)|\s+(?=(?:I|we|my|our|me)\b|"
    rf"(?:please |just )?call me [a-zA-Z]+(?:$|[.!]| (?:please|pls|instead)\b)|"
    rf"it[’']s\b))|(?:{_TELLING})\s+|"
    rf"(?!(?:{_NOT_OF_SPEAKER})\b)(?-i:[a-z])[\w-]{{2,24}}:\s+(?=(?:(?:just|finally|now) "
    r"){0,2}(?:upgraded|migrated|bumped|switched) to (?:\w+ ){1,2}v?\d))+"
)
_ASKS_WHETHER_KNOWN = LatePattern(r"(?i)\b(?:did I|have I|do you remember|you (?:\w+ )?(?:know|remember))\b")
_ADDRESSED = LatePattern(
    r"^(?:(?:[Hh]ey|[Hh]i|[Hh]ello|[Tt]hanks|[Oo]k(?:ay)?|[Yy]es|[Nn]o) [A-Z]\w+)\s*[,!.]\s*"
)
_ELIDED = LatePattern(
    r"(?i)^(?:(?:just|recently|finally|still|currently|also|now|officially|actually|already|only) )*(?:(?:moved|"
    r"switched|relocated|migrated|upgraded|bumped) (?:from|to|in|back|over|house|out|everything|all)\b|"
    r"(?:started|quit|left|lost|joined|adopted|became|got) (?:rid of|a|an|my|new|at|as|with|engaged|married|promoted|"
    r"laid|fired|divorced|the job|two|our)\b|(?:went|gone) (?:fully )?(?:vegan|vegetarian|veggie|keto|"
    r"pescatarian)\b|(?:bought|sold) (?:a|"
    r"an|my|our|the)\b|(?:allergic|intolerant) to\b|working (?:as|at|for|in|from)\b|"
    r"(?:live|living|based) in\b|grew up (?:in|on|near)\b|work (?:as|at|for|in|from)\b|"
    r"been (?:an?|in|vegan|vegetarian|living|working|learning|playing|using|doing|married|with)\b|(?:can[’']t|"
    r"don[’']t|won[’']t) (?:eat|drink|stand|like|drive|smoke|do)\b|"
    r"(?:love|hate|own) (?=\w)|(?<=[a-z] )on (?=(?:[\w.+#-]+ ){1,2}v?\d)|not (?:a (?:big |huge )?fan of|into)\b|"
    r"(?:traded|swapped|exchanged|ditched|dropped|replaced) (?:the|my|our|a|an|[A-Z]\w+)\b|(?:passed|aced) my\b|"
    r"changed (?:jobs|banks?|"
    r"doctors?|insurance|schools?|gyms?)\b|signed up (?:for|to)\b|got (?:the|hired|accepted)\b|starting (?:at|as|"
    r"with) (?:the|a|an|my|[A-Z])|haven[’']t (?:smoked|touched|drunk|eaten)\b|quit (?!(?:it|that|this|while)\b)\w+|"
    r"not (?:vegan|vegetarian|single|married|pregnant)\b|"
    r"(?:started|begun|began) (?:smoking|drinking|eating [\w ]{2,20}) again\b|(?:back on|gave up on|given up on|"
    r"giving up on) "
    r"(?=\w)|"
    r"(?:eating|drinking|smoking)\b[\w ]{0,40} (?:again|(?:sometimes|occasionally|regularly) now)(?=$|[.,;!])|left "
    r"(?-i:[A-Z])[\w-]+, now\b|"
    r"(?:handed in|put in|gave|gave in) my (?:\w+ weeks?['’]? )?notice\b(?! (?:to|of|on|period)\b)(?!.*\b"
    r"(?:landlord|landlady|flat|apartment|house|tenancy|lease|gym|club|band|choir)\b)|resigned from (?!the |my )|"
    r"accepted (?:a|the) job (?:offer|at)\b|"
    r"(?:dating|seeing) (?:someone|somebody)(?: new)?,? (?:called |named )?(?-i:[A-Z]))"
)
_HABIT = LatePattern(
    r"(?i)^(?:(?:still|currently|already) (?:use|prefer|play|have|speak|teach|study) (?=\w)|"
    r"(?:(?:just|also|now|actually|only) )*(?:"
    r"prefer (?!(?:it|this|that|these|those|to|not|the (?:\w+ one|first|second|"
    r"third|last|latter|former|other|same|old|new))\b)(?=\w)|teach (?:year \d+|[a-z]+) (?=(?:in|at) )|"
    rf"(?:use|play|have|speak|teach|study) (?=.*(?:\b(?:at (?:home|work|school|uni|university|the office)|in "
    rf"the office|every ?(?:day|week|month|{DAY}|morning|evening|weekend)|on (?:{DAY}s|weekends?)|mostly|mainly|"
    r"sometimes|(?:in|for|on) (?:all|most)(?: of)? (?:my|our) "
    r"(?:side |own |personal )?(?:projects|repos|apps|servers|machines)|"
    r"since (?:(?:19|20)\d\d|last|years|school|childhood)|(?:for|these) (?:\w+ ){0,2}(?:days|weeks?|months?|"
    r"years?|ages)|nowadays|at the moment|all the time|myself|personally)\b|\bdaily[.!]*$))|"
    r"play (?!(?!the (?:piano|guitar|bass|violin|viola|cello|flute|clarinet|sax\w*|trumpet|drums|organ|harp|ukulele)\b)"
    r"(?:music|songs?|something|sounds?|audio|videos?|nice|fair|dumb|safe|devil\w*|back|along|dead|with|for|it|"
    r"this|that|me|my|your|the|an?|some|another)\b)(?-i:[a-z])[a-z ]{2,30}(?=$|[.,;!])|"
    rf"speak (?:{LANGUAGES})(?:, (?:{LANGUAGES}))*,? and (?:\w+ ){{0,2}}(?:{LANGUAGES})(?![\w-])|"
    rf"study (?:{SUBJECTS})(?![\w-])|have (?:(?:an?|two|three|four|five|\d|no) (?:[\w-]+ ){{0,2}}?)?(?:{THINGS})"
    r"(?![\w-])))(?!.*\b(?:instead|here|for (?:this|the|that|these|me)|"
    r"in this (?:file|class|function|test|case)|this time|(?:to|with) me)\b)"
)
"""Base forms that are imperatives too: only with a sign of habit, or an object that no order has. Not "use Redis"."""
_POLITE = LatePattern(r"(?i)(?:^|\s)(?:pls|plz|please)[\s.!]*$")
"""In a request, which lacks no subject: "use celsius pls"."""
_PARTICIPLE = LatePattern(
    r"(?i)^(?:(?:just|recently|finally|still|currently|also|now|officially|actually|already|only) "
    r")*(?:on|allergic|intolerant|working|living|based|not|starting|eating|drinking|smoking|back|dating|seeing|giving "
    r"up)\b"
)
_HERE = LatePattern(
    r"(?i)^(?P<what>vegan|vegetarian|coeliac|celiac|diabetic|lefty|left-handed|nurse|teacher|dad|mum|mom|"
    r"student|beginner) here\b"
)
_PLACE_WORD = LatePattern(
    r"\b(?:move[ds]? to|moving to|moved back to|live in|lives in|living in|based in|been in|(?:I[’']m|I "
    r"am|we[’']re|is) from|quit(?! (?:coffee|caffeine|sugar|alcohol|meat|dairy|gluten|smoking|drinking|vaping|nicotine|"
    r"tea|wine|beer|soda|cola|chocolate|sweets|bread|cheese)\b)|"
    r"originally from|born in|grew up in|called|named|name is|name[’']s)\s+(?P<name>[a-z][\w’'-]*(?: [a-z][\w’'-]*)?)"
)
_NAME_FIRST = LatePattern(
    r"^(?:(?:ok|so|and|well|yeah) )*(?!(?:he|she|it|this|that|here|there|what|who|which|where|how|when|why|they|today|"
    r"tomorrow|so|and|ok|but|one|well|yeah)\b)(?P<name>[a-z]+)(?= is my (?:new )?(?:\w+friend|"
    rf"{KIN}|manager|flatmate|best)\b)|(?<=^me and )[a-z]+(?= "
    r"(?:are|broke|split|got|have)\b)|"
    rf"(?<=\bbroke up with ){GIVEN_NAME}(?![\w'-])|"
    rf"^{GIVEN_NAME}(?= and I (?:just |finally |have )?(?:broke|broken|split|separated|got (?:married|engaged|"
    rf"divorced)|are (?:now |officially )?(?:an item|a couple|together|dating|engaged|married))\b)|^{GIVEN_NAME}(?= "
    r"(?:just |has |finally )*(?:dumped me|broke up with me)(?:$|[.,;!]| (?:last|yesterday|today|by|over|for|after|"
    rf"and|because)\b))|^{GIVEN_NAME}(?: (?!(?:has|is|just|who|and|also|never|finally|already|recently|"
    r"almost)\b)[a-z]{2,14})?(?= (?:has |just )*(?:retired|left the (?:company|firm|practice|team))(?:$|[.,;!]| "
    r"(?:last|this|in|yesterday|today|now|and)\b))|^(?!(?:he|she|it|they|you|who|mum|mom|dad|someone|everyone|"
    r"nobody)\b)[a-z]{2,12}(?= (?:is|are) eating (?:meat|fish|eggs|dairy|cheese|chicken|seafood) (?:now|again)\b)"
)
_MONTH_OF_MAY = LatePattern(
    r"\bmay(?= \d{1,2}(?:st|nd|rd|th)?\b)|(?:(?<=\d )|(?<=\dst )|(?<=\dnd )|(?<=\drd )|(?<=\dth ))may\b"
    r"(?! (?:be|have|not|need|well)\b)"
)
"""The month, not the verb, which makes a sentence doubtful."""
_KIN = rf"(?:{KIN}|flatmate|housemate|manager|friend|mate|colleague)"
_IS_WITHOUT_APOSTROPHE = LatePattern(
    rf"(\b(?:my|our) (?:(?:new|old|little|big|lil) )?(?:{_KIN}|phone|laptop|birthday|name|car|bike|job|favourite))s "
    r"(?=(?:an?|called|named|from|allergic|vegan|vegetarian|between jobs|in hospital|the \d+\w*|\d+(?:st|nd|rd|th)?)\b)"
)
""" "my roommates a night nurse" is about one roommate."""
_KIN_NAME = LatePattern(
    rf"(?<=\bmy )(?:(?:new|little|big|lil|older|younger|best) )?{_KIN} (?!(?:[a-z]+ly|[a-z]+ed|[a-z]+ing|and|just|also|"
    r"now|always|never|still|who|really|already|then|only|even|once|maybe|here|there|online|too|often|sometimes|both|"
    r"all|might|may|must|should|shall|cannot|kind|that|this|with|from|for|but|so|or|if|when|because|she|he|they|i|got|is|has|was|had|said|says|told|"
    r"keeps?|does|did|will|would|could|can|lives?|works?|wants?|thinks?|loves?|hates?|to|in|at|on|of|about|as|not|no|"
    r"today|yesterday|back|home|the|a|an|my|our|his|her|moved|left|came|went|made|gave|died|food|hair|sitter|walker|trainer|minder|"
    r"groomer|owner|lover|group|circle|bed|bowl|flap|litter|insurance|support|request|house|"
    r"place|car|doesn't|isn't|can't|won't|never|again|actually|group|team|job|says|toys?|vet|tree|friends?|mates?|tag|"
    r"collar|leash|lead|park|school|shelter|breed|breeder|cafe|show|carrier|cage|crate|pee|poo|poop|bite|chew|treats?|"
    r"post|tower|box|door|ears?|tail|paws?|fur|shampoo|brush|walks?|nap|blanket|videos?|photos?|pics?|pictures?|account|"
    r"phone|laptop|email|number|app|guilt|jokes?|bod|voice|jeans|life|mode|cave|room|flat|zone|lady|person|people|"
    rf"thing|situation|problem|issue|stuff|business|training|class|kennel|hotel|pound|allergy|{_KIN}"
    r")\b)([a-z]{3,12})(?= (?:says?|said|"
    r"got|is|has|was|lives?|works?|thinks?|wants?|went|told|came|had|loves?|hates?|moved|plays?|made|does|and I|"
    r"can't|cannot|won't|isn't|doesn't|didn't|just (?:got|had|started|moved|turned|left|quit|lost|bought|broke|"
    r"finished|became|passed))\b|'s |, \d{1,2}(?=,| ))"
)
"""A name in lower case between a kind of person and a verb: "my sister hana says"."""
_NO_NAME_WORD = frozenset(
    """
    a an the my our his her their your this that these those home here there work school bed with and but or
    so since for now in on at by from to near as of because again alone together out back up down it me you
    him them us we i another one two three last next every some any no not just after before until when where
    while who which also too too right lately currently yesterday today tomorrow atm finally flat house
    apartment small big little very over around about during if is are was has have had town city village
    countryside suburbs different new germany's lol tbh btw myself ourselves then than though although still
    anymore permanently full part time fear pronounced spelled spelt written tho don't please until
    """.split()  # noqa: SIM905
)

_WORD_ORDER: tuple[tuple[str, LatePattern, str], ...] = (
    (
        " any",
        LatePattern(
            r"(?i)\b(?:do not|don't|does not|doesn't) (live|work|study|train) "
            r"any ?(?:more|longer) (?=(?:in|at|for|with|on)\b)"
        ),
        r"no longer \1 ",
    ),
    (
        "e ",
        LatePattern(
            rf"(?i)(?<=\bmy )({_KIN}(?: (?-i:[A-Z])\w+)?) (?:he|she) (?=(?:is|has|was|works|lives|can|does)\b)"
        ),
        r"\1 ",
    ),
    (
        " myself ",
        LatePattern(r"\bI myself (?=(?:am|live|work|have|use|study|drive|eat|drink|prefer|play|speak)\b)"),
        "I ",
    ),
    (
        "since ",
        LatePattern(
            r"(?i)\b(liv|work|study|learn)(ing|e|es|s|)( since (?:\w+ ){1,2}(?:years?|months?|weeks?)) "
            r"((?:in|at|for) [^,.;!?]+)"
        ),
        r"\1\2 \4\3",
    ),
)
"""Word orders of other languages: "I do not work any more in", "my husband he is", "living since two years in"."""


@text_cache(512)
def plainly(sentence: str) -> str:
    """Return the sentence in careful writing: "im vegan btw lol" becomes "I'm vegan".

    Capitals of names are restored only behind words that a place or name follows ("i live in leeds").
    """
    text = sentence.replace("’", "'")
    if " @ " in text:
        text = text.replace(" @ ", " at ")
    if not text.isascii() or ":" in text or ";" in text or "<3" in text:
        text = _EMOJI.sub(" ", text)
    if ". " in text:
        text = _TITLE.sub(r"\1", text)
    text = _NUMBERED.sub("", text.strip().strip("*_~#>•- \t")).strip()
    if " '" in text:
        text = _APART.sub(r"\1", text)
    lowered = text.lower()
    careless = text == lowered or (lowered[0:1] != text[0:1] and re.match(r"(?:Im|Ive) ", text) is not None)
    words = set(re.findall(r"[\w/]+", lowered))
    if not words.isdisjoint(_CONTRACTIONS):
        text = _CONTRACTED.sub(_contraction, text)
    if "id" in words:
        text = _ID.sub("I'd", text)
    if "may" in words:
        text = _MONTH_OF_MAY.sub("May", text)
    text = _MY.sub("my", _LOWER_I.sub("I", text))
    text = _WE_OUR.sub(lambda match: match.group().lower(), text)
    if not words.isdisjoint(_MARKER_WORDS) or "haha" in lowered or "hehe" in lowered:
        text = _MARKERS.sub(_marker, text).replace(" ,", ",")
    text = " ".join(text.split()).strip(" ,;")
    for part, order, plain in _WORD_ORDER:
        if part in text:
            text = order.sub(plain, text)
    text = _shortened(text, _ADDRESSED, _LEAD)
    if ", my " in text:
        text = _APPOSED.sub(r"my \2 \1", text)
    while match := _TAG.search(text):
        text = text[: match.start()] + (match["end"].replace("?", "") if match.start() else "")
    if match := _HERE.match(text):
        what = match["what"]
        article = (
            "a " if what in ("nurse", "teacher", "dad", "mum", "mom", "student", "beginner", "lefty") else ""
        )
        text = f"I'm {article}{what}{text[match.end() :]}"
    if (_ELIDED.match(text) or _HABIT.match(text)) and not _POLITE.search(text):
        be = "I'm " if _PARTICIPLE.match(text) else "I "
        if text[:5].lower() in ("been ", "gone "):
            be = "I've "
        text = be + text[:1].lower() + text[1:]
    if careless:
        text = _IS_WITHOUT_APOSTROPHE.sub(r"\1's ", text)
        text = _KIN_NAME.sub(_kin_name, text)
        if match := _CALL_ME.match(text):
            asks = text[: match.start("name")].replace("pls ", "please ")
            text = f"{asks}{match['name'].capitalize()}{text[match.end() :]}"
        text = _PLACE_WORD.sub(_named, text)
    if careless or (lowered[0:1] == text[0:1] and " and I " in text):  # "finn and I are a couple"
        text = _NAME_FIRST.sub(lambda match: (match["name"] or match.group()).title(), text)
    return text


_APPOSED = LatePattern(
    rf"^({NO_NAME}[A-Z][a-zà-ÿ-]+), my ((?:best )?(?:{SEVERAL_OF_ONE}|{SEVERAL_OF_OTHERS}|{OF_ONE})),"
    r"(?= (?:has|is|was|works|lives|takes|can't|no longer)\b)"
)
"""A name before its role: "Lucy, my best friend, has asthma"."""
_CALL_ME = LatePattern(
    r"^(?:(?:please|pls|just|you can) )*(?P<call>call me )(?!(?:back|later|now|again|first|maybe|when|if|any\w*|"
    r"some\w*|to\w+|asap|please|old|up|out|at|on|in|by|a|an|the|my|what\w*|names?|crazy|lazy|paranoid|cynical|naive|"
    r"picky|stupid|dumb|weird|boring|biased|petty|jaded|spoiled|mad|nuts|insane|fussy|greedy|cheesy|corny|geeky|nerdy|"
    rf"basic|sensitive|dramatic|blessed|impressed|selfish|jealous|cheap|daft|(?i:{DAY})|noon|tonight|whenever|wherever|as|"
    r"idiot|rude|evil|fat|ugly|mean|cruel|thick|slow|dense|gross|nasty|toxic|vain|bossy|clumsy|messy|grumpy|moody|nosy|"
    r"pushy|needy|clingy|lame|loser|liar|monster|witch|bitch|asshole|jerk|fool|moron|dick|prick|bastard|freak|geek|"
    r"nerd|snob|prude|pig|cow|dog|chicken|coward|wimp|psycho|slut|whore|cunt|twat|wanker|nothing|nobody|short|tall|"
    r"thin|skinny|gay|cold|arrogant|ignorant|pedant|strict|dirty|angry|trash|useless|hopeless|simple|soft|weak|tough|"
    r"mental|extra|difficult|annoying|silly|sad|bad|wrong|right|out|over|that|this|it|him|her|soon|before|after|"
    r"\w{3,}(?:ed|ing|ful|ous|ical|istic|ish|less|ist|ive|able|ible)|\w{4,}ly)\b)(?P<name>[a-zà-ÿ]{2,12})(?=$|[.!]| "
    r"(?:please|pls|instead)\b|,? not [a-z]+$)"
)
"""A wish in lower case to be called by a name, the whole sentence; what others call is often an insult."""


def _kin_name(match: re.Match[str]) -> str:
    return match.group()[: match.start(1) - match.start()] + match[1].capitalize()


def _contraction(match: re.Match[str]) -> str:
    word = match.group()
    lowered = word.lower()
    if lowered in _ONLY_LOWER and word != lowered:
        return word
    before = match.string[: match.start()]
    other = _NOUN_TOO.get(lowered)
    if other is not None and (other.search(before) if lowered == "cause" else other.match(before)):
        return word
    return _CONTRACTIONS[lowered]


def _marker(match: re.Match[str]) -> str:
    before = match.string[: match.start()]
    if _NOT_A_MARKER.search(before):
        return match.group()
    joins = match.group().endswith(",") or _SAYS_MORE.match_at(match.string, match.end()) is not None
    return "," if joins and before.rstrip()[-1:].isalnum() else ""


def _shortened(text: str, *leads: LatePattern) -> str:
    """Remove the phrases that introduce a statement, as long as words are left."""
    for _ in range(4):
        before = text
        for lead in leads:
            if (match := lead.match(text)) and match.end() < len(text):
                asks = _ASKS_WHETHER_KNOWN.search(match.group())
                text = text[match.end() :]
                if asks and text.endswith("?"):
                    text = text.rstrip("?! ")
        if text == before:
            break
    if text[:1].isupper() and text.split(" ", 1)[0].rstrip(",") in ("My", "We", "Our"):
        text = text[:1].lower() + text[1:]
    return text


def _named(match: re.Match[str]) -> str:
    first, _, second = match["name"].partition(" ")
    new_city = first == "new" and second in (
        "york",
        "orleans",
        "delhi",
        "zealand",
        "jersey",
        "mexico",
        "haven",
    )
    if (not new_city and first in _NO_NAME_WORD) or first.endswith("ing"):
        return match.group()
    name = first.capitalize()
    if second:
        name += " " + (
            second
            if second in _NO_NAME_WORD or len(second) < 3 or second.endswith("ly")
            else second.capitalize()
        )
    return match.group()[: match.start("name") - match.start()] + name
