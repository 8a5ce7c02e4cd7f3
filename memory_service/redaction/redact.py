"""Redaction of secrets, card and identity numbers before a text is written anywhere (docs/design.md, "Redaction").

This runs before a message is acknowledged, so an ordinary message must take microseconds: one search for substrings
and shapes decides whether any detailed rule is tried. Every pattern is bounded or possessive, so that hostile text
takes time in proportion to its length.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memory_service.redaction.card_numbers import find_cards
from memory_service.redaction.command_lines import COMMAND_SHAPES
from memory_service.redaction.door_codes import find_door_codes
from memory_service.redaction.identity_numbers import (
    find_ibans,
    find_national_ids,
    find_social_security,
)
from memory_service.redaction.password_phrasings import (
    find_entries,
    find_networks,
    find_phrasings,
    may_enter,
    may_name,
)
from memory_service.redaction.secret_context import find_random_tokens, find_secrets
from memory_service.redaction.secret_patterns import HEADER_SHAPES, TOKEN_SHAPES, Finding, find_shapes
from memory_service.redaction.secret_tables import find_in_tables, may_have_table
from memory_service.redaction.secret_words import keyword_positions, same_length_lower
from memory_service.redaction.security_answers import ABOUT_QUESTIONS, ANSWER_SHAPES
from memory_service.redaction.seed_words import find_seed_words, may_be_seed
from memory_service.text.late_pattern import compile_late


@dataclass(frozen=True, slots=True)
class Redacted:
    """A redacted text, and the kinds of secrets in it, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...]


_MARKER = compile_late(r"\[redacted:[a-z_0-9]+\]")
_FIVE_DIGITS = compile_late(r"[0-9](?:[^0-9\n]{0,3}[0-9]){4}")
_LONG_TOKEN = compile_late(r"[A-Za-z0-9_\-+/=.:~]{14}")
_DIGIT = compile_late(r"[0-9]")
_LONG_WORD = 14
"""Characters that _LONG_TOKEN requires: a text without a word of this length is not searched."""
_HEADS = ("://", "-----", "=", " -", "bearer", "cookie", "authorization", "putty-user")
"""Without any of these no text holds a header or a command line."""
_PASSES = 12
"""A replaced secret can uncover another one behind it; more than three rounds were never seen."""


def redact(text: str) -> Redacted:
    """Return the text with every secret replaced by a marker such as `[redacted:aws_access_key]`.

    Ordinary look-alikes (order numbers, hashes, ISBNs, phone numbers, dates) stay. A marker may be longer than
    the secret that it replaces. Redacting twice changes nothing more.
    """
    findings = _find(text)
    if not findings:
        return Redacted(text, ())
    kinds: list[str] = []
    for _ in range(_PASSES):
        text = _replaced(text, findings)
        kinds += [finding.kind for finding in findings]
        findings = _find(text)
        if not findings:
            break
    return Redacted(text, tuple(dict.fromkeys(kinds)))


def _find(text: str) -> list[Finding]:
    """Stretches to redact, in order, without overlaps and outside markers."""
    lowered = same_length_lower(text)
    positions = keyword_positions(lowered)
    headed = any([word in lowered for word in _HEADS])  # noqa: C419
    asked = any([word in lowered for word in ABOUT_QUESTIONS])  # noqa: C419
    named = may_name(lowered)
    tabled = may_have_table(lowered)
    wireless = (
        "u:" in lowered
        or "un:" in lowered
        or "acces" in lowered
        or "login" in lowered
        or "creds" in lowered
        or "admin" in lowered
        or "root" in lowered
        or "credential" in lowered
        or "user:" in lowered
        or "wifi" in lowered
        or "wi-fi" in lowered
        or "wlan" in lowered
        or "ssid" in lowered
    )
    numbered = _DIGIT.search(text) is not None
    entered = numbered and may_enter(lowered)
    seed = may_be_seed(text)
    # The two searches are dear for every message, and most messages have neither a digit nor a long word.
    digits = numbered and _FIVE_DIGITS.search(text) is not None
    token = max(map(len, text.split()), default=0) >= _LONG_WORD and _LONG_TOKEN.search(text) is not None
    if not (
        positions
        or headed
        or asked
        or digits
        or token
        or named
        or tabled
        or wireless
        or entered
        or numbered
        or seed
    ):
        return []
    found: list[Finding] = []
    if named:
        found += find_phrasings(text)
    if named or tabled:
        found += find_in_tables(text, lowered)
    if wireless:
        found += find_networks(text)
    if entered:
        found += find_entries(text)
    if numbered:
        found += find_door_codes(text, lowered)
    if seed:
        found += find_seed_words(text)
    if positions:
        found += find_secrets(text, positions)
    if headed:
        found += find_shapes(text, lowered, HEADER_SHAPES)
        found += find_shapes(text, lowered, COMMAND_SHAPES)
    if asked:
        found += find_shapes(text, lowered, ANSWER_SHAPES)
    if token:
        found += find_shapes(text, lowered, TOKEN_SHAPES)
        if positions:
            found += find_random_tokens(text)
    if digits:
        found += find_cards(text)
        found += find_social_security(text)
        found += find_ibans(text)
        found += find_national_ids(text, lowered)
    return _without_overlaps(found, text) if found else found


def _without_overlaps(found: Iterable[Finding], text: str) -> list[Finding]:
    """Merge overlapping stretches, under the kind of the first specific one."""
    markers = [match.span() for match in _MARKER.finditer(text)]
    kept: list[Finding] = []
    passed = 0
    for finding in sorted(found, key=lambda item: (item.start, -item.end)):
        while passed < len(markers) and markers[passed][1] <= finding.start:
            passed += 1
        if finding.start >= finding.end or (passed < len(markers) and markers[passed][0] < finding.end):
            continue
        if kept and finding.start < kept[-1].end:
            kind = finding.kind if kept[-1].kind == "secret" else kept[-1].kind
            kept[-1] = Finding(kept[-1].start, max(kept[-1].end, finding.end), kind)
        else:
            kept.append(finding)
    return kept


def _replaced(text: str, findings: list[Finding]) -> str:
    parts: list[str] = []
    position = 0
    for finding in findings:
        parts += (text[position : finding.start], f"[redacted:{finding.kind}]")
        position = finding.end
    parts.append(text[position:])
    return "".join(parts)
