// A table: lets a person choose among the legal moves, each a path of parts of the picture, and shows what happens.
// There are no rules in here: the moves, their paths and their words come from the server.

const root = document.querySelector(".table");
const base = root.dataset.url;
const $ = (selector, from = root) => from.querySelector(selector);
const all = (selector, from = root) => [...from.querySelectorAll(selector)];
const svg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
const on = (kind, heard) => root.addEventListener(kind, heard);
const partAt = (event) => event.target.closest?.("[data-part]");
const onscreen = (part) => part.checkVisibility();    // asks for no places, for which all would have to be laid out
const emit = (kind) => root.dispatchEvent(new Event(kind));
const coarse = matchMedia("(pointer: coarse)");

let state = JSON.parse(document.querySelector("#state").textContent);
let chosen = [];        // the parts chosen so far
let held = null;        // a move that waits for its confirmation
let there = "";         // a place that was touched first: what could go there is marked
let hinted = null;      // a move that a hint shows on the table
let aimed = null;       // a part that is held over or focused
let busy = false;
let keyed = false;      // the person uses keys

// ---- asking the server

let asking = 0;         // requests that are answered with a state
let news = "";          // what the stream told last

async function send(path, fields, method = "POST") {
  const answer = await fetch(base + path + location.search, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
  }).catch(() => { throw new Error(root.dataset.lost); });
  const facts = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(facts.error || answer.statusText);
  return facts;
}

function meanwhile(request) {
  asking += 1;
  return request.finally(() => { asking -= 1; });
}

// whatever is done is answered with the new state
async function act(path, fields = {}, method) {
  const answer = await meanwhile(send(path, fields, method)).catch((problem) => say(problem.message));
  if (path === "/moves") { busy = false; chosen = []; }
  if (answer?.url) location.href = answer.url;
  else if (answer) show(answer);
  else refresh();
  return answer;
}

async function refresh() {
  clearTimeout(later);
  news = "";
  try {
    const next = await meanwhile(fetch(`${base}/state${location.search}`).then((answer) => answer.ok && answer.json()));
    if (next) show(next);
    lost(false);
  } catch {                     // no connection: it is tried again until there is one
    lost(true);
    later = setTimeout(refresh, 2000);
  }
}

// the stream may tell of an act before its answer comes: only what no answer has shown is asked for
function hear(told = news) {
  news = told;
  const [stamp, here] = told.split("-");        // `here`: somebody came or went
  if (!asking && (here || stamp > state.stamp)) refresh();
}

let later;
function lost(is) {
  if (root.classList.contains("lost") !== is) say(is ? root.dataset.lost : "");
  root.classList.toggle("lost", is);
}

function listen() {
  const events = new EventSource(base + "/events");
  events.addEventListener("version", (event) => hear(event.data));
  events.onopen = () => { if (root.classList.contains("lost")) refresh(); };
  events.onerror = () => { lost(true); if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000); };
}
addEventListener("online", refresh);
addEventListener("resize", () => { drawRest(); mark(); });      // other drawings of the same parts may be shown
addEventListener("offline", () => lost(true));

// ---- what can be chosen

function drop() { chosen = []; held = null; there = ""; }
const fits = (move, parts) => parts.every((part, i) => move.p[i] === part);
const open = () => state.moves.filter((move) => fits(move, chosen));
const going = (name) => name ? state.moves.filter((move) => move.p.length > 1 && move.p.at(-1) === name) : [];
const ending = () => there ? going(there) : open().filter((move) => move.p.length === chosen.length + 1);
const only = () => state.moves[0]?.p.length > 1 && state.moves.every((move) => move.p[0] === state.moves[0].p[0]) && state.moves[0].p[0];  // nothing to choose there
const first = (selector) => all(selector).find(onscreen);
const parts = (name) => seen ? seen.get(name) || [] : all(`[data-part="${CSS.escape(name)}"]`).filter(onscreen);

let seen = null;        // the parts that are shown, by name, while they are marked: looked up before anything changes
const marks = new Set();        // the parts that are marked
const known = new WeakSet();    // the parts that say what they are
function mark() {
  if (!busy) lookUp();
  const before = [...marks];
  marks.clear();
  before.forEach(unmark);
  all(".ring").forEach((ring) => ring.remove());
  all(".panel.shown").forEach((panel) => panel.classList.remove("shown"));
  if (busy) return marked();
  if (!chosen.length && only()) chosen = [only()];
  chosen.forEach((name) => parts(name).slice(0, 1).forEach((part) => {
    part.classList.add("selected");
    operable(part, true);
  }));
  parts(there).forEach((part) => { part.classList.add("target", "selected"); operable(part, true); });
  const names = new Map();
  (there ? going(there) : open()).forEach((move) => {
    const name = move.p[chosen.length];
    if (name !== undefined && !names.has(name)) names.set(name, move);
  });
  names.forEach((move, name) => parts(name).forEach((part) => {
    const last = move.p.length === chosen.length + 1;
    part.classList.add(last && (chosen.length > 0 || move.p.length === 1) ? "target" : "can");
    if (held && held.p[chosen.length] === name) part.classList.add("over");
    const note = last && $(".note", part);
    if (note) note.textContent = move.n;
    operable(part, false);
  }));
  wish();
  hinted?.p.forEach((name) => parts(name).slice(0, 1).forEach((part) => ring(part, "hinted")));
  if (chosen.length)  // another first part may be chosen instead
    state.moves.forEach((move) => parts(move.p[0]).forEach((part) => {
      if (!part.classList.contains("selected") && !part.classList.contains("target")) { part.classList.add("can"); operable(part, false); }
    }));
  marked();
}

function lookUp() {
  const every = all("[data-part]");
  seen = new Map();
  every.filter(onscreen).forEach((part) => {
    const name = part.getAttribute("data-part"), same = seen.get(name);
    if (same) same.push(part);
    else seen.set(name, [part]);
  });
  introduce(every);
}

function introduce(every) {
  every.filter((part) => !known.has(part)).forEach((part) => {
    known.add(part);
    part.role = "img";
    if (part.localName === "use") part.ariaHidden = "true";     // bare ground
  });
}

function unmark(part) {
  part.classList.remove("can", "selected", "target", "over", "wish");
  if (part === document.activeElement) {
    part.setAttribute("tabindex", "-1");
    marks.add(part);
  } else part.removeAttribute("tabindex");
  part.role = "img";
  if (part.dataset.label) part.ariaLabel = part.dataset.label;
  part.removeAttribute("aria-pressed");
  const note = $(".note", part);
  if (note) note.textContent = "";
}

function marked() {
  aim();
  buttons();
  seen = null;
  keep();
  emit("marked");
}

// what the coach of a lesson points at: what it speaks of, and what comes next on the paths of the moves it suggests
function wish() {
  state.show.forEach((name) => {
    document.getElementById(`panel-${name}`)?.classList.add("shown");
    parts(name).forEach((part) => ring(part, "spoken"));
  });
  const wanted = state.moves.filter((move) => state.wish.includes(move.t));
  const begun = wanted.filter((move) => fits(move, chosen));
  const next = begun.length ? begun.map((move) => move.p[chosen.length]) : wanted.map((move) => move.p[0]);
  next.forEach((name) => parts(name).forEach((part) => { marks.add(part); part.classList.add("wish"); ring(part, "wanted"); }));
}

// a ring round the part itself, not all that is drawn with it
function ring(part, kind) {
  const frame = $(".frame, .dashes", part);
  const needle = all(".eyelet > use", part).find(onscreen);
  const core = frame || needle || $(".hit, .piece, use", part) || part;
  const box = frame?.width ? { x: frame.x.baseVal.value, y: frame.y.baseVal.value, width: frame.width.baseVal.value, height: frame.height.baseVal.value } : core.getBBox();
  const group = svg("g");
  group.classList.add("ring", kind);
  ["under", "over"].forEach((name) => {
    const line = svg("rect");
    line.classList.add(name);
    Object.entries({ x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 8 }).forEach(([key, value]) => line.setAttribute(key, value));
    group.append(line);
  });
  (core === part ? part : core.parentNode).append(group);
}

// what is held over, by pointer or focus: a part that begins a move shows where it can go, a target what it would do
function aim() {
  if (!busy) all(".hold").forEach((piece) => piece.remove());
  all(".may, .aimed, .lit").forEach((part) => part.classList.remove("may", "aimed", "lit"));
  emit("unlit");
  const whole = held || (aimed && ending().find((move) => move.p[there ? 0 : chosen.length] === aimed));
  tip(whole && !held && (chosen.length || there) && !busy ? whole : null);
  if (busy) return;
  if (whole) { hold(whole); return light(whole); }
  if (hinted) light(hinted);
  const other = aimed && !chosen.includes(aimed) ? state.moves.filter((move) => move.p[0] === aimed && move.p.length > 1) : [];
  other.forEach((move) => parts(move.p[1]).forEach((part) => part.classList.add("may")));
}

// what the move would be, beside where it would go
function tip(move) {
  const box = move && parts(move.p.at(-1))[0]?.getBoundingClientRect();
  const words = box ? move.a : "";
  if ($("#tip").textContent !== words) $("#tip").textContent = words;
  if (box) Object.assign($("#tip").style, { left: `${Math.min(Math.max(box.x + box.width / 2, 70), innerWidth - 70)}px`, top: `${box.y - 6}px` });
}

// the piece as it would lie there
function hold(move) {
  const target = parts(move.p[1] || "")[0];
  const piece = target?.matches(".bare") && $(`[data-part="${CSS.escape(move.p[0])}"]`)?.cloneNode(true);
  if (!piece) return;
  all(".veil, .frame, .bar", piece).forEach((mark) => mark.remove());
  const group = svg("g");
  group.classList.add("hold");
  group.append(...piece.children);
  target.append(group);
  const [from, to] = [group.getBBox(), $(".hit, use", target).getBBox()];
  const scale = 0.92 * to.width / from.width;
  const at = (side, size) => to[side] + to[size] / 2 - scale * (from[side] + from[size] / 2);
  group.setAttribute("transform", `translate(${at("x", "width")} ${at("y", "height")}) scale(${scale})`);
}

function light(move) {
  const target = move.p[move.p.length - 1];
  if (target !== move.p[0]) parts(target).forEach((part) => part.classList.add("aimed"));
  move.l.forEach((name) => parts(name).forEach((part) => part.classList.add("lit")));
  root.dispatchEvent(new CustomEvent("lit", { detail: move }));
}

// a covered tile of a run is as good as the run's first
const named = (part) => part.dataset.same || part.dataset.part;

function operable(part, pressed) {
  marks.add(part);
  part.setAttribute("tabindex", "0");
  part.role = "button";
  part.dataset.label ??= part.ariaLabel;
  part.ariaLabel = all("text", part).reduce((label, { textContent: seen }) => label.includes(seen) ? label : `${label}, ${seen}`, part.dataset.label);     // what is seen is said
  if (pressed) part.setAttribute("aria-pressed", "true");
}

function touch(name, sure) {
  if (busy) return;
  if (calmed !== state.stamp) say("");
  const into = going(there).find((move) => move.p[0] === name);
  if (into) {
    chosen = into.p.slice(0, -1);
    there = "";
    return finish(into, sure);
  }
  if (there === name) { drop(); return mark(); }
  there = "";
  if (chosen.includes(name) && !open().some((move) => move.p[chosen.length] === name)) {
    chosen = chosen.slice(0, chosen.indexOf(name));
    held = null;
    return mark();
  }
  let next = open().filter((move) => move.p[chosen.length] === name);
  if (!next.length) {
    next = state.moves.filter((move) => move.p[0] === name);
    if (!next.length) return chosen.length || !going(name).length ? why(name) : place(name);
    drop();
  }
  const whole = next.find((move) => move.p.length === chosen.length + 1);
  if (whole) return finish(whole, sure);
  chosen = [...chosen, name];
  held = null;
  mark();
  if (keyed) first(".target")?.focus();
}

function finish(move, sure) {
  if (sure || held === move || !confirms()) return play(move);
  held = move;
  mark();
}

// a place before what goes there
function place(name) {
  there = name;
  mark();
  say(root.dataset.there, true);
  if (keyed) first(".can")?.focus();
}

const confirms = () => localStorage.confirm ? localStorage.confirm === "yes" : coarse.matches;

let calmed;             // the state of which was said that nothing can be done in it: once is enough
async function why(name) {
  mark();
  if (root.dataset.live === "no" || calmed === state.stamp) return;
  const { stamp } = state;
  const { why, calm } = await send("/why", { parts: [...chosen, name] }).catch(() => ({}));    // only a courtesy
  if (calm) calmed = stamp;
  if (why && stamp === state.stamp) say(why, calm);
}

// ---- buttons

const icons = new Map();        // that were drawn
function iconOf(name) {
  if (!icons.has(name)) icons.set(name, Object.assign(document.createElement("template"), { innerHTML: `<svg class="i" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-${name}"/></svg>` }).content);
  return icons.get(name).cloneNode(true);
}

function buttons() {
  const [box, more] = [$("#acts"), $("#more")];
  const lists = new Map([[box, []], [more, []]]);
  const had = keyed && box.contains(document.activeElement);
  const button = (text, kind, act, { move, icon, into = box } = {}) => {
    const made = document.createElement("button");
    made.className = `btn ${kind}${icon ? " ic" : ""}`;
    if (icon) made.append(iconOf(icon));
    made.append(Object.assign(document.createElement("span"), { textContent: text }));
    made.onclick = act;
    if (move) made.onpointerenter = made.onfocus = () => light(move);
    if (move) made.onpointerleave = made.onblur = aim;
    lists.get(into).push(made);
  };
  if (!busy && state.moves.length) {
    if (held) button(held.a, "primary", () => play(held), { move: held });
    const done = ending();
    const drawn = (move) => parts(move.p.at(-1)).length;
    const shown = done.filter((move) => move !== held && (!drawn(move) || (chosen.length ? move.b : there && done.length === 1)));
    const touched = (there ? done : open()).length > shown.length;      // the main thing is done on the picture
    state.moves.forEach((move) => {     // what needs nothing to be chosen can always be done
      if (!shown.includes(move) && move !== held && (move.p.length === 1 ? !drawn(move) : move.b === "now" && !chosen.length)) shown.push(move);
    });
    shown.forEach((move, i) => button(move.a, `${held || touched || i ? "" : "primary"}${state.wish.includes(move.t) || move === hinted ? " wish" : ""}`, () => play(move), { move }));
    if (there || chosen.length > (only() ? 1 : 0)) button(root.dataset.cancel, "soft", () => { drop(); say(""); mark(); }, { icon: "close" });
    else if (state.hints) button(root.dataset.hint, "soft", hint, { icon: "hint" });
  }
  state.buttons.forEach(({ text, primary, seat, path, fields, method, icon, menu, sure }) => button(text, primary ? "primary" : "soft", ({ currentTarget: asked }) => {
    if (sure && !confirm(sure)) return;
    if (menu) asked.closest("details").open = false;
    asked.ariaBusy = "true";
    if (!seat) return act(path, fields, method);
    location.replace(`${base}?eyes=${seat}`);   // the curtain is lifted for this seat
  }, { icon, into: menu ? more : box }));
  lists.forEach((made, into) => into.replaceChildren(...made));
  if (had) ($("button", box) || first("[data-part][tabindex]"))?.focus();
}

async function hint() {
  if (!$("#hint").hidden) return slip("");
  slip(root.dataset.thinking);
  slip(await send("/hint", {}).then((answer) => answer.html, (problem) => problem.message));
}

// a hint is shown on the table, where nothing moves
on("click", ({ target }) => {
  const move = target.closest("[data-move]")?.dataset.move;
  if (!move) return;
  hinted = hinted?.t === move ? null : state.moves.find(({ t }) => t === move);
  all("[data-move]").forEach((button) => { button.ariaPressed = String(hinted?.t === button.dataset.move); });
  mark();
});

// a slip in the place of the sentence; the reasons are in the drawer
function slip(html) {
  say("");
  if (!html && $("#hint").hidden) return;
  ["#hint > div", "#hint-box"].forEach((box) => { $(box).innerHTML = html; });
  $("#hint").hidden = !html;
  $("#hint .ib").hidden = $("#tab-hint").hidden = !html.includes("<");
  if (hinted) { hinted = null; mark(); }
  keep();
  emit("updated");
}

// what is wrong, or has happened to a seat, for a while; that there is no connection, until there is one
let silence;
function say(text, told) {
  const box = $("#problem");
  const [, rule, rest = text] = /^([A-Z]\d+)(:.*)$/s.exec(text) || [];
  box.textContent = rest;
  if (rule) box.prepend(Object.assign(document.createElement("a"), { className: "rn", href: `${$("[data-open=rules]").href}#${rule}`, textContent: rule }));
  box.hidden = !text;
  box.classList.toggle("told", Boolean(told));
  clearTimeout(silence);
  if (text && text !== root.dataset.lost) silence = setTimeout(say, told ? 12000 : 6000, "");
}

// ---- a move

function play(move) {
  busy = true;
  act("/moves", { move: move.t, version: state.version, key: crypto.randomUUID() });    // it is marked meanwhile
  chosen = move.p;
  held = aimed = null;
  there = "";
  slip("");
  mark();
  setTimeout(() => { if (busy) emit("waiting"); });
}

// ---- what has happened; motion.js listens

// only what is drawn otherwise than before is drawn again
const drawn = new WeakMap(all(".panel, #seats").map((box) => [box, { content: box.cloneNode(true) }]));
function put(box, html) {
  const before = drawn.get(box);
  if (!box || before?.html === html) return;
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
  if (!renew(box, before?.content, content)) box.replaceChildren(content.cloneNode(true));
  drawn.set(box, { html, content });
}

// makes a node like another, unless it is a part, or of another kind
function alike(now, before, after) {
  if (!before.attributes || before.nodeName !== after.nodeName) return false;
  const names = [...before.attributes, ...after.attributes].map(({ name }) => name);
  const others = names.filter((name) => before.getAttribute(name) !== after.getAttribute(name));
  if (others.length && before.dataset.part) return false;
  others.forEach((name) => after.hasAttribute(name) ? now.setAttribute(name, after.getAttribute(name)) : now.removeAttribute(name));
  return true;
}

// makes what was drawn into what is to be, unless scripts have added to it; a part that stays is found by its name
const nameOf = ({ dataset }) => (dataset?.part ? `${dataset.part}/${dataset.nth}` : "");
function renew(now, before, after) {
  const [live, old, next] = [now, before, after].map((each) => [...each?.childNodes || []]);
  if (!before || live.length !== old.length) return false;
  const names = old.map(nameOf), [had, has] = [new Set(names), new Set(next.map(nameOf))];
  let i = 0;
  next.forEach((node) => {
    const name = nameOf(node);
    while (i < old.length && names[i] !== name && !has.has(names[i])) live[i++].remove();
    if (i === old.length) now.append(node.cloneNode(true));
    else if (!had.has(name)) live[i].before(node.cloneNode(true));
    else {
      if (!old[i].isEqualNode(node) && !(alike(live[i], old[i], node) && renew(live[i], old[i], node))) live[i].replaceWith(node.cloneNode(true));
      i += 1;
    }
  });
  live.slice(i).forEach((each) => each.remove());
  return true;
}

// first what is seen: panels for other sizes of the window, and those in a closed drawer, can wait for a moment
function draw() {
  const panels = all(".panel"), covered = (panel) => panel.firstChild && state.fragments[panel.id] && !onscreen(panel);
  const unseen = panels.filter(covered);
  panels.forEach((panel) => { if (!unseen.includes(panel)) put(panel, state.fragments[panel.id] || ""); });
  Object.entries(state.fragments).forEach(([id, html]) => { if (!id.startsWith("panel-")) put(document.getElementById(id), html); });
  clearTimeout(rest);
  rest = setTimeout(drawRest, 100);
}

let rest;
function drawRest() {
  clearTimeout(rest);
  if (state.fragments) all(".panel").forEach((panel) => put(panel, state.fragments[panel.id] || ""));
  introduce(all("[data-part]"));
}

let notice = state.notice?.[0] || 0;        // the last that was told
function show(next) {
  if (root.dataset.live === "yes" && next.stamp < state.stamp) return hear();       // overtaken
  emit("leaving");
  const added = next.count - state.count;
  const fresh = added > 0;
  const had = hand().map((part) => part.dataset.part);
  const at = document.activeElement;
  const focused = keyed && (at.dataset.part || ([document.body, $("#main")].includes(at) && "-"));
  const listening = at.closest("#coach");
  if (next.version !== state.version) { drop(); hinted = null; }
  if (next.next && !state.next) location.href = next.next;      // all play again
  state = next;
  if (state.fragments) draw();  // else it is in the page
  if (fresh) tell(added, had);
  mark();
  if (focused) (parts(focused).find((part) => part.tabIndex === 0) || first(".can, .target"))?.focus();
  if (listening) ($("#coach .primary") || $(".wish[tabindex], #acts .wish"))?.focus();
  if (fresh) root.dispatchEvent(new CustomEvent("shown", { detail: state }));
  root.dispatchEvent(new CustomEvent("updated", { detail: state }));
  if (state.notice?.[0] > notice && state.notice[1]) say(state.notice[1], true);
  notice = state.notice?.[0] || 0;
  end();
  hear();
}

const hand = () => all("[data-panel^=hand] [data-part]").filter(onscreen);

// read aloud: all that has happened, what has come to the hand, and whose turn it is
function tell(count, had) {
  const drawn = hand().filter(({ dataset: { part } }) => !had.includes(part) || !had.splice(had.indexOf(part), 1));
  const lines = all("#log li > :last-child").slice(-count).map((line) => line.textContent);
  if (drawn.length) lines.push(`${root.dataset.drawn}: ${drawn.map((part) => part.getAttribute("aria-label")).join(", ")}`);
  $("#live").textContent = `${[...lines, $("#say h1").textContent].join(". ")}.`;
}

// ---- mouse, touch, keys

let drag = null;
let dragged = false;    // the click that ends a drag is none

on("pointerdown", (event) => {
  keyed = false;
  const part = partAt(event);
  if (!part || busy || event.button) return;
  drag = { name: named(part), part, x: event.clientX, y: event.clientY };
});

on("pointermove", (event) => {
  if (!drag || (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8)) return;
  if (!drag.ghost) {
    const begins = state.moves.some((move) => move.p[0] === drag.name && move.p.length > 1);
    if (!begins) { drag = null; return; }
    drop();
    chosen = [drag.name];
    mark();
    drag.ghost = ghost(drag.part);
    root.setPointerCapture(event.pointerId);
  }
  drag.ghost.style.transform = `translate(${event.clientX - drag.x}px, ${event.clientY - drag.y}px)`;
  point(under(event)?.dataset.part);
});

const under = (event) => document.elementsFromPoint(event.clientX, event.clientY).map((found) => found.closest("[data-part]")).find((found) => found?.matches(".target"));

function point(name) {
  if (name !== aimed) { aimed = name; aim(); }
}

function ghost(part) {
  const box = part.getBoundingClientRect();
  const copy = svg("svg");
  const inside = part.getBBox();
  copy.setAttribute("viewBox", `${inside.x} ${inside.y} ${inside.width} ${inside.height}`);
  copy.append(part.cloneNode(true));
  copy.classList.add("ghost");
  Object.assign(copy.style, { left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(copy);
  root.classList.add("dragging");
  return copy;
}

function laid(copy) {
  copy?.remove();
  root.classList.remove("dragging");
}

on("pointerup", (event) => {
  if (!drag) return;
  const { ghost: lifted, name } = drag;
  drag = null;
  if (!lifted) return;
  laid(lifted);
  const over = under(event);
  dragged = true;
  setTimeout(() => { dragged = false; });
  if (over) touch(over.dataset.part, true);
  else if (!parts(name).length) mark();
});

on("pointercancel", () => { laid(drag?.ghost); drag = null; });

on("click", (event) => {
  const part = near(event);
  if (part && !dragged) touch(named(part), false);
});

// the part under a click, or the legal one that is nearest to a finger
function near(event) {
  const { clientX: x, clientY: y } = event;
  let [best, least] = [partAt(event), 22];
  if (event.pointerType !== "touch" || !event.target.closest(".panel") || best?.matches(".can, .target, .selected")) return best;
  all(".can, .target").filter(onscreen).forEach((part) => {
    const box = part.getBoundingClientRect();
    const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (away < least) [best, least] = [part, away];
  });
  return best;
}

const over = (event) => {
  const part = partAt(event);
  const seen = event.type === "focusin" ? keyed : event.type !== "focusout" && event.pointerType !== "touch";
  point(part && seen ? named(part) : null);
};
["pointerover", "focusin", "focusout"].forEach((kind) => on(kind, over));
on("pointerleave", () => point(null));

document.addEventListener("keydown", (event) => {
  keyed = true;
  if (event.target.matches("input, textarea, select")) return;
  const part = partAt(event);
  if (part && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); touch(part.dataset.part, true); }
  else if (event.key === "Escape" && (chosen.length || there)) { const first = chosen[0] || there; drop(); say(""); mark(); if (part) parts(first)[0]?.focus(); }
  else if (part && event.key.startsWith("Arrow")) { event.preventDefault(); nearest(part, event.key)?.focus(); }
});

// focus never falls to the body: if what had it is gone, its like has it, or what is to be done next
let focus = null;
on("focusin", ({ target }) => { focus = target; });
function keep() {
  if (document.activeElement !== document.body || !focus || (focus.isConnected && onscreen(focus))) return;
  const like = focus.dataset.part ? parts(focus.dataset.part) : all("button, a, summary").filter((each) => onscreen(each) && (focus.id ? each.id === focus.id : each.textContent === focus.textContent));
  [...like, first(".can, .target"), first("#acts button"), $("#main")].find((each) => each?.hasAttribute("tabindex") || each?.tabIndex === 0)?.focus({ preventScroll: true });
}

// the part that lies next in a direction
function nearest(part, key) {
  const box = part.getBoundingClientRect();
  const [ax, ay] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null;
  let least = Infinity;
  all('[data-part][tabindex="0"]').forEach((other) => {
    const place = other.getBoundingClientRect();
    const dx = place.x + place.width / 2 - box.x - box.width / 2;
    const dy = place.y + place.height / 2 - box.y - box.height / 2;
    const along = dx * ax + dy * ay;
    const across = Math.abs(dx * ay) + Math.abs(dy * ax);
    if (other !== part && along > 2 && along + 2 * across < least) { least = along + 2 * across; best = other; }
  });
  return best;
}

// ---- chat, lesson

$("#chat")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = event.target.elements.text;
  if (!field.value.trim()) return;
  if (await act("/chat", { text: field.value })) field.value = "";
});

on("click", (event) => {
  const asked = event.target.closest?.("[data-post]");
  if (!asked) return;
  asked.ariaBusy = "true";
  act(asked.dataset.post, JSON.parse(asked.dataset.fields || "{}")).finally(() => { asked.ariaBusy = null; });
  if (event.target.closest?.("[data-dismiss]")) $("#note").replaceChildren();
});
on("stale", refresh);       // whoever counts on the page has lost count

// ---- what only some need comes when they do: sounds with the first gesture, what is for fingers with the first of them,
// end.js when the game is over, or a past move of it is shown

const load = (name) => import(import.meta.url.replace("/static/table", `/static/${name}`));
function end() { if (state.ended || $("#at")) load("end"); }

addEventListener("pointerdown", ({ pointerType }) => {
  if (localStorage.sound !== "no") load("sound");
  if (pointerType === "mouse") return;
  load("zoom");
  if ($("#loupe")) load("loupe");
}, true);

document.addEventListener("keydown", function zooms({ key, target }) {
  if (localStorage.sound !== "no") load("sound");
  if (!"+-=0".includes(key)) return;
  document.removeEventListener("keydown", zooms);
  load("zoom").then(() => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
});

show(state);
if (root.dataset.live === "yes" || state.ended) listen();
