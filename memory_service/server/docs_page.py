"""The page at /docs: all calls of openapi.json, without scripts and without resources of other hosts."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi.responses import HTMLResponse

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "code,pre{font:14px/1.4 ui-monospace,monospace}h2{margin:2rem 0 0}table{border-collapse:collapse}"
    "td,th{text-align:left;vertical-align:top;padding:.1rem 1rem .1rem 0}"
)
HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


def docs_page(api: dict[str, Any]) -> HTMLResponse:
    """The OpenAPI document `api` as an HTML page."""
    title = escape(f"{api['info']['title']} {api['info']['version']}")
    calls = "".join(
        call_section(api, method.upper(), path, call)
        for path, methods in api["paths"].items()
        for method, call in methods.items()
    )
    page = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>"
        f"<h1>{title}</h1><p>{escape(api['info'].get('summary', ''))} "
        f'For programs: <a href="openapi.json">openapi.json</a>.</p>{calls}'
    )
    return HTMLResponse(page, headers=HEADERS)


def call_section(api: dict[str, Any], method: str, path: str, call: dict[str, Any]) -> str:
    """One call: description, table of parameters and body fields, and answers."""
    rows = [
        field_row(api, f"{p['name']} ({p['in']})", p["schema"], required=p.get("required", False))
        for p in call.get("parameters", ())
    ]
    body = call.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    rows += fields_of(api, body, "")
    table = f"<table><tr><th>parameter<th>type<th>{''.join(rows)}</table>" if rows else ""
    answers = ", ".join(escape(f"{code} {a['description']}") for code, a in call["responses"].items())
    return (
        f"<h2><code>{escape(method)} {escape(path)}</code></h2>"
        f"<p>{escape(call.get('description', call.get('summary', '')))}</p>{table}<p>Answers: {answers}</p>"
    )


def fields_of(api: dict[str, Any], schema: dict[str, Any], prefix: str) -> list[str]:
    """One row per field of a body; fields of objects in a list follow the list's row."""
    shape = resolved(api, schema)
    rows: list[str] = []
    for name, inner in shape.get("properties", {}).items():
        rows.append(field_row(api, prefix + name, inner, required=name in shape.get("required", ())))
        if "$ref" in inner.get("items", {}):
            rows += fields_of(api, inner["items"], f"{prefix}{name}[].")
    return rows


def field_row(api: dict[str, Any], name: str, schema: dict[str, Any], *, required: bool) -> str:
    note = "required" if required else f"default {schema['default']}" if "default" in schema else ""
    description = "; ".join(part for part in (note, schema.get("description", "")) if part)
    return f"<tr><td><code>{escape(name)}</code><td>{escape(type_of(api, schema))}<td>{escape(description)}"


def type_of(api: dict[str, Any], schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(type_of(api, one) for one in schema["anyOf"])
    kind = resolved(api, schema).get("type", "any")
    if kind == "array":
        kind = f"list of {type_of(api, schema.get('items', {}))}"
        return f"{kind}, at most {schema['maxItems']}" if "maxItems" in schema else kind
    return str(schema.get("format", kind))


def resolved(api: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, or its target if it is a reference."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return api["components"]["schemas"][name] if name else schema
