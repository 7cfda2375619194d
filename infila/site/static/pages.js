// Pages as they were last shown, for whoever comes back: they are there before Python is. One is shown again only to the
// same reader, and only if the log has not gone on since: of its table, or for the front page of any.

import { here } from "./addresses.js";
import { EDITION } from "./edition.js";
import { open } from "./keep.js";

const CACHES = `infila pages ${here.pathname} `;
const CACHE = CACHES + EDITION;
const AFTER = 500;                              // milliseconds in which nothing more has come

const at = (address) => new URL(`?${address}`, here);
const keeping = open(here.pathname).catch(() => null);
let now = null;                                 // the page that is shown
let later;

/** How long the log is on which a page depends; NaN for a page that is not kept. */
export async function length(address) {
  const [, table] = address.match(/^\/(?:t\/(\w+))?$/) ?? [null, null];
  try {
    return table === null ? NaN : await (await keeping).length(table);
  } catch {                                     // a browser may keep nothing, or no longer
    return NaN;
  }
}

/** What is kept of a page, unless something has happened since. */
export async function known(address, reader) {
  try {
    const [found, log] = await Promise.all([caches.open(CACHE).then((cache) => cache.match(at(address))), length(address)]);
    return found?.headers.get("reader") === reader && Number(found.headers.get("log")) === log ? found : null;
  } catch {                                     // a browser may keep nothing
    return null;
  }
}

/** A page that is kept. */
export async function find(address, reader) {
  return (await known(address, reader))?.text().catch(() => null) ?? null;
}

/** What is shown from now on; the log was at least so long when it was made. */
export function show(address, text, reader, log) {
  keep();                                       // what was shown until now
  now = { address, text, reader, log };
  soon();
}

/** What a page was answered: the page of a table is shown with the new state from now on. */
export function heard(address, text) {
  if (!now || !address.startsWith(`${now.address}/`) || address.includes("?") || !text.startsWith('{"version":')) return;
  now.state = text;
  soon();
}

/** Something has changed of which the log knows nothing. */
export async function forget() {
  now = null;
  await caches.delete(CACHE).catch(() => {});
}

function soon() {
  now.fresh = true;
  clearTimeout(later);
  later = setTimeout(keep, AFTER);
}

async function keep() {
  clearTimeout(later);
  if (!now?.fresh) return;
  now.fresh = false;
  const { address, reader } = now, { text, log } = drawn(now);
  await put(address, text, reader, log);
}

/** Keep a page, or forget it if there is nothing of it to be kept. */
export async function put(address, text, reader, log) {
  if (!(log >= 0) && text) return;
  try {
    for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== CACHE) await caches.delete(name);
    const cache = await caches.open(CACHE);
    const headers = { "content-type": "text/html; charset=utf-8", reader, log };
    await (text ? cache.put(at(address), new Response(text, { headers })) : cache.delete(at(address)));
  } catch (problem) {                           // there is no room
    console.info(String(problem));
  }
}

/** A page as it is now; the page of a table has what its state says, as table.js shows it. The end of a game is nothing
 * to come back to. */
function drawn(page) {
  if (page.address === "/") return page;
  if (!(page.log >= 0)) return {};
  const made = new DOMParser().parseFromString(page.text, "text/html");
  const script = made.getElementById("state");
  const { fragments, ...state } = JSON.parse(page.state ?? script?.textContent ?? "{}");
  page.state = undefined;
  if (!("stamp" in state) || state.over || state.ended) return {};
  if (fragments) {
    const ids = [...made.querySelectorAll(".panel")].map(({ id }) => id);
    for (const id of [...ids, ...Object.keys(fragments)]) {
      const box = made.getElementById(id);
      if (box) box.innerHTML = fragments[id] ?? "";
    }
    script.textContent = JSON.stringify(state).replaceAll("<", "\\u003c");
    made.title = state.title;
    page.text = `<!doctype html>${made.documentElement.outerHTML}`;
  }
  return Object.assign(page, { log: state.stamp });
}

document.addEventListener("visibilitychange", () => { if (document.hidden) keep(); });
