"""The functions of facts, each called once as the service: part of test_smoke.py."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.db import steps
from tests.db.steps import MODEL, START, Connection, rows, unit_vector, value

BANK = "smoke"
LATER = START + timedelta(days=1)
LINE = "many\trex\tis\tblack"
SAID = {
    "text": "Rex is black.", "subject": "rex", "attribute": "is", "value": "black", "cardinality": "many",
    "opposes": None, "holds": True, "stated": True,
}  # fmt: skip


def known(service: Connection, text: str = "Rex is black.", **columns: object) -> UUID:
    return steps.fact(service, BANK, text, subject="rex", timeline=LINE, **columns)  # type: ignore[arg-type]


def pair(service: Connection) -> tuple[UUID, UUID]:
    one = known(service, importance=0.9)
    other = steps.fact(service, BANK, "Rex is white.", at=LATER)
    steps.conflict(service, BANK, one, other, at=LATER)
    return one, other


def count(service: Connection, table: str) -> int:
    rows(service, "enter_bank", bank=BANK)
    row = service.execute(f"select count(*) from memory.{table}".encode()).fetchone()
    assert row is not None
    return row[0]


def create_clarifications(service: Connection) -> None:
    one, _ = pair(service)
    rows(service, "create_clarifications", bank=BANK, facts=[one], at=LATER)
    assert count(service, "clarification") == 1


def effective_conflicts(service: Connection) -> None:
    one, other = pair(service)
    assert rows(service, "effective_conflicts", bank=BANK, of_fact=one) == [(other, LATER, 0.7, True)]


def decide_conflict(service: Connection) -> None:
    one, other = pair(service)
    rows(
        service, "decide_conflict", bank=BANK, one=one, other=other, keep=other, reason="a test", actor="a test",
        valid_at=LATER, at=LATER,
    )  # fmt: skip
    assert rows(service, "effective_conflicts", bank=BANK, of_fact=other) == []


def effective_confidence(service: Connection) -> None:
    asked = {"importance": 0.5, "last_confirmed": START, "status": "tentative", "pinned": False,
             "attribute": None, "contradicted_at": None}  # fmt: skip
    assert value(service, "effective_confidence", confidence=0.6, at=START, **asked) == 0.6
    assert 0.59 < value(service, "effective_confidence", confidence=0.6, at=LATER, **asked) < 0.6


def decay_factor(service: Connection) -> None:
    assert value(service, "decay_factor", attribute="lives_in") == 0.05


def decay_attribute(service: Connection) -> None:
    assert value(service, "decay_attribute", attribute=None, extracted_by=None) == "committed"
    assert value(service, "decay_attribute", attribute=None, extracted_by="rules") is None


def decay_exponent(service: Connection) -> None:
    asked = {
        "importance": 0.5,
        "last_confirmed": START,
        "contradicted_at": None,
        "at": START + timedelta(days=1),
    }
    assert value(service, "decay_exponent", attribute="goal", **asked) == 0.01


def flush_to_zero(service: Connection) -> None:
    assert value(service, "flush_to_zero", figure=1e-31) == 0


def superseded_statements(service: Connection) -> None:
    assert rows(service, "superseded_statements", bank=BANK, episodes=[UUID(int=0)], at=START) == []


def is_always_shown(service: Connection) -> None:
    assert value(service, "is_always_shown", attribute="allergic_to", importance=0.5)
    assert not value(service, "is_always_shown", attribute="likes", importance=0.5)
    assert value(service, "is_always_shown", attribute="likes", importance=0.8)
    assert value(service, "is_always_shown", attribute=None, importance=0.8)


def identifying_numbers(service: Connection) -> None:
    assert value(service, "identifying_numbers", content="Server 10 has 3 disks") == ["10"]


def normalized_words(service: Connection) -> None:
    assert value(service, "normalized_words", content="I moved, to Porto!") == "i moved to porto"


def decay_time(service: Connection) -> None:
    asked = {"importance": 0.5, "last_confirmed": START, "contradicted_at": None, "exponent": 0.01}
    assert value(service, "decay_time", attribute="goal", **asked) == START + timedelta(days=1)


def stating(service: Connection) -> steps.Lease:
    """An active episode that states something; the lease of its facts."""
    _, lease = steps.remember(service, BANK, candidate_facts=[SAID])
    steps.activate(service, BANK, [lease])
    (facts,) = steps.claim(service, "facts")
    return facts


def supersede_or_retract(service: Connection) -> None:
    one, other = pair(service)
    asked = {
        "bank": BANK,
        "lost_id": one,
        "kept_id": other,
        "actor": "a test",
        "valid_at": LATER,
        "at": LATER,
    }
    assert value(service, "supersede_or_retract", **asked) == LINE


def near_pair(service: Connection) -> tuple[UUID, UUID]:
    """Two facts about Rex that no rule can judge, side by side."""
    one, other = known(service), steps.fact(service, BANK, "Rex looks pale.", subject="rex", at=LATER)
    rows(service, "enter_bank", bank=BANK)
    for fact in (one, other):
        service.execute(
            "insert into memory.memory_vector (bank_id, memory_id, model_id, tier, embedding) "
            "values (%s, %s, %s, 'semantic', %s)",
            (BANK, fact, MODEL, unit_vector(3)),
        )
    return one, other


def read_unjudged_pairs(service: Connection) -> None:
    one, other = near_pair(service)
    ((older, newer, similarity, told, _),) = rows(service, "read_unjudged_pairs", bank=BANK, facts=[other])
    assert (older, newer, round(similarity, 3), told["text"]) == (one, other, 1.0, "Rex is black.")


def record_pair_decisions(service: Connection) -> None:
    one, other = near_pair(service)
    assert steps.judged(service, BANK, one, other) == 1
    assert steps.judged(service, BANK, one, other) == 0
    assert rows(service, "read_unjudged_pairs", bank=BANK, facts=[other]) == []


def enqueue_judging(service: Connection) -> None:
    one = known(service)
    rows(service, "enqueue_judging", bank=BANK, facts=[one], at=START)
    assert [lease.subject for lease in steps.claim(service, "judge")] == [str(one)]


def find_conflicts(service: Connection) -> None:
    one = known(service, attribute="likes", value="bones")
    other = steps.fact(
        service, BANK, "Rex dislikes bones.", subject="rex", attribute="dislikes", value="bones"
    )
    assert (
        value(
            service, "find_conflicts", bank=BANK, model=MODEL, of_timeline=LINE, opposes="dislikes", at=START
        )
        == 1
    )
    assert {row[0] for row in rows(service, "effective_conflicts", bank=BANK, of_fact=one)} == {other}


def find_matching_fact(service: Connection) -> None:
    one = known(service, value="black")
    found = value(
        service, "find_matching_fact", bank=BANK, model=MODEL, of_timeline=LINE, content="Rex is black.",
        of_subject="rex", of_attribute="is", of_value="Black", key=1, vector=unit_vector(0),
    )  # fmt: skip
    assert found == one


def contradiction_rule(service: Connection) -> None:
    assert value(service, "contradiction_rule", one="Rex is black.", other="Rex is not black.") == "negation"


def contradiction_rules(service: Connection) -> None:
    others = ["Rex is a dog.", "Rex is not black."]
    assert value(service, "contradiction_rules", one="Rex is black.", others=others) == [None, "negation"]
    assert value(service, "contradiction_rules", one="Rex is black.", others=[]) is None


def content_words(service: Connection) -> None:
    assert value(service, "content_words", texts=["who:i", "not", "lik", "2", "tea"]) == ["lik", "tea"]


def upsert_facts(service: Connection) -> None:
    lease = stating(service)
    said = {"episode_id": lease.subject, "memory_id": str(uuid.uuid4()), **SAID}
    made = value(
        service, "upsert_facts", bank=BANK, model=MODEL, episodes=[UUID(lease.subject)], tokens=[lease.token],
        facts=Jsonb([said]), embeddings=f'{{"{unit_vector(0)}"}}', at=START,
    )  # fmt: skip
    assert (made, count(service, "semantic_memory"), count(service, "fact_evidence")) == (1, 1, 1)


def nearest_facts(service: Connection) -> None:
    upsert_facts(service)
    ((_, similarity),) = rows(service, "nearest_facts", bank=BANK, model=MODEL, vector=unit_vector(0), most=5)
    assert similarity == 1


def place_committed_fact(service: Connection) -> None:
    one = known(service)
    steps.enqueue(service, BANK, str(one), "facts")
    (lease,) = steps.claim(service, "facts")
    assert value(
        service, "place_committed_fact", bank=BANK, model=MODEL, memory=one, token=lease.token, statement=Jsonb(SAID),
        embedding=unit_vector(0), at=START,
    )  # fmt: skip
    assert count(service, "memory_vector") == 1


def committed(service: Connection, text: str, further: Sequence[Mapping[str, object]]) -> UUID:
    """A commit that the worker has placed, with the further statements of its text; its id."""
    one = uuid.uuid4()
    fact = {"memory_id": str(one), "fact": text, "importance": 0.5, "occurred_at": LATER.isoformat(),
            "source": "agent", "given": {"type": "semantic", "content": text}}  # fmt: skip
    rows(service, "commit_fact", bank=BANK, decision=steps.decision(), fact=Jsonb(fact), at=LATER)
    (lease,) = steps.claim(service, "facts", at=LATER)
    statement = {"text": text, "subject": "user", "attribute": None, "value": None, "cardinality": "many"}
    assert value(
        service, "place_committed_fact", bank=BANK, model=MODEL, memory=one, token=lease.token,
        statement=Jsonb({**statement, "further": further}), embedding=unit_vector(0), at=LATER,
    )  # fmt: skip
    return one


def place_fact(service: Connection) -> None:
    one, again = (committed(service, text, []) for text in ("Rex sleeps.", "Rex sleeps!"))
    listed = service.execute(
        "select merged_into_id from memory_api.read_fact(%s, %s)", (BANK, again)
    ).fetchone()
    assert listed == (one,)


def place_part(service: Connection) -> None:
    """A statement and an ending, which an erasure of the commit withdraws."""
    steps.fact(
        service, BANK, "User lives in Oslo.", subject="user", attribute="lives_in", value="oslo", cardinality="one",
        timeline="one\tuser\tlives_in",
    )  # fmt: skip
    of_user = {"memory_id": str(uuid.uuid4()), "subject": "user"}
    chess = {**of_user, "text": "user plays chess.", "attribute": "plays", "value": "chess", "cardinality": "many",
             "holds": True, "embedding": unit_vector(1)}  # fmt: skip
    left = {**of_user, "text": "user left Oslo.", "attribute": "lives_in", "value": "oslo", "cardinality": "one",
            "holds": False, "embedding": unit_vector(2)}  # fmt: skip
    one = committed(service, "User left Oslo and plays chess.", [chess, left])

    def believed() -> set[str]:
        listed = service.execute(
            "select fact from memory_api.list_facts(%s, 9, %s)", (BANK, LATER + timedelta(hours=1))
        )
        return {str(row[0]) for row in listed.fetchall()}

    assert believed() == {"User left Oslo and plays chess.", "user plays chess."}
    rows(
        service, "erase", bank=BANK, erasure=uuid.uuid4(), scope="memory", selector=Jsonb({"memory_ids": [str(one)]}),
        actor="ann", at=LATER,
    )  # fmt: skip
    assert believed() == {"User lives in Oslo."}


def read_candidate_facts(service: Connection) -> None:
    lease = stating(service)
    ((subject, candidates, text, model),) = rows(
        service, "read_candidate_facts", bank=BANK, subjects=[UUID(lease.subject)]
    )
    assert (str(subject), candidates, text, model) == (lease.subject, [SAID], None, MODEL)


def reword_facts(service: Connection) -> None:
    one = known(service, episodes=1)
    rows(
        service, "reword_facts", bank=BANK, model=MODEL, known=one, content="Rex, the dog, is black.", key=1,
        vector=unit_vector(1), stated_at=START - timedelta(days=1),
    )  # fmt: skip
    rows(service, "enter_bank", bank=BANK)
    assert rows(service, "nearest_facts", bank=BANK, model=MODEL, vector=unit_vector(1), most=1) == [
        (one, 1.0)
    ]


def refresh_facts(service: Connection) -> None:
    one = known(service)
    rows(service, "refresh_facts", bank=BANK, facts=[one], reason="a test", actor="a test", at=LATER)
    assert count(service, "fact_version") == 1


def rebuild_timeline(service: Connection) -> None:
    known(service, value="black")
    rows(service, "rebuild_timeline", bank=BANK, of_timeline=LINE, reason="a test", actor="a test", at=LATER)
    assert count(service, "semantic_memory") == 1


def split_fact(service: Connection) -> None:
    one = known(service)
    assert value(service, "split_fact", bank=BANK, of_fact=one, at=LATER) != one
    assert count(service, "semantic_memory") == 2


def timeline_key(service: Connection) -> None:
    line = value(
        service,
        "timeline_key",
        subject="Rex",
        attribute="is",
        value="Black",
        cardinality="many",
        fingerprint=1,
    )
    assert line == LINE


def compute_confidence(service: Connection) -> None:
    one = known(service, episodes=3)
    ((confidence, episodes, *_),) = rows(service, "compute_confidence", bank=BANK, of_fact=one)
    assert (round(confidence, 9), episodes) == (round(1 - 0.4 * 0.95**2, 9), 3)


def index_fact_words(service: Connection) -> None:
    one = known(service)
    rows(service, "index_fact_words", bank=BANK, facts=[one])
    assert count(service, "memory_text") == 1


def answer_clarification(service: Connection) -> None:
    _, other = pair(service)
    ((question, *_),) = rows(service, "list_clarifications", bank=BANK, page=5)
    service.execute("select 1")
    asked = clarification(service)
    rows(
        service, "answer_clarification", bank=BANK, clarification=asked, keep=other, answer="the newer", actor="a test",
        at=LATER,
    )  # fmt: skip
    assert question
    assert rows(service, "list_clarifications", bank=BANK, page=5) == []


def clarification(service: Connection) -> UUID:
    row = service.execute("select clarification_id from memory.clarification").fetchone()
    assert row is not None
    return row[0]


def commit_fact(service: Connection) -> None:
    given = {"content": "Rex is black."}
    committed = {
        "memory_id": str(uuid.uuid4()), "idempotency_key": "k", "fact": "Rex is black.", "importance": 0.5,
        "occurred_at": START.isoformat(), "source": "agent", "given": given,
    }  # fmt: skip
    for created in (True, False):
        ((memory, _, made),) = rows(
            service, "commit_fact", bank=BANK, decision=steps.decision(), fact=Jsonb(committed), at=START
        )
        assert (str(memory), made) == (committed["memory_id"], created)
    assert len(rows(service, "find_committed", bank=BANK, idempotency_key="k", given=Jsonb(given))) == 1


def find_committed(service: Connection) -> None:
    assert rows(service, "find_committed", bank=BANK, idempotency_key="k", given=Jsonb({})) == []


def list_contradictions(service: Connection) -> None:
    one, other = pair(service)
    assert rows(service, "list_contradictions", bank=BANK, memory=one, known_at=LATER) == [(other, True)]


def fact_history(service: Connection) -> None:
    assert len(rows(service, "fact_history", bank=BANK, memory=known(service), page=5)) == 1


def fact_state(service: Connection) -> None:
    assert rows(service, "fact_state", bank=BANK, memory=known(service)) == [("tentative", False)]


def review_fact(service: Connection) -> None:
    one = known(service)
    assert (
        len(
            rows(
                service, "review_fact", bank=BANK, memory=one, judgement="confirmed", actor="a test", at=LATER
            )
        )
        == 1
    )
    assert rows(service, "compute_confidence", bank=BANK, of_fact=one)[0][0] == 0.9


def list_clarifications(service: Connection) -> None:
    pair(service)
    assert len(rows(service, "list_clarifications", bank=BANK, page=5)) == 1


def list_facts(service: Connection) -> None:
    known(service)
    assert len(rows(service, "list_facts", bank=BANK, page=5, as_of=START)) == 1


def read_fact(service: Connection) -> None:
    assert len(rows(service, "read_fact", bank=BANK, memory=known(service), at=START)) == 1


def version_history(service: Connection) -> None:
    assert value(service, "version_history", bank=BANK, memory=known(service), known_at=LATER) == []


def answer_conflicts(service: Connection) -> None:
    _, other = pair(service)
    decided = value(
        service,
        "answer_conflicts",
        bank=BANK,
        of_fact=other,
        still_holds=True,
        reason="a test",
        valid_at=LATER,
        at=LATER,
    )
    assert (decided, rows(service, "effective_conflicts", bank=BANK, of_fact=other)) == (1, [])


def apply_replies(service: Connection) -> None:
    segment = UUID(steps.segment(service, BANK).subject)
    assert value(service, "apply_replies", bank=BANK, segment=segment, replies=Jsonb([]), at=LATER) == 0


def reply_mentions_fact(service: Connection) -> None:
    said = {"fact": "User lives in Berlin.", "value": "berlin", "rivals": ["User lives in Porto."]}
    assert value(service, "reply_mentions_fact", reply="Fine. Are you still in Berlin?", **said)
    assert not value(service, "reply_mentions_fact", reply="Are you in Berlin or in Porto?", **said)
    assert not value(service, "reply_mentions_fact", reply="Shall I book a table?", **said)


def parse_opinion(service: Connection) -> None:
    ((words, negated),) = rows(service, "parse_opinion", content="I don't love 12 cats.")
    assert (sorted(words), negated) == (["12", "cat", "lik"], True)


def asks_which(service: Connection) -> None:
    said = {"fact": "User lives in Berlin.", "rivals": ["User lives in Porto."]}
    assert value(service, "asks_which", question="Are you in Berlin or in Porto?", **said)
    assert not value(service, "asks_which", question="Are you still in Berlin?", **said)


def reply_names_fact(service: Connection) -> None:
    said = {"fact": "User lives in Berlin.", "rivals": ["User lives in Porto."]}
    assert value(service, "reply_names_fact", reply="Not Porto, Berlin.", **said)
    assert not value(service, "reply_names_fact", reply="Porto", **said)
    assert not value(service, "reply_names_fact", reply="Berlin and Porto", **said)


def find_retracted_fact(service: Connection) -> None:
    found = value(
        service, "find_retracted_fact", bank=BANK, of_timeline="a line", content="a text", of_subject=None,
        of_attribute=None, of_value=None, key=0, episode=UUID(int=1), stated_at=LATER,
    )  # fmt: skip
    assert found is None


def resolve_conflict(service: Connection) -> None:
    one, other = pair(service)
    rows(service, "resolve_conflict", bank=BANK, one=one, other=other, keep=other, actor="a test", at=LATER)
    assert rows(service, "effective_conflicts", bank=BANK, of_fact=one) == [(other, LATER, 0.7, False)]
    assert rows(service, "list_clarifications", bank=BANK, page=5) == []


def resume_job(service: Connection) -> None:
    job = {"bank": BANK, "episode": uuid.uuid4(), "of_subject": "nobody", "importance": 0.5, "moment": LATER}
    assert value(service, "resume_job", **job, actor="worker", at=LATER) == 0


def facts_ended_by(service: Connection) -> None:
    one = steps.fact(
        service, BANK, "Rex plays chess on Mondays.", subject="rex", attribute="habit", value="plays chess"
    )
    asked = {"bank": BANK, "episode": uuid.uuid4(), "of_subject": "rex", "moment": LATER}
    ended = {"plays": "chess", "habit": None, "uses": "go"}
    found = {
        attribute: rows(service, "facts_ended_by", **asked, of_attribute=attribute, of_value=ended[attribute])
        for attribute in ended
    }
    assert found == {"plays": [(one,)], "habit": [(one,)], "uses": []}
    dentist = steps.fact(
        service,
        BANK,
        "user's dentist is Ana Bell.",
        subject="user",
        attribute="dentist_name",
        value="ana bell",
    )
    steps.fact(service, BANK, "user's son is called Ana.", subject="user", attribute="son_name", value="ana")
    asked |= {"of_subject": "user"}
    for named in ("ana bell", "ana"):
        ended_roles = rows(service, "facts_ended_by", **asked, of_attribute="role_held_by", of_value=named)
        assert ended_roles == [(dentist,)]
    surgery = steps.fact(
        service, BANK, "user's cataract surgery is on May 4.", subject="user", attribute="cataract_surgery_date",
        value="may 4",
    )  # fmt: skip
    dated = {"of_attribute": "surgery_date", "of_value": None}
    assert rows(service, "facts_ended_by", **asked, **dated) == [(surgery,)]
    steps.fact(
        service,
        BANK,
        "user's knee surgery is on May 9.",
        subject="user",
        attribute="knee_surgery_date",
        value="may 9",
    )
    assert rows(service, "facts_ended_by", **asked, **dated) == []
    for event in ("yoga exam", "wedding rehearsal", "band practice"):
        steps.fact(
            service, BANK, f"user's {event} is on May 3.", subject="user",
            attribute=f"{event.replace(' ', '_')}_date", value="may 3",
        )  # fmt: skip
    for routine in ("yoga_date", "rehearsal_date", "practice_date", "wedding_date"):
        assert rows(service, "facts_ended_by", **asked, of_attribute=routine, of_value=None) == []
    house = steps.fact(
        service, BANK, "user wants to buy a house next year.", subject="user", attribute="goal",
        value="buy a house next year",
    )  # fmt: skip
    for wish in ("buy a house for my parents", "buy a house wash"):
        steps.fact(service, BANK, f"user wants to {wish}.", subject="user", attribute="goal", value=wish)
    bought = rows(service, "facts_ended_by", **asked, of_attribute="goal", of_value="buy a house")
    assert bought == [(house,)]
    test = steps.fact(
        service, BANK, "user's driving test is on May 2.", subject="user", attribute="appointment",
        value="driving test is on may 2",
    )  # fmt: skip
    appointment = {"of_attribute": "appointment", "of_value": "driving test"}
    assert rows(service, "facts_ended_by", **asked, **appointment) == [(test,)]
    partner = steps.fact(
        service, BANK, "Nils's partner is Tess.", subject="nils", attribute="partner", value="tess"
    )
    steps.fact(service, BANK, "Nils's partner is Eva.", subject="nils", attribute="partner", value="eva")
    workplace = steps.fact(
        service,
        BANK,
        "user works at Nokia in Espoo.",
        subject="user",
        attribute="works_at",
        value="nokia in espoo",
    )
    assert rows(service, "facts_ended_by", **asked, of_attribute="works_at", of_value="nokia") == [
        (workplace,)
    ]
    assert rows(service, "facts_ended_by", **asked, of_attribute="job_held", of_value=None) == []
    asked |= {"of_subject": "tess"}
    assert rows(service, "facts_ended_by", **asked, of_attribute="partner", of_value="nils") == [(partner,)]


def schedule_of(service: Connection) -> None:
    ((activity, days, *_),) = rows(service, "schedule_of", habit="runs on Mondays")
    assert (activity, days) == ("run", ["monday"])


def replaces_schedule(service: Connection) -> None:
    former = {"former": "runs every morning", "is_named": False}
    assert value(service, "replaces_schedule", latest="runs in the evenings", **former)
    assert not value(service, "replaces_schedule", latest="swims in the evenings", **former)


def resolve_person(service: Connection) -> None:
    steps.fact(service, BANK, "user's son is 5.", subject="user's son", attribute="age", value="5")
    people = (
        ("son", "Finn", "child"),
        ("son", "Leo", "child"),
        ("daughter", "Ada", "child"),
        ("friend", "Ben", "friend"),
    )
    for day, (kin, name, attribute) in enumerate(people):
        steps.fact(
            service, BANK, f"user's {kin} is called {name}.", subject="user", attribute=attribute,
            value=name.lower(), at=START + timedelta(days=day),
        )  # fmt: skip
    resolved = {
        subject: rows(service, "resolve_person", bank=BANK, of_subject=subject)[0][0]
        for subject in ("user", "finn", "user's child finn", "leo", "user's son", "user's daughter", "ada",
                        "user's friend", "ben", "carl", "user's wife", None)
    }  # fmt: skip
    assert resolved == {
        "user": "user", "finn": "user's son finn", "user's child finn": "user's son finn", "leo": "user's son leo",
        "user's son": "user's son", "user's daughter": "user's daughter ada", "ada": "user's daughter ada",
        "user's friend": "user's friend", "ben": "user's friend ben", "carl": "carl", "user's wife": "user's wife",
        None: None,
    }  # fmt: skip


def rename_person(service: Connection) -> None:
    fact = steps.fact(
        service, BANK, "Finn is 6.", subject="finn", attribute="age", value="6", cardinality="one"
    )
    role = steps.fact(
        service, BANK, "user's son is tall.", subject="user's son", attribute="is", value="tall"
    )
    naming = steps.fact(
        service, BANK, "user's son is called Finn.", subject="user", attribute="child", value="finn"
    )
    people = rows(service, "known_people", bank=BANK)
    assert people == [("user's ", "finn", "son", "child", True, 1, True, 1, False)]
    rows(service, "rename_person", bank=BANK, naming=naming, actor="a test", at=LATER)
    found = service.execute(
        "select subject from memory.semantic_memory where memory_id = any (%s)", ([fact, role],)
    ).fetchall()
    assert found == [("user's son finn",)] * 2


def rebuild_timelines(service: Connection) -> None:
    known(service)
    rows(
        service,
        "rebuild_timelines",
        bank=BANK,
        timelines=[LINE, LINE],
        reason="a test",
        actor="a test",
        at=LATER,
    )
    assert count(service, "fact_version") == 1


def timelines_of(service: Connection) -> None:
    assert value(service, "timelines_of", bank=BANK, facts=[known(service)]) == [LINE]


def fact_confidence(service: Connection) -> None:
    known(service)
    rows(service, "enter_bank", bank=BANK)
    query = "select f.confidence - memory_internal.fact_confidence(f, f.last_confirmed) from memory.semantic_memory f"
    assert service.execute(query).fetchone() == (0.0,)


def write_fact_vectors(service: Connection) -> None:
    one, vector = known(service), unit_vector(3)
    rows(service, "write_fact_vectors", bank=BANK, model=MODEL, facts=[one], vector=vector)
    nearest = rows(service, "nearest_facts", bank=BANK, model=MODEL, vector=vector, most=1)
    assert nearest == [(one, 1.0)]


def names_someone(service: Connection) -> None:
    found = {
        name: value(service, "names_someone", attribute=name) for name in ("pet", "aunt_name", "name", None)
    }
    assert found == {"pet": True, "aunt_name": True, "name": False, None: False}


def is_called(service: Connection) -> None:
    asked = {"owner": "user's ", "kind": "child", "name": "finn"}
    subjects = ("user's child finn", "user's cat finn", "user's son", "finn", "anna's son finn")
    found = {subject: value(service, "is_called", subject=subject, **asked) for subject in subjects}
    assert found == {subject: subject == "user's child finn" for subject in subjects}


def kind_of_role(service: Connection) -> None:
    kinds = {
        role: value(service, "kind_of_role", role=role) for role in ("oldest son", "child", "cat", "aunt")
    }
    assert kinds == {"oldest son": "child", "child": "child", "cat": "pet", "aunt": "aunt"}


def kin_word(service: Connection) -> None:
    words = {role: value(service, "kin_word", role=role) for role in ("Granny", "kitten", "uncle")}
    assert words == {"Granny": "grandmother", "kitten": "cat", "uncle": "uncle"}


def longest_state(service: Connection) -> None:
    asked = (("is", "pregnant"), ("takes_medicine", "amoxicillin"), ("takes_medicine", "metformin"),
             ("has_condition", "the flu"), ("has_condition", "cold urticaria"))  # fmt: skip
    days = [value(service, "longest_state", attribute=attribute, value=of) for attribute, of in asked]
    assert [time.days if time else None for time in days] == [300, 30, None, 30, None]


def facts_of_lost(service: Connection) -> None:
    def fact(text: str, attribute: str, named: str, subject: str = "rita") -> uuid.UUID:
        return steps.fact(service, BANK, text, subject=subject, attribute=attribute, value=named)

    name = fact("rita's cat is called Olive.", "pet", "olive")
    has = fact("rita has a cat.", "has", "cat")
    age = fact("rita's cat Olive is 9 years old.", "age", "9", "rita's cat olive")
    fact("rita's cat Olive's birthday is May 2.", "birthday", "may 2", "rita's cat olive")
    uncle = fact("rita's uncle is called Hugo.", "uncle_name", "hugo")
    asked = {"bank": BANK, "of_owner": "rita", "moment": LATER}

    def lost(who: str, *, is_dead: bool) -> list[uuid.UUID]:
        return sorted(one for (one,) in rows(service, "facts_of_lost", **asked, who=who, is_dead=is_dead))

    for who in ("olive", "kitten"):
        assert lost(who, is_dead=True) == lost(who, is_dead=False) == sorted([name, has, age])
    assert (lost("hugo", is_dead=True), lost("hugo", is_dead=False)) == ([uncle], [])
    fact("rita's husband is called Hugo.", "partner", "hugo")
    second = fact("rita's cat is called Basil.", "pet", "basil")
    assert (lost("hugo", is_dead=True), lost("cat", is_dead=True)) == ([], [])
    assert lost("basil", is_dead=True) == [second]


def known_people(service: Connection) -> None:
    assert rows(service, "known_people", bank=BANK) == []


FACTS = (
    supersede_or_retract, normalized_words, is_always_shown, identifying_numbers, superseded_statements,
    flush_to_zero, decay_exponent, decay_time, decay_factor, decay_attribute, enqueue_judging, record_pair_decisions,
    read_unjudged_pairs, resolve_conflict, answer_conflicts, apply_replies, reply_mentions_fact, find_retracted_fact,
    asks_which, reply_names_fact, parse_opinion,
    answer_clarification, commit_fact, find_committed, list_contradictions, fact_history, fact_state, review_fact,
    list_clarifications, list_facts, read_fact, version_history, create_clarifications, effective_conflicts,
    decide_conflict, effective_confidence, find_conflicts, find_matching_fact, contradiction_rule, contradiction_rules,
    nearest_facts, place_committed_fact, read_candidate_facts, reword_facts, content_words,
    refresh_facts, rebuild_timeline, split_fact, timeline_key, upsert_facts, compute_confidence, index_fact_words,
    facts_ended_by, resume_job, resolve_person, kind_of_role, rename_person, known_people, is_called,
    kin_word, facts_of_lost, longest_state,
    rebuild_timelines, timelines_of, fact_confidence, write_fact_vectors,
    names_someone, place_fact, place_part, schedule_of, replaces_schedule,
)  # fmt: skip
