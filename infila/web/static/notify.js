// A notice of the browser when it becomes one's turn: only if it was asked for by a click, and while the page is not seen.
const root = document.querySelector(".table");
const button = document.querySelector("#notify");
const { Notification } = window;
const wanted = () => localStorage.notify === "yes" && Notification.permission === "granted";
let yours = true, told;

function show() {
  button.hidden = !Notification;
  button.disabled = Notification?.permission === "denied";
  if (button.disabled) button.querySelector("span").textContent = button.dataset.blocked;
  button.ariaPressed = String(Notification && wanted());
}

button.onclick = async () => {
  localStorage.notify = wanted() ? "no" : "yes";
  if (localStorage.notify === "yes") await Notification.requestPermission();
  show();
};

root.addEventListener("updated", ({ detail }) => {
  if (!detail) return;
  if (detail.yours && !yours && document.hidden && Notification && wanted()) {
    try {
      told = new Notification(detail.title, { tag: root.dataset.url, icon: "/static/icon.svg" });
      told.onclick = () => { focus(); told.close(); };
    } catch { button.hidden = true; }       // some browsers show notices only for installed pages
  }
  ({ yours } = detail);
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) told?.close(); });
show();
