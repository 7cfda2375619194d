"""A server for one person, in that person's browser.

`app` answers requests, `ledger` keeps tables where the browser keeps things, `thinking` lets computers think.
"""
