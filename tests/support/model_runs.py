"""Counts what the built-in model embeds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory_service.models.interface import Vectors
from memory_service.models.sentence_model import SentenceModel


def counted_runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of texts of each run of the model from now on."""
    runs: list[int] = []
    embed = SentenceModel.embed

    def counted(model: SentenceModel, tokens: Sequence[list[int]]) -> Vectors:
        runs.append(len(tokens))
        return embed(model, tokens)

    monkeypatch.setattr(SentenceModel, "embed", counted)
    return runs
