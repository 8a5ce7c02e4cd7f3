"""HTTP client for a running service. It raises the errors that the same call raises without a service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from memory_service.errors import InvalidInput, MemoryServiceError
from memory_service.running_service import RunningService, api_key
from memory_service.validation import check_bank_id

HEALTH_SECONDS = 2.0
CALL_SECONDS = 120.0
WRONG_INPUT = (400, 413, 415, 422)


class ServiceGone(MemoryServiceError):
    """The service closed the connection before it answered."""


class KeyNeeded(MemoryServiceError):
    """The service needs an API key, and MEMORY_API_KEY is not set."""


class Refused(InvalidInput):
    """The service did not accept the input."""

    def __init__(self, detail: str) -> None:
        MemoryServiceError.__init__(self, detail)


class Client:
    """One connection to a running service."""

    def __init__(self, service: RunningService) -> None:
        parts = urlsplit(service.address)
        self._service = service
        self._key = api_key()
        self._connection = HTTPConnection(parts.hostname or "", parts.port, timeout=HEALTH_SECONDS)

    @property
    def address(self) -> str:
        return self._service.address

    def close(self) -> None:
        self._connection.close()

    def answers(self) -> bool:
        """Whether the service at the published address answers with the published identity."""
        try:
            status, health = self._answer("GET", "/healthz")
        except (OSError, HTTPException, ValueError):
            return False
        self._connection.timeout = CALL_SECONDS  # for a reconnect
        if self._connection.sock is not None:
            self._connection.sock.settimeout(CALL_SECONDS)
        return status == 200 and health.get("service") == self._service.identity

    def bank(self, bank_id: str) -> Any:
        return self._call("GET", f"/v1/banks/{check_bank_id(bank_id)}")

    def create_bank(self, bank_id: str) -> None:
        self._call("POST", "/v1/banks", {"bank_id": check_bank_id(bank_id)})

    def recall(self, bank_id: str, arguments: Mapping[str, Any]) -> Any:
        return self._call("POST", f"/v1/banks/{check_bank_id(bank_id)}/recall", body_of(arguments))

    def context(self, bank_id: str, arguments: Mapping[str, Any]) -> Any:
        return self._call("POST", f"/v1/banks/{check_bank_id(bank_id)}/context", body_of(arguments))

    def remember(self, bank_id: str, arguments: Mapping[str, Any]) -> Any:
        return self._call("POST", f"/v1/banks/{check_bank_id(bank_id)}/memories", body_of(arguments))

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """The decoded answer. Errors: those of the same call without a service, and ServiceGone."""
        try:
            status, answer = self._answer(method, path, body)
        except TimeoutError:
            raise MemoryServiceError(
                f"the service at {self._service.address} did not answer within {CALL_SECONDS:g} s"
            ) from None
        except (OSError, HTTPException, ValueError):
            raise ServiceGone(
                f"the service at {self._service.address} closed the connection before it answered; the call may or may "
                "not have taken effect"
            ) from None
        if status == 401 and not self._key:
            raise KeyNeeded
        if status >= 400:
            detail = str(answer["detail"])
            raise Refused(detail) if status in WRONG_INPUT else MemoryServiceError(detail)
        return answer

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers with names in lower case, and body of the answer. Errors: OSError, HTTPException."""
        added = {} if body is None else {"content-type": "application/json"}
        if self._key and path != "/healthz":  # not before the identity is checked
            added["authorization"] = f"Bearer {self._key}"
        self._connection.request(method, path, body, {**headers, **added})
        response = self._connection.getresponse()
        return (
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(),
        )

    def _answer(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        text = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        status, _, answer = self.send(method, path, text, {})
        return status, json.loads(answer)


def body_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a Memory method as the request body of its HTTP call; the field names are the same."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in arguments.items()
        if value is not None
    }
