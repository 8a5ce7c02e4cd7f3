"""The data of sessions: JSON as trees of content-addressed parts (docs/design.md, "Sessions")."""
