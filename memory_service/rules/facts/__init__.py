"""Candidate facts from plain sentences, without a language model."""
