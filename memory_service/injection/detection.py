"""Detection of texts that command the agent, in messages of any role (docs/design.md, "Injection").

Remembered, such a text would command the agent in every later context; its segment is quarantined for a person to
review. Wishes about tone or language ("from now on, answer in German") are no commands in this sense.
"""

from __future__ import annotations

from collections.abc import Iterator

from memory_service.injection.encodings import decoded
from memory_service.injection.order_patterns import OVERRIDES as SETS_ASIDE
from memory_service.injection.order_position import ORDER_TABLES, START, Reading
from memory_service.injection.override_patterns import OVERRIDES
from memory_service.injection.planted_patterns import PLANTED_ORDERS
from memory_service.injection.topic_withdrawals import beside_withdrawal
from memory_service.text.late_pattern import compile_late
from memory_service.text.text_cache import text_cache
from memory_service.text.unicode_folding import folded, is_invisible


def _starts(needles: str) -> frozenset[str]:
    return frozenset(needle[:START] for needle in needles.split("|") if _IS_WORD.fullmatch(needle))


def _signs(needles: str) -> tuple[str, ...]:
    return tuple(needle for needle in needles.split("|") if not _IS_WORD.fullmatch(needle))


_IS_WORD = compile_late(r"[a-z\u0370-\u04ff]+")
_COMPILED = tuple(
    (reason, _starts(needles), _signs(needles), compile_late(pattern))
    for reason, needles, pattern in (*OVERRIDES, *PLANTED_ORDERS)
)
_ALL_STARTS = frozenset[str]().union(*(starts for _, starts, _, _ in _COMPILED))
_ALL_SIGNS = tuple(dict.fromkeys(sign for _, _, signs, _ in _COMPILED for sign in signs))
_TAG_CHARACTERS = compile_late("[\U000e0020-\U000e007e]{8}")
_EMPHASIS = str.maketrans("", "", "*_`~")
_EMPHASIS_APART = str.maketrans("*_`~", "    ")
_EMPHASIS_SIGN = compile_late(r"[*_`~]")
_SPACES = compile_late(r"[^\S\n]+")
_DIGIT_IN_WORD = compile_late(r"[a-z][0134579@$][a-z]|(?<![a-z0-9])[0134579@$][a-z]{2}")
_LIKE_LETTER = compile_late(r"[0134579@$]")
_AS_LETTERS = str.maketrans("0134579@$", "oieastgas")
_SPELLED = compile_late(r"(?<![a-z0-9])[a-z0-9](?:[ .\-_][a-z0-9](?![a-z0-9])){2,}+")
_BETWEEN = compile_late(r"[ .\-_]")


@text_cache(256)
def command_in(text: str) -> str | None:
    """Return the reason of the first rule that finds a command to the agent, or None.

    The text is read as it stands and as it is printed, in one line; with look-alike letters and accents folded; with
    invisible characters and emphasis removed, and with spaces for them; with digits read as the letters that they
    resemble; with spaced letters joined; with entities and base64 decoded. Text hidden in Unicode tag characters is a
    command whatever it says.
    """
    if _TAG_CHARACTERS.search(text):
        return "hides text in invisible characters"
    for plain in dict.fromkeys(_readings(text)):
        reading = Reading(plain)
        for table in ORDER_TABLES:
            reason = table.find(reading)
            if reason is not None:
                return reason
        starts = reading.starts
        if _ALL_STARTS.isdisjoint(starts) and not any(map(plain.__contains__, _ALL_SIGNS)):
            continue
        for reason, words, signs, pattern in _COMPILED:
            worth = not words.isdisjoint(starts) or any(map(plain.__contains__, signs))
            if worth and pattern.search(plain):
                return reason
    return None


@text_cache(256)
def command_of_user(text: str) -> str | None:
    """As `command_in`, for the user's own message: the end of earlier orders about the form of texts is no command."""
    reason = command_in(text)
    if reason != SETS_ASIDE or _TAG_CHARACTERS.search(text):
        return reason
    beside = [beside_withdrawal(plain) for plain in dict.fromkeys(_readings(text))]
    return reason if any(rest is None or command_in(rest) is not None for rest in beside) else None


def _readings(text: str) -> Iterator[str]:
    """Yield the readings of the text that its author may have meant for a machine."""
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
    for said in decoded(text):
        yield " ".join(folded(said).split())
