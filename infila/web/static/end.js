// The end of a game: its result, which comes when it ends; the replay, on the same page after other moves and through
// other eyes; sharing it; and the time that is left to answer whether one plays again.

const root = document.querySelector(".table");
const $ = (selector) => root.querySelector(selector);
let slider, running;

function look() {
  history.replaceState(null, "", `?${new URLSearchParams({ at: slider.value, seat: $("#eyes").value })}`);
  root.dataset.live = "no";
  point();
  root.dispatchEvent(new Event("stale"));
}

// where the replay is, on the lines and in words
function point() {
  const { value, max } = slider;
  $("#at-now").textContent = value;
  $("#here")?.setAttribute("x", `${100 * value / max}%`);
  const link = $(".rest a"), on = $("#on");
  if (link) link.href = link.href.replace(/at=\d*/, `at=${value}`);
  if (on) [on.at.value, on.seat.value, on.world.disabled] = [value, Math.max(1, $("#eyes").value), value === max];
  root.querySelectorAll("[data-at]").forEach((knot) => { knot.ariaCurrent = knot.dataset.at === value ? "true" : null; });
}

function to(move) {
  slider.value = move;
  look();
}

function step(by) { to(Number(slider.value) + by); }

function run(on) {
  clearInterval(running);
  $("#run").setAttribute("aria-pressed", String(on));
  if (!on) return;
  if (slider.value === slider.max) to([...root.querySelectorAll(".story [data-at]")].at(-1)?.dataset.at % slider.max || 0);
  running = setInterval(() => { step(1); if (slider.value === slider.max) run(false); }, 1200);
}

function began() {
  slider = $("#at");
  const asked = new URLSearchParams(location.search);
  if (asked.has("at")) { slider.value = asked.get("at"); $("#eyes").value = asked.get("seat") || $("#eyes").value; }
  slider.addEventListener("input", () => { run(false); look(); });
  $("#eyes").addEventListener("change", look);
  $("#chart")?.addEventListener("click", (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    run(false);
    to(Math.round((event.clientX - box.x) / box.width * slider.max));
  });
  point();
  told();
}

// the sentence of the move that is shown
function told() {
  $("#told").textContent = slider.value > 0 ? $("#say .just").textContent : "";
}
root.addEventListener("updated", () => { if (slider) told(); });

root.addEventListener("click", ({ target }) => {
  const { step: by, at } = target.closest("[data-step], [data-at]")?.dataset || {};
  const button = target.closest("#run");
  if (button) run(button.getAttribute("aria-pressed") !== "true");
  if (!slider || !(by || at)) return;
  run(false);
  if (by) return step(Number(by));
  to(at);
  $(".board").scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
});

document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
  if (!slider || !by || event.target.matches("input, select, [role=tab]") || event.target.closest?.("[data-part][tabindex]")) return;
  run(false);
  step(by);
});

// the system's own sheet where there is one; else page.js copies the link
$("#share")?.addEventListener("click", (event) => {
  if (!navigator.share) return;
  event.stopImmediatePropagation();
  navigator.share({ title: document.title, url: location.href }).catch(() => {});
}, true);

// time that is left to answer, from when it came
const lefts = new WeakMap();
setInterval(() => root.querySelectorAll("[data-left]").forEach((box) => {
  if (!lefts.has(box)) lefts.set(box, Date.now() + 1000 * box.dataset.left);
  const left = Math.max(0, Math.round((lefts.get(box) - Date.now()) / 1000));
  box.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}), 500);

// a page that was open when the game ended gets its end, and the look of it first
async function arrive() {
  const { end, tape } = await fetch(`${root.dataset.url}/end`).then((answer) => answer.json()).catch(() => ({}));
  if (!end) return setTimeout(arrive, 3000);    // no connection, or too much at once
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL(`end.css${new URL(import.meta.url).search}`, import.meta.url) });
  await new Promise((ready) => { style.onload = style.onerror = ready; document.head.append(style); });
  $("#end").innerHTML = end;
  $("#tape").innerHTML = tape;
  root.classList.add("over", "fresh");
  root.dispatchEvent(new Event("stale"));
  began();
  if (document.activeElement === document.body || !document.activeElement.getClientRects().length) {
    const title = $("#end h1");
    title.tabIndex = -1;
    title.focus();
  }
}

if ($("#at")) began();
else arrive();
