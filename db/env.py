"""Alembic environment. Runs only inside db/migrate.py, which passes the connection."""

from alembic import context

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("use `make migrate`: alembic alone would skip roles, functions and views")
context.configure(connection=connection, version_table_schema="memory", target_metadata=None)
with context.begin_transaction():
    context.run_migrations()
