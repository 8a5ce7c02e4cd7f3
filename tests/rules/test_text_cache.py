"""What rules keep of texts is bounded in bytes: long messages, each another, leave no memory behind."""

from __future__ import annotations

import gc
import random
import string
import tracemalloc
from datetime import UTC, datetime
from uuid import uuid4

from memory_service.rules.extractor import RulesExtractor
from memory_service.text.text_cache import LONG_TEXTS, SHORT_CHARS, text_cache
from memory_service.types import Segment, Utterance
from memory_service.validation import MAX_MESSAGE_CHARS

AT = datetime(2026, 3, 1, tzinfo=UTC)


async def test_long_messages_leave_little_memory_behind() -> None:
    chance = random.Random(3)

    async def hear(count: int) -> None:
        for _ in range(count):
            words = (
                "".join(chance.choices(string.ascii_lowercase, k=4)) for _ in range(MAX_MESSAGE_CHARS // 5)
            )
            said = Utterance(uuid4(), "user", " ".join(words), None, AT)
            await RulesExtractor().extract([Segment(uuid4(), (said,))])

    await hear(LONG_TEXTS)
    gc.collect()
    tracemalloc.start()
    try:
        await hear(2 * LONG_TEXTS)
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # As much as is kept of the last few, which took the place of others: without a bound 1.3 MB for each.
    assert held < LONG_TEXTS * 1_500_000


def test_short_and_long_texts_have_room_of_their_own() -> None:
    seen: list[int] = []

    @text_cache(3)
    def length(text: str) -> int:
        seen.append(len(text))
        return len(text)

    for _ in range(2):
        assert [length("a" * n) for n in (1, 2, 3)] == [1, 2, 3]
    assert seen == [1, 2, 3]
    for n in range(2 * LONG_TEXTS):
        length("a" * (SHORT_CHARS + 1 + n))
    assert length("aa") == 2
    assert len(seen) == 3 + 2 * LONG_TEXTS
    length("a" * (SHORT_CHARS + 1))
    assert len(seen) == 4 + 2 * LONG_TEXTS
