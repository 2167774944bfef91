// The service worker: after the first visit the page needs no network.
//
// files.json lists all files with their SHA-256. They are fetched as a whole and compared; only then
// they take the place of those that were there. The page of a visit is the one that was complete before.

const LIST = "files.json";
const POINTER = "knuthle-current";
const PREFIX = "knuthle-files-";

const here = (path) => new URL(path, registration.scope).href;

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name of the cache that holds a whole page; null before the first. */
async function current() {
  const found = await (await caches.open(POINTER)).match(here(LIST));
  return found ? found.text() : null;
}

async function fetched(path) {
  const answer = await fetch(here(path), { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`);
  return answer;
}

/** Fetch the page anew if the list of its files has changed. */
async function refresh() {
  const list = await (await fetched(LIST)).text();
  const name = PREFIX + (await sha256(new TextEncoder().encode(list)));
  if (name === (await current())) return;
  const cache = await caches.open(name);
  for (const [path, digest] of Object.entries(JSON.parse(list))) {
    const answer = await fetched(path);
    const bytes = await answer.clone().arrayBuffer();
    if ((await sha256(bytes)) !== digest) throw new Error(`${path}: not the file of the list`);
    await cache.put(here(path), answer);
  }
  await (await caches.open(POINTER)).put(here(LIST), new Response(name));
  const old = (await caches.keys()).filter((each) => each.startsWith(PREFIX) && each !== name);
  await Promise.all(old.map((each) => caches.delete(each)));
}

/** A file of the whole page that is kept, else from the network. */
async function answer(request) {
  const url = new URL(request.url);
  url.search = "";
  url.hash = "";
  if (url.href === registration.scope) url.pathname += "index.html";
  const name = await current();
  const kept = name ? await (await caches.open(name)).match(url.href) : undefined;
  return kept ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(refresh().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(registration.scope)) return;
  event.respondWith(answer(event.request));
  if (event.request.mode === "navigate") event.waitUntil(refresh().catch(() => {}));
});
