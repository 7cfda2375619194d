// What a page does for those who have installed infila, and for everybody whose network is gone; it comes after all else.

const { lang, dataset } = document.documentElement;
const { serviceWorker, onLine } = navigator;
const site = "site" in document.querySelector("[rel=manifest]").dataset;        // the server has one at /anywhere/
const app = matchMedia("(display-mode: standalone)").matches;
const keeper = `/sw.js?${new URLSearchParams({ language: lang, theme: dataset.theme || "" })}`;

if (serviceWorker && !serviceWorker.controller?.scriptURL.endsWith(keeper)) serviceWorker.register(keeper).catch(() => {});
// games against the computer go on without a network, from the first time that the app was opened with one
if (app && site && onLine && !navigator.connection?.saveData) serviceWorker?.register("/anywhere/sw.js").catch(() => {});

// where the network is gone, a form leads to the page that says so; games against the computer and lessons need none
addEventListener("submit", (event) => {
  const path = event.submitter?.getAttribute("formaction") || event.target.getAttribute("action");
  const alone = site && (/^\/(play|learn)\//.test(path) ? path : path === "/new" && ownTable(new FormData(event.target)));
  if (!path || (navigator.onLine && !(app && alone))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  location.assign(alone ? `/anywhere/?${alone}` : "/");
}, true);

// a new table for people at this screen and computers alone, without a clock
function ownTable(form) {
  const others = [...form].some(([name, value]) => /^seat-/.test(name) && value === "open");
  if (others || form.get("lobby") === "yes" || Number(form.get("pace")) || Number(form.get("whole"))) return null;
  return `/new&${new URLSearchParams([["begin", "yes"], ...form])}`;
}

// a table that waits for players waits for the network too
const away = document.querySelector("#away");
["online", "offline"].forEach((kind) => addEventListener(kind, () => { if (away) away.hidden = navigator.onLine; }));

// the page that says so goes as soon as the server answers, and offers what can be played until then
let later;
async function look() {
  clearTimeout(later);
  const answer = await fetch("/sw.js", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
  else later = setTimeout(look, 4000);
}

const without = document.querySelector("#without");
if (without && location.pathname !== "/offline") {
  addEventListener("online", look);
  look();
  const found = await serviceWorker?.getRegistration("/anywhere/");
  without.hidden = !(site && found?.active && found.scope.endsWith("/anywhere/"));
}
