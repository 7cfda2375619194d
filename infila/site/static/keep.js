// What the browser keeps of tables (infila/site/browser/ledger.py): a line for each, the entries of its log, and facts.
// An answer comes when everything is written.

// Python takes only what is an Error through and through for a failure, which not all of a browser's own are.
const failure = ({ error }) => new Error(`${error?.name}: ${error?.message}`);

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(failure(request));
});

/** What is kept for a site, by its path: one web space may have several. */
export async function open(site) {
  const opening = indexedDB.open(`infila ${site}`, 1);
  opening.onupgradeneeded = () => {
    const database = opening.result;
    database.createObjectStore("lines", { keyPath: "id" });
    database.createObjectStore("entries");      // by table and number
    database.createObjectStore("facts");
  };
  return new Keeper(await done(opening));
}

class Keeper {
  #database;

  constructor(database) { this.#database = database; }

  #read(store) { return this.#database.transaction(store).objectStore(store); }

  async lines() { return JSON.stringify(await done(this.#read("lines").getAll())); }

  async entries(table) {
    return JSON.stringify(await done(this.#read("entries").getAll(IDBKeyRange.bound([table], [table, []]))));
  }

  /** How many entries there are, of a table or of all. */
  length(table) {
    return done(this.#read("entries").count(table && IDBKeyRange.bound([table], [table, []])));
  }

  append(changes) {
    const change = this.#database.transaction(["lines", "entries"], "readwrite", { durability: "strict" });
    for (const [line, entries] of JSON.parse(changes)) {
      change.objectStore("lines").put(line);
      for (const entry of entries) change.objectStore("entries").add(entry, [line.id, entry[0]]);
    }
    change.commit();                            // nothing more comes: it is written while Python does something else
    return new Promise((resolve, reject) => {
      change.oncomplete = () => resolve(true);
      change.onabort = () => (change.error?.name === "ConstraintError" ? resolve(false) : reject(failure(change)));
    });
  }

  async fact(name) { return (await done(this.#read("facts").get(name))) ?? ""; }

  note(name, value) {
    const change = this.#database.transaction("facts", "readwrite", { durability: "strict" });
    change.objectStore("facts").put(value, name);
    return new Promise((resolve, reject) => {
      change.oncomplete = () => resolve();
      change.onabort = () => reject(failure(change));
    });
  }
}
