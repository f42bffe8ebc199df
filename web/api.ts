import { createClient } from '../contract/client.ts';
import { trackCursor } from './live/eventCursor.ts';

const TOKEN_COOKIE = 'auth-token'; // spec 7
const FAR_FUTURE = 'Fri, 31 Dec 9999 23:59:59 GMT'; // spec 9

export function readToken(): string | undefined {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${TOKEN_COOKIE}=`));
  return pair ? decodeURIComponent(pair.slice(TOKEN_COOKIE.length + 1)) || undefined : undefined;
}

// The cookie must be there in the same breath: the Cookie Store API writes later, and not everywhere.
function writeCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: for the reason above
  document.cookie = text;
}

export function saveToken(token: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  writeCookie(`${TOKEN_COOKIE}=${encodeURIComponent(token)}; path=/; expires=${FAR_FUTURE}; SameSite=Lax${secure}`);
}

export function clearToken(): void {
  writeCookie(`${TOKEN_COOKIE}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax`);
}

// What boot.js asked while the scripts were still on their way; each answer is taken once, and by the same person.
type PrefetchedResponses = { readonly authorization: string; readonly answers: Map<string, Promise<Response>> };
const { early: prefetched } = globalThis as { early?: PrefetchedResponses };

for (const answer of prefetched?.answers.values() ?? []) void trackCursor(answer);

const fetchUnlessPrefetched: typeof fetch = (address, init) => {
  const key = String(address);
  const isTheirs = new Headers(init?.headers).get('authorization') === prefetched?.authorization;
  const answer = isTheirs ? prefetched?.answers.get(key) : undefined;
  if (answer) prefetched?.answers.delete(key);
  return answer ?? trackCursor(fetch(address, init));
};

/** Every call of the product, speaking as whoever is signed in. */
export const api = createClient('/api', readToken, fetchUnlessPrefetched);
