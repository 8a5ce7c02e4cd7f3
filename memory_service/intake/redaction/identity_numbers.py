"""Numbers that name a person or reach their money: cards, bank accounts, social security, passports, tax ids.

A checksum alone is never enough for a bare run of digits (one order number in ten passes Luhn): the
issuer's range,
the way the digits are grouped and the words before the number decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from stdnum import iban
from stdnum.au import tfn
from stdnum.br import cpf
from stdnum.ca import sin
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.se import personnummer

from memory_service.intake.redaction.secret_patterns import Finding

_GAP = r"[ \t\u00a0\u2000-\u200d\u202f\u2060\ufeff.\-\u2010-\u2015_/*]"

_RUN = re.compile(rf"[0-9](?:{_GAP}{{0,3}}+[0-9])*+")
_GROUP = re.compile(r"[0-9]+")
_CARD_WORDS = re.compile(
    r"(?i)\b(?:card|visa|master ?card|amex|american express|credit|debit|diners|discover|maestro|jcb|"
    r"unionpay|"
    r"karte|kreditkarte|kartennummer|carte|tarjeta|cc|cvv|exp)"
)
_OTHER_NUMBER = re.compile(
    r"(?i)\b(?:order|tracking|track|shipment|parcel|package|invoice|receipt|reference|ref|serial|imei|isbn|"
    r"ean|upc|"
    r"gtin|sku|part|product|model|item|ticket|case|booking|confirmation|transaction|tel|phone|call|fax|"
    r"mobile|"
    r"bestell\w*|rechnung\w*|sendung\w*|artikel\w*|vin|batch|lot|uuid|build|version|timestamp|"
    r"id)\b[^\n]{0,24}$"
)
_LOOK_BACK = 48
_CARD_GROUPINGS = {(4, 4, 4, 4), (4, 6, 5), (4, 6, 4), (4, 4, 4, 4, 3), (4, 4, 4, 1), (8, 8), (6, 13)}


def _issuer(digits: str) -> bool:
    """Whether a card issuer uses this prefix at this length (ISO/IEC 7812 ranges in use)."""
    length, two, four = len(digits), int(digits[:2]), int(digits[:4])
    if digits[0] == "4":
        return length in {13, 16, 19}
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return length == 16
    if two in {34, 37}:
        return length == 15
    if 3000 <= four <= 3059 or two in {36, 38, 39}:
        return length in {14, 16}
    if four == 6011 or two == 65 or 6440 <= four <= 6499 or two == 62 or 3528 <= four <= 3589:
        return 16 <= length <= 19
    return two in {50, 56, 57, 58, 60, 61, 63, 67, 68, 69} and 13 <= length <= 19


_DOUBLED = {digit: sum(divmod(2 * int(digit), 10)) for digit in "0123456789"}


def _luhn(digits: str) -> bool:
    """The checksum of ISO/IEC 7812; several times as fast as a library's general one."""
    return (sum(map(int, digits[::-2])) + sum(map(_DOUBLED.__getitem__, digits[-2::-2]))) % 10 == 0


def _card_at(groups: list[re.Match[str]], first: int, text: str) -> int | None:
    """The index after the last group of a card number that starts at group `first`, if there is one."""
    if groups[first][0][0] not in "23456":
        return None
    digits = ""
    for last in range(first, min(first + 19, len(groups))):
        digits += groups[last][0]
        if len(digits) > 19:
            return None
        if len(digits) < 13 or not _issuer(digits) or not _luhn(digits):
            continue
        before = text[max(0, groups[first].start() - _LOOK_BACK) : groups[first].start()]
        grouping = tuple(len(group[0]) for group in groups[first : last + 1])
        if _CARD_WORDS.search(before) or grouping in _CARD_GROUPINGS:
            return last + 1
        bare = len(digits) in {15, 16} and digits[:2] not in {"50", "56", "57", "58", "60", "61", "63", "67"}
        if bare and (len(grouping) == 1 or set(grouping[:-1]) <= {1}) and not _OTHER_NUMBER.search(before):
            return last + 1
    return None


_EXPIRY = re.compile(
    r"(?i)[^\w\n]{0,4}(?:exp(?:ir(?:y|es|ation))?(?: date)?|valid (?:thru|until|to)|gültig bis)[^\w\n]{1,4}"
    r"((?:0?[1-9]|1[0-2])\s?[/.-]\s?(?:20)?[0-9]{2})(?![0-9])"
)


def find_cards(text: str) -> Iterator[Finding]:
    """Yield payment-card numbers: issuer range, Luhn, and a grouping or words that no other number has.

    The date right behind a card's number, until which it is valid, goes with it.
    """
    for run in _RUN.finditer(text):
        if run.end() - run.start() < 13 or text[max(0, run.start() - 1) : run.start()] == "+":
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


_SSN = re.compile(r"(?<![\w-])(?!000|666|9)[0-9]{3}([ -]?)(?!00)[0-9]{2}\1(?!0000)[0-9]{4}(?![\w-])")
_SSN_WORDS = re.compile(r"(?i)\b(?:ssn|social[ -]?security|social\b|soc(?:ial)? sec)")


def find_social_security(text: str) -> Iterator[Finding]:
    """Yield US social security numbers: with dashes by their shape, otherwise only when named as such."""
    for match in _SSN.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        if _SSN_WORDS.search(before) or (match[1] == "-" and not _OTHER_NUMBER.search(before)):
            yield Finding(match.start(), match.end(), "us_ssn")


_IBAN_LENGTH = {
    entry[:2]: int(entry[2:])
    for entry in """
        AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27
        DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22
        IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19
        MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31
        SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
        """.split()  # noqa: SIM905
}
_IBAN_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ -]?[0-9]{2}(?=[ -]?[A-Za-z0-9])")
_IBAN_GAP = frozenset(" -\u00a0\u202f\u2011.")


def find_ibans(text: str) -> Iterator[Finding]:
    """Yield bank accounts: a country's length and the ISO 7064 checksum, checked by python-stdnum."""
    for match in _IBAN_START.finditer(text):
        wanted = _IBAN_LENGTH.get(match[0][:2].upper())
        if wanted is None:
            continue
        found: list[str] = []
        end = match.start()
        for position in range(match.start(), min(match.start() + 2 * wanted, len(text))):
            character = text[position]
            if character.isascii() and character.isalnum():
                found.append(character)
                end = position + 1
                if len(found) == wanted:
                    break
            elif character not in _IBAN_GAP:
                break
        if len(found) == wanted and not text[end : end + 1].isalnum() and iban.is_valid("".join(found)):
            yield Finding(match.start(), end, "iban")


Validator = Callable[[str], bool]


def _numbered(text: str) -> bool:
    return sum(character.isdigit() for character in text) >= 5


_IS = (
    r"(?:[^\w\n]{1,4}(?:card|book|number|num|no|nr|id|code|is|was|nummer|lautet|ist|the|"
    r"my)\b){0,5}[^\w\n]{1,6}"
)
_NATIONAL: tuple[tuple[str, tuple[str, ...], str, str, Validator], ...] = (
    (
        "passport",
        ("passport", "reisepass", "passnummer", "pasaporte", "passeport"),
        r"passport|reisepass(?:nummer)?|passnummer|pasaporte|passeport",
        r"[A-Z0-9]{6,10}",
        _numbered,
    ),
    (
        "id_card",
        ("national id", "id card", "identity card", "personalausweis", "ausweis", "identity number"),
        r"national id|id card|identity card|identity number|personalausweis(?:nummer)?|ausweis(?:nummer)?",
        r"[A-Z0-9]{2,4}[ -]?[A-Z0-9]{4,11}",
        _numbered,
    ),
    (
        "driving_licence",
        ("licen", "führerschein"),
        r"driv(?:er|ing|er'?s|er’s)[ -]licen[cs]e|f[uü]hrerschein(?:nummer)?",
        r"[A-Z0-9]{1,5}[ -]?[A-Z0-9-]{4,16}",
        _numbered,
    ),
    (
        "national_insurance",
        ("national insurance", "nino", "ni number"),
        r"national insurance|nino|ni",
        r"[A-CEGHJ-PR-TW-Za-ceghj-pr-tw-z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-Da-d]",
        _numbered,
    ),
    (
        "tax_id",
        ("steuer", "tax id", "tin"),
        r"steuer-?(?:id|identifikationsnummer|nummer)|tax id|tin",
        r"[0-9][0-9 /-]{7,14}[0-9]",
        lambda text: idnr.is_valid(text) or _numbered(text),
    ),
    ("nhs_number", ("nhs",), r"nhs", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}", nhs.is_valid),
    ("aadhaar", ("aadha",), r"aadhaar|aadhar", r"[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}", aadhaar.is_valid),
    ("pan", ("pan",), r"pan", r"[A-Za-z]{5}[0-9]{4}[A-Za-z]", pan.is_valid),
    ("cpf", ("cpf",), r"cpf", r"[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}", cpf.is_valid),
    (
        "dni",
        ("dni", "nie", "nif"),
        r"dni|nie|nif",
        r"[XYZxyz]?[ -]?[0-9]{7,8}[ -]?[A-Za-z]",
        lambda text: dni.is_valid(text) or nie.is_valid(text),
    ),
    (
        "sin",
        ("sin", "social insurance"),
        r"sin|social insurance",
        r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}",
        sin.is_valid,
    ),
    ("bsn", ("bsn", "burgerservice"), r"bsn|burgerservicenummer", r"[0-9]{8,9}", bsn.is_valid),
    ("ahv", ("756",), r"", r"756[. ]?[0-9]{4}[. ]?[0-9]{4}[. ]?[0-9]{2}", ahv.is_valid),
    (
        "nir",
        ("sécurité sociale", "securite sociale", "nir"),
        r"s[ée]curit[ée] sociale|nir",
        r"[12][ .]?[0-9]{2}[ .]?[0-9]{2}[ .]?[0-9AB]{2}[ .]?[0-9]{3}[ .]?[0-9]{3}[ .]?[0-9]{2}",
        nir.is_valid,
    ),
    (
        "codice_fiscale",
        ("fiscale",),
        r"codice fiscale",
        r"[A-Za-z]{6}[0-9]{2}[A-Za-z][0-9]{2}[A-Za-z][0-9]{3}[A-Za-z]",
        codicefiscale.is_valid,
    ),
    ("pesel", ("pesel",), r"pesel", r"[0-9]{11}", pesel.is_valid),
    (
        "personnummer",
        ("personnummer",),
        r"personnummer",
        r"(?:[0-9]{2})?[0-9]{6}[-+]?[0-9]{4}",
        personnummer.is_valid,
    ),
    ("tfn", ("tfn", "tax file"), r"tfn|tax file", r"[0-9]{3} ?[0-9]{3} ?[0-9]{3}", tfn.is_valid),
    (
        "bank_account",
        ("account number", "account no", "routing", "sort code", "kontonummer"),
        r"(?:bank|checking|savings|giro|current) account|routing|sort code|kontonummer",
        r"[0-9][0-9 -]{4,20}[0-9]",
        _numbered,
    ),
)
"""Kind, trigger substrings, the words before the number, its shape, and who says that it is valid."""

_COMPILED = tuple(
    (
        kind,
        triggers,
        re.compile(rf"(?i)\b(?:{words}){_IS}({shape})(?![A-Za-z0-9])" if words else rf"\b({shape})\b"),
        valid,
    )
    for kind, triggers, words, shape, valid in _NATIONAL
)


def find_national_ids(text: str, lowered: str) -> Iterator[Finding]:
    """Yield passports, identity cards, tax and insurance numbers that the words before them name."""
    for kind, triggers, pattern, valid in _COMPILED:
        if any(trigger in lowered for trigger in triggers):
            for match in pattern.finditer(text):
                if valid(match[1]):
                    yield Finding(match.start(1), match.end(1), kind)
