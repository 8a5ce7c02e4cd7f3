"""Whether somebody asks, in so many words, that something be remembered (S2 gate `explicit_request`)."""

from __future__ import annotations

import re

_LEAD = (
    r"(?:^|[.!?;:,\n—–-]\s*|\b(?:please|pls|also|and|but|so|just|always|hey|ok|okay|then|now|claude|agent|"
    r"assistant|"
    r"(?:can|could|will|would) you(?: please)?|(?:want|need|like) you to|(?:would )?be (?:good|great|nice) "
    r"if you(?: could)?|"
    r"you (?:should|must|need to|have to|can|could)|make sure (?:you |to |that you )?|try to)\s+)"
)
_REMEMBER = re.compile(
    rf"(?i){_LEAD}(?:please |also |just |always )*(?:remember|memori[sz]e|don[’']?t (?:ever )?forget|do "
    rf"not (?:ever )?forget|never forget)"
    r"(?:\s+for (?:me|later|next time|the future))?"
    r"(?=\s*(?:[:!]|$)|,?\s+(?:that|this|these|it|my|our|i|i[’']m|i[’']ve|i[’']d|we|we[’']re|the following|"
    r"about (?:my|our|the|me)|the (?:name|date|fact|number|address|"
    r"password|birthday|deadline|rule|plan|code)|to (?:call|use|ask|remind|send|include|check|add|write|"
    r"answer|reply|speak|avoid|tell me))\b)"
)
_NOTE = re.compile(
    rf"(?i){_LEAD}(?:please )?(?:note (?:that|down|this|:)|note to self|make a (?:mental )?note|take (?:a "
    rf")?note|take this down|"
    r"keep (?:that |this |it )?in mind|bear (?:that |this |it )?in mind|jot (?:this|that|it) down|write "
    r"(?:this|that|it) down|"
    r"(?:save|store|keep|record) (?:this|that|it|the following)(?: (?:for (?:later|me|future)|in (?:your "
    r")?memory|to memory|somewhere)|[:.!]|$)|"
    r"add (?:this|that|it|the following) to (?:your|my|the) (?:memory|notes?)|commit (?:this|that|it) to "
    r"memory)"
)
_REFERENCE = re.compile(
    r"(?i)\b(?:for (?:your |future )(?:future )?reference|for the record|so (?:that )?you (?:don[’']t "
    r"forget|remember|know for next time))\b"
)
_OTHER_LANGUAGES = re.compile(
    r"(?i)(?:^|[.!?,:]\s*|\b(?:bitte|s'il te plaît|por favor)\s+)(?:merk(?:e)? dir\b|vergiss (?:bitte "
    r")?nicht\b|"
    r"denk(?:e)? (?:bitte )?daran\b|behalte? (?:das )?im kopf|souviens-toi\b|rappelle-toi\b|n['’]oublie "
    r"pas\b|recuerda que\b|"
    r"no olvides que\b|ricordati\b|onthoud dat\b)"
)
_NOT_A_REQUEST = re.compile(
    r"(?i)\b(?:(?:do|did|don[’']t|didn[’']t|can|could) (?:you|u|we|i|they|he|she) (?:even |still |ever "
    r")?remember\b(?! (?:that|this|to|my|me)\b(?! (?:time|day|night|when|one|trip|party)))|"
    r"remember (?:when|how|the (?:time|day|night|one)|that (?:time|day|night|one|trip|party))|(?:i|we|they|"
    r"he|she|who)(?:[’']ll|[’']d)? (?:(?:always|still|also|will|do|would|can|could|even|vividly|fondly|"
    r"clearly) ){0,3}(?:remember|never forget)\b|remember,? (?:that )?(?:i[’']m|i am|we[’']re|we are) "
    r"(?:always |all )?(?:here|there|in this)|"
    r"(?:can[’']?t|cannot|couldn[’']?t|don[’']t|didn[’']t) (?:really )?remember|(?:i|we)(?: will|[’']ll| "
    r"won[’']t| shall)? (?:try to )?(?:keep|bear) (?:that|it|this) in mind)"
)
_ASKING_YOU = re.compile(r"(?i)\b(?:can|could|will|would) you\b|\bplease\b")


def asks_to_remember(sentence: str) -> bool:
    """Whether this sentence is a request to remember something, not talk about remembering.

    "Remember that I am vegan" is; "I can't remember", "do you remember when ...?" and "remember to smile"
    are not.
    """
    lowered = sentence.lower()
    if not any(word in lowered for word in _TRIGGERS):
        return False
    if _REFERENCE.search(sentence) or _OTHER_LANGUAGES.search(sentence):
        return True
    if sentence.rstrip().endswith("?") and not _ASKING_YOU.search(sentence):
        return False
    found = _REMEMBER.search(sentence) or _NOTE.search(sentence)
    if found is None:
        return False
    denied = _NOT_A_REQUEST.search(sentence)
    return denied is None or denied.end() <= found.start() or denied.start() >= found.end()


_TRIGGERS = (
    "remember",
    "memori",
    "forget",
    "note",
    "in mind",
    "jot",
    "write",
    "save",
    "store",
    "record",
    "keep",
    "add",
    "memory",
    "reference",
    "so you",
    "so that you",
    "merk",
    "vergiss",
    "denk",
    "behalt",
    "souviens",
    "rappelle",
    "oublie",
    "recuerda",
    "olvides",
    "ricordati",
    "onthoud",
)
