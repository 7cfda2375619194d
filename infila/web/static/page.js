// Small comforts of all pages.
document.querySelectorAll("[data-again]").forEach((field) => field.addEventListener("change", () => {
  field.form.method = "get";
  field.form.submit();
}));
document.querySelectorAll("[data-toggle]").forEach((button) => {
  const name = button.dataset.toggle;
  const show = () => button.setAttribute("aria-pressed", String(localStorage.getItem(name) !== "no"));
  button.addEventListener("click", () => { localStorage.setItem(name, localStorage.getItem(name) === "no" ? "yes" : "no"); show(); });
  show();
});
