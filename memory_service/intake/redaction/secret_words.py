"""The words that secrets stand beside, and the words that are none: what people write in a secret's place."""

from __future__ import annotations

import re

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

HEAD = re.compile(
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
CODE_OF = re.compile(
    r"(?i)(?:wi-?fi|door|gate|alarm|entry|entrance|garage|access|lock|lockbox|safe|vault|security|"
    r"verification|"
    r"one[ -]?time|2fa|mfa|"
    r"auth(?:entication)?|unlock|keypad|building|login|sicherheits|bestätigungs|tür|card)[ -]?$"
)
KEY_OF = re.compile(
    r"(?i)(?:api|access|secret|private|encryption|signing|master|licen[cs]e|account|auth|app|client|"
    r"storage|service|webhook|"
    r"ssh|aws|azure|openai|stripe|github|deploy|session|wi-?fi|wlan|network|bot|refresh|server)[ _-]?$"
)
HARMLESS_KEY = re.compile(
    r"(?i)(?:primary|foreign|public|cache|partition|sort|idempotency|issue|answer|map|row|object)[ _-]?$"
)

MARKS = r"[\"'`*_\])]{0,4}"
OPEN = r"(?P<open>[\"'`*_(\[<“„‘«]{0,4})"
ABOUT = (
    r"(?:[ \t]{1,3}(?:for|to|of|on|at|in|from|für|vom|von|der|de|del|della|para|pour|du|do|da)"
    r"(?:[ \t]{1,3}[\w'’.-]{1,20}){1,5}?)?"
)

ORDINARY = frozenset(
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
PLACEHOLDER = re.compile(
    r"(?i)(?:\[?redacted|<|\$\{|\{\{|%[A-Z_]+%|\*+$|x{3,}$|\.{2,}$|-+$|_+$|your[_-]|my[_-]?(?:password|"
    r"token|key)|changeme$|example$|"
    r"\$[A-Z][A-Z_]*$|os\.|process\.env|getenv|https?://|/)"
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


def trimmed(text: str, start: int, end: int) -> int:
    """Where the value ends once the sentence's own punctuation is taken off."""
    while end > start and text[end - 1] in ".,;:?)]}*_>":
        end -= 1
    return end


def is_odd(value: str) -> bool:
    """Whether this is no word or name that people write: digits or signs inside letters, or mixed case."""
    letters = any(character.isalpha() for character in value)
    if value.isdigit() or (letters and any(character.isdigit() for character in value)):
        return True
    if any(not character.isalnum() and character not in "'’-/.,:" for character in value.rstrip("!?.,;:)")):
        return True
    return value.isalpha() and not value.islower() and not value.isupper() and not value[1:].islower()


def is_mixed(value: str) -> bool:
    """Whether letters stand beside digits, and no dot or slash as in versions, addresses and dates."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and not set(value) & set("./:")


def stands_alone(text: str, word: str, end: int) -> bool:
    """Whether a plain word stands as a value: it ends the clause, and is no participle or the like."""
    if text[end : end + 2] in ("'s", "’s"):  # "the password is Tom's business"
        return False
    return not word.lower().endswith(("ing", "ed", "ly", "'t")) and _END.match(text, end) is not None
