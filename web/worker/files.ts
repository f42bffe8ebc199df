// Filled in by the build: what the app needs to open without a network, and a mark of exactly this build.
declare const __FILES__: readonly string[];
declare const __BUILD__: string;

const OURS = 'rubadub-';
const BUILD = `${OURS}build-${__BUILD__}`;
/** Files of any build that were used without being in the list: the map's, say. */
const USED = `${OURS}used`;

const PAGE = '/';
const isHashed = (path: string) => path.startsWith('/assets/');

/** Fetches everything of this build at once: it opens offline as a whole or not at all. */
export async function keepBuild(): Promise<void> {
  const cache = await caches.open(BUILD);
  // What has no hash in its name must come from the server, and not from what the browser still holds of it.
  await cache.addAll(__FILES__.map((path) => new Request(path, { cache: isHashed(path) ? 'default' : 'reload' })));
}

/** Forgets the builds before this one; called when no page of theirs is open any more. */
export async function forgetOldBuilds(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== BUILD).map((name) => caches.delete(name)));
}

/**
 * How a request of a page is answered: hashed files from the cache, whatever build they are of, so that an old page
 * finds its old files; the page and what has no hash from the server, and from the cache without one. Everything else,
 * the API above all, is none of our business.
 */
export function answerFor({ method, url, mode }: Request, origin: string): (() => Promise<Response>) | undefined {
  const { origin: from, pathname } = new URL(url);
  if (method !== 'GET' || from !== origin) return undefined;
  if (isHashed(pathname)) return () => fromCache(pathname);
  if (mode === 'navigate') return pathname === PAGE || pathname === '/index.html' ? () => fromServer(PAGE) : undefined;
  return __FILES__.includes(pathname) ? () => fromServer(pathname) : undefined;
}

async function fromCache(path: string): Promise<Response> {
  const kept = await caches.match(path, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(path);
  if (answer.ok) {
    const copy = answer.clone();
    await (await caches.open(USED)).put(path, copy);
  }
  return answer;
}

/** A network that answers nothing for so long is as good as none: then everything comes from here for a while. */
const PATIENCE_MS = 4_000;
const GIVEN_UP_MS = 10_000;
let givenUpUntil = 0;

async function fromServer(path: string): Promise<Response> {
  // Of this worker's own build: a page and its files must fit together.
  const kept = () => caches.match(path, { cacheName: BUILD, ignoreVary: true });
  if (Date.now() < givenUpUntil) return (await kept()) ?? fetch(path);
  const asked = fetch(path, { cache: 'no-cache' });
  const answer = await Promise.race([asked, silence()]).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  const instead = await kept();
  if (!instead) return answer ?? asked;
  givenUpUntil = Date.now() + GIVEN_UP_MS;
  asked.catch(() => undefined);
  return instead;
}

const silence = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS));
