"""An ONNX sentence-embedding model with its tokenizer, synchronous."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from tokenizers import Tokenizer

from memory_service.errors import InvalidInput, InvalidOutput
from memory_service.models.interface import VECTOR_DIMENSIONS, Vectors

MAX_TOKENS = 256
"""Most tokens of a text that the model reads, special tokens included."""
MOST_TEXTS = 16
"""Texts of one run of the model; more are hardly faster."""
_LEAST_TEXTS = 4
_LENGTH_RATIO = 1.5
"""Upper bound of the ratio of longest to shortest text of a run, in tokens. All are padded to the longest: measured
with 32 turns of real conversations per call, 255 turns/s without this bound, 543 with it."""

_ERRORS_ONLY = 3
_FOLDER_SETTING = "MEMORY_LOCAL_MODEL_DIR"


class SentenceModel:
    """A loaded model. Methods are thread-safe; onnxruntime releases the GIL.

    `model` is a serialized ONNX model or its path. Inputs: input_ids, attention_mask and optionally token_type_ids.
    Output: (texts, d), or (texts, tokens, d), which is averaged over the tokens; d <= 768.
    Errors: InvalidInput naming the setting for any other model or an unreadable tokenizer.
    """

    def __init__(self, model: bytes | Path, tokenizer: Path, threads: int) -> None:
        self._session = _session(model, threads)
        self._inputs = {
            str(given.name): np.dtype(np.int32 if given.type == "tensor(int32)" else np.int64)
            for given in self._session.get_inputs()
        }
        unknown = self._inputs.keys() - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            raise InvalidInput(
                _FOLDER_SETTING, f"model.onnx has an unknown input: {', '.join(sorted(unknown))}"
            )
        outputs = self._session.get_outputs()
        pooled = [output for output in outputs if len(output.shape) == 2]
        self._output = cast("str", (pooled or outputs)[0].name)
        _check_dimensions((pooled or outputs)[0].shape)
        self._tokenizer = read_tokenizer(tokenizer)
        cast("Any", self._tokenizer).enable_truncation(MAX_TOKENS)
        self._pad_id = _pad_id(self._tokenizer)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, truncated after 256."""
        # One by one: encode_batch starts threads, which print a warning after a fork.
        return [self._tokenizer.encode(text).ids for text in texts]

    def embed(self, tokens: Sequence[list[int]]) -> Vectors:
        """Unit vectors, float32 of shape (texts, 768), of a few texts of similar length.

        Errors: InvalidOutput when the model fails, or a vector is zero or not finite.
        """
        longest = max(len(ids) for ids in tokens)
        ids = np.full((len(tokens), longest), self._pad_id, dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, text in enumerate(tokens):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        feed = {name: given[name].astype(dtype, copy=False) for name, dtype in self._inputs.items()}
        try:
            result = cast("NDArray[Any]", self._session.run([self._output], feed)[0])
        except Exception as error:  # onnxruntime's exceptions share no base class
            raise InvalidOutput(f"the local embedding model failed: {type(error).__name__}") from error
        return _unit_vectors(_pooled(result.astype(np.float32, copy=False), mask), len(tokens))


def read_tokenizer(path: Path) -> Tokenizer:
    """A tokenizer.json without truncation and padding.

    Errors: InvalidInput naming the setting.
    """
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the bindings raise bare Exception
        raise InvalidInput(_FOLDER_SETTING, f"{path.name} in {path.parent} cannot be read") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def length_batches(tokens: Sequence[list[int]]) -> list[list[int]]:
    """Indices of the texts, sorted by length, in runs of at most 16: little padding."""
    batches: list[list[int]] = []
    for index in sorted(range(len(tokens)), key=lambda index: len(tokens[index])):
        batch = batches[-1] if batches else []
        too_long = batch and len(tokens[index]) > _LENGTH_RATIO * len(tokens[batch[0]])
        if not batch or len(batch) == MOST_TEXTS or (too_long and len(batch) >= _LEAST_TEXTS):
            batches.append([index])
        else:
            batch.append(index)
    return batches


def _session(model: bytes | Path, threads: int) -> Any:
    options = cast("Any", ort).SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ONLY
    # Waiting threads must not take processor time from Postgres.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    source = model if isinstance(model, bytes) else str(model)
    try:
        return cast("Any", ort).InferenceSession(source, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's exceptions share no base class
        raise InvalidInput(_FOLDER_SETTING, f"model.onnx cannot be loaded: {type(error).__name__}") from error


def _check_dimensions(shape: Sequence[int | str | None]) -> None:
    dimensions = shape[-1] if shape else None
    if isinstance(dimensions, int) and dimensions > VECTOR_DIMENSIONS:
        problem = f"model.onnx gives {dimensions} dimensions; at most {VECTOR_DIMENSIONS} can be stored"
        raise InvalidInput(_FOLDER_SETTING, problem)


def _pad_id(tokenizer: Tokenizer) -> int:
    """Id of the padding token. It is masked, but some models derive positions from it."""
    for token in ("[PAD]", "<pad>"):
        found = tokenizer.token_to_id(token)
        if found is not None:
            return found
    return 0


def _pooled(result: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    if result.ndim != 3:
        return result
    weights = mask[:, :, np.newaxis].astype(np.float32)
    return cast("NDArray[np.float32]", (result * weights).sum(axis=1) / weights.sum(axis=1))


def _unit_vectors(pooled: NDArray[np.float32], texts: int) -> Vectors:
    if pooled.ndim != 2 or len(pooled) != texts:
        raise InvalidOutput(f"the local embedding model answered {texts} texts with shape {pooled.shape}")
    _check_dimensions(pooled.shape)
    vectors = np.zeros((texts, VECTOR_DIMENSIONS), dtype=np.float32)
    vectors[:, : pooled.shape[1]] = pooled
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise InvalidOutput("the local embedding model gave a vector that is zero or not finite")
    return vectors / norms
