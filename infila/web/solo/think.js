// A computer's thought, as infila/players/player.py has it: a search that the server has set up (infila/server/tasks.py)
// is run to its end by the game's module. There are no rules in here, and no number that a level depends on.

/** The action that a task comes to. */
export function think(rules, task) {
  const { Node, Desk } = rules.description.records;
  const [states, settings, desk, ...buffers] = [task.states, task.settings, task.desk, ...task.buffers].map(unpacked);
  let nodes = unpacked(task.nodes);
  for (let left = task.simulations; left > 0; left -= task.batch) {
    const batch = Math.min(task.batch, left);
    if ((field(desk, Desk, "nodes") + batch + 1) * Node.size > nodes.length) nodes = doubled(nodes);
    rules.call("search", states, task.seat, batch, settings, nodes, desk, ...buffers);
  }
  return best(children(nodes, Node));
}

function unpacked({ size, begin }) {
  const bytes = new Uint8Array(size);
  bytes.set(Uint8Array.from(atob(begin), (letter) => letter.charCodeAt()));
  return bytes;
}

function doubled(bytes) {
  const twice = new Uint8Array(2 * bytes.length);
  twice.set(bytes);
  return twice;
}

// the root's moves
function children(nodes, Node) {
  const found = [];
  const of = (name, node) => field(nodes, Node, name, node);
  for (let node = of("first", 0); node > 0; node = of("after", node)) {
    const visits = of("visits", node);
    found.push({ action: of("action", node), visits, win: of("value", node) / visits });
  }
  return found;
}

// what was tried most often, then what was best, then what comes first
const best = (moves) => moves.sort((a, b) => b.visits - a.visits || b.win - a.win || a.action - b.action)[0].action;

const READ = { i2: "getInt16", i4: "getInt32", f8: "getFloat64" };

// a number in one of the records that lie in these bytes
function field(bytes, { size, fields }, name, record = 0) {
  const [at, kind] = fields[name];
  return new DataView(bytes.buffer)[READ[kind]](record * size + at, true);
}
