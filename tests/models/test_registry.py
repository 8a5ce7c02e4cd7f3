"""Which model answers: names, settings and keys."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.errors import InvalidInput
from memory_service.models.breaker import GuardedEmbedder, GuardedLanguageModel
from memory_service.models.gemini import GeminiEmbedder, GeminiLanguageModel
from memory_service.models.local import LocalEmbedder
from memory_service.models.openai_compatible import OpenAIEmbedder, OpenAILanguageModel
from memory_service.models.registry import Models


def models(tmp_path: Path, **settings: Any) -> Models:
    values: dict[str, Any] = {
        "data_dir": tmp_path,
        "gemini_api_key": None,
        "openai_api_key": None,
        **settings,
    }
    return Models(Settings(**values))


def guarded(model: object) -> object:
    """What stands behind the breaker."""
    assert isinstance(model, GuardedEmbedder | GuardedLanguageModel)
    return model.guarded


KEY: dict[str, Any] = {"gemini_api_key": SecretStr("k")}
SERVER: dict[str, Any] = {"openai_base_url": "http://127.0.0.1:11434/v1"}


async def test_without_a_key_the_embedded_models_answer(tmp_path: Path) -> None:
    made = models(tmp_path)
    assert isinstance(made.embedder(), LocalEmbedder)
    assert made.embedder().name == "all-MiniLM-L6-v2-memory"
    assert made.extractor().name == "rules"
    await made.aclose()


async def test_with_a_key_gemini_answers(tmp_path: Path) -> None:
    made = models(tmp_path, **KEY)
    assert isinstance(guarded(made.embedder()), GeminiEmbedder)
    assert made.embedder().name == "gemini-embedding-2"
    assert isinstance(guarded(made.language_model()), GeminiLanguageModel)
    assert made.extractor().name == "gemini-3.5-flash-lite"
    await made.aclose()


async def test_settings_decide_before_the_key_does(tmp_path: Path) -> None:
    made = models(tmp_path, embedding_model="all-MiniLM-L6-v2-memory", extraction_model="rules", **KEY)
    assert isinstance(made.embedder(), LocalEmbedder)
    assert made.extractor().name == "rules"
    other = models(tmp_path, embedding_model="gemini-embedding-001", extraction_model="gemini-9", **KEY)
    assert (other.embedder().name, other.extractor().name) == ("gemini-embedding-001", "gemini-9")
    await made.aclose()
    await other.aclose()


async def test_the_openai_settings_choose_no_model_by_themselves(tmp_path: Path) -> None:
    made = models(tmp_path, openai_api_key=SecretStr("k"), **SERVER)
    assert isinstance(made.embedder(), LocalEmbedder)
    assert made.extractor().name == "rules"
    await made.aclose()


async def test_openai_compatible_models_are_named_in_full(tmp_path: Path) -> None:
    embedding, extraction = "openai:nomic-embed-text:v1.5", "openai:Qwen/Qwen3_4B-Instruct"
    made = models(tmp_path, embedding_model=embedding, extraction_model=extraction, **SERVER)
    assert isinstance(guarded(made.embedder()), OpenAIEmbedder)
    assert isinstance(guarded(made.language_model()), OpenAILanguageModel)
    assert (made.embedder().name, made.extractor().name) == (embedding, extraction)
    assert made.embedder() is made.embedder(embedding) is not made.embedder("openai:nomic-embed-text")
    await made.aclose()


async def test_a_key_alone_reaches_openai(tmp_path: Path) -> None:
    made = models(tmp_path, openai_api_key=SecretStr("k"), embedding_model="openai:text-embedding-3-small")
    assert made.embedder().name == "openai:text-embedding-3-small"
    await made.aclose()


async def test_a_banks_model_is_found_by_its_name(tmp_path: Path) -> None:
    made = models(tmp_path, **KEY)
    assert made.embedder("all-MiniLM-L6-v2-memory").name == "all-MiniLM-L6-v2-memory"
    assert made.embedder("gemini-embedding-001").name == "gemini-embedding-001"
    await made.aclose()


async def test_each_model_is_made_once(tmp_path: Path) -> None:
    made = models(tmp_path)
    assert made.embedder() is made.embedder("all-MiniLM-L6-v2-memory") is made.embedder("local")
    assert made.extractor() is made.extractor()
    await made.aclose()


async def test_a_folder_replaces_the_default_but_not_the_name(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for file in ("model.onnx", "tokenizer.json"):
        (folder / file).write_text("{}")
    made = models(tmp_path, local_model_dir=folder)
    name = made.embedder().name
    assert name.startswith("local:mine-")
    assert made.embedder(name) is made.embedder("local") is made.embedder()
    assert made.embedder("all-MiniLM-L6-v2-memory").name == "all-MiniLM-L6-v2-memory"
    with pytest.raises(InvalidInput, match=f"MEMORY_LOCAL_MODEL_DIR.*{name}"):
        made.embedder("local:mine-00000000")
    await made.aclose()


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("gemini-embedding-2", "GEMINI_API_KEY"),
        ("gemini-embedding-2/../other", "MEMORY_EMBEDDING_MODEL"),
        ("word2vec", "MEMORY_EMBEDDING_MODEL"),
        ("openai:nomic-embed-text", "MEMORY_OPENAI_BASE_URL"),
        ("openai:", "MEMORY_EMBEDDING_MODEL"),
        ("openai:/etc", "MEMORY_EMBEDDING_MODEL"),
        ("openai:a b", "MEMORY_EMBEDDING_MODEL"),
        ("openai:a\n", "MEMORY_EMBEDDING_MODEL"),
        ("openai:a?key=b", "MEMORY_EMBEDDING_MODEL"),
        ("openai:" + "a" * 101, "MEMORY_EMBEDDING_MODEL"),
        ("local:mine-00000000", "MEMORY_LOCAL_MODEL_DIR"),
    ],
)
def test_what_cannot_be_had_names_its_setting(tmp_path: Path, name: str, setting: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        models(tmp_path).embedder(name)
    assert caught.value.field == setting
    with pytest.raises(InvalidInput):
        models(tmp_path, embedding_model=name).embedder()


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("gemini-3.5-flash", "GEMINI_API_KEY"),
        ("gpt", "MEMORY_EXTRACTION_MODEL"),
        ("openai:gpt-9", "MEMORY_OPENAI_BASE_URL"),
        ("openai:gpt 9", "MEMORY_EXTRACTION_MODEL"),
    ],
)
def test_an_extractor_that_cannot_be_had_names_its_setting(tmp_path: Path, name: str, setting: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        models(tmp_path, extraction_model=name).extractor()
    assert caught.value.field == setting


def test_no_sdk_is_imported_before_its_model_is_asked_for() -> None:
    script = """
import sys
from memory_service.config import Settings
from memory_service.models.registry import Models

def imported():
    return [name for name in ("google.genai", "openai") if name in sys.modules]

made = Models(Settings(openai_base_url="http://127.0.0.1:1/v1", extraction_model="openai:m"))
made.embedder("local")
print(imported())
made.extractor()
print(imported())
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == ["[]", "['openai']"]
