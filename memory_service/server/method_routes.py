"""Routes whose parameters are those of a method of `Memory`, which they pass on."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, get_type_hints

from fastapi import APIRouter

from memory_service.memory import Memory
from memory_service.method_arguments import QUERY_NAMES
from memory_service.server.dependencies import ReadMemory, Reviewer, WriteMemory
from memory_service.server.idempotency import REPEATABLE
from memory_service.server.schemas import Time

Method = Callable[..., Any]


def read_route(
    router: APIRouter, path: str, method: Method, answer: Any, text: str, *, name: str = "", **annotations: Any
) -> None:  # fmt: skip
    """GET: the method's answer, which is an `answer`, for the parameters of the path and the query.

    `text` describes the call in the OpenAPI document; `annotations` are those of parameters that differ from the
    method's.
    """
    router.add_api_route(
        path, endpoint_of(method, ReadMemory, annotations), name=name or method.__name__, response_model=answer,
        description=inspect.cleandoc(text),
    )  # fmt: skip


def review_routes(router: APIRouter, path: str, answer: Any, methods: Mapping[Method, str]) -> None:
    """POST: for each of the methods, which have a text for the OpenAPI document, the act on what the path names. The
    act is the beginning of the method's name; a body has the actor alone."""
    for method, text in methods.items():
        act = method.__name__.partition("_")[0]
        router.add_api_route(
            f"{path}/{act}", endpoint_of(method, WriteMemory, {"actor": Reviewer}), methods=["POST"],
            name=method.__name__, response_model=answer, description=text, dependencies=[REPEATABLE],
        )  # fmt: skip


def endpoint_of(method: Method, memory: Any, annotations: Mapping[str, Any]) -> Method:
    """A function that FastAPI calls with the Memory of the dependency `memory`, and with the method's parameters."""
    hints = get_type_hints(method)
    given = [one for one in inspect.signature(method).parameters.values() if one.name != "self"]
    names = {QUERY_NAMES.get(one.name, one.name): one.name for one in given}

    async def endpoint(memory: Memory, **values: Any) -> Any:
        arguments = {names[name]: value for name, value in values.items()}
        return await getattr(memory, method.__name__)(**arguments)

    named = partial(inspect.Parameter, kind=inspect.Parameter.KEYWORD_ONLY)
    parameters = [named("memory", annotation=memory)]
    for one, name in zip(given, names, strict=True):
        kind = annotations.get(name, Time | None if hints[one.name] == datetime | None else hints[one.name])
        default = inspect.Parameter.empty if kind is Reviewer else one.default
        parameters.append(named(name, annotation=kind, default=default))
    endpoint.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return endpoint
