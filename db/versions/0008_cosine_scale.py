"""How a model's cosines lie, so that what is weighed against them weighs as much for every model.

Unrelated texts have a cosine of 0.05 for the built-in model, give or take 0.1, and of 0.77 for multilingual-e5-small,
give or take 0.03: with weights chosen for the former, words and speakers outvote the latter's vectors. Both figures are
null, which is as the built-in model's, until `calibrate` has measured them.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

SCALE = """
alter table memory.embedding_model
    add column unrelated_mean double precision,
    add column unrelated_spread double precision,
    add constraint embedding_model_scale_check check (
        (unrelated_mean is null) = (unrelated_spread is null) and unrelated_mean >= -1 and unrelated_mean <= 1
        and unrelated_spread > 0 and unrelated_spread <= 1);
"""

# They answer other columns or take other arguments now, which `create or replace` refuses.
GONE = """
drop function if exists memory_api.read_bank(text);
drop function if exists memory_api.read_thresholds(text);
drop function if exists memory_api.set_thresholds(
    text, double precision, double precision, double precision, jsonb, text, timestamptz);
"""


def upgrade() -> None:
    execute = op.get_bind().connection.driver_connection.execute
    execute(SCALE)
    execute(GONE)
