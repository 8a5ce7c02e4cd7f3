"""Token counters by name, from a closed list; all of them work offline."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from memory_service.errors import InvalidInput
from memory_service.models.built_model import source_folder
from memory_service.models.sentence_model import read_tokenizer

TokenCounter = Callable[[str], int]


@cache
def token_counter(name: str) -> TokenCounter:
    """Counts the tokens of a text: `wordpiece` as the built-in embedding model does, `chars4` as a quarter of its
    characters, the usual estimate. Errors: InvalidInput."""
    if name == "wordpiece":
        tokenizer = read_tokenizer(source_folder() / "tokenizer.json")
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
    if name == "chars4":
        return lambda text: math.ceil(len(text) / 4)
    raise InvalidInput("tokenizer", "must be one of wordpiece, chars4")
