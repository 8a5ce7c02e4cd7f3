"""Trains an adapter of the built-in model for queries: `python -m tests.bench.quality.fit_query FILE`; it needs torch.

The built-in model embeds a question near other questions and near texts with its words, less near to the message that
answers it. The adapter changes the weights for queries alone, by products of rank RANK, so that vectors of documents
remain as they are. It is trained on this project's own invented chats in query_chats/: each question's messages are to
be nearer than all others of its chat (softmax over the chat). No labelled set of others is used; they all validate.

Nothing ships it: docs/tuning.md has its effect. Two trainings with different temperatures are averaged, truncated to
RANK by their singular values, and scaled by SCALE.
"""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from memory_service.models.built_model import source_folder
from tests.bench.quality.data import out

RANK = 8
TEMPERATURES = (0.05, 0.1)
SCALE = 1.3
"""Of the averaged change: averaging two trainings lets them lose a part of what each learned."""
EPOCHS, RATE, BATCH, DROPOUT, WARM_UP = 2, 3e-4, 16, 0.1, 0.1
MOST_TOKENS = 96
CHATS = Path(__file__).parent / "query_chats"
MATRICES = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "intermediate.dense", "output.dense",
)  # fmt: skip


@dataclass(slots=True)
class Chat:
    """Messages as they are embedded, and questions with the places of the messages that answer them."""

    messages: list[str] = field(default_factory=list[str])
    questions: list[tuple[str, list[int]]] = field(default_factory=list[tuple[str, list[int]]])


def chats() -> Iterator[Chat]:
    """Lines `# bank: ...`, `<id> | <speaker> | <message>` and `? <question> => <id>, <id>`."""
    for file in sorted(CHATS.glob("*.txt")):
        chat, places = Chat(), dict[str, int]()
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("# bank"):
                if chat.questions:
                    yield chat
                chat, places = Chat(), {}
            elif line.startswith("?"):
                question, answers = line[1:].rsplit("=>", 1)
                chat.questions.append((question.strip(), [places[i.strip()] for i in answers.split(",")]))
            elif match := re.match(r"(\w+) \| ([^|]+) \| (.+)", line):
                key, speaker, text = match.groups()
                places[key] = len(chat.messages)
                named = speaker.strip().lower() not in ("user", "assistant")
                chat.messages.append(f"{speaker.strip()}: {text}" if named else text)
        if chat.questions:
            yield chat


class Product(nn.Module):
    """A linear layer that stays as it is, plus a product of low rank."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer
        self.down = nn.Parameter(torch.randn(RANK, layer.in_features) / math.sqrt(layer.in_features))
        self.up = nn.Parameter(torch.zeros(layer.out_features, RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x) + x @ self.down.T @ self.up.T


class Bert(nn.Module):
    """The built-in model in torch."""

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
        self.layers = nn.ModuleDict(
            {
                f"encoder.layer.{n}.{matrix}".replace(".", "/"): self.linear(f"encoder.layer.{n}.{matrix}")
                for n in range(self.config["num_hidden_layers"])
                for matrix in MATRICES
            }
        )

    def linear(self, name: str) -> nn.Linear:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        layer = nn.Linear(weight.shape[1], weight.shape[0])
        layer.weight = nn.Parameter(weight, requires_grad=False)
        layer.bias = nn.Parameter(bias, requires_grad=False)
        return layer

    def adapt(self) -> dict[str, nn.Parameter]:
        """Add a product to each matrix; their parameters by the names of the adapter's file."""
        found: dict[str, nn.Parameter] = {}
        for name, layer in [*self.layers.items()]:
            self.layers[name] = product = Product(layer)
            weight = f"{name.replace('/', '.')}.weight"
            found |= {f"{weight}.down": product.down, f"{weight}.up": product.up}
        return found

    def vectors(self, texts: Sequence[str], most: int = MOST_TOKENS) -> torch.Tensor:
        """Unit vectors of the texts' first `most` tokens, (texts, dimensions)."""
        tokens = [self.tokenizer.encode(text).ids for text in texts]
        tokens = [ids if len(ids) <= most else [*ids[: most - 1], ids[-1]] for ids in tokens]
        ids = torch.zeros(len(tokens), max(map(len, tokens)), dtype=torch.long)
        mask = torch.zeros(ids.shape)
        for row, one in enumerate(tokens):
            ids[row, : len(one)] = torch.tensor(one)
            mask[row, : len(one)] = 1
        words = self.weights["embeddings.word_embeddings.weight"][ids]
        places = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        x = self.norm(
            words + places + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings"
        )
        for n in range(self.config["num_hidden_layers"]):
            x = self.layer(x, mask, f"encoder.layer.{n}.")
        mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return functional.normalize(mean, dim=-1)

    def layer(self, x: torch.Tensor, mask: torch.Tensor, prefix: str) -> torch.Tensor:
        texts, tokens, size = x.shape
        heads = self.config["num_attention_heads"]
        dropout = DROPOUT if self.training else 0.0
        parts = [
            self.apply_to(x, f"{prefix}attention.self.{part}")
            .view(texts, tokens, heads, size // heads)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        ]
        attended = functional.scaled_dot_product_attention(
            *parts, attn_mask=mask[:, None, None].bool(), dropout_p=dropout
        )
        projected = self.apply_to(
            attended.transpose(1, 2).reshape(x.shape), f"{prefix}attention.output.dense"
        )
        x = self.norm(x + functional.dropout(projected, DROPOUT, self.training), f"{prefix}attention.output")
        widened = functional.gelu(self.apply_to(x, f"{prefix}intermediate.dense"))
        projected = self.apply_to(widened, f"{prefix}output.dense")
        return self.norm(x + functional.dropout(projected, DROPOUT, self.training), f"{prefix}output")

    def apply_to(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return self.layers[name.replace(".", "/")](x)

    def norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = (self.weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return functional.layer_norm(x, (x.shape[-1],), weight, bias, self.config["layer_norm_eps"])


def against_others(row: torch.Tensor, answers: Sequence[int]) -> torch.Tensor:
    """Negative log likelihood of each answer against the messages that are none, on average."""
    others = torch.ones(len(row), dtype=torch.bool)
    others[[*answers]] = False
    right = row[[*answers]]
    return (torch.logaddexp(right, torch.logsumexp(row[others], 0)) - right).mean()


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.bench.quality.fit_query", description=__doc__)
    parser.add_argument("file", type=Path, help="the safetensors file to write")
    file: Path = parser.parse_args().file
    save_file(averaged([trained([*chats()], temperature) for temperature in TEMPERATURES]), file)
    out.print(f"written: {file}")


def averaged(adapters: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean of the changes, times SCALE, as products of rank RANK in float16."""
    found: dict[str, Any] = {}
    for name in (key.removesuffix(".up") for key in adapters[0] if key.endswith(".up")):
        change = sum(one[f"{name}.up"] @ one[f"{name}.down"] for one in adapters) * (SCALE / len(adapters))
        left, sizes, right = torch.linalg.svd(change, full_matrices=False)
        roots = sizes[:RANK].sqrt()
        found[f"{name}.up"] = (left[:, :RANK] * roots).half().contiguous()
        found[f"{name}.down"] = (roots[:, None] * right[:RANK]).half().contiguous()
    return found


def trained(data: list[Chat], temperature: float) -> dict[str, Any]:
    """`<weight>.down` (RANK, inputs) and `<weight>.up` (outputs, RANK) after EPOCHS over all questions."""
    torch.manual_seed(0)
    random.seed(0)
    model = Bert()
    with torch.no_grad():
        documents = [model.eval().vectors(chat.messages, most=256) for chat in data]
    parameters = model.adapt()
    optimizer = torch.optim.AdamW(parameters.values(), lr=RATE, weight_decay=0.01)
    steps = EPOCHS * sum(math.ceil(len(chat.questions) / BATCH) for chat in data)
    step = 0
    for epoch in range(EPOCHS):
        batches = [
            (place, questions[start : start + BATCH])
            for place, chat in enumerate(data)
            for questions in [random.sample(chat.questions, len(chat.questions))]
            for start in range(0, len(questions), BATCH)
        ]
        random.shuffle(batches)
        total = 0.0
        for place, questions in batches:
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1.0, (step + 1) / (WARM_UP * steps)) * (1 - step / steps)
            model.train()
            near = model.vectors([text for text, _ in questions]) @ documents[place].T / temperature
            losses = [against_others(row, answers) for row, (_, answers) in zip(near, questions, strict=True)]
            loss = torch.stack(losses).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters.values(), 1.0)
            optimizer.step()
            step += 1
            total += loss.item()
        out.print(f"temperature {temperature}, epoch {epoch + 1}: loss {total / len(batches):.3f}")
    return {name: value.detach() for name, value in parameters.items()}
