"""Re-embedding: texts a second beside the bare model, and recalls meanwhile beside recalls without it."""

from __future__ import annotations

import asyncio
import statistics
import time
from datetime import UTC, datetime

from rich.table import Table

from memory_service.config import Settings
from memory_service.memory import Memory
from memory_service.models.built_model import BUILT_IN
from memory_service.models.local import LocalEmbedder
from memory_service.models.sentence_model import SentenceModel
from memory_service.requests import NewMessage
from tests.bench.words import sentences
from tests.support.second_model import second_model

BANK = "reembedded"
TEXTS = 500
CALLS = 50
PAUSE = 0.02


async def reembedding(settings: Settings, table: Table) -> None:
    """A bank of TEXTS memories, copied to a model of the same size by all of the time, and by half of it."""
    folder = second_model(settings.data_dir)
    settings = settings.model_copy(update={"embedding_model": BUILT_IN, "local_model_dir": folder})
    texts = sentences(TEXTS)
    async with await Memory.open(settings) as memory:
        await fill(memory, texts)
        embedder = memory.models.embedder("local")
        assert isinstance(embedder, LocalEmbedder)
        await embedder.load()
        model = SentenceModel(folder / "model.onnx", folder / "tokenizer.json", 2)
        seconds = [bare_seconds(model, texts)]
        queries = iter(sentences(20_000, seed=99))
        alone = [await recall_ms(memory, next(queries)) for _ in range(CALLS)]
        for share in (1.0, 0.5):
            meanwhile: list[float] = []
            started = time.perf_counter()
            running = asyncio.create_task(memory.reembed(BANK, embedder.name, share=share))
            while not running.done():
                meanwhile.append(await recall_ms(memory, next(queries)))
            assert await running == "switched"
            speed = TEXTS / (time.perf_counter() - started)
            alone += [await recall_ms(memory, next(queries)) for _ in range(CALLS)]
            seconds.append(bare_seconds(model, texts))
            bare = TEXTS / statistics.mean(seconds[-2:])
            with_it, without = statistics.median(meanwhile), statistics.median(alone)
            table.add_row(
                f"re-embed, share {share}", f"{speed:.0f}/s", f"{bare:.0f}/s", f"{speed / bare:.2f}",
                "texts through the bare model, batches of 32",
            )  # fmt: skip
            table.add_row(
                "  recall meanwhile", f"{with_it:.1f} ms", f"{without:.1f} ms", f"{with_it / without:.2f}",
                "recall without it, median",
            )  # fmt: skip
            await memory.reembed(BANK, BUILT_IN, share=1)
            await memory.end_reembedding(BANK)
            while await memory.store.reembeddings.drop_kept(BANK, 500, datetime.now(UTC)):
                pass


async def fill(memory: Memory, texts: list[str]) -> None:
    await memory.create_bank(BANK, {"intake": "verbatim"})
    for start in range(0, len(texts), 100):
        await memory.add_messages(
            BANK, "c1", [NewMessage("user", text) for text in texts[start : start + 100]]
        )
    stop = asyncio.Event()
    working = asyncio.create_task(memory.work(stop))
    while True:
        stats = await memory.stats(BANK)
        if not stats["messages"]["pending"] and not stats["queue"]["depth"]:
            break
        await asyncio.sleep(0.2)
    stop.set()
    await working


def bare_seconds(model: SentenceModel, texts: list[str]) -> float:
    started = time.perf_counter()
    for start in range(0, len(texts), 32):
        model.embed(model.tokenize(texts[start : start + 32]))
    return time.perf_counter() - started


async def recall_ms(memory: Memory, query: str) -> float:
    await asyncio.sleep(PAUSE)
    started = time.perf_counter()
    await memory.recall(BANK, query)
    return (time.perf_counter() - started) * 1000
