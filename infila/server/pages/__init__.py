"""The pages: HTML and SVG over the wire, made from what the viewer may see.

`frame` is what all of them share, `routes` is the list of them; otherwise a module is a page, or a part of the page of
a table: `table` answers for it, `shown` and `asks` say what is on it, `acts` takes what a person does there.
"""
