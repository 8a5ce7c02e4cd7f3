"""Shapes of credentials that name themselves: provider tokens, keys, headers and links with a password.

The providers' patterns come from the detector library `detect-secrets`; its file scanner is not used,
because a
message has microseconds, not milliseconds. A pattern of the library is left out, and rewritten here, where
its
time is not linear in hostile text (OpenAI, npm, JWT) or where it takes ordinary words (Artifactory).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from memory_service.keys import SHAPE, is_key
from memory_service.redaction.secret_words import has_digit, looks_random
from memory_service.text.late_pattern import compile_late


@dataclass(frozen=True, slots=True)
class Finding:
    """A stretch of text that must not be kept, as offsets, and what it is."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Shape:
    """A pattern, the lower-case substrings of which one must be there first, and the group that is secret."""

    kind: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    group: int = 0
    sure: Callable[[str], bool] | None = None
    """A final check of the secret itself."""


def _library(
    kind: str, triggers: tuple[str, ...], detector: type[RegexBasedDetector], only: int | None = None
) -> Iterator[Shape]:
    """The patterns of one detector, made to start at the edge of a word so that hashes are not cut up."""
    patterns = cast("Iterable[re.Pattern[str]]", detector().denylist)  # pyright: ignore[reportUnknownMemberType]
    for number, pattern in enumerate(patterns):
        if only is None or number == only:
            yield Shape(
                kind, triggers, compile_late(rf"(?<![A-Za-z0-9])(?:{pattern.pattern})", pattern.flags)
            )


def _own(
    kind: str,
    triggers: tuple[str, ...],
    pattern: str,
    group: int = 0,
    sure: Callable[[str], bool] | None = None,
) -> Shape:
    return Shape(kind, triggers, compile_late(pattern), group, sure)


TOKEN_SHAPES: tuple[Shape, ...] = (
    _own("memory_service_key", ("mem_",), SHAPE, 0, is_key),
    *_library("aws_access_key", ("a3t", "abia", "acca", "akia", "asia"), AWSKeyDetector, only=0),
    *_library("azure_storage_key", ("accountkey=",), AzureStorageKeyDetector),
    *_library("discord_token", (".",), DiscordBotTokenDetector),
    *_library("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), GitHubTokenDetector),
    *_library("gitlab_token", ("gl", "gr1348941"), GitLabTokenDetector),
    *_library("mailchimp_key", ("-us",), MailchimpDetector),
    *_library("pypi_token", ("pypi-",), PypiTokenDetector),
    *_library("sendgrid_key", ("sg.",), SendGridDetector),
    *_library("slack_token", ("xox", "hooks.slack"), SlackDetector),
    *_library("square_token", ("sq0csp",), SquareOAuthDetector),
    *_library("stripe_key", ("k_live_",), StripeDetector),
    *_library("telegram_token", (":",), TelegramBotTokenDetector),
    *_library("twilio_key", ("ac", "sk"), TwilioKeyDetector),
    _own(
        "stripe_key",
        ("k_test_", "k_live_", "whsec_"),
        r"\b(?:[srp]k_(?:live|test)_|whsec_)[0-9A-Za-z]{16,128}",
    ),
    _own("github_token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9_]{22,255}"),
    _own("anthropic_key", ("sk-ant-",), r"(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{16,300}"),
    _own(
        "openai_key",
        ("sk-",),
        r"(?<![A-Za-z0-9])sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,300}",
        0,
        looks_random,
    ),
    _own("google_api_key", ("aiza",), r"(?<![A-Za-z0-9])AIza[0-9A-Za-z_-]{35}"),
    _own(
        "google_oauth_token",
        ("ya29.", "gocspx-", "1//0"),
        r"(?<![A-Za-z0-9/])(?:1//0[\w-]{20,300}|ya29\.[0-9A-Za-z_.-]{20,500}|GOCSPX-[\w-]{20,60})",
    ),
    _own("huggingface_token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,64}"),
    _own("npm_token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}"),
    _own("npm_token", ("_authtoken",), r"_authToken\s{0,4}=\s{0,4}[\"']?([^\s\"']{8,200})", 1),
    _own("slack_token", ("xapp-", "xoxe"), r"\b(?:xapp-|xoxe[.-])[A-Za-z0-9.-]{20,300}"),
    _own("digitalocean_token", ("dop_v1", "doo_v1"), r"\bdo[opr]_v1_[a-f0-9]{64}"),
    _own("vault_token", ("hvs.", "hvb."), r"\bhv[sb]\.[A-Za-z0-9_-]{24,300}"),
    _own("shopify_token", ("shp",), r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _own("age_key", ("age-secret-key",), r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _own(
        "artifactory_token", ("akc",), r"(?<![A-Za-z0-9])AKC[a-zA-Z0-9]{10,128}(?![A-Za-z0-9])", 0, has_digit
    ),
    _own(
        "json_web_token", ("eyj",), r"eyJ[A-Za-z0-9_=-]{8,500}\.[A-Za-z0-9_=-]{8,}+(?:\.[A-Za-z0-9_+/=-]*+)?"
    ),
)
"""Tried only on text that holds a token of at least 20 characters without a space."""


_LINK_KEYS = (
    "access_token|refresh_token|id_token|auth_token|token|api_?key|apikey|auth|sig|signature|secret|client_secret|"
    "password|passwd|pwd|pass|session|session_?id|sid|jwt|x-amz-signature|x-amz-security-token|x-goog-signature"
)
HEADER_SHAPES: tuple[Shape, ...] = (
    Shape(
        "private_key",
        ("private key",),
        compile_late(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?!-----)[\sA-Za-z0-9+/=\\:,.\-()])*+(?:-----END [A-Z0-9 ]{0,60}-----)?"
        ),
    ),
    Shape(
        "private_key",
        ("putty-user-key-file",),
        compile_late(r"PuTTY-User-Key-File-\d(?:(?!PuTTY-User)[\sA-Za-z0-9+/=:@.,_-])*+"),
    ),
    Shape(
        "authorization",
        ("bearer",),
        compile_late(r"(?i)\bbearer[\s:=]{1,4}[\"'`]?([A-Za-z0-9._~+/=-]{12,}+)"),
        1,
        has_digit,
    ),
    Shape(
        "authorization",
        ("authorization",),
        compile_late(
            r"(?i)\bauthorization[\"'`]?\s{0,4}[:=]\s{0,4}[\"'`]?(?:basic|token|digest|apikey|negotiate)"
            r"\s{1,4}([A-Za-z0-9._~+/=:-]{6,}+)"
        ),
        1,
    ),
    Shape(
        "session_cookie",
        ("cookie",),
        compile_late(
            r"(?i)\bcookie[\"'`]?\s{0,4}:\s{0,4}[\"'`]?([^\s=;\"'`]{1,80}=[^\s\"'`]{8,}+(?:;\s?[^\s=;]{1,80}=[^\s\"'`;]*+)*+)"
        ),
        1,
    ),
    Shape(
        "url_password", ("://",), compile_late(r"://[^\s:/@\"'<>]{0,120}:([^\s/\"'<>]{1,200})@(?=[^\s@])"), 1
    ),
    Shape(
        "url_token",
        ("=",),
        compile_late(rf"(?i)[?&;#](?:{_LINK_KEYS})=([^&\s#\"'<>`)\]]{{6,}}+)"),
        1,
    ),
    Shape(
        "url_token",
        ("=",),
        compile_late(r"(?i)[?&](?:key|code|state|auth_?code|sv|se)=([^&\s#\"'<>`)\]]{16,}+)"),
        1,
        looks_random,
    ),
)
"""Tried wherever their trigger is."""


def find_shapes(text: str, lowered: str, shapes: tuple[Shape, ...]) -> Iterator[Finding]:
    """Yield every stretch of `text` that one of the shapes calls secret."""
    for shape in shapes:
        if not any(trigger in lowered for trigger in shape.triggers):
            continue
        for match in shape.pattern.finditer(text):
            if shape.sure is None or shape.sure(match[shape.group]):
                yield Finding(match.start(shape.group), match.end(shape.group), shape.kind)
