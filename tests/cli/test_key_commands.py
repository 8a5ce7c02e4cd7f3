"""`memory-service key …`, and the key that commands send to a running service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from memory_service.keys import key_id_of
from tests.acceptance.running import Service, nothing_left, run_command


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    data = tmp_path_factory.mktemp("keyed") / "data"
    with Service(data) as running:
        yield running
        assert running.stop() == 0
    nothing_left(data)


def test_a_life_of_a_key(service: Service) -> None:
    code, out, err = run_command(service.env, ("remember", "Anna sings.", "--bank", "anna"))
    assert code == 0, err
    code, out, err = run_command(
        service.env, ("key", "create", "--role", "read", "--bank", "anna", "--note", "for the kitchen")
    )
    key = out.strip()
    assert (code, key_id_of(key) is not None) == (0, True), err
    assert "is shown only now" in err

    bank = f"{service.address}/v1/banks/anna"
    headers = {"Authorization": f"Bearer {key}"}
    assert httpx.get(bank, headers=headers).status_code == 200
    assert httpx.get(bank).status_code == 401
    assert httpx.post(f"{bank}/messages", json={}, headers=headers).status_code == 403

    (service.data.parent / "key").write_text(f"{key}\n")
    in_file = {"MEMORY_API_KEY_FILE": str(service.data.parent / "key")}
    for extra in ({}, {"MEMORY_API_KEY": key}, in_file):  # by itself, and through the service
        code, out, err = run_command(
            {**service.env, **extra}, ("recall", "singing", "--bank", "anna", "--json")
        )
        assert code == 0, err
        assert json.loads(out)["items"][0]["content"] == "Anna sings."
    for extra in ({"MEMORY_API_KEY": key}, in_file):
        code, out, err = run_command({**service.env, **extra}, ("remember", "No.", "--bank", "anna"))
        assert (code, "this needs a key of role write" in err) == (1, True), err
    absent = {"MEMORY_API_KEY_FILE": str(service.data / "absent")}
    code, out, err = run_command({**service.env, **absent}, ("recall", "singing", "--bank", "anna"))
    assert (code, "MEMORY_API_KEY_FILE: " in err) == (2, True), err

    code, out, err = run_command(service.env, ("key", "rotate", key.split("_")[1], "--hours", "0", "--json"))
    rotated = json.loads(out)
    assert httpx.get(bank, headers={"Authorization": f"Bearer {rotated['key']}"}).status_code == 200
    code, out, err = run_command(service.env, ("key", "revoke", rotated["key_id"]))
    assert (code, "is revoked since" in out) == (0, True), err
    code, out, err = run_command(service.env, ("key", "list", "--json"))
    newest, oldest = json.loads(out)
    assert (newest["rotated_from"], oldest["note"]) == (oldest["key_id"], "for the kitchen")
    assert key[17:] not in out
    code, out, err = run_command(service.env, ("key", "list"))
    assert "for the kitchen" in out and newest["key_id"] in out and "revoked" in out  # noqa: PT018
    assert key[17:40] not in service.log.read_text()


def test_what_is_wrong_is_named(service: Service) -> None:
    for words, problem in (
        (("create", "--role", "owner", "--bank", "anna"), "role: must be one of"),
        (("create", "--role", "read", "--bank", "a/b"), "banks"),
        (("create", "--role", "read", "--bank", "a", "--expires", "tomorrow"), "--expires"),
        (("revoke", "nothing"), "key_id: there is no such key"),
        (("rotate", "nothing"), "key_id: there is no such key"),
    ):
        code, _, err = run_command(service.env, ("key", *words))
        assert code, words
        assert problem in err


def test_a_key_in_a_message_is_redacted(tmp_path: Path) -> None:
    from memory_service.keys import generate_key
    from memory_service.redaction import redact

    key = generate_key().key
    found = redact(f"My key is {key}, keep it.")
    assert (found.text, found.kinds) == (
        "My key is [redacted:memory_service_key], keep it.",
        ("memory_service_key",),
    )
    mistyped = key[:-1] + ("0" if key[-1] != "0" else "1")
    assert "memory_service_key" not in redact(f"Look at {mistyped}").kinds
