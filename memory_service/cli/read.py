"""Commands that read: recall, context and compact."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from memory_service.cli.terminal import (
    Agent,
    AsJson,
    AsOf,
    Bank,
    Importance,
    Recipient,
    Tags,
    Time,
    call_service,
    err,
    out,
    print_json,
    read_memory,
)
from memory_service.iso_time import parsed_time
from memory_service.profiles import PROFILES
from memory_service.serialization import recall_json
from memory_service.validation import TOKENIZERS

if TYPE_CHECKING:
    from memory_service.cli.client import Client
    from memory_service.memory import Memory

Tokenizer = Annotated[str, typer.Option(help=f"one of {', '.join(TOKENIZERS)}")]
Emotions = Annotated[
    list[str] | None, typer.Option("--emotion", help="emotion of the current mood; repeatable")
]
Valence = Annotated[float | None, typer.Option(help="valence of the current mood, -1 to 1")]
Topics = Annotated[list[str] | None, typer.Option("--topic", help="current topic; repeatable")]
Profile = Annotated[
    str | None, typer.Option(help=f"{', '.join(PROFILES)}, or a profile of the bank; default: the bank's")
]

MinScore = Annotated[
    float | None,
    typer.Option(help="lowest score returned; replaces the profile's cut-off, 0 returns all candidates"),
]


def recall(
    query: str,
    bank: Bank,
    k: Annotated[int, typer.Option("-k", help="maximum number of memories")] = 10,
    mode: Annotated[str, typer.Option(help="tool or passive")] = "tool",
    profile: Profile = None,
    type_: Annotated[list[str] | None, typer.Option("--type", help="repeatable: any of them matches")] = None,
    tag: Tags = None,
    min_importance: Importance = None,
    since: Time = None,
    until: Time = None,
    agent: Agent = None,
    recipient: Recipient = None,
    emotion: Emotions = None,
    valence: Valence = None,
    topic: Topics = None,
    as_of: AsOf = None,
    by: Annotated[
        list[str] | None,
        typer.Option(help="recall arm: meaning, words or salience; repeatable; default: all"),
    ] = None,
    min_score: MinScore = None,
    explain: Annotated[bool, typer.Option(help="show the parts of each score")] = False,
    as_json: AsJson = False,
) -> None:
    """List the memories that match a query best."""
    arguments: dict[str, Any] = {
        "query": query,
        "k": k,
        "mode": mode,
        "profile": profile,
        "types": type_,
        "tags": tag,
        "min_importance": min_importance,
        "since": parsed_time(since, "since"),
        "until": parsed_time(until, "until"),
        "recipient": recipient,
        "agent": agent,
        "emotions": emotion,
        "valence": valence,
        "topics": topic,
        "as_of": parsed_time(as_of, "as_of"),
        "min_score": min_score,
        "by": by or None,
    }

    def ask(service: Client) -> object:
        found = service.recall(bank, {**arguments, "explain": explain})
        settings: object = service.bank(bank)["settings"] if has_reply(found) else {}
        return found, settings

    async def read(memory: Memory) -> object:
        found = recall_json(await memory.recall(bank, **arguments), explain=explain)
        return found, (await memory.get_bank(bank)).settings if has_reply(found) else {}

    recalled, settings = call_service(ask, read)
    if as_json:
        print_json(recalled)
    else:
        print_recalled(recalled, settings, explain=explain)


def has_reply(recalled: dict[str, Any]) -> bool:
    """Whether an item matched by its reply, which is printed with the agent's name."""
    return any(item["from_reply"] for item in recalled["items"])


def print_recalled(recalled: dict[str, Any], settings: dict[str, Any], *, explain: bool) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("score", "when", "memory", "why"):
        table.add_column(name)
    for item in recalled["items"]:
        why = ", ".join(f"{n} {v:.2f}" for n, v in item["components"].items()) if explain else item["reason"]
        shown = item["content"]
        if item["from_reply"]:
            from memory_service.recall.formatting import quoted_reply
            from memory_service.speakers import speakers_of

            shown += f" / {quoted_reply(item['reply'], speakers_of(settings))}"
        table.add_row(f"{item['score']:.3f}", item["occurred_at"][:10], shown, why)
    out().print(table, markup=False)
    if explain:
        out().print(f"trace {recalled['trace_id']} lists the other candidates", soft_wrap=True)
    if recalled["degraded"]:
        err().print("degraded: the query could not be embedded; searched by words only")


def context(
    message: str,
    bank: Bank,
    conversation: Annotated[
        str | None, typer.Option(help="conversation whose last messages are included")
    ] = None,
    recent_tokens: Annotated[
        int | None, typer.Option(help="token budget of the recent part; default: the bank's")
    ] = None,
    knowledge_tokens: Annotated[
        int | None, typer.Option(help="token budget of the facts part; default: the bank's")
    ] = None,
    profile: Profile = None,
    emotion: Emotions = None,
    valence: Valence = None,
    topic: Topics = None,
    tokenizer: Tokenizer = "wordpiece",
    as_of: AsOf = None,
    min_score: MinScore = None,
    as_json: AsJson = False,
) -> None:
    """Build the context for a model's next answer to a message."""
    arguments: dict[str, Any] = {
        "message": message,
        "conversation_id": conversation,
        "recent_tokens": recent_tokens,
        "knowledge_tokens": knowledge_tokens,
        "profile": profile,
        "emotions": emotion,
        "valence": valence,
        "topics": topic,
        "tokenizer": tokenizer,
        "as_of": parsed_time(as_of, "as_of"),
        "min_score": min_score,
    }
    print_context(
        call_service(
            lambda service: service.context(bank, arguments),
            lambda memory: memory.context(bank, **arguments),
        ),
        as_json=as_json,
    )


def compact(
    bank: Bank,
    recipient: Annotated[str, typer.Option(help="person that the message is for")],
    purpose: Annotated[str, typer.Option(help="purpose of the message: a tag, or words that are tags")],
    max_tokens: Annotated[
        int | None, typer.Option(help="token budget of the whole text; default: the bank's")
    ] = None,
    tokenizer: Tokenizer = "wordpiece",
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Select memories for a message to a person: important, recent, about them, or tagged with the purpose."""
    moment = parsed_time(as_of, "as_of")
    found = read_memory(
        lambda memory: memory.compact(
            bank, recipient, purpose, max_tokens=max_tokens, tokenizer=cast("Any", tokenizer), as_of=moment
        )
    )
    print_context(asdict(found), as_json=as_json)


def print_context(answer: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
    else:
        print(answer["text"])  # noqa: T201 - never wrapped
        if not answer["text"]:
            err().print(
                "empty: no memory fits, or none is processed yet (`stats` shows pending messages)",
                style="dim",
            )
