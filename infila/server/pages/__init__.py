"""The pages: HTML and SVG over the wire, made from what the viewer may see.

`frame` is what all of them share, `routes` is the list of them; otherwise a module is a page, or a part of the page of
a table: `table_page` answers for it and for what is done there, `waiting` is how it looks before the deal, `shuffle`
what is said of that, `table_facts` gathers what is on it afterwards, with the `buttons` that are not moves and the log
in words of the `chronicle`; `advice` gives hints and reasons.
"""
