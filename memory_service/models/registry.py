"""Selection of models by name, by settings and by the keys that are set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_service.config import Settings
from memory_service.errors import InvalidInput
from memory_service.extras import installed_by
from memory_service.models.breaker import GuardedEmbedder, GuardedLanguageModel
from memory_service.models.interface import Embedder, Extractor, LanguageModel

if TYPE_CHECKING:
    from pathlib import Path

    from memory_service.models.local import LocalEmbedder

GEMINI_EMBEDDING_MODEL = "gemini-embedding-2"
GEMINI_EXTRACTION_MODEL = "gemini-3.5-flash-lite"
RULES = "rules"
OPENAI = "openai:"
"""Prefix of the names of models behind an OpenAI-compatible API."""
LOCAL = "local"
"""In MEMORY_EMBEDDING_MODEL: the local model, independent of its exact name."""


class Models:
    """The models of one process, each created at most once, all closed together.

    A model of a provider has a circuit breaker. Models and SDKs are loaded on first use: the SDKs are larger than this
    package, and optional (extras.py).
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._embedders: dict[str, Embedder] = {}
        self._extractor: Extractor | None = None
        self._language_model: LanguageModel | None = None

    def embedder(self, name: str | None = None) -> Embedder:
        """The embedder with this name, or the default of new banks.

        The default is MEMORY_EMBEDDING_MODEL, else gemini-embedding-2 if its key is set, else the local model: the one
        in MEMORY_LOCAL_MODEL_DIR, or the built-in one. Errors: InvalidInput naming the setting that is
        missing or invalid.
        """
        if name is None:
            name = self._settings.embedding_model
        if name is None:
            name = GEMINI_EMBEDDING_MODEL if self._settings.gemini_api_key else LOCAL
        if name not in self._embedders:
            found = self._make_embedder(name)
            # `local` and the model's exact name are the same embedder.
            self._embedders[name] = self._embedders.setdefault(found.name, found)
        return self._embedders[name]

    async def load(self) -> None:
        """Load the default embedder now if it is a local model."""
        from memory_service.models.local import LocalEmbedder

        embedder = self.embedder()
        if isinstance(embedder, LocalEmbedder):
            await embedder.load()

    def extractor(self) -> Extractor:
        """The extractor: MEMORY_EXTRACTION_MODEL, else Gemini if its key is set, else rules.

        Errors: InvalidInput naming the setting that is missing or invalid.
        """
        if self._extractor is None:
            model = self.language_model()
            if model is None:
                from memory_service.rules.extractor import RulesExtractor

                self._extractor = RulesExtractor()
            else:
                from memory_service.models.model_extractor import ModelExtractor

                self._extractor = ModelExtractor(model)
        return self._extractor

    def language_model(self) -> LanguageModel | None:
        """The language model for extraction, pair judging and consolidation; None with rules. Errors: as
        `extractor`."""
        if self._language_model is None:
            name = self._settings.extraction_model
            if name is None:
                name = GEMINI_EXTRACTION_MODEL if self._settings.gemini_api_key else RULES
            self._language_model = self._make_language_model(name)
        return self._language_model

    async def aclose(self) -> None:
        """Close all models; the next use creates new ones."""
        models = {id(model): model for model in (*self._embedders.values(), self._language_model) if model}
        self._embedders.clear()
        self._extractor = self._language_model = None
        for model in models.values():
            await model.aclose()

    def _make_embedder(self, name: str) -> Embedder:
        setting = "MEMORY_EMBEDDING_MODEL"
        if name.startswith("gemini-embedding"):
            with installed_by("gemini", setting):
                from memory_service.models.gemini import GeminiEmbedder

            return self._guarded(GeminiEmbedder(self._settings, _gemini_name(name, setting)))
        if name.startswith(OPENAI):
            with installed_by("openai", setting):
                from memory_service.models.openai_compatible import OpenAIEmbedder

            return self._guarded(OpenAIEmbedder(self._settings, _openai_name(name, setting)))
        from memory_service.models.built_model import BUILT_IN, MINILM, MODELS

        if name in MODELS:
            return self._local(name)
        if name == LOCAL or name.startswith("local:"):
            found = self._local(BUILT_IN, self._settings.local_model_dir)
            if name in (LOCAL, found.name):
                return found
            if self._settings.local_model_dir is None:
                problem = f"not set, but {name} is requested"
            else:
                problem = f"holds {found.name}, but {name} is requested"
            raise InvalidInput("MEMORY_LOCAL_MODEL_DIR", problem)
        problem = (
            f"unknown model {name}; known are {BUILT_IN}, {MINILM}, local, gemini-embedding-2, gemini-embedding-001, "
            f"{OPENAI}<model>"
        )
        raise InvalidInput(setting, problem)

    def _guarded(self, embedder: Embedder) -> Embedder:
        return GuardedEmbedder(embedder, query_seconds=self._settings.query_seconds)

    def _local(self, built_in: str, model_dir: Path | None = None) -> LocalEmbedder:
        from memory_service.models.local import LocalEmbedder

        return LocalEmbedder(self._settings.data_dir / "models", built_in=built_in, model_dir=model_dir)

    def _make_language_model(self, name: str) -> LanguageModel | None:
        if name == RULES:
            return None
        setting = "MEMORY_EXTRACTION_MODEL"
        if name.startswith("gemini-"):
            with installed_by("gemini", setting):
                from memory_service.models.gemini import GeminiLanguageModel

            return GuardedLanguageModel(GeminiLanguageModel(self._settings, _gemini_name(name, setting)))
        if name.startswith(OPENAI):
            with installed_by("openai", setting):
                from memory_service.models.openai_compatible import OpenAILanguageModel

            return GuardedLanguageModel(OpenAILanguageModel(self._settings, _openai_name(name, setting)))
        problem = f"unknown model {name}; known are {RULES}, Gemini's (gemini-...) and {OPENAI}<model>"
        raise InvalidInput(setting, problem)


def _gemini_name(name: str, setting: str) -> str:
    """Validate a name, which becomes part of a URL."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,99}", name):
        raise InvalidInput(setting, "no name of a Gemini model")
    return name


def _openai_name(name: str, setting: str) -> str:
    """Validate a name; after `openai:` it is the server's, which may contain a tag (Ollama) or a path."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9/:._-]{0,99}", name.removeprefix(OPENAI)):
        raise InvalidInput(
            setting, f"{OPENAI} must be followed by a model's name: letters, digits and / : . _ -"
        )
    return name
