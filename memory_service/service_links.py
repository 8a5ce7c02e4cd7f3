"""Variables that begin with MEMORY_ and are not settings of this service: those of the hooks in plugin/, and Kubernetes
service links, which every pod gets for each Service in its namespace, such as one named `memory-service`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address

OF_HOOKS = frozenset({"MEMORY_BANK", "MEMORY_HOOK_SECONDS"})

_URL = re.compile(r"(?:tcp|udp|sctp)://\S+:\d{1,5}")
_PROTOCOL = re.compile(r"tcp|udp|sctp")
_PORT = re.compile(r"\d{1,5}")
_OF_PORT = re.compile(r"_PORT_\d+_(?:TCP|UDP|SCTP)(_PROTO|_PORT|_ADDR)?$")
_HOST = "_SERVICE_HOST"
_NAMED_PORT = re.compile(r"_SERVICE_PORT(?:_[A-Z0-9_]+)?$")


def service_links(environment: Mapping[str, str]) -> frozenset[str]:
    """The names in `environment` that have the name and the value of a service link."""
    return frozenset(name for name, value in environment.items() if _is_link(name, value, environment))


def _is_link(name: str, value: str, environment: Mapping[str, str]) -> bool:
    if match := _OF_PORT.search(name):
        kind = match[1]
        if kind == "_ADDR":
            return _is_address(value)
        return {None: _URL, "_PROTO": _PROTOCOL, "_PORT": _PORT}[kind].fullmatch(value) is not None
    if name.endswith(_HOST):
        return _is_address(value)
    if name.endswith("_PORT") and _URL.fullmatch(value):
        return True
    # A number alone is ambiguous: MEMORY_SERVICE_PORT=9000 without the Service's host is a mistake for MEMORY_PORT.
    named = _NAMED_PORT.search(name)
    host = environment.get(name[: named.start()] + _HOST, "") if named else ""
    return _PORT.fullmatch(value) is not None and _is_address(host)


def _is_address(value: str) -> bool:
    try:
        ip_address(value)
    except ValueError:
        return False
    return True
