"""What people's words show for the gates and for importance: decisions, identity, care, conflict, wishes
(S2)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DECIDED = re.compile(
    r"(?i)\b(?:(?:i|we)(?:[’']ve| have|[’']d)?(?: just| finally| both| also| now| officially)* (?:decided|"
    r"agreed|chosen|chose|committed|signed (?:up|the|a)|"
    r"accepted (?:the|a|an|their)|booked|quit|resigned|enrolled|registered|applied|made up (?:my|our) "
    r"minds?|settled on|put (?:in|down) (?:an offer|a deposit|my notice)|turned down|ordered|cancell?ed)\b|"
    r"i promise\b|my decision|(?:let[’']s|we[’']ll|i[’']ll) go (?:with|for)\b|it[’']s (?:decided|settled)|"
    r"i[’']m (?:committed|determined) to\b)"
)
_INTENDS = re.compile(
    r"(?i)\b(?:i|we)(?:[’']m| am|[’']re| are)(?: really| also| now| definitely)* (?:going to|gonna|"
    r"planning (?:to|on)|starting|moving to|getting married|quitting|switching to)\b"
    r"(?! (?:miss|need|love|like|die|say|guess|know)\b)|"
    r"\b(?:i|we) plan (?:to|on)\b|\b(?:i|we)(?:[’']ll| will| shall) "
    r"(?!be (?:fine|ok|late|tired|busy|happy|sad|glad|old|able|\d|(?:\w+teen|\w+ty)\b)|"
    r"see\b|never forget|always|have to see)\w+|"
    r"^(?:\w+[,.]? ){0,3}let me (?!know|see\b|guess|think|tell|ask|explain|say|go\b|in\b|out\b|down|alone|be\b|"
    r"finish|put it|introduce|look at you)[a-z]+"
)
_NO_DEED = (
    r"(?:see|think|try (?!(?:my|our) best)|check (?:it|that|this|them|you|out)|keep (?:that|it)|miss|bet|need|"
    r"say|admit|guess|know|feel|love|like|"
    r"want|wish|hope|believe|remember|forget|never|always|probably|usually|often|grow|survive|understand|enjoy|"
    r"find|lose|fail|die|get (?:used|sick|old|fat|better|over)|turn (?:\d|out|into)|end up|look (?:like|at)|"
    r"have to|have|give (?:it|that) a|"
    r"let you know (?:if|when)|be (?!doing|there\b|here\b|back\b|with you|waiting|sure to|glad to|happy to|"
    r"careful|"
    r"in touch|on time|expecting))"
)
_PROMISES = re.compile(
    rf"(?i)\b(?:i|we)(?:[’']ll| will| shall)(?: definitely| certainly| gladly| surely| just| also|"
    rf" go(?: and)?)* "
    rf"(?!{_NO_DEED}\b)[a-z]+|"
    r"\b(?:i|we)(?: will not| won[’']t) (?:let you down|tell (?:anyone|anybody|a soul)|do it again|be late|"
    r"disappoint|forget|happen again)|"
    r"\b(?:i|we) (?:certainly |definitely |sure )?will[.!]*$|\bcount me in\b|\bcount on (?:me|us)\b|"
    r"\bleave (?:it|that|this|everything) to (?:me|us)\b|"
    r"\byou have my word\b|\b(?:it[’']s|that[’']s|you[’']ve got|you have) a deal\b|^deal\b[.!]*$|"
    r"\bi (?:swear|vow|guarantee|give you my word|undertake)\b|\b(?:i|we)(?:[’']ll| will) make sure\b|"
    r"\b(?:i|we)(?:[’']d| would) be (?:happy|glad|delighted|honou?red) to\b|\bconsider it done\b|"
    r"\b(?:i|we) can (?:do (?:that|this|it)|help (?:you|with)|give you|send you|bring you|pick you|take you|"
    r"drive you|"
    r"lend you|show you|get (?:it|that|you|one|some)|fix (?:it|that)|make it\b|handle|manage that)|"
    r"\bich (?:verspreche|kümmere mich|habe (?:mich )?(?:beschlossen|entschieden))\b|\bje (?:te |"
    r"vous )?promets\b|"
    r"\bj[’']ai décidé\b|\b(?:te |se )?(?:lo )?prometo\b|\bhe decidido\b|\b(?:te lo )?prometto\b|\bho deciso\b"
)
_HABIT = re.compile(
    r"(?i)\b(?:usually|often|sometimes|whenever|normally|typically|every (?:day|time|week|morning|night|year)|"
    r"each (?:day|time)|most (?:days|of the time)|generally)\b"
)
_ASSENTS = re.compile(
    r"(?i)^(?:(?:oh|well|yes|yeah|yep|yup|ah|great|good|wow|thanks|thank you|hey)[,.!]* )*(?:ok(?:ay)?|"
    r"sure(?: thing)?|"
    r"all ?right|fine|deal|certainly|of course|absolutely|no problem|not a problem|by all means|gladly|"
    r"with pleasure|will do|my pleasure|you got it|you bet|why not|(?:that[’']s a |what a )?(?:good|"
    r"great) idea|"
    r"(?:that )?sounds (?:good|great|fine|like a plan|wonderful|perfect)|"
    r"that (?:will|would|[’']ll) be (?:fine|great|good|perfect|nice|lovely)|that[’']s fine|"
    r"i(?:[’']d| would) (?:love|like) (?:to|that)|"
    r"it[’']s a deal|yes,? (?:sir|ma[’']am|please|i will|we will|i can|we can)|einverstanden|klar|gerne|"
    r"d[’']accord|"
    r"vale|claro|va bene|certo)\b"
)
_REQUESTS = re.compile(
    r"(?i)\b(?:(?:can|could|will|would|won[’']t) (?:you|we)|please|let[’']s|shall (?:we|i)|(?:how|what) about|"
    r"why don[’']t (?:you|we|i)|would you (?:like|mind)|do you want|would it be possible|may i|can i|could i|"
    r"i(?:[’']d| would) like|"
    r"you (?:should|must|need to|have to|ought to|[’']d better)|don[’']t forget|make sure|i (?:want|"
    r"need) you to|"
    r"be sure to|remember to|i suggest|you[’']d better|we (?:should|could|need to|must))\b"
)
_WHEN = re.compile(
    r"(?i)\b(?:tomorrow|tonight|next \w+|this (?:week|weekend|month|year|summer|\w+day)|(?:on|by|until|in) "
    r"(?:\w+day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|\d)|from now on|starting)\b"
)
_IDENTITY = re.compile(
    r"\b(?:[Mm]y (?:full |first |real )?name(?: is|[’']s)|[Cc]all me [A-Z]|[Mm]y pronouns|[Mm]y "
    r"(?:religion|faith|nationality|mother tongue|native language|birthday|profession)|"
    r"I(?:[’']m| am) (?:an? (?:\w+ ){0,2}(?:teacher|nurse|doctor|engineer|developer|programmer|student|"
    r"artist|writer|lawyer|designer|musician|chef|pilot|farmer|scientist|researcher|"
    r"manager|vegan|vegetarian|muslim|christian|jew|buddhist|atheist|immigrant|veteran|mother|father|mom|"
    r"dad|single \w+|trans\w*|immigrant|widow\w*|survivor|introvert|extrovert)|"
    r"(?:vegan|vegetarian|gay|lesbian|trans\w*|bisexual|non-binary|autistic|deaf|blind|diabetic|married|"
    r"divorced|single|retired|allergic|jewish|muslim|christian|catholic|from [A-Z]))|"
    r"I (?:identify as|grew up|was born|was raised|believe in|live in|work (?:as|at|for)|come from|have "
    r"(?:adhd|autism|diabetes|asthma|(?:two|three|four|a|an|\d) (?:kid|child|son|daughter)\w*)))\b"
)
_CARE = re.compile(
    r"(?i)\b(?:allerg(?:y|ic)|anaphyla\w+|passed away|(?:died|funeral|miscarriage|cancer|diagnosed|"
    r"chemo\w*|suicid\w+|divorc\w+|broke up|breakup|laid off|got fired|lost my (?:job|\w+))|"
    r"you promised|you (?:forgot|always forget|never listen)|(?:please )?(?:don[’']t|do not|never|stop) "
    r"(?:ever )?(?:call(?:ing)? me|mention(?:ing)?|bring(?:ing)? up|joke|joking|mak(?:e|ing) (?:fun|jokes)|"
    r"talk(?:ing)? about)|"
    r"(?:it )?hurts? (?:me|my feelings) when|(?:i[’']m|i am|i was) (?:so |really |very )?(?:hurt|upset|"
    r"disappointed|angry|mad) (?:that|with|at|by) (?:you|me)|makes me (?:uncomfortable|anxious)|"
    r"trigger(?:s|ing)? (?:me|for me)|trauma\w*|between (?:us|you and me)|our anniversary|my (?:wife|"
    r"husband|mom|mother|dad|father|son|daughter)[’']s birthday)\b"
)
_CONFLICT = re.compile(
    r"(?i)\b(?:argu(?:ed|ment|ing)|fight|fought|quarrel\w*|conflict|disagree\w*|misunderst\w+|falling out|"
    r"tension|upset with|mad at|angry (?:at|with)|betray\w*|you were wrong|i was wrong)\b"
)
_RESOLVED = re.compile(
    r"(?i)\b(?:apologi[sz]\w*|(?:i[’']m|i am) (?:so |really |very )?sorry (?:for|about|that i)|made up\b|"
    r"make up with|forg(?:ive|ave|iven)|worked (?:it|things) out|resolved|sorted (?:it|things) out|cleared "
    r"the air|"
    r"talked it (?:out|through|over)|reconcil\w+|compromise\w*|on good terms|settled (?:it|our|the))\b"
)
_DISCLOSES = re.compile(
    r"\b(?:I(?:[’']m|[’']ve|[’']d)?|[Mm]y (?:mom|mother|dad|father|wife|husband|partner|son|daughter|kids?|"
    r"family|brother|sister|boss|job|health|dog|cat|therapist|doctor|childhood|life|home|"
    r"birthday|name|girlfriend|boyfriend|ex|friend|parents|grand\w+))\b"
)
_HYPOTHETICAL = re.compile(
    r"(?i)\b(?:if(?! you (?:like|want|wish|prefer)\b)|would|could|might|maybe|perhaps|wish|imagine|should i|"
    r"whether|haven[’']t|didn[’']t|not "
    r"(?:yet )?(?:decided|sure)|undecided|never|afraid|worried|scared)\b"
)
_ASKING = (
    r"(?:please|pls|from now on,?|in (?:the )?future,?|(?:could|can|would|will) you(?: please)?|"
    r"i[’']d like you to|i (?:want|need) you to|you (?:should|must)|just|also|and|so)"
)
# The lead is counted: unbounded, a long run of "and and and" would be read again from each of its words.
_DIRECTIVE = re.compile(
    rf"(?i)(?:^|[,;:]\s*|\b(?:and|so|but) )(?:"
    rf"(?:{_ASKING} ){{0,4}}(?:please|from now on,?|in (?:the )?future,?|you to|you(?: please)?|should|must) "
    rf"((?:always|never|(?:don[’']t|do not)(?: ever)?|only|stop) [a-z]+\b[^.!?\n]{{2,120}})|"
    rf"(?:{_ASKING} ){{0,4}}((?:don[’']t|do not|never|stop|always) (?:ever )?(?:call(?:ing)? (?:me|us)|us(?:e|"
    rf"ing) (?:emojis?|my|the word|bullet|markdown|jargon)|mention(?:ing)? (?:my|the)|send(?:ing)? me|"
    rf"bring(?:ing)? up|ask(?:ing)? me|address(?:ing)? me)\b[^.!?\n]{{0,100}})|"
    rf"(?:{_ASKING} ){{0,4}}(call me (?-i:[A-Z])\w+(?: from now on| instead)?)|"
    rf"(?:{_ASKING} ){{0,4}}((?:answer|reply|respond|write|speak|talk)(?: to me)?(?: only| always)? (?:in "
    rf"(?:german|english|french|spanish|italian|polish|dutch|short|brief|plain|simple|bullet|full|complete|"
    rf"metric)|briefly|shortly|concisely|formally|informally|using)\b[^.!?\n]{{0,80}}))"
)
_PREFERS = re.compile(
    r"(?i)\bI(?:[’']d)? (?:really |much |would )?(?:prefer|rather (?:have )?|like it (?:better )?when)(?: "
    r"that)? (?:you|it if you|if you|your (?:answers|replies|messages)|when you|short|long|brief|detailed|"
    r"bullet)\b[^.!?\n]{0,100}"
)


@dataclass(frozen=True, slots=True)
class Signs:
    """What one sentence shows, each graded 0..1."""

    decision: float
    identity: bool
    care: bool
    conflict: float
    personal: float
    lesson: str | None


def asks_for_something(text: str) -> bool:
    """Whether a turn requests, offers or suggests something, so that an assent to it commits."""
    return _REQUESTS.search(_joined(text)) is not None


def assents(sentence: str) -> bool:
    """Whether the sentence begins as an assent does: then it matters what it answers."""
    return _ASSENTS.search(_joined(sentence)) is not None


def signs_of(sentence: str, *, answers_request: bool = False) -> Signs:
    """Return what the sentence shows; a question decides nothing, a condition neither.

    `answers_request` says that the other one has just asked for something: then an assent is a light commitment,
    and one that says what will be done a promise.
    """
    sentence = _joined(sentence)
    lowered = sentence.lower()
    asks = sentence.endswith("?")
    own = _OWN.search(lowered) is not None
    identity = own and not asks and _IDENTITY.search(sentence) is not None
    care = not asks and _has(lowered, _CARE_STEMS) and _CARE.search(sentence) is not None
    conflict = 0.0
    if _has(lowered, _RESOLVED_STEMS) and _RESOLVED.search(sentence):
        conflict = 1.0 if _CONFLICT.search(sentence) else 0.5
    elif _has(lowered, _CONFLICT_STEMS) and _CONFLICT.search(sentence):
        conflict = 0.3
    if identity:
        personal = 1.0
    else:
        personal = min(len(_DISCLOSES.findall(sentence)) / 3, 1.0) * (0.5 if asks else 1.0) if own else 0.0
    decision = 0.0 if asks else _decision(sentence, lowered, answers_request)
    return Signs(decision, identity, care, conflict, personal, None if asks else _lesson(sentence, lowered))


def decision_in(sentence: str) -> float:
    """Return how much the sentence decides, promises or plans, 0..1, without its other signs."""
    return 0.0 if sentence.endswith("?") else _decision(joined := _joined(sentence), joined.lower(), False)


def _joined(text: str) -> str:
    """The text with "I ' ll", as some transcripts have it, put together."""
    return _APART.sub(r"\1", text) if " '" in text or " ’" in text else text


_APART = re.compile(r"(?i)\s([’'])\s?(?=(?:ll|m|ve|re|d|s|t)\b)")


def _decision(sentence: str, lowered: str, answers_request: bool) -> float:
    """1.0 decided; 0.7 a promise or a dated intention; 0.4 an intention, or an assent."""
    found = 0.0
    if _has(lowered, _DECIDED_STEMS) and _DECIDED.search(sentence):
        found = 1.0
    elif _has(lowered, _WILL_STEMS):
        if _PROMISES.search(sentence):
            found = 0.7
        elif _INTENDS.search(sentence):
            found = 0.7 if _WHEN.search(sentence) else 0.4
        if found and _HABIT.search(sentence):
            found = 0.0
    if not found and answers_request and _ASSENTS.search(sentence):
        found = 0.4
    return 0.0 if found and _HYPOTHETICAL.search(sentence) else found


def _lesson(sentence: str, lowered: str) -> str | None:
    found = _DIRECTIVE.search(sentence) if _has(lowered, _DIRECTIVE_STEMS) else None
    if found is not None:
        return next(group for group in found.groups() if group).strip(" ,;")
    preferred = _PREFERS.search(sentence) if _has(lowered, _PREFERS_STEMS) else None
    return preferred[0].strip(" ,;") if preferred is not None else None


def _has(lowered: str, stems: tuple[str, ...]) -> bool:
    """Whether any of the stems is there: most sentences show nothing, and this says so for a twentieth of the time
    that the pattern takes."""
    for stem in stems:  # noqa: SIM110 - any() with a generator takes twice as long
        if stem in lowered:
            return True
    return False


_OWN = re.compile(r"(?<!\w)(?:i|my)(?!\w)|call me")
_DECIDED_STEMS = (
    "decid", "agreed", "chose", "commit", "signed", "accepted", "booked", "quit", "resigned", "enrolled", "registered",
    "applied", "made up", "settled", "put in", "put down", "turned down", "ordered", "cancel", "promise", "my decision",
    "go with", "go for", "determined",
)  # fmt: skip
_WILL_STEMS = (
    "ll ", "will", "shall", "won't", "won’t", "going to", "gonna", "plan", "starting", "moving", "getting married",
    "quitting", "switching", "let me", "count me", "count on", "leave ", "my word", "deal", "swear", "vow", "guarantee",
    "undertake", "'d be", "’d be", "would be", " can ", "it done", "versprech", "kümmere", "entschieden", "beschlossen",
    "promets", "décidé", "prometo", "decidido", "prometto", "deciso",
)  # fmt: skip
_CARE_STEMS = (
    "allerg", "anaphyla", "passed away", "died", "funeral", "miscarriage", "cancer", "diagnosed", "chemo", "suicid",
    "divorc", "broke up", "breakup", "laid off", "fired", "lost my", "you ", "don", "do not", "never", "stop", "hurt",
    "upset", "disappointed", "angry", "mad ", "makes me", "trigger", "trauma", "between", "our anniversary", "birthday",
)  # fmt: skip
_RESOLVED_STEMS = (
    "apolog", "sorry", "made up", "make up", "forg", "work", "resolved", "sorted", "cleared", "talked", "reconcil",
    "compromise", "good terms", "settled",
)  # fmt: skip
_CONFLICT_STEMS = (
    "argu", "fight", "fought", "quarrel", "conflict", "disagree", "misunderst", "falling out", "tension", "upset with",
    "mad at", "angry", "betray", "wrong",
)  # fmt: skip
_DIRECTIVE_STEMS = (
    "always", "never", "don't", "don’t", "do not", "only", "stop", "call me", "answer", "reply", "respond", "write",
    "speak", "talk",
)  # fmt: skip
_PREFERS_STEMS = ("prefer", "rather", "like it")
