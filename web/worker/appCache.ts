// Set by the build: the files that the app needs offline, and the id of this build.
declare const __FILES__: readonly string[];
declare const __BUILD__: string;

const CACHE_PREFIX = 'rubadub-';
const BUILD_CACHE = `${CACHE_PREFIX}build-${__BUILD__}`;
/** Files that are cached on first use because they are not in the list, such as the map's. */
const USED_FILES_CACHE = `${CACHE_PREFIX}used`;

const INDEX_PATH = '/';
const isHashed = (path: string) => path.startsWith('/assets/');

/** Caches all files of this build. If one fails, nothing is cached and the app does not open offline. */
export async function cacheBuild(): Promise<void> {
  const cache = await caches.open(BUILD_CACHE);
  // A file without a hash in its name must come from the server, not from the HTTP cache.
  await cache.addAll(__FILES__.map((path) => new Request(path, { cache: isHashed(path) ? 'default' : 'reload' })));
}

/** Deletes the caches of older builds. Called when no page of those builds is open. */
export async function deleteOldBuilds(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== BUILD_CACHE).map((name) => caches.delete(name)),
  );
}

/**
 * Returns the function that responds to a request, or undefined to leave it to the browser, as all API calls are. Hashed
 * files come from the cache first, of any build, so that an old page finds its files. The page and files without a hash
 * come from the network first.
 */
export function findResponder({ method, url, mode }: Request, origin: string): (() => Promise<Response>) | undefined {
  const { origin: requestOrigin, pathname } = new URL(url);
  if (method !== 'GET' || requestOrigin !== origin) return undefined;
  if (isHashed(pathname)) return () => respondCacheFirst(pathname);
  if (mode === 'navigate')
    return pathname === INDEX_PATH || pathname === '/index.html' ? () => respondNetworkFirst(INDEX_PATH) : undefined;
  return __FILES__.includes(pathname) ? () => respondNetworkFirst(pathname) : undefined;
}

async function respondCacheFirst(path: string): Promise<Response> {
  const cached = await caches.match(path, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(path);
  // A browser without room for it still shows it.
  if (response.ok) await saveUsedFile(path, response.clone()).catch(() => undefined);
  return response;
}

const saveUsedFile = async (path: string, file: Response) => (await caches.open(USED_FILES_CACHE)).put(path, file);

/** After this long without a response, the cache is used for a while without asking the network. */
const NETWORK_TIMEOUT_MS = 4_000;
const SKIP_NETWORK_MS = 10_000;
let skipNetworkUntil = 0;

async function respondNetworkFirst(path: string): Promise<Response> {
  // Only from this build's cache: a page and its files must be of the same build.
  const readCache = () => caches.match(path, { cacheName: BUILD_CACHE, ignoreVary: true });
  if (Date.now() < skipNetworkUntil) return (await readCache()) ?? fetch(path);
  const request = fetch(path, { cache: 'no-cache' });
  const response = await Promise.race([request, waitForTimeout()]).catch(() => undefined);
  if (response && response.status < 500) return response;
  const cached = await readCache();
  if (!cached) return response ?? request;
  skipNetworkUntil = Date.now() + SKIP_NETWORK_MS;
  request.catch(() => undefined);
  return cached;
}

const waitForTimeout = () =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), NETWORK_TIMEOUT_MS));
