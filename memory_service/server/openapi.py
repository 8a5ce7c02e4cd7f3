"""The OpenAPI document: FastAPI's, with limits of parameters and the problem documents of each call."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from memory_service.api.reads import MAX_CHANGES_WAIT
from memory_service.cursors import MAX_PAGE
from memory_service.server.idempotency import HEADER
from memory_service.server.value_schemas import JSON_VALUE, LINE, SESSION_VALUE
from memory_service.validation import BANK_ID, MEMORY_TYPES, ORDERS, STATUSES

MEDIA_TYPE = "application/problem+json"
PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "description": "RFC 9457",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "problem"],
                "properties": {"field": {"type": "string"}, "problem": {"type": "string"}},
            },
        },
    },
}
ALWAYS = (403, 421)
"""Wrong Origin, wrong Host."""
WITH_BODY = (400, 413, 415)
REASONS = {
    400: "The body is not JSON.",
    401: "The service has API keys, and the request has none that is valid.",
    403: "The key does not allow the call, or a web page of another host calls a service without keys.",
    404: "The bank, memory, fact, clarification, trace, session or checkpoint does not exist.",
    409: (
        "The state does not allow the call, the same key or id was used before with other content, or a request with "
        "the same Idempotency-Key is being processed."
    ),
    412: "The memory has changed since the answer with this ETag.",
    413: "The body is larger than 1 MiB.",
    415: "The Content-Type is not application/json.",
    429: "The API key has used up its rate limit, or intake is too far behind; Retry-After has the seconds to wait.",
    421: "The Host header is not a name of this machine.",
    422: "A field is missing or invalid; `errors` names it.",
    503: "The database does not answer; retry after Retry-After seconds.",
}


LIMITS: dict[str, dict[str, Any]] = {
    "bank_id": {"pattern": f"^{BANK_ID.pattern}$"},
    "session_id": {"pattern": f"^{BANK_ID.pattern}$"},
    "limit": {"minimum": 1, "maximum": MAX_PAGE},
    "wait_seconds": {"minimum": 0, "maximum": MAX_CHANGES_WAIT},
    "min_importance": {"minimum": 0, "maximum": 1},
    "order": {"enum": list(ORDERS)},
    "cursor": {"format": "cursor"},
    "tag": LINE,
    "agent": LINE,
    "recipient": LINE,
    "type": {"enum": list(MEMORY_TYPES)},
    "status": {"enum": list(STATUSES)},
}
"""JSON Schema limits by parameter name. The methods of Memory check the values; FastAPI does not."""


def stale_session() -> dict[str, Any]:
    """The description of a problem document with the present session."""
    session = {"properties": {"session": {"$ref": "#/components/schemas/Session"}}}
    schema = {"allOf": [{"$ref": "#/components/schemas/Problem"}, session]}
    return {
        "description": "The session has changed since it was read; `session` is the present one.",
        "content": {MEDIA_TYPE: {"schema": schema}},
    }


def limit_parameters(call: dict[str, Any]) -> None:
    """Add LIMITS to the schemas of the call's parameters."""
    for parameter in call.get("parameters", ()):
        limits = LIMITS.get(parameter["name"], {})
        if "items" in parameter["schema"].get("anyOf", [{}])[0]:
            items = parameter["schema"]["anyOf"][0]["items"]
            parameter["schema"]["anyOf"][0]["items"] = limits | items
            continue
        shapes = parameter["schema"].get("anyOf", [parameter["schema"]])
        for shape in shapes:
            if shape.get("type") != "null":
                shape.update(limits)


def install(app: FastAPI) -> None:
    """Replace the app's OpenAPI document by `described`."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = described(
                get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
            )
        return app.openapi_schema

    app.openapi = openapi


def described(api: dict[str, Any]) -> dict[str, Any]:
    """`api` with limits of parameters and problem documents, changed in place."""
    for path, calls in api["paths"].items():
        for call in calls.values():
            limit_parameters(call)
            if path.startswith("/v1"):
                call["security"] = [{"key": []}, {}]  # none while no key exists
            for status in statuses(path, call):
                call["responses"][str(status)] = {
                    "description": REASONS[status],
                    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
                }
    schemas = api["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas |= {"JsonValue": JSON_VALUE, "SessionValue": SESSION_VALUE, "Problem": PROBLEM}
    # pydantic gives every page the title "Page"; generators of clients name classes by their titles.
    for name, schema in schemas.items():
        if name.startswith("Page_"):
            schema["title"] = f"PageOf{name.removeprefix('Page_').removesuffix('_')}"
    api["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    return api


def statuses(path: str, call: dict[str, Any]) -> list[int]:
    """The status codes of a call's problem documents."""
    found = [*ALWAYS]
    if "requestBody" in call:
        found += WITH_BODY
    if "{bank_id}" in path:
        found.append(404)
    names = {parameter["name"] for parameter in call.get("parameters", ())}
    if names & {HEADER, "If-Match"} or path.endswith("/tokens"):
        found.append(409)
    if "If-Match" in names:
        found.append(412)
    if path.startswith("/v1"):
        found += (401, 422, 429)
    if path != "/healthz":
        found.append(503)
    return sorted(found)
