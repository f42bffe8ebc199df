import { useSyncExternalStore } from 'react';
import type { User } from '../../contract/accounts.ts';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import { createClient } from '../../contract/client.ts';
import { homePathOf } from '../../domain/accounts.ts';
import { api, beginAgain, clearToken, keepShownToken, readToken, saveToken } from '../api/client.ts';
import { fetchConfig } from '../api/config.ts';
import { readSession, type Session, setSession, subscribeToSession } from '../api/currentSession.ts';
import { resetCursor } from '../api/eventCursor.ts';
import { isSessionExpired, queryClient } from '../api/queryClient.ts';
import { heldPhotos } from '../files/heldPhotos.ts';
import { clearOfflineCache } from '../offline/clearOfflineCache.ts';
import { endStoredSteps, endWaitingSteps } from '../offline/storedSteps.ts';
import { savePhonePosition } from '../places/phonePosition.ts';
import { forgetEnabledPush } from '../storage/enabledPush.ts';
import { tabStore } from '../storage/stores.ts';
import { openChannel } from '../storage/tabs.ts';
import { isProtectedPath } from './publicPaths.ts';

const SIGNED_OUT: Session = { state: 'not', user: undefined };
const SESSION_USER_KEY = 'rubadub-who';
const RETURN_PATH_KEY = 'rubadub-place';

// The tabs of this browser share one token, so they notify each other of sign-ins and sign-outs.
const otherTabs = openChannel('rubadub-session');
if (otherTabs) otherTabs.onmessage = ({ data }: MessageEvent<string>) => restartIfUserChanged(data);

export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, readSession, readSession);
}

/** The signed-in user; only for screens behind the guard. */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new Error('User not authenticated'); // spec 8
  return user;
}

function establishSession(user: User, token?: string): void {
  if (token !== undefined) {
    saveToken(token);
    void endStoredSteps(user.id).catch(() => undefined);
    otherTabs?.postMessage(user.id);
  }
  const before = tabStore.read(SESSION_USER_KEY);
  if (before !== null && before !== user.id) queryClient.clear();
  if (before !== user.id) {
    heldPhotos.clear();
    // The session before may have been given up without an end.
    if (token !== undefined) clearOfflineCache();
  }
  tabStore.write(SESSION_USER_KEY, user.id);
  keepShownToken(true);
  setSession({ state: 'authenticated', user });
}

/**
 * Another tab has signed in `userId`, or signed out (''). A tab of somebody else starts again from '/': its requests would
 * be sent with the token of the new user. It touches neither the token nor the data on the device, which may be theirs.
 */
function restartIfUserChanged(userId: string): void {
  const { user } = readSession();
  // They may have signed in again, with another token.
  if (user?.id === userId) keepShownToken(true);
  else if (user) beginAgain();
}

/** Updates the user's profile on the screens. */
export function updateUser(changes: Partial<User>): void {
  const { user } = readSession();
  if (user) setSession({ state: 'authenticated', user: { ...user, ...changes } });
}

export async function signIn(credentials: { email: string; password: string }): Promise<void> {
  resetCursor();
  const { authToken, user } = await api.login({ body: credentials });
  establishSession(user, authToken);
}

/** Signs in somebody else in place of the person on the screens, whose session ends. */
export async function switchUser(credentials: { email: string; password: string }): Promise<void> {
  const token = readToken();
  await signIn(credentials);
  const end = token === undefined ? undefined : createClient('/api', () => token).logout();
  end?.catch(() => undefined);
}

type SignUpBody = Parameters<typeof api.signUp>[0]['body'];

export async function signUp(body: SignUpBody): Promise<void> {
  resetCursor();
  const { authToken, user } = await api.signUp({ body });
  establishSession(user, authToken);
}

/** Deletes what this device has stored of other people, at the end of a session, also with steps that were not sent. */
function deleteStoredData(): void {
  clearOfflineCache();
  forgetEnabledPush();
  void endWaitingSteps().catch(() => undefined);
}

/** Ends the session here at once, and on the server as soon as it answers. */
export function signOut(): void {
  const token = readToken();
  const end = () => createClient('/api', () => token).logout();
  const endLater = () => void end().catch(() => undefined);
  end().catch((error: unknown) => {
    if (error instanceof Unreachable) window.addEventListener('online', endLater, { once: true });
  });
  clearToken();
  otherTabs?.postMessage('');
  deleteStoredData();
  clearSession();
  tabStore.write(RETURN_PATH_KEY, null);
}

/** The session expired: remembers the page for when the same user signs in again, unless it needs no session. */
export function expireSession(path: string): void {
  const userId = tabStore.read(SESSION_USER_KEY);
  if (userId !== null && isProtectedPath(path)) tabStore.write(RETURN_PATH_KEY, JSON.stringify({ userId, path }));
  clearToken();
  deleteStoredData();
  clearSession();
}

/** Treats the user as signed out but keeps the token: it may still be valid when the server is back. */
export function clearSession(): void {
  queryClient.clear();
  savePhonePosition(undefined);
  keepShownToken(false);
  setSession(SIGNED_OUT);
}

/** Where to go after signing in: the page where the session expired, otherwise the dashboard. */
export function getSignInRedirect(user: User): string {
  try {
    const place = JSON.parse(tabStore.read(RETURN_PATH_KEY) ?? 'null') as {
      userId: string;
      path: string;
    } | null;
    if (place?.userId === user.id) return place.path;
  } catch {
    tabStore.write(RETURN_PATH_KEY, null);
  }
  return homePathOf(user.role);
}

export function clearReturnPath(): void {
  tabStore.write(RETURN_PATH_KEY, null);
}

/** Reloads the page unless it belongs to `now`: another tab may have signed in somebody else. Returns whether it does. */
export function reloadIfUserChanged(userId: string, now: User): boolean {
  if (now.id !== userId) window.location.reload();
  return now.id === userId;
}

/** Asks the server whose token this is. Rejects with spec 8's message when there is no token or no user. */
export async function checkSession(): Promise<User> {
  if (readToken() === undefined) throw new Error('No token found in cookie');
  const { user } = await api.session();
  return user;
}

/** 'preparing' means that the server still adds its demo, so the session is checked again later. */
export type RestoreResult = 'authenticated' | 'expired' | 'unreachable' | 'preparing';

export async function restoreSession(): Promise<RestoreResult> {
  try {
    establishSession(await checkSession());
    return 'authenticated';
  } catch (error) {
    if (isSessionExpired(error)) return 'expired';
    if (await isDemoPreparing(error)) return 'preparing';
    const user = await restoreOfflineUser().catch(() => undefined);
    if (user) establishSession(user);
    return user ? 'authenticated' : 'unreachable';
  }
}

let atStart: Promise<RestoreResult> | undefined;

/** The check of the session when the app starts. It is done once, so that it may begin before the first screen asks for it. */
export function restoreSessionAtStart(): Promise<RestoreResult> {
  atStart ??= restoreSession();
  return atStart;
}

async function isDemoPreparing(error: unknown): Promise<boolean> {
  if (!(error instanceof CallFailed) || error.code !== 'notReady') return false;
  const config = await fetchConfig().catch(() => undefined);
  return config?.isDemoPreparing === true;
}

/**
 * The user of this session on this device, from the offline cache. Only while the device is offline: a server that does
 * not answer is the network error that the spec describes.
 */
async function restoreOfflineUser(): Promise<User | undefined> {
  if (navigator.onLine) return undefined;
  const { restoreOfflineCache } = await import('../offline/offlineCache.ts');
  return restoreOfflineCache();
}
