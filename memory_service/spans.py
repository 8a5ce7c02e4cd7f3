"""OpenTelemetry spans of memory operations and model calls (docs/operations.md, Spans).

They use the API of OpenTelemetry only and cost some 6 µs until the process has an SDK. Attributes are ids, names and
figures: never a text, a query or the message of an error.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, StatusCode

Operation = Literal["search_memory", "create_memory", "update_memory"]
"""Values of `gen_ai.operation.name` for memory stores in the semantic conventions."""
RECORD_COUNT = "gen_ai.memory.record.count"
RECORD_ID = "gen_ai.memory.record.id"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"

tracer = trace.get_tracer("memory_service")


@contextmanager
def memory_span(operation: Operation, bank_id: str, kind: str) -> Generator[Span]:
    """A span for one operation on a bank. `kind` tells operations of one name apart, such as recall and context."""
    attributes = {
        "gen_ai.operation.name": operation,
        "gen_ai.memory.store.id": bank_id,
        "memory_service.operation": kind,
    }
    with _span(operation, SpanKind.INTERNAL, attributes) as span:
        yield span


@contextmanager
def model_span(model: str, purpose: str) -> Generator[Span]:
    """A span for one call of a model."""
    operation = "embeddings" if purpose == "embed" else "chat"
    attributes = {
        "gen_ai.operation.name": operation,
        "gen_ai.request.model": model,
        "memory_service.purpose": purpose,
    }
    with _span(f"{operation} {model}", SpanKind.CLIENT, attributes) as span:
        yield span


@contextmanager
def _span(name: str, kind: SpanKind, attributes: dict[str, str]) -> Generator[Span]:
    """A current span; of an error it has the type, since messages may quote a text."""
    with tracer.start_as_current_span(
        name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except Exception as error:
            span.set_attribute("error.type", type(error).__name__)
            span.set_status(StatusCode.ERROR)
            raise
