"""JSON responses without validation: FastAPI would validate each field against the response model."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Response
from pydantic_core import to_json


def json_answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """`value`, dataclasses included, as a JSON response.

    The caller passes a value of the route's response model (checked by tests/server/test_http.py). For a context,
    validation takes 3.4 ms, serialization 0.3 ms.
    """
    return Response(to_json(value), status, headers, "application/json")
