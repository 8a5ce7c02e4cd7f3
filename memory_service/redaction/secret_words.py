"""The words that secrets stand beside, and the words that are none: what people write in a secret's place."""

from __future__ import annotations

import re

from memory_service.text.late_pattern import compile_late

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

HEAD = compile_late(
    r"(?i)(?:(?P<phrase>pass[ _-]?phrase|(?:seed|recovery|mnemonic|backup|wallet|secret)[ -]?(?:phrase|words|seed)|"
    r"mnemonic)"
    r"|(?P<password>passwords?|passwd|passwort(?:e|es)?|passwörter|kennwort|passcode|pass[ _-]word|pwd|contraseña|"
    r"contrasena|hasło|пароль|lösenord|adgangskode|şifre|パスワード|密码|密碼|mot de passe|wachtwoord|senha|psk)"
    r"|(?P<key>api[ _-]?keys?|accesskeys?|keys?|tokens?|secrets?(?:[ _-](?:access[ _-])?key)?|cred(?:ential)?s?|"
    r"zugangs\w{0,12}|hmac|clave|schlüssel)"
    r"|(?P<code>otp|combination|cvv2?|cvc2?|code)|(?P<pin>pin(?:[ -]?(?P<pincode>code)|[ -]?(?:number|"
    r"nummer))?|puk|geheimzahl)|(?P<weak>pass|pw|login)|(?P<backup>(?:recovery|backup) codes?))(?![A-Za-z])"
)
CODE_OF = (
    "one time",
    *"""
        wifi wi-fi door gate alarm entry entrance garage access lock lockbox safe vault security verification onetime
        one-time 2fa mfa auth authentication unlock keypad building login sicherheits bestätigungs tür card
    """.split(),  # noqa: SIM905
)
"""What a code opens."""
KEY_OF = tuple(
    """
        api access secret private encryption signing master license licence account auth app client storage service
        webhook ssh aws azure openai stripe github deploy session wifi wi-fi wlan network bot refresh server
    """.split()  # noqa: SIM905
)
HARMLESS_KEY = tuple(
    "primary foreign public cache partition sort idempotency issue answer map row object".split()  # noqa: SIM905
)
_LOOK_BACK = 16


def stands_before(words: tuple[str, ...], text: str, position: int, gaps: str = " _-") -> bool:
    """Whether one of the words ends where a keyword begins, at most one of `gaps` between them."""
    before = text[max(0, position - _LOOK_BACK) : position].lower().removesuffix("\n")
    return before.endswith(words) or (before[-1:] in gaps and before[:-1].endswith(words))


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
ABOUT_SECRETS = frozenset(
    """
        weak strong easy hard long short simple complex secret secure safe gone lost lame silly bad good
        great terrible awful
        nonsense random empty blank zero wrong right correct invalid valid expired expiring geheim
        sicher unsicher falsch richtig lang
        kurz leer weg abgelaufen neu alt faible fort facile difficile long longue court courte perdu
        sécurisé larga corta segura
        débil fácil difícil perdida sicura debole lunga facile difficile segura fraca fácil curta longa
        veilig zwak kort verlopen lang
        silne słabe krótkie długie łatwe trudne сложный простой короткий длинный забыт неверный svagt
        starkt kort långt svagt udløbet
        krátké dlouhé slabé rövid hosszú gyenge tomorrow today yesterday soon later never always maybe
        perhaps unknown none nothing
        something anything everything everyone shared public private local global missing stolen leaked
        compromised protected
        encrypted required optional mandatory needed forgotten changed updated reset rotated okay fine
        sure true false null undefined
        string text varchar hidden visible below above here there mine yours ours theirs monday tuesday
        wednesday thursday friday
        saturday sunday working broken stuck incorrect unique unchanged different identical similar same
        sensitive personal
        confidential temporary permanent case-sensitive gewijzigd veranderd unverändert gleich lastpass
        bitwarden keepass keepassxc dashlane
        1password nordpass vault enpass
    """.split()  # noqa: SIM905
)
"""Phrases about passwords in a dozen languages that stand where a value might."""
_DEGREE = r"(?:[bm](?:sc|a|eng)|mba|ph\.?d|md|ll[bm])(?:(?:19|20)\d\d)?"
PLACEHOLDER = compile_late(
    r"(?i)(?:\[?redacted|<|\$\{|\{\{|%[A-Z_]+%|\*+$|x{3,}$|\.{2,}$|-+$|_+$|your[_-]|my[_-]?(?:password|token|key)|"
    r"changeme$|example$|\$[A-Z][A-Z_]*$|os\.|process\.env|getenv|https?://|/)"
)
DEGREES = compile_late(rf"(?i){_DEGREE}(?:[/,+&]{_DEGREE}){{1,3}}")
"""Degrees with their years, no value behind "credentials" ("my credentials: MSc/PhD2019")."""
_END = compile_late(
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


# Searches, not loops over characters: a value of 512 characters may follow every fourth character of a hostile text.
_DIGITS = r"\d\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468"
_ANY_DIGIT = compile_late(f"[{_DIGITS}]")
_ASCII_DIGIT = compile_late("[0-9]")
_LETTER = compile_late(rf"[^\W_{_DIGITS}]")
_TWO_LETTERS = compile_late(rf"[^\W_{_DIGITS}][\W_{_DIGITS}]*+[^\W_{_DIGITS}]")
_SIGN = compile_late(r"[^\w'’\-/.,:]|_")
_DOTTED = compile_late(r"[./:]")


def has_digit(value: str) -> bool:
    return _digit(value) is not None


def _digit(value: str, start: int = 0) -> re.Match[str] | None:
    """The first digit from `start` on; the set of ASCII alone is searched in half the time."""
    return (_ASCII_DIGIT if value.isascii() else _ANY_DIGIT).search(value, start)


def looks_random(value: str) -> bool:
    """Whether letters and digits are mixed as people do not mix them in words, names or dates."""
    first = _digit(value)
    return (
        first is not None
        and _digit(value, first.end()) is not None
        and _TWO_LETTERS.search(value) is not None
    )


def is_odd(value: str) -> bool:
    """Whether this is no word or name that people write: digits or signs inside letters, or mixed case."""
    if value.isdigit() or (has_digit(value) and _LETTER.search(value)):
        return True
    if _SIGN.search(value.rstrip("!?.,;:)")):
        return True
    return value.isalpha() and not value.islower() and not value.isupper() and not value[1:].islower()


def is_mixed(value: str) -> bool:
    """Whether letters stand beside digits, and no dot or slash as in versions, addresses and dates."""
    return bool(has_digit(value) and _LETTER.search(value)) and _DOTTED.search(value) is None


def stands_alone(text: str, word: str, end: int) -> bool:
    """Whether a plain word stands as a value: it ends the clause, and is no participle or the like."""
    if text[end : end + 2] in ("'s", "’s"):  # "the password is Tom's business"
        return False
    return not word.lower().endswith(("ing", "ed", "ly", "'t")) and _END.match(text, end) is not None
