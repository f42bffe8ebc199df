import type { User } from '../../contract/accounts.ts';

/** spec 3: the user is unknown until the session has been checked. */
export type Session =
  | { readonly state: 'unknown'; readonly user: undefined }
  | { readonly state: 'authenticated'; readonly user: User }
  | { readonly state: 'not'; readonly user: undefined };

let session: Session = { state: 'unknown', user: undefined };
const listeners = new Set<() => void>();

export const readSession = (): Session => session;

export function setSession(next: Session): void {
  session = next;
  for (const notify of listeners) notify();
}

/** Calls `listener` with every change. Returns the unsubscribe function. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
