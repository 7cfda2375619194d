// Small comforts of all pages.
const all = (selector) => document.querySelectorAll(selector);
// browsers from before 2024 do not say what can be seen
Element.prototype.checkVisibility ??= function () { return this.getClientRects().length > 0; };
all("[data-again]").forEach((field) => field.addEventListener("change", () => {
  field.form.method = "get";
  field.form.requestSubmit();
}));
// a form that says in a sentence what it comes to
all("[data-sum]").forEach((form) => form.addEventListener("change", async () => {
  const answer = await fetch(`${form.dataset.sum}?${new URLSearchParams(new FormData(form))}`);
  if (answer.ok) document.querySelector("#sum").textContent = (await answer.json()).text;
}));
// what was asked for is on its way
const heard = (control) => control?.setAttribute("aria-busy", "true");
addEventListener("submit", (event) => { if (!event.defaultPrevented) heard(event.submitter); });
addEventListener("click", (event) => {
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) heard(event.target.closest(":is(a.btn, .resume, .nl, .list a):not([target])"));
});
addEventListener("pageshow", () => all("[aria-busy]").forEach((button) => { button.ariaBusy = null; }));
// paper is light, whatever the screen is
const look = document.documentElement.dataset;
const { theme } = look;
addEventListener("beforeprint", () => { look.theme = "light"; });
addEventListener("afterprint", () => { if (theme) look.theme = theme; else delete look.theme; });
document.querySelector("[data-print]")?.addEventListener("click", () => print());
all("[data-toggle]").forEach((button) => {
  const name = button.dataset.toggle;
  const usual = () => button.dataset.usual !== "touch" || matchMedia("(pointer: coarse)").matches;
  const on = () => (localStorage[name] || (usual() ? "yes" : "no")) === "yes";
  const show = () => button.setAttribute("aria-pressed", String(on()));
  button.onclick = () => { localStorage[name] = on() ? "no" : "yes"; show(); };
  show();
});
// a link to others, or to the clipboard; where a page may not write there (no https), by way of a field
addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (!button) return;
  const { copy, share, done } = button.dataset;
  const text = copy || location.href;
  if (share && navigator.share) return navigator.share({ title: share, url: text }).catch(() => {});
  try { await navigator.clipboard.writeText(text); } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text });
    button.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const words = button.querySelector("span");
  const before = words.textContent;
  words.textContent = done;
  button.classList.add("done");
  setTimeout(() => {
    words.textContent = before;
    button.classList.remove("done");
  }, 1500);
});
// a name that is offered goes with the first key
all("input[autofocus]").forEach((field) => field.select());
// what is for those who have installed infila, or whose network goes, comes when nobody waits for it
all("[rel=manifest]").forEach(() => setTimeout(() => import(import.meta.url.replace("static/page", "installed")).catch(() => {}), 3000));
