"""Preferences that a speaker states in the first person: likes and dislikes that hold for longer than the moment.

Allergies and intolerances are facts, which every context shows and a denial contradicts.
"""

from __future__ import annotations

from memory_service.rules.facts.informal_english import plainly
from memory_service.rules.facts.order_limits import FOR_NOW, is_limited
from memory_service.text.late_pattern import compile_late
from memory_service.text.text_cache import text_cache

_ADVERB = (
    "(?:(?:really|strongly|strictly|generally|usually|normally|absolutely|also|personally|much|completely|firmly|"
    "actively|always|typically|mostly|simply|just|still|especially|particularly|greatly|highly|definitely|truly|"
    "totally|genuinely|honestly|intentionally|consciously|deliberately|tend to|try to|kind of|rather|quite|very much|"
    "rarely|exclusively|only|primarily|vehemently|thoroughly|deeply|extremely|adamantly|never) )*"
)
_DEICTIC = r"(?:it|that|this|these|those|you|him|her|them|how|what|when|if|your|everything|both|option)"
_NO_OBJECT = rf"(?! {_DEICTIC}\b)"
_NO_THING = (
    rf"(?! (?:{_DEICTIC}|the|all|to (?:know|see|hear|thank|ask|say|tell|think|believe|chat|help|have|get|discuss)|my|"
    r"our|his|where|(?:seeing|being|talking|having|hearing|working) \w+)\b)"
)
"""No liking of the moment: "I love the colours", "I love that"."""
_AT_ALL = (
    r"(?! (?:anything|a thing|much|a bite|enough|properly|right|well|solids?|more)(?=$|[.,;!]| (?:because|since|as|"
    r"at all|"
    r"and|but|I|until|after|right|since|these days)\b))"
)
"""No state of the moment: "I can't eat anything, I have a stomach bug"."""
_AFRAID = r"(?:afraid|terrified|scared|wary|sick|tired|fond|skeptical|sceptical|suspicious)"
_PATTERNS = tuple(
    compile_late(pattern)
    for pattern in (
        # dislikes
        rf"(?i)\bI {_ADVERB}(?:dislike|loathe|detest|despise|abhor|hate|can't stand|cannot stand|can't bear|"
        r"cannot bear|can't handle|cannot handle|can't tolerate|cannot tolerate|(?:need to |have to |must )?avoid|"
        r"steer clear of|stay away from|shy away from|refuse|boycott|limit|object to|disapprove of|"
        rf"draw the line at)\b{_NO_OBJECT}",
        rf"(?i)\bI {_ADVERB}(?:do not|don't|never|no longer|will not|won't) {_ADVERB}(?:like|enjoy|care for|eat|drink|"
        r"wear|watch|read|buy|trust|believe in|support|tolerate|consume|listen to|fly|drive|purchase|participate in|"
        rf"appreciate|feel comfortable|work well|respond well|shop|cook|own|consider)\b{_NO_OBJECT}",
        rf"(?i)\bI (?:do not|don't|never) {_ADVERB}(?:use|play|travel|go to|stay in|want (?:any|a|to (?:eat|watch|read|"
        rf"buy|own|wear|play|drink|use any|drive)))\b{_NO_OBJECT}",
        rf"(?i)\bI (?:cannot|can't) {_ADVERB}(?:(?:eat|drink|wear|tolerate|have any|use any|"
        rf"stomach)\b{_NO_OBJECT}{_AT_ALL}|"
        r"(?:sleep|focus|concentrate) (?:with|without|when|if|in|near|next to|on) (?!(?:all )?(?:this|these|that|those|"
        r"here|my|because)\b))",
        rf"(?i)\bI(?: am|'m) (?:not {_ADVERB}(?:a fan of|a big fan of|interested in|into|comfortable|fond of|keen on|"
        r"willing to|open to|a .{1,20} person|attracted to|drawn to|supportive of|convinced by)|"
        rf"{_ADVERB}(?:opposed to|against|averse to|sensitive to|uninterested in|prone to|bothered by|turned off by|"
        rf"overwhelmed by|uncomfortable|{_AFRAID} of(?! (?:the|this|that|my|our|what|all|it|them|him|her|you)\b(?! "
        rf"(?:dark|sea|ocean|"
        r"water|dentist|outdoors|police|cold|heat)\b))|claustrophobic|scared by))",
        r"(?i)\bI(?: have|'ve)(?: got)? (?:a |an |no |zero |little |some |severe |many )?(?:\w+[ "
        r",-]+){0,3}?(?:aversion|dislike|hatred|phobia|fear|distaste|preference|interest in|tolerance for|patience for|"
        r"sensitivity|disdain|contempt|objection|bias against|sensitive skin|respiratory issues|reservations|"
        r"weakness for|fondness|passion for|soft spot|strict (?:policy|rule)|rule (?:against|to)|habit of|need for)\b",
        # likes
        rf"(?i)\bI {_ADVERB}(?:prefer|favou?r|'d rather|would rather)\b{_NO_OBJECT}",
        rf"(?i)\bI(?:'d| would) {_ADVERB}(?:rather|prefer)\b(?! (?:if you|not to (?:say|answer))\b){_NO_OBJECT}",
        rf"(?i)\bI {_ADVERB}(?:love|adore|enjoy)\b{_NO_THING}",
        rf"(?i)\bI {_ADVERB}like\b(?! (?:to (?:know|see|hear|thank|ask|say|tell|try|book|get|make|add|have|change|use|"
        r"do|go|set|find|learn|start|schedule|plan|order|buy|create|understand|discuss|talk|explore|update|share|know)|"
        rf"one|a lot)\b){_NO_THING}",
        rf"(?i)\bI(?: am|'m) {_ADVERB}(?:passionate about|a (?:big |huge |great )?fan of|into|committed to|"
        r"advocate for|drawn to|a (?:strict )?(?:vegan|vegetarian|pescatarian|minimalist|environmentalist|"
        rf"traditionalist|morning person|night owl|visual learner))\b{_NO_OBJECT}",
        r"(?i)\bI (?:only|exclusively|strictly|never|always) (?:eat|drink|use|wear|buy|watch|read|listen to|shop|"
        r"travel|fly|stay|cook|want|play|consume|purchase|support|drive|feed|follow|choose|work with|take|accept|trust|"
        r"go for|opt for|deal with|do|practice|dine|consider)\b(?! (?:it|that|this|them)\b)",
        rf"(?i)\bI {_ADVERB}(?:follow|adhere to|stick to|keep|maintain|live by|observe|practi[cs]e) (?:a|an|"
        rf"the|my|strict|to)\b.{{0,60}}?"
        r"\b(?:diet|lifestyle|routine|plan|schedule|kosher|halal|veganism|philosophy|rules?|budget|"
        r"principles?|regimen|eating|fasting|minimalism)\b",
        rf"(?i)\bI {_ADVERB}(?:learn|work|study|focus|sleep|think|function|perform|concentrate|relax) (?:best|"
        rf"better)\b",
        rf"(?i)\bI {_ADVERB}(?:insist on|believe in|value|prioriti[sz]e|rely on|look for|seek|gravitate towards?|"
        r"lean towards?|swear by|require|opt for|care (?:deeply |a lot )?about|"
        r"feel (?:more )?comfortable (?=(?:with|in|when|around|among|using|talking|if|at|on|wearing|being)\b)|"
        r"feel uncomfortable|get (?:anxious|overwhelmed|motion sick|bored|nauseous|car ?sick|"
        rf"sea ?sick))\b{_NO_OBJECT}",
        rf"(?i)\bI {_ADVERB}(?:firmly |strongly )?believe (?:that )?\w+",
        rf"(?i)\bI {_ADVERB}find (?!out|that |this |myself|it (?:very |so |really |a bit )?(?:interesting|useful|funny|"
        r"strange|odd|weird|amazing)|the (?:answer|one))[^.?!]{3,60}? (?:to be )?(?:too |very |extremely |quite |so |"
        r"incredibly |overly |really )?(?:boring|tedious|disorienting|distressing|ineffective|distracting|overwhelming|"
        r"uncomfortable|stressful|annoying|dull|childish|demotivating|frustrating|unhelpful|unappealing|unpleasant|"
        r"exhausting|relaxing|inspiring|confusing|intimidating|restrictive|off-putting|difficult|hard|unethical|"
        r"wasteful|pointless|helpful|soothing|calming|motivating|enjoyable)\b",
        r"(?i)\bmy (?:all-time |absolute |personal )?(?:favou?rite|preferred|go-to|least favou?rite) "
        r"(?!(?:[\w'-]+ ){1,4}(?:used to|was|were)\b)\w",
        r"(?i)\b(?:nothing|anything) (?:\w+ ){0,3}(?:is|are) not for me\b|\b(?:is|are)(?:n't| not) (?:for me|"
        r"my (?:thing|style|cup of tea))\b",
        r"(?i)\bI(?: am|'m) (?:currently )?on (?:a|an|the) [\w -]{2,30}\bdiet\b|\bI(?: am|'m) a (?:strong |"
        r"firm )?(?:advocate|believer|supporter)\b|\b(?:do not|don't) interest me\b",
        r"(?i)\bI need (?:my|a|an|the|all|things|absolute|complete|constant) [^.?!]{3,80}\b(?:to (?:focus|sleep|work|"
        r"feel|be|relax|concentrate)|quiet|silence|structure|space|privacy|routine)\b",
        r"(?i)\b(?:gives?|makes?) me (?:\w+ ){0,2}(?:anxious|anxiety|headaches?|migraines?|nauseous|sick|"
        r"uncomfortable|claustrophobic|dizzy)\b",
    )
)
_MOMENT = compile_late(
    rf"(?i)\b(?:{FOR_NOW}|here|tomorrow|this one|"
    r"just now|at the moment|yesterday|last (?:night|week)|so far|above|below|"
    r"instead of the (?:first|second))\b"
)
_THIS_TIME = compile_late(
    r"(?i)\bchanged my mind\b.{0,40}\bI(?:'d| would) (?:rather|prefer)\b|"
    r"\bI(?:'d| would)(?: really| much)? (?:rather|prefer|like)(?: to)?(?: have| get| take| receive)? (?:a|an|the|my) "
    r"(?:full |partial )?(?:refund|replacement|exchange|voucher|reschedul\w+|appointment|callback|call back)\b|"
    r"\bI look for (?:an? |some |new )*(?:flat|apartment|room|house|job|work|place)s?\b|"
    r"\bI (?:don't|do not) go to\b.{2,60}\bany ?more\b|"
    r"\bI no longer (?:drive(?! (?:in|at|on|when|after|long|to)\b)|own)\b"
)
"""Wishes about one purchase or appointment, and changes of circumstances: "I'd rather have a refund"."""
_ONE_OF_THESE = compile_late(
    r"(?i)\b(?:prefer|favou?r|rather|like|love|want|keep|take|use|have|go with) (?:(?:have|keep|use|take|go with|the "
    r"idea of) )?the "
    r"(?:(?:first|second|third|last|latter|former|previous|current|original|earlier|other|old|new|shorter|longer) "
    r"(?:one|ones|version|option|variant|draft|approach|signature|name|naming|solution|suggestion|idea|design|layout|"
    r"wording|"
    r"title|sentence|paragraph|image|picture|logo|colou?rs?|file|function|method|class|query|implementation|behaviou?r|"
    r"code)\b"
    r"(?! of\b)|(?:first|second|third|latter|former|previous|original|other)(?= ?(?:$|[,.;!])))|"
    r"\b(?:don't|do not) want (?:an?|any) [\w-]+(?: [\w-]+)? there\b|\bgo with that\b"
)
"""A choice between what the conversation shows: "I prefer the second version, go with that"."""
_PERSON_CHOSEN = compile_late(
    r"\bI (?:really |much |still |also )?(?:prefer|favou?r) (?:Mr\.? |Mrs\.? |Ms\.? |"
    r"Dr\.? )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)?,? (?:because|since|as|cause) (?:he|she|they)\b"
)
"""A choice between persons: "I prefer Le Goff because he looked me in the eye"."""
_BEFORE = compile_late(r"(?i)^(?:(?:and|but|so|also|oh|well|plus)[,]? )+(?=I\b)")
_REQUEST = compile_late(
    r"(?i)[,;]? (?:(?:and|so|but) )?(?:(?:can|could|would|will) (?:you|u)\b|(?:please|pls) (?:suggest|recommend|"
    r"find|show|"
    r"give|tell|help|send|make)\b|(?:what|how|where|which) (?:should|can|could|do|would) I\b).*$"
)
"""A request beside a preference: "I cannot eat pork, can you tell me how to ask for something else"."""
_MAY_PREFER = compile_late(
    r"(?i)\b(?:I|im|my|me|mine)\b.*\b(?:dislike|loathe|detest|despise|abhor|hate|stand|bear|handle|tolerat\w+|avoid|"
    r"steer|stay|shy|refuse|boycott|limit|object|disapprove|draw|like|enjoy|care|eat|drink|wear|watch|read|buy|trust|"
    r"believe|support|consume|listen|fly|drive|purchase|participate|appreciate|feel|work|respond|shop|cook|own|"
    r"consider|use|play|travel|go|want|sleep|focus|concentrate|stomach|fan|interested|into|comfortable|fond|keen|"
    r"willing|open|attracted|drawn|opposed|against|averse|sensitiv\w+|uninterested|prone|bothered|turned|overwhelmed|"
    r"uncomfortable|afraid|terrified|scared|wary|sick|tired|skeptical|sceptical|suspicious|claustrophobic|aversion|"
    r"hatred|phobia|fear|distaste|preference|interest|tolerance|patience|disdain|contempt|objection|bias|skin|issues|"
    r"reservations|weakness|fondness|passion\w*|soft|policy|rule|habit|need|prefer\w*|favou?r\w*|rather|love|adore|"
    r"committed|advocate|vegan|vegetarian|pescatarian|minimalist|environmentalist|traditionalist|morning|night|visual|"
    r"only|exclusively|strictly|never|always|follow|adhere|stick|keep|maintain|live|observe|practi[cs]e|learn|study|"
    r"think|function|perform|relax|insist|value|prioriti[sz]e|rely|look|seek|gravitate|lean|swear|require|opt|get|find|"
    r"go-to|diet|believer|supporter|person|respiratory|gives?|makes?|have)\b|\b(?:for me|interest me|my (?:thing|style|"
    r"cup of tea))\b|\b(?:gives?|makes?) me\b"
)
_ASKS = compile_late(r"(?i)\?\s*[\"')]*$")
_NOT_OWN = compile_late(
    r"(?i)\b(?:if|whether|wish|maybe|perhaps|said|says|told|states?|stated|claims?|claimed|reads|thinks?|reason|"
    r"why|what|and don.t) (?:that )?I\b|\bdo I\b|\bshould I\b|\bdid I\b|\bcan I\b"
)
_SITUATION = compile_late(r"(?i)^(?:when(?:ever)?|if|for|in|on|at|during|before|after|while|as for)\b")
_SPEAKER = compile_late(r"(?i)(?:I|my)\b")
_ASIDE = compile_late(
    r"(?i)[;:–—(]|,? (?:(?:because|since|cause|due to|so|but|although|though|even though|unless)\b|"
    r"as (?=(?:it|they|I|that|my)\b)|and (?=(?:I|it|they|he|she|we|my|that)\b))|"
    r", (?=(?:I|it|they|he|she|we|my|that|this|which|not|especially|please)\b)"
)
"""Where the clause of a preference ends."""
_DISHES = compile_late(
    r"(?i)\b(?:recipes?|dish(?:es)?|meals?|foods?) (?:with|containing|made (?:with|of|from)|"
    r"that (?:have|has|contains?)) "
)
"""Words before the thing that is liked or disliked: "recipes with fish"."""
_FEWEST_WORDS, _MOST_WORDS = 3, 45


@text_cache(512)
def preference_in(sentence: str) -> str | None:
    """The sentence, trimmed, where its speaker states a lasting preference; None otherwise."""
    words = len(sentence.split())
    if not _FEWEST_WORDS <= words <= _MOST_WORDS or _ASKS.search(sentence):
        return None
    if not _MAY_PREFER.search(sentence):
        return None
    plain = plainly(sentence)
    if (
        _MOMENT.search(plain)
        or _THIS_TIME.search(plain)
        or _PERSON_CHOSEN.search(plain)
        or _ONE_OF_THESE.search(plain)
        or is_limited(plain)
    ):
        return None
    for pattern in _PATTERNS:
        match = pattern.search(plain)
        if match and not _NOT_OWN.search(plain[: match.start() + 2]):
            stated = _BEFORE.sub("", _REQUEST.sub("", " ".join(sentence.split()).strip("\"'“”")))
            return stated if len(stated.split()) >= _FEWEST_WORDS else None
    return None


def matter_of(preference: str) -> str:
    """The clause that states a preference, with a situation before it and without other clauses and asides."""
    plain = plainly(preference)
    found = [match for pattern in _PATTERNS if (match := pattern.search(plain))]
    first = min(found, key=lambda match: match.start(), default=None)
    if first is None:
        return preference
    begins = _SPEAKER.match(first[0]) and not _SITUATION.match(plain)
    aside = _ASIDE.search(plain, first.end())
    clause = plain[first.start() if begins else 0 : aside.start() if aside else len(plain)]
    return _DISHES.sub("", clause)
