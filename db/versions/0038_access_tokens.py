"""Access tokens signed by API keys, and a rate limit of model tokens."""

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

TABLES = """
alter table memory.api_key
    add column model_tokens_per_minute integer,
    add column token_public_key bytea,
    add constraint api_key_model_tokens_per_minute_check check (model_tokens_per_minute > 0),
    add constraint api_key_token_public_key_check check (octet_length(token_public_key) = 32);
alter table memory.rate_limit
    drop constraint rate_limit_resource_check,
    add constraint rate_limit_resource_check check (resource in ('requests', 'messages', 'model_tokens'));
"""


def upgrade() -> None:
    op.get_bind().connection.driver_connection.execute(TABLES)
