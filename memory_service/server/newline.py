"""Middleware that ends JSON bodies with a line break, so that the shell prompt after curl starts on a new line."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Newline:
    """Adds a line break to each JSON body that has a Content-Length."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        is_json = False

        async def ending(message: Message) -> None:
            nonlocal is_json
            if message["type"] == "http.response.start":
                headers = dict(message["headers"])
                is_json = b"json" in headers.get(b"content-type", b"") and b"content-length" in headers
                if is_json:
                    longer = str(int(headers[b"content-length"]) + 1).encode()
                    message["headers"] = [
                        (name, longer if name == b"content-length" else value)
                        for name, value in message["headers"]
                    ]
            elif is_json and not message.get("more_body", False):
                message["body"] = message.get("body", b"") + b"\n"
            await send(message)

        await self._app(scope, receive, ending)
        return None
