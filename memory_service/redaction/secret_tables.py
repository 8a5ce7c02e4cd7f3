"""Passwords in tables: Markdown, HTML, and lines of fields under a line of names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.redaction.password_phrasings import is_odd_word
from memory_service.redaction.secret_patterns import Finding
from memory_service.redaction.secret_words import ORDINARY, PLACEHOLDER
from memory_service.text.late_pattern import compile_late

_NAME = compile_late(
    r"(?i)[\s*_`\"']*(?:(?:wi-?fi|wlan|router|my|the|your|login|user|new|old|current|admin|account|"
    r"mail)[ _-]?){0,2}(?:passwords?|passwort|passwörter|kennwort|kennwörter|passcodes?|passphrases?|pass|pwd?|psk|"
    r"pins?|puk|mdp|mots? de passe|contraseñas?|contrasenas?|claves?|senhas?|palavras?-passe|wachtwoord(?:en)?|"
    r"hasł[oa]|парол[ья]|şifre(?:ler)?|parol[ae]|lösenord|adgangskode|passord|salasana|heslo|jelszó|secret(?: key)?|"
    r"key|api[ _-]?key|token|パスワード|密码|密碼|비밀번호)[\s*_`\"']*"
)
_VAGUE = compile_late(r"(?i)[\s*_`]*(?:key|token|secret|pass|clave|parola)[\s*_`]*")
"""Names of columns that hold other things, too."""
_RULE = compile_late(r"[\s|:+-]+")
_HTML = compile_late(
    r"(?i)<(?P<cell>td|th|dt|label)[^>\n]{0,80}>\s{0,4}(?:[\w-]{1,12} ){0,2}(?:password|passwort|kennwort|passcode|"
    r"mot de passe|contraseña|senha|wachtwoord|pin|secret|pwd)\s{0,4}:?\s{0,4}</(?P=cell)>\s{0,8}<(?:td|dd|span|"
    r"input)[^>\n]{0,80}?>\s{0,4}([^<\n]{3,128}?)\s{0,4}<"
)
_BULLET = compile_late(
    r"(?im)^[ \t]{0,12}(?:[-*+•][ \t]{1,3})?(?:secret|pass|passcode)[ \t]{0,3}[:=][ "
    r"\t]{0,3}([^\s:]{5,128})[ \t]*$"
)
_MOST_ROWS = 400


def may_have_table(lowered: str) -> bool:
    """Whether a table has a column for keys or PINs; passwords are looked for anyway."""
    return "|" in lowered and any([word in lowered for word in ("key", "pin", "puk", "token")])  # noqa: C419


def find_in_tables(text: str, lowered: str) -> Iterator[Finding]:
    """Yield the cells under a column that is named as a secret, and values beside such a name in HTML and lists."""
    if "<t" in lowered or "<d" in lowered or "<label" in lowered:
        for match in _HTML.finditer(text):
            if _is_value(match[2]):
                yield Finding(match.start(2), match.end(2), "password")
    for match in _BULLET.finditer(text):
        if _is_value(match[1]) and any(not sign.isalpha() for sign in match[1]):
            yield Finding(match.start(1), match.end(1), "secret")
    columns: list[int] = []
    sure: dict[int, bool] = {}
    sign, fields, rows = "", 0, 0
    place = 0
    for line in text.splitlines(keepends=True):
        start, place = place, place + len(line)
        line = line.rstrip("\r\n")
        if columns and rows < _MOST_ROWS:
            cells = _cells(line, sign)
            if len(cells) == fields:
                rows += 1
                if not _RULE.fullmatch(line):
                    for column in columns:
                        first, after = cells[column]
                        value = line[first:after]
                        if _is_value(value) and (sure[column] or is_odd_word(value, strict=True)):
                            yield Finding(start + first, start + after, "password")
                continue
            columns = []
        sign = (
            "|" if "|" in line else next((one for one in (";", ",", "\t", "   ") if one in line.strip()), "")
        )
        if sign and len(line) <= 400:
            cells = _cells(line, sign)
            columns = [n for n, (first, after) in enumerate(cells) if _NAME.fullmatch(line[first:after])]
            sure = {n: _VAGUE.fullmatch(line[first:after]) is None for n, (first, after) in enumerate(cells)}
            fields, rows = len(cells), 0
            columns = columns if fields > 1 and all(after - first <= 40 for first, after in cells) else []


def _cells(line: str, sign: str) -> list[tuple[int, int]]:
    """Where the cells of a line begin and end, without the spaces about them and the frame of a Markdown table."""
    found: list[tuple[int, int]] = []
    place = 0
    parts = re.split(r" {2,}", line.strip()) if sign == "   " else line.split(sign)
    for part in parts:
        place = line.find(part, place)
        lead = len(part) - len(part.lstrip())
        found.append((place + lead, place + max(lead, len(part.rstrip()))))
        place += len(part)
        place += len(sign) if sign != "   " else 0
    if sign == "|" and len(found) > 2:
        if found[0][0] == found[0][1]:
            found = found[1:]
        if found[-1][0] == found[-1][1]:
            found = found[:-1]
    return found


def _is_value(value: str) -> bool:
    plain = value.strip("*_`\"' ")
    if len(plain) < 3 or len(plain) > 128 or PLACEHOLDER.match(plain):
        return False
    if plain.startswith("[") or plain.lower().strip("[]()") in (
        "password",
        "username",
        "pin",
        "passwort",
        "key",
        "value",
    ):
        return False
    return len(plain.split()) == 1 and plain.lower() not in ORDINARY
