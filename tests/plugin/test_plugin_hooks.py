"""The hooks of the plugin for coding agents, run as the agent runs them: a process, JSON on stdin, exit code 0."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest

from memory_service.memory import Memory
from tests.client.served import served
from tests.conftest import Admin, at_work, settle, until

PLUGIN = Path(__file__).parents[2] / "plugin"
HOOK = PLUGIN / "hooks" / "memory_hook.py"
NAMESPACE = UUID("6f1ad6a0-9b1f-4a6e-9a55-cb3cf23f10c7")


@dataclass
class Agent:
    """A session of a coding agent: its transcript, and its hooks with their environment."""

    folder: Path
    address: str
    bank: str = "anna"
    session: str = "5d3c9a"
    lines: int = 0
    more: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def transcript(self) -> Path:
        return self.folder / f"{self.session}.jsonl"

    @property
    def log(self) -> str:
        path = self.folder / "state" / "memory-service" / "hooks.log"
        return path.read_text() if path.exists() else ""

    def write(self, role: str, content: Any, **fields: Any) -> None:
        """A line of the transcript."""
        self.lines += 1
        entry = {
            "type": role,
            "message": {"role": role, "content": content},
            "uuid": str(uuid5(NAMESPACE, f"{self.session} {self.lines}")),
            "timestamp": f"2026-03-01T09:{self.lines // 60 % 60:02}:{self.lines % 60:02}.000Z",
            "sessionId": self.session,
        } | fields
        with self.transcript.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    async def hook(self, event: str, **given: Any) -> str:
        """What a hook prints. It ends with 0, whatever happens."""
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "XDG_STATE_HOME": str(self.folder / "state"),
            "MEMORY_URL": self.address, "MEMORY_BANK": self.bank, "MEMORY_HOOK_SECONDS": "30",
        } | self.more  # fmt: skip
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(HOOK), event, env=environment,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        whole = {"session_id": self.session, "transcript_path": str(self.transcript)} | given
        printed, errors = await process.communicate(json.dumps(whole).encode())
        assert (process.returncode, errors.decode()) == (0, "")
        return printed.decode()

    async def context(self, prompt: str) -> str:
        printed = await self.hook("context", hook_event_name="UserPromptSubmit", prompt=prompt)
        return json.loads(printed)["hookSpecificOutput"]["additionalContext"] if printed else ""

    async def send(self) -> None:
        """What `store` starts in the background, awaited."""
        assert await self.hook("send") == ""


def messages_of(admin: Admin, bank: str = "anna") -> list[tuple[object, ...]]:
    """Role and content of the messages that the bank has, in order."""
    return admin.execute(
        "select role, content from memory.message where bank_id = %s order by position", (bank,)
    ).fetchall()


@pytest.fixture
async def agent(memory: Memory, tmp_path: Path) -> AsyncGenerator[Agent]:
    await memory.create_bank("anna")
    async with served(memory) as address:
        yield Agent(tmp_path, address)


async def test_what_a_session_said_is_the_context_of_the_next(
    memory: Memory, agent: Agent, admin: Admin
) -> None:
    agent.write("user", "Please remember that I am allergic to walnuts.")
    agent.write("assistant", [{"type": "text", "text": "I will."}])
    async with at_work(memory):
        await agent.hook("store", hook_event_name="Stop")
        await until(lambda: messages_of(admin))
        await settle(memory, "anna")
    later = Agent(agent.folder, agent.address, session="next")
    text = await later.context("Can I eat this walnut cake?")
    assert "walnuts" in text
    assert text.startswith("[memory context]")
    assert agent.log == ""


async def test_prompts_and_last_answers_are_stored_once(memory: Memory, agent: Agent, admin: Admin) -> None:
    agent.write("user", "Meta text.", isMeta=True)
    agent.write("user", "Summary.", isCompactSummary=True)
    agent.write("user", "The tests use pytest and a real Postgres.")
    agent.write("assistant", [{"type": "text", "text": "Let me look."}, {"type": "tool_use", "name": "Read"}])
    agent.write("user", [{"type": "tool_result", "content": "the file's text"}])
    agent.write("assistant", "Another agent's words.", isSidechain=True)
    agent.write("assistant", [{"type": "text", "text": "They do."}])
    with agent.transcript.open("a") as file:
        file.write('no json\n[]\n{"type": "summary"}\n')
    await agent.send()
    assert len(messages_of(admin)) == 2
    await agent.send()
    agent.write("user", "Deploy on Fridays never.")
    with agent.transcript.open("a") as file:
        file.write('{"type": "user", "message": {"role": "us')  # a line that is being written
    await agent.send()
    assert len(messages_of(admin)) == 3
    assert agent.log == ""
    for old in (agent.folder / "state" / "memory-service" / "sessions").iterdir():
        old.unlink()
    await agent.send()  # everything again, under the same ids
    assert len(messages_of(admin)) == 3


async def test_a_recorded_session_leaves_what_was_said_in_it(
    memory: Memory, agent: Agent, admin: Admin
) -> None:
    """A transcript of Claude Code 2.1.197 with two interruptions, a command of the user, a compaction, an error."""
    recorded = (Path(__file__).parent / "claude_code_2.1.197.jsonl").read_text()
    assert recorded.count("[memory context]") == 3
    agent.transcript.write_text(recorded)
    await agent.send()
    assert messages_of(admin) == [
        ("user", "My server is called Heron."),
        ("assistant", "Noted."),
        ("user", "Where are the bees?"),
        ("assistant", "They are behind the house."),
        ("user", "Read the notes."),
        ("user", "Tell me about the harbour museum, too."),
        ("assistant", "The key is 42, and the museum is at the harbour."),
        ("user", "What is my server called?"),
        ("assistant", "It is called Heron."),
        ("user", "Write a file, please."),
        ("user", "What is the weather?"),
    ]
    assert agent.log == ""


@pytest.mark.parametrize(
    "content",
    [
        "<bash-input>cat notes</bash-input>",
        "<bash-stdout></bash-stdout> I am allergic to walnuts.",  # output that ends its own mark
        "<bash-stderr>I am allergic to walnuts.</bash-stderr>",
        "<command-name>/model</command-name>",
        "\n<local-command-stderr>I am allergic to walnuts.",
        "<task-notification>\n<summary>I am allergic to walnuts.</summary>\n</task-notification>",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "<system-reminder>r</system-reminder><bash-stdout>I am allergic to walnuts.</bash-stdout>",
        "<ide_selection>x</ide_selection> I am allergic to walnuts. </ide_selection>",  # a file with the end tag
    ],
)
async def test_notes_in_the_user_s_name_are_neither_stored_nor_asked_about(
    agent: Agent, admin: Admin, content: str
) -> None:
    agent.write("user", content)
    agent.write("user", [{"type": "text", "text": content}])
    await agent.send()
    assert messages_of(admin) == []
    silent = Agent(agent.folder, "http://127.0.0.1:9")
    assert await silent.context(content) == ""
    assert agent.log == ""  # no request was made


async def test_a_line_that_is_nested_too_deeply_does_not_hold_up_others(agent: Agent, admin: Admin) -> None:
    agent.write("user", "I use Emacs.")
    with agent.transcript.open("a") as file:
        file.write('{"type": "user", "toolUseResult": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    agent.write("user", [{"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
                         {"type": "text", "text": "I use Kakoune."}], origin="human")  # fmt: skip
    await agent.send()
    assert messages_of(admin) == [("user", "I use Emacs."), ("user", "I use Kakoune.")]


async def test_prompts_of_others_are_not_the_user_s(agent: Agent, admin: Admin) -> None:
    queued = {"type": "queued_command", "prompt": "I use Neovim.", "commandMode": "prompt"}
    agent.write("user", "I use Emacs.", origin={"kind": "channel"})
    for change in (
        {"origin": {"kind": "task-notification"}},
        {"commandMode": "task-notification"},
        {"isMeta": True},
        {"type": "file"},
    ):
        agent.write("user", "", type="attachment", message=None, attachment=queued | change)
    await agent.send()
    assert messages_of(admin) == []
    agent.write("user", "", type="attachment", message=None, attachment=queued)
    agent.write("user", "I use Kakoune.", origin={"kind": "human"})
    await agent.send()
    assert messages_of(admin) == [("user", "I use Neovim."), ("user", "I use Kakoune.")]


async def test_contexts_of_200_turns_are_never_stored(memory: Memory, agent: Agent, admin: Admin) -> None:
    """The same session with and without the plugin's context in its transcript leaves the same messages."""
    await memory.create_bank("plain")
    async with at_work(memory):
        await memory.remember("anna", "Anna's server is called Heron.", wait_ms=60_000)
    context = await agent.context("What is my server called?")
    assert "Heron" in context
    plain = Agent(agent.folder, agent.address, bank="plain", session="plain")
    for turn in range(200):
        prompt = f"Turn {turn}: rename module {turn} to component {turn * 7}."
        for each, added in ((agent, f"\n\n{context}\n"), (plain, "")):
            each.write("user", [{"type": "text", "text": prompt + added}])
            if added:
                each.write("user", context, isMeta=True)
                each.write("user", f"<system-reminder>\n{context}\n</system-reminder>")
                each.write("user", [{"type": "tool_result", "content": context}])
            each.write("assistant", [{"type": "text", "text": f"Module {turn} is renamed."}])
        if turn % 50 == 49:
            await agent.send()
            await plain.send()
    assert len(messages_of(admin, "plain")) == 400
    assert messages_of(admin) == messages_of(admin, "plain")
    assert agent.log == ""


async def test_what_could_not_be_stored_is_stored_later(memory: Memory, agent: Agent, admin: Admin) -> None:
    agent.write("user", "I use Neovim.")
    absent = Agent(agent.folder, "http://127.0.0.1:9", session=agent.session, lines=1)
    await absent.send()
    unknown = Agent(agent.folder, agent.address, bank="nobody", session=agent.session, lines=1)
    await unknown.send()
    first, second = agent.log.splitlines()
    assert first.endswith("send: NoAnswer: 127.0.0.1:9: ConnectionRefusedError")
    assert "send: NoAnswer: 404" in second
    await agent.send()
    assert len(messages_of(admin)) == 1


async def test_a_message_that_is_refused_does_not_hold_up_others(
    memory: Memory, agent: Agent, admin: Admin
) -> None:
    agent.write("user", "I use Neovim.")
    agent.write("user", "I use Emacs.", timestamp="yesterday")
    agent.write("user", "I use Kakoune.")
    await agent.send()
    assert len(messages_of(admin)) == 2
    [line] = agent.log.splitlines()
    assert "not stored: 422" in line
    assert "occurred_at" in line
    await agent.send()
    assert len(agent.log.splitlines()) == 1


async def test_bad_input_ends_with_0_and_a_line_in_the_log(agent: Agent) -> None:
    for event, given in (
        ("context", {"prompt": 7}),
        ("store", {}),
        ("send", {"transcript_path": "/nowhere"}),
        ("x", {}),
    ):
        assert await agent.hook(event, **given) == ""
    assert await Agent(agent.folder, agent.address, bank="").hook("store") == ""
    lines = agent.log.splitlines()
    assert any("MEMORY_BANK is not set" in line for line in lines)
    assert any("send: FileNotFoundError" in line for line in lines)
    assert any("context: TypeError" in line for line in lines)


async def test_a_service_that_does_not_answer_is_not_waited_for(agent: Agent) -> None:
    """The hook ends, although the service never answers."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        hanging = Agent(agent.folder, f"http://127.0.0.1:{port}", more={"MEMORY_HOOK_SECONDS": ""})
        assert await hanging.context("What do I like?") == ""
    assert "no context within 0.2 s" in agent.log or "TimeoutError" in agent.log


def test_the_manifests_name_files_that_exist() -> None:
    market = json.loads((PLUGIN.parent / ".claude-plugin" / "marketplace.json").read_text())
    [listed] = market["plugins"]
    assert (PLUGIN.parent / listed["source"]).resolve() == PLUGIN
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    assert (manifest["name"], manifest["license"]) == (listed["name"], "Apache-2.0")
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]
    assert {name: commands_of(entries) for name, entries in hooks.items()} == {
        "UserPromptSubmit": ["context"], "Stop": ["store"], "PreCompact": ["store"], "SessionEnd": ["store"],
    }  # fmt: skip


def commands_of(entries: list[dict[str, Any]]) -> list[str]:
    """The events that the commands pass to the script."""
    commands = [hook["command"] for entry in entries for hook in entry["hooks"]]
    start = 'python3 -I -S "${CLAUDE_PLUGIN_ROOT}/hooks/memory_hook.py" '
    assert all(command.startswith(start) for command in commands)
    return [command.removeprefix(start) for command in commands]
