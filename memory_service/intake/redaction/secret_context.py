"""Secrets that only the words around them give away: "my password is hunter2", "api key: ...", seed phrases.

A value after a keyword counts when it looks like nothing but a secret, or when it stands where a secret
stands and
is no ordinary word. "The password is wrong" and "password reset" stay as they are. Patterns are only ever
matched at
a keyword, found by plain substring search: that is what keeps an ordinary message cheap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_service.intake.redaction.secret_patterns import Finding, looks_random

KEYWORDS: tuple[str, ...] = (
    "pass", "pw", "kennwort", "contrase", "mot de passe", "wachtwoord", "senha", "secret", "token",
    "key", "apikey", "accesskey", "creds", "credential", "zugangs", "pin", "puk", "geheimzahl", "code",
    "otp", "combination", "cv", "seed", "recovery", "mnemonic", "backup", "wallet",
    "login", "psk", "hmac", "clave", "adgangskode",
)  # fmt: skip
"""How the keywords begin, in lower case. Text without any of them at the start of a word holds nothing for
us."""
KEYWORDS_BEYOND_ASCII: tuple[str, ...] = (
    "hasło", "парол", "lösenord", "şifre", "schlüssel", "パスワード", "密码", "密碼",
)  # fmt: skip
"""Those that no text in ASCII can have."""
_ALL_KEYWORDS = KEYWORDS + KEYWORDS_BEYOND_ASCII
_UNSPACED = frozenset({"パスワード", "密码", "密碼"})
"""Japanese and Chinese put no space before a word."""

_HEAD = re.compile(
    r"(?i)(?:(?P<phrase>pass[ _-]?phrase|(?:seed|recovery|mnemonic|"
    r"backup|wallet|secret)[ -]?(?:phrase|"
    r"words|seed)|mnemonic)"
    r"|(?P<password>passwords?|passwd|passwort(?:e|es)?|passwörter|kennwort|passcode|pass[ _-]word|pwd|"
    r"contraseña|contrasena|hasło|пароль|lösenord|adgangskode|şifre|パスワード|密码|密碼|"
    r"mot de passe|wachtwoord|senha|psk)"
    r"|(?P<key>api[ _-]?keys?|accesskeys?|keys?|tokens?|secrets?(?:[ _-](?:access[ _-])?key)?|"
    r"cred(?:ential)?s?|"
    r"zugangs\w{0,12}|hmac|clave|schlüssel)"
    r"|(?P<code>otp|combination|cvv2?|cvc2?|code)|(?P<pin>pin(?:[ -]?(?P<pincode>code)|[ -]?(?:number|"
    r"nummer))?|puk|geheimzahl)"
    r"|(?P<weak>pass|pw|login)|(?P<backup>(?:recovery|backup) codes?))(?![A-Za-z])"
)
_CODE_OF = re.compile(
    r"(?i)(?:wi-?fi|door|gate|alarm|entry|entrance|garage|access|lock|lockbox|safe|vault|security|"
    r"verification|"
    r"one[ -]?time|2fa|mfa|"
    r"auth(?:entication)?|unlock|keypad|building|login|sicherheits|bestätigungs|tür|card)[ -]?$"
)
_KEY_OF = re.compile(
    r"(?i)(?:api|access|secret|private|encryption|signing|master|licen[cs]e|account|auth|app|client|"
    r"storage|service|webhook|"
    r"ssh|aws|azure|openai|stripe|github|deploy|session|wi-?fi|wlan|network|bot|refresh|server)[ _-]?$"
)
_HARMLESS_KEY = re.compile(
    r"(?i)(?:primary|foreign|public|cache|partition|sort|idempotency|issue|answer|map|row|object)[ _-]?$"
)

_MARKS = r"[\"'`*_\])]{0,4}"
_OPEN = r"(?P<open>[\"'`*_(\[<“„‘«]{0,4})"
_ABOUT = (
    r"(?:[ \t]{1,3}(?:for|to|of|on|at|in|from|für|vom|von|der|de|del|della|para|pour|du|do|da)"
    r"(?:[ \t]{1,3}[\w'’.-]{1,20}){1,5}?)?"
)
_BRIDGE = re.compile(
    rf"(?i)(?:[_-]\w{{1,20}})?(?:{_MARKS}\s{{0,6}}(?P<assigned>:=|=>|==?|->|-->|→|:|：|是|は){_MARKS}\s{{0,6}}"
    rf"|(?:'s|’s)?{_MARKS}{_ABOUT}[ \t]{{1,4}}(?:(?:just|now|still|currently)[ \t])?(?:(?P<plain>is|ist|"
    rf"lautet|es|est|è|é|är|er|to jest|equals)|was|are|will be|should be|(?:(?:was |has been )?(?:changed|"
    rf"set|reset|updated) "
    rf")?to)(?![A-Za-z])"
    rf"(?:[ \t](?:now|still|currently|just))?[ \t]{{0,4}}:?\s{{0,4}}|(?:'s|’s)[ \t]{{1,3}}|"
    rf"(?P<beside>\s{{1,3}})){_OPEN}"
)
_VALUE = re.compile(r"[^\s\"'`“”„‘’«»<>]{3,512}+")
_NEXT_FIELD = re.compile(r";|&\w{1,40}=")
_QUOTED = re.compile(r"([^\n\"'`“”„‘’«»]{3,200}+)[\"'`“”’»]")
_NUMBER = (
    r"([*#]?[0-9](?:[ -]?[0-9]){2,7}[*#]?)(?![0-9A-Za-z:/%]|[.,][0-9]|[ -]?(?:am|pm|years|people|euros?|"
    r"dollars?)\b)"
)
_STATES = r"[ \t]{0,4}(?:is now|is|was|ist|lautet|es|est|è|é|to|:|=|#|-)"
_DIGITS = re.compile(rf"(?i)(?:'s|’s)?{_MARKS}{_ABOUT}(?:{_STATES}){{0,2}}[ \t]{{0,4}}{_OPEN}{_NUMBER}")
_DIGITS_STATED = re.compile(
    rf"(?i)(?:'s|"
    rf"’s)?{_MARKS}{_ABOUT}(?:{_STATES}){{1,2}}[ \t]{{0,4}}{_OPEN}{_NUMBER}"
)
_DIGITS_BEFORE = re.compile(
    r"(?i)(?<![\w-])(?:[A-Z]-)?([0-9](?:[ -]?[0-9]){3,7})[\"'`*]{0,3}[ \t]is[ \t](?:your|the|"
    r"my)[ \t][\w -]{0,30}$"
)
_SEED = re.compile(
    rf"(?i)[^\n:=]{{0,40}}?(?:[:=\n]|\bis\b|\bare\b)\s{{0,4}}{_OPEN}(?:1[.)]\s?)?"
    r"([a-z]{3,8}(?:[ ,;\n\t]{1,3}(?:[0-9]{1,2}[.)]?\s?)?[a-z]{3,8}){11,23}+)(?![a-z])"
)
_WORDS = re.compile(
    rf"(?i){_MARKS}(?:{_ABOUT}[ \t]{{1,3}}(?:is|was)|\s{{0,3}}[:=])\s{{0,3}}{_OPEN}"
    r"([A-Za-z0-9]{2,16}(?:[ -][A-Za-z0-9]{2,16}){2,11}+)(?=[.!\"'`”’)]|\s*$|\n)"
)
_AS = re.compile(
    r"(?i)[\"'`)]?[ \t]{1,3}(?:as|is|=)[ \t]{1,3}(?:(?:my|the|a|our|your|his|her|new|an|old|main|current|"
    r"api|wi-?fi|wlan|"
    r"wpa2?|router|network|admin|root|login|e-?mail|bank|master|guest|laptop|phone|server|database|account|"
    r"netflix) ){0,4}$"
)
_NAMED_AFTERWARDS = re.compile(
    r"\s*(?:[.,;!?)\n\"'`*”’]|$|(?:and|but|for|to|of|on|at|in|if|so|please|btw|ok|thanks|now|here|there|"
    r"there,)\b)"
)
"""What follows where the secret stood before its name: "hunter2xyz! is my password for the wifi"."""
_LONG_ENOUGH = 12
"""Characters from which random letters before "is the key" are no name such as COVID-19."""
_SPELLED = re.compile(r"[^\s.,;:](?:[ -][^\s.,;:]){4,63}+(?=[\s.,;:!?)]|$)")
_SPELLED_BEFORE = re.compile(r"(?<!\S)[^\s.,;:](?:[ -][^\s.,;:]){4,63}+$")
_PAIR = re.compile(r"\s{0,3}[:=]?\s{0,3}[^\s/|]{2,64}\s?[/|]\s?([^\s/|]{6,128}+)")
_NUMBER_WORD = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|"
    r"null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)"
)
_NUMBER_WORDS = re.compile(
    rf"(?i)[ \t]{{0,4}}(?:code |number |nummer )?(?:is now|is|was|ist|lautet|:|=)\s{{1,4}}"
    rf"({_NUMBER_WORD}(?:[ ,-]{{1,3}}{_NUMBER_WORD}){{3,9}}+)(?![\w-])"
)
_PIN_BEFORE = re.compile(
    r"(?i)(?<![\w-])([0-9](?:[ -]?[0-9]){3,7})[\"'`*]{0,3}[ \t]is[ \t](?:your|the|my|our|his|"
    r"her)[ \t](?:(?:new|old|bank|card|"
    r"atm|sim|phone|debit|credit|door|current)[ \t]){0,2}$"
)
_BACKUP_CODES = re.compile(
    r"\s{0,3}(?:are|is|:|=)?\s{0,4}((?=[^\n]{0,12}[0-9])[A-Za-z0-9]{4,6}-[A-Za-z0-9]{4,6}(?:[\s,;]{1,3}[A-Za-z0-9]{4,6}-[A-Za-z0-9]{4,6}"
    r"){0,19}+|[0-9]{6,10}(?:[\s,;]{1,3}[0-9]{6,10}){0,19}+)(?![A-Za-z0-9])"
)
_LONG = re.compile(r"(?<![A-Za-z0-9/_.+=-])[A-Za-z0-9_+/=~-]{20,512}+")
_NEAR = re.compile(
    r"(?i)(?<!redacted:)(?<![A-Za-z])(?:key|token|secret|password|credential|passwort|pwd|auth)s?(?![A-Za-z])"
)
_HASH = re.compile(
    r"(?i)\b(?:commit|sha|sha1|sha256|md5|hash|checksum|digest|uuid|guid|order|id|ids|tracking|file|image|"
    r"version|branch|primary|"
    r"foreign|public|cache|partition|sort|idempotency)\b"
)
_NEAR_BEFORE = 48

_ORDINARY = frozenset(
    """
        a abgelaufen about above accepted access admin's after again all already also always an and
        another any are as at available bad be because been before being best better between both
        broken but by called can cannot case changed compromised correct could currently das default
        dein der die different difficult disabled do does don't done easy ein eine either email
        empty encrypted enough exactly expired falsch false fine first for forgotten found from
        generic geändert given going gone good great guessed hacked had hard has have he her here
        hidden his how i if important in incorrect inside into invalid is isn't it it's its just
        kept known last later leaked less like long longer lost made many masked me mein mine
        missing more most much must my name needed never new next nice nicht no noch none not
        nothing now null oder of off ok okay old on once one only or our out over own partially
        please private protected public really required reset richtig right rotated safe same saved
        secret secure secured see sehr send sent set she short should sicher simple since so some
        someone something somewhere soon still stolen stored strong stuck such super supposed sure
        taken than that that's the their them then there these they this those time to too totally
        true two und undefined under unique unknown unsafe until up updated us use used user
        username valid vergessen very via visible was wasn't way we weak weird well were what what's
        when where whether which who why will with within without won't working written wrong yes
        yet you your yours zu
        """.split()  # noqa: SIM905
)
_PLACEHOLDER = re.compile(
    r"(?i)(?:\[?redacted|<|\$\{|\{\{|%[A-Z_]+%|\*+$|x{3,}$|\.{2,}$|-+$|_+$|your[_-]|my[_-]?(?:password|"
    r"token|key)|changeme$|example$|"
    r"os\.|process\.env|getenv|https?://|/)"
)
_END = re.compile(
    r"\s*(?:[.,;!?)\n\"'`*”’]|$|(?:and|but|for|if|so|please|btw|ok|thanks|und|on the|at the|in case|-)\b)"
)


def same_length_lower(text: str) -> str:
    """Return the text in lower case with every character at its old place (a few grow when lowered)."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return lowered


def keyword_positions(lowered: str) -> list[int]:
    """Return where a keyword begins, in order: only at the start of a word, and not inside a marker."""
    # Most texts have no keyword at all, and asking so first is the fastest way to know it.
    keywords = [word for word in (KEYWORDS if lowered.isascii() else _ALL_KEYWORDS) if word in lowered]
    if not keywords:
        return []
    found: set[int] = set()
    for keyword in keywords:
        position = lowered.find(keyword)
        while position >= 0:
            starts = position == 0 or not lowered[position - 1].isalpha() or keyword in _UNSPACED
            if starts and lowered[position - 9 : position] != "redacted:":
                found.add(position)
            position = lowered.find(keyword, position + len(keyword))
    return sorted(found)


def find_secrets(text: str, positions: list[int]) -> Iterator[Finding]:
    """Yield the values that the keywords at these positions give away."""
    after = 0
    for position in positions:
        head = _HEAD.match(text, position) if position >= after else None
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
        return _phrase(text, head.end()) or _value(text, head, password=True)
    if head["pin"]:
        return _digits(text, head, "pin") or _pin_before(text, head.start())
    if head["backup"]:
        codes = _BACKUP_CODES.match(text, head.end())
        return Finding(codes.start(1), codes.end(1), "backup_codes") if codes else None
    if head["code"]:
        if head[0].lower() == "code" and not _CODE_OF.search(text, max(0, head.start() - 16), head.start()):
            return None
        return _digits(text, head, "access_code") or _digits_before(text, head.start())
    if head["key"] and _HARMLESS_KEY.search(text, max(0, head.start() - 16), head.start()):
        return None
    return _value(text, head, password=head["password"] is not None)


def _digits(text: str, head: re.Match[str], kind: str) -> Finding | None:
    words = _NUMBER_WORDS.match(text, head.end())
    if words is not None:
        return Finding(words.start(1), words.end(1), kind)
    match = _DIGITS_STATED.match(text, head.end()) or _DIGITS.match(text, head.end())
    if match is None or (head["pincode"] and len(match[2]) == 6):  # six digits are a postal code in India
        return None
    return Finding(match.start(2), match.end(2), kind)


def _digits_before(text: str, position: int) -> Finding | None:
    match = _DIGITS_BEFORE.search(text, max(0, position - 60), position)
    return Finding(match.start(1), match.end(1), "access_code") if match else None


def _pin_before(text: str, position: int) -> Finding | None:
    match = _PIN_BEFORE.search(text, max(0, position - 60), position)
    return Finding(match.start(1), match.end(1), "pin") if match else None


def _phrase(text: str, position: int) -> Finding | None:
    match = _SEED.match(text, position)
    if match and not {"the", "and", "are", "was", "but", "for"} & set(match[2].lower().split()):
        return Finding(match.start(2), match.end(2), "seed_phrase")
    match = _WORDS.match(text, position)
    if match and sum(word in _ORDINARY for word in match[2].lower().split()) < 2:
        return Finding(match.start(2), match.end(2), "passphrase")
    return None


def _value(text: str, head: re.Match[str], *, password: bool) -> Finding | None:
    bridge = _BRIDGE.match(text, head.end())
    if bridge is None:
        return None
    kind = "password" if password else "secret"
    start = bridge.end()
    strong = bridge["assigned"] is not None or bridge["plain"] is not None
    if strong and bridge["open"][-1:] in {'"', "'", "`", "“", "„", "‘", "«"} and not head["weak"]:
        quoted = _QUOTED.match(text, start)
        if quoted and not _PLACEHOLDER.match(quoted[1]):
            return Finding(start, quoted.end(1), kind)
    spelled = _SPELLED.match(text, start) if password and bridge["beside"] is None else None
    if spelled is not None:
        return Finding(start, spelled.end(), kind)
    if head[0].lower() == "login":
        pair = _PAIR.match(text, head.end())
        if pair is not None and _mixed(pair[1]) and not _PLACEHOLDER.match(pair[1]):
            return Finding(pair.start(1), _trimmed(text, pair.start(1), pair.end(1)), "password")
    match = _VALUE.match(text, start)
    if match is None or _PLACEHOLDER.match(match[0]):
        return None
    cut = _NEXT_FIELD.search(text, start, match.end()) if bridge["assigned"] else None
    end = _trimmed(text, start, cut.start() if cut else match.end())
    value = text[start:end]
    if len(value) < 3 or value.lower() in _ORDINARY:
        return None
    if bridge["beside"] is not None or head["weak"]:
        sure = looks_random(value) if not (password or strong) else _mixed(value)
        sure = sure or (_mixed(value) and not value.isalnum() and value[-1].isalnum() and "-" not in value)
        sure = sure and len(value) >= 6
    elif password:
        sure = _odd(value) or (strong and _stands_alone(text, value, end))
    elif head[0].lower().startswith("key") and not _KEY_OF.search(
        text, max(0, head.start() - 16), head.start()
    ):
        sure = len(value) >= 16 and looks_random(value)
    else:
        sure = len(value) >= 8 and _odd(value)
    return Finding(start, end, kind) if sure else None


def _before(text: str, position: int, head: re.Match[str]) -> Finding | None:
    """The odd word before "as password" or "is my wifi password": at most 128 characters are looked at."""
    near = text[max(0, position - 40) : position].lower()
    if " as " not in near and " is " not in near and "=" not in near:
        return None
    tail = _AS.search(text, max(0, position - 40), position)
    if tail is None:
        return None
    named = bool(head["password"] or _KEY_OF.search(text, max(0, position - 16), position))
    named = named and _NAMED_AFTERWARDS.match(text, head.end()) is not None
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
    if len(value) < 6 or _PLACEHOLDER.match(value):
        return None
    if named or len(value) >= _LONG_ENOUGH:
        sure = looks_random(value) or (named and _mixed(value))
        return Finding(start, tail.start(), "password") if sure else None
    return None


def _trimmed(text: str, start: int, end: int) -> int:
    """Where the value ends once the sentence's own punctuation is taken off."""
    while end > start and text[end - 1] in ".,;:?)]}*_>":
        end -= 1
    return end


def _odd(value: str) -> bool:
    """Whether this is no word or name that people write: digits or signs inside letters, or mixed case."""
    letters = any(character.isalpha() for character in value)
    if value.isdigit() or (letters and any(character.isdigit() for character in value)):
        return True
    if any(not character.isalnum() and character not in "'’-/.,:" for character in value.rstrip("!?.,;:)")):
        return True
    return value.isalpha() and not value.islower() and not value.isupper() and not value[1:].islower()


def _mixed(value: str) -> bool:
    """Whether letters stand beside digits, and no dot or slash as in versions, addresses and dates."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and not set(value) & set("./:")


def _stands_alone(text: str, word: str, end: int) -> bool:
    """Whether a plain word stands as a value: it ends the clause, and is no participle or the like."""
    return not word.lower().endswith(("ing", "ed", "ly", "'t")) and _END.match(text, end) is not None


def find_random_tokens(text: str) -> Iterator[Finding]:
    """Yield long random tokens with a word such as "key" or "token" shortly before; hashes and ids stay."""
    for match in _LONG.finditer(text):
        if looks_random(match[0]):
            low = max(0, match.start() - _NEAR_BEFORE)
            if _NEAR.search(text, low, match.start()) and not _HASH.search(text, low, match.start()):
                yield Finding(match.start(), match.end(), "secret")
