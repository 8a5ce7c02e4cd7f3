"""Passphrases of plain words, such as "the password is correct horse battery staple"."""

from __future__ import annotations

from memory_service.redaction.secret_words import ORDINARY
from memory_service.text.late_pattern import compile_late

_WORDS = compile_late(
    r"([^\W\d_]{2,16}(?:[ \t][^\W\d_]{2,16}){0,11}?)"
    r"(?=[\"'`”’)*_]{0,3}\s{0,3}(?:[.,;:!?()\n]|$)|[ \t](?:and|but|so|because|und|aber|et|mais|pero|ma|if|when)\b)"
)
_FEWEST = 3
_MANY = 4
"""Words from which one that is grammar may stand among them: "quick brown fox the lazy"."""
_GRAMMAR = ORDINARY | frozenset(
    """
        i am no of or up us we he me my it its if in is as at be by do go on so to an you she they them him her
        your yours ours mine under below beside near behind against during per via like unlike upon onto off down
        pretty quite rather fairly kinda sort almost probably maybe perhaps likely kind somewhat extremely
        basically literally simply merely absolutely completely entirely
        ask see check try use please contact look refer same twelve eight ten six four three two
        im am auf bei zu zum zur sehr ganz kein keine schon wieder leider für von vom den dem des mit ohne
        nur jetzt hier dort noch nie immer bitte
        dans le la les un une des du de très pas trop sur sous avec sans plus aussi pour chez toujours
        el los las del en muy no con sin para por más ya está siempre una uno
        il lo gli della nel nella molto troppo con senza per più già sempre non uno
        o os as em na muito mais sem
    """.split()  # noqa: SIM905
)
"""Words of sentences: rare in passphrases, frequent in sentences about them."""
_ABOUT_PASSWORDS = frozenset(
    """
        characters character letters digits symbols numbers words word long length minimum maximum uppercase
        lowercase password passwords passphrase passcode login account policy policies manager managers hint
        reset expiry expiration
        requirements required optional field form sensitive case alphanumeric rotation security secure weak strong
        protected hashed salted encrypted stored written saved printed shared changed rotated common knowledge
        nonsense rubbish terrible awful horrible ridiculous
    """.split()  # noqa: SIM905
)
"""Words of sentences about passwords that state none."""
_ADJECTIVES = frozenset(
    {"correct", "private", "secret", "public", "simple", "hidden", "golden", "good", "bad", "old"}
)
"""Ordinary words with which a passphrase begins when no other word of it is grammar."""
_PARTICIPLE = compile_late(r"(?:[^\W\d_]{3,}(?:ing|ed|ly|able|ible))")


def passphrase_end(text: str, start: int) -> int | None:
    """Return the end of the passphrase that begins at `start`, or None where the words are a sentence about it."""
    match = _WORDS.match(text, start)
    if match is None or not is_passphrase(match[1]):
        return None
    return match.end(1)


def is_passphrase(said: str) -> bool:
    words = said.lower().replace("-", " ").split()
    first = words[0] in _GRAMMAR and not (words[0] in _ADJECTIVES and len(words) >= _MANY)
    if len(words) < _FEWEST or first or _PARTICIPLE.fullmatch(words[0]):
        return False
    if len(words) < _MANY and any(_PARTICIPLE.fullmatch(word) for word in words):
        return False
    if not _ABOUT_PASSWORDS.isdisjoint(words):
        return False
    grammar = sum(word in _GRAMMAR for word in words)
    return grammar == 0 or (grammar == 1 and len(words) >= _MANY and words[1] not in _GRAMMAR)
