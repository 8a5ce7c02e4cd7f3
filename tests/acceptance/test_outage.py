"""Promise 2: acknowledging goes on while the models hang, and nothing is lost meanwhile."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass, field
from pathlib import Path

from tests.acceptance.running import (
    BANK,
    DEADLINE,
    Clients,
    Service,
    administrator,
    check_exactly_once,
    message,
    nothing_left,
    settled,
    start_worker,
    until,
)
from tests.models.test_gemini import usual_reply
from tests.support.fake_gemini import EMBED, GENERATE, FakeGemini, Fault, Json, prompt_texts


@dataclass
class Hanging(FakeGemini):
    """Takes every request and answers none until `answering` is set."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.answering = threading.Event()

    def next_fault(self, verb: str) -> Fault:
        self.answering.wait(DEADLINE)
        return super().next_fault(verb)


def test_acknowledging_goes_on_while_both_models_hang(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Hanging(reply=usual_reply) as models:
        settings = {
            "GEMINI_API_KEY": "x",
            "MEMORY_GEMINI_BASE_URL": models.url,
            "MEMORY_MODEL_TIMEOUT_SECONDS": "1",
        }
        with Service(data, **settings) as service:
            # A verbatim bank needs no extractor, so it is the embedding model that it waits for.
            service.call("POST", "/v1/banks", {"bank_id": "log", "settings": {"intake": "verbatim"}})
            with Clients(lambda: service.address, threads=3, calls=30) as clients:
                logged = service.call("POST", "/v1/banks/log/messages", message("logged"))
                clients.sent.add("logged")
                clients.acknowledged.add("logged")
            assert logged.status_code == 202
            assert clients.acknowledged == clients.sent
            assert clients.statuses == {202}
            until(lambda: {EMBED, GENERATE} <= {r.verb for r in models.requests}, "both models are asked")
            stats = service.call("GET", f"/v1/banks/{BANK}/stats").json()
            assert stats["messages"]["pending"] > 0
            assert stats["messages"]["failed"] == stats["queue"]["dead"] == 0
            models.answering.set()
            settled(service)
            settled(service, "log")
            assert service.stop() == 0
    nothing_left(data)
    with administrator(data) as admin:
        check_exactly_once(admin, clients)


@dataclass
class Down(FakeGemini):
    """Refuses every request until `answering` is set."""

    answering: threading.Event = field(default_factory=threading.Event)

    def next_fault(self, verb: str) -> Fault:
        return super().next_fault(verb) if self.answering.is_set() else Fault(503)


def test_an_outage_of_the_whole_run_uses_up_no_tries(tmp_path: Path) -> None:
    """Two workers, three banks, several hundred messages, and work that may be tried only once."""
    data = tmp_path / "data"
    banks = (BANK, "ben", "log")
    with Down(reply=usual_reply) as models:
        settings = {
            "GEMINI_API_KEY": "x",
            "MEMORY_GEMINI_BASE_URL": models.url,
            "MEMORY_WORKERS": "2",
            "MEMORY_MAX_ATTEMPTS": "1",
            "MEMORY_LEASE_SECONDS": "60",  # a lease that runs out is a try
        }
        with Service(data, **settings) as service, administrator(data) as admin:
            service.call("POST", "/v1/banks", {"bank_id": "ben"})
            service.call("POST", "/v1/banks", {"bank_id": "log", "settings": {"intake": "verbatim"}})
            with contextlib.ExitStack() as stack:
                clients = [
                    stack.enter_context(Clients(lambda: service.address, threads=2, calls=30, bank=bank))
                    for bank in banks
                ]
            until(lambda: {EMBED, GENERATE} <= {r.verb for r in models.requests}, "both models are asked")
            waiting = "select from memory.work where last_error like 'provider unavailable%%' and kind = %s"
            for kind in ("extract", "embed"):
                until(lambda: admin.execute(waiting.encode(), (kind,)).fetchall(), f"{kind} waits")  # noqa: B023
            tried = (
                "select from memory.work where dead_at is not null or attempts > 0 and lease_token is null"
            )
            assert admin.execute(tried.encode()).fetchall() == []
            models.answering.set()
            # The breakers' pauses, of up to a minute by now, have their own tests.
            for bank in banks:
                stats = settled(service, bank)
                assert stats["messages"]["failed"] == stats["queue"]["dead"] == 0
            assert service.stop() == 0
    nothing_left(data)
    with administrator(data) as admin:
        check_exactly_once(admin, *clients)


def test_what_a_model_never_answers_well_is_dead_lettered_alone(tmp_path: Path) -> None:
    """One segment of a backlog makes every call that contains it fail; the other segments of those calls are stored."""
    data = tmp_path / "data"
    poison = "walrus"

    def reply(body: Json) -> str:
        return "nonsense" if any(poison in text for text in prompt_texts(body)) else usual_reply(body)

    with FakeGemini(reply=reply) as models:
        settings = {
            "GEMINI_API_KEY": "x",
            "MEMORY_GEMINI_BASE_URL": models.url,
            "MEMORY_WORKERS": "0",
            "MEMORY_MAX_ATTEMPTS": "1",  # the other items of its calls must use up no attempt
        }
        with Service(data, **settings) as service:
            for n in range(24):
                said = message(str(n), f"Yesterday I found {poison if n == 7 else 'box'} number {n} in Graz.")
                said["conversation_id"] = f"talk-{n}"  # else it would be the context of the next segment
                assert service.call("POST", f"/v1/banks/{BANK}/messages", said).status_code == 202
            worker = start_worker(service)
            messages = settled(service)["messages"]
            worker.terminate()
            assert worker.wait(DEADLINE) == 0
            decisions = service.call("GET", f"/v1/banks/{BANK}/decisions?limit=100").json()["items"]
            assert service.stop() == 0
    nothing_left(data)
    assert messages == {"total": 24, "pending": 0, "stored": 23, "refused": 0, "failed": 1}
    assert [d["client_ids"] for d in decisions if d["outcome"] == "failed"] == [["7"]]
    with administrator(data) as admin:
        (dead,) = admin.execute("select kind, attempts, last_error from memory.work").fetchall()
        (reason,) = [d["reason"] for d in decisions if d["outcome"] == "failed"]
        assert dead == ("extract", 1, reason)
        assert poison not in reason
