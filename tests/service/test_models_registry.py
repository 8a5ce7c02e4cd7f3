"""Which model answers: names, settings and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from memory_service.config import Settings
from memory_service.errors import InvalidInput
from memory_service.models.gemini import GeminiEmbedder, GeminiExtractor
from memory_service.models.local import LocalEmbedder
from memory_service.models.registry import Models


def models(tmp_path: Path, **settings: Any) -> Models:
    values: dict[str, Any] = {"data_dir": tmp_path, "gemini_api_key": None, **settings}
    return Models(Settings(**values))


KEY: dict[str, Any] = {"gemini_api_key": SecretStr("k")}


async def test_without_a_key_the_embedded_models_answer(tmp_path: Path) -> None:
    made = models(tmp_path)
    assert isinstance(made.embedder(), LocalEmbedder)
    assert made.embedder().name == "all-MiniLM-L6-v2"
    assert made.extractor().name == "rules"
    await made.aclose()


async def test_with_a_key_gemini_answers(tmp_path: Path) -> None:
    made = models(tmp_path, **KEY)
    assert isinstance(made.embedder(), GeminiEmbedder)
    assert made.embedder().name == "gemini-embedding-2"
    assert isinstance(made.extractor(), GeminiExtractor)
    assert made.extractor().name == "gemini-3.5-flash-lite"
    await made.aclose()


async def test_settings_decide_before_the_key_does(tmp_path: Path) -> None:
    made = models(tmp_path, embedding_model="all-MiniLM-L6-v2", extraction_model="rules", **KEY)
    assert isinstance(made.embedder(), LocalEmbedder)
    assert made.extractor().name == "rules"
    other = models(tmp_path, embedding_model="gemini-embedding-001", extraction_model="gemini-9", **KEY)
    assert (other.embedder().name, other.extractor().name) == ("gemini-embedding-001", "gemini-9")
    await made.aclose()
    await other.aclose()


async def test_a_banks_model_is_found_by_its_name(tmp_path: Path) -> None:
    made = models(tmp_path, **KEY)
    assert made.embedder("all-MiniLM-L6-v2").name == "all-MiniLM-L6-v2"
    assert made.embedder("gemini-embedding-001").name == "gemini-embedding-001"
    await made.aclose()


async def test_each_model_is_made_once(tmp_path: Path) -> None:
    made = models(tmp_path)
    assert made.embedder() is made.embedder("all-MiniLM-L6-v2") is made.embedder("local")
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
    assert made.embedder("all-MiniLM-L6-v2").name == "all-MiniLM-L6-v2"
    with pytest.raises(InvalidInput, match=f"MEMORY_LOCAL_MODEL_DIR.*{name}"):
        made.embedder("local:mine-00000000")
    await made.aclose()


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("gemini-embedding-2", "GEMINI_API_KEY"),
        ("gemini-embedding-2/../other", "MEMORY_EMBEDDING_MODEL"),
        ("word2vec", "MEMORY_EMBEDDING_MODEL"),
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
    ("name", "setting"), [("gemini-3.5-flash", "GEMINI_API_KEY"), ("gpt", "MEMORY_EXTRACTION_MODEL")]
)
def test_an_extractor_that_cannot_be_had_names_its_setting(tmp_path: Path, name: str, setting: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        models(tmp_path, extraction_model=name).extractor()
    assert caught.value.field == setting
