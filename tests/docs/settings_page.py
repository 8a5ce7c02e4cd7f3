"""Prints docs/settings.md from the code: `python -m tests.docs.settings_page`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from memory_service.bank_settings import SETTINGS
from memory_service.config import Settings

FIELDS = Settings.model_fields
SCHEMAS: dict[str, dict[str, Any]] = Settings.model_json_schema(by_alias=False)["properties"]
DATA_DIR = "/var/lib/memory-service for root, else the user's data folder"

PAGE = """\
# Settings

This page is generated from [`config.py`](../memory_service/config.py) and
[`bank_settings.py`](../memory_service/bank_settings.py) by `make docs`.

A process reads its settings from the environment once, at start. An unknown variable that begins with `MEMORY_` is an
error, except `MEMORY_HOME`, the variables of the [plugin's hooks](plugin.md#settings) and those that Kubernetes sets
for Services whose name begins with "memory" (`MEMORY_SERVICE_PORT=tcp://10.0.0.7:8080`,
`MEMORY_SERVICE_SERVICE_HOST=10.0.0.7`). An empty variable counts as missing.

A secret can be in a file, such as a container's: `DATABASE_URL_FILE`, `DATABASE_DIRECT_URL_FILE`,
`DATABASE_READ_URL_FILE`, `GEMINI_API_KEY_FILE`, `OPENAI_API_KEY_FILE`, `MEMORY_API_KEY_FILE`,
`MEMORY_METRICS_TOKEN_FILE` and `MEMORY_SERVICE_PASSWORD_FILE` name the file.

The settings of a bank take effect within two seconds, also in running processes. A missing one has the default. Change
them over HTTP, from the command line or from Python (`Memory.update_bank`); `null` restores a default:

```sh
.venv/bin/memory-service bank create anna --set language_model=false
curl -s -X PATCH localhost:8080/v1/banks/anna -H 'content-type: application/json' \\
     -d '{"settings": {"daily_tokens": 200000, "language_model": null}}'
.venv/bin/memory-service bank set anna --set daily_tokens=null
```

## Environment

%(process)s

## Settings of a bank with a default in the environment

The variable sets the default of all banks of the service, the setting that of one bank. An idle bank without the
setting applies a changed `MEMORY_INTAKE` to caps and consolidation within 30 days, or with
`python -m jobs.nightly --bank`.

%(shared)s

## Settings of a bank

%(bank)s

The thresholds and the profiles are explained in [tuning](tuning.md), caps and storage strategies in
[operations](operations.md).

With `subject`, summaries, facts ("Ines lives in Porto"), contexts and recall name the user. Facts about the user from
before keep their meaning, and facts recorded under that name become facts about the user; this cannot be undone.
"""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(head)
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def variable(name: str) -> str:
    return str(FIELDS[name].validation_alias or f"MEMORY_{name.upper()}")


def default(name: str) -> str:
    field: FieldInfo = FIELDS[name]
    value: object = DATA_DIR if name == "data_dir" else field.default
    if value is None or isinstance(value, SecretStr):
        return ""
    return (
        f"{value:g}"
        if isinstance(value, float)
        else str(value).lower()
        if value is not DATA_DIR
        else DATA_DIR
    )


def plain(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:,.10g}"


def accepted(schema: dict[str, Any]) -> str:
    """The accepted values in words; empty where the meaning has to say."""
    for one in (schema, *schema.get("anyOf", ())):
        if "enum" in one:
            return ", ".join(one["enum"])
        choices = re.fullmatch(r"\^\(([a-z|]+)\)\$", one.get("pattern", ""))
        if choices:
            return choices[1].replace("|", ", ")
        if one.get("type") == "boolean":
            return "true, false"
        if "exclusiveMinimum" in one:
            return f"above 0, to {plain(one['maximum'])}"
        if "minimum" in one:
            return f"{plain(one['minimum'])} to {plain(one['maximum'])}"
    return ""


def process_rows() -> Iterator[tuple[str, ...]]:
    for name, field in FIELDS.items():
        if name not in SETTINGS:
            yield f"`{variable(name)}`", default(name), accepted(SCHEMAS[name]), str(field.description)


def shared_rows() -> Iterator[tuple[str, ...]]:
    for name, setting in SETTINGS.items():
        if name in FIELDS:
            values = accepted(setting.values.schema)
            yield f"`{name}`", f"`{variable(name)}`", default(name), values, str(FIELDS[name].description)


def bank_rows() -> Iterator[tuple[str, ...]]:
    for name, setting in SETTINGS.items():
        if name not in FIELDS:
            yield f"`{name}`", setting.default, accepted(setting.values.schema), str(setting.meaning)


def page() -> str:
    return PAGE % {
        "process": table(("variable", "default", "values", "meaning"), process_rows()),
        "shared": table(("setting", "variable", "default", "values", "meaning"), shared_rows()),
        "bank": table(("setting", "default", "values", "meaning"), bank_rows()),
    }


if __name__ == "__main__":
    sys.stdout.write(page())
