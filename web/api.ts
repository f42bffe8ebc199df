import { client } from '../contract/client.ts';

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

/** Every call of the product, speaking as whoever is signed in. */
export const api = client('/api', readToken);
