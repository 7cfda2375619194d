"""Several servers on one database: who they are, and which of them a table is worked on by."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("ended", sa.Float),
    )
    op.add_column("tables", sa.Column("owner", sa.String(20)))
