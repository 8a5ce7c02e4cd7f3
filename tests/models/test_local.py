"""The embedded embedding model itself, and folders that replace it."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from memory_service.errors import InvalidInput, InvalidOutput, ModelError
from memory_service.models import built_model
from memory_service.models.built_model import BUILT_IN, MINILM, MODELS, source_folder
from memory_service.models.interface import Vectors
from memory_service.models.local import LocalEmbedder
from memory_service.models.sentence_model import SentenceModel, length_batches
from tests.bench.quality import own_chats
from tests.support.model_runs import counted_runs

SENTENCES = [
    "My sister is allergic to walnuts.",
    "She cannot eat nuts.",
    "The train to Trieste leaves at noon.",
    "I decided to take the job in Graz and move there in March.",
    "",
    "Ok!",
    "We argued about the dishes last night, and then he apologized and we laughed about it for an hour.",
    "Привет, как дела?",
]


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture
async def embedder(models_dir: Path) -> AsyncIterator[LocalEmbedder]:
    made = LocalEmbedder(models_dir)
    yield made
    await made.aclose()


async def vectors(embedder: LocalEmbedder, *texts: str) -> NDArray[np.float32]:
    return (await embedder.embed_documents(texts)).vectors


async def test_vectors_are_float32_unit_length_and_padded(embedder: LocalEmbedder) -> None:
    result = await embedder.embed_documents(SENTENCES)
    assert result.vectors.shape == (len(SENTENCES), 768)
    assert result.vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(result.vectors, axis=1), 1, atol=1e-6)
    assert not result.vectors[:, 384:].any()
    assert result.vectors[:, :384].any(axis=0).all()
    assert result.usage is None


async def test_related_texts_are_nearer_than_unrelated_ones(embedder: LocalEmbedder) -> None:
    allergic, nuts, train = await vectors(embedder, *SENTENCES[:3])
    assert allergic @ nuts > 0.4
    assert allergic @ nuts > allergic @ train + 0.3


async def test_the_same_texts_give_the_same_bytes(embedder: LocalEmbedder, models_dir: Path) -> None:
    other = LocalEmbedder(models_dir, threads=1)
    first, second = await vectors(embedder, *SENTENCES), await vectors(embedder, *SENTENCES)
    assert first.tobytes() == second.tobytes()
    assert ((await vectors(other, *SENTENCES)) * first).sum(axis=1).min() > 0.999
    await other.aclose()


WALNUTS = {
    MINILM: [0.0811, -0.0344, 0.0499, 0.0454, 0.0115, 0.0220, 0.0046, 0.0675],
    BUILT_IN: [0.0771, -0.0527, 0.0169, 0.0162, 0.0070, 0.0384, 0.0067, 0.0629],
}


@pytest.mark.parametrize("name", MODELS)
async def test_these_are_the_vectors_that_the_name_stands_for(models_dir: Path, name: str) -> None:
    """Red here means other vectors under the old name: they would not match those already stored."""
    embedder = LocalEmbedder(models_dir, built_in=name)
    assert embedder.name == name
    (vector,) = await vectors(embedder, "My sister is allergic to walnuts.")
    assert np.allclose(vector[:8], WALNUTS[name], atol=0.004)
    await embedder.aclose()


async def test_with_the_adapter_questions_find_more_of_their_messages_than_without(models_dir: Path) -> None:
    """In a chat that nothing was trained on: 80 % of the evidence among the nearest ten messages, 70 % without."""
    chat = own_chats.read(own_chats.FOLDER / "held_freelancer.json")
    ids = [message["id"] for message in chat["messages"]]
    questions = [question for question in chat["questions"] if question["evidence"]]
    found: dict[str, float] = {}
    for name in MODELS:
        embedder = LocalEmbedder(models_dir, built_in=name)
        messages = await vectors(embedder, *(message["content"] for message in chat["messages"]))
        asked = await vectors(embedder, *(question["question"] for question in questions))
        nearest = [{ids[n] for n in row[:10]} for row in np.argsort(-asked @ messages.T, axis=1)]
        evidence = [frozenset[str](question["evidence"]) for question in questions]
        found[name] = sum(len(a & b) for a, b in zip(evidence, nearest, strict=True)) / sum(
            map(len, evidence)
        )
        await embedder.aclose()
    assert found[BUILT_IN] > found[MINILM] + 0.04


async def test_a_text_alone_and_in_a_batch_is_the_same(embedder: LocalEmbedder) -> None:
    texts = [f"{text} {n}".strip() for n in range(8) for text in SENTENCES] + ["No", "hm", "Bye!", "Yes.", ""]
    together = await vectors(embedder, *texts)
    alone = np.concatenate([(await embedder.embed_query(text)).vectors for text in texts])
    assert (together * alone).sum(axis=1).min() > 1 - 1e-6
    assert np.abs(together - alone).max() < 1e-6


async def test_results_keep_the_order_of_the_texts(embedder: LocalEmbedder) -> None:
    texts = [f"The number of this note is {n}. " + "It says little. " * (n * 37 % 11) for n in range(100)]
    shuffled = np.random.default_rng(7).permutation(len(texts))
    there = await vectors(embedder, *texts)
    back = await vectors(embedder, *(texts[int(index)] for index in cast("list[int]", shuffled.tolist())))
    assert (there[shuffled] * back).sum(axis=1).min() > 1 - 1e-6
    assert ((there @ there.T).argmax(axis=1) == np.arange(100)).all()


def test_batches_waste_little_on_padding() -> None:
    lengths = np.random.default_rng(5).integers(3, 256, 64).tolist()
    tokens = [[0] * int(length) for length in cast("list[int]", lengths)]
    batches = length_batches(tokens)
    assert sorted(index for batch in batches for index in batch) == list(range(64))
    assert max(map(len, batches)) <= 16
    padded = sum(max(len(tokens[index]) for index in batch) * len(batch) for batch in batches)
    assert padded < 1.3 * sum(map(len, tokens))
    assert length_batches([]) == []


async def test_no_texts_are_an_empty_array(models_dir: Path) -> None:
    embedder = LocalEmbedder(models_dir / "never made")
    assert (await vectors(embedder)).shape == (0, 768)
    assert not (models_dir / "never made").exists()
    await embedder.aclose()


async def test_tokens_are_counted_to_the_end_but_only_the_first_are_read(embedder: LocalEmbedder) -> None:
    text = "word " * 1000
    assert embedder.count_tokens("") == 0
    assert embedder.count_tokens(text) == 1000
    assert embedder.max_tokens == 254
    fitting, longer = "word " * embedder.max_tokens, "word " * embedder.max_tokens + "walnuts"
    found = await vectors(embedder, fitting)
    assert np.allclose(found, await vectors(embedder, longer))
    assert not np.allclose(found, await vectors(embedder, "word " * (embedder.max_tokens - 1) + "walnuts"))


async def test_a_query_does_not_wait_for_documents(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = threading.Event()
    embed = SentenceModel.embed

    def slow_for_many(model: SentenceModel, tokens: Sequence[list[int]]) -> Vectors:
        assert len(tokens) == 1 or answered.wait(20)
        return embed(model, tokens)

    monkeypatch.setattr(SentenceModel, "embed", slow_for_many)
    documents = asyncio.create_task(embedder.embed_documents(["a document"] * 32))
    await asyncio.sleep(0.05)
    await embedder.embed_query("a query")
    answered.set()
    assert (await documents).vectors.shape == (32, 768)


async def test_a_cancelled_call_stops_between_two_batches(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, calls = asyncio.Event(), list[int]()
    embed, loop = SentenceModel.embed, asyncio.get_running_loop()

    def counted(model: SentenceModel, tokens: Sequence[list[int]]) -> Vectors:
        calls.append(len(tokens))
        loop.call_soon_threadsafe(begun.set)
        return embed(model, tokens)

    monkeypatch.setattr(SentenceModel, "embed", counted)
    documents = asyncio.create_task(embedder.embed_documents(["a document"] * 3200))
    await begun.wait()
    documents.cancel()
    with pytest.raises(asyncio.CancelledError):
        await documents
    assert len(calls) < 10


async def test_what_was_begun_is_embedded_once_and_no_text_is_kept(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = await vectors(embedder, *SENTENCES[:3])
    runs = counted_runs(monkeypatch)
    marked = Text("Only here: " + SENTENCES[1])
    kept = weakref.ref(marked)
    embedder.begin([SENTENCES[0], SENTENCES[0], marked])
    embedder.begin([marked])
    begun = early(embedder)
    assert len(begun) == 2
    await asyncio.wait(begun.values())
    await vectors(embedder, "another")  # the thread drops a text when it has the next
    runs.pop()
    assert runs == [1, 1]
    del marked
    gc.collect()
    assert kept() is None
    embedder.drop(["Only here: " + SENTENCES[1]])
    assert len(early(embedder)) == 1
    found = await vectors(embedder, *SENTENCES[:3])
    assert runs[:2] == [1, 1]
    assert sum(runs) == 4
    assert np.allclose(found, plain, atol=1e-6)
    assert early(embedder) == {}


async def test_what_was_begun_and_not_requested_is_dropped(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_service.models.local.EARLY_SECONDS", 0.05)
    embedder.begin([f"text {n}" for n in range(40)])
    assert len(early(embedder)) == 16
    await asyncio.sleep(0.1)
    assert early(embedder) == {}
    embedder.begin(["a text"])
    assert (await vectors(embedder, "a text")).any()
    await asyncio.sleep(0.1)  # its time is over after it was requested: nothing is cancelled


class Text(str):
    """A string that can be weakly referenced."""

    __slots__ = ("__weakref__",)


def early(embedder: LocalEmbedder) -> dict[bytes, asyncio.Future[Vectors]]:
    return dict(embedder._early)  # pyright: ignore[reportPrivateUsage]


async def test_embedding_leaves_the_event_loop_free(embedder: LocalEmbedder) -> None:
    await embedder.load()
    documents = asyncio.create_task(embedder.embed_documents(["word " * 250] * 96))
    turns = 0
    while not documents.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert turns > 10  # a call on the loop leaves it one or two


# the built file


def built_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def built_again(_: str) -> bytes:
    pytest.fail("built again")


async def test_the_model_is_built_once_and_then_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = LocalEmbedder(tmp_path)
    expected = await vectors(first, "a")
    assert built_files(tmp_path) == [f"{BUILT_IN}.json", f"{BUILT_IN}.onnx"]
    monkeypatch.setattr(built_model, "_build", built_again)
    second = LocalEmbedder(tmp_path)
    assert (await vectors(second, "a") == expected).all()
    await first.aclose()
    await second.aclose()


def flip_a_byte(folder: Path) -> None:
    path = folder / f"{BUILT_IN}.onnx"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def cut_short(folder: Path) -> None:
    path = folder / f"{BUILT_IN}.onnx"
    path.write_bytes(path.read_bytes()[:1000])


def lose_the_manifest(folder: Path) -> None:
    (folder / f"{BUILT_IN}.json").unlink()


def spoil_the_manifest(folder: Path) -> None:
    (folder / f"{BUILT_IN}.json").write_text("[]")


def come_from_an_older_builder(folder: Path) -> None:
    path = folder / f"{BUILT_IN}.json"
    path.write_text(path.read_text().replace('"builder_sha256": "', '"builder_sha256": "0'))


@pytest.mark.parametrize(
    "damage", [flip_a_byte, cut_short, lose_the_manifest, spoil_the_manifest, come_from_an_older_builder]
)
def test_a_damaged_or_outdated_file_is_built_anew(models_dir: Path, tmp_path: Path, damage: Any) -> None:
    good = built_model.built_model(models_dir)
    folder = shutil.copytree(models_dir, tmp_path / "models")
    damage(folder)
    assert built_model.built_model(folder) == good
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.name: path.read_bytes() for path in models_dir.iterdir()
    }


def test_other_weights_in_the_wheel_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"others")
    monkeypatch.setattr(built_model, "source_folder", lambda: tmp_path)
    with pytest.raises(ModelError, match="not the ones of this release"):
        built_model.built_model(tmp_path / "models")


def test_a_folder_that_cannot_be_written_is_no_obstacle(models_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert built_model.built_model(tmp_path / "file" / "models") == built_model.built_model(models_dir)


def test_what_a_killed_builder_left_is_removed(tmp_path: Path) -> None:
    old, young = tmp_path / ".building-old", tmp_path / ".building-young"
    old.touch()
    young.touch()
    os.utime(old, (0, 0))
    built_model.built_model(tmp_path)
    assert not old.exists()
    assert young.exists()


BUILD = """
import asyncio, hashlib, sys
from pathlib import Path
from memory_service.models.interface import Vectors
from memory_service.models.local import LocalEmbedder
async def main():
    embedder = LocalEmbedder(Path(sys.argv[1]))
    sys.stdin.readline()
    result = await embedder.embed_documents(["a text", "another"])
    await embedder.aclose()
    print(hashlib.sha256(result.vectors.tobytes()).hexdigest())
asyncio.run(main())
"""


def test_processes_that_build_at_once_agree_and_are_quiet(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    command = [sys.executable, "-W", "error", "-c", BUILD, str(folder)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    for process in processes:
        cast("Any", process.stdin).write(b"\n")
        cast("Any", process.stdin).flush()
    ended = [process.communicate(timeout=60) for process in processes]
    assert [error for _, error in ended] == [b""] * 4
    assert len({output for output, _ in ended}) == 1
    assert ended[0][0].strip()
    assert built_files(folder) == [f"{BUILT_IN}.json", f"{BUILT_IN}.onnx"]


def test_making_one_reads_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from memory_service.config import Settings;"
        "from memory_service.models.registry import Models;"
        "Models(Settings(data_dir=sys.argv[1]));"
        "print([m for m in ('onnx', 'onnxruntime', 'google.genai', 'tokenizers') if m in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, check=True).stdout.strip() == b"[]"
    before = threading.active_count()
    LocalEmbedder(tmp_path / "models")
    gc.collect()
    assert threading.active_count() == before
    assert not (tmp_path / "models").exists()


# a folder of the user's own

save, load = cast("Any", onnx).save, cast("Any", onnx).load


def custom_folder(
    folder: Path,
    dimensions: int,
    *,
    pooled: bool = False,
    types: bool = False,
    whole: int = TensorProto.INT64,
) -> Path:
    """A tiny model: a random vector a token (`pooled`: that of the first one)."""
    folder.mkdir(parents=True)
    table = np.random.default_rng(3).normal(size=(30522, dimensions)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if types else [])
    shape: list[str | int] = ["batch", "tokens", dimensions]
    if pooled:
        nodes.append(helper.make_node("Gather", ["tokens", "first"], ["pooled"], axis=1))
        shape = ["batch", dimensions]
    inputs = [helper.make_tensor_value_info(name, whole, ["batch", "tokens"]) for name in names]
    outputs = [helper.make_tensor_value_info("pooled" if pooled else "tokens", TensorProto.FLOAT, shape)]
    constants = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array(1), "first")]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    save(model, folder / "model.onnx")
    shutil.copy(source_folder() / "tokenizer.json", folder)
    return folder


async def own(folder: Path, *texts: str) -> NDArray[np.float32]:
    embedder = LocalEmbedder(folder.parent, model_dir=folder)
    try:
        return await vectors(embedder, *texts)
    finally:
        await embedder.aclose()


@pytest.mark.parametrize("whole", [TensorProto.INT32, TensorProto.INT64])
@pytest.mark.parametrize("types", [False, True])
async def test_token_vectors_are_averaged_without_the_padding(
    tmp_path: Path, types: bool, whole: int
) -> None:
    folder = custom_folder(tmp_path / "mine", 100, types=types, whole=whole)
    result = await own(folder, "one", "a much longer text than the other one")
    assert result.shape == (2, 768)
    assert not result[:, 100:].any()
    assert np.allclose(result[:1], await own(folder, "one"), atol=1e-6)
    assert np.allclose(np.linalg.norm(result, axis=1), 1, atol=1e-6)


async def test_pooled_vectors_are_taken_as_they_are(tmp_path: Path) -> None:
    result = await own(custom_folder(tmp_path / "mine", 768, pooled=True), "one", "one two", "two")
    assert np.allclose(result[0], result[1])
    assert not np.allclose(result[0], result[2])


async def test_more_than_768_dimensions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"MEMORY_LOCAL_MODEL_DIR.*769 dimensions"):
        await own(custom_folder(tmp_path / "big", 769), "one")


async def test_a_folders_name_tells_its_model(tmp_path: Path) -> None:
    first = custom_folder(tmp_path / "a" / "mine", 10)
    same = custom_folder(tmp_path / "b" / "mine", 10)
    other = custom_folder(tmp_path / "c" / "mine", 11)
    names = [LocalEmbedder(tmp_path, model_dir=folder).name for folder in (first, same, other)]
    assert names[0].startswith("local:mine-")
    assert names[0] == names[1] != names[2]
    (other / "tokenizer.json").write_text("{}")
    assert LocalEmbedder(tmp_path, model_dir=other).name != names[2]


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
async def test_a_folder_with_something_missing_or_broken_is_refused(tmp_path: Path, file: str) -> None:
    folder = custom_folder(tmp_path / "mine", 10)
    (folder / file).write_bytes(b"broken")
    with pytest.raises(InvalidInput, match="MEMORY_LOCAL_MODEL_DIR"):
        await own(folder, "one")
    (folder / file).unlink()
    with pytest.raises(InvalidInput, match="MEMORY_LOCAL_MODEL_DIR"):
        await own(folder, "one")
    with pytest.raises(InvalidInput, match="MEMORY_LOCAL_MODEL_DIR"):
        _ = LocalEmbedder(tmp_path, model_dir=folder).name


async def test_a_model_that_gives_nonsense_is_invalid_output(tmp_path: Path) -> None:
    folder = custom_folder(tmp_path / "mine", 10)
    model = load(folder / "model.onnx")
    model.graph.initializer[0].CopyFrom(
        numpy_helper.from_array(np.full((30522, 10), np.nan, dtype=np.float32), "table")
    )
    save(model, folder / "model.onnx")
    with pytest.raises(InvalidOutput, match="not finite"):
        await own(folder, "one")
    model.graph.initializer[0].CopyFrom(
        numpy_helper.from_array(np.ones((3, 10), dtype=np.float32), "table")  # ids beyond the table
    )
    save(model, folder / "model.onnx")
    with pytest.raises(InvalidOutput, match="failed"):
        await own(folder, "one")
