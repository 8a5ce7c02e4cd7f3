"""Requests to forget, which are fulfilled by erasing and are never remembered, and requests not to store a message."""

from __future__ import annotations

from memory_service.injection.topic_withdrawals import FORM
from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.taken_back import taken_back
from memory_service.rules.norms.short_orders import storage_order_in
from memory_service.rules.norms.withdrawals import withdrawal_in
from memory_service.text.late_pattern import compile_late
from memory_service.text.unicode_folding import words_of

_RECORDS = (
    r"(?:your (?:memor(?:y|ies)|notes|records)\b|memory(?=\s*(?:$|[.,;!?\n]|(?:please|pls|too|now|again)\b)))"
)
"""What the assistant remembers: notes and records of others are none."""
_LEAD = (
    r"(?:^\s*|[.!?;:,\n–—]\s*|\b(?:please|pls|just|ok|okay|hey|actually|now|also|no|bitte|por favor|per favore|"
    r"(?<!how )(?<!why )(?:can|could|will|would) you(?: please| just)?|(?:want|need|like) you to|"
    r"you can(?: also| just| now)?(?=\s+(?:delete|erase|remove|wipe|drop|clear) (?:[^.!?\n]{0,60}?\b(?:thing|stuff|"
    rf"part|bit|topic|matter|story) from {_RECORDS}|[^.!?\n]{{0,60}}\bfrom your (?:memory|memories|notes|records)\b))|"
    r"(?:kannst|könntest) du(?: bitte)?|(?:peux|pourrais)-tu|tu (?:peux|pourrais)|puedes|podrías|puoi|potresti)\s+)"
)
_WHAT = (
    r"(?:(?:that|this|it|them|those|these|everything|all(?: of (?:that|this|it))?)"
    r"(?:,? please| again| now| too| as well| then)?(?=\s*(?:[.!?,;\n]|$))|"
    r"(?:that|what|everything|anything|all|whatever) (?:that )?(?:i|we|you)\b|"
    r"(?:the|that|this|those|these|any|all|every|your|my|our)(?: \w+){0,4} (?:memor(?:y|ies)|messages?|notes? "
    r"(?:about|on) me)\b|[^.!?\n]{0,80}\bfrom (?:your|my|the) (?:memor(?:y|ies)|notes|records)\b|"
    r"[^.!?\n]{0,60}\babout (?:me|us)\b|my (?:\w+ )?(?:data|e-?mail|address|number|name|birthday|details|info\w*|"
    r"history|age|location|preferences?)|"
    r"(?:everything|anything|all)(?: (?:that )?you (?:know|have|stored|saved))? (?:about|on|regarding|of) "
    rf"(?:(?:my|our) (?:[\w-]+ )?(?:{PEOPLE}|ex)\b|h(?:im|er)\b|them\b|(?-i:[A-Z])[\w'’-]+)"
    r"(?! (?:[\w'’-]+ ){0,3}(?:from|in|on) (?!(?:your|the) (?:memory|memories|notes)\b)))"
)
_REQUEST = compile_late(
    rf"(?i){_LEAD}(?:please |just |also |all |completely ){{0,3}}(?:forget\b(?!-| (?:me[- ]nots?|to)\b)|"
    rf"(?:delete|erase|remove|wipe|scrap|purge) {_WHAT}|"
    rf"(?:drop|clear|delete|erase|remove|wipe) (?:that|this|it|[^.!?\n]{{0,60}}?\b(?:thing|stuff|part|bit|topic|matter|"
    rf"story)) from {_RECORDS}|"
    r"(?:clear|delete|erase|remove|wipe|drop) (?:everything|all(?: of (?:it|that|this))?)(?: (?:about|on|regarding) "
    rf"[\w'’ -]{{2,40}}?)? from {_RECORDS}|"
    r"(?:i )?(?:don[’']?t|do not) want (?:(?:that|this) (?:stored|remembered|on record)(?=\s*(?:$|[.,;!?\n]))|"
    r"(?:that|this|it) (?:stored|saved|remembered|recorded|on record)(?= (?:please\b|anywhere\b|in your memory\b)))|"
    r"(?:(?<=please )|(?<=pls ))(?:don[’']?t|do not) keep (?:that|this|it)(?: (?:in (?:your )?memory|on (?:file|"
    r"record)))?(?=\s*(?:$|[.,;!?\n]))|"
    r"(?:don[’']t|do not|never|stop) (?:remember|memori[sz]e|stor|sav|record)(?:e|ing)? (?:(?:this|that|it|any of "
    r"(?:this|that|it)|anything)(?: please)?(?=\s*(?:[.!?,;\n]|$))|(?:that|what|anything) (?:i|we)\b|my|our|anything "
    r"about)|vergiss\b(?! (?:\w+ ){0,3}?(?:nicht|nie)\b)|vergessen sie\b(?! (?:\w+ ){0,3}?(?:nicht|nie)\b)|"
    r"(?:lösch|streich)e? (?:bitte )?(?:das|es|alles|meine?n?|was ich)\b|"
    r"[^.!?,\n]{1,60} (?:vergessen|löschen)(?=\s*(?:\?|bitte))|"
    r"(?:oublie[zr]?|oublions)\b(?! pas\b)|(?:efface|supprime)[zr]? (?:ça|cela|ce que|tout|mon|ma|mes)\b|"
    r"(?:olvida|olvide|olvídalo|olvídate|olvidar)\b|(?:borra|borre|elimina|borrar) (?:eso|esto|todo|lo que|mis?)\b|"
    r"bórralo\b|"
    r"(?:dimentica|dimentichi|dimenticalo|dimenticati)\b|cancella (?:questo|quello|tutto|il mio|la mia|i miei)\b|"
    r"cancellalo\b|"
    r"(?:esquece|esqueça)\b|(?:apaga|apague) (?:isso|isto|tudo|o meu|a minha)\b|vergeet\b(?! (?:\w+ ){0,3}?niet\b)"
    r")[^.!?,;\n]*(?:,? (?:it|that|this|because|since|as|bitte|please|thanks?|por favor|per favore|(?:was|dass|"
    r"wie|wo) ich)\b[^.!?;\n]*)?"
)
_FIRST = (
    r"^\W{0,5}(?:(?:please|pls|plz|just|hey|hi|ok|okay|also|actually|btw|so|"
    r"(?:can|could|will|would) you)[, ]{1,2}){0,3}"
)
_TO_YOU = (
    r"(?:^|[.!?;:\n–—])[ \t]{0,3}(?:(?:please|pls|plz|just|hey|ok|okay|also|and|but|so|(?:can|could|will|would) you)"
    r"[, ]{1,2}){0,3}"
)
_NOT = r"(?:don[’']?t|do not) (?:please )?"
_AT_END = r"(?: please)?[ .!)]{0,5}\s{0,9}$"
_MEMORY = r"(?:in|to|into|from|for) your (?:memory|memories|notes|records)\b"
_NOT_STORED = compile_late(
    rf"(?i)(?:{_FIRST}{_NOT}(?:(?:remember|memori[sz]e) (?:(?:this|the following)(?: please)?\s{{0,3}}"
    r"(?:[:;,.!–—-]|$|\b(?:but|because)\b)|that(?: please)?\s{0,3}(?:[:.!]|$))|"
    r"(?:save|store|record|note) (?:this|the following)(?: please)?\s{0,3}(?::|\b(?:but|because)\b)|"
    r"(?:write|note|jot) this down(?: please)?\s{0,3}(?:[:,]|\b(?:but|because)\b))|"
    rf"{_TO_YOU}{_NOT}(?:(?:remember|memori[sz]e|save|store|record|note) (?:this|that|it)|"
    rf"(?:write|note|jot) (?:this|that|it) down){_AT_END}|"
    rf"[,;] (?:but |and |so )?(?:please )?{_NOT}(?:save|store|record|memori[sz]e|note) (?:this|that|it){_AT_END}|"
    rf"{_TO_YOU}(?:{_NOT}|never )(?:save|store|record|note|put|add|keep|log|take|write) (?:this|that|it|the following)"
    rf"(?: down)? {_MEMORY}|"
    r"(?:^|[.!?;\n])[ \t]{0,3}(?:(?:this|that|it|all of this)(?: is|[’']s) |(?:strictly|just|completely|between us|btw|"
    r"and|but|so|ok|hey),? ){0,3}(?-i:[Oo]ff the record)(?: please)?\s{0,3}(?:[:,.!–—]|$)|"
    r"(?:^|[.!?;\n])[ \t]{0,3}(?:(?:this|that|it|all of this)(?: is|[’']s) )?(?:not for your (?:memory|memories|notes|"
    r"records)|not to be (?:remembered|memori[sz]ed|stored|saved|recorded)(?=\s{0,3}(?:[:.!]|$)))\b|"
    r"\bkeep (?:this|that|it|the following) out of your (?:memory|memories|notes|records)\b|"
    r"\b(?:this|that) (?:should|must|may) (?:not|never) be (?:(?:remembered|memori[sz]ed)(?=\s{0,3}(?:[:.!]|$))|"
    rf"(?:stored|saved|recorded|kept) {_MEMORY}))"
)
"""A request not to store the message. "I don't remember this song" and "don't store this in the fridge" are none."""
_NEGATIVES = ("not", "n't", "n’t", "dont", "never", "record", "keep")
_ASKING_YOU = compile_late(
    r"(?i)\b(?:(?:can|could|will|would) you|please|bitte|kannst du|könntest du|peux-tu|pourrais-tu|tu peux|puedes|"
    r"podrías|puoi|potresti)\b"
)
_STARTS = frozenset(
    """
        forg dele eras remo wipe scra purg don do neve stop verg lösc stre oubl effa supp olvi olví borr bórr elim
        dime canc esqu apag drop clea
        """.split()  # noqa: SIM905
)
"""First four letters of words of which each request has at least one."""
_LONGEST = 6000
"""Characters: longer texts are documents, which request nothing."""
_OF_ANOTHER = compile_late(
    r"(?i)^[\s,;–—-]*(?:(?:because|since|as) )?(?:(?P<name>(?-i:(?!(?:She|He|They|The|My|Our)\b)[A-Z])[\w'’-]+(?: "
    r"(?-i:[A-Z])[\w'’-]+)?)|(?:a|the|my|our) (?P<kind>(?:\w+ )?(?:customer|client|guest|tenant|patient|user|member|"
    r"student|employee))|s?he|they) (?:has |have |just ){0,2}(?:asked|wants?|wanted|requested|requests|would like)"
    r"(?: (?:us|me|you))?(?: to)? (?:be (?:forgotten|deleted)|(?:have )?(?:his|her|their) (?:\w+ )?(?:data|details|"
    r"records?) (?:be )?(?:deleted|erased|removed)|(?:delete|erase|remove|forget|wipe|deletion of|erasure of)"
    r"(?: all(?: of)?)? (?:his|her|their) (?:\w+ )?(?:data|details|records?|information|account))[.! ]*$"
)
"""The reason of a request to forget: another person's wish."""
_PERSON = compile_late(r"(?i)\b(?:he|she|they|him|her|hers|them|his|their)\b")
_NAMED = compile_late(r"(?i)\b(?:forget|(?:everything|anything|all) (?:about|on|of)) (?-i:[A-Z])[\w'’-]+")
_NOT_SAVED = compile_late(
    r"(?i)^\W*(?:(?:and|but|also|please) )?(?:i )?(?:don[’']?t|do not) want (?:that|this) (?:saved|recorded)\W*$"
)
"""The last sentence of a message; elsewhere it is about a file: "I don't want that saved. It's the wrong one"."""
_OF_ORDER = compile_late(
    r"(?i)^\W*(?:(?:ok|okay|please|pls|just|actually)[,:]? ){0,2}forget (?:about )?(?:what (?:I|we) (?:said|told you)|"
    rf"the (?:thing|bit|part)) about (?:the |using )?{FORM}[,;–—]+ (?=[^.!?]*\b(?:it|that|them|those)\b)"
    r"[^.!?]*\b(?:now|only|every time|each time|any ?more|instead|always|no longer)\b"
)
"""A sentence that changes an order about a matter of form, which "it" refers to: a pregnancy is to be forgotten."""
_SENTENCE = compile_late(r"[^.!?\n]*(?:[.!?]+|\n|$)")


def may_ask_to_forget(text: str) -> bool:
    """Whether the text has a word that each request has; a cheap test for long texts."""
    return not _STARTS.isdisjoint({word[:4] for word in words_of(text.lower())[1]})


def is_not_to_be_stored(text: str) -> bool:
    """Whether a message requests that it is not stored: "off the record", "don't remember this: ..."."""
    if len(text) > _LONGEST:
        return False
    lowered = text.lower()
    return any(word in lowered for word in _NEGATIVES) and _NOT_STORED.search(text) is not None


def without_forgetting(text: str) -> tuple[str, bool]:
    """Return the text without its requests to forget, and whether it had any; nothing where it is not to be stored.

    "Forget what I said" and "delete that" are requests; "don't forget" and "did you forget?" are not.
    """
    if len(text) > _LONGEST:
        return text, False
    if is_not_to_be_stored(text):
        return "", True
    if not may_ask_to_forget(text):
        return text, False
    if taken_back(text) is not None:  # it also states that a fact has ended
        return text, False
    kept: list[str] = []
    requested = ""
    found = False
    for match in _SENTENCE.finditer(text):
        sentence = match[0]
        rest = sentence
        requests = not sentence.rstrip().endswith("?") or _ASKING_YOU.search(sentence) is not None
        # "forget the tabs thing" and "never store anything about my health" erase nothing
        if (
            requests
            and withdrawal_in(sentence.strip()) is None
            and storage_order_in(sentence) is None
            and not _OF_ORDER.match(sentence)
        ):
            requested += "".join(f" {request[0]}" for request in _REQUEST.finditer(sentence))
            rest = _REQUEST.sub(" ", sentence)
            if not text[match.end() :].strip():
                rest = _NOT_SAVED.sub(" ", rest)
        found = found or rest != sentence
        kept.append(rest)
    if not found:
        return text, False
    return "".join(rest for rest in kept if not _is_reason(rest, requested)).strip(" ,;"), True


def _is_reason(sentence: str, requested: str) -> bool:
    """Whether a sentence states the wish of the person whom the request to forget names."""
    match = _OF_ANOTHER.search(sentence)
    if match is None:
        return False
    who = set(f"{match['name'] or ''} {match['kind'] or ''}".lower().split())
    if _PERSON.search(requested) or not who.isdisjoint(words_of(requested.lower())[1]):
        return True
    return match["name"] is None and _NAMED.search(requested) is not None
