"""Valence and emotion labels of a text."""
