"""The table in the browser and for programs, but for its looks.

How the pieces fit, from the bottom:

- `schema`, `migrations`, `store`: the database. `entries` is an append-only log of everything that happened at every
  table, and the only truth. One thread writes, many acts in one transaction; an act counts once it is committed.
- `moment`: a table at one moment is a fold over its header and entries. A `Moment` never changes.
- `tables`: the tables in memory, and the one way in which they change: an act is checked against the present moment,
  written, and only then shown. `index` keeps what can be looked up in the database without reading logs.
- What can be done, a subject each: `making`, `people`, `seats`, `moves`, `takeback`, `talk`, `watching`, `lists`;
  `whose` says which seat somebody means. `service`: `Service`, all of them together.
- `tableview`: `TableView`, a moment through one viewer's eyes; pages and programs are made from it and nothing else.
- `streams`: who watches, and what each has still to be told. `computers`: the computer's seats, and the clocks.
- `identity`, `limits`, `request`: who asks, how much, how often, from where. `bodies`: what they send.
- `endpoints`: everything that is done at a table over HTTP, once for both: programs do it by the `api`, which answers
  in the JSON of `wire`; a page does it by `pages`, which answer with the page's new state. `app`: all of it together.
- `pages`, `chronicle`: HTML made from `app.service.view(...)` and `app.service.subscribe(...)`.

>>> from infila.server.settings import Settings
>>> Settings(data="tables").url
'sqlite:///tables/infila.db'
"""
