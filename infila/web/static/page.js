// Small comforts of all pages.
document.querySelectorAll("[data-again]").forEach((field) => field.addEventListener("change", () => {
  field.form.method = "get";
  field.form.submit();
}));
// what was asked for is on its way
addEventListener("submit", (event) => event.submitter?.setAttribute("aria-busy", "true"));
addEventListener("pageshow", () => document.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy")));
// paper is light, whatever the screen is
const theme = document.documentElement.dataset.theme;
addEventListener("beforeprint", () => { document.documentElement.dataset.theme = "light"; });
addEventListener("afterprint", () => { if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme; });
document.querySelector("[data-print]")?.addEventListener("click", () => print());
document.querySelectorAll("[data-toggle]").forEach((button) => {
  const name = button.dataset.toggle;
  const usual = () => button.dataset.usual !== "touch" || matchMedia("(pointer: coarse)").matches;
  const on = () => (localStorage[name] || (usual() ? "yes" : "no")) === "yes";
  const show = () => button.setAttribute("aria-pressed", String(on()));
  button.addEventListener("click", () => { localStorage[name] = on() ? "no" : "yes"; show(); });
  show();
});
// a link to the clipboard; where a page may not write there (no https), by way of a field
document.querySelectorAll("[data-copy]").forEach((button) => button.addEventListener("click", async () => {
  const text = button.dataset.copy || location.href;
  try { await navigator.clipboard.writeText(text); } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text });
    button.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const words = button.querySelector("span");
  const before = words.textContent;
  words.textContent = button.dataset.done;
  setTimeout(() => { words.textContent = before; }, 1500);
}));
