"""Seed phrases of wallets that nothing names: a dozen or more words of BIP 39 in a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import resources

from memory_service.redaction.secret_patterns import Finding
from memory_service.text.late_pattern import compile_late

_FEWEST = 12
_FEWEST_CHARS = 47
"""Of twelve words."""
_WORD = compile_late(r"[A-Za-z]{3,8}(?![A-Za-z])")
_GAP = compile_late(r"[ \t,;|/·•\-]{0,4}(?:\r?\n[ \t]{0,4})?(?:[0-9]{1,2}[.):]?[ \t]{0,3})?[ \t]{0,3}")
_TWELVE = compile_late(r"(?<![A-Za-z])(?:[A-Za-z]{3,8}+[^A-Za-z]{1,10}+){11}[A-Za-z]{3,8}")


@cache
def seed_words() -> frozenset[str]:
    """The English word list of BIP 39."""
    text = resources.files("memory_service.redaction").joinpath("seed_words.json").read_text(encoding="utf-8")
    return frozenset(" ".join(json.loads(text)["words"]).split())


def may_be_seed(text: str) -> bool:
    """Whether a dozen short words follow each other at all."""
    return len(text) >= _FEWEST_CHARS and _TWELVE.search(text) is not None


def find_seed_words(text: str) -> Iterator[Finding]:
    """Yield runs of at least twelve words of the list, with commas, lines or numbers between them."""
    known = seed_words()
    start = end = count = 0
    for match in _WORD.finditer(text):
        if match.start() and text[match.start() - 1].isalpha():
            continue
        goes_on = count and _GAP.fullmatch(text, end, match.start()) is not None
        if match[0].lower() not in known or not goes_on:
            if count >= _FEWEST:
                yield Finding(start, end, "seed_phrase")
            count = 0
        if match[0].lower() in known:
            start = match.start() if count == 0 else start
            count += 1
            end = match.end()
    if count >= _FEWEST:
        yield Finding(start, end, "seed_phrase")
