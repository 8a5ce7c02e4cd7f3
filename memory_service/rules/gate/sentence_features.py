"""Features of sentences for the gates and for importance: decisions, identity, care, conflict, wishes."""

from __future__ import annotations

from dataclasses import dataclass

from memory_service.rules.gate.decision_made import DAY_OR_MONTH, decision_in, joined
from memory_service.rules.losses import states_loss
from memory_service.text.late_pattern import compile_late

_IDENTITY = compile_late(
    r"(?i)\b(?:my (?:full |first |real )?name(?: is|[’']s)|call me (?-i:[A-Z])\w*|my pronouns|my "
    r"(?:religion|faith|nationality|mother tongue|native language|birthday|profession)|I(?:[’']m|"
    r" am) (?:an? (?:\w+ ){0,2}(?:teacher|nurse|doctor|engineer|developer|programmer|student|artist|writer|lawyer|"
    r"designer|musician|chef|pilot|farmer|scientist|researcher|manager|vegan|vegetarian|muslim|christian|jew|buddhist|"
    r"atheist|immigrant|veteran|mother|father|mom|dad|single \w+|trans\w*|widow\w*|survivor|introvert|extrovert)|"
    r"(?:vegan|vegetarian|gay|lesbian|trans\w*|bisexual|non-binary|autistic|deaf|blind|diabetic|married|divorced|"
    rf"single|retired|allergic|jewish|muslim|christian|catholic|from (?!{DAY_OR_MONTH}\b)(?-i:[A-Z])\w*))|"
    r"I (?:identify as|grew up|was born|was raised|believe in|live in|work (?:as|at|for)|come from|have "
    r"(?:adhd|autism|diabetes|asthma|(?:two|three|four|a|an|\d) (?:kid|child|son|daughter)\w*)))\b"
)
_CARE = compile_late(
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
_CONFLICT = compile_late(
    r"(?i)\b(?:argu(?:ed|ment|ing)|fight|fought|quarrel\w*|conflict|disagree\w*|misunderst\w+|falling out|"
    r"tension|upset with|mad at|angry (?:at|with)|betray\w*|you were wrong|i was wrong)\b"
)
_RESOLVED = compile_late(
    r"(?i)\b(?:apologi[sz]\w*|(?:i[’']m|i am) (?:so |really |very )?sorry (?:for|about|that i)|made up\b|make up with|"
    r"forg(?:ive|ave|iven)|worked (?:it|things) out|resolved|sorted (?:it|things) out|cleared the air|talked it (?:out|"
    r"through|over)|reconcil\w+|compromise\w*|on good terms|settled (?:it|our|the))\b"
)
_TECHNICAL_CONFLICT = compile_late(
    r"\b(?:merge|version|dependency|import|naming|port|type|schedul\w+|git|key|peer|rebase) conflicts?\b|"
    r"\bconflict(?:s|ing|ed)? (?:with the|in the|between the (?:two )?(?:version|branch|file|package)s?)\b|"
    r"\bresolv(?:e[sd]?|ing) (?:the|this|that|it|my|a|all|these|any) (?:\w+ ){0,2}(?:conflicts?|issues?|bugs?|errors?|"
    r"problems?|tickets?|warnings?|dependenc\w+|imports?|path|url|dns|names?)\b"
)
"""Conflicts of files and versions."""
_DISCLOSES = compile_late(
    r"\b(?:I(?:[’']m|[’']ve|[’']d)?|[Mm]y (?:mom|mother|dad|father|wife|husband|partner|son|daughter|kids?|"
    r"family|brother|sister|boss|job|health|dog|cat|therapist|doctor|childhood|life|home|"
    r"birthday|name|girlfriend|boyfriend|ex|friend|parents|grand\w+))\b"
)
_ASKING = (
    r"(?:please|pls|from now on,?|in (?:the )?future,?|(?:could|can|would|will) you(?: please)?|"
    r"i[’']d like you to|i (?:want|need) you to|you (?:should|must)|just|also|and|so)"
)
# The lead is counted: unbounded, a long run of "and and and" would be read again from each of its words.
_DIRECTIVE = compile_late(
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
_STYLE = compile_late(
    rf"(?i)^(?:(?:hey|ok|okay|no|also|from now on|{_ASKING}),? ){{0,4}}"
    r"(?:you (?:must|should|have to|need to|are to) )?(?:((?:always|only|never|(?:don[’']t|do not)(?: ever)?) "
    r"(?:(?:answer|reply|respond)(?! (?:that|this|it|him|her|them|the|to (?:that|this|it|him|her|them|the))\b)|"
    r"speak (?:to me |with me )?(?:in|like|as)|talk (?:to me |with me )?(?:in|like|as)|write (?:to me|in)|address me|"
    r"format|suggest|recommend|propose|offer me|show me|wake me|explain (?:it|things|code|everything))\b[^!?\n]{0,100})"
    r"|((?:answer|reply|respond|speak|talk|write)\b[^!?\n]{1,80}\b(?:from now on|in (?:the )?future|every time)\b))"
)
_PREFERS = compile_late(
    r"(?i)\bI(?:[’']d)? (?:really |much |would )?(?:prefer|rather (?:have )?|like it (?:better )?when)(?: "
    r"that)? (?:you|it if you|if you|your (?:answers|replies|messages)|when you|short|long|brief|detailed|"
    r"bullet)\b[^.!?\n]{0,100}"
)


@dataclass(frozen=True, slots=True)
class SentenceFeatures:
    """Features of one sentence, graded 0..1."""

    decision: float
    identity: bool
    care: bool
    conflict: float
    personal: float
    lesson: str | None


def read_features(sentence: str) -> SentenceFeatures:
    """Return the features of a sentence; a question and a condition decide nothing."""
    sentence = joined(sentence)
    lowered = sentence.lower()
    asks = sentence.endswith("?")
    own = _OWN.search(lowered) is not None
    identity = (
        own and not asks and _IDENTITY.search(sentence) is not None and _SUPPOSED.match(sentence) is None
    )
    care = not asks and (
        (has_any(lowered, _CARE_STEMS) and _CARE.search(sentence) is not None) or states_loss(sentence)
    )
    conflict = 0.0
    if _TECHNICAL_CONFLICT.search(lowered):
        pass
    elif has_any(lowered, _RESOLVED_STEMS) and _RESOLVED.search(sentence):
        conflict = 1.0 if _CONFLICT.search(sentence) else 0.5
    elif has_any(lowered, _CONFLICT_STEMS) and _CONFLICT.search(sentence):
        conflict = 0.3
    if identity:
        personal = 1.0
    else:
        personal = min(len(_DISCLOSES.findall(sentence)) / 3, 1.0) * (0.5 if asks else 1.0) if own else 0.0
    decision = decision_in(sentence)
    return SentenceFeatures(
        decision, identity, care, conflict, personal, None if asks else _lesson(sentence, lowered)
    )


def has_any(lowered: str, stems: tuple[str, ...]) -> bool:
    """Whether any of the stems is in the text; takes a twentieth of the time of the pattern that it stands before."""
    for stem in stems:  # noqa: SIM110 - any() with a generator takes twice as long
        if stem in lowered:
            return True
    return False


def _lesson(sentence: str, lowered: str) -> str | None:
    found = _DIRECTIVE.search(sentence) if has_any(lowered, _DIRECTIVE_STEMS) else None
    if found is not None:
        return next(group for group in found.groups() if group).strip(" ,;")
    style = _STYLE.search(sentence) if has_any(lowered, _DIRECTIVE_STEMS) else None
    if style is not None:
        return (style[1] or style[2]).strip(" ,;.")
    preferred = _PREFERS.search(sentence) if has_any(lowered, _PREFERS_STEMS) else None
    return preferred[0].strip(" ,;") if preferred is not None else None


_OWN = compile_late(r"(?<!\w)(?:i|my)(?!\w)|call me")
_SUPPOSED = compile_late(
    r"(?i)\W*(?:(?:ok|okay|now|so|and|please|just),? )*(?:imagine|pretend|suppose|say|let[’']?s say|if) "
)
"""Beginnings of sentences that say who the speaker is in a game or a supposition only."""
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
