"""Codes of doors, alarms, phones, cards and locks in free wording: digits near such a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.redaction.secret_patterns import Finding
from memory_service.text.late_pattern import compile_late

_CODE = (
    r"(?P<code>[*#]?[0-9](?:[ -]?[0-9]){2,7}[*#]?)(?![0-9A-Za-z:/%€$£°]|[.,][0-9]|[ -]?(?:am|"
    r"pm|years|people|euros?|dollars?|meters?|metres?|m|km|steps|lines|words|characters|chars|pages|bytes|[kmg]b|"
    r"loc)\b)"
)
_THING = (
    "(?:door|gate|alarm|safe|vault|garage|keypad|key ?box|lock ?box|key safe|padlock|bike lock|locker|entrance|"
    "front door|suitcase|building|phone|tablet|ipad|laptop|cell|sim|card|voicemail|intercom|digicode|türcode|tür|"
    "haustür|tor|cancello|porte|portail|puerta|porta|portão|cancela|deur|poort|box|chest|cabinet|cupboard|mailbox|shed|"
    "barn|scooter|house|flat|apartment|office|room)"
)
_OPENS = (
    r"(?:opens?|unlocks?|disarms?|unlocking|opening|gets? (?:you|me) (?:in|into|through)|lets (?:you|me) in)"
)
TRIGGERS = (
    "door", "gate", "alarm", "safe", "vault", "garage", "keypad", "lock", "pin", "code", "phone",
    "tablet", "puk", "digicode", "card",
    "clave", "kod", "kód", "код", "κωδ", "codul", "codice", "código", "geheimzahl", "voicemail", "sim",
    "cvv", "passw", "tür",
)  # fmt: skip
_SAID = (
    r"(?:(?:,[^,\n.!?]{1,30},)?[ \t]{0,2}(?:'s|’s)?[ \t]{0,2}(?::|=|->|\b(?:is|was|are|ist|"
    r"lautet|est|c[’']est|es|è|é|jest|to|er|är|on|este|je|happens to be|"
    r"remains|should be|would be|will be|i (?:changed|set) it to|changed to|set to|equals)\b)[ \t]{0,3}"
    r"(?:(?:actually|really|simply|just|now|still|currently|eigentlich|ora|ahora|"
    r"maintenant|i changed it to|i set it to)[ \t]{1,3}){0,2})"
)
_PATTERNS = tuple(
    (kind, compile_late(pattern))
    for kind, pattern in (
        ("access_code", rf"(?i)\b{_THING}(?:[’']s)?(?: (?:pin )?(?:code|combination|pin|passcode))(?: (?:on|"
            rf"off|for \w+|of \w+ ?\w*))?{_SAID}[\"'`]?{_CODE}"),
        ("access_code", rf"(?i)(?:^|[\n.!?;:,(–—-][ \t]{{0,3}}|\b(?:the|my|our|your|his|her|their|its|and|so|also|btw|"
            r"that|access|door|entry|entrance|key|key ?pad|lock|alarm|gate|safe|garage|pin|pass|security|number|"
            r"(?:four|six|\d)[ -]digit|new|current|old|secret) )(?:code|combination|passcode) "
            rf"(?:for|to|of|on) (?:the|my|our|your|his|her|their) (?:\w+ )?{_THING}(?:[’']s)?{_SAID}[\"'`]?{_CODE}"),
        ("access_code", rf"(?i)\b(?:alarm[:,]? (?:on|off)|gate|safe|vault|garage|key ?box|lock ?box|key "
            rf"safe|padlock|bike lock|digicode|türcode)(?:[’']s)?{_SAID}[\"'`]?{_CODE}"),
        ("access_code", rf"(?i)\b{_THING}(?:[ \t]\w{{1,12}}){{0,2}}?[ \t](?:{_OPENS}|takes|wants|needs) "
            rf"(?:with |to |up with )?[\"'`]?{_CODE}"),
        ("access_code", rf"(?i)(?<![\w.,:-]){_CODE}[\"'`]?,? (?:{_OPENS}|to (?:open|unlock|disarm)) (?:the|"
            rf"my|our|your|his|her) (?:\w+ )?{_THING}\b"),
        ("access_code", r"(?i)\b(?:type|enter|dial|press|punch in|key in|put in|use) "
            rf"[\"'`]?{_CODE}[^\n.!?]{{0,40}}\b(?:keypad|alarm|(?:at|on|for|into) the (?:\w+ )?(?:door|gate|safe|lock)|"
            r"(?:to|and it) (?:open|unlock|disarm)s?|asks? for (?:the|a) (?:password|pin|code|passcode))\b"),
        ("access_code", rf"(?i)\b(?:un)?lock(?:s|ed|ing)? (?:my|the|our|your) {_THING} (?:with|using|by) "
            rf"[\"'`]?{_CODE}"),
        ("pin", r"(?i)(?<![\w-])(?:pins?|puk|pincode|pin-code|pin code|geheimzahl)(?![\w-])(?: "
            rf"(?:for|of|on|del?|der|van|du|da|do|to) (?:\w+ ){{0,3}}?\w+)?{_SAID}[\"'`]?{_CODE}"),
        ("pin", rf"(?i)(?<![\w.,:-]){_CODE}[\"'`]?,? (?:-|—|–|,)? ?(?:that|this|it)(?:[’']s| is) "
            rf"(?:the|my|our|your|his|her) (?:\w+ ){{0,2}}?(?:pin|code|passcode|combination)\b"),
        ("access_code", rf"(?i)\bsecurity code(?: (?:of|on|for) (?:my|the|our) "
            rf"card)?{_SAID}(?P<code>[0-9]{{3,4}})(?![0-9])"),
        ("access_code", r"(?i)\b(?:combination|combo)\b[^\n0-9]{0,12}\b(?P<code>(?:left|right|turn|l|"
            r"r) ?[0-9]{1,2}(?:[ ,;-]{1,3}(?:(?:then )?(?:left|right|l|r) ?)?[0-9]{1,2}){1,4})(?![0-9])"),
        ("access_code", r"(?i)\b(?:türcode|torcode|haustürcode|sicherheitscode|digicode|codice (?:del|della|"
            r"di) (?:cancello|porta|portone|allarme)|code (?:de|du) (?:la )?(?:porte|portail|immeuble|alarme)|"
            r"código (?:de|del|da|do) (?:la )?(?:puerta|porta|alarma|alarme|portal)|clave "
            r"(?:de|del) (?:la )?(?:tarjeta|puerta|alarma|móvil|banco)|deurcode|pincode|kod "
            rf"do (?:drzwi|domofonu|bramy))(?:{_SAID}|[ \t]{{1,2}})"
            r"(?P<code>[*#]?[0-9A-Z](?:[ -]?[0-9A-Z]){2,7}[*#]?)(?![0-9A-Za-z])"),
        ("access_code", r"(?i)\b(?:koden?|codul|kód|код|kod|koodi|code|código|codice|κωδικός) (?:til|till|do|la|för|от|"
            rf"de la|du|de|del|di|da|della|voor|zum|zur|für die|für das) \w+(?: \w+)?{_SAID}[\"'`]?{_CODE}"),
        ("access_code", rf"(?i)\b(?:bike|pad|bicycle|suitcase|door|gym|locker) ?lock (?:code "
            rf")?{_CODE}(?=[.,;!?)\n]|$)"),
    )
)  # fmt: skip
_DIGIT = compile_late("[0-9]")


def find_door_codes(text: str, lowered: str) -> Iterator[Finding]:
    """Yield the digits of such codes."""
    if _DIGIT.search(text) is None or not any(map(lowered.__contains__, TRIGGERS)):
        return
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(sign.isdigit() for sign in match["code"]) and not _is_year_of(text, match):
                yield Finding(match.start("code"), match.end("code"), kind)


_YEAR = compile_late(r"(?:19|20)[0-9]{2}$")
_BUILT = compile_late(r"(?i)\b(?:built|made|bought|since|from|in|from the year)[ \t]$")


def _is_year_of(text: str, match: re.Match[str]) -> bool:
    start = match.start("code")
    return (
        _YEAR.match(match["code"]) is not None and _BUILT.search(text[max(0, start - 16) : start]) is not None
    )
