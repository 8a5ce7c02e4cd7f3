"""Promise 2: acknowledging goes on while the models hang, and nothing is lost meanwhile."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Self

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
    until,
)
from tests.service.fake_gemini import EMBED, GENERATE, FakeGemini, Fault
from tests.service.test_models_gemini import usual_reply


@dataclass
class Hanging(FakeGemini):
    """Takes every request and answers none until `answering` is set."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.answering = threading.Event()

    def __enter__(self) -> Self:
        super().__enter__()
        return self

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
