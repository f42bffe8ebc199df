// Filled in by the build: what the app needs to open without a network, and a mark of exactly this build.
declare const __FILES__: readonly string[];
declare const __BUILD__: string;

const CACHE_PREFIX = 'rubadub-';
const BUILD_CACHE = `${CACHE_PREFIX}build-${__BUILD__}`;
/** Files of any build that were used without being in the list: the map's, say. */
const USED_FILES_CACHE = `${CACHE_PREFIX}used`;

const INDEX_PATH = '/';
const isHashed = (path: string) => path.startsWith('/assets/');

/** Fetches everything of this build at once: it opens offline as a whole or not at all. */
export async function cacheBuild(): Promise<void> {
  const cache = await caches.open(BUILD_CACHE);
  // What has no hash in its name must come from the server, and not from what the browser still holds of it.
  await cache.addAll(__FILES__.map((path) => new Request(path, { cache: isHashed(path) ? 'default' : 'reload' })));
}

/** Forgets the builds before this one; called when no page of theirs is open any more. */
export async function deleteOldBuilds(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== BUILD_CACHE).map((name) => caches.delete(name)),
  );
}

/**
 * How a request of a page is answered: hashed files from the cache, whatever build they are of, so that an old page
 * finds its old files; the page and what has no hash from the server, and from the cache without one. Everything else,
 * the API above all, is none of our business.
 */
export function findResponder({ method, url, mode }: Request, origin: string): (() => Promise<Response>) | undefined {
  const { origin: from, pathname } = new URL(url);
  if (method !== 'GET' || from !== origin) return undefined;
  if (isHashed(pathname)) return () => respondCacheFirst(pathname);
  if (mode === 'navigate')
    return pathname === INDEX_PATH || pathname === '/index.html' ? () => respondNetworkFirst(INDEX_PATH) : undefined;
  return __FILES__.includes(pathname) ? () => respondNetworkFirst(pathname) : undefined;
}

async function respondCacheFirst(path: string): Promise<Response> {
  const kept = await caches.match(path, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(path);
  if (answer.ok) {
    const copy = answer.clone();
    await (await caches.open(USED_FILES_CACHE)).put(path, copy);
  }
  return answer;
}

/** A network that answers nothing for so long is as good as none: then everything comes from here for a while. */
const NETWORK_TIMEOUT_MS = 4_000;
const SKIP_NETWORK_MS = 10_000;
let skipNetworkUntil = 0;

async function respondNetworkFirst(path: string): Promise<Response> {
  // Of this worker's own build: a page and its files must fit together.
  const kept = () => caches.match(path, { cacheName: BUILD_CACHE, ignoreVary: true });
  if (Date.now() < skipNetworkUntil) return (await kept()) ?? fetch(path);
  const asked = fetch(path, { cache: 'no-cache' });
  const answer = await Promise.race([asked, waitForTimeout()]).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  const instead = await kept();
  if (!instead) return answer ?? asked;
  skipNetworkUntil = Date.now() + SKIP_NETWORK_MS;
  asked.catch(() => undefined);
  return instead;
}

const waitForTimeout = () =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), NETWORK_TIMEOUT_MS));
