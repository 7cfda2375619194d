// The drawer of a table: log, chat, sheets and a hint's reasons, one leaf at a time. On a small screen it lies on the
// board when it is opened, and the bar counts what others have said meanwhile.

const root = document.querySelector(".table");
const drawer = root.querySelector("#drawer");
const bubble = root.querySelector(".bubble");
const talk = root.querySelector("#talk");
const result = root.querySelector("#result");
const tabs = [...drawer.querySelectorAll("[role=tab]")];
const box = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
const shown = (tab) => box(tab).checkVisibility({ visibilityProperty: true });
const called = (name) => tabs.find((tab) => tab.dataset.tab === name);
const said = () => [...(talk?.children || [])].map((line) => line.textContent);
const leaf = () => getComputedStyle(drawer).getPropertyValue("--leaf");     // that a closed drawer of this size shows
let selected, usual;
let known = said();

function select(tab) {
  selected = tab;
  tabs.forEach((each) => {
    each.ariaSelected = String(each === tab);
    each.tabIndex = each === tab ? 0 : -1;
    box(each).classList.toggle("on", each === tab);
  });
  update();
}

function open(is, tab = selected) {
  drawer.classList.toggle("open", is);
  bubble.ariaExpanded = String(is);
  select(is ? tab : home());
  (is ? tab : bubble).focus({ preventScroll: true });
}

const home = () => called(leaf()) || tabs.find((tab) => !tab.hidden);

// what is read is known; who reads the end of a list goes on reading its end
function update() {
  const now = said();
  if (talk && shown(called("chat"))) known = now;
  const fresh = known.length ? now.length - 1 - now.lastIndexOf(known.at(-1)) : now.length;
  [...drawer.querySelectorAll(".dot"), bubble.querySelector(".dot")].forEach((dot) => {
    dot.hidden = !fresh;
    dot.textContent = fresh;
  });
  drawer.querySelectorAll(".log").forEach((list) => { list.scrollTop = list.scrollHeight; });
}

root.addEventListener("updated", () => {
  const over = called("result");
  const ends = over.hidden && result.innerHTML;
  over.hidden = !result.innerHTML;
  if (ends) select(over);
  else if (selected.hidden) select(home());
  else update();
});

// a coach who speaks of what is in the drawer, and wants nothing done, opens it
let spoken = false;
root.addEventListener("marked", () => {
  const panel = drawer.querySelector(".panel.shown");
  if (spoken === Boolean(panel && !root.querySelector(".wish"))) return;
  spoken = !spoken;
  drawer.classList.toggle("open", spoken);
  select(spoken ? called("side") : home());
});

root.addEventListener("click", ({ target }) => {
  const small = bubble.getClientRects().length;
  const opener = target.closest("[data-open]");
  const tab = target.closest("[role=tab]");
  const row = target.closest(".beside");
  if (row && small) row.classList.toggle("large");
  if (opener === bubble) open(!drawer.classList.contains("open"), bubble.querySelector(".dot").hidden ? selected : called("chat"));
  else if (opener) open(true, called(opener.dataset.open));
  else if (target.closest("[data-close]")) open(false);
  else if (tab) { select(tab); if (small) open(true, tab); }
  else if (small && !drawer.matches(".open") && drawer.contains(target)) open(true);
});

drawer.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape" && drawer.matches(".open")) open(false);
  if (!by || !event.target.matches("[role=tab]")) return;
  const there = tabs.filter((tab) => !tab.hidden);
  select(there.at((there.indexOf(selected) + by) % there.length));
  selected.focus();
  event.stopPropagation();
});

drawer.querySelector("#chat")?.addEventListener("submit", () => select(called("chat")));

new ResizeObserver(() => {
  if (leaf() === usual || drawer.matches(".open")) return update();
  usual = leaf();
  select(called("result").hidden ? home() : called("result"));
}).observe(drawer);
select(home());
