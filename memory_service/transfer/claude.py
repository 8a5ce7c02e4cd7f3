"""Conversations of a Claude account's export (conversations.json, or its ZIP file).

[{"uuid": …, "name": …, "created_at": "2024-03-02T09:30:00.123456Z",
  "chat_messages": [{"uuid": …, "sender": "human", "created_at": …, "text": "Hello",
                     "content": [{"type": "text", "text": "Hello"}], "attachments": [], "files": []}]}]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_service.errors import InvalidInput
from memory_service.requests import NewMessage
from memory_service.transfer.fields import objects_at, text_at, time_at
from memory_service.transfer.json_array import conversations_in
from memory_service.transfer.parts import Part, Statement, path_to

PRODUCT = "claude"
ROLES = {"human": "user", "assistant": "assistant"}


def claude_parts(path: Path) -> Iterator[Part]:
    """The conversations of an export; of one with branches the messages before the last one.

    Left out: thoughts, tools, attachments and files. Errors: InvalidInput naming conversation and field.
    """
    for place, conversation in conversations_in(path):
        conversation_id = text_at(conversation, "uuid", place)
        place = f"{place} ({conversation_id})"
        messages: list[NewMessage] = []
        for message in branch(conversation, place):
            original_id = text_at(message, "uuid", place)
            at_message = f"{place}: message {original_id}"
            sender = text_at(message, "sender", at_message)
            if sender not in ROLES:
                raise InvalidInput(f"{at_message}: sender", f"must be one of {', '.join(ROLES)}")
            at = time_at(message, at_message, "created_at")
            text = text_of(message, at_message)
            messages += Statement(PRODUCT, original_id, ROLES[sender], text, at).messages(at_message)
        if messages:
            yield Part(conversation_id, messages)


def branch(conversation: Mapping[str, Any], place: str) -> Sequence[Mapping[str, Any]]:
    """The messages in order; if each names its parent, those on the path to the last one."""
    found = objects_at(conversation, "chat_messages", place)
    nodes = {text_at(one, "uuid", f"{place}: message {number}"): one for number, one in enumerate(found, 1)}
    if not nodes or not all(message.get("parent_message_uuid") for message in nodes.values()):
        return list(nodes.values())
    return path_to(nodes, list(nodes)[-1], "parent_message_uuid", place)


def text_of(message: Mapping[str, Any], place: str) -> str:
    """The texts of the content; without content, as in old exports, the field `text`."""
    if not message.get("content"):
        return text_at(message, "text", place) if message.get("text") else ""
    return "\n\n".join(
        text_at(block, "text", f"{place}: content")
        for block in objects_at(message, "content", place)
        if block.get("type") == "text" and block.get("text")
    )
