"""Numbers of payment cards, and the date until which a card is valid.

A checksum alone does not decide on bare digits (one order number in ten passes Luhn): the issuer's range, the
grouping of the digits and the words before the number decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_service.redaction.secret_patterns import Finding
from memory_service.text.late_pattern import compile_late

_GAP = r"[ \t\u00a0\u2000-\u200d\u202f\u2060\ufeff.\-\u2010-\u2015_/*]"
_RUN = compile_late(rf"[0-9](?:{_GAP}{{0,3}}+[0-9])*+")
_GROUP = compile_late(r"[0-9]+")
_CARD_WORDS = compile_late(
    r"(?i)\b(?:card|visa|master ?card|amex|american express|credit|debit|diners|discover|maestro|jcb|unionpay|"
    r"rupay|karte|kreditkarte|kartennummer|carte|tarjeta|cc|cvv|exp)"
)
OTHER_NUMBER = compile_late(
    r"(?i)\b(?:order|tracking|track|shipment|parcel|package|invoice|receipt|reference|ref|serial|imei|isbn|ean|upc|"
    r"gtin|sku|part|product|model|item|ticket|case|booking|confirmation|transaction|tel|phone|call|fax|mobile|"
    r"bestell\w*|rechnung\w*|sendung\w*|artikel\w*|vin|batch|lot|uuid|build|version|timestamp|id)\b[^\n]{0,24}$"
)
"""Words before a number that say that it is no card number."""
LOOK_BACK = 48
_SHORTEST = 12
_LONGEST = 19
_GROUPINGS = {
    (4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 2), (4, 4, 4, 3), (4, 4, 4, 4, 3), (4, 4, 4, 1), (8, 8),
    (6, 13),
}  # fmt: skip
"""Groupings of digits on cards."""


@dataclass(frozen=True, slots=True)
class _Issuer:
    """A range of ISO/IEC 7812 prefixes in use."""

    lowest: int
    highest: int
    lengths: frozenset[int]
    bare: frozenset[int]
    """Lengths at which a number without gaps and words is still taken for a card."""


def _issuer(lowest: int, highest: int, lengths: range | tuple[int, ...], *bare: int) -> _Issuer:
    return _Issuer(lowest, highest, frozenset(lengths), frozenset(bare))


_LONG = range(16, 20)
_MAESTRO = range(_SHORTEST, 20)
_ISSUERS = (
    _issuer(4, 4, (13, 16, 19), 16, 19),  # Visa; 13 bare digits from 4 on are a European article number too
    _issuer(51, 55, (16,), 16),  # Mastercard
    _issuer(2221, 2720, (16,), 16),
    _issuer(34, 34, (15,), 15),  # American Express
    _issuer(37, 37, (15,), 15),
    _issuer(300, 305, range(14, 20), 14, 16),  # Diners Club
    _issuer(3095, 3095, range(14, 20), 14, 16),
    _issuer(36, 36, range(14, 20), 14, 16),
    _issuer(38, 39, range(14, 20), 14, 16),
    _issuer(3528, 3589, _LONG, 16, 19),  # JCB
    _issuer(2131, 2131, (15,), 15),
    _issuer(1800, 1800, (15,), 15),
    _issuer(6011, 6011, _LONG, 16, 19),  # Discover
    _issuer(644, 649, _LONG, 16, 19),
    _issuer(65, 65, _LONG, 16, 19),  # and RuPay
    _issuer(62, 62, _LONG, 16, 19),  # UnionPay
    _issuer(2200, 2205, _LONG, 16),  # Mir
    _issuer(9792, 9792, (16,), 16),  # Troy
    *(
        _issuer(maestro, maestro, _MAESTRO, *range(13, 20))
        for maestro in (5018, 5020, 5038, 5893, 6304, 6390, 6759, 6761, 6762, 6763)
    ),
    _issuer(68, 69, range(13, 20), 15, 16),
    _issuer(676770, 676774, _MAESTRO, *range(13, 20)),
    # Other issuers: only with words or a grouping that say that it is a card number.
    *(_issuer(two, two, range(13, 20)) for two in (50, 56, 57, 58, 60, 61, 63, 64, 66, 67)),
    _issuer(81, 82, (16,)),
    _issuer(8600, 8600, (16,)),
    _issuer(9860, 9860, (16,)),
)
_BY_PREFIX = {
    str(prefix): issuer for issuer in _ISSUERS for prefix in range(issuer.lowest, issuer.highest + 1)
}
_FIRST_DIGITS = frozenset(prefix[0] for prefix in _BY_PREFIX)


def _issuer_of(digits: str) -> _Issuer | None:
    """Who issues cards with this prefix at this length; the narrowest range goes first."""
    for places in (6, 4, 3, 2, 1):
        issuer = _BY_PREFIX.get(digits[:places])
        if issuer is not None and len(digits) in issuer.lengths:
            return issuer
    return None


_DOUBLED = {digit: sum(divmod(2 * int(digit), 10)) for digit in "0123456789"}


def _luhn(digits: str) -> bool:
    """The checksum of ISO/IEC 7812; several times as fast as a library's general one."""
    return (sum(map(int, digits[::-2])) + sum(map(_DOUBLED.__getitem__, digits[-2::-2]))) % 10 == 0


def _card_at(groups: list[re.Match[str]], first: int, text: str) -> int | None:
    """The index after the last group of a card number that starts at group `first`, if there is one."""
    if groups[first][0][0] not in _FIRST_DIGITS:
        return None
    digits = ""
    for last in range(first, min(first + _LONGEST, len(groups))):
        digits += groups[last][0]
        if len(digits) > _LONGEST:
            return None
        issuer = _issuer_of(digits) if len(digits) >= _SHORTEST else None
        if issuer is None or not _luhn(digits):
            continue
        before = text[max(0, groups[first].start() - LOOK_BACK) : groups[first].start()]
        grouping = tuple(len(group[0]) for group in groups[first : last + 1])
        if _CARD_WORDS.search(before) or grouping in _GROUPINGS:
            return last + 1
        bare = len(digits) in issuer.bare and (len(grouping) == 1 or set(grouping[:-1]) <= {1})
        if bare and not OTHER_NUMBER.search(before):
            return last + 1
    return None


_EXPIRY = compile_late(
    r"(?i)[^\w\n]{0,4}(?:exp(?:ir(?:y|es|ation))?(?: date)?|valid (?:thru|until|to)|gültig bis)[^\w\n]{1,4}"
    r"((?:0?[1-9]|1[0-2])\s?[/.-]\s?(?:20)?[0-9]{2})(?![0-9])"
)


def find_cards(text: str) -> Iterator[Finding]:
    """Yield payment-card numbers: issuer range, Luhn, and a grouping or words that no other number has.

    The date right behind a card's number, until which it is valid, goes with it.
    """
    for run in _RUN.finditer(text):
        if run.end() - run.start() < _SHORTEST or text[max(0, run.start() - 1) : run.start()] == "+":
            continue
        groups = list(_GROUP.finditer(text, run.start(), run.end()))
        spelled_out = sum(len(group[0]) == 1 for group in groups) > len(groups) // 2
        first = 0
        while first < len(groups):
            after = _card_at(groups, first, text)
            if after is None:
                if spelled_out:
                    break
                first += 1
            else:
                yield Finding(groups[first].start(), groups[after - 1].end(), "payment_card")
                expiry = _EXPIRY.match(text, groups[after - 1].end())
                if expiry is not None:
                    yield Finding(expiry.start(1), expiry.end(1), "card_expiry")
                first = after
