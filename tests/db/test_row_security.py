"""Row security under attack: no bank can read another (docs/design.md, "Promises"). tests/isolation tries every table,
function and route."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from memory_service.config import Settings
from memory_service.connect import SERVICE_ROLE, driver_url, service_password
from tests.conftest import Admin, cloned
from tests.db import steps
from tests.db.steps import START, Connection, claim, rows, value
from tests.isolation.rows import install, rows_of
from tests.isolation.victim import SECRET, Victim, commit_fact, enter, fill, trace, within

EVIL_NAMES = [
    "b' or '1'='1",
    "b'; drop table memory.bank; --",
    "'; set row_security = off; --",
    "b\\' or true --",
    "%",
    "b%",
    "_",
    "b\n",
    " b",
    "B",
    "default",
    "$user",
    "b\x01",
    "\u202eb",
    '"b"',
    "a, b",
]


@pytest.fixture(scope="module")
def filled(server_url: str, template: str) -> Iterator[tuple[str, Victim]]:
    """The name of a database with banks a (empty) and b, which holds a row in every table, and the ids in b."""
    with cloned(server_url, template) as url:
        with psycopg.connect(url, autocommit=True) as admin:
            install(admin)
            name = admin.info.dbname
        login = driver_url(url, SERVICE_ROLE, service_password(url, Settings()))
        with psycopg.connect(login, autocommit=True) as service:
            steps.create_bank(service, "a", intake="verbatim")
            victim = fill(service, "b")
        yield name, victim


@pytest.fixture(scope="module")
def prototype(filled: tuple[str, Victim]) -> str:
    return filled[0]


@pytest.fixture
def victim(filled: tuple[str, Victim]) -> Victim:
    """The ids in bank b of the test's own clone."""
    return filled[1]


@pytest.fixture
def unchanged(admin: Admin, victim: Victim) -> Iterator[None]:
    """Bank b is, after the test, what it was before, to the last column."""
    before = rows_of(admin, "b")
    yield
    assert rows_of(admin, "b") == before


# Through tables


def context(service: Connection, conversation: str) -> list[tuple[Any, ...]]:
    """The entries of a context of bank a."""
    return rows(
        service, "context_entries", bank="a", model=steps.MODEL, query=None, conversation=conversation, undecided=9,
        episodes=9, refused=9, at=START,
    )  # fmt: skip


def test_no_bank_learns_of_another_through_a_key(service: Connection, unchanged: None) -> None:
    """The same conversation, client id and idempotency key in both banks: neither collides with the other."""
    steps.add(service, "a", "shared", ["mine"], client_ids=["m1"])
    memory = steps.episode(uuid.uuid4(), idempotency_key="key")
    created = rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=memory)
    assert created[0][2]


def test_a_leaky_condition_is_not_shown_rows_of_another_bank(service: Connection, victim: Victim) -> None:
    """The planner must not run a caller's condition before the policy."""
    with service.transaction():
        enter(service, "a")
        query = "select from memory.message where cast(content as integer) = 1"
        assert service.execute(query).fetchall() == []


def test_the_bank_is_forgotten_when_the_transaction_ends(service: Connection, victim: Victim) -> None:
    """Pooled connections go from one bank's call to the next."""
    assert len(rows(service, "read_memory", bank="b", memory=victim.active)) == 1
    assert service.execute("select count(*) from memory.episodic_memory").fetchone() == (0,)
    assert rows(service, "read_memory", bank="a", memory=victim.active) == []


def test_the_bank_is_forgotten_when_a_call_fails(service: Connection, victim: Victim) -> None:
    with pytest.raises(psycopg.Error, match="there is no bank"):
        rows(service, "require_bank", bank="nobody")
    assert service.execute("select coalesce(current_setting('memory.bank_id', true), '')").fetchone() == ("",)


# Through functions, with what belongs to b


def test_lists_of_a_bank_show_nothing_of_another(service: Connection, victim: Victim) -> None:
    assert rows(service, "list_memories", bank="a", page=100) == []
    assert rows(service, "list_memories", bank="a", page=100, by_importance=True) == []
    assert rows(service, "list_decisions", bank="a", page=100) == []
    assert rows(service, "list_changes", bank="a", page=100) == []
    assert rows(service, "list_timeline", bank="a", page=100) == []
    axis = steps.unit_vector(0)
    assert rows(service, "map_episodes", bank="a", most=100, x_axis=axis, y_axis=axis) == []
    assert rows(service, "map_sample", bank="a", most=100, sample=9) == []
    assert rows(service, "activity_by_day", bank="a", since=START - timedelta(days=9)) == []
    assert rows(service, "spend_by_day", bank="a", since=START - timedelta(days=9)) == []
    assert rows(service, "list_traces", bank="a", page=100) == []
    everything = {"bank": "a", "page": 100, "statuses": ["tentative", "stable", "deprecated", "merged_into"]}
    assert rows(service, "list_facts", **everything) == []
    assert rows(service, "list_facts", **everything, known_at="infinity") == []
    questions = {"bank": "a", "page": 100, "statuses": ["open", "answered", "void"]}
    assert rows(service, "list_clarifications", **questions) == []
    assert steps.recall(service, "a") == []
    compacted = rows(
        service, "compaction_candidates", bank="a", recipient="Tom", purpose="x", statuses=["active", "archived"],
        fetch_count=99, importance_weight=1.0, recency_weight=1.0, recency_days=30.0,
    )  # fmt: skip
    assert compacted == []
    assert context(service, "shared") == []


def test_a_cursor_of_another_bank_leads_nowhere(service: Connection, victim: Victim) -> None:
    lists = {"list_memories": victim.active, "list_decisions": victim.segment, "list_facts": victim.fact}
    for function, after in lists.items():
        assert rows(service, function, bank="a", page=100, after_at="infinity", after_id=after) == []


def test_ids_of_another_bank_are_not_read(service: Connection, victim: Victim) -> None:
    memories = [victim.active, victim.pending]
    assert rows(service, "read_memory", bank="a", memory=victim.active) == []
    assert rows(service, "read_commits", bank="a", memories=memories) == []
    assert rows(service, "read_pending_embedding", bank="a", memories=memories) == []
    assert rows(service, "read_segments", bank="a", segments=[victim.segment], context_size=9) == []
    assert rows(service, "read_fact", bank="a", memory=victim.fact) == []
    assert rows(service, "fact_history", bank="a", memory=victim.fact, page=100) == []
    assert rows(service, "fact_state", bank="a", memory=victim.fact) == [(None, None)]


@pytest.mark.parametrize("verdict", ["confirmed", "disputed", "retracted", "pinned", "unpinned"])
def test_a_fact_of_another_bank_is_not_judged(
    service: Connection, unchanged: None, victim: Victim, verdict: str
) -> None:
    """It is no conflict either: it is not there."""
    judged = rows(service, "review_fact", bank="a", memory=victim.fact, judgement=verdict, actor="a")
    assert judged == []


def test_a_question_of_another_bank_is_not_answered(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    for keep in (victim.fact, None, uuid.uuid4()):
        answered = rows(
            service, "answer_clarification", bank="a", clarification=victim.question, keep=keep, answer=None,
            actor="a",
        )  # fmt: skip
        assert answered == []


def test_a_fact_commits_into_the_named_bank_only(service: Connection, unchanged: None) -> None:
    """Its key is another bank's, too, and its JSON names that bank."""
    committed = commit_fact(service, "a", "key of a fact")
    assert [row[1] for row in rows(service, "list_facts", bank="a", page=9)] == [committed]


def test_a_fact_shows_nothing_of_another_bank(service: Connection, victim: Victim) -> None:
    """Not even to a fact of the same id."""
    steps.fact(service, "a", "mine", memory_id=victim.fact, timeline=f"text|{SECRET}")
    found = service.execute(
        "select unconfirmed, contradictions, version_history, cardinality(derived_from) "
        "from memory_api.read_fact('a', %s)", (victim.fact,),
    )  # fmt: skip
    assert found.fetchall() == [(False, [], [], 1)]


def test_stats_count_one_bank(service: Connection, victim: Victim) -> None:
    stats = value(service, "bank_stats", bank="a")
    assert (stats["messages"]["total"], stats["memories"], stats["queue"]["depth"], stats["spend"]["calls"]) == (
        0, {}, 0, 0,
    )  # fmt: skip


def test_an_episode_of_another_bank_is_not_moved(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    assert not value(
        service, "set_episode_status", bank="a", memory=victim.active, from_statuses=["active"], to_status="archived",
        reason="forged", actor="a",
    )  # fmt: skip


def test_a_memory_of_another_bank_is_not_released(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    """It is no conflict either: it is not there."""
    for memory_id in (victim.active, victim.pending):
        assert rows(service, "release_memory", bank="a", memory=memory_id, actor="a") == []


def test_links_show_nothing_of_another_bank(service: Connection, victim: Victim) -> None:
    """Not even to a memory of the same id."""
    mine = steps.episode(victim.active)
    rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=mine, at=START)
    query = "select links from memory_api.read_memory(%s, %s)"
    assert service.execute(query, ("a", victim.active)).fetchall() == [([],)]
    ((links,),) = service.execute(query, ("b", victim.active)).fetchall()
    assert len(links) == 1


def test_a_trace_of_another_bank_is_neither_read_nor_expired_nor_written_over(
    service: Connection, admin: Admin, unchanged: None
) -> None:
    ((theirs,),) = admin.execute("select trace_id from memory.retrieval_trace where bank_id = 'b'").fetchall()
    assert rows(service, "read_trace", bank="a", trace=theirs) == []
    late = START + timedelta(days=99)
    assert value(service, "expire_traces", bank="a", days=1, query_days=1, at=late) == 0
    forged = trace("forged") | {"trace_id": str(theirs)}
    rows(service, "record_traces", bank="a", traces=Jsonb([forged]))


def test_an_access_is_not_counted_in_another_bank(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    rows(service, "record_traces", bank="a", traces=Jsonb([trace("mine", victim.active)]))


def test_a_segment_of_another_bank_is_not_decided(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    """Not even with work of one's own that names it."""
    steps.enqueue(service, "a", str(victim.segment), "extract")
    (lease,) = claim(service, "extract")
    with suppress(psycopg.errors.NotNullViolation):  # a has no messages for such a decision
        steps.decide(service, lease, memory_id=uuid.uuid4())


def test_an_episode_of_another_bank_is_not_activated(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    steps.enqueue(service, "a", str(victim.pending), "embed")
    assert steps.activate(service, "a", claim(service, "embed")) == 0
    assert steps.recall(service, "a") == []


def test_an_episode_of_another_bank_is_not_annotated(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    steps.enqueue(service, "a", str(victim.pending), "annotate")
    (lease,) = claim(service, "annotate")
    fields = Jsonb({"importance": 1})
    rows(
        service, "annotate_memory", bank="a", memory=victim.pending, token=lease.token, lane=0, fields=fields,
        to_status="quarantined", reason="forged",
    )  # fmt: skip


def test_failing_work_fails_nothing_of_another_bank(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    for kind, subject in (
        ("extract", victim.segment),
        ("embed", victim.pending),
        ("annotate", victim.pending),
    ):
        steps.enqueue(service, "a", str(subject), kind)
        (lease,) = claim(service, kind)
        assert steps.fail(service, lease, max_attempts=1) == "dead"


def test_dead_letters_of_another_bank_are_neither_listed_nor_driven_again(
    service: Connection, admin: Admin, victim: Victim
) -> None:
    assert steps.fail(service, victim.leases[-1], max_attempts=1) == "dead"
    before = rows_of(admin, "b")
    assert rows(service, "list_dead_work", bank="a", page=9) == []
    assert rows(service, "redrive_work", bank="a", page=9)[0][0] == 0
    assert rows_of(admin, "b") == before
    assert rows(service, "redrive_work", bank="b", page=9)[0][0] == 1


def test_leases_of_another_bank_are_of_no_use(service: Connection, unchanged: None, victim: Victim) -> None:
    for lease in victim.leases:
        forged = steps.Lease("a", lease.kind, lease.subject, 0, 1, 1, lease.token)
        assert not steps.complete(service, forged)
        assert steps.fail(service, forged) is None
        assert steps.release(service, [forged]) == 0
        assert steps.renew(service, [forged]) == set()


def test_an_idempotency_key_of_another_bank_is_not_found(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    mine = uuid.uuid4()
    memory = steps.episode(mine, idempotency_key="key")
    found = rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=memory)
    assert found[0][0] == mine


def test_an_episode_cannot_bring_a_bank_of_its_own(
    service: Connection, unchanged: None, victim: Victim
) -> None:
    """Its JSON is the caller's: a bank in it is not believed."""
    memory = steps.episode(uuid.uuid4(), bank_id="b")
    rows(service, "commit_memory", bank="a", decision=steps.decision(), episode=memory)
    assert len(rows(service, "list_memories", bank="a", page=9)) == 1


def test_an_import_of_another_bank_is_not_ended(service: Connection, unchanged: None, victim: Victim) -> None:
    rows(service, "end_import", bank="a", conversations=["shared"])


# Two banks, strange banks


def test_one_transaction_names_one_bank(service: Connection, victim: Victim) -> None:
    with pytest.raises(psycopg.Error) as refused:
        within(service, "a", "select memory_internal.enter_bank('b')")
    assert refused.value.sqlstate == "ME005"


def test_a_function_does_not_change_the_bank_that_was_named(service: Connection, victim: Victim) -> None:
    """Every function that takes a bank refuses another one than the transaction's.

    Except those of the queues, which hold no content, acknowledging, which writes and shows nothing, and parts of
    queries, which run under the row security of the query, and the map of servers, which shows a bank's server.
    """
    free = {"add_message", "add_messages", "claim_rows", "complete_work", "complete_leases", "effective_conflicts",
            "list_contradictions", "session_parts",
            "conversation_lock_key", "version_history", "display_subject",
            "enqueue_new", "enqueue_work", "fail_lease", "lock_leases", "lock_lease", "fact_periods", "queue_stats",
            "revive_work", "wake_work", "merged_wordings", "summary_context_words", "begin_upkeep", "fail_upkeep",
            "mark_bank_due", "remove_work", "evidence_importance", "thread_course", "thread_enabled",
            "thread_as_of", "open_thread", "procedure_candidates", "procedure_entries",
            "record_norm_version", "norm_entries", "was_embedded", "norm_coverage", "erasure_lock_key",
            "lock_place", "require_home", "server_of", "server_slot_of", "facts_ended_by", "facts_of_lost",
            "is_ended_habit", "lifted_norms", "resolve_person", "known_people"}  # fmt: skip
    functions = service.execute(
        "select p.proname, p.pronargs, p.pronargdefaults from pg_proc p "
        "where p.pronamespace::regnamespace::text in ('memory_api', 'memory_internal') and p.proargnames[1] = 'bank'"
    ).fetchall()
    assert len(functions) > 20
    for name, arguments, defaults in functions:
        if name in free:
            continue
        nulls = ", null" * (arguments - defaults - 1)
        with pytest.raises(psycopg.Error) as refused:
            within(service, "a", f"select * from {steps.SCHEMA_OF[name]}.{name}('b'{nulls})")
        assert refused.value.sqlstate == "ME005", name


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_a_strange_name_is_no_bank(service: Connection, unchanged: None, name: str) -> None:
    """A bank id is neither a pattern nor code: with an unknown one no bank is visible."""
    with pytest.raises(psycopg.Error) as refused:
        rows(service, "read_bank", bank=name)
    assert refused.value.sqlstate == "ME001"
    with service.transaction():
        enter(service, name)
        assert service.execute("select current_setting('memory.bank_id')").fetchone() == (name,)
        assert service.execute("select from memory.bank").fetchall() == []


@pytest.mark.parametrize("name", [name for name in EVIL_NAMES if name not in ("B", "default")])
def test_a_strange_name_cannot_become_a_bank(service: Connection, unchanged: None, name: str) -> None:
    with pytest.raises(psycopg.errors.CheckViolation):
        steps.create_bank(service, name)


@pytest.mark.parametrize("name", ["", None])
def test_no_name_is_no_bank(service: Connection, unchanged: None, name: str | None) -> None:
    with pytest.raises(psycopg.Error) as refused:
        steps.recall(service, name)  # type: ignore[arg-type]
    assert refused.value.sqlstate == "ME001"


@pytest.mark.parametrize("text", ["'; delete from memory.message; --", "%s", "$1", "\\'; --", "{}"])
def test_strange_text_is_stored_as_it_is(service: Connection, unchanged: None, text: str) -> None:
    steps.add(service, "a", text, [text], client_ids=[text])
    assert [row[2] for row in context(service, text)] == [text]


def test_callers_objects_do_not_stand_in_for_the_catalogs(service: Connection, unchanged: None) -> None:
    """A definer function looks up nothing in a schema that its caller can write."""
    service.execute("create temporary table work (bank_id text, kind text)")
    service.execute("create temporary table pg_class (oid oid)")
    service.execute("set search_path = pg_temp, memory, pg_catalog")
    steps.enqueue(service, "a", "s")
    assert len(claim(service)) == 1
    assert service.execute("select from pg_temp.work").fetchall() == []
