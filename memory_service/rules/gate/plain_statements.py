"""Short statements of what happened or how things stand ("I got a raise", "The boiler is broken"), which the
fact-bearing score takes for too little because they have few words."""

from __future__ import annotations

from memory_service.rules.gate.sentence_score import FILLER, WORD, telling
from memory_service.rules.relatives import KIN
from memory_service.text.late_pattern import compile_late
from memory_service.text.text_cache import text_cache

_LONGEST = 200
"""Characters of a sentence; longer ones have words enough for the score."""
_EVALUATIONS = frozenset(
    """
        amazing awesome bad beautiful best better brilliant clear correct crazy cute excellent exciting
        fair false fantastic fun funny gorgeous great hard helpful hilarious huge important
        impressive incredible inspiring interesting lovely neat ok okay perfect powerful pretty ready
        right rough sad sense simple sweet terrible tough true useful wild wonderful worse worst worth wrong
        """.split()  # noqa: SIM905
)
"""Words that only judge."""
_OF_TASKS = frozenset(
    """
        answer bug bugs build code column columns csv dataframe dataset doubt error errors exception file files function
        idea issue issues link option options output page point problem problems prompt query question questions request
        row rows sample screenshot script sheet suggestion task text traceback typo typos variable
        """.split()  # noqa: SIM905
)
"""Words of the task at hand: the sentence is about it, not about the person."""
_OPENING = (
    r"(?:(?:so|well|ok(?:ay)?|btw|by the way|and|also|but|yeah|yes|no|oh|omg|ugh|hey|hi|update|good news|bad news|"
    r"anyway|today|yesterday|lol|haha)[,:!.]* )*"
)
_ADVERBS = (
    r"(?:(?:just|finally|also|now|already|still|never|only|recently|actually|even|always|usually|really) )*"
)
_HAVE = r"(?:(?:have|had|has|[’']ve|[’']d|ve) )?"
_STANCES = (
    r"(?:think|thought|guess|mean|meant|see|understand|understood|agree|agreed|appreciate|know|knew|wonder|hope|bet|"
    r"like|love|loved|liked|want|wanted|need|needed|would|will|should|could|can|may|might|must|shall|suppose|believe|"
    r"feel|felt|said|asked|tried|try|hear|heard|promise|swear|remember|notice|noticed|do|did|don[’']?t|didn[’']?t|"
    r"can[’']?t|cannot|won[’']?t|wouldn[’']?t|couldn[’']?t|shouldn[’']?t|to|gotta|get|doubt|imagine|read|use to|"
    r"figured?|assumed?|expect|reckon|disagree|give up|gave up|pass|object|second|"
    r"laughed|smiled|chuckled|copied|pasted|already did|have to)\b"
)
_MOODS = (
    r"(?:(?:so|very|really|just|a bit|a little|kinda|kind of|sort of|not|pretty|still|also|too|super|all) )*"
    r"(?:sorry|glad|happy|sure|unsure|uncertain|curious|confused|stuck|interested|worried|excited|thrilled|proud|"
    r"impressed|afraid|aware|ready|done|going|gonna|looking|wondering|considering|trying|thinking|asking|talking|"
    r"struggling|working|getting|having|here|there|back|fine|good|ok|okay|well|tired|bored|hungry|late|busy|in|"
    r"rooting|kidding|joking|guessing|hoping|planning|serious|with|all)\b"
)
_DROPPED = (
    r"(?:got|joined|failed|passed|bought|sold|lost|found|quit|started|stopped|finished|booked|signed up|moved|painted|"
    r"adopted|ordered|shipped|fixed|merged|deployed|hired|fired|broke|sprained|twisted|tore|burned|met|cancelled|"
    r"canceled|renewed|paid|planted|switched|dropped|deleted|baked|repaired|rented|won|missed|dumped|enrolled|"
    r"handed in|submitted|applied|going with) (?!it\b|that\b|this\b|them\b|you\b|to\b|the (?:point|idea)\b)"
)
_IS = r"(?:is|are|[’']s|[’']re|isn[’']t|aren[’']t)\b"
_HAPPENED = (
    r"(?:was|were|wasn[’']t|weren[’']t|has|have|had|hasn[’']t|haven[’']t|got|went|called|starts|started|turned|left|came|moved|moves|broke|"
    r"quit|died|passed|failed|won|lost|proposed|paid|sold|bought|cancelled|canceled|joined|lives|works|helped|arrived|"
    r"doubled|closed|closes|opened|opens|retired|retires|visited|visits|said yes|said no|ended|ends)\b"
)
_REPLY_PARTS = (
    r"(?:option|one|ones|first|second|third|last|next|previous|above|ideas?|answer|list|code|output|example|"
    r"results?|response|problem|question|text|essay|paragraph|sentence|function|following|plan|table|title|tone|"
    r"data|error|point|thing|way|same|rest|other|others|whole|story|context|goal|user)\b"
)
_BODY = (
    r"(?:left |right |lower |upper )?(?:finger|thumb|hand|arm|elbow|wrist|shoulder|leg|foot|toe|knee|ankle|hip|back|"
    r"neck|head|"
    r"tooth|jaw|throat|stomach|eye|ear|cast|stitches)s?"
)
_DONE_BY_OTHERS = (
    r"(?:put|found|removed|took|gave|cancelled|canceled|stole|offered|accepted|rejected|refused|approved|moved|changed|raised|"
    r"lowered|closed|fired|hired|paid)\b(?! (?:it|that|this|them)\b)"
)
_NO_SUBJECT = (
    r"(?!(?:It|That|This|There|Here|What|Who|Which|Where|When|Why|How|Everything|Everyone|Nothing|Something|All|Some|"
    r"You|Your|They|These|Those|If|As|Is|Are|Was|Were|Has|Have|Had|Let|No|Yes|Not|Life|Love|One|Must|Can|Could|Would|"
    r"Should|Will|May|Might|Do|Does|Did)\b)"
)
_FIRST_PERSON = compile_late(
    rf"(?i:{_OPENING})(?:(?i:i|we)(?: |(?=[’']))(?i:{_HAVE}{_ADVERBS}{_HAVE}{_ADVERBS}(?!{_STANCES}(?! mind (?!it\b|"
    rf"that\b|if\b)))(?!(?:(?:[’'](?:m|re)|am|are|was|were|m) ){_ADVERBS}{_MOODS}))|"
    rf"(?i:im|ive) (?i:{_ADVERBS})(?!(?i:{_STANCES}|{_MOODS}))|"
    rf"(?i:my|our) (?:[\w’'-]+ ){{1,3}}?(?:(?i:just|finally|also|now) )*(?i:{_HAPPENED}|{_IS})|"
    rf"(?i:(?:just|finally|also) )*(?i:{_DROPPED})|(?i:(?:the )?{_BODY} {_IS})|(?i:it[’']?s an? (?:girl|boy)\b)|"
    rf"(?i:they (?:just |have |[’']ve )*{_DONE_BY_OTHERS}))"
)
_OTHERS = compile_late(
    rf"(?i:{_OPENING})(?:{_NO_SUBJECT}(?:[A-ZÀ-Þ][\w’-]*[a-zà-ÿ](?: [A-ZÀ-Þ][\w’-]*)?|(?i:{KIN}))(?: (?:and "
    rf"[A-Z][a-z]+ )?|(?=[’']s))(?i:{_ADVERBS}(?!have\b|are\b|had\b|won\b|lost\b|opens?\b|opened\b|closes?\b|(?:is|"
    r"[’']s) (?!\w+ing\b|in\b|at\b|back\b|home\b|ill\b|sick\b|pregnant|engaged|married|gone\b|dead\b|better\b|broken|"
    r"off\b|out\b)|has (?!an?\b|the\b|got\b|been\b|moved|left|joined|quit|broken|lost|had\b|started|"
    rf"stopped))(?:{_HAPPENED}|{_IS}))|"
    rf"(?i:the|his|her|their) (?!(?i:{_REPLY_PARTS}))(?:[\w’'-]+ ){{1,3}}?(?i:{_ADVERBS}{_HAPPENED}|{_IS}(?=[^.,;!?]* "
    r"(?:again|now)\b)))"
)
_LABELLED = compile_late(
    r"(?i)(?:my )?(?!error|status|exit|http)(?:[a-z]+ ){0,2}(?:number|reference|ref|code|bp|pressure|weight|sugar|"
    r"glucose|temperature|temp|"
    r"balance|deadline|appointment|flight|seat|room)(?: (?:is|was|today|now))?:? (?=\S*\d)[\w/.:-]{2,}"
)
"""A value with its name: "BP 131/84"."""
_ADDRESSES = compile_late(r"(?i)\b(?:you|your|yours|u|ur|please|pls|let[’']?s|help me)\b")


@text_cache(512)
def states_plainly(sentence: str) -> bool:
    """Whether a short sentence states an event or a state of its speaker, a person or a thing.

    Questions, requests, opinions and reactions to another speaker do not.
    """
    if len(sentence) > _LONGEST or sentence.rstrip().endswith(("?", ":", "...", "…")):
        return False
    text = telling(sentence).strip()
    if _LABELLED.match(text):
        return True
    found = _FIRST_PERSON.match(text) or _OTHERS.match(text)
    if found is None or _ADDRESSES.search(text):
        return False
    verb = found[0].split()[-1].lower() if found[0].split() else ""
    words = [*WORD.findall(text[found.end() :].lower()), verb]
    if not _OF_TASKS.isdisjoint(WORD.findall(text.lower())):
        return False
    return any(word not in FILLER and word not in _EVALUATIONS for word in words)
