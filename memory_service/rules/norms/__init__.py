"""Norms by rules: standing instructions and preferences that a person states, and what their messages show of style."""
