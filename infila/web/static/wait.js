// Before the deal: sit down, stand up, fill up, and go to the table when it begins. The shuffle is in chance.js.
const root = document.querySelector(".wait");
const base = root.dataset.url;
async function send(path, body, method = "POST") {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(base + path, { method, headers, body });
  if (answer.ok) return location.reload();
  const box = document.querySelector("#problem");
  box.textContent = (await answer.json()).error;
  box.hidden = false;
}
root.addEventListener("click", (event) => {
  const { post, fields = "{}", method } = event.target.closest("[data-post]")?.dataset || {};
  if (post) send(post, method ? undefined : fields, method);
});
const events = new EventSource(base + "/events");
events.addEventListener("version", (event) => {
  if (event.data.split("-")[0] !== root.dataset.stamp) location.reload();
});
