"""The HTTP application: each route calls one method of one Memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import HTMLResponse
from starlette.middleware.cors import CORSMiddleware

from memory_service import __version__
from memory_service.api.writes import MAX_WAIT_MS
from memory_service.config import Settings
from memory_service.errors import Forbidden, MemoryServiceError
from memory_service.extras import installed_by
from memory_service.memory import Memory
from memory_service.methods import MemoryMethods as M
from memory_service.requests import IMPORT, LIVE, NewMessage
from memory_service.results import (
    BankLine,
    BankStats,
    Context,
    DeadLetter,
    Decision,
    MemoryItem,
    Page,
    Trace,
    TraceLine,
)
from memory_service.running_service import identity_of
from memory_service.serialization import recall_json
from memory_service.server import openapi, problems
from memory_service.server.authentication import Authenticator
from memory_service.server.change_routes import changes
from memory_service.server.compression import Compression
from memory_service.server.dependencies import (
    AdminMemory,
    KeyGrant,
    ReadMemory,
    WriteMemory,
    actor_of,
    agent_of,
    arguments_in,
    require_all_banks,
)
from memory_service.server.docs_page import docs_page
from memory_service.server.erasure_routes import erasures
from memory_service.server.etags import (
    NOT_MODIFIED,
    IfMatch,
    IfNoneMatch,
    answer_if_changed,
    etag_of,
    strong_tags,
)
from memory_service.server.fact_routes import clarifications, facts
from memory_service.server.host_check import LocalOnly
from memory_service.server.idempotency import REPEATABLE, DeferredResponse
from memory_service.server.json_response import json_answer
from memory_service.server.mcp_route import mcp, resource_metadata
from memory_service.server.method_routes import read_route
from memory_service.server.metrics_route import scrapes
from memory_service.server.newline import Newline
from memory_service.server.procedure_routes import procedures
from memory_service.server.rate_limits import RateLimits
from memory_service.server.relational_routes import person, relational
from memory_service.server.request_count import RequestCount
from memory_service.server.request_id import RequestId
from memory_service.server.schemas import (
    BankAnswer,
    BankBody,
    CommittedAnswer,
    CompactBody,
    ContextBody,
    MemoryBody,
    MemoryChangeBody,
    MessagesAnswer,
    MessagesBody,
    ReadyAnswer,
    RecallAnswer,
    RecallBody,
    RedrivenAnswer,
    ReleaseBody,
    RestoreBody,
    RestoredAnswer,
    SettingsBody,
)
from memory_service.server.service_state import ServiceState
from memory_service.server.session_routes import sessions
from memory_service.server.strict_json import StrictRoute
from memory_service.server.thread_routes import threads
from memory_service.server.token_route import tokens
from memory_service.server.trace_context import TraceContext
from memory_service.ui.pages import pages
from memory_service.validation import check_count

if TYPE_CHECKING:
    from memory_service.server.oauth import OAuthIssuer

STUCK_SECONDS = 300.0
"""Age of the oldest work item above which /readyz answers `degraded`."""

HEALTH_PATH = "/healthz"
READ_HEADERS = (
    "Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-Id",
    "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name",
)  # fmt: skip
SHOWN_HEADERS = (
    "ETag", "Idempotent-Replayed", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After",
    "X-Request-Id",
)  # fmt: skip
"""Headers that web pages of MEMORY_ALLOWED_ORIGINS may send and read."""

banks = APIRouter(prefix="/v1/banks", route_class=StrictRoute)
every_bank = APIRouter(prefix="/v1", route_class=StrictRoute)
health = APIRouter()


def create_app(memory: Memory, hosts: Sequence[str] = (), *, keys_required: bool = False) -> FastAPI:
    """The application on an open Memory, which the caller closes.

    It accepts as Host the loopback names and addresses, the configured host and `hosts`.
    """
    app = FastAPI(
        title="Memory service",
        version=__version__,
        summary="Long-term memory for agents, in Postgres.",
        generate_unique_id_function=lambda route: route.name,  # names of functions in generated clients
        redirect_slashes=False,  # a redirect would repeat the Host that the request names
        docs_url=None,  # FastAPI's pages load scripts from other hosts
        redoc_url=None,
        # Spans and logs of FastAPI have query strings and messages of exceptions, which may be memory text.
        telemetry={"tracing": False, "logs": False, "auto_configure": False},
    )
    attach(app, memory, keys_required=keys_required)
    for router in (
        banks, changes, facts, procedures, clarifications, relational, person, threads, sessions, erasures, tokens,
        every_bank, health, scrapes, mcp, resource_metadata, pages,
    ):  # fmt: skip
        app.include_router(router)
    problems.install(app)
    openapi.install(app)

    async def keys_exist(path: str) -> bool:
        authenticator: Authenticator = app.state.authenticator
        if path == HEALTH_PATH:  # never reads the database
            return authenticator.keys_known
        try:
            return await authenticator.refresh()
        except MemoryServiceError:
            return False

    app.add_middleware(LocalOnly, hosts=(memory.settings.host, *hosts), keys_exist=keys_exist)
    app.add_middleware(Newline)
    app.add_middleware(RequestCount)  # within Compression, which copies the scope: the route is found in it
    app.add_middleware(TraceContext)
    app.add_middleware(Compression)
    app.add_middleware(RequestId)  # refusals of the others have an id, too
    if memory.settings.allowed_origins:  # the outermost: a web page can read refusals, too
        app.add_middleware(
            CORSMiddleware,
            allow_origins=memory.settings.allowed_origins,
            allow_methods=("GET", "POST", "PATCH", "DELETE"),
            allow_headers=READ_HEADERS,
            expose_headers=SHOWN_HEADERS,
        )
    return app


def attach(app: FastAPI, memory: Memory, *, keys_required: bool = False) -> None:
    """Let the application answer from this Memory."""
    app.state.memory = memory
    app.state.identity = identity_of(memory.settings)
    app.state.service_state = ServiceState(memory)
    oauth = app.state.oauth = oauth_of(memory.settings)
    app.state.authenticator = Authenticator(memory, required=keys_required, oauth=oauth)
    app.state.rate_limits = RateLimits(memory)


def oauth_of(settings: Settings) -> OAuthIssuer | None:
    """The OAuth issuer in the settings. Errors: InvalidInput for its keys, or without the extra `mcp`."""
    issuer, audience = settings.oauth_issuer, settings.oauth_audience
    jwks, key_id = settings.oauth_jwks, settings.oauth_key_id
    if issuer is None or audience is None or jwks is None or key_id is None:  # load_settings: all or none
        return None
    with installed_by("mcp", "MEMORY_OAUTH_ISSUER"):
        from memory_service.server.issuer_keys import IssuerKeys
        from memory_service.server.oauth import OAuthIssuer
    return OAuthIssuer(
        issuer, audience, IssuerKeys(jwks), key_id,
        settings.oauth_bank_claim, settings.oauth_read_scope, settings.oauth_write_scope,
    )  # fmt: skip


@banks.post(
    "",
    status_code=201,
    response_model=BankAnswer,
    responses={200: {"model": BankAnswer}},
    dependencies=[REPEATABLE],
)
async def create_bank(memory: AdminMemory, grant: KeyGrant, body: BankBody, response: Response) -> Any:
    """Create a bank. Answers 200 and changes nothing if the bank exists. 403 for a bank that the key does not cover."""
    if grant is not None and not grant.covers(body.bank_id):
        raise Forbidden("bank_id: the API key does not cover a bank of this name")
    bank, created = await memory.create_bank(body.bank_id, body.settings)
    response.status_code = 201 if created else 200
    return bank


@banks.get("", response_model=Page[BankLine])
async def list_banks(memory: ReadMemory, grant: KeyGrant, limit: int = 50, cursor: str | None = None) -> Any:
    """List the banks that the key covers, by name; without API keys all banks."""
    return await memory.list_banks(
        limit=limit, cursor=cursor, patterns=("*",) if grant is None else grant.banks
    )


@banks.get("/{bank_id}", response_model=BankAnswer, responses=NOT_MODIFIED)
async def get_bank(memory: ReadMemory, bank_id: str, if_none_match: IfNoneMatch = None) -> Any:
    """One bank with its settings, and an ETag."""
    answer = json_answer(BankAnswer.model_validate(await memory.get_bank(bank_id)))
    return answer_if_changed(if_none_match, answer, etag_of(bytes(answer.body)))


@banks.patch("/{bank_id}", response_model=BankAnswer)
async def update_bank(memory: AdminMemory, bank_id: str, body: SettingsBody) -> Any:
    """Change settings of a bank; settings that the body omits keep their value."""
    return await memory.update_bank(bank_id, body.settings)


@banks.post("/{bank_id}/messages", status_code=202, response_model=MessagesAnswer, dependencies=[REPEATABLE])
async def add_messages(memory: WriteMemory, grant: KeyGrant, bank_id: str, body: MessagesBody) -> Any:
    """Queue messages. Gate, summary and embedding run after the answer.

    Messages with `lane` import are processed after live ones. They are refused with 429 while intake is too far behind.
    """
    if body.lane == "import":
        await memory.check_import()
    ids = await memory.add_messages(
        bank_id,
        body.conversation_id,
        [NewMessage(**m.model_dump()) for m in body.messages],
        agent_id=agent_of(grant, body.agent_id),
        lane=IMPORT if body.lane == "import" else LIVE,
    )
    return json_answer({"message_ids": ids, "queue_seconds": round(await memory.intake_delay(), 1)}, 202)


@banks.post("/{bank_id}/memories", status_code=201, response_model=CommittedAnswer, dependencies=[REPEATABLE])
async def remember(memory: WriteMemory, grant: KeyGrant, bank_id: str, body: MemoryBody) -> Any:
    """Store one episode (episodic), fact (semantic) or procedure (procedural) without the gate; the harm check
    applies."""
    check_count(body.wait_ms, "wait_ms", 0, MAX_WAIT_MS)
    arguments = arguments_in(body, grant)
    del arguments["wait_ms"]
    committed = await memory.remember(bank_id, **arguments)

    async def waited() -> Response:
        ready = await memory.wait_until_recallable(bank_id, committed, wait_ms=body.wait_ms)
        return json_answer(ready, 201)

    answer = json_answer(committed, 201)
    return DeferredResponse(answer, waited) if body.wait_ms else answer


read_route(
    banks, "/{bank_id}/memories", M.list_memories, Page[MemoryItem],
    """List memories, newest first, or by importance with order=importance. Any of the tags and all other filters must
    match.""",
    type=str | None, tag=Annotated[list[str] | None, Query()], status=str | None, order=str,
)  # fmt: skip


@banks.get("/{bank_id}/memories/{memory_id}", response_model=MemoryItem, responses=NOT_MODIFIED)
async def get_memory(
    memory: ReadMemory, bank_id: str, memory_id: UUID, if_none_match: IfNoneMatch = None
) -> Any:
    """One memory, in any status, and its ETag. The ETag does not cover `access_count` and `links`."""
    item = await memory.get_memory(bank_id, memory_id)
    return answer_if_changed(if_none_match, json_answer(item), item.etag)


@banks.patch("/{bank_id}/memories/{memory_id}", response_model=MemoryItem)
async def update_memory(
    memory: WriteMemory,
    grant: KeyGrant,
    bank_id: str,
    memory_id: UUID,
    body: MemoryChangeBody,
    if_match: IfMatch = None,
) -> Any:
    """Change a memory. 412 if its ETag is not in `If-Match`.

    New content is embedded again, and facts that only the former content stated are withdrawn. Content of a fact with
    another meaning retracts the fact; the answer is the new fact. 409 for a merged memory, and for new content of one
    that is in quarantine, deprecated, retracted or a summary.
    """
    item = await memory.update(
        bank_id, memory_id, **arguments_in(body, grant), if_match=strong_tags(if_match)
    )
    return json_answer(item, headers={"ETag": f'"{item.etag}"'})


@banks.post("/{bank_id}/recall", response_model=RecallAnswer, response_model_exclude_unset=True)
async def recall(memory: ReadMemory, bank_id: str, body: RecallBody) -> Any:
    """List the memories that match a query best."""
    result = await memory.recall(bank_id, **body.model_dump(exclude={"explain"}))
    return json_answer(recall_json(result, explain=body.explain))


@banks.post("/{bank_id}/context", response_model=Context)
async def context(memory: ReadMemory, bank_id: str, body: ContextBody) -> Any:
    """Build the context for a model's next answer to a message."""
    return json_answer(await memory.context(bank_id, **body.model_dump()))


@banks.post("/{bank_id}/compact", response_model=Context)
async def compact(memory: ReadMemory, bank_id: str, body: CompactBody) -> Any:
    """Select memories for a message to a person, within one token budget."""
    return json_answer(await memory.compact(bank_id, **body.model_dump()))


read_route(
    banks, "/{bank_id}/traces", M.list_traces, Page[TraceLine], "List the traces of a bank, newest first."
)


@banks.get("/{bank_id}/traces/{trace_id}", response_model=Trace)
async def get_trace(memory: ReadMemory, bank_id: str, trace_id: UUID) -> Any:
    """One trace: each candidate with its score, the parts of the score, and why it was returned or dropped."""
    return json_answer(await memory.get_trace(bank_id, trace_id))


read_route(
    banks, "/{bank_id}/decisions", M.list_decisions, Page[Decision],
    "List gate decisions with their reasons, newest first; all, or those of one outcome.",
)  # fmt: skip
read_route(
    banks, "/{bank_id}/stats", M.stats, BankStats,
    """Counts of messages, memories and work items, and spending.

    All messages are decided when `pending` and `depth` are 0.""",
)  # fmt: skip


@banks.post("/{bank_id}/memories/{memory_id}/release", response_model=MemoryItem, dependencies=[REPEATABLE])
async def release_memory(
    memory: AdminMemory, grant: KeyGrant, bank_id: str, memory_id: UUID, body: ReleaseBody | None = None
) -> Any:
    """Release a memory from quarantine: it is embedded and can be recalled, quoted as data. 409 if it is not
    quarantined."""
    actor = actor_of(grant, None if body is None else body.actor)
    return await memory.release_memory(bank_id, memory_id, actor=actor)


@banks.post(
    "/{bank_id}/memories/{memory_id}/restore", response_model=RestoredAnswer, dependencies=[REPEATABLE]
)
async def restore_memory(
    memory: WriteMemory, grant: KeyGrant, bank_id: str, memory_id: UUID, body: RestoreBody | None = None
) -> Any:
    """Restore an archived or deprecated episode, or a fact that was dropped to keep the cap.

    An active summary is undone: its episodes are restored. 409 if the memory is in another state.
    """
    actor = actor_of(grant, None if body is None else body.actor)
    status = await memory.restore_memory(bank_id, memory_id, actor=actor)
    return {"memory_id": memory_id, "status": status}


read_route(
    banks, "/{bank_id}/dead-letters", M.list_dead_letters, Page[DeadLetter],
    "List the dead letters of a bank with their reasons, oldest first.", bank_id=str,
)  # fmt: skip


@banks.post("/{bank_id}/redrive", response_model=RedrivenAnswer, dependencies=[REPEATABLE])
async def redrive(memory: AdminMemory, bank_id: str) -> Any:
    """Put the dead letters of a bank back into the queue."""
    return {"redriven": await memory.redrive(bank_id)}


@every_bank.get("/dead-letters", response_model=Page[DeadLetter])
async def list_all_dead_letters(
    memory: AdminMemory, grant: KeyGrant, limit: int = 50, cursor: str | None = None
) -> Any:
    """List the dead letters of all banks with their reasons, oldest first. Needs a key for all banks."""
    require_all_banks(grant)
    return await memory.list_dead_letters(limit=limit, cursor=cursor)


@every_bank.post("/redrive", response_model=RedrivenAnswer)
async def redrive_all(memory: AdminMemory, grant: KeyGrant) -> Any:
    """Put the dead letters of all banks back into the queue, one bank after the other. Needs a key for all banks."""
    require_all_banks(grant)
    return {"redriven": await memory.redrive_all()}


@health.get(HEALTH_PATH)
async def healthz(request: Request) -> dict[str, str]:
    """Answers while the process runs. `service` identifies data and release; all processes of a service share it."""
    return {"status": "ok", "service": request.app.state.identity}


@health.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    return docs_page(request.app.openapi())


@health.get("/readyz", response_model=ReadyAnswer, response_model_exclude_unset=True)
async def readyz(request: Request) -> Any:
    """Answers 503 without database or schema. Needs no API key.

    With dead letters, a work item older than 300 s, or one of several servers that does not answer, the status is
    `degraded`, with 200. `queue` counts all banks; a
    service with API keys leaves it out.
    """
    state: ServiceState = request.app.state.service_state
    kinds = await state.queue.get()
    queue = {
        "depth": sum(one.depth for one in kinds),
        "oldest_seconds": round(max((one.oldest_seconds for one in kinds), default=0.0), 3),
        "dead": sum(one.dead for one in kinds),
    }
    memory: Memory = request.app.state.memory
    silent = False in memory.store.metrics.servers().values()
    stuck = queue["oldest_seconds"] > STUCK_SECONDS or queue["dead"] > 0 or silent
    answer = {"status": "degraded" if stuck else "ready"}
    return answer if await request.app.state.authenticator.refresh() else answer | {"queue": queue}
