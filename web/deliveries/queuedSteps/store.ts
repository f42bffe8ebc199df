import { useSyncExternalStore } from 'react';
import type { DeliveryAction } from '../../../domain/deliveries.ts';
import { answered, type Shape, withDatabase } from '../../offline/indexedDb.ts';

/** A step that a Duber took without a network, as this device keeps it. */
export type WaitingStep = {
  readonly key: string;
  /** Whose it is: it is never sent as anybody else. */
  readonly userId: string;
  readonly deliveryId: string;
  readonly action: DeliveryAction;
  /** By the device's clock. */
  readonly takenAt: string;
  /** Why it can no longer be sent. */
  readonly problem?: string;
};

// Not the database of what was seen: a logout wipes that one, and what was done waits for its person's return.
const SHAPE: Shape = { name: 'rubadub-steps', version: 1, stores: { steps: 'key' } };

let steps: readonly WaitingStep[] = [];
const listeners = new Set<() => void>();
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(SHAPE.name);
if (channel) channel.onmessage = () => void load().catch(() => undefined);

async function load(): Promise<void> {
  const all = await withDatabase(SHAPE, 'readonly', (store) => answered<WaitingStep[]>(store('steps').getAll()));
  steps = all.toSorted((a, b) => a.takenAt.localeCompare(b.takenAt));
  for (const tell of listeners) tell();
}

async function change(act: (store: IDBObjectStore) => IDBRequest): Promise<void> {
  await withDatabase(SHAPE, 'readwrite', (store) => answered(act(store('steps'))));
  await load();
  channel?.postMessage('changed');
}

/** Keeps a step until it is sent; resolves when it would survive a reload. */
export function keepStep(step: Omit<WaitingStep, 'key'>): Promise<void> {
  const key = [step.userId, step.deliveryId, step.action].join('/');
  return change((store) => store.put({ ...step, key }));
}

export function dropStep({ key }: WaitingStep): Promise<void> {
  return change((store) => store.delete(key));
}

/** Keeps a step that can no longer be sent, with the reason, until its person has read it. */
export function keepProblem(step: WaitingStep, problem: string): Promise<void> {
  return change((store) => store.put({ ...step, problem }));
}

/** The steps of a person that wait on this device, in the order that they were taken in. */
export async function readWaiting(userId: string): Promise<WaitingStep[]> {
  await load();
  return steps.filter((step) => step.userId === userId);
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The same for a screen, of one delivery or of all. */
export function useWaitingSteps(userId: string, deliveryId?: string): readonly WaitingStep[] {
  const all = useSyncExternalStore(listen, () => steps);
  return all.filter((step) => step.userId === userId && (deliveryId ?? step.deliveryId) === step.deliveryId);
}
