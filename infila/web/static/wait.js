// Before the deal. What changes is put in its place: who types a name goes on typing. The shuffle is in chance.js.
const root = document.querySelector(".wait");
const base = root.dataset.url;
const $ = (selector, where = document) => where.querySelector(selector);

async function send(path, body, method = "POST") {
  const answer = await fetch(base + path, { method, headers: { "Content-Type": "application/json" }, body }).catch(() => null);
  if (!answer) return;
  const box = $("#problem");
  box.hidden = answer.ok;
  if (answer.ok) {
    if (path === "/seat") listen();     // as somebody now
    return refresh();
  }
  box.textContent = (await answer.json()).error;
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-post]");
  if (!button) return;
  event.preventDefault();
  const { post, fields = "{}", method } = button.dataset;
  if (method) return send(`${post}?seat=${fields}`, undefined, method);
  const named = button.form || (post === "/seat" && $("#names[data-live=sit] form"));
  if (named && !named.reportValidity()) return;
  send(post, JSON.stringify({ ...JSON.parse(fields), ...(named && { name: named.elements.name.value }) }));
});

async function refresh() {
  const answer = await fetch(base, { headers: { Accept: "text/html" } }).catch(() => ({}));
  if (!answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const page = $(".wait", next);
  if (!page) return location.reload();
  if (Number(page.dataset.stamp) < Number(root.dataset.stamp)) return;     // overtaken
  root.dataset.stamp = page.dataset.stamp;
  const at = document.activeElement;
  page.querySelectorAll("[data-live]").forEach((fresh) => {
    const old = document.getElementById(fresh.id);
    const key = fresh.dataset.live;
    if (key ? key !== old.dataset.live : !fresh.isEqualNode(old)) old.replaceWith(fresh);
  });
  if (!at.isConnected) {
    const { post = "none", fields = "" } = at.dataset;
    ($(`[data-post="${post}"][data-fields='${fields}']`) || $("#names [autofocus]") || $("#heading")).focus();
  }
  document.title = next.title;
  const fresh = $("#chance", next);
  if (!fresh) return;
  $("#chance").textContent = fresh.textContent;
  dispatchEvent(new Event("chance"));
}

let events;
function listen() {
  events?.close();
  events = new EventSource(`${base}/events`);
  events.addEventListener("version", (event) => {
    const [number, here] = event.data.split("-");
    if (number !== root.dataset.stamp || here) refresh();
  });
}
listen();
