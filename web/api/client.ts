import { DEVICE_PATTERN } from '../../contract/call.ts';
import { createClient } from '../../contract/client.ts';
import { learnTime } from '../clock.ts';
import { setLoss } from '../storage/losses.ts';
import { SCOPE } from '../storage/scope.ts';
import { readStored, writeStored } from '../storage/stores.ts';
import { trackCursor } from './eventCursor.ts';

// spec 7
const cookieOf = (scope: string) => `auth-token${scope}`;
const FAR_FUTURE = 'Fri, 31 Dec 9999 23:59:59 GMT'; // spec 9

/** The token of this visit, where the browser does not keep cookies. */
let heldToken: string | undefined;

export const readToken = (): string | undefined => readCookie(SCOPE) ?? heldToken;

function readCookie(scope: string): string | undefined {
  const start = `${cookieOf(scope)}=`;
  const pair = document.cookie.split('; ').find((entry) => entry.startsWith(start));
  return pair ? decode(pair.slice(start.length)) || undefined : undefined;
}

/** A cookie that is not ours may be impossible to decode. It counts as none until signing in replaces it. */
function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

// The next call reads the cookie at once. The Cookie Store API is asynchronous and not available everywhere.
function writeCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = cookie;
}

function writeToken(token: string, scope: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  writeCookie(`${cookieOf(scope)}=${encodeURIComponent(token)}; path=/; expires=${FAR_FUTURE}; SameSite=Lax${secure}`);
}

export function saveToken(token: string): void {
  writeToken(token, SCOPE);
  holdToken(readCookie(SCOPE) === token ? undefined : token);
}

/** The token of a phone on the page of the demo. */
export const phoneToken = {
  read: (phone: string) => readCookie(`-${phone}`),
  save: (phone: string, token: string) => writeToken(token, `-${phone}`),
} as const;

function holdToken(token: string | undefined): void {
  heldToken = token;
  setLoss('session', token !== undefined);
}

export function clearToken(): void {
  holdToken(undefined);
  writeCookie(`${cookieOf(SCOPE)}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax`);
}

// The token of the person on the screens; undefined while there is none.
let shownToken: string | undefined;

/** From now on the screens are those of the person with the token in the cookie, or of nobody. */
export function keepShownToken(isSignedIn: boolean): void {
  shownToken = isSignedIn ? readToken() : undefined;
}

/** Whether the cookie has the token of somebody else than the person on the screens: it was changed by hand. */
function isCookieReplaced(): boolean {
  const token = readToken();
  return shownToken !== undefined && token !== undefined && token !== shownToken;
}

/** Starts the app again from '/', for whoever is signed in now. */
export function beginAgain(): void {
  history.replaceState(null, '', '#/');
  location.reload();
}

// The responses that boot.js requested while the scripts loaded. Each is used once, with the same token.
type PrefetchedResponses = {
  readonly authorization: string;
  /** The path of the screen whose data is among the responses. */
  readonly path: string;
  readonly responses: Map<string, Promise<Response>>;
};
const { prefetched } = globalThis as { prefetched?: PrefetchedResponses };

for (const response of prefetched?.responses.values() ?? []) void trackCursor(response);

/** Whether boot.js requested the data of the screen at this path, if that screen is one of those it knows. */
export const isPrefetched = (path: string): boolean => prefetched?.path === path;

const fetchUnlessPrefetched: typeof fetch = (url, init) => {
  // Nothing that one person does here is sent as another one. The page is about to go, so nobody waits for the answer.
  if (isCookieReplaced()) {
    beginAgain();
    return new Promise(() => undefined);
  }
  const key = String(url);
  const isSameUser = new Headers(init?.headers).get('authorization') === prefetched?.authorization;
  const response = isSameUser ? prefetched?.responses.get(key) : undefined;
  if (response) prefetched?.responses.delete(key);
  return response ?? trackCursor(learnTime(fetch(url, init)));
};

const DEVICE_KEY = 'rubadub-device';

/** The random id of this browser. It stays after signing out, so that the account recognizes the device. */
function readDevice(): string {
  const kept = readStored(DEVICE_KEY);
  if (kept !== null && DEVICE_PATTERN.test(kept)) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStored(DEVICE_KEY, made);
  return made;
}

/** The typed client of the API. Sends the token of the signed-in user. */
export const api = createClient('/api', readToken, fetchUnlessPrefetched, readDevice);
