"""Prompts that a client offers its user: the profile of the bank, and its open questions one by one."""

from __future__ import annotations

from mcp_types import Prompt

from memory_service.errors import InvalidInput
from memory_service.mcp.access import Access
from memory_service.mcp.resources import profile

PROMPTS = {
    "profile": Prompt(
        name="profile", title="What do you know about me?",
        description="Shows what this memory knows of the user, to be checked and corrected.",
    ),
    "open_questions": Prompt(
        name="open_questions", title="Settle contradictions",
        description="Asks the user about contradicting facts, one question after the other.",
    ),
}  # fmt: skip

CHECK = """\
Summarize for me in plain words what you remember of me, from the profile below. Say what is uncertain (a confidence \
below 0.6) and what has changed. Then ask me whether anything is wrong; correct facts with the tool `correct`.

{profile}"""
SETTLE = """\
List the open questions of your memory with the tool `questions`. Ask me them one at a time, each with both statements \
and their dates, and record each answer with `question_id`, `keep` and my words as `text`. If there are none, say so."""


async def text_of(access: Access, name: str) -> str:
    """The user's message that a prompt stands for. Errors: InvalidInput."""
    if name == "profile":
        return CHECK.format(profile=await profile(access))
    if name == "open_questions":
        return SETTLE
    raise InvalidInput("name", f"is none of {', '.join(PROMPTS)}")
