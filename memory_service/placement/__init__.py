"""Several servers: add one, move a bank from one to another (docs/servers.md)."""
