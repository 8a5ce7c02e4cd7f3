"""Upkeep: passes that cron runs, each a module of its own, callers of memory_service."""
