"""Text that tries to command the agent, in whoever's message it comes (DESIGN §2 promise 7).

Remembered, such text would speak again in every later context; it is quarantined, where a person can look
at it.
Wishes about tone or language ("from now on, answer in German") are no commands in this sense.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from itertools import islice

from memory_service.rules.plain_text import folded, is_invisible, words_of

_THEIR_RULES = r"(?:instructions?|prompts?|guidelines?|directives?|directions|programming|guardrails)"
_READER = r"(?:(?:ai|language|chat) ?)?(?:ai|llm|assistant|agent|model|chatbot|bot)s?"

_RULES: tuple[tuple[str, str, str], ...] = (
    (
        "overrides instructions",
        "instruct|prompt|guidel|direct|programming|guardrails|training|rules|messages|text",
        rf"\b(?:ignore|disregard|forget|override|bypass|skip|drop|neglect|discard|set aside)\b(?: (?:all|"
        rf"any|every|"
        r"the|your|my|of|these|those|and|previous|prior|earlier|"
        rf"above|preceding|existing|original|system|safety|current|initial)){{0,6}} (?:{_THEIR_RULES}|"
        r"safety (?:rules|training)|training|(?<=your )rules|(?<=previous )rules|"
        r"(?<=all )rules|(?<=safety )rules|(?<=previous )messages|(?<=above )text)\b",
    ),
    (
        "overrides instructions",
        "follow|obey|apply|hold|count|bind|exist|above|before|instruct|orders|directives|prompt",
        r"\b(?:stop (?:following|obeying)|(?:do not|don[’']t|should not|must not|no longer) (?:follow|obey)) "
        r"(?:any of |all )?(?:your (?:\w+ )?(?:guidelines|instructions|rules|programming|training)|"
        r"(?:the|any) (?:\w+ )?(?:instructions|rules|guidelines|prompt) (?:that )?(?:you|above|before))\b|"
        r"\byour (?:previous |old |earlier |original |current |system )?(?:instructions|rules|guidelines|"
        r"programming|restrictions|prompt)(?: \w+)? (?:no longer|do not|don[’']t) (?:apply|hold|count|bind|"
        r"exist)|"
        r"\byour (?:real|true|actual|new) (?:instructions|orders|directives|system prompt) (?:start|begin|"
        r"are|"
        r"follow)\b|\beverything (?:above|before)\b[^\n.!?]{0,30} (?:was|is) (?:only |just )?an? (?:test|"
        r"fake|example)\b",
    ),
    (
        "overrides instructions",
        "anweisung|instruk|regeln|vorgaben|instruc|consignes|regles|reglas|istruz|regole|instrucoes|"
        "regras|regels|polecenia|talimat|regler|指|规|規|提示|命令|"
        f"{folded('инструкции')}|{folded('правила')}",
        r"\b(?:ignorier\w*|vergiss|missacht\w*|ubergeh\w*|ignore[rsz]?|oublie[rz]?|olvida(?:d|te de)?|"
        r"ignora(?:te|d)?|"
        r"descarta(?:d)?|dimentica(?:te)?|esqueca|desconsidere|negeer|vergeet|zignoruj|zapomnij|ignorera|"
        r"glom|"
        rf"{folded('игнорируй')}(?:{folded('те')})?|{folded('забудь')}(?:{folded('те')})?)\b"
        r"[^\n.!?]{0,25}\b(?:alle|samtliche|deine|ihre|vorherigen|vorigen|bisherigen|fruheren|obigen|tes|vos|"
        r"toutes|les|todas|tus|sus|tutte|(?:le )?tue|suas|je|jouw|vorige|eerdere|wszystkie|poprzednie|"
        r"twoje|alla|dina|"
        rf"{folded('все')}|{folded('предыдущие')}|{folded('твои')})\b[^\n.!?]{{0,25}}?\b(?:anweisungen|"
        rf"instruktionen|"
        r"regeln|vorgaben|(?:instructions|consignes|regles)(?= (?:precedentes|anterieures|du systeme|et\b)|"
        r"[^\w ]|$)|"
        r"instrucciones|reglas|istruzioni|regole|instrucoes|regras|instructies|regels|instrukcje|polecenia|"
        rf"instruktioner|regler|{folded('инструкции')}|{folded('правила')})|"
        r"(?:忽略|无视|無視)[^。\n]{0,20}(?:指令|指示|规则|規則|提示)|(?:指示|命令|指令|規則)[^。\n]{0,8}(?:無視|忽略)|"
        r"\btalimat\w* (?:yok say|unut)",
    ),
    (
        "overrides instructions",
        "told|taught|given|instruct|attention|notice|exist|apply|safety|content|security|comply|obey|approve|"
        "grant|fulfil|tiens|tenez|gesagt|aufgetragen",
        r"\b(?:ignore|disregard|forget|pay no attention to|take no notice of|never mind|discard) (?:all |"
        r"everything )?(?:of )?"
        r"(?:what|that|everything|anything) you (?:were|have been|had been) (?:told|taught|given|"
        r"instructed)\b|"
        r"\b(?:pay no attention to|take no notice of) (?:the |your |any )?(?:system|developer|previous|"
        r"earlier) (?:message|prompt|"
        r"instructions?|rules)\b|"
        r"\b(?:pretend|act as if|assume|imagine) (?:that )?(?:the |your |all )?(?:rules|instructions|"
        r"guidelines|restrictions)(?: you "
        r"(?:were|have been) given)? (?:do not|don[’']t|no longer) (?:exist|apply)|"
        r"\byour (?:\w+ )?(?:safety|content|security) ?(?:protocols?|filters?|rules|checks|policy|policies|"
        r"guidelines|measures|"
        r"features) (?:are|is|have been|were) (?:now |hereby )?(?:disabled|off|lifted|removed|suspended|"
        r"deactivated|void)\b|"
        r"\b(?:you|the (?:assistant|ai|agent|model)) (?:must|shall|will|have to)(?: now| always)? "
        r"(?:comply with|obey|approve|grant|"
        r"fulfil+) (?:every|all|any|each)(?: of)?(?: \w+){0,2}? (?:requests?|orders?|commands?|"
        r"instructions?|demands?)\b|"
        r"\bne (?:tiens|tenez) pas compte d(?:es?|u) (?:tes|vos|toutes|instructions|consignes|regles)|"
        r"\b(?:vergiss|ignorier\w*) (?:alles|bitte alles),? was (?:dir|ihnen|man dir) (?:bisher |vorher "
        r")?(?:gesagt|aufgetragen)",
    ),
    (
        "overrides instructions",
        "ignore|disregard|forget|reveal|print|show",
        r"(?:ignore|disregard|forget)(?:all|your|the|previous|any){1,4}(?:instructions|rules|prompts?)|"
        r"(?:reveal|print|show)(?:me)?(?:your|the)?systemprompt",
    ),
    (
        "poses as somebody in charge",
        "speaking|treat|unlock|enter|enable|activate|switch",
        r"\bthis is (?:the|your) (?:developer|administrator|admin|system|creator|operator|owner|openai|"
        r"anthropic)(?: \w+)? speaking\b|"
        r"\btreat (?:every|all|any|each) (?:\w+ )?(?:messages?|requests?|mails?|e-mails?|orders?) "
        r"from\b[^\n.!?]{0,60}\bas "
        r"(?:if )?(?:\w+ )?(?:coming |they came |it came )?(?:from )?(?:the |an? )?(?:owner|admin\w*|"
        r"trusted|verified|system|"
        r"authori[sz]ed|user)\b|"
        r"\b(?:unlock|enter|enable|activate|switch to) (?:the )?(?:admin|root|developer|maintenance|sudo) "
        r"mode (?:and|then|to) "
        r"(?:\w+ ){0,2}?(?:dump|reveal|show|print|ignore|disable|bypass|give|output|answer)\b",
    ),
    (
        "assigns a new role",
        "now|longer|anything|mode|respond|behave|answer|act|pose|roleplay|pretend|bound|restricted|limited|"
        "unfiltered|uncensored|unrestricted|jailbroken|restrictions|filters|guardrails|guidelines|censorship",
        r"\byou are (?:now|no longer) (?:(?:a|an|the|my|in|called|known as|acting as|going to act as) "
        r")*(?:[\w-]+ ){0,2}?(?:dan\b|jailbroken|unrestricted|uncensored|unfiltered|"
        r"developer mode|debug mode|god mode|admin mode|root|evil|ai\b|bot\b|language model|llm\b|hacker|"
        r"bound by|restricted|an assistant|terminal|shell)|"
        r"\bdo anything now\b|\b(?:dan|developer|god|jailbreak) mode (?:enabled|activated|on(?! (?:my|the|"
        r"your|an?|"
        r"this|\w*(?:phone|android|windows|chrome))\b))\b|"
        r"\b(?:switch|change|go|enter|enable|activate)(?: \w+){0,2}? (?:unrestricted|unfiltered|uncensored|"
        r"god|"
        r"jailbreak|dan) mode\b|"
        r"\b(?:act|respond|behave|answer) as (?:if|though) you (?:have|had|were|are) (?:no|without|not "
        r"bound|free|unrestricted)|"
        r"\bpretend (?:that )?you (?:have|had|are|were) (?:no|without|not bound|free of|unrestricted)(?: "
        r"\w+){0,3} (?:rules|restrictions|limits|filters|guidelines|constraints)|"
        r"\byou are an? (?:jailbroken|unrestricted|uncensored|unfiltered) (?:ai|assistant|model|bot|"
        r"chatbot|llm)\b|"
        r"\b(?:act|respond|behave|answer|pose|roleplay) as (?:an? |the )?(?:\w+ )?(?:ai|assistant|model|"
        r"chatbot|llm)\b"
        r"[^\n.!?]{0,30}\b(?:no|without|free of|unrestricted|unfiltered)(?: \w+)? (?:rules|restrictions|"
        r"limits|filters?|"
        r"guidelines|ethics|constraints|morals)\b|"
        r"\byou (?:now )?(?:have no|no longer have(?: any)?|are free (?:of|from)(?: all| any)?)(?: (?:more|"
        r"content|"
        r"safety|ethical|moral|other))? (?:restrictions|filters|guardrails|guidelines|censorship)\b|"
        r"\b(?:no longer|not) (?:bound|restricted|limited) by (?:your|the|any|these) (?:rules|guidelines|"
        r"instructions|restrictions|programming|policy|policies)(?! of (?:the|my|our)\b)",
    ),
    (
        "reaches for the system prompt",
        f"system|above|hidden|initial|developer|secret|sistema|{folded('системный')}",
        r"\b(?:reveal|print|show|repeat|output|leak|display|give|tell|dump|expose|recite|translate|"
        r"summarize|write out)\b(?: \w+){0,3}? (?:your|the) (?:\w+ ){0,2}?"
        r"(?:system (?:prompt|message|instructions)|hidden (?:prompt|instructions)|initial (?:prompt|"
        r"instructions)|developer (?:prompt|message)|secret instructions)|"
        r"\b(?:repeat|print|output|recite) (?:all |everything )?(?:the )?(?:words|text|instructions|"
        r"everything|lines) above\b"
        r"[^\n.!?]{0,20}\b(?:start|verbatim|from|word for word|beginning|in full)|"
        r"\b(?:zeig\w*|gib|nenn\w*|montre[rz]?|affiche[rz]?|revele[rz]?|muestra|revela|mostra|mostre|toon|"
        r"pokaz|"
        rf"{folded('покажи')})\b[^\n.!?]{{0,30}}(?:system-?(?:prompt|nachricht)|systeemprompt|prompt (?:du "
        rf"|de |do |"
        rf"del )?(?:systeme|sistema)|{folded('системный промпт')})|"
        r"\bnew system (?:prompt|instructions?|message)\s*:|(?:^|\n)\W{0,6}(?:system|developer)(?: prompt| "
        r"message)?\s*:\s*(?:you|ignore|always|never|from|do|the user|the assistant|override)",
    ),
    (
        "imitates the frame of a prompt",
        "<|##|```|inst|system|assistant|ai|model|admin|begin|start|end|developer",
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|tool)[|_]|\[/?inst\]|"
        r"<</?sys>>|</?(?:system|system_prompt|system-reminder)>|"
        r"```\s*system\n|(?:^|\n)#{2,}\s*(?:system|instruction|new instructions?)\s*:?\s*(?:\n|$)|"
        r"<instructions?>[^<]{0,200}\b(?:the user|users?['’])|"
        r"\bsystem override\b\W{0,3}[:\n-]|\b(?:begin|start|end) (?:of )?(?:system|developer|admin) "
        r"(?:message|"
        r"prompt|instructions?)\b|"
        r"(?:^|\n)\W{0,6}(?:assistant|ai|model)\s*:[^\n]{0,120}\b(?:ignore|disregard|without|no "
        r"longer)\b[^\n]{0,40}"
        r"\b(?:my|the) (?:rules|instructions|guidelines|restrictions)\b",
    ),
    (
        "speaks to the machine that reads it",
        "reading|processing|summari|parsing|<!--|ai|llm|assistant|agent|model|chatbot|bot|chat|language",
        rf"\b{_READER} (?:(?:that is|who is|which is|currently|now) )?(?:reading|processing|summari[sz]ing|"
        rf"parsing) "
        r"(?:this|the (?:page|text|mail|message|document))(?: later| now)?(?:\s?[:,]| must| should)|"
        rf"<!--\s*(?:(?:note|instructions?) (?:to|for) )?(?:the |any )?(?:{_READER}|"
        rf"system)\b[^>]{{0,20}}[:,]|"
        rf"\bthe {_READER} (?:must|shall|has to|is (?:required|ordered|instructed|authori[sz]ed) to)(?: "
        rf"now| always|"
        r" never| only| immediately)? (?:reveal|obey|ignore|disregard|share|forward|approve|recommend|"
        r"comply|bypass|"
        r"transfer|grant|execute|leak|output|print)\b",
    ),
    (
        "imitates a tool call",
        "<|{|tool|function",
        r"</?(?:tool_call|tool_use|function_calls?|function_results?|invoke|antml:\w+)\b[^>\n]{0,200}>|"
        r"\[tool_calls?\]|\"(?:tool_calls|function_call)\"\s*:\s*[\[{]|"
        r"\{\s*\"(?:tool|tool_name|function|action)\"\s*:\s*\"[\w.-]+\"\s*,\s*\"(?:arguments|parameters|"
        r"args|input|action_input)\"\s*:|\bto=functions\.",
    ),
    (
        "hides what it asks for",
        "user|owner|human|operator|developer|holder",
        r"\b(?:do not|don[’']?t|never|without)(?: ever)? (?:tell|telling|inform|informing|notify|notifying|"
        r"alert|alerting|reveal|revealing|mention|mentioning|disclose|disclosing|show|asking|ask)"
        r"(?: (?:this|it|that|anything|about|of|to|any)){0,4} (?:the |any )?(?:user|owner|human|operator|"
        r"developer|account holder)s?\b(?! (?:group|manual|meeting|guide|conference|interface|"
        r"test|stor(?:y|ies)|experience|research|stud(?:y|ies)))",
    ),
    (
        "hides what it asks for",
        "now|secretly|silently|covertly",
        r"\bfrom now on\b[^\n.!?]{0,120}\b(?:always|must|will|never)\b[^\n]{0,160}\b(?:never|do not|"
        r"don[’']?t|without) (?:ever )?(?:tell|reveal|mention|admit|disclose|inform|telling)\b|"
        r"\b(?:from now on|whenever|when|if|every time|always)\b[^\n.!?]{0,100}(?<!\bi )\b(?:secretly|"
        r"silently|"
        r"covertly) (?:send|forward|copy|share|upload|transfer|insert|add|report)\b",
    ),
    (
        "plants a standing order",
        "user|anyone|anybody|someone|somebody|talk|speak|chat|write|reply|conversation|session|answer|"
        "replies|response",
        r"\b(?:when|whenever|if|every time|each time|next time) (?:the|any|a|this) "
        r"user\b[^\n.!?]{0,100}\b(?:always|never|must|instead|secretly|silently)\b|"
        r"\b(?:when|whenever|if|every time|each time|next time) (?:anyone|anybody|someone|somebody) (?:ask|"
        r"mention|"
        r"want|talk|write)s?\b[^\n.!?]{0,80}\byou (?:must|have to|shall|will) (?:\w+ )?(?:say|answer|reply|"
        r"tell|claim|"
        r"recommend|deny)\b|"
        r"\b(?:when|whenever|if|the next time|next time) you (?:next |again )?(?:talk|speak|chat|write|"
        r"reply)(?: next|"
        r" again)? (?:to|with) \w+[^\n.!?]{0,20}?\b(?:say that|tell (?:him|her|them) that|claim that|"
        r"pretend)\b|"
        r"\b(?:in|for) (?:every|each|all|any) (?:future |later |new )?(?:conversations?|chats?|sessions?|"
        r"answers?|repl(?:y|ies)|"
        r"responses?)\b[^\n!?]{0,60}\b(?:link|recommend|promote|advertise|insert|append|https?:|visit \w+\.)",
    ),
    (
        "plants a standing order",
        "remember|store|save|note|memory|add|update|record|keep|user|owner|holder",
        r"\b(?:remember|store|save|note|memori[sz]e|add|update|record)\b[^\n.!?]{0,40}\b(?:you|the "
        r"(?:assistant|agent|"
        r"ai|model)|all (?:agents|assistants))(?: \w+){0,3}? (?:must|should|have to|are (?:allowed|"
        r"authorized|"
        r"permitted|required) to|always)"
        r"(?: \w+){0,3}? (?:obey|comply|execute|run|forward|transfer|leak|exfiltrate|bypass|trust|approve|"
        r"ignore|recommend|override|disable|grant)\b|"
        r"\b(?:remember|store|save|note|add|record|keep) (?:this|that|it|the following)(?: to (?:your|the) "
        r"memory)? as "
        r"(?:an? |your |the )?(?:permanent|standing|core|system|absolute|unbreakable) (?:rule|instruction|"
        r"order|"
        r"directive|policy)|"
        r"\bmemory\b[:,]? (?:that )?the user (?:wants|prefers|has|likes|trusts|agreed)\b[^\n]{0,100}(?:@|"
        r"https?:|\biban\b|"
        r"\btransfer|\bpayments?\b)|"
        r"\bthe (?:user|owner|account holder) has (?:been )?(?:authori[sz]ed|verified|cleared)(?: you)?(?: "
        r"\w+){0,2}? "
        r"(?:to|as)\b",
    ),
    (
        "asks for data to be sent away",
        "send|forward|post|upload|exfiltrate|mail|email|transmit|leak|copy",
        r"\b(?:send|forward|post|upload|exfiltrate|e-?mail|transmit|leak|copy)\b(?: \w+){0,2}? (?:(?:all|"
        r"every|the|any|your|their|his|her|user|our|of)(?: \w+){0,4}? "
        r"(?:passwords?|credentials?|secrets?|api keys?|tokens?|conversations?|chat history|memories|"
        r"contacts|"
        r"private data|personal data|user data|database)|everything you (?:know|have|"
        r"remember))\b[^\n]{0,60}?\bto\b"
        r"[^\n]{0,20}?(?:https?:|www\.|[\w.+-]{1,64}@|\w+\.(?:com|net|org|io|ru|xyz)\b|\[redacted:)",
    ),
)
"""Reason, words and signs one of which must be there for the pattern to be worth a try, and the pattern."""

_START = 4
"""Letters of a word that are compared: so much of "instruct" is in "instructions" too."""


def _starts(needles: str) -> frozenset[str]:
    return frozenset(needle[:_START] for needle in needles.split("|") if _IS_WORD.fullmatch(needle))


def _signs(needles: str) -> tuple[str, ...]:
    return tuple(needle for needle in needles.split("|") if not _IS_WORD.fullmatch(needle))


_IS_WORD = re.compile(r"[a-z\u0370-\u04ff]+")
_COMPILED = tuple(
    (reason, _starts(needles), _signs(needles), re.compile(pattern)) for reason, needles, pattern in _RULES
)
_ALL_STARTS = frozenset[str]().union(*(starts for _, starts, _, _ in _COMPILED))
_ALL_SIGNS = tuple(dict.fromkeys(sign for _, _, signs, _ in _COMPILED for sign in signs))
_TAG_CHARACTERS = re.compile("[\U000e0020-\U000e007e]{8}")
_EMPHASIS = str.maketrans("", "", "*_`~")
_EMPHASIS_APART = str.maketrans("*_`~", "    ")
_EMPHASIS_SIGN = re.compile(r"[*_`~]")
_SPACES = re.compile(r"[^\S\n]+")
_DIGIT_IN_WORD = re.compile(r"[a-z][0134579@$][a-z]|(?<![a-z0-9])[0134579@$][a-z]{2}")
_LIKE_LETTER = re.compile(r"[0134579@$]")
_AS_LETTERS = str.maketrans("0134579@$", "oieastgas")
_SPELLED = re.compile(r"(?<![a-z0-9])[a-z0-9](?:[ .\-_][a-z0-9](?![a-z0-9])){2,}+")
_BETWEEN = re.compile(r"[ .\-_]")
_WRAPPED = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{20,4000}+={0,2}(?![\w+/])")
_SHORTEST_WRAPPED = 20
_MOST_WRAPPED = 5


@lru_cache(maxsize=256)
def command_in(text: str) -> str | None:
    """Return which rule finds that the text commands the agent, or None.

    The text is read as it stands and as it is printed, in one line; with look-alike letters and accents folded;
    with invisible characters and emphasis taken out, and with spaces for them; with digits read as the letters
    that they resemble, letters that stand apart joined, entities and base64 unwrapped. Text hidden in Unicode
    tags counts by itself.
    """
    if _TAG_CHARACTERS.search(text):
        return "hides text in invisible characters"
    for plain in dict.fromkeys(_readings(text)):
        starts = {word[:_START] for word in words_of(plain)[1]}
        if _ALL_STARTS.isdisjoint(starts) and not any(map(plain.__contains__, _ALL_SIGNS)):
            continue
        for reason, words, signs, pattern in _COMPILED:
            worth = not words.isdisjoint(starts) or any(map(plain.__contains__, signs))
            if worth and pattern.search(plain):
                return reason
    return None


def _readings(text: str) -> Iterator[str]:
    """Every way to read the text that its author may have meant for a machine."""
    lines = folded(text)
    words = lines.split()
    flat = " ".join(words)
    yield flat
    if "\n" in lines:
        yield _SPACES.sub(" ", lines)
    plain = text.replace("\n", " ").isprintable()  # then nothing in it is invisible
    if not plain or _EMPHASIS_SIGN.search(flat):
        yield " ".join(flat.translate(_EMPHASIS).split())
        apart = flat if plain else folded("".join(" " if is_invisible(c) else c for c in text))
        yield " ".join(apart.translate(_EMPHASIS_APART).split())
    if _LIKE_LETTER.search(flat) and _DIGIT_IN_WORD.search(flat):
        yield flat.translate(_AS_LETTERS)
    if _SPELLED.search(lines):
        yield " ".join(_SPELLED.sub(lambda match: _BETWEEN.sub("", match[0]), lines).split())
    if "&" in text and (shown := unescape(text)) != text:
        yield " ".join(folded(shown).split())
    if max(map(len, words), default=0) < _SHORTEST_WRAPPED:
        return
    for match in islice(_WRAPPED.finditer(text), _MOST_WRAPPED):
        unwrapped = _unwrapped(match[0])
        if unwrapped is not None:
            yield " ".join(folded(unwrapped).split())


def _unwrapped(token: str) -> str | None:
    """What the token says in base64, where that is text."""
    try:
        text = base64.b64decode(token + "=" * (-len(token) % 4)).decode()
    except (binascii.Error, ValueError):
        return None
    return text if text.isprintable() else None
