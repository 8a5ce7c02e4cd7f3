"""Conversations of a ChatGPT account's export (conversations.json, or its ZIP file).

    [{"conversation_id": …, "create_time": 1709373000.1, "current_node": "b",
      "mapping": {"a": {"parent": null, "message": null},
                  "b": {"parent": "a", "message": {"id": "b", "author": {"role": "user"}, "create_time": 1709373000.1,
                                                   "content": {"content_type": "text", "parts": ["Hello"]}}}}}]

Regenerated answers and edited messages are branches of the tree; the path to `current_node` is the conversation as it
was last displayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from memory_service.errors import InvalidInput
from memory_service.requests import NewMessage
from memory_service.transfer.fields import list_at, object_at, text_at
from memory_service.transfer.json_array import conversations_in
from memory_service.transfer.notes import note_parts
from memory_service.transfer.parts import Part, Statement, path_to, unix_time

PRODUCT = "chatgpt"
ROLES = ("user", "assistant")
"""Messages of others are instructions of the product, and output of tools."""
TEXTS = ("text", "multimodal_text")
"""Types of content that people read: not code for tools, thoughts, or the user's settings."""
SPOKEN = "audio_transcription"
EVERYONE = ("all", None)
ABOUT = ("about_user_message", "about_model_message")
"""Custom instructions: of the user, and how to answer."""


def chatgpt_parts(path: Path) -> Iterator[Part]:
    """The conversations of an export, each with the messages of its current branch, and the custom instructions as
    notes, dated by the first conversation in the file that has them.

    Left out: messages of tools and of the system, hidden ones, images and files. Errors: InvalidInput naming
    conversation and field.
    """
    known: set[str] = set()
    for place, conversation in conversations_in(path):
        name = "conversation_id" if conversation.get("conversation_id") else "id"
        conversation_id = text_at(conversation, name, place)
        place = f"{place} ({conversation_id})"
        at = unix_time(conversation.get("create_time"), f"{place}: create_time")
        messages: list[NewMessage] = []
        for message in branch(conversation, place):
            at_message = f"{place}: message {text_at(message, 'id', place)}"
            at = unix_time(message.get("create_time"), f"{at_message}: create_time") or at
            messages += statement_messages(message, at, at_message)
            for text in custom_instructions(message, at_message):
                if text not in known:
                    known.add(text)
                    yield from note_parts(PRODUCT, "custom instructions", text, time_at(at, at_message), {})
        if messages:
            yield Part(conversation_id, messages)


def branch(conversation: Mapping[str, Any], place: str) -> Iterator[Mapping[str, Any]]:
    """The messages on the path to the current node."""
    mapping = object_at(conversation, "mapping", place)
    nodes = {key: object_at(mapping, key, f"{place}: mapping") for key in mapping}
    leaf = conversation.get("current_node")
    if leaf is None:  # of an empty conversation, or in old exports
        leaf = next((key for key in reversed(nodes) if not nodes[key].get("children")), "")
    elif not isinstance(leaf, str) or leaf not in nodes:
        raise InvalidInput(f"{place}: current_node", "is not in the mapping")
    for node in path_to(nodes, leaf, "parent", place):
        if node.get("message") is not None:
            yield object_at(node, "message", place)


def statement_messages(message: Mapping[str, Any], at: datetime | None, place: str) -> Iterator[NewMessage]:
    """The message as it is imported; none if people did not see it as text."""
    content = object_at(message, "content", place)
    role = text_at(object_at(message, "author", place), "role", f"{place}: author")
    metadata = object_at(message, "metadata", place) if message.get("metadata") else {}
    if (
        role not in ROLES
        or content.get("content_type") not in TEXTS
        or message.get("recipient") not in EVERYONE
        or metadata.get("is_visually_hidden_from_conversation")
    ):
        return
    at = time_at(at, place)
    text = "\n\n".join(texts_of(list_at(content, "parts", f"{place}: content")))
    yield from Statement(PRODUCT, text_at(message, "id", place), role, text, at).messages(place)


def time_at(at: datetime | None, place: str) -> datetime:
    """A time. Errors: InvalidInput."""
    if at is None:
        raise InvalidInput(f"{place}: create_time", "is missing, and the conversation has none")
    return at


def custom_instructions(message: Mapping[str, Any], place: str) -> Iterator[str]:
    """The texts of the custom instructions that a message holds, each line a paragraph."""
    metadata = object_at(message, "metadata", place) if message.get("metadata") else {}
    if metadata.get("user_context_message_data"):
        place = f"{place}: metadata"
        data = object_at(metadata, "user_context_message_data", place)
        for name in ABOUT:
            if data.get(name):
                yield text_at(data, name, place).replace("\n", "\n\n")


def texts_of(parts: Iterable[object]) -> Iterator[str]:
    """The texts among the parts of a content, spoken ones too; not images and files."""
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            fields = cast("dict[str, Any]", part)
            if fields.get("content_type") == SPOKEN and fields.get("text"):
                yield text_at(fields, "text", SPOKEN)
