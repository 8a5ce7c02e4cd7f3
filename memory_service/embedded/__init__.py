"""An embedded Postgres 18 in the data folder, shared by every process that opens it."""

from memory_service.embedded.server import Server, open_server

__all__ = ["Server", "open_server"]
