import { useSyncExternalStore } from 'react';
import type { User } from '../../contract/accounts.ts';
import { client, Unreachable } from '../../contract/client.ts';
import { homeOf } from '../../domain/accounts.ts';
import { api, dropToken, keepToken, readToken } from '../api.ts';
import { beginAnew } from '../live/eventCursor.ts';
import { forgetSeen } from '../offline/clearOfflineCache.ts';
import { isExpiry, queries } from '../queries.ts';

/** spec 3: who is at the screen is unknown until the session was checked. */
export type Session =
  | { readonly state: 'unknown'; readonly user: undefined }
  | { readonly state: 'authenticated'; readonly user: User }
  | { readonly state: 'not'; readonly user: undefined };

const NOBODY: Session = { state: 'not', user: undefined };
const WHO = 'rubadub-who';
const PLACE = 'rubadub-place';

let session: Session = { state: 'unknown', user: undefined };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const tell of listeners) tell();
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export const readSession = (): Session => session;

export function useSession(): Session {
  return useSyncExternalStore(listen, readSession, readSession);
}

/** The signed-in person; only for screens behind the guard. */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new Error('User not authenticated'); // spec 8
  return user;
}

function welcome(user: User, token?: string): void {
  if (token !== undefined) keepToken(token);
  const before = sessionStorage.getItem(WHO);
  if (before !== null && before !== user.id) queries.clear();
  sessionStorage.setItem(WHO, user.id);
  become({ state: 'authenticated', user });
}

/** Puts changes to the own profile on the screens. */
export function setUser(changes: Partial<User>): void {
  if (session.user) become({ state: 'authenticated', user: { ...session.user, ...changes } });
}

export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  beginAnew();
  const { authToken, user } = await api.login({ body: credentials });
  welcome(user, authToken);
}

type SignUpBody = Parameters<typeof api.signUp>[0]['body'];

export async function signUp(body: SignUpBody): Promise<void> {
  beginAnew();
  const { authToken, user } = await api.signUp({ body });
  welcome(user, authToken);
}

/** Ends the session here at once, and on the server as soon as it answers. */
export function signOut(): void {
  const token = readToken();
  const end = () => client('/api', () => token).logout();
  const endLater = () => void end().catch(() => undefined);
  end().catch((error: unknown) => {
    if (error instanceof Unreachable) window.addEventListener('online', endLater, { once: true });
  });
  dropToken();
  forgetSeen();
  leave();
  sessionStorage.removeItem(PLACE);
}

/** The session is over although nobody asked: remembers the place for the same person's return. */
export function expire(path: string): void {
  const userId = sessionStorage.getItem(WHO);
  if (userId !== null) sessionStorage.setItem(PLACE, JSON.stringify({ userId, path }));
  dropToken();
  forgetSeen();
  leave();
}

/** Treats everyone as signed out, without touching the token: it may still be good when the server is back. */
export function leave(): void {
  queries.clear();
  become(NOBODY);
}

/** Where a person goes after signing in: back to where their session expired, otherwise their dashboard. */
export function destinationOf(user: User): string {
  try {
    const place = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as { userId: string; path: string } | null;
    if (place?.userId === user.id) return place.path;
  } catch {
    sessionStorage.removeItem(PLACE);
  }
  return homeOf(user.role);
}

export function forgetPlace(): void {
  sessionStorage.removeItem(PLACE);
}

/** The page begins anew unless `now` is who it belongs to: another tab may have signed somebody else in. Gives whether it is. */
export function reloadUnless(userId: string, now: User): boolean {
  if (now.id !== userId) window.location.reload();
  return now.id === userId;
}

/** Asks the server who the token belongs to. Rejects with spec 8's words when there is no token or no user. */
export async function checkSession(): Promise<User> {
  if (readToken() === undefined) throw new Error('No token found in cookie');
  const { user } = await api.session();
  return user;
}

export type CheckResult = 'authenticated' | 'expired' | 'unreachable';

export async function restoreSession(): Promise<CheckResult> {
  try {
    welcome(await checkSession());
    return 'authenticated';
  } catch (error) {
    if (isExpiry(error)) return 'expired';
    const user = await recallUser().catch(() => undefined);
    if (user) welcome(user);
    return user ? 'authenticated' : 'unreachable';
  }
}

/**
 * Who has used this session on this device, with what they have seen: only where the device itself has no network. A
 * server that does not answer is the network error that the specification tells of.
 */
async function recallUser(): Promise<User | undefined> {
  if (navigator.onLine) return undefined;
  const { recallSeen } = await import('../offline/offlineCache.ts');
  return recallSeen();
}
