import { useSyncExternalStore } from 'react';
import { CallFailed } from '../../contract/callClient.ts';
import type { OperatorSession } from '../../contract/operator/session.ts';
import type { Permission } from '../../domain/operators.ts';
import { readStored, writeStored } from '../storage/stores.ts';
import { operatorApi } from './operatorApi.ts';
import { operatorQueryClient } from './operatorQueries.ts';

type SessionState =
  | { readonly state: 'unknown' }
  | { readonly state: 'unreachable'; readonly error: unknown }
  | { readonly state: 'signed-out'; readonly hasExpired: boolean }
  | { readonly state: 'signed-in'; readonly session: OperatorSession };

const MARK_KEY = 'rubadub-operator';
/** The state of the cookie, which scripts cannot read: whether there is one, or a sign-out that the server has not confirmed. */
type Mark = 'signed-in' | 'leaving';

function saveMark(mark: Mark | undefined): void {
  writeStored(MARK_KEY, mark ?? null);
}

let current: SessionState = { state: 'unknown' };
const listeners = new Set<() => void>();

function setState(next: SessionState): void {
  current = next;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useOperatorSession = (): SessionState => useSyncExternalStore(subscribe, () => current);

/** The session; only for screens behind signing in. */
function useLiveSession(): OperatorSession {
  const state = useOperatorSession();
  if (state.state !== 'signed-in') throw new Error('no operator is signed in');
  return state.session;
}

/** The signed-in operator; only for screens behind signing in. */
export const useOperator = (): OperatorSession['operator'] => useLiveSession().operator;

/** Whether it is the operator of the demo, who has no second factor. */
export const useIsDemo = (): boolean => useLiveSession().isDemo;

/** Whether the signed-in operator has a right. */
export const useHasRight = (permission: Permission): boolean => useOperator().caps.includes(permission);

export function beginOperatorSession(session: OperatorSession): void {
  saveMark('signed-in');
  operatorQueryClient.clear();
  setState({ state: 'signed-in', session });
}

/** Asks the server who is signed in with this browser. */
export async function restoreOperatorSession(): Promise<void> {
  const mark = readStored(MARK_KEY);
  if (mark === 'leaving') return signOutOperator();
  if (mark === null) return setState({ state: 'signed-out', hasExpired: false });
  try {
    setState({ state: 'signed-in', session: await operatorApi.readOperatorSession() });
  } catch (error) {
    if (error instanceof CallFailed && error.statusCode === 401) return expireOperatorSession();
    setState({ state: 'unreachable', error });
  }
}

/** The session is over: its data leaves this page. */
export function expireOperatorSession(): void {
  if (current.state === 'signed-out') return;
  saveMark(undefined);
  operatorQueryClient.clear();
  setState({ state: 'signed-out', hasExpired: true });
}

/** Without an answer of the server the session is ended when this browser opens the console again, or ends by itself. */
export function signOutOperator(): void {
  saveMark('leaving');
  void endSession();
  operatorQueryClient.clear();
  setState({ state: 'signed-out', hasExpired: false });
}

/** Nobody has touched the page for a long time. */
export function endIdleSession(): void {
  if (current.state !== 'signed-in') return;
  expireOperatorSession();
  saveMark('leaving');
  void endSession();
}

async function endSession(): Promise<void> {
  try {
    await operatorApi.operatorSignOut({ body: {} });
  } catch (error) {
    if (!(error instanceof CallFailed && error.statusCode === 401)) return;
  }
  // Not if somebody has signed in meanwhile.
  if (readStored(MARK_KEY) === 'leaving') saveMark(undefined);
}

/** Ends every session of the operator, on all devices. */
export async function signOutEverywhere(): Promise<void> {
  await operatorApi.operatorSignOut({ body: { everywhere: true } });
  signOutOperator();
}
