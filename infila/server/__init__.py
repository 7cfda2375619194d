"""The table in the browser and for programs, but for its looks.

How the parts fit, from the bottom:

- `ledger`: what is kept, whatever keeps it: an append-only log of everything that happened at every table, the only
  truth, and what can be looked up without reading logs. All that is done at tables stands on it.
- `schema`, `migrations`, `store`: the database; `database_ledger`: the ledger in it. One thread writes, many entries
  in one transaction; an entry counts once it is committed. `index`: the log as rows, and the indexes over it. `alone`
  keeps a second server out of a folder, `private_files` other users, `sealing` those who have a copy of the database.
- Several servers on one PostgreSQL: `lease`, the leave to write; `peers`, the others; `owners`, which server works on
  a table; to the rest that is `ownership`. `shared_time`: the database's, on all of them.
- `snapshot`: a table at one moment, which never changes. `entries`: it is a fold over its header and log. `clock`: what
  the table allows people to think, and what they have used. `levels`: the computer's, of which nothing else comes in.
- `tables`: the tables in memory, and the one way in which they change: a `Draft` is checked against the present
  snapshot, written, and only then shown.
  `downtime`: when nobody could move. `past`: games as they were. `gently`: long work beside those who answer.
- `sessions`: the browsers and programs in which somebody is themselves, and how each ends. `device_links` bring
  another browser in; `user_agents` says what it is called.
- What can be done, a subject each: `creation`, `rematches`, `people`, `seats`, `shuffle`, `moves`, `take_backs`,
  `stops`, `hints`, `chat`, `calls`, `lessons`, `lobby`, `audience`; `own_seats`: whose seat, `causes`: who judges whom,
  `contributions`: what a shuffle waits for. `service`: all of them, put together.
- `table_view`: `TableView`, a snapshot through one viewer's eyes; pages and programs are made from it and nothing else.
- `watchers`: who watches, and what each has still to be told. `computers`: the computer's seats, and clocks that run
  out. `thinking`: the few threads that all computers share fairly, by `whence` people ask. `solo`: thoughts that come
  from the browser of somebody who plays against computers alone, for whom `tasks` sets them up. `reviews`: games that
  are over, looked at once more. `puzzles`: those that games bring. `compiling`: the rules of games that bring no
  module, compiled before anybody needs them.

So far there is no HTTP and no HTML. Around it:

- `connections`: how long anybody may take over a request, and how large its head may be. `gate`, in front of all
  pages and programs: where a request comes from (`addresses`, with the word of trusted proxies), whether that is too
  often, and whose turn it is (`turns`). `passing`: to the server that has the table; `together` joins that to the rest.
  `workers`: several servers at one port. `identity`, `limits`, `request`: who asks, how much, how often. `bodies`: what
  they send. `house`: where others reach the server, and how the home network is let in.
- `endpoints`: everything that is done at a table over HTTP, once for both: programs do it by the `api`, which answers
  in the JSON of `wire`; a page does it by `pages`, which answer with the page's new state. `event_stream`: answers
  that go on. `pages`: HTML made from what `service.audience` shows. `anywhere`: the table as plain files, for games
  without a network. `health` and `readiness`: for those who watch over the server; `metrics`: its figures, by what
  `counting` counts; `logs`: what it reports. `app`: all of it together.

>>> from infila.server.settings import Settings
>>> Settings(data="tables").url
'sqlite:///tables/infila.db'
"""
