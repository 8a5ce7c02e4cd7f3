"""Maintenance passes, run by cron: a module per pass, on top of memory_service."""
