import { client } from '../contract/client.ts';
import { noteAnswer } from './live/eventCursor.ts';

const COOKIE = 'auth-token'; // spec 7
const FAR_FUTURE = 'Fri, 31 Dec 9999 23:59:59 GMT'; // spec 9

export function readToken(): string | undefined {
  const pair = document.cookie.split('; ').find((one) => one.startsWith(`${COOKIE}=`));
  return pair ? decodeURIComponent(pair.slice(COOKIE.length + 1)) || undefined : undefined;
}

// The cookie must be there in the same breath: the Cookie Store API writes later, and not everywhere.
function writeCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: for the reason above
  document.cookie = text;
}

export function keepToken(token: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  writeCookie(`${COOKIE}=${encodeURIComponent(token)}; path=/; expires=${FAR_FUTURE}; SameSite=Lax${secure}`);
}

export function dropToken(): void {
  writeCookie(`${COOKIE}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax`);
}

// What boot.js asked while the scripts were still on their way; each answer is taken once, and by the same person.
type Early = { readonly authorization: string; readonly answers: Map<string, Promise<Response>> };
const { early } = globalThis as { early?: Early };

for (const answer of early?.answers.values() ?? []) void noteAnswer(answer);

const ask: typeof fetch = (address, init) => {
  const key = String(address);
  const isTheirs = new Headers(init?.headers).get('authorization') === early?.authorization;
  const answer = isTheirs ? early?.answers.get(key) : undefined;
  if (answer) early?.answers.delete(key);
  return answer ?? noteAnswer(fetch(address, init));
};

/** Every call of the product, speaking as whoever is signed in. */
export const api = client('/api', readToken, ask);
