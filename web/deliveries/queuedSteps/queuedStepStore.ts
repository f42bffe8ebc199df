import { useSyncExternalStore } from 'react';
import type { API } from '../../../contract/api.ts';
import type { ClientInput } from '../../../contract/call.ts';
import type { DeliveryAction } from '../../../domain/deliveries.ts';
import { type DatabaseSchema, promisifyRequest, withDatabase } from '../../offline/indexedDb.ts';

/** What proves a hand-over: it waits on the device with its step. */
export type StepProof = ClientInput<typeof API.collectWithProof>['body'] &
  ClientInput<typeof API.deliverWithProof>['body'];

/** A step that a Duber took offline, as stored on this device. */
export type QueuedStep = {
  readonly key: string;
  /** The user who took it. It is never sent as another user. */
  readonly userId: string;
  readonly deliveryId: string;
  readonly action: DeliveryAction;
  /** By the device's clock. */
  readonly takenAt: string;
  /** Its Idempotency-Key. Steps that an earlier release queued have none. */
  readonly requestKey?: string;
  /** The proof of a step that hands the laundry over, if the Duber gave one. */
  readonly proof?: StepProof;
  /** Why it can no longer be sent. */
  readonly problem?: string;
};

// Not the offline cache's database: signing out clears that one, but queued steps wait for their user.
const SCHEMA: DatabaseSchema = { name: 'rubadub-steps', version: 1, stores: { steps: 'key' } };

let steps: readonly QueuedStep[] = [];
const listeners = new Set<() => void>();
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(SCHEMA.name);
if (channel) channel.onmessage = () => void load().catch(() => undefined);

async function load(): Promise<void> {
  const all = await withDatabase(SCHEMA, 'readonly', (store) =>
    promisifyRequest<QueuedStep[]>(store('steps').getAll()),
  );
  steps = all.toSorted((a, b) => a.takenAt.localeCompare(b.takenAt));
  for (const tell of listeners) tell();
}

async function updateStore(act: (store: IDBObjectStore) => IDBRequest): Promise<void> {
  await withDatabase(SCHEMA, 'readwrite', (store) => promisifyRequest(act(store('steps'))));
  await load();
  channel?.postMessage('changed');
}

/** Stores a step until it is sent; resolves once it survives a reload. */
export function queueStep(step: Omit<QueuedStep, 'key'>): Promise<void> {
  const key = [step.userId, step.deliveryId, step.action].join('/');
  return updateStore((store) => store.put({ ...step, key }));
}

export function removeStep({ key }: QueuedStep): Promise<void> {
  return updateStore((store) => store.delete(key));
}

/** Stores the reason why a step cannot be sent, until its user has read it. */
export function markStepFailed(step: QueuedStep, problem: string): Promise<void> {
  return updateStore((store) => store.put({ ...step, problem }));
}

/** A user's queued steps on this device, in the order they were taken. */
export async function readQueuedSteps(userId: string): Promise<QueuedStep[]> {
  await load();
  return steps.filter((step) => step.userId === userId);
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The same as a hook, for one delivery or for all. */
export function useQueuedSteps(userId: string, deliveryId?: string): readonly QueuedStep[] {
  const all = useSyncExternalStore(subscribe, () => steps);
  return all.filter((step) => step.userId === userId && (deliveryId ?? step.deliveryId) === step.deliveryId);
}
