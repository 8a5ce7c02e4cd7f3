"""A second embedding model: the built-in one, whose vectors lie in the upper half of the dimensions.

The cosine of vectors of the two models is 0: a query that mixes them finds nothing alike.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, cast

import onnx
from onnx import helper

from memory_service.models.built_model import built_model, source_folder

FOLDER = "second"


def second_model(data_dir: Path) -> Path:
    """The folder of the model, for MEMORY_LOCAL_MODEL_DIR; made once in the data folder."""
    folder = data_dir / FOLDER
    if not (folder / "model.onnx").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_folder() / "tokenizer.json", folder)
        graph = cast("Any", onnx.load_from_string(built_model(data_dir / "models")))
        output = graph.graph.output[0]
        shape = [
            dimension.dim_param or dimension.dim_value for dimension in output.type.tensor_type.shape.dim
        ]
        graph.graph.node.extend([
            helper.make_node("Sub", [output.name, output.name], ["second_zeros"]),
            helper.make_node("Concat", ["second_zeros", output.name], ["second_vector"], axis=1),
        ])  # fmt: skip
        made = helper.make_tensor_value_info("second_vector", onnx.TensorProto.FLOAT, [shape[0], 768])
        del graph.graph.output[:]
        graph.graph.output.extend([made])
        partial = folder / "model.onnx.new"
        partial.write_bytes(graph.SerializeToString())
        partial.rename(folder / "model.onnx")
    return folder
