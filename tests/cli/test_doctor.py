"""`doctor` on a healthy service, and each fault made for real."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from memory_service import doctor
from memory_service.config import Settings
from memory_service.doctor import Finding, examine
from memory_service.memory import Memory
from tests.acceptance.running import run_command
from tests.conftest import Admin, empty_database


async def findings(settings: Settings, **changes: object) -> dict[str, Finding]:
    """By check."""
    found = await asyncio.to_thread(examine, settings.model_copy(update=changes))
    for one in found:
        assert (one.remedy is None) is (one.level == "ok"), one
        assert "\n" not in one.text
    return {one.check: one for one in found}


def at_database(settings: Settings, url: str) -> Settings:
    return settings.model_copy(update={"database_url": SecretStr(url)})


def night(admin: Admin, name: str, *, hours: int) -> None:
    """A run of a pass without failures, some hours ago."""
    admin.execute(
        "insert into memory.job_run (job_run_id, night_id, pass, as_of, started_at, ended_at, seconds, outcome, "
        "failed, bank_ids, worker) "
        "select gen_random_uuid(), gen_random_uuid(), %s, at, at, at, 1, 'done', 0, '{}', 'w' "
        "from (select now() - make_interval(hours => %s) as at)",
        (name, hours),
    )


async def test_a_healthy_service(memory: Memory, settings: Settings, admin: Admin) -> None:
    for name in ("consolidate", "budget"):
        night(admin, name, hours=1)
    found = await findings(settings)
    assert {name: one.level for name, one in found.items()} == dict.fromkeys(
        ("database", "clock", "pgvector", "migration", "roles", "queue", "nightly run", "keys", "models", "service",
         "disk"), "ok",
    )  # fmt: skip
    assert "row security applies" in found["roles"].text


async def test_the_queue(memory: Memory, settings: Settings, admin: Admin) -> None:
    await memory.create_bank("anna")
    await memory.remember("anna", "Anna sings.")
    assert (await findings(settings))["queue"].level == "ok"
    admin.execute("update memory.work set enqueued_at = now() - interval '1 hour'")
    found = await findings(settings)
    assert (found["queue"].level, "3600 s" in found["queue"].text) == ("warning", True)
    admin.execute("update memory.work set dead_at = now(), last_error = 'no'")
    found = await findings(settings)
    assert found["dead letters"].level == "warning"
    assert "redrive" in (found["dead letters"].remedy or "")


async def test_the_nightly_run(memory: Memory, settings: Settings, admin: Admin) -> None:
    assert "never run" in (await findings(settings))["nightly run"].text
    night(admin, "budget", hours=72)
    found = (await findings(settings))["nightly run"]
    assert (found.level, "budget" in found.text) == ("warning", True)


async def test_keys_and_the_address(memory: Memory, settings: Settings) -> None:
    assert (await findings(settings, host="0.0.0.0"))["keys"].level == "error"
    key = await memory.create_key("read", ["*"])
    found = await findings(settings, host="0.0.0.0")
    assert found["keys"].level == "ok"
    assert key.key not in str(found)


async def test_migrations(memory: Memory, settings: Settings, admin: Admin, server_url: str) -> None:
    admin.execute("update memory.installation set api_version = 1")
    found = (await findings(settings))["migration"]
    assert (found.level, found.remedy) == ("error", "run `memory-service migrate`")
    admin.execute("update memory.installation set api_version = 1000")
    assert (await findings(settings))["migration"].remedy == "update this release"
    with empty_database(server_url) as empty:
        found = await findings(at_database(settings, empty))
        assert (found["migration"].level, "never migrated" in found["migration"].text) == ("error", True)
        assert found["pgvector"].level == "error"


async def test_an_old_pgvector(memory: Memory, settings: Settings, admin: Admin) -> None:
    admin.execute("update pg_extension set extversion = '0.8.3' where extname = 'vector'")
    found = (await findings(settings))["pgvector"]
    assert (found.level, "searched exactly" in found.text) == ("warning", True)
    admin.execute("update pg_extension set extversion = '0.7.4' where extname = 'vector'")
    assert (await findings(settings))["pgvector"].level == "error"


async def test_a_database_that_does_not_answer(settings: Settings) -> None:
    found = await findings(at_database(settings, "postgresql://anna:hidden@127.0.0.1:1/x"))
    assert (found["database"].level, "hidden" in str(found)) == ("error", False)
    assert {"models", "disk", "service"} <= found.keys()


async def test_models_clock_and_disk(
    memory: Memory, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = await findings(settings, embedding_model="no-such-model")
    assert (found["models"].level, "MEMORY_EMBEDDING_MODEL" in found["models"].text) == ("error", True)
    monkeypatch.setattr(doctor, "CLOCK_SECONDS", -1.0)
    monkeypatch.setattr(doctor, "LOW_FREE_BYTES", 2**60)
    found = await findings(settings, data_dir=tmp_path / "absent")
    assert (found["clock"].level, found["disk"].level) == ("warning", "warning")


def test_the_command_exits_by_the_worst_finding(tmp_path: Path) -> None:
    environment = {"MEMORY_DATA_DIR": str(tmp_path / "data"), "DATABASE_URL": "postgresql://a@127.0.0.1:1/x"}
    code, out, _ = run_command(environment, ("doctor",))
    assert (code, out.startswith("error   database: ")) == (1, True)
    code, out, _ = run_command(environment, ("doctor", "--json"))
    assert (code, json.loads(out)[0]["level"]) == (1, "error")


async def test_a_half_copied_bank(memory: Memory, settings: Settings, admin: Admin) -> None:
    await memory.create_bank("anna")
    await memory.store.banks.register_embedding_model("other", 768)
    await memory.store.reembeddings.start("anna", "other", 7, 0)
    found = await findings(settings)
    assert found["re-embedding"].text.startswith(
        "banks half copied to another model: 1, the longest for 0.0 hours"
    )
    stats = await memory.stats("anna")
    assert (stats["reembedding"].get("status"), stats["reembedding"].get("texts")) == ("copying", 0)
    await memory.end_reembedding("anna")
    assert "former vectors" not in await findings(settings)
    admin.execute("update memory.reembedding set keep_until = now() - interval '40 hours'")
    found = await findings(settings)
    assert ("re-embedding" in found, found["former vectors"].level) == (False, "warning")
