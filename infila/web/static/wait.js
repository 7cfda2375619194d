// Before the deal: sit down, fill up, and go to the table when it begins.
const root = document.querySelector(".wait");
const base = root.dataset.url;
root.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  const answer = await fetch(base + button.dataset.post, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: button.dataset.fields || "{}",
  });
  if (answer.ok) return location.reload();
  const box = document.querySelector("#problem");
  box.textContent = (await answer.json()).error;
  box.hidden = false;
});
const events = new EventSource(base + "/events");
events.addEventListener("version", (event) => { if (event.data.split("-")[0] !== root.dataset.stamp) location.reload(); });
