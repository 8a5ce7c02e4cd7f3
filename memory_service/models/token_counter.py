"""Token counters by name, from a closed list; all of them work offline."""

from __future__ import annotations

import asyncio
import math
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.models.built_model import source_folder
from memory_service.models.sentence_model import read_tokenizer
from memory_service.validation import TOKENIZERS

TokenCounter = Callable[[str], int]

_LONGEST_HELD = 64
_MOST_HELD = 100_000
_LOADED: dict[str, TokenCounter] = {}


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


async def loaded_counter(name: str) -> TokenCounter:
    """`token_counter`, its tables read off the event loop at the first use.

    Errors: InvalidInput listing the names.
    """
    if name not in _LOADED:
        _LOADED[name] = await asyncio.to_thread(token_counter, name)
    return _LOADED[name]


class _WordPieces(dict[str, int]):
    """Pieces of a word, worked out when it is first met: wordpiece never joins what a space parts, and people use the
    same words over and over. A hundred memories of 600 characters are counted in 2 ms instead of 26."""

    def __init__(self) -> None:
        super().__init__()
        self._tokenizer = read_tokenizer(source_folder() / "tokenizer.json")
        self._unknown = self._tokenizer.token_to_id("[UNK]")

    def __missing__(self, word: str) -> int:
        pieces = self._pieces(word)
        if len(word) <= _LONGEST_HELD:
            if len(self) >= _MOST_HELD:  # nobody's odd words fill the memory
                self.clear()
            self[word] = pieces
        return pieces

    def _pieces(self, word: str) -> int:
        encoding = self._tokenizer.encode(word, add_special_tokens=False)
        pieces = len(encoding.ids)
        if self._unknown in encoding.ids:
            for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
                if token == self._unknown:
                    pieces += max(len(word[start:end].encode()) // 2, 1) - 1
        return pieces


def _wordpiece() -> TokenCounter:
    pieces = _WordPieces()
    return lambda text: sum(map(pieces.__getitem__, text.split()))


def _openai(name: str) -> TokenCounter:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # how it opens its own files
        import bpe_openai  # here: 70 MB of tables that few need

    encoding = cast("Any", bpe_openai).get_encoding(name)
    return lambda text: len(encoding.encode_ordinary(text))
