// A page in the frame: what it would ask a server it asks the house (house.js).

import { meant } from "./addresses.js";

const FORM = "application/x-www-form-urlencoded";
const LARGEST = 32_000_000;                     // of files (infila/site/browser/everything.py)
let house;

window.fetch = async (address, { method = "GET", headers = {}, body = "" } = {}) => {
  const path = meant(address);
  if (path === null) return new Response("", { status: 404 });
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (body instanceof URLSearchParams) lower["content-type"] = FORM;
  const answer = await house.ask(method, path, lower, String(body ?? ""));
  const text = async () => answer.text;          // as it is: there are no bytes to be decoded
  return Object.assign(new Response(null, answer), { text, json: async () => JSON.parse(answer.text) });
};

window.EventSource = class extends EventTarget {
  static CLOSED = 2;
  readyState = 1;
  #stop;
  constructor(address) {
    super();
    const [, table] = meant(address).match(/^\/t\/(\w+)\/events/);
    this.#stop = house.listen(table, (version) => this.dispatchEvent(new MessageEvent("version", { data: version })));
    addEventListener("pagehide", this.#stop);
    queueMicrotask(() => this.onopen?.());
  }
  close() {
    this.readyState = 2;
    this.#stop();
  }
};

// a page that changes what stands behind the question mark of its address stays where it is
for (const name of ["replaceState", "pushState"]) {
  const own = history[name].bind(history);
  history[name] = (state, title, address) => {
    const path = meant(location.href).split("?")[0];
    own(state, title, address?.startsWith("?") && !address.startsWith("?/") ? `./?${path}&${address.slice(1)}` : address);
    house.shown(window);
  };
}

async function send(form, submitter) {
  const data = new FormData(form);
  if (submitter?.name) data.append(submitter.name, submitter.value);
  const fields = new URLSearchParams(await written(data));
  const action = submitter?.getAttribute("formaction") || form.getAttribute("action") || location.href;
  const path = meant(action);
  if (form.method === "get") return location.assign(`./?${path.split("?")[0]}&${fields}`);
  form.setAttribute("aria-busy", "true");
  const answer = await house.ask("POST", path, { accept: "text/html", "content-type": FORM }, fields.toString());
  form.removeAttribute("aria-busy");
  if (!answer.headers.location) return write(answer.text);
  const next = new URL(answer.headers.location, document.baseURI);
  house.expect(meant(next));
  if (next.href === location.href) return location.reload();
  return location.assign(next);
}

// files are sent as the text that is in them, and no more of one than tells that it is too large
async function written(data) {
  const text = (value) => (typeof value === "string" ? value : value.slice(0, LARGEST + 1).text());
  return Promise.all([...data].map(async ([name, value]) => [name, await text(value)]));
}

async function download(link) {
  const answer = await house.ask("GET", meant(link.href));
  const [, name] = (answer.headers["content-disposition"] ?? "").match(/filename="([^"]+)"/) ?? [null, "infila.log"];
  const file = URL.createObjectURL(new Blob([answer.text], { type: answer.headers["content-type"] }));
  Object.assign(document.createElement("a"), { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}

function write(html) {
  document.open();
  addEventListener("submit", (event) => {
    const action = event.submitter?.getAttribute("formaction") || event.target.getAttribute("action") || location.href;
    if (event.defaultPrevented || meant(action) === null) return;
    event.preventDefault();
    send(event.target, event.submitter);
  });
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]"), path = link && meant(link.href);
    if (!path || event.defaultPrevented || link.target) return;
    if (link.hasAttribute("download")) {
      event.preventDefault();
      download(link);
    } else if (!event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && path !== meant(location.href)) {
      house.expect(path);
    }
  });
  document.write(html);
  document.close();
  house.shown(window);
}

export async function show(given) {
  house = given;
  const page = await house.page(meant(location.href) ?? "/");
  if (page.headers.location) return location.replace(page.headers.location);
  write(page.text);
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
