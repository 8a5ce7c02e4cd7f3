"""First of all steps: secrets and credentials go before anything is written anywhere."""

from memory_service.redaction.redact import Redacted, redact

__all__ = ["Redacted", "redact"]
