"""Commands for API keys. They open the database and need no key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from memory_service.cli.terminal import (
    AsJson,
    err,
    group,
    list_whole_lines,
    print_answer,
    print_json,
    print_listed,
    with_memory,
)
from memory_service.iso_time import parsed_time

if TYPE_CHECKING:
    from memory_service.keys import ApiKey, NewKey

key = group("Create, list, rotate and revoke API keys.", no_args_is_help=True)

LIMITS = ("requests_per_minute", "messages_per_minute", "model_tokens_per_minute")
KeyId = Annotated[str, typer.Argument(help="key_id, the second part of the key")]
Actor = Annotated[str | None, typer.Option(help="name recorded with the change; default: operator")]
RequestsPerMinute = Annotated[int | None, typer.Option(help="rate limit; default: none")]
MessagesPerMinute = Annotated[
    int | None, typer.Option(help="rate limit of messages and committed memories; default: none")
]
ModelTokensPerMinute = Annotated[
    int | None, typer.Option(help="rate limit of the estimated tokens of their text; default: none")
]


@key.command()
def create(
    role: Annotated[str, typer.Option(help="read, write or admin; each includes those before it")],
    banks: Annotated[
        list[str],
        typer.Option("--bank", "-b", help="bank, or prefix followed by *; repeatable; * is every bank"),
    ],
    agent: Annotated[str | None, typer.Option(help="agent that writes with this key")] = None,
    erase: Annotated[
        bool,
        typer.Option(
            "--erase", help="may erase memories and banks; needs role write, and role admin always may"
        ),
    ] = False,
    expires: Annotated[str | None, typer.Option(help="end of the key: ISO 8601 with a zone")] = None,
    note: Annotated[str, typer.Option(help="purpose of the key")] = "",
    requests_per_minute: RequestsPerMinute = None,
    messages_per_minute: MessagesPerMinute = None,
    model_tokens_per_minute: ModelTokensPerMinute = None,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Create a key and print it. It is shown only once."""
    expires_at = parsed_time(expires, "--expires")
    made = with_memory(
        lambda memory: memory.create_key(
            role, banks, may_erase=erase, agent_id=agent, note=note, expires_at=expires_at, actor=actor,  # type: ignore[arg-type]
            requests_per_minute=requests_per_minute, messages_per_minute=messages_per_minute,
            model_tokens_per_minute=model_tokens_per_minute,
        )
    )  # fmt: skip
    print_new(made, as_json=as_json)


@key.command("list")
def list_keys(as_json: AsJson = False) -> None:
    """List keys, the newest first, without their text."""
    found = with_memory(lambda memory: memory.list_keys())
    print_listed(found, lambda one: (one.key_id, details(one)), as_json=as_json)


@key.command()
def limit(
    key_id: KeyId,
    requests_per_minute: RequestsPerMinute = None,
    messages_per_minute: MessagesPerMinute = None,
    model_tokens_per_minute: ModelTokensPerMinute = None,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Set the rate limits of a key; an omitted one is removed. They apply within a second."""
    numbers = (requests_per_minute, messages_per_minute, model_tokens_per_minute)
    limits: dict[str, int | None] = dict(zip(LIMITS, numbers, strict=True))
    with_memory(lambda memory: memory.limit_key(key_id, **limits, actor=actor))
    words = " and ".join(limits_in(limits)) or "any number of requests"
    print_answer({"key_id": key_id, **limits}, f"The key {key_id} may send {words}.", as_json=as_json)


@key.command()
def revoke(key_id: KeyId, actor: Actor = None, as_json: AsJson = False) -> None:
    """Revoke a key. Every process refuses it within a second."""
    at = with_memory(lambda memory: memory.revoke_key(key_id, actor=actor))
    print_answer(
        {"key_id": key_id, "revoked_at": at},
        f"The key {key_id} is revoked since {at:%Y-%m-%d %H:%M:%S} UTC.",
        as_json=as_json,
    )


@key.command()
def rotate(
    key_id: KeyId,
    hours: Annotated[float, typer.Option(help="hours until the old key ends")] = 24,
    actor: Actor = None,
    as_json: AsJson = False,
) -> None:
    """Create a key with the rights of another, which ends after --hours."""
    made = with_memory(lambda memory: memory.rotate_key(key_id, overlap_hours=hours, actor=actor))
    print_new(made, as_json=as_json)


def print_new(made: NewKey, *, as_json: bool) -> None:
    ends = made.old_expires_at
    if as_json:
        print_json({"key_id": made.key_id, "key": made.key} | ({"old_expires_at": ends} if ends else {}))
        return
    print(made.key)  # noqa: T201 - alone on stdout, never wrapped
    notice = (
        f"\nThe key {made.key_id} is shown only now. Send it as `Authorization: Bearer {made.key[:8]}...`."
    )
    if ends is not None:
        notice += f" The old key ends at {ends:%Y-%m-%d %H:%M:%S} UTC."
    err().print(notice, soft_wrap=True)


def limits_in(limits: Mapping[str, int | None]) -> list[str]:
    """The rate limits of a key in words."""
    named = {name.removesuffix("_per_minute").replace("_", " "): number for name, number in limits.items()}
    return [f"{number} {resource} a minute" for resource, number in named.items() if number is not None]


def details(one: ApiKey) -> list[str]:
    """The second line of a key in a list."""
    state = "active"
    if one.revoked_at is not None:
        state = f"revoked {one.revoked_at:%Y-%m-%d %H:%M}"
    elif one.expires_at is not None:
        state = f"ends {one.expires_at:%Y-%m-%d %H:%M}"
    used = "never used" if one.last_used_at is None else f"used {one.last_used_at:%Y-%m-%d %H:%M}"
    words = [one.role, " ".join(one.banks), state, used]
    words += limits_in({name: getattr(one, name) for name in LIMITS})
    return words + [text for text in (one.agent_id, "may erase" if one.may_erase else None, one.note) if text]


list_whole_lines(key)
