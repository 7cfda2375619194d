// The window of the site. It holds the worker with Python (python.js), which answers as a server would, a frame with the
// page that is shown, and a line for whatever there is to say: that something is on its way, or cannot be done.

import { here, meant } from "./addresses.js";
import { EDITION, GAMES } from "./edition.js";
import * as pages from "./pages.js";

const LANGUAGES = ["en", "it", "de"];
const COOKIES = `infila cookies ${here.pathname}`;      // one web space may have several sites
const LOCK = `infila ${here.pathname}`;
const LAID = `infila laid ${here.pathname}`;             // the table of each game that is laid for the next visit
const TAKE_OVER = "take over";
const LOGGED = /^\/(play|learn|t)\/\w+(\/(?!come$)|$)/;     // what is done there is in a log, and changes nothing else
const SOON = 1000;

const words = JSON.parse(document.getElementById("words").textContent);
const kept = (() => { try { return localStorage; } catch { return {}; } })();     // a browser may keep nothing
const cookies = () => kept[COOKIES] || "{}";
const language = () => {
  const wanted = [JSON.parse(cookies()).language, ...navigator.languages.map((each) => each.slice(0, 2))];
  return wanted.find((each) => LANGUAGES.includes(each)) ?? "en";
};
const reader = () => encodeURIComponent(JSON.stringify([cookies(), navigator.languages]));
const word = (name, facts = {}) => words[language()][name].replace(/\{(\w+)\}/g, (_, fact) => facts[fact]);

// what there is to say

const line = document.createElement("div");
line.className = "word";
line.setAttribute("role", "status");
line.hidden = true;

function say(text, button, act) {
  line.replaceChildren(text);
  line.hidden = !text;
  if (button) line.append(Object.assign(document.createElement("button"), { className: "btn", textContent: button, onclick: act }));
}

function stop(text, button = word("again"), act = () => location.reload()) {
  worker?.terminate();
  say("");
  const named = Object.assign(document.createElement("h1"), { textContent: "infila" });
  const said = Object.assign(document.createElement("p"), { textContent: text });
  const main = document.createElement("main");
  main.className = "stopped";
  main.append(named, said, Object.assign(document.createElement("button"), { className: "btn primary", textContent: button, onclick: act }));
  main.setAttribute("role", "alert");
  document.body.replaceChildren(main);
  document.documentElement.lang = language();
}

// what a page asks

let worker;
let count = 0;
let asking = 0;
let ready = false;
const waiting = new Map();
const resolvable = () => { const made = {}; made.promise = new Promise((resolve) => { made.resolve = resolve; }); return made; };
const begun = resolvable();
const seen = resolvable();

function heard({ data }) {
  if (data.failed) return stop(word(data.failed));
  if (data.share !== undefined) return ready || say(data.share < 1 ? word("coming", { share: Math.floor(100 * data.share) }) : word("laying"));
  if (data.ready) {
    ready = true;
    say("");
    return begun.resolve();
  }
  const told = waiting.get(data.id);
  if (data.version) return told?.(data.version);
  waiting.delete(data.id);
  return told?.(data.answer);
}

async function ask(method, address, headers = {}, body = "") {
  if (method !== "GET") expected = null;
  const table = ready || method === "GET" ? null : await laid(address);
  if (table) return { status: 303, headers: { location: `./?${table}` }, text: "" };
  const unlogged = method !== "GET" && !LOGGED.test(address);
  if (unlogged) await pages.forget();
  if (!ready) {
    setTimeout(() => { if (!ready && line.hidden) say(word("laying")); }, SOON);
    await begun.promise;
  }
  const id = ++count;
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  const languages = { "accept-language": navigator.languages.join(",") };
  worker.postMessage({ id, ask: [method, address, JSON.stringify({ ...languages, ...headers }), cookies(), body] });
  asking += 1;
  const [status, given, changed, text] = await answered;
  asking -= 1;
  try {
    if (Object.keys(changed).length) kept[COOKIES] = JSON.stringify({ ...JSON.parse(cookies()), ...changed });
    if (method === "POST" && status < 400) kept[LOCK] ??= "begun";
  } catch (problem) {                           // there is no room: it is chosen again another time
    console.info(String(problem));
  }
  if (unlogged) await pages.forget();           // also what was kept meanwhile
  if (status === 200) pages.heard(address, text);
  if (address !== "/" && !address.startsWith("/laid/")) {
    clearTimeout(later);
    later = setTimeout(keepForNext, 3 * SOON);
  }
  return { status, headers: given, text };
}

/** For the next visit a table of each game, and the front page as it is now: made while nobody does anything. */
let later;
async function keepForNext() {
  const tables = JSON.parse(kept[LAID] || "{}");
  for (const game of GAMES) {
    if (asking) return;                         // it is not quiet, and comes again
    if (tables[game] && (await pages.known(tables[game], reader()))) continue;
    const { status, headers, text } = await ask("GET", `/laid/${game}`, { accept: "text/html" });
    if (status === 204) later = setTimeout(keepForNext, 3 * SOON);      // a computer begins there, and thinks
    tables[game] = status === 200 ? meant(headers.location) : undefined;
    if (tables[game]) await pages.put(tables[game], text, reader(), await pages.length(tables[game]));
    try {
      kept[LAID] = JSON.stringify(tables);
    } catch {                                   // there is no room
      return;
    }
  }
  if (asking) return;
  const found = await get("/");
  if (found.status === 200) await pages.put("/", found.text, reader(), found.log);
}

/** The table that is laid for whoever begins a game before Python is there; Python hears of it when it is listened to. */
async function laid(address) {
  const [, game] = address.match(/^\/play\/(\w+)$/) ?? [];
  const { [game]: table, ...others } = JSON.parse(kept[LAID] || "{}");
  if (!table || !(await pages.known(table, reader()))) return null;
  kept[LAID] = JSON.stringify(others);
  await pages.put("/");                         // there is a game more to go on with
  return table;
}

/** A page that is about to be asked for: it is made while the frame gets ready for it. */
let expected = null;
function expect(address) {
  if (!ready) return;
  const coming = expected = { address, answer: get(address) };
  setTimeout(() => { if (expected === coming) expected = null; }, 3 * SOON);    // it was not asked for after all
}

async function get(address) {
  const log = await pages.length(address);      // what happens until it is made is on it, or more
  const answer = await ask("GET", address, { accept: "text/html" });
  return { ...answer, log };
}

function listen(table, tell) {
  const id = ++count;
  waiting.set(id, tell);
  begun.promise.then(() => { if (waiting.has(id)) worker.postMessage({ id, listen: table }); });
  return () => {
    if (waiting.delete(id) && ready) worker.postMessage({ id, stop: true });
  };
}

/** Whoever has never played here sees the front page before Python is there. */
const newcomer = (address) => address === "/" && !kept[LOCK];

/** A page. A server's installed page begins games and lessons here by their addresses, for which a server has buttons
 * (infila/web/installed/installed.js). */
async function page(address) {
  const form = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
  if (/^\/(play|learn)\/\w+$/.test(address)) return ask("POST", address, form, "ask=yes");
  if (address.startsWith("/new?begin=yes&")) return ask("POST", "/new", form, address.split("?")[1]);
  const coming = expected?.address === address ? expected.answer : null;
  expected = null;
  const known = ready ? null : await Promise.race([early?.address === address ? early.found : before(address), begun.promise]);     // who is there first
  if (!known) seen.resolve();                   // there is nothing to see without Python
  const found = known ?? (await (coming ?? get(address)));
  if (found.status === 200) pages.show(address, found.text, reader(), found.log);
  return found;
}

let early;                                      // what the window was opened for, looked up while its frame gets ready

/** What can be seen before Python is there: the front page as a newcomer sees it, or a page that was kept. */
async function before(address) {
  const text = newcomer(address) ? await front() : await pages.find(address, reader());
  return text && { status: 200, headers: {}, text, log: newcomer(address) ? NaN : await pages.length(address) };
}

async function front() {
  const answer = await fetch(new URL(`front.${language()}.html`, here)).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

/** The frame shows something: the window has its name and address. */
function shown({ document: inside, location: at }) {
  seen.resolve();
  const title = () => { document.title = inside.title; };
  title();
  const named = inside.querySelector("title");
  if (named) new MutationObserver(title).observe(named, { childList: true });
  document.documentElement.lang = inside.documentElement.lang;
  frame.title = "infila";
  document.documentElement.toggleAttribute("data-theme", false);
  if (inside.documentElement.dataset.theme) document.documentElement.dataset.theme = inside.documentElement.dataset.theme;
  const server = inside.querySelector("#server a");
  if (server && here.pathname === "/anywhere/") {       // where a server has it (infila/server/anywhere.py)
    Object.assign(server, { target: "_top", href: "/" });
    server.parentNode.hidden = false;
  }
  history.replaceState(null, "", (at.search || "./") + at.hash);
  if (document.activeElement === document.body) frame.focus();
}

window.infila = { ask, expect, listen, page, shown };

// one window at a time: two would play on without each other

let frame;

async function begin() {
  if (document.body.querySelector("main.stopped")) document.body.replaceChildren();
  document.querySelector(".late")?.remove();    // what the document says if this does not come
  frame = document.querySelector("iframe") ?? document.body.appendChild(document.createElement("iframe"));
  document.body.append(line);
  const wanted = meant(location.href) ?? "/";
  early = { address: wanted, found: before(wanted) };
  // the frame stands in the document, so that a browser finds the way back in it even after a reload
  if (frame.contentWindow.location.href === "about:blank") frame.contentWindow.location.replace(location.href);
  // Python, which is large, would get into the way of a page that can be seen without it
  if (await early.found) await seen.promise;
  worker = new Worker(new URL("python.js", import.meta.url), { type: "module" });
  worker.onmessage = heard;
  worker.onerror = (problem) => {
    problem.preventDefault();
    const unread = /SyntaxError/.test(problem.message);         // a browser may know no modules in workers
    stop(word(unread ? "old" : problem.message ? "failed" : "unreachable"));    // what has not come has nothing to say
  };
  await begun.promise;
  await quiet();
  worker.postMessage({ quiet: true });
  keepForLater();
  keepForNext();
}

/** Whoever waits goes before what is kept for later. */
async function quiet() {
  for (let last = -1; last !== count || asking; ) {
    last = count;
    await new Promise((resolve) => setTimeout(resolve, SOON));
  }
}

async function alone(how) {
  const lost = () => stop(word("elsewhere"), word("here"), () => {
    history.replaceState(TAKE_OVER, "");
    location.reload();
  });
  await navigator.locks.request(LOCK, how, async () => {
    begin();
    await new Promise(() => {});                // as long as this window is there
  }).catch((problem) => (problem.name === "AbortError" && worker ? lost() : Promise.reject(problem)));
}

async function keepForLater() {
  navigator.storage?.persist?.();
  const registered = await navigator.serviceWorker?.register(new URL("sw.js", import.meta.url)).catch(() => null);
  if (!registered) return;
  const offer = () => {
    if (!registered.waiting || !navigator.serviceWorker.controller) return;
    say(word("newer"), word("take"), () => registered.waiting.postMessage("take over"));
  };
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (registered.taken) location.reload(); });
  registered.addEventListener("updatefound", () => {
    registered.taken = Boolean(navigator.serviceWorker.controller);
    registered.installing.addEventListener("statechange", offer);
  });
  registered.taken = Boolean(navigator.serviceWorker.controller);
  offer();
}

const able = window.isSecureContext && window.WebAssembly && window.indexedDB && navigator.locks && crypto.randomUUID;
if (!able) {
  stop(word(window.isSecureContext ? "old" : "insecure"));
} else {
  const wanted = history.state === TAKE_OVER;   // whoever said so before the page was loaded again
  const patience = new AbortController();
  setTimeout(() => patience.abort(), SOON);
  alone(wanted ? { steal: true } : { signal: patience.signal }).catch(() => {
    stop(word("twice"), word("here"), () => alone({ steal: true }));
  });
}

document.documentElement.dataset.edition = EDITION;
