"""Folding of text for searches: invisible characters and look-alike letters are replaced.

Stored and displayed text is not folded.
"""

from __future__ import annotations

import unicodedata

from memory_service.text.late_pattern import compile_late
from memory_service.text.text_cache import text_cache

_LOOK_ALIKES = dict(
    zip(
        "АВЕНІЈКМОРЅТХУавсԁеһіјкӏмнопԛргѕтуѵԝхΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεγηικνορτυχωıɡɑ",
        "ABEHIJKMOPSTXYabcdehijklmhonqprstyvwxABEZHIKMNOPTYXabeynikvoptuxwiga",
        strict=True,
    )
)
"""Cyrillic, Greek and phonetic letters that pass for Latin ones."""
_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_MOST_HELD = 20_000
_WORD = compile_late(r"\w+")


class _Folding(dict[int, str]):
    """Folded characters, computed at first use."""

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST_HELD:  # bounds the memory
            self.clear()
        self[code] = folded = _read_as(chr(code))
        return folded


def _read_as(character: str) -> str:
    if character in _LINE_ENDS:
        return "\n"
    if character.isspace():
        return " "
    parts = unicodedata.normalize("NFKD", character)
    seen = (part for part in parts if not is_invisible(part) and unicodedata.category(part)[0] != "M")
    return "".join(_LOOK_ALIKES.get(part, part) for part in seen).lower()


_FOLDING = _Folding()


def is_invisible(character: str) -> bool:
    """Whether a character shows nothing by itself: control, direction, zero width. Spaces are none of these."""
    return unicodedata.category(character) in ("Cc", "Cf") and not character.isspace()


def visible_text(text: str) -> str:
    """The text without invisible characters, which could control a terminal; lines and spaces stay."""
    return "".join(c for c in text if c != "\r" and not is_invisible(c))


def visible_line(text: str) -> str:
    """The text as one line without invisible characters, which could control a terminal or hide text."""
    return " ".join("".join(c for c in text if not is_invisible(c)).split())


def folded(text: str) -> str:
    """Return the text in lower case, without accents and invisible characters, look-alikes made Latin.

    Lines stay lines.
    """
    if text.isascii() and text.isprintable():  # most text: nothing to fold
        return text.lower()
    return text.translate(_FOLDING)


@text_cache(512)
def words_of(lowered: str) -> tuple[list[str], frozenset[str]]:
    """Return the words of a text in lower case, in order and as a set. The set selects the patterns worth trying."""
    words = _WORD.findall(lowered)
    return words, frozenset(words)


def folded_with_places(text: str) -> tuple[str, list[int]]:
    """Return the folded text, and for each of its characters where in `text` it comes from."""
    pieces = [_FOLDING[ord(character)] for character in text]
    return "".join(pieces), [place for place, piece in enumerate(pieces) for _ in piece]
