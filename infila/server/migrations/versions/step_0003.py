"""Draws among results. Of older ones it is known where nobody but people played: all had the same, and nobody won."""

import sqlalchemy as sa
from alembic import op

from infila.core.games import contract_of, usable_games

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("results", sa.Column("drawn", sa.Boolean, nullable=False, server_default=sa.false()))
    names = ("table_id", "game", "players", "score", "won", "drawn")
    results = sa.table("results", *(sa.column(name) for name in names))
    c = results.c
    equal = (
        sa.select(c.table_id)
        .where(c.game.in_([game for game in usable_games() if contract_of(game).needs_winner]))
        .group_by(c.table_id)
        .having(
            sa.func.count() == sa.func.max(c.players),
            sa.func.max(sa.cast(c.won, sa.Integer)) == 0,
            sa.func.min(c.score) == sa.func.max(c.score),
        )
    )
    op.execute(sa.update(results).where(c.table_id.in_(equal)).values(drawn=sa.true()))
