"""The pages: HTML and SVG over the wire, made from what the viewer may see.

`frame` is what all of them share, `routes` is the list of them; otherwise a module is a page, or a part of the page of
a table: `table_page` answers for it and for what is done there, `waiting` is how it looks before the deal, `shuffle`
what is said of that, `table_facts` gathers what is on it afterwards, with the `buttons` that are not moves and the log
in words of the `chronicle`; `advice` gives hints and reasons, and by `solo` a browser thinks for the computers.

On the way to a table: `level` asks how strong the computer shall be, `getting_ready` says how far a game is whose rules
are still compiled; the form for a `new` table reads what was chosen by `choices`, and `summing_up` says it in a
sentence. A table in a list is a line of `lists`. `warming` makes ready, before anybody comes, what the first visitor
would wait for; `installed` is for phones and computers on which infila is installed, and for those without a network.
"""
