// Before the deal: sit down, fill up, mix words in, and go to the table when it begins.
const root = document.querySelector(".wait");
const base = root.dataset.url;
async function send(path, body) {
  const answer = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (answer.ok) return location.reload();
  const box = document.querySelector("#problem");
  box.textContent = (await answer.json()).error;
  box.hidden = false;
}
root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-post]");
  if (button) send(button.dataset.post, button.dataset.fields || "{}");
});
document.querySelector("#mix")?.addEventListener("submit", (event) => {
  event.preventDefault();
  send("/words", JSON.stringify({ words: event.target.elements.words.value }));
});
const events = new EventSource(base + "/events");
events.addEventListener("version", (event) => {
  const writing = document.activeElement?.name === "words" && document.activeElement.value;
  if (event.data.split("-")[0] !== root.dataset.stamp && !writing) location.reload();
});
