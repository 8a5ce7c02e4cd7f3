"""Redaction of secrets and credentials, before a message is written anywhere."""

from memory_service.redaction.redact import Redacted, redact

__all__ = ["Redacted", "redact"]
