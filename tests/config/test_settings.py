"""The environments in which the service starts, and the mistakes in one that are named."""

from __future__ import annotations

import pytest

from memory_service.config import Settings, load_settings
from memory_service.errors import InvalidInput


def kubernetes(service: str, address: str = "10.96.7.21", port: int = 9000) -> dict[str, str]:
    """What a pod gets for a Service with one port called `http`."""
    name = service.upper().replace("-", "_")
    link = f"{name}_PORT_{port}_TCP"
    url = f"tcp://{address}:{port}" if ":" not in address else f"tcp://[{address}]:{port}"
    return {
        f"{name}_SERVICE_HOST": address, f"{name}_SERVICE_PORT": str(port), f"{name}_SERVICE_PORT_HTTP": str(port),
        f"{name}_PORT": url, link: url, f"{link}_PROTO": "tcp", f"{link}_PORT": str(port), f"{link}_ADDR": address,
    }  # fmt: skip


BARE = ("MEMORY_SERVICE_SERVICE_PORT", "MEMORY_SERVICE_SERVICE_PORT_HTTP")
"""Hold a bare number; they count as links only beside the Service's host."""


@pytest.mark.parametrize("address", ["10.96.7.21", "fd00::7"])
@pytest.mark.parametrize("service", ["memory-service", "memory", "memory-2", "memory-service-worker"])
def test_a_service_of_kubernetes_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, service: str, address: str
) -> None:
    for name, value in kubernetes(service, address).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MEMORY_SERVICE_PASSWORD", "tcp-secret")
    settings = load_settings()
    assert settings == Settings.model_validate({"service_password": "tcp-secret", "port": 8080})
    assert settings.service_password is not None
    assert settings.service_password.get_secret_value() == "tcp-secret"


@pytest.mark.parametrize("name", [name for name in kubernetes("memory-service") if name not in BARE])
def test_each_variable_of_a_link_is_known_by_itself(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, kubernetes("memory-service")[name])
    load_settings()


def test_a_port_of_its_own_holds_beside_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in kubernetes("memory-service").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MEMORY_PORT", "9001")
    assert load_settings().port == 9001


@pytest.mark.parametrize("name", ["MEMORY_HOME", "MEMORY_BANK", "MEMORY_HOOK_SECONDS"])
def test_names_in_a_crontab_and_of_hooks_are_harmless(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "/opt/memory-service")
    load_settings()


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("MEMORY_HOSTT", "127.0.0.1", "did you mean MEMORY_HOST?"),
        ("MEMORY_POOLSIZE", "4", "did you mean MEMORY_POOL_SIZE?"),
        ("MEMORY_SERVICE_PASWORD", "secret", "did you mean MEMORY_SERVICE_PASSWORD?"),
        ("MEMORY_SERVICE_PORT", "9000", "unknown setting"),
        ("MEMORY_SERVICE_HOST", "localhost", "unknown setting"),
        ("MEMORY_PORTS", "tcp://10.0.0.1:80", "did you mean MEMORY_PORT?"),
        ("MEMORY_SERVICE_PORT_8080_TCP", "9000", "unknown setting"),
        ("MEMORY_XYZZY", "1", "unknown setting; docs/settings.md lists them all"),
    ],
)
def test_a_mistake_is_named_at_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, hint: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput, match=r"docs/settings\.md lists them all") as raised:
        load_settings()
    assert raised.value.field == name
    assert hint in str(raised.value)


@pytest.mark.parametrize("value", ["inf", "nan", "1e308", "-1"])
@pytest.mark.parametrize(
    "name", [name for name in Settings.model_fields if name.endswith(("_seconds", "_days"))]
)
def test_no_wait_and_no_age_is_beyond_measure(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"MEMORY_{name.upper()}", value)
    with pytest.raises(InvalidInput) as raised:
        load_settings()
    assert raised.value.field == f"MEMORY_{name.upper()}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMORY_MAX_ATTEMPTS", "1" + "0" * 30),
        ("MEMORY_MAX_ATTEMPTS", "2000"),
        ("MEMORY_DAILY_TOKENS", "1" + "0" * 30),
        ("MEMORY_POLL_SECONDS", "1e-300"),
        ("MEMORY_LEASE_SECONDS", "1e-300"),
        ("MEMORY_RECALL_SECONDS", "1e-300"),
        ("MEMORY_GEMINI_API_VERSION", "../other"),
    ],
)
def test_a_figure_that_would_stop_the_worker_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput) as raised:
        load_settings()
    assert raised.value.field == name


@pytest.mark.parametrize("name", ["MEMORY_GEMINI_BASE_URL", "MEMORY_OPENAI_BASE_URL"])
@pytest.mark.parametrize(
    "value",
    ["inf", "not a url", "ftp://host/v1", "http://", "http://host:99999/", "http://a b/", "//host/v1"],
)
def test_a_base_url_that_is_none_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput) as raised:
        load_settings()
    assert raised.value.field == name
    assert "secret" not in str(raised.value)


def test_a_base_url_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_OPENAI_BASE_URL", "http://[::1]:11434/v1")
    assert load_settings().openai_base_url == "http://[::1]:11434/v1"
