"""Trains the adapter of the built-in embedding model: `python -m tests.bench.quality.fit_adapter DATA`; it needs torch.

all-MiniLM-L6-v2 embeds a question near other questions and near texts with its words, less near to the message that
answers it. The adapter adds products of rank RANK to its weights, for queries and memories alike. It is trained on this
project's own invented chats in query_chats/ and on RealMem (Apache-2.0), with the memories that the service makes of
them and the questions as recall embeds them, without speakers' names. Each question's memories are to be nearer than
all others of its bank (softmax over the bank, in large banks over the nearest). All other labelled sets only validate.
The products are scaled by SCALE, part of the way back to the general model: unscaled ones are better on the kinds of
chats that they were trained on and worse on others.
"""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import argparse
import asyncio
import json
import math
import pickle
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import asyncpg
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from memory_service.config import Settings
from memory_service.intake.embed import REPLY_PART, numbered_pieces
from memory_service.memory import Memory
from memory_service.models.built_model import ADAPTER, MINILM, source_folder
from memory_service.recall.query_analysis import named_in, without_names
from memory_service.requests import NewMessage
from memory_service.speakers import speakers_of
from tests.bench.quality import own_chats
from tests.bench.quality.data import out
from tests.bench.quality.direct import rows_in_bank
from tests.bench.quality.evidence import Question, Said
from tests.bench.quality.http_client import HttpClient, serving
from tests.bench.quality.live import asked_at, remembered
from tests.bench.quality.worlds import World, realmem

RANK = 16
SCALE = 0.7
EPOCHS, RATE, DROPOUT, WARM_UP, TEMPERATURE = 2, 5e-4, 0.1, 0.1, 0.07
BATCH, LARGE_BATCH = 128, 8
"""Questions of a step, of one bank."""
LARGE, COMPARED = 100, 44
"""Memories from which a bank is large, and memories of it that a step compares."""
QUESTION_TOKENS, TEXT_TOKENS, LARGE_TEXT_TOKENS = 96, 128, 80
REPLY_SHARE = 0.5
"""Of a reply's lead over the memory's own text, as in fusion_weights.py."""
SESSION_MESSAGES = {True: 8, False: 10}
"""With an assistant, or among persons."""
FAST_BFLOAT16 = bool(torch.cpu.get_capabilities().get("amx_bf16"))
"""Elsewhere bfloat16 takes twice the time of float32."""
CHATS = Path(__file__).parent / "query_chats"
TARGET = Path(__file__).parents[3] / "memory_service" / "models" / ADAPTER
MATRICES = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "intermediate.dense", "output.dense",
)  # fmt: skip

Tokens = list[int]
Order = list[int]
"""Places of a bank's memories, nearest first."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as recall embeds it."""

    text: str
    answers: Sequence[int]
    """Places of the memories that answer it."""
    excluded: Sequence[int]
    """Places of those that are the question itself or later."""


@dataclass(frozen=True, slots=True)
class Bank:
    texts: Sequence[str]
    """As they are embedded: a memory has one or more."""
    owner: torch.Tensor
    """The place of each text's memory."""
    is_reply: torch.Tensor
    memories: int
    questions: Sequence[Asked]


def chats() -> Iterator[World]:
    """Of all files but those that are held out, for validation: their names begin with `held_`.

    Lines `# bank: ...`, `<id> | <speaker> | <message>` and `? <question> => <id>, <id>`.
    """
    for file in sorted(file for file in CHATS.glob("*.txt") if not own_chats.is_held(file.name)):
        for number, bank in enumerate(re.split(r"^# bank.*\n", file.read_text("utf-8"), flags=re.MULTILINE)):
            lines = bank.splitlines()
            messages = [line.split(" | ", 2) for line in lines if re.match(r"\w+ \| ", line)]
            questions = [
                Question(question.strip(), frozenset(i.strip() for i in ids.split(",")))
                for question, ids in (line[1:].rsplit("=>", 1) for line in lines if line.startswith("?"))
            ]
            if questions:
                yield World("query chats", f"{file.stem}{number}", said_in(messages), questions)


def said_in(messages: Sequence[Sequence[str]]) -> Said:
    """The messages in sessions some days apart; of two named persons the second has the role of the assistant."""
    speakers = list(dict.fromkeys(speaker for _, speaker, _ in messages))
    named = [speaker for speaker in speakers if speaker not in ("user", "assistant")]
    size = SESSION_MESSAGES["assistant" in speakers]
    said: Said = {}
    at = datetime(2025, 1, 6, 18, tzinfo=UTC)
    for place, (key, speaker, text) in enumerate(messages):
        at += timedelta(minutes=2) + (place % size == 0) * timedelta(days=5)
        role = speaker if speaker not in named else "user"
        if len(named) == 2 and speaker == named[1]:
            role = "assistant"
        name = speaker if speaker in named else None
        said.setdefault(f"c{place // size}", []).append(NewMessage(role, text, name, at, key))
    return said


async def collect(worlds: Iterator[World]) -> list[Bank]:
    """The memories that the service makes of each world, and its questions."""
    banks: list[Bank] = []
    with tempfile.TemporaryDirectory(prefix="memory-adapter-") as scratch:
        settings = Settings.model_validate({"data_dir": Path(scratch) / "data", "embedding_model": MINILM})
        with serving(settings.data_dir, MEMORY_EMBEDDING_MODEL=MINILM) as address:
            async with (
                HttpClient.open(address) as client,
                await Memory.open(settings, migrated=False) as memory,
            ):
                for world in worlds:
                    banks.append(await bank_of(client, memory, world))
    return banks


async def bank_of(client: HttpClient, memory: Memory, world: World) -> Bank:
    bank = await remembered(client, world, "exchange")
    settings = await memory.store.banks.read(bank.bank_id)
    embedder = memory.models.embedder()
    texts: list[str] = []
    owner: list[int] = []
    is_reply: list[bool] = []
    places: dict[str, int] = {}
    times: list[datetime] = []
    connection = await asyncpg.connect(memory.store.database.url)
    rows = await rows_in_bank(
        connection, bank.bank_id,
        "select memory_id::text, summary, reply, occurred_at from memory.episodic_memory "
        "where bank_id = $1 and status = 'active' order by occurred_at, memory_id", bank.bank_id,
    )  # fmt: skip
    await connection.close()
    for memory_id, summary, reply, occurred_at in rows:
        place = places[memory_id] = len(places)
        times.append(occurred_at)
        for number, piece in numbered_pieces(summary, reply, embedder):
            texts.append(piece)
            owner.append(place)
            is_reply.append(number >= REPLY_PART)
    people = speakers_of(settings.settings).words.union(settings.people)
    questions: list[Asked] = []
    for question in world.questions:
        at = asked_at(bank, question)
        excluded = [
            place
            for key, place in places.items()
            if times[place] > at or bank.origins.get(key, frozenset()) & question.itself
        ]
        answers = [
            place
            for key, place in places.items()
            if bank.origins.get(key, frozenset()) & question.evidence and place not in excluded
        ]
        if answers:
            text = without_names(question.text, named_in(question.text, people))
            questions.append(Asked(text, answers, excluded))
    return Bank(texts, torch.tensor(owner), torch.tensor(is_reply), len(places), questions)


class Product(nn.Module):
    """A linear layer that stays as it is, plus a product of low rank."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor) -> None:
        super().__init__()
        self.weight, self.bias = weight, bias
        outputs, inputs = weight.shape
        self.down = nn.Parameter(torch.randn(RANK, inputs) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, self.weight, self.bias) + x @ self.down.T @ self.up.T


class Bert(nn.Module):
    """The built-in model in torch, with an adapter that changes nothing before it is trained."""

    def __init__(self) -> None:
        super().__init__()
        folder = source_folder()
        self.config = json.loads((folder / "config.json").read_text())
        self.weights = {
            name.removeprefix("bert."): value.float()
            for name, value in load_file(folder / "model.safetensors").items()
        }
        self.tokenizer = Tokenizer.from_file(f"{folder / 'tokenizer.json'}")
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        names = [
            f"encoder.layer.{n}.{matrix}"
            for n in range(self.config["num_hidden_layers"])
            for matrix in MATRICES
        ]
        self.products = nn.ModuleDict(
            {
                name.replace(".", "/"): Product(self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])
                for name in names
            }
        )

    def tokens(self, text: str, most: int) -> Tokens:
        ids = self.tokenizer.encode(text).ids
        return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]

    def vectors(self, texts: Sequence[Tokens], batch: int = 16) -> torch.Tensor:
        """Unit vectors, (texts, dimensions)."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        parts = [self([texts[n] for n in order[i : i + batch]]) for i in range(0, len(order), batch)]
        return torch.cat(parts)[torch.argsort(torch.tensor(order))]

    def forward(self, texts: Sequence[Tokens]) -> torch.Tensor:
        ids = torch.zeros(len(texts), max(map(len, texts)), dtype=torch.long)
        mask = torch.zeros(ids.shape)
        for row, one in enumerate(texts):
            ids[row, : len(one)] = torch.tensor(one)
            mask[row, : len(one)] = 1
        words = self.weights["embeddings.word_embeddings.weight"][ids]
        places = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = self.norm(
            words + places + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings"
        )
        for n in range(self.config["num_hidden_layers"]):
            x = self.layer(x, mask, f"encoder.layer.{n}.")
        return functional.normalize((x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=-1)

    def layer(self, x: torch.Tensor, mask: torch.Tensor, prefix: str) -> torch.Tensor:
        texts, tokens, size = x.shape
        heads = self.config["num_attention_heads"]
        dropout = DROPOUT if self.training else 0.0
        parts = [
            self.product(x, f"{prefix}attention.self.{part}")
            .view(texts, tokens, heads, size // heads)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        ]
        attended = functional.scaled_dot_product_attention(
            *parts, attn_mask=mask[:, None, None].bool(), dropout_p=dropout
        )
        projected = self.product(attended.transpose(1, 2).reshape(x.shape), f"{prefix}attention.output.dense")
        x = self.norm(x + functional.dropout(projected, DROPOUT, self.training), f"{prefix}attention.output")
        widened = functional.gelu(self.product(x, f"{prefix}intermediate.dense"))
        projected = self.product(widened, f"{prefix}output.dense")
        return self.norm(x + functional.dropout(projected, DROPOUT, self.training), f"{prefix}output")

    def product(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return self.products[name.replace(".", "/")](x)

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = (self.weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return functional.layer_norm(x, (x.shape[-1],), weight, bias, self.config["layer_norm_eps"])

    def adapter(self) -> dict[str, torch.Tensor]:
        """`<weight>.down` (RANK, inputs) and `<weight>.up` (outputs, RANK), scaled, in float16."""
        found: dict[str, torch.Tensor] = {}
        for name, product in self.products.items():
            weight = f"{name.replace('/', '.')}.weight"
            found[f"{weight}.down"] = product.down.detach().half().contiguous()
            found[f"{weight}.up"] = (SCALE * product.up.detach()).half().contiguous()
        return found


def similarities(queries: torch.Tensor, texts: torch.Tensor, bank: Bank) -> torch.Tensor:
    """Of each query to each memory, (queries, memories): its nearest own text, and a part of its reply's lead."""
    cosines = queries @ texts.T
    own, reply = (
        torch.full((len(queries), bank.memories), -1.0).scatter_reduce(
            1, bank.owner[which].expand(len(queries), -1), cosines[:, which], "amax"
        )
        for which in (~bank.is_reply, bank.is_reply)
    )
    return own + REPLY_SHARE * torch.relu(reply - own)


def loss_of(row: torch.Tensor, question: Asked) -> torch.Tensor:
    """Negative log likelihood of each answer against the memories that are none, on average."""
    others = torch.ones(len(row), dtype=torch.bool)
    others[[*question.answers, *question.excluded]] = False
    right = row[[*question.answers]]
    return (torch.logaddexp(right, torch.logsumexp(row[others], 0)) - right).mean()


def nearest_part(
    bank: Bank, questions: Sequence[Asked], orders: dict[str, Order]
) -> tuple[Bank, list[Asked]]:
    """The memories that answer these questions and those nearest to them by the general model, COMPARED together."""
    kept = {place for question in questions for place in question.answers}
    for rank in range(bank.memories):
        if len(kept) >= COMPARED:
            break
        kept |= {orders[question.text][rank] for question in questions}
    at = {place: n for n, place in enumerate(sorted(kept))}
    rows = [n for n, place in enumerate(bank.owner.tolist()) if place in at]
    part = Bank(
        [bank.texts[n] for n in rows],
        torch.tensor([at[int(bank.owner[n])] for n in rows]),
        bank.is_reply[rows],
        len(at),
        (),
    )
    return part, [
        replace(
            question,
            answers=[at[place] for place in question.answers],
            excluded=[at[place] for place in question.excluded if place in at],
        )
        for question in questions
    ]


def orders_of(model: Bert, bank: Bank) -> dict[str, Order]:
    """By question, the memories of a large bank by the general model, nearest first."""
    with torch.no_grad():
        texts = model.eval().vectors([model.tokens(text, TEXT_TOKENS) for text in bank.texts])
        queries = model.vectors([model.tokens(q.text, QUESTION_TOKENS) for q in bank.questions])
        near = similarities(queries, texts, bank)
    for row, question in zip(near, bank.questions, strict=True):
        row[[*question.excluded]] = -1.0
    return {
        question.text: torch.argsort(-row).tolist()
        for row, question in zip(near, bank.questions, strict=True)
    }


def train(banks: Sequence[Bank]) -> dict[str, torch.Tensor]:
    """The adapter after EPOCHS over all questions."""
    torch.manual_seed(0)
    random.seed(0)
    model = Bert()
    orders = [orders_of(model, bank) if bank.memories > LARGE else {} for bank in banks]
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    batches = [LARGE_BATCH if bank.memories > LARGE else BATCH for bank in banks]
    steps = EPOCHS * sum(
        math.ceil(len(bank.questions) / batch) for bank, batch in zip(banks, batches, strict=True)
    )
    step, begin = 0, time.monotonic()
    for epoch in range(EPOCHS):
        jobs = [
            (n, mixed[start : start + batches[n]])
            for n, bank in enumerate(banks)
            for mixed in [random.sample(bank.questions, len(bank.questions))]
            for start in range(0, len(bank.questions), batches[n])
        ]
        random.shuffle(jobs)
        total = 0.0
        for n, questions in jobs:
            bank, most = banks[n], TEXT_TOKENS
            if orders[n]:
                bank, questions = nearest_part(bank, questions, orders[n])
                most = LARGE_TEXT_TOKENS
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1.0, (step + 1) / (WARM_UP * steps)) * (1 - step / steps)
            model.train()
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=FAST_BFLOAT16):
                queries = model.vectors([model.tokens(q.text, QUESTION_TOKENS) for q in questions], BATCH)
                texts = model.vectors([model.tokens(text, most) for text in bank.texts])
            near = similarities(queries.float(), texts.float(), bank) / TEMPERATURE
            loss = torch.stack([loss_of(row, q) for row, q in zip(near, questions, strict=True)]).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            total += loss.item()
        spent = time.monotonic() - begin
        out.print(f"epoch {epoch + 1}: loss {total / len(jobs):.3f}, {spent:.0f} s")
    return model.adapter()


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.quality.fit_adapter", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with RealMem; without it on the chats alone")
    parser.add_argument("--file", type=Path, default=TARGET, help="the safetensors file to write")
    parser.add_argument(
        "--cache", type=Path, help="keep the banks in this file, to train again without the service"
    )
    arguments = parser.parse_args()
    cache = cast("Path | None", arguments.cache)
    if cache is not None and cache.exists():
        banks = cast("list[Bank]", pickle.loads(cache.read_bytes()))
    else:
        banks = asyncio.run(collect(worlds_of(arguments.data)))
        if cache is not None:
            cache.write_bytes(pickle.dumps(banks))
    out.print(f"{len(banks)} banks, {sum(len(bank.questions) for bank in banks)} questions")
    save_file(train(banks), arguments.file)
    out.print(f"written: {arguments.file}")


def worlds_of(folder: Path) -> Iterator[World]:
    yield from chats()
    yield from realmem(folder)


if __name__ == "__main__":
    main()
