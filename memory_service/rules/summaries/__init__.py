"""Summaries, topics and dates of a segment, and the check that a summary is faithful."""
