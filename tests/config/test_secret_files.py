"""Secrets in files: NAME_FILE instead of NAME."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_service.config import FROM_FILES, Settings, environment_of, load_settings
from memory_service.errors import InvalidInput
from memory_service.running_service import RunningService, digests


@pytest.mark.parametrize("name", FROM_FILES)
def test_the_secret_of_a_file_is_the_setting(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = "postgresql://a:hidden@h/d" if name == "DATABASE_URL" else "hidden-and-long-enough"
    (tmp_path / "secret").write_text(f"{value}\n")
    monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "secret"))
    settings = load_settings()
    found = getattr(settings, name.removeprefix("MEMORY_").lower())
    assert found.get_secret_value() == value
    assert "hidden" not in repr(settings)


def test_files_that_cannot_be_used_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").write_text(" \n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for path in ("empty", "binary", "absent", "."):
        monkeypatch.setenv("DATABASE_URL_FILE", str(tmp_path / path))
        with pytest.raises(InvalidInput, match=r"DATABASE_URL_FILE: .*(empty|cannot be read)"):
            load_settings()
    (tmp_path / "secret").write_text("one")
    monkeypatch.setenv("OPENAI_API_KEY_FILE", str(tmp_path / "secret"))
    monkeypatch.setenv("OPENAI_API_KEY", "two")
    monkeypatch.delenv("DATABASE_URL_FILE")
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY_FILE: is set, and so is OPENAI_API_KEY"):
        load_settings()


def test_an_invalid_secret_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("too-short")
    monkeypatch.setenv("MEMORY_METRICS_TOKEN_FILE", str(tmp_path / "secret"))
    with pytest.raises(InvalidInput, match="MEMORY_METRICS_TOKEN") as caught:
        load_settings()
    assert "too-short" not in str(caught.value)


def test_other_settings_have_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PORT_FILE", "/dev/null")
    with pytest.raises(InvalidInput, match="MEMORY_PORT_FILE: unknown setting"):
        load_settings()


def test_commands_do_not_call_a_service_on_another_database(tmp_path: Path) -> None:
    """A service whose URL is in a file, and a command without one."""
    folder = tmp_path.stat()
    service = RunningService(
        "http://127.0.0.1:1", 1, "x", "id", 1, folder.st_dev, folder.st_ino, "salt",
        digests({"DATABASE_URL_FILE": "/run/secrets/url"}, "salt"),
    )  # fmt: skip
    assert not service.matches({}, folder)


def test_a_child_process_reads_the_same_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a file, of the environment, of links of a container, and those that a program gave."""
    (tmp_path / "secret").write_text("postgresql://a:hidden@h/d")
    monkeypatch.setenv("DATABASE_URL_FILE", str(tmp_path / "secret"))
    monkeypatch.setenv("MEMORY_WORKERS", "3")
    monkeypatch.setenv("MEMORY_SERVICE_HOST", "10.0.0.1")
    monkeypatch.setenv("MEMORY_PORT", "tcp://10.0.0.1:80")
    given = {
        "data_dir": tmp_path,
        "gemini_api_key": "key",
        "allowed_origins": "https://a.example,https://b.example",
    }
    settings = Settings.model_validate(load_settings().model_dump(exclude_unset=True, by_alias=False) | given)
    child = environment_of(settings)
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in child.items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings
