"""Hooks of a coding agent: context before a prompt, exchanges stored after an answer. Standard library only.

Usage: memory_hook.py context | store, with the hook's input as JSON on stdin. The exit code is always 0: a memory that
does not answer must not stop an agent. Failures are lines in hooks.log (docs/plugin.md).
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path

URL = "http://127.0.0.1:8080"
CONTEXT_SECONDS = "0.2"
"""Longest wait for a context, with connecting, unless MEMORY_HOOK_SECONDS says otherwise."""
STORE_SECONDS = 30.0
"""Longest wait of the background process for one answer."""
MOST_CHARACTERS = 9_900
"""Of a context: agents shorten a longer output of a hook to a preview."""
LONGEST_MESSAGE = 32_000
BATCH = 50
KEPT_DAYS = 30
LOG_BYTES = 1_000_000
FRAME = re.compile(r"\[memory context\].*?(\[end of memory context\]|\Z)", re.DOTALL | re.IGNORECASE)
"""A context of the service: it is never stored again."""
REMINDER = re.compile(
    r"<system-reminder>.*?(?:</system-reminder>|\Z)|<(ide_[a-z_]+)>(?:.*</\1>|.*\Z)", re.DOTALL
)
"""Text that the agent adds to a prompt. That of an editor reaches to its last end tag: a file may contain others."""
NOTE = re.compile(
    r"\s*(<((bash|command|local-command)-[a-z]+|task-notification|teammate-message)\b"
    r"|\[Request interrupted by user[^\]]*\]\s*\Z)"
)
"""Begin of a line that the agent writes in the user's name: commands, their output, notifications, interruptions."""
HUMAN = "human"
SYNTHETIC = "<synthetic>"
"""Model of answers that no model has finished: errors of the API, the part before an interruption."""


class NoAnswer(Exception):
    """The service did not answer, or asks to try again: the messages are sent again the next time."""


class Refused(Exception):
    """The service refuses the request as it is."""


def folder() -> Path:
    """The folder of the log and of the positions up to which sessions are stored."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    path = Path(state) / "memory-service"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def log(line: str) -> None:
    path = folder() / "hooks.log"
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.replace(path.with_suffix(".log.1"))
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S%z')} {line}\n")


def api_key() -> str:
    path = os.environ.get("MEMORY_API_KEY_FILE")
    return os.environ.get("MEMORY_API_KEY") or (
        Path(path).read_text(encoding="utf-8").strip() if path else ""
    )


def post(route: str, body: dict[str, object], seconds: float) -> dict[str, object]:
    """The answer of a route of the bank. Errors: NoAnswer, Refused."""
    import http.client  # here, since `store` starts in half the time without it
    from urllib.parse import quote, urlsplit

    address = urlsplit(os.environ.get("MEMORY_URL") or URL)
    connect = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = connect(address.hostname or "127.0.0.1", address.port, timeout=seconds)
    headers = {"Content-Type": "application/json"}
    if key := api_key():
        headers["Authorization"] = f"Bearer {key}"
    path = f"{address.path.rstrip('/')}/v1/banks/{quote(os.environ['MEMORY_BANK'], safe='')}/{route}"
    try:
        connection.request("POST", path, json.dumps(body).encode(), headers)
        answer = connection.getresponse()
        status, content = answer.status, answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise NoAnswer(f"{address.netloc}: {type(error).__name__}") from None
    finally:
        connection.close()
    if status < 300:
        return json.loads(content)
    if status in (400, 409, 413, 422):
        raise Refused(f"{status} {content[:300].decode(errors='replace').strip()}")
    raise NoAnswer(f"{status} {content[:300].decode(errors='replace').strip()}")


def context(given: dict[str, str]) -> None:
    """Print the context for the prompt, or nothing."""
    import threading

    prompt = spoken(given.get("prompt", ""))
    if not prompt or prompt.startswith("/"):
        return
    body: dict[str, object] = {"message": prompt[:LONGEST_MESSAGE], "conversation_id": given["session_id"]}
    seconds = float(os.environ.get("MEMORY_HOOK_SECONDS") or CONTEXT_SECONDS)
    done: list[dict[str, object] | Exception] = []

    def ask() -> None:
        try:
            done.append(post("context", body, seconds))
        except Exception as error:  # raised again by the main thread
            done.append(error)

    asking = threading.Thread(target=ask, daemon=True)  # so that looking up a name is limited, too
    asking.start()
    asking.join(seconds)
    found = done[0] if done else NoAnswer(f"no context within {seconds} s")
    if isinstance(found, Exception):
        raise found
    text = str(found["text"])
    if len(text) > MOST_CHARACTERS:
        raise Refused(f"a context of {len(text)} characters is too long for a hook: lower the bank's budgets")
    if text.strip():
        shown = {"hookEventName": "UserPromptSubmit", "additionalContext": text}
        sys.stdout.write(json.dumps({"hookSpecificOutput": shown}))


def store(given: dict[str, str]) -> None:
    """Start a process that stores what the session's transcript has since the last time."""
    import subprocess

    background = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, "send"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    if background.stdin is not None:
        background.stdin.write(json.dumps(given).encode())
        background.stdin.close()


def send(given: dict[str, str]) -> None:
    """Store the prompts and answers after the position that is recorded for the session.

    A message has the transcript's id, so that one that is sent twice is stored once.
    """
    session = given["session_id"]
    recorded = folder() / "sessions" / f"{re.sub('[^A-Za-z0-9-]', '_', session)}.json"
    recorded.parent.mkdir(mode=0o700, exist_ok=True)
    position = json.loads(recorded.read_text(encoding="utf-8")) if recorded.exists() else 0
    messages, position = unsent(Path(given["transcript_path"]).expanduser(), position)
    for first in range(0, len(messages), BATCH):
        send_all(session, messages[first : first + BATCH])
    new = recorded.with_suffix(f".{os.getpid()}")
    new.write_text(json.dumps(position), encoding="utf-8")
    new.replace(recorded)
    for old in recorded.parent.iterdir():
        if old.stat().st_mtime < time.time() - KEPT_DAYS * 86_400:
            old.unlink(missing_ok=True)


def send_all(session: str, messages: list[dict[str, object]]) -> None:
    """Store the messages; of a batch that is refused each alone. Errors: NoAnswer."""
    body: dict[str, object] = {"conversation_id": session, "agent_id": "coding-agent", "messages": messages}
    try:
        post("messages", body, STORE_SECONDS)
    except Refused as error:
        if len(messages) == 1:
            log(f"store: session {session}, message {messages[0]['id']} not stored: {error}")
            return
        for message in messages:
            send_all(session, [message])


def unsent(transcript: Path, position: int) -> tuple[list[dict[str, object]], int]:
    """The prompts and the last answer to each in a transcript after a position (bytes), and the position after them."""
    messages: list[dict[str, object]] = []
    answer: dict[str, object] | None = None
    with transcript.open("rb") as file:
        if position > file.seek(0, os.SEEK_END):  # another file
            position = 0
        file.seek(position)
        for line in file:
            if not line.endswith(b"\n"):  # being written
                break
            position += len(line)
            message = message_in(line)
            if message is None:
                continue
            if message["role"] == "user":
                messages += [message] if answer is None else [answer, message]
                answer = None
            else:
                answer = message
    return messages if answer is None else [*messages, answer], position


def message_in(line: bytes) -> dict[str, object] | None:
    """A prompt or answer of a transcript's line; None for tools' results, notes of the agent and parts of others."""
    try:
        entry = json.loads(line)
        if entry["type"] == "attachment" and is_prompt(entry["attachment"]):
            message = {"role": "user", "content": entry["attachment"]["prompt"]}
            entry |= {"type": "user", "message": message, "origin": entry["attachment"].get("origin")}
        message = entry["message"]
        role, content = message["role"], message["content"]
        if entry["type"] != role or role not in ("user", "assistant"):
            return None
        if entry.get("isSidechain") or entry.get("isMeta") or entry.get("isCompactSummary"):
            return None
        if message.get("stop_reason") == "tool_use":  # not the last answer
            return None
        origin = entry.get("origin")
        if message.get("model") == SYNTHETIC or (origin and origin != HUMAN and origin["kind"] != HUMAN):
            return None
        if not isinstance(content, str):
            texts = [part["text"] for part in content if part.get("type") == "text"]
            content = "\n".join(text for text in texts if not text.startswith("<ide_") and spoken(text))
        text = spoken(content)
        if not text:
            return None
        return {
            "role": role,
            "content": text[:LONGEST_MESSAGE],
            "id": entry["uuid"],
            "occurred_at": entry["timestamp"],
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def is_prompt(attachment: dict[str, object]) -> bool:
    """Whether it is a prompt that was typed while the agent worked."""
    kind = (attachment["type"], attachment.get("commandMode"))
    return kind == ("queued_command", "prompt") and not attachment.get("isMeta")


def spoken(text: str) -> str:
    """The text without contexts and without what the agent has added; empty if all of it is the agent's."""
    rest = REMINDER.sub("", FRAME.sub("", text)).strip()
    return "" if NOTE.match(rest) else rest


def main() -> None:
    event = sys.argv[1] if len(sys.argv) == 2 else ""
    try:
        given = json.load(sys.stdin)
        if not os.environ.get("MEMORY_BANK"):
            log(f"{event}: MEMORY_BANK is not set: name the bank of this memory (docs/plugin.md)")
            return
        {"context": context, "store": store, "send": send}[event](given)
    except Exception as error:
        try:
            log(f"{event}: {type(error).__name__}: {error}")
        except OSError:
            return


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # without waiting for a connection that does not answer
