// The service worker of a server's pages. Without a network a kept page says so, and that nothing is lost; all else
// comes from the server, as it does without this: what people do and see is never kept here.
// The server puts before this text EDITION and FILES, which that page needs (infila/server/pages/installed.py).

const CACHE = `infila-served-${EDITION}${location.search}`;
const PAGE = `/offline${location.search}`;      // in the language and light of whoever registers this
const DOWNLOADS = /\/log$|^\/api\//;

addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(CACHE);
  await cache.addAll([PAGE, ...FILES].map((name) => new Request(name, { cache: "reload" })));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith("infila-served-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await registration.navigationPreload?.enable();
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (FILES.includes(pathname + search)) event.respondWith(kept(request));
  else if (request.mode === "navigate" && !DOWNLOADS.test(pathname)) event.respondWith(page(event));
});

const kept = async (request) => (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(PAGE, { cacheName: CACHE })) ?? Response.error();
  }
}
