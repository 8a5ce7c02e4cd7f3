"""Tools for agents over the Model Context Protocol (docs/mcp.md), the same on a running service and over stdio."""
