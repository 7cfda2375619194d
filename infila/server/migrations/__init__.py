"""How the database came to be as it is, step by step; `store.prepare` takes the steps that are missing."""

HEAD = "0004"  # the newest step in `versions`
