"""The tables of the database.

`entries` is the truth: everything that ever happened at a table, in order, never changed. What else is here about a
table is either fixed when it is made (`tables`), who works on it (`owner`), or an index over its entries (`state`,
`due`, `seats`, `results`), written in the same transaction as the entry that it follows from.
"""

from sqlalchemy import Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text, UniqueConstraint, false

metadata = MetaData()

facts = Table("facts", metadata, Column("name", String(40), primary_key=True), Column("value", Text, nullable=False))

people = Table(
    "people",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("created", Float, nullable=False),
    Column("unlisted_until", Float),  # how long cookies and tokens count that are older than `sessions`
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("person", String(20), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("label", String(60), nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Index("sessions_of", "person"),
    Index("sessions_over", "expires"),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("header", Text, nullable=False),  # JSON: game, options, seats, clocks, seed, …
    Column("game", String(20), nullable=False),
    Column("private", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("state", String(10), nullable=False),
    Column("due", Float),  # when the server itself has to act: a computer's turn, a clock
    Column("owner", String(20)),  # the server that works on it, if there can be several; empty: nobody
    Index("tables_open", "state", "private", "created"),
    Index("tables_due", "due"),
)

servers = Table(  # of a database that several can use: see `lease`
    "servers",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("url", Text, nullable=False),  # where others reach it
    Column("began", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("ended", Float),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("seat", Integer),
    Column("person", String(20)),
    Column("text", Text, nullable=False),
    Column("key", String(100)),  # idempotency: whoever sends the same thing twice has sent it once
    Column("at", Float, nullable=False),
    UniqueConstraint("table_id", "key", name="entries_once"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", String(20), nullable=False),
    Index("seats_of", "person"),
)

results = Table(
    "results",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", String(20), nullable=False),
    Column("game", String(20), nullable=False),
    Column("players", Integer, nullable=False),
    Column("against", String(20), nullable=False),  # people, or the strongest computer's level
    Column("score", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("at", Float, nullable=False),
    Column("drawn", Boolean, nullable=False, server_default=false()),  # nobody has won
    Index("results_of", "person"),
)
