"""The list of tools as clients get it: names, descriptions, hints and compact JSON schemas."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from mcp_types import Tool, ToolAnnotations

from memory_service.mcp import answers, arguments, tools
from memory_service.mcp.access import Access

NOISE = ("title", "default", "additionalProperties")
"""Keywords of pydantic's schemas that tell a model little: the whole list has to stay below 1,500 tokens."""
OF_ANSWERS = (*NOISE, "required")


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool: its function with the types of argument and answer, and how clients show it."""

    call: Callable[[Access, Any], Awaitable[object]]
    arguments: type[arguments.Arguments]
    answer: type
    title: str
    description: str
    reads_only: bool = False
    destroys: bool = False
    repeatable: bool = False

    @property
    def name(self) -> str:
        return self.call.__name__

    def listed(self) -> Tool:
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=compact(self.arguments.model_json_schema()),
            output_schema=compact(
                answers.adapter_of(self.answer).json_schema(mode="serialization"), OF_ANSWERS
            ),
            annotations=ToolAnnotations(
                read_only_hint=self.reads_only,
                destructive_hint=None if self.reads_only else self.destroys,
                idempotent_hint=self.repeatable or None,
                open_world_hint=False,
            ),
        )


TOOLS = {
    one.name: one
    for one in (
        Definition(
            tools.remember, arguments.Remember, answers.Remembered, "Remember",
            "Store one memory and say how it was decided.",
        ),
        Definition(
            tools.recall, arguments.Recall, answers.RecallAnswer, "Recall",
            "Search memories by meaning and words, best first.", reads_only=True,
        ),
        Definition(
            tools.context, arguments.Context, answers.ContextAnswer, "Context",
            "All that matters for the user's message, as one text.", reads_only=True,
        ),
        Definition(
            tools.facts, arguments.Facts, answers.FactsAnswer, "Facts",
            "List known facts with confidence and period, now or at a time.", reads_only=True,
        ),
        Definition(
            tools.correct, arguments.Correct, answers.FactLine, "Correct a fact",
            "confirm: true; dispute: doubtful; retract: never true; pin: keeps its confidence.",
            destroys=True, repeatable=True,
        ),
        Definition(
            tools.forget, arguments.Forget, answers.ForgetAnswer, "Forget",
            "Erase memories for ever, only if the user wants it. The first call erases nothing: it shows what goes and "
            "gives `confirm`.",
            destroys=True, repeatable=True,
        ),
        Definition(
            tools.questions, arguments.Questions, answers.QuestionsAnswer, "Questions",
            "List open questions about contradicting facts, or answer one with the user's words.",
            repeatable=True,
        ),
        Definition(
            tools.why, arguments.Why, answers.WhyAnswer, "Why",
            "Explain a read (trace_id) or a memory (memory_id).", reads_only=True,
        ),
    )
}  # fmt: skip
"""By name."""


@cache
def listed_tools() -> list[Tool]:
    return [tool.listed() for tool in TOOLS.values()]


def compact(schema: dict[str, Any], noise: tuple[str, ...] = NOISE) -> dict[str, Any]:
    """The schema with its references replaced, without `noise`, and without null where a field may be left out."""
    definitions = schema.get("$defs", {})

    def walk(node: Any, *, named: bool = False, within: bool = True) -> Any:
        """`named`: the keys are names of fields, not keywords. `within`: not the root, which has to be an object."""
        if isinstance(node, list):
            return [walk(one) for one in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        fields = cast("dict[str, Any]", node)
        if named:
            return {name: walk(one) for name, one in fields.items()}
        if "$ref" in fields:
            return walk(definitions[fields["$ref"].rpartition("/")[2]])
        if "anyOf" in fields:
            shapes = [one for one in fields["anyOf"] if one != {"type": "null"}]
            rest = {name: one for name, one in fields.items() if name != "anyOf"}
            fields = rest | (shapes[0] if len(shapes) == 1 else {"anyOf": shapes})
        kept = {
            name: walk(one, named=name == "properties")
            for name, one in fields.items()
            if name not in noise and name != "$defs"
        }
        if kept.get("format") == "uuid":
            del kept["format"]
        if within and "properties" in kept:
            del kept["type"]
        return kept

    return walk(schema, within=False)
