"""How the database came to be as it is, step by step; `store.prepare` takes the steps that are missing."""

HEAD = "0003"  # the newest step in `versions`
