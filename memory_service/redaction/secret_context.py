"""Secrets that only the words around them identify: "my password is hunter2", "api key: ...".

A value after a keyword is a secret when it has the form of one, or when it stands where a secret stands and is no
ordinary word. "The password is wrong" and "password reset" are left unchanged. Patterns are matched only at keywords,
which a plain substring search finds: this keeps ordinary messages cheap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.redaction.access_codes import (
    backup_codes_after,
    code_after,
    code_before,
    phrase_after,
    pin_before,
)
from memory_service.redaction.passphrases import passphrase_end
from memory_service.redaction.secret_patterns import Finding
from memory_service.redaction.secret_words import (
    ABOUT,
    ABOUT_SECRETS,
    CODE_OF,
    DEGREES,
    HARMLESS_KEY,
    HEAD,
    KEY_OF,
    MARKS,
    OPEN,
    ORDINARY,
    PLACEHOLDER,
    is_mixed,
    is_odd,
    looks_random,
    stands_alone,
    stands_before,
    trimmed,
)
from memory_service.text.late_pattern import compile_late

_BRIDGE = compile_late(
    rf"(?i)(?:[_-]\w{{1,20}})?(?:{MARKS}(?P<about>{ABOUT})\s{{0,6}}(?P<assigned>:=|=>|==?|"
    rf"->|-->|→|:|：|是|は){MARKS}\s{{0,6}}"
    rf"|(?:'s|’s)?{MARKS}{ABOUT}[ \t]{{1,4}}(?:(?:just|now|still|currently)[ \t])?(?:(?P<plain>is|ist|lautet|es|est|è|"
    r"é|är|er|to jest|equals)|was|are|will be|should be|(?:(?:was |has been )?(?:changed|set|reset|"
    r"updated) )?to)(?![A-Za-z])(?:[ \t](?:now|still|currently|just))?[ \t]{0,4}:?\s{0,4}|(?:'s|’s)[ \t]{1,3}|"
    rf"{MARKS}{ABOUT}\s?[,;–—-]\s{{0,3}}(?P<said>(?:and |which )?(?:it|that|this|es|das|which)(?:[’']s| is| was|"
    rf" ist))[ \t](?:now )?:?\s{{0,3}}|(?P<beside>\s{{1,3}})){OPEN}"
)
_PRICE = compile_late(r"[0-9€£$] ?$")
_VALUE = compile_late(r"[^\s\"'`“”„‘’«»<>]{3,512}+")
_NEXT_FIELD = compile_late(r";|&\w{1,40}=")
_QUOTED = compile_late(r"([^\n\"'`“”„‘’«»]{3,200}+)[\"'`“”’»]")
_AS = compile_late(
    r"(?i)[\"'`)]?[ \t]{1,3}(?:as|is|=)[ \t]{1,3}(?:(?:my|the|a|our|your|his|her|new|an|old|main|current|api|wi-?fi|"
    r"wlan|wpa2?|router|network|admin|root|login|e-?mail|bank|master|guest|laptop|phone|server|database|account|"
    r"netflix) ){0,4}$"
)
NAMED_AFTERWARDS = compile_late(
    r"\s*(?:[.,;!?)\n\"'`*”’]|$|(?:and|but|for|to|of|on|at|in|if|so|please|btw|ok|thanks|now|here|there|"
    r"there,)\b)"
)
"""Text between a secret and its name behind it: "hunter2xyz! is my password for the wifi"."""
_LONG_ENOUGH = 12
"""Characters from which random letters before "is the key" are no name such as COVID-19."""
_SPELLED = compile_late(r"[^\s.,;:](?:[ -][^\s.,;:]){4,63}+(?=[\s.,;:!?)]|$)")
_SPELLED_BEFORE = compile_late(r"(?<!\S)[^\s.,;:](?:[ -][^\s.,;:]){4,63}+$")
_PAIR = compile_late(r"\s{0,3}[:=]?\s{0,3}[^\s/|]{2,64}\s?[/|]\s?([^\s/|]{6,128}+)")
_LONG = compile_late(r"(?<![A-Za-z0-9/_.+=-])[A-Za-z0-9_+/=~-]{20,512}+")
_NEAR = compile_late(
    r"(?i)(?<!redacted:)(?<![A-Za-z])(?:key|token|secret|password|credential|passwort|pwd|auth)s?(?![A-Za-z])"
)
_HASH = compile_late(
    r"(?i)\b(?:commit|sha|sha1|sha256|md5|hash|checksum|digest|uuid|guid|order|id|ids|tracking|file|image|version|"
    r"branch|primary|foreign|public|cache|partition|sort|idempotency)\b"
)
_NEAR_BEFORE = 48
_LATIN = compile_late("[A-Za-z0-9]")
FOREIGN = compile_late(
    r"(?i)(?<!\w)(?:ist|est|c[’']est|es|è|é|era|sarebbe|jest|brzmi|är|er|on|je|este|είναι|bleibt|wäre)(?!\w)"
)
"""Is, in languages in which a plain word in lower case behind it is an adjective."""


def find_secrets(text: str, positions: list[int]) -> Iterator[Finding]:
    """Yield the values that belong to the keywords at these positions."""
    after = 0
    for position in positions:
        head = HEAD.match(text, position) if position >= after else None
        if head is None:
            continue
        found = _after(text, head)
        if found is None and (head["password"] or head["key"]):
            found = _before(text, position, head)
        if found is not None:
            after = found.end
            yield found


def _after(text: str, head: re.Match[str]) -> Finding | None:
    if head["phrase"]:
        return phrase_after(text, head.end()) or _value(text, head, password=True)
    if head["pin"]:
        return code_after(text, head, "pin") or pin_before(text, head.start())
    if head["backup"]:
        return backup_codes_after(text, head)
    if head["code"]:
        if head[0].lower() == "code" and not stands_before(CODE_OF, text, head.start(), " -"):
            return None
        return code_after(text, head, "access_code") or code_before(text, head.start())
    if head["key"] and stands_before(HARMLESS_KEY, text, head.start()):
        return None
    return _value(text, head, password=head["password"] is not None)


def _value(text: str, head: re.Match[str], *, password: bool) -> Finding | None:
    bridge = _BRIDGE.match(text, head.end())
    if bridge is None:
        return None
    if head[0].lower() == "pw" and bridge["assigned"]:  # without a price before it, which is one per week
        password = not _PRICE.search(text, max(0, head.start() - 3), head.start())
    kind = "password" if password else "secret"
    start = bridge.end()
    strong = bridge["assigned"] is not None or bridge["plain"] is not None
    if strong and bridge["open"][-1:] in {'"', "'", "`", "“", "„", "‘", "«"} and not head["weak"]:
        quoted = _QUOTED.match(text, start)
        if quoted and not PLACEHOLDER.match(quoted[1]):
            return Finding(start, quoted.end(1), kind)
    spelled = _SPELLED.match(text, start) if password and bridge["beside"] is None else None
    if spelled is not None:
        return Finding(start, spelled.end(), kind)
    if head[0].lower() == "login":
        pair = _PAIR.match(text, head.end())
        if pair is not None and is_mixed(pair[1]) and not PLACEHOLDER.match(pair[1]):
            return Finding(pair.start(1), trimmed(text, pair.start(1), pair.end(1)), "password")
    phrase = passphrase_end(text, start) if strong and head["password"] else None
    if phrase is not None:
        return Finding(start, phrase, "passphrase")
    match = _VALUE.match(text, start)
    if match is None or PLACEHOLDER.match(match[0]):
        return None
    cut = _NEXT_FIELD.search(text, start, match.end()) if bridge["assigned"] else None
    end = trimmed(text, start, cut.start() if cut else match.end())
    value = text[start:end]
    if head[0].lower().startswith("credential") and DEGREES.fullmatch(value.rstrip(".!?)")):
        return None
    if len(value) < 3 or value.lower() in ORDINARY or value.lower() in ABOUT_SECRETS:
        return None
    if bridge["assigned"] in ("是", "は") and not _LATIN.search(value):
        return None
    if value.isalpha() and value.islower() and bridge["plain"] and FOREIGN.search(bridge[0]):
        return None
    if bridge["said"] is not None:
        sure = password and is_odd(value) and _no_word_and_no_year(value) and len(value) >= 4
    elif bridge["about"] and not password:
        sure = len(value) >= 16 and looks_random(value)
    elif bridge["beside"] is not None or (head["weak"] and not password):
        sure = looks_random(value) if not (password or strong) else is_mixed(value)
        sure = sure or (is_mixed(value) and not value.isalnum() and value[-1].isalnum() and "-" not in value)
        sure = sure and len(value) >= 6
    elif password:
        sure = is_odd(value) or (strong and stands_alone(text, value, end))
    elif head[0].lower().startswith("key") and not stands_before(KEY_OF, text, head.start()):
        sure = len(value) >= 16 and looks_random(value)
    else:
        sure = len(value) >= 8 and is_odd(value)
    return Finding(start, end, kind) if sure else None


def _no_word_and_no_year(value: str) -> bool:
    if value.isdigit():
        return len(value) != 4 or value[:2] not in ("19", "20")
    return any(character.isalpha() for character in value) and not value.isalpha()


def _before(text: str, position: int, head: re.Match[str]) -> Finding | None:
    """The odd word before "as password" or "is my wifi password"; reads at most 128 characters."""
    near = text[max(0, position - 40) : position].lower()
    if " as " not in near and " is " not in near and "=" not in near:
        return None
    tail = _AS.search(text, max(0, position - 40), position)
    if tail is None:
        return None
    named = bool(head["password"] or stands_before(KEY_OF, text, position))
    named = named and NAMED_AFTERWARDS.match(text, head.end()) is not None
    spelled = _SPELLED_BEFORE.search(text, max(0, tail.start() - 130), tail.start()) if named else None
    if spelled is not None:
        return Finding(spelled.start(), tail.start(), "password")
    start = tail.start()
    while (
        start > 0
        and tail.start() - start < 128
        and not text[start - 1].isspace()
        and text[start - 1] not in "\"'`("
    ):
        start -= 1
    value = text[start : tail.start()]
    if len(value) < 6 or PLACEHOLDER.match(value):
        return None
    if named or len(value) >= _LONG_ENOUGH:
        sure = looks_random(value) or (named and is_mixed(value))
        return Finding(start, tail.start(), "password") if sure else None
    return None


def find_random_tokens(text: str) -> Iterator[Finding]:
    """Yield long random tokens with a word such as "key" or "token" shortly before; hashes and ids stay."""
    for match in _LONG.finditer(text):
        if looks_random(match[0]):
            low = max(0, match.start() - _NEAR_BEFORE)
            if _NEAR.search(text, low, match.start()) and not _HASH.search(text, low, match.start()):
                yield Finding(match.start(), match.end(), "secret")
