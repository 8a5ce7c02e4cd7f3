"""LangGraph's store and mem0's pgvector store, on the texts and vectors that this service is measured with.

Runs in the environment of `make bench-rivals` and imports nothing of this project. Arguments: the URL of an empty
database with pgvector, and a folder with texts.json (banks of texts), queries.json and vectors.npy (a unit vector for
each text, then for each query). Each line on stdin is a number of operations; the answer is one line of JSON:
milliseconds of each operation by name.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path

os.environ["MEM0_TELEMETRY"] = "False"

import numpy as np
from langgraph.store.base import PutOp
from langgraph.store.postgres.aio import AsyncPostgresStore
from mem0.vector_stores.pgvector import PGVector

TOP = 10


async def main(url: str, folder: Path) -> None:
    banks = json.loads((folder / "texts.json").read_text())
    queries = json.loads((folder / "queries.json").read_text())
    vectors = np.load(folder / "vectors.npy")
    known = [text for bank in banks for text in bank] + queries
    vector_of = dict(zip(known, vectors.tolist(), strict=True))

    async def embed(texts: list[str]) -> list[list[float]]:
        return [vector_of[text] for text in texts]

    index = {"dims": vectors.shape[1], "embed": embed, "fields": ["text"]}
    async with AsyncPostgresStore.from_conn_string(url, index=index) as langgraph:
        await langgraph.setup()
        mem0 = PGVector(
            dbname="", collection_name="mem0", embedding_model_dims=vectors.shape[1], user=None, password=None,
            host=None, port=None, diskann=False, hnsw=True, connection_string=url,
        )  # fmt: skip
        for number, bank in enumerate(banks):
            await langgraph.abatch(
                [PutOp((f"b{number}",), str(n), {"text": text}) for n, text in enumerate(bank)]
            )
            mem0.insert(
                [vector_of[text] for text in bank],
                [{"data": text, "user_id": f"b{number}"} for text in bank],
                [str(uuid.uuid4()) for _ in bank],
            )
        print("filled", flush=True)
        turn = 0
        while line := await asyncio.to_thread(sys.stdin.readline):
            taken: dict[str, list[float]] = {}
            for _ in range(int(line)):
                turn += 1
                bank, query = turn % len(banks), queries[turn % len(queries)]
                text = banks[bank][turn % len(banks[bank])]
                key = str(uuid.uuid4())

                async def write_mem0(text: str = text, bank: int = bank, key: str = key) -> None:
                    mem0.insert([vector_of[text]], [{"data": text, "user_id": f"b{bank}"}], [key])

                async def search_mem0(query: str = query, bank: int = bank) -> None:
                    found = mem0.search(query, vector_of[query], TOP, {"user_id": f"b{bank}"})
                    assert len(found) == TOP

                async def search_langgraph(query: str = query, bank: int = bank) -> None:
                    assert len(await langgraph.asearch((f"b{bank}",), query=query, limit=TOP)) == TOP

                operations: dict[str, Callable[[], Awaitable[object]]] = {
                    "write langgraph": lambda b=bank, k=key, t=text: langgraph.aput(
                        (f"b{b}",), k, {"text": t}
                    ),
                    "search langgraph": search_langgraph,
                    "write mem0": write_mem0,
                    "search mem0": search_mem0,
                }
                for name, operation in operations.items():
                    began = time.perf_counter()
                    await operation()
                    taken.setdefault(name, []).append((time.perf_counter() - began) * 1000)
            print(json.dumps(taken), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
