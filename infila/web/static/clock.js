// What counts while nothing happens: everybody's time, and how long somebody has been away. It counts from the seconds that
// the state has brought, never by this device's clock, and asks again when it may have lost count.
const root = document.querySelector(".table");
const $ = (selector, from = root) => from.querySelector(selector);
const tell = (kind, detail) => root.dispatchEvent(new CustomEvent(kind, { detail }));
const now = () => performance.now() / 1000;
let since = (performance.getEntriesByType("navigation")[0]?.responseStart || 0) / 1000;     // the first state came with the page
let clock, away, mine, shown, waited, said = null, looked = Date.now();

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
  const found = ["game", "move"].filter((kind) => clock.whole[kind])
    .map((kind) => ({ left: Math.max(clock.seats[seat][kind] - gone, 0), whole: clock.whole[kind] }));
  return seat === clock.on ? found.sort((a, b) => a.left - b.left) : found.slice(0, 1);
}

function text(left) {
  const all = Math.ceil(left);
  const hours = Math.floor(all / 3600);
  if (hours >= 24) return `${clock.days.replace("{count}", Math.floor(hours / 24))} ${hours % 24} h`;
  const [minutes, seconds] = [Math.floor(all / 60) % 60, all % 60].map((part) => String(part).padStart(2, "0"));
  return `${hours ? `${hours}:${minutes}` : Number(minutes)}:${seconds}`;
}

// drawn figures, one as wide as the other; days are written
function draw(box, seat) {
  const [{ left, whole }, other] = times(seat);
  const words = text(left);
  let at = 0;
  const signs = [...words].map((sign) => {
    const [name, wide] = sign === ":" ? ["colon", 22] : [sign, 62];
    at += wide + 10;
    return `<use href="#g-${name}" x="${at - 10 - wide}" width="${wide}" height="100"/>`;
  }).join("");
  $(".clock", box).innerHTML = (words.includes(":") ? `<svg class="n" viewBox="0 0 ${at - 10} 100" aria-hidden="true">${signs}</svg>` : words) + (other ? `<small>${text(other.left)}</small>` : "");
  $(".clock", box).ariaLabel = words;
  box.style.setProperty("--left", Math.min(left / whole, 1));
  box.classList.toggle("urgent", seat === clock.on && left <= 10);
  return Math.ceil(left);
}

function count() {
  away.forEach((seconds, seat) => {
    const box = $(`[data-seat="${seat}"]:is(.away, .gone) .since`);
    const minutes = Math.floor((seconds + now() - since) / 60);
    if (box && seconds !== null && minutes) box.textContent = ` · ${minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`}`;
  });
  clock.seats.forEach((_, seat) => draw($(`[data-seat="${seat}"]`), seat));
  $("#clock")?.classList.toggle("rests", clock.on < 0);
  if (clock.on < 0) return calm();
  const seconds = draw($("#clock"), clock.on);
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
  said ??= $("#say").innerHTML;
  root.classList.add("urgent");
  $("#say h1").textContent = seconds === 1 ? one : many.replace("{count}", seconds);
  $("#say p").textContent = then;
  $("#say .short").textContent = short;
}

function calm() {
  if (said !== null) $("#say").innerHTML = said;
  said = null;
  root.classList.remove("urgent");
}

// a device that has slept has not counted
const awake = () => { if (!document.hidden) tell("stale"); };
document.addEventListener("visibilitychange", awake);
setInterval(() => {
  if (Date.now() - looked > 5000) awake();
  looked = Date.now();
  if (clock) count();
}, 1000);
