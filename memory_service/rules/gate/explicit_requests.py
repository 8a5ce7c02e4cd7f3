"""Explicit requests to remember (gate `explicit_request`; docs/design.md, "Gate")."""

from __future__ import annotations

from memory_service.text.late_pattern import compile_late
from memory_service.text.text_cache import text_cache
from memory_service.text.unicode_folding import words_of

_LEAD = (
    r"(?:^|[.!?;:,\n—–-]\s*|\b(?:please|pls|also|and|but|so|just|always|hey|ok|okay|then|now|claude|agent|assistant|"
    r"(?:can|could|will|would) you(?: please)?|(?:want|need|like) you to|(?:would )?be (?:good|great|nice) "
    r"if you(?: could)?|you (?:should|must|need to|have to|can|could)|make sure (?:you |to |that you )?|try to)\s+)"
)
_REMEMBER = compile_late(
    rf"(?i){_LEAD}(?:please |also |just |always )*(?:remember|memori[sz]e|don[’']?t (?:ever )?forget|do "
    r"not (?:ever )?forget|never forget)(?:\s+for (?:me|later|next time|the future))?"
    r"(?=\s*(?:[:!]|$)|,?\s+(?:that|this|these|it|my|our|i|i[’']m|i[’']ve|i[’']d|we|we[’']re|the following|about (?:my|"
    r"our|the|me)|the (?:name|date|fact|number|address|password|birthday|deadline|rule|plan|code|"
    r"\w+(?: \w+){1,5} (?:is|are))|to (?:call|use|ask|remind|send|include|check|add|write|answer|reply|speak|avoid|"
    r"tell me))\b)"
)
_NOTE = compile_late(
    f"(?i){_LEAD}(?:please )?(?:note (?:that|down|this|:)|note to self|make a (?:mental )?note|take (?:a )?note|"
    "take this down|keep (?:that |this |it )?in mind|bear (?:that |this |it )?in mind|jot (?:this|that|it) down|write "
    "(?:this|that|it) down|"
    "(?:save|store|keep|record) (?:this|that|it|the following)(?: (?:for (?:later|me|future)|in (?:your )?memory|"
    "to memory|somewhere)|[:.!]|$)|add (?:this|that|it|the following) to (?:your|my|the) (?:memory|notes?)|"
    "commit (?:this|that|it) to memory)"
)
_REFERENCE = compile_late(
    r"(?i)\b(?:for (?:your |future )(?:future )?reference|for the record|so (?:that )?you (?:don[’']t "
    r"forget|remember|know for next time))\b"
)
_OTHER_LANGUAGES = compile_late(
    r"(?i)(?:^|[.!?,:]\s*|\b(?:bitte|s'il te plaît|por favor|per favore|proszę)\s+)(?:merk(?:e)? dir\b|"
    r"vergiss (?:bitte )?nicht\b|denk(?:e)? (?:bitte )?daran\b|behalte? (?:das )?im kopf|souviens-toi\b|rappelle-toi\b|"
    r"n['’]oublie pas\b|recuerda que\b|no (?:te )?olvides (?:de )?que\b|acuérdate de\b|ten en cuenta\b|ricordati\b|"
    r"non dimenticare\b|tieni "
    r"(?:a mente|presente)\b|onthoud dat\b|vergeet niet\b|lembr(?:a-te|e-se)\b|não (?:te |se )?esqueç|"
    r"retiens (?:bien )?que\b|zapamiętaj\b|pamiętaj,? że\b|запомни\b|kom ihåg\b|husk at\b|请记住|記住|记住)|"
    r"覚えて(?:おいて|ください)"
)
_REMIND = compile_late(
    r"(?i)(?:^\s*|[.!?;:\n]\s*|\b(?:please|pls|hey|ok|okay|(?:can|could|will|would) you(?: please)?|"
    r"(?:want|need|like) you to|remember to|don[’']t forget to)\s+)(?:please |also |just |always |then ){0,2}"
    r"remind me (?:(?:not |never )?to|about|that|when|tomorrow|tonight|later|again|every|each|next|at|on|in|before|"
    r"after)\b"
    r"|(?:^\s*|[.!?,;:]\s*|\bbitte\s+)erinner(?:e|n sie)? mich\b|\b(?:kannst|könntest) du mich [^.!?\n]{1,80} erinnern"
    r"|(?:^\s*|[.!?,;:]\s*)(?:rappelle[- ]moi (?:de|d['’]|que|qu['’])|recuérdame (?:que|de|\w+[aei]r\b)|"
    r"ricordami (?:di|che)\b|lembra-me de\b|herinner me (?:eraan|aan)\b)"
)
_NOT_A_REQUEST = compile_late(
    r"(?i)\b(?:(?:do|did|don[’']t|didn[’']t|can|could) (?:you|u|we|i|they|he|she) (?:even |still |ever "
    r")?remember\b(?! (?:that|this|to|my|me)\b(?! (?:time|day|night|when|one|trip|party)))|"
    r"remember (?:when|how|the (?:time|day|night|one)|that (?:time|day|night|one|trip|party))|(?:i|we|they|"
    r"he|she|who)(?:[’']ll|[’']d)? (?:(?:always|still|also|will|do|would|can|could|even|vividly|fondly|"
    r"clearly) ){0,3}(?:remember|never forget)\b|remember,? (?:that )?(?:i[’']m|i am|we[’']re|we are) "
    r"(?:always |all )?(?:here|there|in this)|"
    r"(?:can[’']?t|cannot|couldn[’']?t|don[’']t|didn[’']t) (?:really )?remember|(?:i|we)(?: will|[’']ll| "
    r"won[’']t| shall)? (?:try to )?(?:keep|bear) (?:that|it|this) in mind)"
)
_ASKING_YOU = compile_late(r"(?i)\b(?:can|could|will|would) you\b|\bplease\b")


def may_ask(text: str) -> bool:
    """Whether the text has a word that each request has; a cheap test for long texts."""
    lowered = text.lower()
    starts = {word[:4] for word in words_of(lowered)[1]}
    return not starts.isdisjoint(_STARTS) or (
        not text.isascii() and any(map(lowered.__contains__, _UNSPACED))
    )


@text_cache(512)
def asks_to_remember(sentence: str) -> bool:
    """Whether this sentence is a request to remember something, not talk about remembering.

    "Remember that I am vegan" and "remind me to buy milk" are;
    "I can't remember", "do you remember when ...?" and "remember to smile"
    are not.
    """
    if not may_ask(sentence):
        return False
    if _REFERENCE.search(sentence) or _OTHER_LANGUAGES.search(sentence):
        return True
    if sentence.rstrip().endswith("?") and not _ASKING_YOU.search(sentence):
        return False
    if _REMIND.search(sentence):
        return True
    found = _REMEMBER.search(sentence) or _NOTE.search(sentence)
    if found is None:
        return False
    denied = _NOT_A_REQUEST.search(sentence)
    return denied is None or denied.end() <= found.start() or denied.start() >= found.end()


_STARTS = frozenset(
    """
        reme memo forg note mind jot writ save stor reco keep add refe next merk verg denk beha souv
        rapp oubl recu olvi rico onth verg acué cuen dime tien lemb esqu reti zapa pami запо kom husk
        remi erin heri
    """.split()  # noqa: SIM905
)
"""First four letters of words of which each request has at least one."""
_UNSPACED = ("记住", "記住", "覚えて")
