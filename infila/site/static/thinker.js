// A second worker, for the computers' searches: what it is told is a game's module, or a task (infila/server/tasks.py).

import { start } from "./module.js";
import { think } from "./think.js";

const modules = {};

addEventListener("message", async ({ data: { id, game, code, description, task } }) => {
  if (code) {
    modules[game] = start(code, description);
    return;
  }
  try {
    postMessage({ id, action: think(await modules[task.game], task) });
  } catch (problem) {           // the other worker thinks instead
    postMessage({ id, action: null });
  }
});
