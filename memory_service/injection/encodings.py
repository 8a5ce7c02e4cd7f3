"""Decoding of texts that a model reads without instructions: base64, base32, hex, escapes, ROT13, reversed text."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable, Iterator
from html import unescape
from itertools import islice
from urllib.parse import unquote

from memory_service.text.late_pattern import compile_late

SHORTEST = 16
"""Length in characters of the shortest token that is decoded."""
_MOST = 5
"""Decoded tokens per text."""
_BASE64 = compile_late(r"(?<![\w+/-])[A-Za-z0-9+/_-]{20,4000}+={0,2}(?![\w+/-])")
_BASE32 = compile_late(r"(?<!\w)[A-Z2-7]{24,4000}+={0,6}(?!\w)")
_HEX = compile_late(
    r"(?<!\w)(?:0x)?((?:[0-9a-fA-F]{2}){12,2000}+|[0-9a-fA-F]{2}(?:[ :,][0-9a-fA-F]{2}){11,2000}+)(?!\w)"
)
_BITS = compile_late(r"(?<!\w)[01]{8}(?: ?[01]{8}){11,1000}+(?!\w)")
_ESCAPE = compile_late(r"\\(?:u\{?([0-9a-fA-F]{4,6})\}?|x([0-9a-fA-F]{2}))")
_PERCENT = compile_late(r"%[0-9a-fA-F]{2}")
_FEWEST_ESCAPES = 4
_ROT13_STARTS = (
    "vtaber",
    "qvfertneq",
    "sbetrg",
    "erirny",
    "flfgrz",
    "vafgehpg",
    "cnffjbeq",
    "sbejneq",
    "rot13",
    "rot-13",
)
"""How "ignore", "disregard", "forget", "reveal", "system", "instruct", "password", "forward" look in ROT13."""
_MIRRORED = (
    "tcurtsni",
    "snoitcurtsni",
    "tpmorp",
    "drawrof",
    "drowssap",
    "drageréd",
    "dragersid",
    "seluR",
    "selur",
    "yebo",
    "enilediug",
    "senilediug",
)
"""Nouns of orders, reversed."""


def decoded(text: str) -> Iterator[str]:
    """Yield the text decoded by each encoding that one of its tokens has; linear time, few tokens of each."""
    if "&" in text and (shown := unescape(text)) != text:
        yield shown
    if text.count("%") >= _FEWEST_ESCAPES and len(_PERCENT.findall(text)) >= _FEWEST_ESCAPES:
        yield unquote(text, errors="replace")
    if text.count("\\") >= _FEWEST_ESCAPES and len(_ESCAPE.findall(text)) >= _FEWEST_ESCAPES:
        yield _ESCAPE.sub(lambda match: _character(match[1] or match[2]), text)
    lowered = text.lower()
    if any(map(lowered.__contains__, _ROT13_STARTS)):
        yield codecs.encode(text, "rot13")
    if any(map(lowered.__contains__, _MIRRORED)):
        yield text[::-1]
    if max(map(len, text.split()), default=0) < SHORTEST and "0" not in text:
        return
    for pattern, read in _TOKENS:
        for match in islice(pattern.finditer(text), _MOST):
            said = read(match[0])
            if said is not None and said.isprintable():
                yield said


def _character(code: str) -> str:
    number = int(code, 16)
    return chr(number) if number <= 0x10FFFF and not 0xD800 <= number < 0xE000 else " "


def _read(decode: Callable[[str], bytes]) -> Callable[[str], str | None]:
    def read(token: str) -> str | None:
        try:
            return decode(token).decode()
        except (binascii.Error, ValueError):
            return None

    return read


def _base64(token: str) -> bytes:
    plain = token.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(plain + "=" * (-len(plain) % 4))


def _base32(token: str) -> bytes:
    plain = token.rstrip("=")
    return base64.b32decode(plain + "=" * (-len(plain) % 8))


def _hex(token: str) -> bytes:
    return bytes.fromhex(re.sub(r"^0x|[ :,]", "", token))


def _bits(token: str) -> bytes:
    plain = token.replace(" ", "")
    return bytes(int(plain[place : place + 8], 2) for place in range(0, len(plain), 8))


_TOKENS = ((_BASE64, _read(_base64)), (_BASE32, _read(_base32)), (_HEX, _read(_hex)), (_BITS, _read(_bits)))
