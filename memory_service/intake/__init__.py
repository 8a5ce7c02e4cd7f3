"""The write path, a module per step: redact, segment, gate, extract, embed."""
