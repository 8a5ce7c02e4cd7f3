"""Benchmarks: figures beside the bare operation of the same run. Never part of the tests."""
