"""Sessions. Who was known before them stays known for a year, until they are seen and get one."""

import sqlalchemy as sa
from alembic import context, op

revision = "0002"
down_revision = "0001"
YEAR = 365 * 86400


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("person", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_index("sessions_of", "sessions", ["person"])
    op.create_index("sessions_over", "sessions", ["expires"])
    op.add_column("people", sa.Column("unlisted_until", sa.Float))
    until = context.config.attributes["now"] + YEAR
    op.execute(sa.update(sa.table("people", sa.column("unlisted_until"))).values(unlisted_until=until))
