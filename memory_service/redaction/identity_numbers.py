"""Numbers that identify a person or an account: bank accounts, social security, passports, tax ids."""

from __future__ import annotations

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

from memory_service.redaction.card_numbers import LOOK_BACK, OTHER_NUMBER
from memory_service.redaction.secret_patterns import Finding
from memory_service.text.late_pattern import compile_late

_SSN = compile_late(r"(?<![\w-])(?!000|666|9)[0-9]{3}([ -]?)(?!00)[0-9]{2}\1(?!0000)[0-9]{4}(?![\w-])")
_SSN_WORDS = compile_late(r"(?i)\b(?:ssn|social[ -]?security|social\b|soc(?:ial)? sec)")


def find_social_security(text: str) -> Iterator[Finding]:
    """Yield US social security numbers: with dashes by their shape, otherwise only when named as such."""
    for match in _SSN.finditer(text):
        before = text[max(0, match.start() - LOOK_BACK) : match.start()]
        if _SSN_WORDS.search(before) or (match[1] == "-" and not OTHER_NUMBER.search(before)):
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
_IBAN_START = compile_late(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ -]?[0-9]{2}(?=[ -]?[A-Za-z0-9])")
_IBAN_GAP = frozenset(" -\u00a0\u202f\u2011.")


def find_ibans(text: str) -> Iterator[Finding]:
    """Yield bank accounts: a country's length and form and the ISO 7064 checksum, validated by python-stdnum.

    National check digits are not required: an account number with a typing error still identifies its owner.
    """
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
        if len(found) != wanted or text[end : end + 1].isalnum():
            continue
        if iban.is_valid("".join(found), check_country=False):
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
"""Kind, trigger substrings, the words before the number, its shape, and the function that validates it."""

_COMPILED = tuple(
    (
        kind,
        triggers,
        compile_late(rf"(?i)\b(?:{words}){_IS}({shape})(?![A-Za-z0-9])" if words else rf"\b({shape})\b"),
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
