// What counts while nothing happens: everybody's time, and how long somebody has been away. It counts from the seconds that
// the state has brought, never by this device's clock, and asks again when it may have lost count.
const root = document.querySelector(".table");
const $ = (selector, from = root) => from.querySelector(selector);
const now = () => performance.now() / 1000;
const tell = (kind, detail) => root.dispatchEvent(new CustomEvent(kind, { detail }));
let since = (performance.getEntriesByType("navigation")[0]?.responseStart || 0) / 1000;     // the first state came with the page
let clock, away, mine, shown, waited;
let ahead = Date.now() / 1000 - now();

root.addEventListener("leaving", calm);
root.addEventListener("updated", ({ detail }) => {
  if (!detail) return;
  if (clock) since = now();
  ({ away, seat: mine } = detail);
  clock = detail.clock || { on: -1, seats: [] };
  waited = 0;
  count();
});

// what a seat has left: while it runs, first the time that ends first; else that for the game, if there is one
function times(seat) {
  const gone = seat === clock.on ? now() - since : 0;
  const found = ["game", "move"].filter((kind) => clock.seats[seat][kind] !== null)
    .map((kind) => ({ left: Math.max(clock.seats[seat][kind] - gone, 0), whole: clock.whole[kind] }));
  return seat === clock.on ? found.sort((a, b) => a.left - b.left) : found.slice(0, 1);
}

function text(left) {
  const all = Math.ceil(left);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (number) => String(number).padStart(2, "0");
  if (hours >= 24) return `${clock.days.replace("{count}", Math.floor(hours / 24))} ${hours % 24} h`;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}`;
}

// drawn figures, one as wide as the other; days are written
function draw(box, { left, whole }, more = "") {
  let [at, html] = [0, text(left)];
  if (!html.includes(" ")) {
    const signs = [...html].map((sign) => {
      const [name, wide] = sign === ":" ? ["colon", 22] : [sign, 62];
      at += wide + 10;
      return `<use href="#g-${name}" x="${at - 10 - wide}" width="${wide}" height="100"/>`;
    });
    html = `<svg class="n" viewBox="0 0 ${at - 10} 100" aria-hidden="true">${signs.join("")}</svg>`;
  }
  $(".clock", box).innerHTML = html + more;
  $(".clock", box).ariaLabel = text(left);
  box.style.setProperty("--left", Math.min(left / whole, 1));
}

function count() {
  away.forEach((seconds, seat) => {
    const box = $(`[data-seat="${seat}"]:is(.away, .gone) .since`);
    const minutes = Math.floor((seconds + now() - since) / 60);
    if (box && seconds !== null && minutes) box.textContent = ` · ${minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`}`;
  });
  clock.seats.forEach((_, seat) => {
    const [first, other] = times(seat);
    const box = $(`[data-seat="${seat}"]`);
    draw(box, first, other ? `<small>${text(other.left)}</small>` : "");
    box.classList.toggle("urgent", seat === clock.on && first.left <= 10);
  });
  const large = $("#clock");
  large?.classList.toggle("rests", clock.on < 0);
  if (clock.on < 0) return calm();
  const [first] = times(clock.on);
  const seconds = Math.ceil(first.left);
  draw(large, first);
  if (seconds > 10) calm();
  else hurry(seconds);
  if (seconds !== shown && clock.on === mine) {
    if (seconds === 30 || seconds === 10) $("#live").textContent = clock.say.warn.replace("{count}", seconds);
    if (seconds === 10 || (seconds && seconds < 6)) tell("sound", "tick");
  }
  shown = seconds;
  if (!seconds && ++waited % 5 === 2) tell("stale");        // the server should have told
}

// the last seconds take the place of the sentence
function hurry(seconds) {
  const { one, many, then, short } = clock.say;
  root.classList.add("urgent");
  $("#say h1").textContent = seconds === 1 ? one : many.replace("{count}", seconds);
  $("#say p").textContent = then;
  $("#say .short").textContent = short;
}

function calm() {
  if (root.classList.contains("urgent")) $("#say").innerHTML = $("#say").dataset.shown;
  root.classList.remove("urgent");
}

setInterval(() => {
  const slept = Math.abs(Date.now() / 1000 - now() - ahead) > 2;
  ahead = Date.now() / 1000 - now();
  if (slept) tell("stale");
  if (clock) count();
}, 1000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) tell("stale"); });
