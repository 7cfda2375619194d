// The service worker of a site: everything is kept when it is installed, and comes from there, with a network or without.
// The build puts EDITION and FILES before this text.

const SITE = new URL(self.registration.scope).pathname;
const CACHE = `infila files ${SITE} ${EDITION}`;

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
})()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(`infila files ${SITE} `) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener("message", ({ data }) => { if (data === "take over") self.skipWaiting(); });

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const name = new URL(request.mode === "navigate" ? "./" : `.${url.pathname.slice(SITE.length - 1)}`, self.registration.scope);
    const known = await cache.match(name);
    if (!known || request.mode === "navigate" || request.cache !== "reload") return known ?? fetch(request);
    const fresh = await fetch(request);         // what is kept was found to be damaged (python.js)
    if (fresh.ok) await cache.put(name, fresh.clone());
    return fresh;
  })());
});
