"""Which index answers what, in the plans that really ran: caught by auto_explain inside the functions."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Jsonb

from tests.conftest import Admin, cloned
from tests.db import steps
from tests.db.steps import MODEL, START, Connection

FILL = """
insert into memory.bank (bank_id, embedding_model) select 'bank' || b, %(model)s from generate_series(1, 160) b;
insert into memory.conversation (bank_id, conversation_id)
select 'bank' || b, 'c' || c from generate_series(1, 160) b, generate_series(1, 20) c;
insert into memory.message
    (bank_id, message_id, conversation_id, position, role, content, occurred_at, recorded_at, segment_id)
select 'bank' || b, gen_random_uuid(), 'c' || n %% 20 + 1, n, 'user', 'message ' || n, %(at)s, %(at)s,
       case when n <= 60 then gen_random_uuid() end
  from generate_series(1, 160) b, generate_series(1, 80) n;
insert into memory.episodic_memory
    (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, summary, importance)
select 'bank' || b, gen_random_uuid(), 'user', 'active', %(at)s - n * interval '1 hour', %(at)s, '{}', 'a summary', 0.5
  from generate_series(1, 160) b, generate_series(1, 40) n;
insert into memory.episodic_memory
    (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, summary, importance)
select 'bank1', gen_random_uuid(), 'user', 'active', %(at)s - n * interval '1 hour', %(at)s, '{}', 'a summary', 0.5
  from generate_series(41, 1200) n;
insert into memory.semantic_memory
    (bank_id, memory_id, fact, timeline, fingerprint, status, confidence, occurred_at, recorded_at, first_observed,
     last_confirmed, valid_from, source)
select 'bank' || b, gen_random_uuid(), 'a fact', 'text|' || n, n, 'tentative', 0.9, %(at)s - n * interval '1 hour',
       %(at)s, %(at)s, %(at)s, %(at)s - interval '1 year', 'user'
  from generate_series(1, 160) b, generate_series(1, 25) n;
insert into memory.fact_evidence (bank_id, fact_id, episode_id, importance, occurred_at, recorded_at)
select bank_id, memory_id, gen_random_uuid(), 0.5, occurred_at, recorded_at
  from memory.semantic_memory, generate_series(1, 2);
insert into memory.fact_conflict (bank_id, one_id, other_id, rule, handling, found_by, recorded_at)
select o.bank_id, o.memory_id, t.memory_id, 'rule', 'newer_wins', 'rules', %(at)s
  from memory.semantic_memory o
  join memory.semantic_memory t
    on t.bank_id = o.bank_id and t.memory_id > o.memory_id and t.fingerprint = o.fingerprint + 1;
insert into memory.clarification (bank_id, clarification_id, one_id, other_id, question, importance, created_at)
select bank_id, gen_random_uuid(), one_id, other_id, 'which?', 0.9, recorded_at from memory.fact_conflict;
insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
select bank_id, memory_id, %(model)s, tier,
       array_fill(random()::real, array[768])::public.vector(768)::public.halfvec(768)
  from (select bank_id, memory_id, 'episodic' as tier from memory.episodic_memory
        union all select bank_id, memory_id, 'semantic' from memory.semantic_memory) as m;
insert into memory.memory_text (bank_id, memory_id, tier, search)
select bank_id, memory_id, 'episodic',
       to_tsvector('english', 'word' || extract(day from occurred_at) || extract(hour from occurred_at))
       || array_to_tsvector(array[' ' || bank_id])
  from memory.episodic_memory;
insert into memory.memory_text (bank_id, memory_id, tier, search)
select bank_id, memory_id, 'semantic', to_tsvector('english', fact) || array_to_tsvector(array[' ' || bank_id])
  from memory.semantic_memory;
insert into memory.word_count (bank_id, word, memories)
select bank_id, word, count(*)
  from memory.memory_text, unnest(tsvector_to_array(search)) as word
 group by bank_id, word;
insert into memory.work (bank_id, kind, subject, not_before, enqueued_at)
select 'bank' || b, k, 's' || n, %(at)s, %(at)s
  from generate_series(1, 160) b, generate_series(1, 60) n, unnest(array['segment', 'embed']) k;
analyze memory.bank, memory.conversation, memory.message, memory.episodic_memory, memory.memory_vector,
    memory.memory_text, memory.word_count, memory.semantic_memory, memory.fact_evidence, memory.fact_conflict,
    memory.clarification, memory.work;
"""

NEAREST = "limit 4 * fetch_count)"
MATCHING = "m.search @@ finding_here"
FIGURES = "ts_rank(label_weights, m.words, t.term)"
SHOWN = "'semantic', f.fact"
SALIENT = "f.recency as stored"
WEIGHED = "f.other_terms as stored"


class Observed:
    """A connection as the service that keeps the plan of every statement it runs, however deep."""

    def __init__(self, admin: Admin) -> None:
        self.connection: Connection = admin
        self.plans: list[dict[str, Any]] = []
        admin.execute("load 'auto_explain'")
        for name, value in (
            ("auto_explain.log_min_duration", "0"), ("auto_explain.log_nested_statements", "on"),
            ("auto_explain.log_format", "json"), ("auto_explain.log_level", "notice"),
        ):  # fmt: skip
            admin.execute("select set_config(%s, %s, false)", (name, value))
        admin.add_notice_handler(self.keep)
        admin.execute("set role memory_service")

    def keep(self, notice: psycopg.errors.Diagnostic) -> None:
        found = re.match(r"duration: .*?plan:\n(.*)", notice.message_primary or "", re.DOTALL)
        if found is not None:
            self.plans.append(json.loads(found[1]))

    def nodes(self, text: str) -> list[dict[str, Any]]:
        """The nodes of the one plan whose statement contains `text`."""
        (plan,) = (p for p in self.plans if text in p["Query Text"])
        return list(flat(plan["Plan"]))


def flat(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", []):
        yield from flat(child)


def indexes(nodes: list[dict[str, Any]]) -> set[str]:
    return {node["Index Name"] for node in nodes if "Index Name" in node}


def scanned(nodes: list[dict[str, Any]]) -> set[str]:
    return {node["Relation Name"] for node in nodes if "Relation Name" in node}


def read_in_full(observed: Observed) -> set[str]:
    """Big tables that any statement read from end to end."""
    nodes = [node for plan in observed.plans for node in flat(plan["Plan"])]
    return {n["Relation Name"] for n in nodes if n["Node Type"] == "Seq Scan"} - {"bank", "embedding_model"}


def links_of(observed: Observed) -> list[dict[str, Any]]:
    """The part of a list's plan that looks up links."""
    plans = [node for node in observed.nodes("limit $2") if node.get("Parent Relationship") == "SubPlan"]
    return [node for plan in plans for node in flat(plan)]


@pytest.fixture(scope="module")
def filled(server_url: str, template: str) -> Iterator[str]:
    """The name of a database with thousands of rows in many banks: filling one takes 2 s of processor time."""
    with cloned(server_url, template) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in FILL.split(";\n")[:-1]:
                values = {"model": MODEL, "at": START} if "%(" in statement else None
                connection.execute(statement.encode(), values)
        yield str(conninfo_to_dict(url)["dbname"])


@pytest.fixture
def database_url(server_url: str, filled: str) -> Iterator[str]:
    """A clone of the filled database for each test."""
    with cloned(server_url, filled) as url:
        yield url


@pytest.fixture
def observed(admin: Admin) -> Observed:
    """An observed connection to a clone of the filled database."""
    try:
        return Observed(admin)
    except psycopg.errors.UndefinedFile:
        pytest.skip("this server has no auto_explain")


def test_the_delay_of_intake_is_read_from_an_index(observed: Observed) -> None:
    assert steps.value(observed.connection, "intake_delay") > 0
    nodes = observed.nodes("oldest.not_before")
    assert indexes(nodes) == {"work_newest_idx"}
    assert read_in_full(observed) == set()


def test_claiming_probes_the_ready_index(observed: Observed) -> None:
    assert len(steps.claim(observed.connection, batch=32, per_bank=8, tried=False)) == 32
    probes = [p for p in observed.plans if "order by w.bank_id" in p["Query Text"]]
    found = [p for p in observed.plans if "order by r.not_before" in p["Query Text"]]
    newest = [p for p in observed.plans if "order by w.not_before desc" in p["Query Text"]]
    taken = [p for p in observed.plans if "skip locked" in p["Query Text"]]
    assert (len(probes) >= 2, len(found) >= 2, len(newest), len(taken) >= 4) == (True, True, 1, True)
    assert {name for p in probes + found for name in indexes(list(flat(p["Plan"])))} == {"work_ready_idx"}
    assert indexes(list(flat(newest[0]["Plan"]))) == {"work_newest_idx"}
    assert all("Tid Scan" in {n["Node Type"] for n in flat(p["Plan"])} for p in taken)
    assert read_in_full(observed) == set()


def test_stats_count_in_indexes(admin: Admin, observed: Observed) -> None:
    admin.execute("reset role")
    steps.value(observed.connection, "bank_stats", bank="bank1", at=START)
    assert "message_status_idx" in {name for p in observed.plans for name in indexes(list(flat(p["Plan"])))}
    assert not read_in_full(observed) & {"work", "message"}


def test_cutting_reads_only_what_lies_beyond_the_mark(admin: Admin, observed: Observed) -> None:
    """However long the conversation has become: one row here, of five in a conversation."""
    admin.execute("reset role")
    admin.execute(
        "update memory.conversation c set segmented_through = (select max(position) from memory.message m "
        "where (m.bank_id, m.conversation_id) = (c.bank_id, c.conversation_id))"
    )
    admin.execute("set role memory_service")
    steps.add(observed.connection, "bank1", "c1", ["one"])
    lease = next(x for x in steps.claim(observed.connection, per_bank=3000, batch=3000) if x.subject == "c1")
    observed.plans.clear()
    steps.segment_conversation(observed.connection, lease)
    reads = [n for n in observed.nodes("with pending_messages as") if n.get("Index Name") == "message_pkey"]
    assert any("position" in scan["Index Cond"] and ">" in scan["Index Cond"] for scan in reads)
    assert read_in_full(observed) == set()


def test_a_list_comes_from_the_newest_indexes_without_sorting(observed: Observed) -> None:
    steps.rows(observed.connection, "list_memories", bank="bank1", page=20)
    nodes = [node for node in observed.nodes("limit $2") if node not in links_of(observed)]
    assert indexes(nodes) == {
        "episodic_memory_newest_idx",
        "semantic_memory_newest_idx",
        "procedural_memory_newest_idx",
    }
    assert "Sort" not in {node["Node Type"] for node in nodes}


def test_activation_is_planned_once_and_reads_its_own_bank_by_index(observed: Observed) -> None:
    """Plans of 20 statements, made anew at each call, took longer than running them."""
    service = observed.connection
    service.execute("reset role")
    service.execute("delete from memory.work")
    service.execute("set role memory_service")
    for n in range(2):
        one = {"summary": f"Maria bought boat {n} from Tom.", "entities": ["Maria", "Tom"]}
        lease = steps.pending(service, "bank1", one)
        observed.plans.clear()
        assert steps.activate(service, "bank1", lease) == 1
    nodes = [node for plan in observed.plans for node in flat(plan["Plan"])]
    assert {"episodic_memory_pkey", "memory_vector_14_pkey", "memory_entity_pkey"} <= indexes(nodes)
    assert read_in_full(observed) == set()
    for function in ("activate_episodes", "link_episodes", "nearest_episodes"):
        settings = service.execute("select proconfig from pg_proc where proname = %s", (function,)).fetchone()
        assert settings is not None
        assert "plan_cache_mode=force_generic_plan" in settings[0]


def test_a_compaction_reads_its_own_bank_once(observed: Observed) -> None:
    steps.rows(
        observed.connection, "compaction_candidates", bank="bank1", recipient="Tom", purpose="birthday",
        statuses=["active", "archived"], fetch_count=20, importance_weight=0.6, recency_weight=0.4, recency_days=30.0,
    )  # fmt: skip
    nodes = observed.nodes("classified as")
    reads = [n for n in nodes if n.get("Relation Name") == "episodic_memory"]
    assert all("bank_id" in n.get("Index Cond", n.get("Recheck Cond", "")) for n in reads)
    assert len(reads) == 2, "all rows once, then those that are returned"
    assert read_in_full(observed) == set()


@pytest.mark.parametrize(
    "filters",
    [{}, {"statuses": ["archived"]}, {"after_at": "2025-12-31 12:00Z", "after_id": uuid.UUID(int=0)}],
)
def test_links_are_looked_up_by_index_for_the_rows_that_are_shown(
    admin: Admin, observed: Observed, filters: dict[str, Any]
) -> None:
    """Not for the row beyond them, for those that a filter takes out, or for those of other pages."""
    admin.execute("reset role")
    admin.execute(
        "update memory.episodic_memory set status = 'archived' where extract(hour from occurred_at) < 12"
    )
    admin.execute("select set_config('auto_explain.log_analyze', 'on', false)")
    admin.execute("set role memory_service")
    steps.rows(observed.connection, "list_memories", bank="bank1", page=10, types=["episodic"], **filters)
    scans = [node for node in links_of(observed) if "Index Name" in node and node["Actual Loops"]]
    assert {node["Index Name"] for node in scans} == {"memory_link_pkey", "memory_link_linked_idx"}
    assert {node["Actual Loops"] for node in scans} == {10}
    assert "memory_link" not in read_in_full(observed)


def test_of_two_types_links_are_looked_up_for_a_page_and_the_next(admin: Admin, observed: Observed) -> None:
    admin.execute("reset role")
    admin.execute("select set_config('auto_explain.log_analyze', 'on', false)")
    admin.execute("set role memory_service")
    found = steps.rows(observed.connection, "list_memories", bank="bank1", page=10)
    assert len(found) == 10
    loops = {node["Index Name"]: node["Actual Loops"] for node in links_of(observed) if "Index Name" in node}
    assert loops.keys() == {
        "memory_link_pkey",
        "memory_link_linked_idx",
        "fact_evidence_pkey",
        "procedure_evidence_pkey",
    }
    assert loops["memory_link_pkey"] + loops["fact_evidence_pkey"] <= 11


def test_a_later_page_begins_where_the_last_one_ended(observed: Observed) -> None:
    steps.rows(
        observed.connection, "list_memories", bank="bank1", page=20,
        after_at="2025-12-20 00:00Z", after_id="00000000-0000-0000-0000-000000000000",
    )  # fmt: skip
    (scan,) = [n for n in observed.nodes("limit $2") if n.get("Index Name") == "episodic_memory_newest_idx"]
    assert "occurred_at" in scan["Index Cond"]


@pytest.mark.parametrize("mode", ["auto", "force_generic_plan"])
@pytest.mark.parametrize(
    ("arguments", "index", "condition"),
    [
        ({}, "newest_idx", "ROW(occurred_at, memory_id) <"),
        ({"by_importance": True, "after_importance": 0.5}, "importance_idx",
         "ROW(importance, occurred_at, memory_id) <"),
    ],
)  # fmt: skip
def test_each_order_has_its_index_whatever_the_session_prefers(
    observed: Observed, mode: str, arguments: dict[str, Any], index: str, condition: str
) -> None:
    """A cached plan would take the place for a filter."""
    observed.connection.execute(f"set plan_cache_mode = {mode}".encode())
    steps.rows(
        observed.connection, "list_memories", bank="bank1", page=5, after_at="2025-12-31 20:00Z",
        after_id=uuid.UUID(int=0), statuses=["active", "tentative"], **arguments,
    )  # fmt: skip
    nodes = [node for node in observed.nodes("limit $2") if node not in links_of(observed)]
    assert indexes(nodes) == {f"{table}_memory_{index}" for table in ("episodic", "semantic", "procedural")}
    assert all(condition in node["Index Cond"] for node in nodes if "Index Name" in node)
    assert {node["Node Type"] for node in nodes} <= {
        "Limit", "Merge Append", "Result", "Subquery Scan", "Index Scan",
    }  # fmt: skip


def test_traces_are_listed_and_expired_by_their_indexes(admin: Admin, observed: Observed) -> None:
    admin.execute("reset role")
    admin.execute(
        "insert into memory.retrieval_trace (bank_id, trace_id, kind, query, profile, mode, candidates, returned, "
        "degraded, at) select 'bank' || b, gen_random_uuid(), 'recall', 'q', 'p', 'tool', '[]', 0, false, "
        "%s - n * interval '1 hour' from generate_series(1, 160) b, generate_series(1, 50) n",
        (START,),
    )
    admin.execute("analyze memory.retrieval_trace")
    admin.execute("set role memory_service")
    observed.plans.clear()
    steps.rows(observed.connection, "list_traces", bank="bank1", page=5)
    steps.rows(observed.connection, "expire_traces", bank="bank1", days=2, query_days=1, page=5, at=START)
    steps.rows(observed.connection, "banks_with_expired_traces", days=90, query_days=80, at=START)
    used = {name for plan in observed.plans for name in indexes(list(flat(plan["Plan"])))}
    assert {"retrieval_trace_pkey", "retrieval_trace_newest_idx", "retrieval_trace_query_idx"} <= used
    assert read_in_full(observed) == set()


def test_a_trace_is_written_by_probes_of_keys(admin: Admin, observed: Observed) -> None:
    """By the plan that is made once for each connection, also while the tables are small."""
    admin.execute("reset role")
    seen = [
        str(row[0])
        for row in admin.execute(
            "select memory_id from memory.episodic_memory where bank_id = 'bank1' order by memory_id limit 20"
        )
    ]
    admin.execute("truncate memory.episodic_memory cascade")
    admin.execute("analyze memory.episodic_memory, memory.semantic_memory, memory.retrieval_trace")
    admin.execute("set role memory_service")
    trace = {
        "trace_id": str(uuid.UUID(int=1)), "kind": "recall", "query": "q", "profile": "balanced", "mode": "tool",
        "candidates": json.dumps({"memory_id": seen, "score": [1] * 20, "figures": {}}), "returned": 20,
        "degraded": False, "figures": {}, "parameters": {"k": 20}, "seen": seen,
    }  # fmt: skip
    observed.plans.clear()
    steps.rows(observed.connection, "record_traces", bank="bank1", traces=Jsonb([trace]), at=START)
    used = {re.sub(r"_\d\d_", "_", name) for p in observed.plans for name in indexes(list(flat(p["Plan"])))}
    assert "episodic_memory_pkey" in used
    assert read_in_full(observed) == set()


def test_recall_reads_one_partition_by_its_bank(admin: Admin, observed: Observed) -> None:
    """Of several banks in that partition: one that fills it alone is rightly read from end to end."""
    admin.execute("reset role")
    crowded = (
        "select min(bank_id) from memory.memory_vector where tableoid <> "
        "(select tableoid from memory.memory_vector where bank_id = 'bank1' limit 1) "
        "group by tableoid order by count(*) desc limit 1"
    )
    (bank,) = admin.execute(crowded).fetchone() or ("",)
    admin.execute("set role memory_service")
    observed.plans.clear()
    assert len(steps.recall(observed.connection, str(bank), steps.unit_vector(3))) == 20
    nodes = observed.nodes(NEAREST)
    (partition,) = {name for name in scanned(nodes) if name.startswith("memory_vector")}
    assert f"{partition}_pkey" in indexes(nodes)
    assert partition not in read_in_full(observed)


def test_a_large_bank_is_searched_by_its_hnsw_index(admin: Admin, observed: Observed) -> None:
    """Until as many are found as are wanted, though half of the memories are not: no vector is compared one by one."""
    admin.execute("reset role")
    admin.execute(
        "update memory.episodic_memory set status = 'archived' where extract(hour from occurred_at) < 12"
    )
    admin.execute("set role memory_service")
    while steps.value(
        observed.connection,
        "extend_vector_index",
        bank="bank1",
        model=MODEL,
        page=500,
        enter_above=1000,
        at=START,
    ):
        pass
    admin.execute("reset role")
    admin.execute("analyze memory.indexed_vector")
    admin.execute("select set_config('auto_explain.log_analyze', 'on', false)")
    admin.execute("set role memory_service")
    observed.plans.clear()
    assert len(steps.recall(observed.connection, "bank1", steps.unit_vector(3))) == 20
    nodes = observed.nodes("from memory.indexed_vector v")
    assert {re.sub(r"_\d\d_", "_", name) for name in indexes(nodes)} == {
        "indexed_vector_embedding_idx", "episodic_memory_pkey", "semantic_memory_pkey",
    }  # fmt: skip
    assert [n["Actual Rows"] for n in nodes if n["Node Type"] == "Subquery Scan"] == [20]
    assert not [plan for plan in observed.plans if "from memory.memory_vector v" in plan["Query Text"]]


def test_of_a_large_bank_only_what_passes_a_filter_is_compared(admin: Admin, observed: Observed) -> None:
    while steps.value(
        observed.connection, "extend_vector_index", bank="bank1", model=MODEL, page=500, enter_above=1000, at=START
    ):  # fmt: skip
        pass
    admin.execute("reset role")
    admin.execute(
        "update memory.episodic_memory set tags = '{rare}' "
        "where bank_id = 'bank1' and extract(hour from occurred_at) = 1"
    )
    admin.execute("select set_config('auto_explain.log_analyze', 'on', false)")
    admin.execute("set role memory_service")
    observed.plans.clear()
    found = steps.recall(observed.connection, "bank1", steps.unit_vector(3), tags=["rare"], fetch_count=100)
    assert len(found) == 50
    nodes = observed.nodes("v.memory_id = any (memories)")
    (scan,) = [node for node in nodes if "Index Name" in node and node["Actual Loops"]]
    assert re.fullmatch(r"memory_vector_\d\d_pkey", scan["Index Name"])
    assert "memory_id = ANY" in scan["Index Cond"]
    assert scan["Actual Rows"] == 50
    assert not [plan for plan in observed.plans if "from memory.indexed_vector v" in plan["Query Text"]]


NEAR = """
update memory.episodic_memory set tags = '{usual,far}' where bank_id = 'bank1';
insert into memory.episodic_memory
    (bank_id, memory_id, source, status, occurred_at, recorded_at, full_text, summary, importance, tags)
select 'bank1', md5('near' || n)::uuid, 'user', 'active', %(at)s, %(at)s, '{}', 'near', 0.5,
       array_remove(array[case when n %% 20 <> 0 then 'usual' end, case when n > 60 then 'far' end], null)
  from generate_series(1, 2200) n;
insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding)
select 'bank1', md5('near' || n)::uuid, %(model)s, 'episodic',
       (array[0, 0, 0, 1, n / 100.0] || array_fill(0.0, array[763]))::public.vector(768)::public.halfvec(768)
  from generate_series(1, 2200) n;
"""
"""Memories of bank1 by their distance from the vector of axis 3, nearer than the others, which pass any filter."""


@pytest.fixture
def nearby(admin: Admin, observed: Observed) -> Observed:
    """A large bank with 2,200 more memories than other tests have; `auto_explain` counts rows."""
    admin.execute("reset role")
    for statement in NEAR.split(";\n")[:-1]:
        admin.execute(statement.encode(), {"model": MODEL, "at": START})
    admin.execute("analyze memory.episodic_memory")
    admin.execute("set role memory_service")
    while steps.value(
        observed.connection, "extend_vector_index", bank="bank1", model=MODEL, page=500, enter_above=1000, at=START
    ):  # fmt: skip
        pass
    admin.execute("reset role")
    admin.execute("select set_config('auto_explain.log_analyze', 'on', false)")
    admin.execute("set role memory_service")
    observed.plans.clear()
    return observed


def near(numbers: Iterable[int]) -> set[uuid.UUID]:
    return {uuid.UUID(hashlib.md5(f"near{n}".encode()).hexdigest()) for n in numbers}


def rows_read(observed: Observed, statement: str) -> list[int]:
    """The rows that the scan of each plan of this statement returned."""
    plans = [list(flat(plan["Plan"])) for plan in observed.plans if statement in plan["Query Text"]]
    return [
        next(n["Actual Rows"] for n in nodes if "Scan" in n["Node Type"] and n.get("Relation Name"))
        for nodes in plans
    ]


def test_a_filter_that_most_pass_is_applied_to_what_the_index_returns(nearby: Observed) -> None:
    """As many more are read as do not pass; the memories that pass are not listed."""
    found = steps.recall(nearby.connection, "bank1", steps.unit_vector(3), tags=["usual"], fetch_count=20)
    assert set(found) == near(n for n in range(1, 22) if n != 20)
    assert rows_read(nearby, "from memory.indexed_vector v") == [22]
    assert rows_read(nearby, "limit exact_filter_limit + 1") == []
    assert not [plan for plan in nearby.plans if "from memory.memory_vector v" in plan["Query Text"]]


def test_a_filter_that_the_nearest_do_not_pass_leaves_the_index(nearby: Observed) -> None:
    """The memories that pass are then compared one by one."""
    found = steps.recall(nearby.connection, "bank1", steps.unit_vector(3), tags=["far"], fetch_count=20)
    assert set(found) == near(range(61, 81))
    assert rows_read(nearby, "from memory.indexed_vector v") == [51]
    assert rows_read(nearby, "limit exact_filter_limit + 1") == [3340]
    assert rows_read(nearby, "v.memory_id = any (memories)") == [3340]


def test_recall_is_planned_for_its_bank_whatever_the_session_prefers(observed: Observed) -> None:
    """A cached plan assumes an average bank."""
    observed.connection.execute("set plan_cache_mode = force_generic_plan")
    steps.recall(observed.connection, "bank1")
    conditions = [n["Index Cond"] for n in observed.nodes(NEAREST) if "Index Cond" in n]
    assert any("'bank1'" in condition for condition in conditions)
    assert not any("$" in condition for condition in conditions)


def test_recall_finds_words_by_one_probe_within_the_bank(observed: Observed) -> None:
    """Of a partition that holds the same words for other banks too."""
    steps.recall(observed.connection, "bank1", words="word317 word3123")
    (probe,) = [node for node in observed.nodes(MATCHING) if node["Node Type"] == "Bitmap Index Scan"]
    assert re.fullmatch(r"memory_text_\d\d_search_idx", probe["Index Name"])
    assert "''' bank1'' & (" in next(
        n["Recheck Cond"] for n in observed.nodes(MATCHING) if n["Node Type"] == "Bitmap Heap Scan"
    )
    assert not any(name.startswith("memory_text") for name in read_in_full(observed))


def test_words_of_a_large_bank_are_found_by_one_probe_within_the_bank(observed: Observed) -> None:
    while steps.value(
        observed.connection, "extend_vector_index", bank="bank1", model=MODEL, page=500, enter_above=1000, at=START
    ):  # fmt: skip
        pass
    observed.plans.clear()
    steps.recall(observed.connection, "bank1", words="word317 word3123")
    nodes = observed.nodes("t.search @@ finding_here")
    (probe,) = [node for node in nodes if node["Node Type"] == "Bitmap Index Scan"]
    assert re.fullmatch(r"memory_text_\d\d_search_idx", probe["Index Name"])
    assert "''' bank1'' & (" in next(n["Recheck Cond"] for n in nodes if n["Node Type"] == "Bitmap Heap Scan")
    assert not any(name.startswith("memory_text") for name in read_in_full(observed))
    assert not [plan for plan in observed.plans if MATCHING in plan["Query Text"]]


def test_words_are_weighed_by_probes_of_their_counts(observed: Observed) -> None:
    steps.recall(observed.connection, "bank1", words="word317 word3123")
    nodes = observed.nodes("to_tsvector(language, words)")
    assert (indexes(nodes), scanned(nodes)) == ({"word_count_pkey"}, {"word_count"})
    conditions = [node["Index Cond"] for node in nodes if "Index Cond" in node]
    assert len(conditions) == 2  # of the bank itself, and of each word
    assert all("bank_id" in condition and "word" in condition for condition in conditions)
    assert "word_count" not in read_in_full(observed)


def test_similar_words_are_found_by_ranges_of_both_indexes(observed: Observed) -> None:
    steps.recall(observed.connection, "bank1", words="wrod317 word317x", doubtful=["wrod317", "word317x"])
    plans = [plan for plan in observed.plans if "reverse(w.word) >= tail" in plan["Query Text"]]
    assert len(plans) == 2
    for plan in plans:
        nodes = list(flat(plan["Plan"]))
        ranges = [n for n in nodes if n.get("Relation Name") == "word_count"]
        assert {n["Index Name"] for n in ranges} == {"word_count_pkey", "word_count_reverse_idx"}
        assert all("bank_id" in n["Index Cond"] and "word" in n["Index Cond"] for n in ranges)
        assert "Sort" not in {n["Node Type"] for n in nodes if n.get("Parent Relationship") == "Subquery"}
    assert "word_count" not in read_in_full(observed)


def test_similar_words_are_not_looked_up_where_no_word_is_doubtful(observed: Observed) -> None:
    steps.recall(observed.connection, "bank1", words="wrod317 word317")
    assert not [plan for plan in observed.plans if "reverse(w.word)" in plan["Query Text"]]


def test_a_candidate_is_judged_by_probes_of_keys(observed: Observed) -> None:
    steps.recall(observed.connection, "bank1", words="word317")
    nodes = observed.nodes(FIGURES)
    together = {n["Index Name"] for n in nodes if "ANY" in n.get("Index Cond", "")}
    assert {re.sub(r"_\d\d_", "_", name) for name in together} == {"memory_text_pkey", "memory_vector_pkey"}
    assert {n["Node Type"] for n in nodes if "Join" in n["Node Type"]} == {"Hash Join"}
    probes = indexes(nodes)
    assert {re.sub(r"_\d\d_", "_", name) for name in probes} == {
        "memory_text_pkey", "memory_vector_pkey",
    }  # fmt: skip
    probes = indexes(observed.nodes(SHOWN))
    assert probes == {
        "episodic_memory_pkey", "semantic_memory_pkey", "fact_conflict_pkey", "fact_conflict_other_idx",
    }  # fmt: skip
    assert {n["Node Type"] for n in observed.nodes(SHOWN) if "Join" in n["Node Type"]} <= {"Nested Loop"}


def test_what_stands_out_is_found_by_walking_indexes(observed: Observed) -> None:
    steps.recall(observed.connection, "bank1", salient_count=20)
    nodes = observed.nodes(SALIENT)
    assert indexes(nodes) == {
        f"{table}_{index}"
        for table in ("episodic_memory", "semantic_memory")
        for index in ("importance_idx", "newest_idx")
    }
    assert {"episodic_memory", "semantic_memory"}.isdisjoint(read_in_full(observed))


def test_what_is_late_is_found_by_walking_indexes(observed: Observed) -> None:
    steps.recall(observed.connection, "bank1", salient_count=20, profile=Jsonb({"recency": 1}))
    walks = {"episodic_memory_newest_idx", "semantic_memory_newest_idx"}
    assert indexes(observed.nodes("order by l.occurred_at desc")) == walks


def test_what_stands_out_exactly_is_weighed_by_probes_of_keys(observed: Observed) -> None:
    legacy = Jsonb({"importance": 0.6, "recency": 0.4, "fades": False})
    steps.recall(observed.connection, "bank1", salient_count=20, profile=legacy)
    assert indexes(observed.nodes(WEIGHED)) == {"episodic_memory_pkey", "semantic_memory_pkey"}


def test_facts_are_found_beside_episodes_by_probes_within_the_bank(observed: Observed) -> None:
    found = steps.recall(
        observed.connection,
        "bank2",
        words="a fact",
        fetch_count=65,
        salient_count=20,
        facts_count=20,
        at=START,
    )
    assert len(found) == 65  # all that there is
    for plan in observed.plans:
        for node in flat(plan["Plan"]):
            if node.get("Relation Name") == "semantic_memory":
                assert "bank_id" in node.get("Index Cond", node.get("Recheck Cond", ""))


def test_similar_facts_are_found_without_the_vectors_of_episodes(admin: Admin, observed: Observed) -> None:
    """In the bank with 1,200 of them."""
    admin.execute("reset role")
    facts = [
        memory_id
        for (memory_id,) in admin.execute(
            "select memory_id from memory.semantic_memory where bank_id = 'bank1' and fingerprint < 4"
        )
    ]
    admin.execute("set role memory_service")
    observed.plans.clear()
    steps.rows(observed.connection, "similar_facts", bank="bank1", model=MODEL, facts=facts, threshold=0.9)
    steps.rows(
        observed.connection, "nearest_facts", bank="bank1", model=MODEL, vector=steps.unit_vector(0), most=5
    )
    for text in ("cross join lateral", "limit most"):
        nodes = observed.nodes(text)
        of_facts = {name for name in indexes(nodes) if name.endswith("model_id_memory_id_idx")}
        assert (len(of_facts), len(scanned(nodes))) == (1, 1), text
    assert read_in_full(observed) == set()


def test_words_are_written_by_probes(admin: Admin, observed: Observed) -> None:
    """Also by a plan that was made when the tables were small."""
    admin.execute("reset role")
    (ids,) = admin.execute(
        "select array_agg(memory_id) from memory.episodic_memory where bank_id = 'bank1'"
    ).fetchone() or ([],)
    admin.execute("set role memory_service")
    observed.plans.clear()
    steps.rows(observed.connection, "index_episode_words", bank="bank1", memories=ids)
    used = {re.sub(r"_\d\d_", "_", name) for p in observed.plans for name in indexes(list(flat(p["Plan"])))}
    assert used >= {"episodic_memory_pkey", "episodic_memory_conversation_idx"}
    assert "episodic_memory_newest_idx" not in used
    assert read_in_full(observed) == set()


def test_words_of_one_memory_are_written_without_reading_the_bank(admin: Admin, observed: Observed) -> None:
    """Its neighbours' rows are found by their keys, however large the bank is."""
    admin.execute("reset role")
    admin.execute("update memory.episodic_memory set conversation_id = 'c1' where bank_id = 'bank1'")
    admin.execute("analyze memory.episodic_memory")
    (one,) = admin.execute(
        "select memory_id from memory.episodic_memory where bank_id = 'bank1' order by occurred_at offset 600 limit 1"
    ).fetchone() or (None,)
    admin.execute("select set_config('auto_explain.log_analyze', 'on', false)")
    admin.execute("set role memory_service")
    observed.plans.clear()
    steps.rows(observed.connection, "index_episode_words", bank="bank1", memories=[one])
    nodes = [node for plan in observed.plans for node in flat(plan["Plan"])]
    assert "episodic_memory_conversation_idx" in indexes(nodes)
    assert max(node["Actual Rows"] for node in nodes) < 100
    assert read_in_full(observed) == set()


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("release_memory", {"memory": "00000000-0000-0000-0000-000000000000", "actor": "a test"}),
        ("read_memory", {"memory": "00000000-0000-0000-0000-000000000000"}),
        ("read_segments", {"segments": ["00000000-0000-0000-0000-000000000000"], "context_size": 6}),
        ("read_pending_embedding", {"memories": ["00000000-0000-0000-0000-000000000000"]}),
        (
            "context_entries",
            {
                "model": steps.MODEL,
                "query": None,
                "conversation": "c1",
                "undecided": 6,
                "episodes": 6,
                "refused": 6,
            },
        ),
        ("list_changes", {"page": 20, "after_xid": 1}),
        ("list_timeline", {"page": 20}),
        ("map_episodes", {"most": 2000, "x_axis": steps.unit_vector(0), "y_axis": steps.unit_vector(1)}),
        ("map_sample", {"most": 2000, "sample": 300}),
        ("activity_by_day", {"since": "2020-01-01"}),
        ("spend_by_day", {"since": "2020-01-01"}),
    ],
)
def test_reads_of_one_bank_read_no_table_in_full(
    observed: Observed, function: str, arguments: dict[str, object]
) -> None:
    steps.rows(observed.connection, function, bank="bank1", **arguments)
    assert read_in_full(observed) <= {"gate_decision", "installation"}  # empty here, and one row


@pytest.mark.parametrize(
    ("outcome", "index"),
    [
        (None, "gate_decision_newest_idx"),
        ("stored", "gate_decision_newest_idx"),
        ("quarantined", "gate_decision_outcome_idx"),
    ],
)
def test_a_page_of_decisions_reads_no_others(
    admin: Admin, observed: Observed, outcome: str | None, index: str
) -> None:
    admin.execute("reset role")
    admin.execute(
        "insert into memory.gate_decision (bank_id, decision_id, outcome, reason, verdicts, decided_by, decided_at) "
        "select 'bank1', gen_random_uuid(), case n % 100 when 0 then 'quarantined' else 'stored' end, 'r', '[]', "
        "'rules', now() - n * interval '1 minute' from generate_series(1, 2000) as n"
    )
    admin.execute("analyze memory.gate_decision")
    admin.execute("set role memory_service")
    observed.plans.clear()
    page = steps.rows(observed.connection, "list_decisions", bank="bank1", page=20, only_outcome=outcome)
    assert len(page) == 20
    (scan,) = [n for n in observed.nodes("from memory.gate_decision d") if n.get("Alias") == "d"]
    assert (scan["Node Type"], scan.get("Index Name")) == ("Index Scan", index)
    assert read_in_full(observed) <= {"installation"}


@pytest.mark.parametrize("bank", ["bank7", None])
def test_a_page_of_dead_letters_begins_where_the_last_one_ended(
    admin: Admin, observed: Observed, bank: str | None
) -> None:
    admin.execute("reset role")
    admin.execute("update memory.work set dead_at = enqueued_at, last_error = 'x' where subject like 's1%'")
    admin.execute("analyze memory.work")
    admin.execute("set role memory_service")
    observed.plans.clear()
    place = {"after_at": START, "after_bank": "bank7", "after_kind": "embed", "after_subject": "s10"}
    found = steps.rows(observed.connection, "list_dead_work", bank=bank, page=3, **place)
    assert [(row[0], row[3]) for row in found] == [("bank7", "s11"), ("bank7", "s12"), ("bank7", "s13")]
    (scan,) = [n for n in observed.nodes("from memory.work w") if "Index Name" in n]
    assert scan["Index Name"] == "work_dead_idx"
    assert "ROW(dead_at, bank_id, kind, subject)" in scan["Index Cond"]
    assert read_in_full(observed) == set()


def test_acknowledging_reads_no_table_in_full(observed: Observed) -> None:
    steps.add(observed.connection, "bank1", "c1", ["one", "two"], client_ids=["x", "y"])
    assert read_in_full(observed) == set()
