"""Decisions, promises and plans, and the turns that ask for one (S2 gate `decision_made`)."""

from __future__ import annotations

import re
from itertools import islice

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
DAY_OR_MONTH = (
    r"(?:\w+day|january|february|march|april|may|june|july|august|september|october|november|december)"
)
_WHEN = re.compile(
    r"(?i)\b(?:tomorrow|tonight|next \w+|this (?:week|weekend|month|year|summer|\w+day)|"
    rf"(?:on|by|until|in) (?:{DAY_OR_MONTH}|\d)|from now on|starting)\b"
)
_CONDITION = re.compile(
    r"(?i)\b(?:if(?! you (?:like|want|wish|prefer)\b)|whether|wish|imagine|should i|not (?:yet )?(?:decided|sure)|"
    r"undecided)\b"
)
"""Anywhere in a sentence, it leaves the decision open."""
_HEDGE = re.compile(r"(?i)\b(?:maybe|perhaps|might)\b")
"""In the clause of the decision."""
_UNREAL = re.compile(r"(?i)\b(?:would|could|haven[’']t|didn[’']t|never|afraid|worried|scared)\b")
"""In its clause before it: "I never thought I'll go", while "I'll go, it would please her" decides."""
_CLAUSE_END = re.compile(
    r"(?i)[,;:()–—]|\s-\s|\b(?:and|but|because|although|though|since|so|that|which|while)\b"
)


def asks_for_something(text: str) -> bool:
    """Whether a turn requests, offers or suggests something, so that an assent to it commits."""
    return _REQUESTS.search(joined(text)) is not None


def assents(sentence: str) -> bool:
    """Whether the sentence begins as an assent does: then it matters what it answers."""
    return _ASSENTS.search(joined(sentence)) is not None


def decision_in(sentence: str) -> float:
    """Return how much the sentence decides, promises or plans, 0..1, without its other signs."""
    sentence = joined(sentence)
    return 0.0 if sentence.endswith("?") else how_decided(sentence, sentence.lower(), False)


def joined(text: str) -> str:
    """The text with "I ' ll", as some transcripts have it, put together."""
    return _APART.sub(r"\1", text) if " '" in text or " ’" in text else text


_MOST_CLAUSES = 4
"""Of one sentence that are looked at: a hostile one has thousands."""
_APART = re.compile(r"(?i)\s([’'])\s?(?=(?:ll|m|ve|re|d|s|t)\b)")


def how_decided(sentence: str, lowered: str, answers_request: bool) -> float:
    """1.0 decided; 0.7 a promise or a dated intention; 0.4 an intention, or an assent."""
    found = 0.0
    if has_any(lowered, _DECIDED_STEMS) and _firm(_DECIDED, sentence):
        found = 1.0
    elif has_any(lowered, _WILL_STEMS):
        if _firm(_PROMISES, sentence):
            found = 0.7
        elif _firm(_INTENDS, sentence):
            found = 0.7 if _WHEN.search(sentence) else 0.4
        if found and _HABIT.search(sentence):
            found = 0.0
    if not found and answers_request and _firm(_ASSENTS, sentence):
        found = 0.4
    return 0.0 if found and _CONDITION.search(sentence) else found


def _firm(pattern: re.Pattern[str], sentence: str) -> bool:
    """Whether the pattern is there in a clause that takes nothing of it back."""
    if pattern.search(sentence) is None:
        return False
    if not (_UNREAL.search(sentence) or _HEDGE.search(sentence)):
        return True
    for match in islice(pattern.finditer(sentence), _MOST_CLAUSES):
        start = 0
        for border in _CLAUSE_END.finditer(sentence, 0, match.start()):
            start = border.end()
        after = _CLAUSE_END.search(sentence, match.end())
        end = after.start() if after is not None else len(sentence)
        if not (_UNREAL.search(sentence, start, match.start()) or _HEDGE.search(sentence, start, end)):
            return True
    return False


_LIFE = re.compile(
    r"(?i)\b(?:jobs?|resign\w*|notice|career|retir\w+|promotion|(?:accept|turn)\w* (?:down )?the (?:offer|position)|"
    r"mov(?:e|ed|ing) (?:in\b|out\b|to (?-i:[A-Z])\w*|back to (?-i:[A-Z])\w*|abroad|away|home)|emigrat\w+|house|"
    r"flat|apartment|"
    r"mortgage|lease|marr(?:y|ied|iage)|wedding|divorc\w+|engaged|separat(?:e|ed|ing) from|split up|break(?:ing)? up|"
    r"bab(?:y|ies)|kids?|children|adopt\w*|pregnan\w+|universit\w+|college|degree|phd|master[’']?s|drop(?:ped)? out|"
    r"surgery|operation|chemo\w*|therapy|rehab|smoking|drinking|alcohol|vegan|vegetarian|meat|citizenship|visa|"
    r"convert\w* to|"
    r"transition|found(?:ed|ing)? (?:a|my|our) (?:company|business)|my own (?:company|business|shop|studio)|funeral|"
    r"forgive|testament|inheritance|army|military|sobriety|sober|quit(?:ting)? (?:my|the) (?:job|band|team|course))\b"
)


def changes_life(sentence: str) -> bool:
    """Whether the sentence is about what decides over years: work, home, family, health, faith."""
    return _LIFE.search(sentence) is not None


def has_any(lowered: str, stems: tuple[str, ...]) -> bool:
    """Whether any of the stems is there: most sentences show nothing, and this says so for a twentieth of the time
    that the pattern takes."""
    for stem in stems:  # noqa: SIM110 - any() with a generator takes twice as long
        if stem in lowered:
            return True
    return False


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
