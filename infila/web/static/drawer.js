// The drawer of a table: log, chat, sheets, a hint's reasons and the rules, one leaf at a time. On a small screen it lies
// on the board when it is opened, and the bar counts what others have said meanwhile.

const root = document.querySelector(".table");
const $ = (selector) => root.querySelector(selector);
const [drawer, bubble, talk] = ["#drawer", ".bubble", "#talk"].map($);
const tabs = [...root.querySelectorAll("[role=tab]")];
const box = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
const called = (name) => tabs.find((tab) => tab.dataset.tab === name);
const leaf = () => getComputedStyle(drawer).getPropertyValue("--leaf");     // that a closed drawer of this size shows
const home = () => called(leaf()) || tabs.find((tab) => !tab.hidden);
const said = () => Number(talk?.lastElementChild?.dataset.number || 0);     // the number of the last line
let selected, usual, speaking = null, spoken = false;
let known = said();
let title = document.title;

function select(tab) {
  selected = tab;
  tabs.forEach((each) => {
    each.ariaSelected = String(each === tab);
    each.tabIndex = each === tab ? 0 : -1;
    box(each).classList.toggle("on", each === tab);
  });
  update();
}

function put(open, tab = open ? selected : home()) {
  drawer.classList.toggle("open", open);
  bubble.ariaExpanded = String(open);
  select(tab);
}

function open(is, tab) {
  put(is, tab);
  (is ? selected : bubble).focus();
}

// what is read is known; the window's title counts what is not, and says when one is on turn
function update() {
  if (!document.hidden && talk?.checkVisibility({ visibilityProperty: true })) known = Math.max(known, said());
  const fresh = [...(talk?.children || [])].filter((line) => line.dataset.number > known).length;
  document.title = (fresh ? `(${fresh}) ` : "") + title;
  root.querySelectorAll(".dot").forEach((dot) => {
    dot.hidden = !fresh;
    dot.textContent = fresh;
  });
  drawer.querySelectorAll(".log").forEach((list) => { list.scrollTop = list.scrollHeight; });
}

root.addEventListener("updated", ({ detail }) => {
  if (detail) title = (detail.yours ? "● " : "") + detail.title;
  const over = called("result");        // of a lesson
  const ends = over?.hidden && $("#result").innerHTML;
  if (ends) over.hidden = false;
  if (ends) select(over);
  else if (selected.hidden) select(home());
  else if (speaking !== null && said() > speaking) select(called("chat"));
  else update();
  speaking = null;
});
$("#chat")?.addEventListener("submit", () => { speaking = said(); });

// a coach who speaks of what is in the drawer, and wants nothing done, opens it
root.addEventListener("marked", () => {
  if (spoken === Boolean(drawer.querySelector(".panel.shown") && !$(".wish"))) return;
  spoken = !spoken;
  put(spoken, spoken ? called("side") : home());
});

// the rules, beside the table: loaded when somebody wants to read them, and open at a rule if they ask for one
const [rules, way] = [called("rules"), $("[data-open=rules]")];
async function lookUp(rule) {
  const page = box(rules);
  rules.hidden = false;
  open(true, rules);
  if (!page.firstChild) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: page.dataset.style }));
    page.textContent = "…";
    page.innerHTML = await fetch(`${way.href}/text`).then((answer) => (answer.ok ? answer.text() : ""), () => "");
    if (!page.firstChild) return location.assign(way);
  }
  page.querySelector(".asked")?.classList.remove("asked");
  const found = rule && page.querySelector(`[id="${CSS.escape(rule)}"]`);
  found?.classList.add("asked");
  return found?.scrollIntoView({ block: "center" });
}
function shut() {
  rules.hidden = true;
  open(false);
}

root.addEventListener("click", (event) => {
  const { target } = event;
  const rule = target.closest(".rn");
  if ((rule || way.contains(target)) && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    return !rule && selected === rules ? shut() : lookUp(rule?.textContent.trim());
  }
  if (selected === rules && target.closest("[data-close]")) return shut();
  const small = bubble.getClientRects().length > 0;
  const opener = target.closest("[data-open]");
  const tab = target.closest("[role=tab]");
  const is = drawer.matches(".open");
  if (small) target.closest(".beside")?.classList.toggle("large");
  if (opener === bubble) open(!is, is || bubble.querySelector(".dot").hidden ? undefined : called("chat"));
  else if (opener || tab) open(small || is, called((opener || tab).dataset.open || tab.dataset.tab));
  else if (target.closest("[data-close]")) open(false);
  else if (small && !is && drawer.contains(target)) open(true);
  return undefined;
});

drawer.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Escape" && drawer.matches(".open")) shut();
  if (!by || !event.target.matches("[role=tab]")) return;
  const there = tabs.filter((tab) => !tab.hidden);
  select(there.at((there.indexOf(selected) + by) % there.length));
  selected.focus();
  event.stopPropagation();
});

new ResizeObserver(() => {
  if (leaf() === usual || drawer.matches(".open")) return update();
  usual = leaf();
  select(called("result")?.hidden === false ? called("result") : home());
}).observe(drawer);
document.addEventListener("visibilitychange", update);
select(home());
