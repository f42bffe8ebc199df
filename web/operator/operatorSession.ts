import { useSyncExternalStore } from 'react';
import { CallFailed } from '../../contract/callClient.ts';
import type { OperatorSession } from '../../contract/operator/session.ts';
import type { Cap } from '../../domain/operators.ts';
import { operatorApi, readOperatorToken, saveOperatorToken } from './operatorApi.ts';
import { operatorQueryClient } from './operatorQueries.ts';

type SessionState =
  | { readonly state: 'unknown' }
  | { readonly state: 'unreachable' }
  | { readonly state: 'signed-out'; readonly hasExpired: boolean }
  | { readonly state: 'signed-in'; readonly session: OperatorSession };

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

/** The signed-in operator; only for screens behind signing in. */
export function useOperator(): OperatorSession['operator'] {
  const state = useOperatorSession();
  if (state.state !== 'signed-in') throw new Error('no operator is signed in');
  return state.session.operator;
}

/** Whether the signed-in operator has a right. */
export const useHasRight = (cap: Cap): boolean => useOperator().caps.includes(cap);

export function beginOperatorSession(authToken: string, session: OperatorSession): void {
  saveOperatorToken(authToken);
  operatorQueryClient.clear();
  setState({ state: 'signed-in', session });
}

/** Asks the server whose token this browser has. */
export async function restoreOperatorSession(): Promise<void> {
  if (readOperatorToken() === undefined) return setState({ state: 'signed-out', hasExpired: false });
  try {
    setState({ state: 'signed-in', session: await operatorApi.readOperatorSession() });
  } catch (error) {
    if (error instanceof CallFailed && error.statusCode === 401) return expireOperatorSession();
    setState({ state: 'unreachable' });
  }
}

/** The session is over: its data leaves this page. */
export function expireOperatorSession(): void {
  if (current.state === 'signed-out') return;
  saveOperatorToken(undefined);
  operatorQueryClient.clear();
  setState({ state: 'signed-out', hasExpired: true });
}

export function signOutOperator(): void {
  void operatorApi.operatorSignOut({ body: {} }).catch(() => undefined);
  saveOperatorToken(undefined);
  operatorQueryClient.clear();
  setState({ state: 'signed-out', hasExpired: false });
}

/** Nobody has touched the page for a long time. */
export function endIdleSession(): void {
  if (current.state !== 'signed-in') return;
  void operatorApi.operatorSignOut({ body: {} }).catch(() => undefined);
  expireOperatorSession();
}

/** Ends every session of the operator, on all devices. */
export async function signOutEverywhere(): Promise<void> {
  await operatorApi.operatorSignOut({ body: { everywhere: true } });
  signOutOperator();
}
