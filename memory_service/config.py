"""Settings, read once from the environment and frozen. Unknown MEMORY_ names are errors."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory_service.data_dir import default_data_dir
from memory_service.errors import InvalidInput
from memory_service.service_links import service_links
from memory_service.validation import MAX_TOKENS, check_address

PREFIX = "MEMORY_"
MAX_SECONDS = 86_400.0
"""Longest wait; an infinite interval is no lease or delay."""
MIN_SECONDS = 0.001
"""Shortest wait: Postgres counts microseconds, and shorter polling is a busy loop."""
MAX_ATTEMPTS = 1_000
"""The retry delay is 2 to the power of the attempts, as a float."""
MAX_DAILY_TOKENS = 10**12
FOREIGN = frozenset({"MEMORY_HOME"})
"""Variables with the prefix that are not settings: MEMORY_HOME was the crontab's name for SERVICE_HOME."""


class Settings(BaseSettings):
    """Settings of this process, from the environment (`MEMORY_PORT=9000`)."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid", populate_by_name=True
    )

    host: str = Field(default="127.0.0.1", description="address to listen on")
    port: int = Field(default=8080, ge=0, le=65535, description="port to listen on; 0 takes a free one")
    data_dir: Path = Field(
        default_factory=default_data_dir, description="folder of the embedded database and the built models"
    )
    database_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="a Postgres of your own (>= 16, pgvector >= 0.8.4) instead of the embedded one",
    )
    service_password: SecretStr | None = Field(
        default=None, description="password of the role memory_service on your own Postgres"
    )
    pool_size: int = Field(default=8, ge=1, le=200, description="database connections of one process")
    processes: int = Field(
        default=1, ge=1, le=64, description="processes of `serve` that answer HTTP; one for each core"
    )
    workers: int = Field(
        default=1, ge=0, le=64, description="worker processes that `serve` starts beside itself"
    )
    log_level: str = Field(
        default="info", pattern="^(debug|info|warning|error)$", description="least severity logged"
    )

    embedding_model: str | None = Field(
        default=None,
        description="model of new banks; default all-MiniLM-L6-v2, or gemini-embedding-2 with GEMINI_API_KEY",
    )
    extraction_model: str | None = Field(
        default=None,
        description="who judges and summarizes; default rules, or gemini-3.5-flash-lite with GEMINI_API_KEY",
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
        default="v1beta", pattern="^v[0-9][a-z0-9]*$", description="version in the Gemini API's paths"
    )
    openai_base_url: str | None = Field(
        default=None,
        description="address of the OpenAI-compatible API, /v1 included; default OpenAI's own with OPENAI_API_KEY",
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="OPENAI_API_KEY",
        description="key of the OpenAI-compatible API; most servers of your own need none",
    )
    model_timeout_seconds: float = Field(
        default=60.0, ge=MIN_SECONDS, le=MAX_SECONDS, description="longest wait for one model call"
    )

    intake: str = Field(
        default="exchange",
        pattern="^(exchange|snippet|verbatim)$",
        description="how messages are divided into episodes: exchange, snippet or verbatim; banks may differ",
    )
    gate: bool = Field(default=True, description="whether the gate decides what is kept; banks may differ")
    merge_duplicates: bool = Field(
        default=True, description="whether what is said again is merged; banks may differ"
    )
    merge_similar: bool = Field(
        default=False, description="whether many nearly equal old memories become one; banks may differ"
    )
    links: bool = Field(
        default=True, description="whether memories are linked to related ones; banks may differ"
    )
    language_model: bool = Field(
        default=True, description="whether a language model may read the text; banks may differ"
    )
    embedding_fallback: str = Field(
        default="wait",
        pattern="^(wait|fulltext)$",
        description="may episodes become active without a vector while the model is down: wait or fulltext",
    )
    daily_tokens: int | None = Field(
        default=None,
        ge=1,
        le=MAX_DAILY_TOKENS,
        description="model tokens a bank may take in a UTC day; banks may differ",
    )

    recent_tokens: int = Field(
        default=300,
        ge=0,
        le=MAX_TOKENS,
        description="a context's budget for what is recent; banks may differ",
    )
    knowledge_tokens: int = Field(
        default=700, ge=0, le=MAX_TOKENS, description="a context's budget for what is known; banks may differ"
    )
    compaction_tokens: int = Field(
        default=8000, ge=0, le=MAX_TOKENS, description="a compaction's budget; banks may differ"
    )
    context_confidence: float = Field(
        default=0.5, ge=0, le=1, description="facts above this confidence stand in contexts; banks may differ"
    )

    trace_days: float = Field(
        default=30.0, ge=0, le=36_500, description="how long the record of a read is kept; banks may differ"
    )
    trace_query_days: float = Field(
        default=7.0, ge=0, le=36_500, description="how long it keeps what was asked; banks may differ"
    )

    message_days: float = Field(
        default=30.0, ge=0, le=36_500, description="how long raw messages are kept; banks may differ"
    )

    vector_index_from: int = Field(
        default=20_000,
        ge=100,
        le=1_000_000_000,
        description="a bank with more vectors gets an HNSW index at night; smaller ones are searched exactly",
    )

    recall_seconds: float = Field(
        default=10.0,
        ge=MIN_SECONDS,
        le=MAX_SECONDS,
        description="longest wait for one recall, context or compaction",
    )
    query_embedding_seconds: float = Field(
        default=3.0,
        ge=MIN_SECONDS,
        le=MAX_SECONDS,
        description="longest wait for a query's embedding; then words alone must do",
    )
    exchange_quiet_seconds: float = Field(
        default=5.0,
        ge=0,
        le=MAX_SECONDS,
        description="an exchange closes after this many seconds without a message",
    )
    lease_seconds: float = Field(
        default=60.0,
        ge=MIN_SECONDS,
        le=MAX_SECONDS,
        description="how long a worker holds what it claimed, unrenewed",
    )
    max_attempts: int = Field(
        default=5, ge=1, le=MAX_ATTEMPTS, description="tries of one piece of work before the dead letter"
    )
    poll_seconds: float = Field(
        default=1.0, ge=MIN_SECONDS, le=MAX_SECONDS, description="how often an idle worker looks for work"
    )

    @property
    def query_seconds(self) -> float:
        """Longest wait for a query's embedding; leaves time to search by words."""
        return min(self.query_embedding_seconds, self.recall_seconds / 2)


def load_settings() -> Settings:
    """Read the environment once. Variables that belong to other programs (FOREIGN, service_links) are ignored.

    Errors: InvalidInput naming the variable that is unknown or unacceptable.
    """
    fields = {
        PREFIX + name.upper(): name for name, f in Settings.model_fields.items() if f.validation_alias is None
    }
    links = service_links(os.environ)
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in fields and name not in FOREIGN and name not in links:
            near = get_close_matches(name, fields, 1, 0.8)
            hint = f"; did you mean {near[0]}?" if near else ";"
            raise InvalidInput(name, f"unknown setting{hint} the README lists them all")
    # A Service named `memory` sets MEMORY_PORT=tcp://..., which is not a port: the default is used.
    defaults = {
        field: Settings.model_fields[field].get_default(call_default_factory=True)
        for name, field in fields.items()
        if name in links
    }
    try:
        settings = Settings(**defaults)
    except ValidationError as error:
        first = error.errors()[0]
        key = str(first["loc"][0])
        name = key if key.isupper() else PREFIX + key.upper()
        raise InvalidInput(name, first["msg"]) from error
    for name, address in (
        ("MEMORY_GEMINI_BASE_URL", settings.gemini_base_url),
        ("MEMORY_OPENAI_BASE_URL", settings.openai_base_url),
    ):
        if address is not None:
            check_address(address, name)
    return settings
