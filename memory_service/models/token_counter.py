"""Token counters by name, from a closed list; all of them work offline."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.inputs import TOKENIZERS
from memory_service.models.built_model import source_folder
from memory_service.models.sentence_model import read_tokenizer

TokenCounter = Callable[[str], int]


@cache
def token_counter(name: str) -> TokenCounter:
    """Counts the tokens of a text, in time that grows with its length and no faster.

    `wordpiece`: as the built-in embedding model, for English a little more than language models count; what it has no
    word for (emoji, some scripts, endless words) counts half its bytes, so that nothing is free. `o200k_base`,
    `cl100k_base`: exactly as OpenAI's models. `chars4`: a quarter of the characters, the usual estimate, which falls
    short for most scripts but the Latin one.
    Errors: InvalidInput listing the names. The first use of a name reads its tables: call it off the event loop.
    """
    if name == "wordpiece":
        return _wordpiece()
    if name in ("o200k_base", "cl100k_base"):
        return _openai(name)
    if name == "chars4":
        return lambda text: math.ceil(len(text) / 4)
    raise InvalidInput("tokenizer", f"must be one of {', '.join(TOKENIZERS)}")


def _wordpiece() -> TokenCounter:
    tokenizer = read_tokenizer(source_folder() / "tokenizer.json")
    unknown = tokenizer.token_to_id("[UNK]")

    def count(text: str) -> int:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        ids = encoding.ids
        tokens = len(ids)
        if unknown in ids:
            for token, (start, end) in zip(ids, encoding.offsets, strict=True):
                if token == unknown:
                    tokens += max(len(text[start:end].encode()) // 2, 1) - 1
        return tokens

    return count


def _openai(name: str) -> TokenCounter:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # how it opens its own files
        import bpe_openai  # here: 70 MB of tables that few need

    encoding = cast("Any", bpe_openai).get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(text))
