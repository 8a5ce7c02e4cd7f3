"""`memory-service analyst …`, `sql` and `psql --role` on the embedded server."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.acceptance.running import Service, nothing_left, run_command

COUNT = "select bank_id, count(*) from memory_entry group by 1 order by 1"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    data = tmp_path_factory.mktemp("analysed") / "data"
    with Service(data) as running:
        for bank in ("anna", "ben"):
            code, _, err = run_command(
                running.env, ("remember", f"A memory of {bank}, with a comma.", "--bank", bank, "--create")
            )
            assert code == 0, err
        yield running
        assert running.stop() == 0
    nothing_left(data)


def test_a_query_prints_csv_or_json_of_the_named_banks(service: Service) -> None:
    code, out, err = run_command(service.env, ("sql", COUNT, "--bank", "anna", "--bank", "ben"))
    assert (code, out) == (0, "bank_id,count\nanna,1\nben,1\n"), err
    code, out, err = run_command(
        service.env, ("sql", "select content from memory_entry", "-b", "ben", "--csv")
    )
    assert list(csv.reader(out.splitlines())) == [["content"], ["A memory of ben, with a comma."]], err
    code, out, err = run_command(service.env, ("sql", COUNT, "--all", "--json"))
    assert json.loads(out) == [{"bank_id": "anna", "count": 1}, {"bank_id": "ben", "count": 1}], err


@pytest.mark.parametrize(
    ("words", "problem", "exit_code"),
    [
        ((), "name the banks", 2),
        (("--bank", "anna", "--all"), "not both", 2),
        (("--bank", "nobody"), "there is no bank nobody", 1),
    ],
)
def test_a_query_that_would_be_silently_empty_is_an_error(
    service: Service, words: tuple[str, ...], problem: str, exit_code: int
) -> None:
    code, out, err = run_command(service.env, ("sql", COUNT, *words))
    assert (code, out, problem in " ".join(err.split())) == (exit_code, "", True), err


def test_an_analyst_connects_to_the_embedded_server(service: Service) -> None:
    code, _, err = run_command(service.env, ("analyst", "grant", "joe", "--bank", "anna"))
    assert (code, "--create" in err) == (2, True), err
    code, _, err = run_command(service.env, ("analyst", "grant", "joe", "--bank", "anna", "--create"))
    assert code == 0, err
    code, out, err = run_command(service.env, ("analyst", "list", "--json"))
    assert json.loads(out) == [{"role": "joe", "banks": ["anna"], "can_log_in": True, "is_member": True}], err
    assert psql(service, "select bank_id from analytics.memory_entry") == (0, "anna", "")
    assert "permission denied" in psql(service, "delete from memory.bank")[2]
    code, _, err = run_command(service.env, ("analyst", "revoke", "joe"))
    assert code == 0, err
    assert "permission denied" in psql(service, "select bank_id from analytics.memory_entry")[2]
    code, out, err = run_command(service.env, ("analyst", "list", "--json"))
    assert json.loads(out) == [], err


def psql(service: Service, query: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a query as joe."""
    done = subprocess.run(
        [sys.executable, "-m", "memory_service", "psql", "--role", "joe"],
        env={**service.env, "PSQLRC": "/dev/null"},
        input=f"\\pset tuples_only\n\\pset format unaligned\n\\pset footer off\n{query};\n",
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout.strip().splitlines()[-1], done.stderr
