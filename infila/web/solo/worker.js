// The worker of a solo table: told that the table has changed, it asks whether there is something to think about, thinks,
// and says what it has found. Whatever goes wrong, the server thinks instead.

import { load } from "./module.js";
import { think } from "./think.js";

const modules = new Map();      // by their folder
let thinking = false;
let changed = false;            // while it was thinking

addEventListener("message", async ({ data: table }) => {
  changed = true;
  if (thinking) return;
  thinking = true;
  while (changed) {
    changed = false;
    await turn(table).catch(() => {});
  }
  thinking = false;
});

async function turn(table) {
  const { task, rules } = await send(`${table}/task`, {});
  if (!task) return;
  const { seat, version } = task;
  let action = null;
  try {
    action = think(await moduleAt(rules), task);
  } finally {
    await send(`${table}/thought`, { seat: seat + 1, version, action });
  }
}

function moduleAt(folder) {
  if (!modules.has(folder)) modules.set(folder, load(new URL(folder, location)));
  return modules.get(folder);
}

async function send(address, fields) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
  });
  return answer.ok ? answer.json() : {};
}
