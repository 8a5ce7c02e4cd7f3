"""An embedded Postgres 18 in the data folder, shared by all processes that open it."""

from memory_service.embedded.server import Server, open_server

__all__ = ["Server", "open_server"]
