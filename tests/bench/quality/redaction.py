"""Secrets of many shapes planted into ordinary turns: the share redacted, and the redacted texts that are no secret."""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable
from pathlib import Path

from memory_service.redaction import redact
from memory_service.transfer.transcripts import read_transcript
from tests.bench.quality.commitments import joined
from tests.bench.quality.data import conversations, out, rows, table

EACH = 60
"""Planted of each shape."""
_FRAMES = (
    "here it is: {}",
    "{}",
    "I just got {} from them",
    "use {} for that",
    "({})",
    "\n{}\n",
    "it is {}, ok?",
)
_ALNUM = string.ascii_letters + string.digits
_WORDS = "river copper lantern maple orbit velvet tiger harbor pepper cactus".split()  # noqa: SIM905

Maker = Callable[[random.Random], tuple[str, str]]
"""Makes (the text to plant, the part of it that must not survive)."""


def _some(chance: random.Random, count: int, letters: str = _ALNUM) -> str:
    return "".join(chance.choice(letters) for _ in range(count))


def _token(prefix: str, count: int, letters: str = _ALNUM) -> Maker:
    def made(chance: random.Random) -> tuple[str, str]:
        secret = prefix + _some(chance, count, letters)
        return secret, secret

    return made


def _jwt(chance: random.Random) -> tuple[str, str]:
    def part(content: bytes) -> str:
        return base64.urlsafe_b64encode(content).decode().rstrip("=")

    head = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    body = part(json.dumps({"sub": _some(chance, 10), "iat": chance.randrange(10**9)}).encode())
    secret = f"{head}.{body}.{part(chance.randbytes(32))}"
    return secret, secret


def _pem(chance: random.Random) -> tuple[str, str]:
    kind = chance.choice(("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"))
    body = "\n".join(base64.b64encode(chance.randbytes(48)).decode() for _ in range(6))
    return f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----", body


def _password(chance: random.Random) -> tuple[str, str]:
    word = chance.choice(_WORDS).capitalize() + str(chance.randrange(100, 9999)) + chance.choice("!?#$%&*")
    secret = chance.choice((word, _some(chance, 12) + chance.choice("!$%"), word.lower() + _some(chance, 3)))
    said = chance.choice(
        (
            "my password is {}",
            "the wifi password is {}",
            "password: {}",
            "my new login password is {} so you know",
            "PASSWORD={}",
            "pwd: {}",
            "you can log in with the password {}",
            "the passphrase is {}",
            "my email password changed to {}",
        )
    )
    return said.format(secret), secret


def _key_in_words(chance: random.Random) -> tuple[str, str]:
    secret = _some(chance, chance.choice((24, 32, 40)))
    said = chance.choice(
        ("my api key is {}", "API_KEY={}", '"api_key": "{}"', "the access token is {}", "client_secret: {}")
    )
    return said.format(secret), secret


def _connection(chance: random.Random) -> tuple[str, str]:
    secret = _some(chance, 14)
    kind = chance.choice(("postgres", "postgresql", "mysql", "mongodb+srv", "redis", "amqp", "https"))
    return f"{kind}://app:{secret}@db{chance.randrange(9)}.example.com:5432/main", secret


def luhn(digits: str) -> str:
    """The digits with the check digit that makes a card number of them."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return digits + str(-total % 10)


def _card(chance: random.Random) -> tuple[str, str]:
    prefix, length = chance.choice((("4", 16), ("51", 16), ("2221", 16), ("6011", 16), ("37", 15)))
    plain = luhn(prefix + _some(chance, length - len(prefix) - 1, string.digits))
    cuts = (4, 10, 15) if length == 15 else (4, 8, 12, 16)
    begins = (0, *cuts[:-1])
    parts = [plain[begin:end] for begin, end in zip(begins, cuts, strict=True)]
    secret = chance.choice((plain, " ".join(parts), "-".join(parts)))
    return chance.choice(("{}", "my card is {}", "pay with {}")).format(secret), secret


def _iban(chance: random.Random) -> tuple[str, str]:
    """An IBAN of a country whose account numbers have no further check digits."""
    country, length = chance.choice((("DE", 18), ("AT", 16), ("NL", 0), ("GB", 0), ("CH", 17)))
    account = _some(chance, length, string.digits)
    if not length:
        account = ("ABNA" if country == "NL" else "WEST") + _some(
            chance, 10 if country == "NL" else 14, string.digits
        )
    turned = "".join(str(int(letter, 36)) for letter in account + country + "00")
    plain = f"{country}{98 - int(turned) % 97:02d}{account}"
    spaced = " ".join(plain[place : place + 4] for place in range(0, len(plain), 4))
    secret = chance.choice((plain, spaced))
    return chance.choice(("my IBAN is {}", "{}", "transfer it to {}")).format(secret), secret


def _social_security(chance: random.Random) -> tuple[str, str]:
    secret = f"{chance.randrange(100, 665)}-{chance.randrange(10, 99)}-{chance.randrange(1000, 9999)}"
    return chance.choice(("my SSN is {}", "my social security number is {}", "{}")).format(secret), secret


def _named_id(chance: random.Random) -> tuple[str, str]:
    said, secret = chance.choice(
        (
            ("my passport number is {}", _some(chance, 1, "CFGH") + _some(chance, 8, string.digits)),
            ("driver's license number {}", _some(chance, 1, "ABDS") + _some(chance, 7, string.digits)),
            ("my tax ID is {}", _some(chance, 11, string.digits)),
        )
    )
    return said.format(secret), secret


SECRETS: dict[str, Maker] = {
    "OpenAI key": _token("sk-proj-", 48),
    "Anthropic key": _token("sk-ant-api03-", 93),
    "GitHub token": _token("ghp_", 36),
    "GitHub fine-grained": _token("github_pat_", 82, _ALNUM + "_"),
    "GitLab token": _token("glpat-", 20),
    "AWS access key": _token("AKIA", 16, string.ascii_uppercase + "234567"),
    "Google key": _token("AIza", 35, _ALNUM + "_-"),
    "Slack token": lambda c: (lambda s: (s, s))(
        f"xoxb-{_some(c, 12, string.digits)}-{_some(c, 12, string.digits)}-{_some(c, 24)}"
    ),
    "Stripe key": _token("sk_live_", 24),
    "Hugging Face token": _token("hf_", 34, string.ascii_letters),
    "npm token": _token("npm_", 36),
    "JWT": _jwt,
    "PEM": _pem,
    "password in a sentence": _password,
    "key in a sentence": _key_in_words,
    "connection string": _connection,
    "payment card": _card,
    "IBAN": _iban,
    "social security": _social_security,
    "other identity numbers": _named_id,
}


def _isbn(chance: random.Random) -> str:
    digits = "978" + _some(chance, 9, string.digits)
    check = -sum(int(d) * (3 if place % 2 else 1) for place, d in enumerate(digits)) % 10
    return f"978-{digits[3]}-{digits[4:8]}-{digits[8:12]}-{check}"


BENIGN: dict[str, Callable[[random.Random], str]] = {
    "order number": lambda c: (
        f"order {c.choice(('#', 'no. ', ''))}{_some(c, c.choice((6, 8, 10)), string.digits)}"
    ),
    "git hash": lambda c: f"commit {_some(c, c.choice((7, 12, 40)), '0123456789abcdef')}",
    "SHA-256": lambda c: f"sha256 {_some(c, 64, '0123456789abcdef')}",
    "ISBN": lambda c: f"ISBN {_isbn(c)}",
    "UUID": lambda c: str(uuid.UUID(int=c.getrandbits(128), version=4)),
    "date and time": lambda c: (
        f"{c.randrange(2000, 2030)}-{c.randrange(1, 13):02d}-{c.randrange(1, 29):02d} at "
        f"{c.randrange(24):02d}:{c.randrange(60):02d}"
    ),
    "phone": lambda c: c.choice(
        (
            f"+49 30 {c.randrange(10**6, 10**7)}",
            f"({c.randrange(201, 990)}) 555-{c.randrange(1000, 9999)}",
            f"555-{c.randrange(1000, 9999)}",
        )
    ),
    "parcel": lambda c: f"tracking number 1Z{_some(c, 16, string.ascii_uppercase + string.digits)}",
    "price": lambda c: f"${c.randrange(10, 99)},{c.randrange(100, 999)}.{c.randrange(10, 99)}",
    "version": lambda c: f"version {c.randrange(9)}.{c.randrange(99)}.{c.randrange(9999)}",
    "link": lambda c: f"https://example.com/{c.choice(_WORDS)}/{c.randrange(10**6)}?page={c.randrange(90)}",
    "talk of passwords": lambda c: c.choice(
        (
            "I forgot my password again",
            "the password is wrong, I changed it last week",
            "my password manager is great",
            "how do I reset the password?",
            "never share your api key with anyone",
        )
    ),
}


def measure(folder: Path, examples: bool) -> None:
    files = conversations(folder)
    turns = [turn.message.content for file in files for turn in read_transcript(file)]
    hosts = turns or ["I will send it to you tomorrow. See you then."]
    chance = random.Random(11)
    shown = table("Redaction, planted into turns", "shape", "n", "found", "no part left")
    total = [0, 0, 0]
    for name, make in SECRETS.items():
        found = clean = 0
        for _ in range(EACH):
            planted, secret = make(chance)
            text = _into(chance.choice(hosts), planted, chance)
            redacted = redact(text)
            clear = secret not in redacted.text
            whole = clear and not _survives(secret, redacted.text, text)
            found += clear
            clean += whole
            if examples and not whole:
                out.print(f"  left over, {name}: {planted[:80]!r} -> {redacted.text[:200]!r}", markup=False)
        total = [total[0] + EACH, total[1] + found, total[2] + clean]
        shown.add_row(name, str(EACH), _percent(found, EACH), _percent(clean, EACH))
    shown.add_row("all", str(total[0]), _percent(total[1], total[0]), _percent(total[2], total[0]))
    out.print(shown)

    false = table("Redaction, what is no secret", "text", "n", "redacted")
    for name, benign in BENIGN.items():
        taken = 0
        for _ in range(EACH):
            planted = benign(chance)
            redacted = redact(_into(chance.choice(hosts), planted, chance)).text
            taken += planted not in redacted
            if examples and planted not in redacted:
                out.print(f"  taken, {name}: {planted!r} -> {redacted[-120:]!r}", markup=False)
        false.add_row(name, str(EACH), _percent(taken, EACH))
    for name, texts in {
        "LoCoMo turns": turns,
        "DailyDialog turns": [joined(row["t"]) for row in rows(folder, "dailydialog_dev")],
    }.items():
        if texts:
            wrong = [text for text in texts if redact(text).kinds]
            false.add_row(name, str(len(texts)), _percent(len(wrong), len(texts)))
            if examples:
                for text in wrong[:5]:
                    out.print(f"  taken, {name}: {redact(text).text!r}", markup=False)
    out.print(false)


def _into(host: str, planted: str, chance: random.Random) -> str:
    framed = chance.choice(_FRAMES).format(planted)
    return chance.choice((f"{host} {framed}", f"{framed} {host}", framed))


def _survives(secret: str, redacted: str, before: str) -> bool:
    """Whether eight characters in a row of the secret are still there, and were there only because of it."""
    pieces = {secret[place : place + 8] for place in range(max(1, len(secret) - 7))}
    rest = before.replace(secret, " ")
    return any(piece in redacted and piece not in rest for piece in pieces)


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.2f} %" if 0 < part < of and of > 500 else f"{100 * part / of:.0f} %"
