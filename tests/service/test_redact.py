"""Secrets never reach the database, look-alikes are left alone, and hostile text costs linear time."""

from __future__ import annotations

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_service.intake.redaction.redact import Redacted, redact

_RANDOM = random.Random(7)
_ALNUM = string.ascii_letters + string.digits


def _token(length: int, alphabet: str = _ALNUM) -> str:
    """A made-up token; tokens are put together here so that no scanner takes this file for a leak."""
    return "a1B2" + "".join(_RANDOM.choice(alphabet) for _ in range(length - 4))


_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"
_JWT = f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{_token(43)}"
_PEM = (
    "-----BEGIN RSA "
    + "PRIVATE KEY-----\n"
    + "\n".join(_token(64) for _ in range(8))
    + "\n-----END RSA PRIVATE KEY-----"
)

PLANTED: list[tuple[str, str, str]] = [
    ("use {} please", "AK" + "IA" + "".join(_RANDOM.choice(_UPPER) for _ in range(16)), "aws_access_key"),
    ('aws_secret_access_key = "{}"', _token(40), "secret"),
    ("the pat is ({})", "gh" + "p_" + _token(36), "github_token"),
    ("{} is for gitlab", "gl" + "pat-" + _token(20), "gitlab_token"),
    ("openai: {}", "sk-" + "proj-" + _token(48), "openai_key"),
    ("```\n{}\n```", "sk-" + "ant-api03-" + _token(80), "anthropic_key"),
    ("slack {} ok", "xo" + "xb-123456789012-1234567890123-" + _token(24).lower(), "slack_token"),
    ("pay with {}", "sk_" + "live_" + _token(24), "stripe_key"),
    ("maps {}", "AI" + "za" + _token(35), "google_api_key"),
    ("mail {}", "SG" + "." + _token(22) + "." + _token(43), "sendgrid_key"),
    ("{}", "np" + "m_" + _token(36), "npm_token"),
    ("model hub: {}", "hf" + "_" + _token(34), "huggingface_token"),
    ("bot 123456789:{}", "AA" + _token(33), "telegram_token"),
    ("jwt {} end", _JWT, "json_web_token"),
    ("curl -H 'Authorization: Bearer {}'", _token(40), "authorization"),
    ("Authorization: Basic {}", "dXNlcjpwYXNz" + "d29yZA==", "authorization"),
    ("postgres://app:{}@db.example.com/x", "s3cr3tP!ss", "url_password"),
    ("https://x.example/cb?access_token={}&a=1", _token(30), "url_token"),
    ("Server=x;User Id=sa;Password={};", "Str0ng#Pw", "password"),
    ("take it\n{}\nthanks", _PEM, "private_key"),
    ("my password is {}", "hunter2", "password"),
    ("My password is {}.", "swordfish", "password"),
    ("**Password:** {}", "Hx9!kk2", "password"),
    ("das Passwort ist {}", "Sommer2024!", "password"),
    ("password for the guest wifi is {}", "blue-horse-77", "password"),
    ('{{"password": "{}"}}', "correct horse", "password"),
    ("log in with {} as password", "hunter22xx1", "password"),
    ("API_KEY={}", _token(32, _HEX), "secret"),
    ("export MY_SERVICE_TOKEN={}", _token(20), "secret"),
    ("here is the key you asked for: {}", _token(40), "secret"),
    ("my pin is {}", "4821", "pin"),
    ("cvv {}", "123", "access_code"),
    ("{} is your verification code", "482913", "access_code"),
    ("The PIN for my card ending 1234 is {}", "9921", "pin"),
    ("password {}", "hunter2", "password"),
    ("pass: {}!", "hunter2", "secret"),
    ("password changed to {}", "Winter#99", "password"),
    ("the door code is {}", "4711", "access_code"),
    ("passphrase is {}", "correct horse battery staple", "passphrase"),
    (
        "my seed phrase is {}",
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "seed_phrase",
    ),
    ("card {}", "4111111111111111", "payment_card"),
    ("card 4111 {}", "1111 1111 1111", "payment_card"),
    ("it is {}, exp 12/27", "5555-5555-5555-4444", "payment_card"),
    ("amex {}", "3782 822463 10005", "payment_card"),
    ("spelled {}", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "payment_card"),
    ("my SSN: {}", "219-09-9998", "us_ssn"),
    ("social security 219 09 {}", "9998", "us_ssn"),
    ("IBAN {}", "DE89 3704 0044 0532 0130 00", "iban"),
    ("send it to {}", "GB82WEST12345698765432", "iban"),
    ("my passport number is {}", "X12345678", "passport"),
    ("BSN {}", "111222333", "bsn"),
    ("CPF: {}", "390.533.447-05", "cpf"),
    ("NHS number {}", "943 476 5870", "nhs_number"),
]

BENIGN = [
    "card 4111 1111 1111 1112 has a typo",
    "IBAN DE89 3704 0044 0532 0130 01 has a typo",
    "Order #4532015112830366 arrived",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes the token bug",
    "uuid 550e8400-e29b-41d4-a716-446655440000",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "the primary key 550e8400-e29b-41d4-a716-446655440000",
    "ISBN 978-3-16-148410-0",
    "call me at +49 170 1234567 or (555) 123-4567",
    "2026-11-21T22:25:52Z",
    "tracking 1Z999AA10123456784",
    "IMEI 356938035643809",
    "product code ABC-123-XYZ-99887766",
    "The password is wrong",
    "password reset link was sent",
    "Passwords are hard to remember.",
    "My password manager is Bitwarden",
    "password must be at least 8 characters",
    "tokens are cheap: 5000 per call",
    "the key takeaway is patience",
    "The secret is that she loves him",
    "PIN code 560001 Bangalore",
    "my passport expires in 2031",
    "The bearer of good news arrived",
    "https://example.com/a/b?page=2&sort=asc",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    "in 2019 2020 2021 2022 2023 I moved",
    "192.168.178.1 is version 1.2.3.4",
    "he said: pass the salt please",
]


@pytest.mark.parametrize(("sentence", "secret", "kind"), PLANTED)
def test_a_secret_is_replaced_by_its_kind(sentence: str, secret: str, kind: str) -> None:
    result = redact(sentence.format(secret))
    assert secret not in result.text
    assert kind in result.kinds
    assert f"[redacted:{kind}]" in result.text


@pytest.mark.parametrize("text", BENIGN)
def test_a_look_alike_stays(text: str) -> None:
    assert redact(text) == Redacted(text, ())


def test_what_stands_around_a_secret_stays() -> None:
    assert (
        redact("Hi! My password is hunter2, keep it.").text
        == "Hi! My password is [redacted:password], keep it."
    )


def test_kinds_come_once_and_in_order() -> None:
    result = redact("PIN 4821, card 4111 1111 1111 1111, pin: 9932")
    assert result.kinds == ("pin", "payment_card")


@given(st.text())
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text
    assert redact(once) == Redacted(once, ())


_PIECES = st.sampled_from(
    [
        "password",
        "pin",
        " is ",
        ": ",
        "=",
        "4111 1111 1111 1111",
        "hunter2",
        " ",
        "key",
        "[redacted:",
        "]",
        '"',
        "a1b2c3d4e5f6g7h8i9j0k",
        "://u:",
        "@h",
        "4821",
        "code",
        "door ",
        "eyJ",
        ".",
        "\n",
        "seed phrase",
        "Bearer ",
        "DE89370400440532013000",
        "passport ",
        "219-09-9998",
        "İ",
    ]
)


@given(st.lists(_PIECES, max_size=25))
def test_redacting_twice_changes_nothing_more_in_suspicious_text(pieces: list[str]) -> None:
    once = redact("".join(pieces)).text
    assert redact(once) == Redacted(once, ())


_HOSTILE = [
    "1",
    "a",
    " ",
    "4 ",
    "44 ",
    "4111 ",
    "password ",
    "password is ",
    "password_",
    "password for the ",
    "key: ",
    "eyJ_",
    "sk-",
    "://a:",
    "-----BEGIN PRIVATE KEY-----",
    "DE89 ",
    "seed phrase abc ",
    "[redacted:",
    "Bearer ",
    "1-",
    "a1",
    "?token=",
    "passport number ",
    "pin for the my our ",
    "\u200b1",
    "\n",
]


@pytest.mark.parametrize("piece", _HOSTILE)
def test_hostile_text_costs_time_in_proportion_to_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * (length // len(piece) + 1))[:length]
        best = 9.0
        for _ in range(3):
            begin = time.perf_counter()
            redact(text)
            best = min(best, time.perf_counter() - begin)
        return best

    short, long = seconds(8_000), seconds(32_000)
    assert long < 9 * short + 0.005  # four times the text; sixteen times the time would be quadratic
