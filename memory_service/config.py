"""Settings, read once from the environment and frozen. Unknown MEMORY_ names are errors."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from memory_service.data_dir import default_data_dir
from memory_service.errors import InvalidInput
from memory_service.keys import KEY_ID
from memory_service.service_links import OF_HOOKS, service_links
from memory_service.validation import MAX_TOKENS, check_address

PREFIX = "MEMORY_"
MAX_SECONDS = 86_400.0
"""Longest wait; an infinite interval is no lease or delay."""
MIN_SECONDS = 0.001
"""Shortest wait: Postgres counts microseconds, and shorter polling is a busy loop."""
MAX_ATTEMPTS = 1_000
"""The retry delay is 2 to the power of the attempts, as a float."""
MAX_DAILY_TOKENS = 10**12
ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[0-9a-z.-]+)(:[0-9]{1,5})?")
SCOPE = r"^[!#-\[\]-~]+$"
OAUTH = ("oauth_issuer", "oauth_audience", "oauth_jwks", "oauth_key_id")
"""Settings of which all or none are set."""
FROM_FILES = (
    "DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL", "GEMINI_API_KEY", "OPENAI_API_KEY",
    "MEMORY_API_KEY", "MEMORY_METRICS_TOKEN", "MEMORY_SERVICE_PASSWORD",
)  # fmt: skip
"""Secrets that may be in a file, such as a container's secret: DATABASE_URL_FILE names the file."""
FOREIGN = frozenset({"MEMORY_HOME"}) | OF_HOOKS
"""Variables with the prefix that are not settings of processes: MEMORY_HOME was the crontab's name for SERVICE_HOME."""


Seconds = Annotated[float, Field(ge=MIN_SECONDS, le=MAX_SECONDS)]
Delay = Annotated[float, Field(ge=0, le=MAX_SECONDS)]
Days = Annotated[float, Field(ge=0, le=36_500)]
Tokens = Annotated[int, Field(ge=0, le=MAX_TOKENS)]


class Settings(BaseSettings):
    """Settings of this process, from the environment (`MEMORY_PORT=9000`)."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid", populate_by_name=True
    )

    host: str = Field(
        default="127.0.0.1", description="address to listen on; beyond loopback only once an API key exists"
    )
    port: int = Field(default=8080, ge=0, le=65535, description="port to listen on; 0 takes a free one")
    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="folder of the embedded database and of the converted embedding model",
    )
    database_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description=(
            "URL of your own Postgres (16 or newer, pgvector 0.8 or newer); without it the embedded server is "
            "used"
        ),
    )
    database_direct_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_DIRECT_URL",
        description=(
            "URL of the server itself where DATABASE_URL leads to a connection pooler; used to migrate, to listen for "
            "notifications and by commands for operators"
        ),
    )
    pooler: str = Field(
        default="auto",
        pattern="^(auto|transaction|none)$",
        description=(
            "whether DATABASE_URL leads to a pooler in transaction mode; auto: detected at start; none: no pooler, or "
            "one in session mode"
        ),
    )
    database_read_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_READ_URL",
        description="URL of a streaming replica that answers recalls, contexts and lists",
    )
    replica_lag_seconds: Seconds = Field(
        default=5.0, description="lag above which the replica of DATABASE_READ_URL is not used"
    )
    service_password: SecretStr | None = Field(
        default=None,
        description=(
            "password of the role memory_service on your own Postgres; without it one is derived from the "
            "administrator's"
        ),
    )
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description=(
            "origins of web pages that may call the service with an access token, separated by commas, such as "
            "https://app.example.org"
        ),
    )
    api_key: SecretStr | None = Field(
        default=None, description="API key that commands send to a running service"
    )
    url: str | None = Field(
        default=None,
        description="address of the service that MemoryClient calls; without it the one that runs on the data folder",
    )
    oauth_issuer: str | None = Field(
        default=None,
        description=(
            "`iss` of the OAuth access tokens that `POST /mcp/{bank_id}` accepts beside API keys; without it none"
        ),
    )
    oauth_audience: str | None = Field(
        default=None,
        pattern=f"^{ORIGIN.pattern}$",
        description=(
            "origin under which clients reach the service, such as https://memory.example.org; `aud` of OAuth tokens, "
            "alone or with `/mcp/{bank_id}`"
        ),
    )
    oauth_jwks: str | None = Field(
        default=None, description="file or https address of the OAuth issuer's public keys (JWK set)"
    )
    oauth_key_id: str | None = Field(
        default=None,
        pattern=f"^{KEY_ID.pattern}$",
        description="id of the API key that bounds OAuth tokens: its role, banks, rate limits and end are theirs",
    )
    oauth_bank_claim: str = Field(
        default="memory_banks",
        description="claim of OAuth tokens with a bank, or a list of banks and prefixes that end in `*`",
    )
    oauth_read_scope: str = Field(
        default="memory:read", pattern=SCOPE, description="scope of OAuth tokens with role `read`"
    )
    oauth_write_scope: str = Field(
        default="memory:write", pattern=SCOPE, description="scope of OAuth tokens with role `write`"
    )
    metrics_token: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="token with which `GET /metrics` is answered, beside admin keys for all banks",
    )
    pool_size: int = Field(default=8, ge=1, le=200, description="database connections of one process")
    processes: int = Field(
        default=1, ge=1, le=64, description="processes of `serve` that answer HTTP; one for each core"
    )
    workers: int = Field(
        default=1, ge=0, le=64, description="worker processes that `serve` starts; each works for all servers"
    )
    log_level: str = Field(
        default="info", pattern="^(debug|info|warning|error)$", description="lowest severity that is logged"
    )

    embedding_model: str | None = Field(
        default=None,
        description=(
            "embedding model of new banks; without it the built-in one, or gemini-embedding-2 with "
            "GEMINI_API_KEY; `openai:NAME` uses the OpenAI-compatible API"
        ),
    )
    extraction_model: str | None = Field(
        default=None,
        description=(
            "model that decides, summarizes and extracts facts: `rules`, a Gemini model or `openai:NAME`; without "
            "it rules, or gemini-3.5-flash-lite with GEMINI_API_KEY"
        ),
    )
    local_model_dir: Path | None = Field(
        default=None,
        description="folder with model.onnx and tokenizer.json that replaces the built-in embedding model",
    )
    gemini_api_key: SecretStr | None = Field(
        default=None, validation_alias="GEMINI_API_KEY", description="key of the Gemini API"
    )
    gemini_base_url: str | None = Field(default=None, description="another address of the Gemini API")
    gemini_api_version: str = Field(
        default="v1beta", pattern="^v[0-9][a-z0-9]*$", description="version in the paths of the Gemini API"
    )
    openai_base_url: str | None = Field(
        default=None,
        description=(
            "address of the OpenAI-compatible API, including /v1; without it OpenAI's own, with OPENAI_API_KEY"
        ),
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="OPENAI_API_KEY",
        description="key of the OpenAI-compatible API; most local servers need none",
    )
    model_timeout_seconds: Seconds = Field(default=60.0, description="timeout of one model call")

    intake: str = Field(
        default="exchange",
        pattern="^(exchange|snippet|verbatim)$",
        description=(
            "how messages are divided into segments: an exchange, six messages (snippet), or each message without "
            "gate (verbatim)"
        ),
    )
    gate: bool = Field(
        default=True,
        description="whether the gate decides which segments are stored; false keeps all but commands, harm and echoes",
    )
    merge_duplicates: bool = Field(
        default=True, description="whether a duplicate is merged into the active episode that it repeats"
    )
    merge_similar: bool = Field(
        default=False,
        description="whether the nightly run replaces many nearly equal old episodes by one that states their number",
    )
    relational: bool = Field(
        default=True,
        description="whether norms (instructions, preferences, style, sensitive topics, phase) are kept and shown",
    )
    links: bool = Field(
        default=True,
        description="whether episodes are linked to similar ones and to those with the same entities",
    )
    language_model: bool = Field(
        default=True, description="whether text may be sent to a language model; false uses rules only"
    )
    embedding_fallback: str = Field(
        default="wait",
        pattern="^(wait|fulltext)$",
        description=(
            "whether episodes wait while the embedding model is unavailable, or become active with full-text "
            "search only"
        ),
    )
    daily_tokens: int | None = Field(
        default=None,
        ge=1,
        le=MAX_DAILY_TOKENS,
        description=(
            "limit of model tokens per bank and UTC day; work above it waits for the next day; without it there "
            "is no limit"
        ),
    )

    recent_tokens: Tokens = Field(default=300, description="token budget of the section RECENT of a context")
    knowledge_tokens: Tokens = Field(
        default=700, description="token budget of the other sections of a context"
    )
    compaction_tokens: Tokens = Field(default=8000, description="token budget of a compaction")
    context_confidence: float = Field(
        default=0.5, ge=0, le=1, description="contexts show facts with a confidence above it"
    )

    trace_days: Days = Field(default=30.0, description="days for which traces are kept")
    trace_query_days: Days = Field(default=7.0, description="days for which the query text in traces is kept")

    message_days: Days = Field(default=30.0, description="days for which the content of raw messages is kept")

    erasure_ledger: Path | None = Field(
        default=None,
        description=(
            "folder of the ledger of erasures, which `backup restore` carries out again; best beside the backups, on "
            "another disk than the database; without it `erasures` in MEMORY_DATA_DIR"
        ),
    )

    nightly_scrub: bool = Field(
        default=True,
        description=(
            "whether the nightly run first overwrites rows erased since the last scrub, where DATABASE_URL is an "
            "administrator's; calls wait while a table is rewritten"
        ),
    )

    session_days: float | None = Field(
        default=None,
        gt=0,
        le=36_500,
        description="days after its last change after which a session is deleted; without it sessions are kept",
    )

    vector_index_from: int = Field(
        default=20_000,
        ge=100,
        le=1_000_000_000,
        description=(
            "number of vectors above which the nightly run gives a bank an HNSW index; smaller banks are searched "
            "exactly"
        ),
    )

    recall_seconds: Seconds = Field(default=10.0, description="timeout of a recall, context or compaction")
    query_embedding_seconds: Seconds = Field(
        default=3.0, description="timeout of the embedding of a query; then it is searched by words only"
    )
    import_delay_seconds: Delay = Field(
        default=600.0,
        description="delay of intake above which messages with `lane` import are refused with 429",
    )
    exchange_quiet_seconds: Delay = Field(
        default=5.0, description="seconds without a message after which an exchange is closed"
    )
    lease_seconds: Seconds = Field(
        default=60.0, description="duration of a lease on a work item or a bank; it is renewed at each third"
    )
    max_attempts: int = Field(
        default=5, ge=1, le=MAX_ATTEMPTS, description="failures of a work item until it becomes a dead letter"
    )
    poll_seconds: Seconds = Field(default=1.0, description="poll interval of an idle worker")

    @field_validator("allowed_origins", mode="before")
    @classmethod
    def split_origins(cls, value: object) -> object:
        """The origins of a list with commas."""
        if not isinstance(value, str):
            return value
        origins = tuple(part.strip() for part in value.split(",") if part.strip())
        for origin in origins:
            if ORIGIN.fullmatch(origin) is None:
                raise ValueError(f"{origin!r} is no origin such as https://app.example.org")
        return origins

    @property
    def query_seconds(self) -> float:
        """Longest wait for a query's embedding; leaves time to search by words."""
        return min(self.query_embedding_seconds, self.recall_seconds / 2)


def secrets_in_files() -> dict[str, SecretStr]:
    """The secrets of FROM_FILES whose file is named, by field, without white space around them.

    Errors: InvalidInput naming the variable where the file cannot be read or is empty, or the secret is set as well.
    """
    found: dict[str, SecretStr] = {}
    for name in FROM_FILES:
        variable = f"{name}_FILE"
        path = os.environ.get(variable)
        if not path:
            continue
        if os.environ.get(name):
            raise InvalidInput(variable, f"is set, and so is {name}; set one of them")
        try:
            secret = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(variable, f"{path} cannot be read: {type(error).__name__}") from None
        if not secret:
            raise InvalidInput(variable, f"{path} is empty")
        found[name.removeprefix(PREFIX).lower()] = SecretStr(secret)
    return found


def load_settings() -> Settings:
    """Read the environment once. Variables that belong to other programs (FOREIGN, service_links) are ignored.

    Errors: InvalidInput naming the variable that is unknown or unacceptable.
    """
    fields = {
        PREFIX + name.upper(): name for name, f in Settings.model_fields.items() if f.validation_alias is None
    }
    links = service_links(os.environ)
    for name in sorted(os.environ):
        known = name in fields or name in FOREIGN or name in links or name.removesuffix("_FILE") in FROM_FILES
        if name.startswith(PREFIX) and not known:
            near = get_close_matches(name, fields, 1, 0.8)
            hint = f"; did you mean {near[0]}?" if near else ";"
            raise InvalidInput(name, f"unknown setting{hint} docs/settings.md lists them all")
    # A Service named `memory` sets MEMORY_PORT=tcp://..., which is not a port: the default is used.
    values: dict[str, Any] = {
        field: Settings.model_fields[field].get_default(call_default_factory=True)
        for name, field in fields.items()
        if name in links
    } | secrets_in_files()
    try:
        settings = Settings(**values)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        name = key if key.isupper() else PREFIX + key.upper()
        raise InvalidInput(name, first["msg"]) from error
    for name, address in (
        ("MEMORY_URL", settings.url),
        ("MEMORY_OAUTH_ISSUER", settings.oauth_issuer),
        ("MEMORY_GEMINI_BASE_URL", settings.gemini_base_url),
        ("MEMORY_OPENAI_BASE_URL", settings.openai_base_url),
    ):
        if address is not None:
            check_address(address, name)
    check_oauth(settings)
    return settings


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment of this process with these settings, for a child process that reads them."""
    environment = {
        name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in FROM_FILES
    }
    for field in settings.model_fields_set:
        name = str(Settings.model_fields[field].validation_alias or PREFIX + field.upper())
        value: object = getattr(settings, field)
        if isinstance(value, SecretStr):
            value = value.get_secret_value()
        elif field == "allowed_origins":
            value = ",".join(settings.allowed_origins)
        if value is not None:
            environment[name] = str(value)
    return environment


def check_oauth(settings: Settings) -> None:
    """Errors: InvalidInput naming a missing one of OAUTH where others are set."""
    missing = [name for name in OAUTH if getattr(settings, name) is None]
    if 0 < len(missing) < len(OAUTH):
        together = ", ".join(PREFIX + name.upper() for name in OAUTH)
        raise InvalidInput(PREFIX + missing[0].upper(), f"is missing; OAuth needs all of {together}")
