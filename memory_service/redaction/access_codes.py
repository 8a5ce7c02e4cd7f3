"""Codes and phrases that the words before them identify: PINs, door codes, backup codes, seed phrases."""

from __future__ import annotations

import re

from memory_service.redaction.secret_patterns import Finding
from memory_service.redaction.secret_words import ABOUT, MARKS, OPEN, ORDINARY
from memory_service.text.late_pattern import compile_late

_NUMBER = (
    r"([*#]?[0-9](?:[ -]?[0-9]){2,7}[*#]?)(?![0-9A-Za-z:/%]|[.,][0-9]|[ -]?(?:am|pm|years|people|euros?|"
    r"dollars?)\b)"
)
_STATES = (
    r"[ \t]{0,4}(?:[,;] (?:it|that|this|es)(?:[’']s| is| ist)|is now|is|was|ist|lautet|es|est|è|é|to|:|=|#|-)"
)
_DIGITS = compile_late(rf"(?i)(?:'s|’s)?{MARKS}{ABOUT}(?:{_STATES}){{0,2}}[ \t]{{0,4}}{OPEN}{_NUMBER}")
_DIGITS_STATED = compile_late(rf"(?i)(?:'s|’s)?{MARKS}{ABOUT}(?:{_STATES}){{1,2}}[ \t]{{0,4}}{OPEN}{_NUMBER}")
_DIGITS_BEFORE = compile_late(
    r"(?i)(?<![\w-])(?:[A-Z]-)?([0-9](?:[ -]?[0-9]){3,7})[\"'`*]{0,3}[ \t]is[ \t](?:your|the|"
    r"my)[ \t][\w -]{0,30}$"
)
_SEED = compile_late(
    rf"(?i)[^\n:=]{{0,40}}?(?:[:=\n]|\bis\b|\bare\b)\s{{0,4}}{OPEN}(?:1[.)]\s?)?"
    r"([a-z]{3,8}(?:[ ,;\n\t]{1,3}(?:[0-9]{1,2}[.)]?\s?)?[a-z]{3,8}){11,23}+)(?![a-z])"
)
_WORDS = compile_late(
    rf"(?i){MARKS}(?:{ABOUT}[ \t]{{1,3}}(?:is|was)|\s{{0,3}}[:=])\s{{0,3}}{OPEN}"
    r"([A-Za-z0-9]{2,16}(?:[ -][A-Za-z0-9]{2,16}){2,11}+)(?=[.!\"'`”’)]|\s*$|\n)"
)
_NUMBER_WORD = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|"
    r"null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)"
)
_NUMBER_WORDS = compile_late(
    rf"(?i)[ \t]{{0,4}}(?:code |number |nummer )?(?:is now|is|was|ist|lautet|:|=)\s{{1,4}}"
    rf"({_NUMBER_WORD}(?:[ ,-]{{1,3}}{_NUMBER_WORD}){{3,9}}+)(?![\w-])"
)
_PIN_BEFORE = compile_late(
    r"(?i)(?<![\w-])([0-9](?:[ -]?[0-9]){3,7})[\"'`*]{0,3}[ \t]is[ \t](?:your|the|my|our|his|her)[ \t](?:(?:new|old|"
    r"bank|card|atm|sim|phone|debit|credit|door|current)[ \t]){0,2}$"
)
_BACKUP_CODES = compile_late(
    r"\s{0,3}(?:are|is|:|=)?\s{0,4}((?=[^\n]{0,12}[0-9])[A-Za-z0-9]{4,6}-[A-Za-z0-9]{4,6}(?:[\s,;]{1,3}[A-Za-z0-9]{4,6}-[A-Za-z0-9]{4,6}"
    r"){0,19}+|[0-9]{6,10}(?:[\s,;]{1,3}[0-9]{6,10}){0,19}+)(?![A-Za-z0-9])"
)


def code_after(text: str, head: re.Match[str], kind: str) -> Finding | None:
    words = _NUMBER_WORDS.match(text, head.end())
    if words is not None:
        return Finding(words.start(1), words.end(1), kind)
    match = _DIGITS_STATED.match(text, head.end()) or _DIGITS.match(text, head.end())
    if match is None or (head["pincode"] and len(match[2]) == 6):  # six digits are a postal code in India
        return None
    return Finding(match.start(2), match.end(2), kind)


def code_before(text: str, position: int) -> Finding | None:
    match = _DIGITS_BEFORE.search(text, max(0, position - 60), position)
    return Finding(match.start(1), match.end(1), "access_code") if match else None


def pin_before(text: str, position: int) -> Finding | None:
    match = _PIN_BEFORE.search(text, max(0, position - 60), position)
    return Finding(match.start(1), match.end(1), "pin") if match else None


def phrase_after(text: str, position: int) -> Finding | None:
    match = _SEED.match(text, position)
    if match and not {"the", "and", "are", "was", "but", "for"} & set(match[2].lower().split()):
        return Finding(match.start(2), match.end(2), "seed_phrase")
    match = _WORDS.match(text, position)
    if match and sum(word in ORDINARY for word in match[2].lower().split()) < 2:
        return Finding(match.start(2), match.end(2), "passphrase")
    return None


def backup_codes_after(text: str, head: re.Match[str]) -> Finding | None:
    """Yield one-time access codes, any number of them."""
    match = _BACKUP_CODES.match(text, head.end())
    return Finding(match.start(1), match.end(1), "backup_codes") if match else None
