"""The intake gate: whether an exchange is worth remembering."""
