// Small comforts of all pages.
document.querySelectorAll("[data-again]").forEach((field) => field.addEventListener("change", () => {
  field.form.method = "get";
  field.form.submit();
}));
// paper is light, whatever the screen is
const theme = document.documentElement.dataset.theme;
addEventListener("beforeprint", () => { document.documentElement.dataset.theme = "light"; });
addEventListener("afterprint", () => { if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme; });
document.querySelector("[data-print]")?.addEventListener("click", () => print());
document.querySelectorAll("[data-toggle]").forEach((button) => {
  const name = button.dataset.toggle;
  const usual = () => button.dataset.usual !== "touch" || matchMedia("(pointer: coarse)").matches;
  const on = () => (localStorage.getItem(name) || (usual() ? "yes" : "no")) === "yes";
  const show = () => button.setAttribute("aria-pressed", String(on()));
  button.addEventListener("click", () => { localStorage.setItem(name, on() ? "no" : "yes"); show(); });
  show();
});
