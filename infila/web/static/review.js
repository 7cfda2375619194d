// A review: the table at any of its moves, beside how the chances went; and what is known better while one looks.

const root = document.querySelector(".rv");
const $ = (selector, from = root) => from.querySelector(selector);
const all = (selector, from = root) => [...from.querySelectorAll(selector)];
const { url, seat } = root.dataset;
const slider = $("#at");
const SOON = 120, OFTEN = 1500, SELDOM = 6000;    // milliseconds
const WIDE = 1280;

// ---- the table at a move

let asked = 0;
let waits;

function point() {
  const { value, max } = slider;
  $("#at-now").textContent = $("#from").value = value;
  all(".now").forEach((line) => line.setAttribute("x", `${100 * value / max}%`));
  all(".sd").forEach((strand) => { $("output", strand).textContent = `${strand.dataset.chances.split(",")[value]} %`; });
  all("[data-at]").forEach((mark) => { mark.ariaCurrent = mark.dataset.at === value ? "true" : null; });
  all(".anew .btn").forEach((button) => { button.disabled = value === max && !root.dataset.open; });
  all(".of-whom a").forEach((link) => { link.href = link.href.replace(/([?&]at=)\d+/, `$1${value}`); });
}

async function look() {
  const mine = ++asked;
  const answer = await fetch(`${url}/review/board?${new URLSearchParams({ at: slider.value, seat })}`).catch(() => null);
  if (mine !== asked) return;
  if (!answer?.ok) { waits = setTimeout(look, SELDOM); return; }
  const { html, told } = await answer.json();
  $("#board").innerHTML = html;
  $("#told").textContent = told;
  still($("#board"));
}

function to(move) {
  slider.value = move;
  history.replaceState(null, "", `?${new URLSearchParams({ at: slider.value, seat })}`);
  point();
  clearTimeout(waits);
  waits = setTimeout(look, SOON);
}

slider.addEventListener("input", () => to(slider.value));
root.addEventListener("click", ({ target, clientX }) => {
  const chosen = target.closest("[data-at], [data-step]");
  const strand = target.closest(".strand");
  if (chosen?.dataset.step) return to(Number(slider.value) + Number(chosen.dataset.step));
  if (chosen) {
    to(chosen.dataset.at);
    if (!strand) $(".rb").scrollIntoView({ block: "nearest" });
  } else if (strand) {
    const box = strand.getBoundingClientRect();
    to(Math.round((clientX - box.x) / box.width * slider.max));
  }
});
document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, summary")) return;
  event.preventDefault();
  to(Number(slider.value) + by);
});

// ---- decisions: rings round what was played and what was better, and as much of a large board as is needed

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 300;

function ring(part, kind) {
  const core = $(".frame, .dashes", part) || $(".hit, .piece, use", part) || part;
  const given = core.width?.baseVal;
  const box = core.localName === "rect" && given ? { x: core.x.baseVal.value, y: core.y.baseVal.value, width: given.value, height: core.height.baseVal.value } : core.getBBox();
  const group = document.createElementNS(SVG, "g");
  group.classList.add("ring", kind);
  ["under", "over"].forEach((name) => {
    const line = document.createElementNS(SVG, "rect");
    line.classList.add(name);
    Object.entries({ x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 8 }).forEach(([key, value]) => line.setAttribute(key, value));
    group.append(line);
  });
  (core === part ? part : core.parentNode).append(group);
}

// a picture to look at: nothing in it is to be chosen
function still(shot) {
  all("[data-part][aria-label]", shot).forEach((part) => part.setAttribute("role", "img"));
}

// the parts in a picture's own measures
function middle(picture, parts) {
  const inverse = picture.getScreenCTM()?.inverse();
  const boxes = parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width);
  if (!inverse || !boxes.length) return null;
  const corner = (x, y) => new DOMPoint(x, y).matrixTransform(inverse);
  const low = corner(Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top)));
  const high = corner(Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom)));
  return { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2, size: Math.max(high.x - low.x, high.y - low.y) };
}

function decide() {
  all(".dec").forEach((decision) => {
    const named = (names) => names.split(" ").filter(Boolean).flatMap((name) => all(`[data-part="${CSS.escape(name)}"]`, decision).slice(0, 1));
    const [played, better] = [named(decision.dataset.played), named(decision.dataset.better)];
    all(".shot svg[data-panel]", decision).forEach((picture) => {
      const { width, height, x, y } = picture.viewBox.baseVal;
      const parts = [...played, ...better].filter((part) => picture.contains(part));
      const found = parts.length && width > 400 && height > 400 ? middle(picture, parts) : null;
      if (!found || picture.dataset.whole) return;
      const size = Math.min(Math.max(ROOM, found.size + 120), width, height);
      const within = (at, from, whole) => Math.min(Math.max(at - size / 2, from), from + whole - size);
      picture.dataset.whole = picture.getAttribute("viewBox");
      picture.dataset.part = [within(found.x, x, width), within(found.y, y, height), size, size].join(" ");
      picture.setAttribute("viewBox", picture.dataset.part);
    });
    played.filter((part) => !better.includes(part)).forEach((part) => ring(part, "was"));
    better.forEach((part) => ring(part, "better"));
    still(decision);
  });
}

// ---- the decisions once more, one after the other: choose, and hear what it gives away

let found = 0;

// whoever chooses sees the whole board
function crop(decision, how) {
  all("[data-whole]", decision).forEach((picture) => picture.setAttribute("viewBox", picture.dataset[how]));
}

function turn(number) {
  const made = all(".dec");
  root.dataset.asked = number < made.length ? "yes" : "";
  made.forEach((each, at) => {
    each.hidden = number < made.length && at !== number;
    each.classList.toggle("open", at === number);
    crop(each, at === number ? "whole" : "part");
    if (at !== number) each.classList.remove("told");
  });
  const said = $(".thrice output");
  said.textContent = number < made.length ? "" : said.dataset.said.replace("#", found);
  (number < made.length ? $(".what .btn", made[number]) : $("[data-again]")).focus();
}

function choose(option, decision) {
  all(".what .btn", decision).forEach((each) => { each.ariaPressed = String(each === option); });
  $(".verdict b", decision).textContent = option.dataset.told;
  if ("good" in option.dataset) found += 1;
  decision.classList.replace("open", "told");
  crop(decision, "part");
  $("[data-on]", decision).focus();
}

root.addEventListener("click", ({ target }) => {
  const decision = target.closest(".dec");
  const option = target.closest(".what .btn");
  if (target.closest("[data-again]")) {
    found = 0;
    all(".what .btn").forEach((each) => { each.ariaPressed = null; });
    turn(0);
  } else if (option && decision.classList.contains("open")) choose(option, decision);
  else if (target.closest("[data-on]")) turn(all(".dec").indexOf(decision) + 1);
});

// ---- known better and better

async function grow() {
  const page = await fetch(`${url}/review?${new URLSearchParams({ at: slider.value, seat })}`, { headers: { accept: "text/html" } });
  if (!page.ok) return;
  const fresh = new DOMParser().parseFromString(await page.text(), "text/html");
  all(".fresh").forEach((box) => {
    const next = fresh.getElementById(box.id);
    if (box.id === "three" && root.dataset.asked) return;    // somebody is at it
    if (next && !box.contains(document.activeElement)) box.replaceChildren(...next.childNodes);
  });
  root.dataset.stamp = fresh.querySelector(".rv").dataset.stamp;
  decide();
  point();
}

async function ask() {
  const answer = await fetch(`${url}/review/state?${new URLSearchParams({ seat })}`).catch(() => null);
  if (!answer?.ok) return setTimeout(ask, SELDOM);
  const { stamp, complete, percent, status, sought, puzzles } = await answer.json();
  for (const [box, text] of [[$("#status"), status], [$("#own-said"), puzzles]]) {
    if (box.textContent !== text) box.textContent = text;    // it is read aloud
  }
  $("#progress").value = percent;
  $("#progress").hidden = complete;
  if (String(stamp) !== root.dataset.stamp) await grow();
  if (complete) root.dataset.complete = "yes";
  if (sought && String(stamp) === root.dataset.stamp) root.dataset.sought = "yes";
  else setTimeout(ask, document.hidden ? SELDOM : OFTEN);
}

$(".all").open = innerWidth >= WIDE;
still($("#board"));
decide();
point();
if (root.dataset.sought !== "yes") setTimeout(ask, SOON);
