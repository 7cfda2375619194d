// A notice of the browser when it becomes one's turn: only if it was asked for by a click, and while the page is not seen.
const root = document.querySelector(".table");
const button = document.querySelector("#notify");
const { Notification = {} } = window;
const on = () => localStorage.notify === "yes" && Notification.permission === "granted";
let yours = true, told;

function show() {
  button.hidden = !Notification.permission;
  button.disabled = Notification.permission === "denied";
  if (button.disabled) button.querySelector("span").textContent = button.dataset.blocked;
  button.ariaPressed = String(on());
}

button.onclick = async () => {
  localStorage.notify = on() ? "no" : "yes";
  await Notification.requestPermission();
  show();
};

root.addEventListener("updated", ({ detail }) => {
  if (!detail) return;
  try {
    if (detail.yours && !yours && document.hidden && on()) told = new Notification(detail.title, { tag: root.dataset.url });
  } catch { button.hidden = true; }       // some browsers show notices only for installed pages
  if (told) told.onclick = () => focus();
  ({ yours } = detail);
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) told?.close(); });
show();
