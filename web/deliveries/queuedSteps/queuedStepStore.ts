import { useSyncExternalStore } from 'react';
import type { StepProof } from '../../handovers/proof.ts';
import { promisifyRequest, withDatabase } from '../../offline/indexedDb.ts';
import { STEPS_SCHEMA, type StepPhoto, withoutDetails } from '../../offline/storedSteps.ts';
import { openChannel } from '../../storage/tabs.ts';
import { isNormalStep, type ProblemReport, type WaitingAction } from './waitingSteps.ts';

/** A step that a Duber took offline, as stored on this device. */
export type QueuedStep = {
  readonly key: string;
  /** The user who took it. It is never sent as another user. */
  readonly userId: string;
  readonly deliveryId: string;
  readonly action: WaitingAction;
  /** By the device's clock. */
  readonly takenAt: string;
  /** Its Idempotency-Key. Steps that an earlier release queued have none. */
  readonly requestKey?: string;
  /** The proof of a step that hands the laundry over, if the Duber gave one. */
  readonly proof?: StepProof;
  /** What the Duber said with a problem step, and the attempt of the delivery that it belongs to. */
  readonly report?: ProblemReport;
  readonly attempt?: number;
  /** Its photos that were not sent when it was taken. */
  readonly photos?: readonly StepPhoto[];
  /** Why it can no longer be sent. */
  readonly problem?: string;
};

let steps: readonly QueuedStep[] = [];
const listeners = new Set<() => void>();
const channel = openChannel(STEPS_SCHEMA.name);
if (channel) channel.onmessage = () => void load().catch(() => undefined);

async function load(): Promise<void> {
  const all = await withDatabase(STEPS_SCHEMA, 'readonly', (store) =>
    promisifyRequest<QueuedStep[]>(store('steps').getAll()),
  );
  steps = all.toSorted((a, b) => a.takenAt.localeCompare(b.takenAt));
  for (const notify of listeners) notify();
}

async function publishChange(): Promise<void> {
  await load();
  channel?.postMessage('changed');
}

/** Each problem step once an attempt: a second try to come to the door is another arrival. */
const keyOf = ({ userId, deliveryId, action, attempt = 1 }: Omit<QueuedStep, 'key'>) =>
  [userId, deliveryId, action, ...(isNormalStep(action) ? [] : [attempt])].join('/');

/**
 * Stores a step with its photos until it is sent; resolves once it survives a reload. `requireSession` throws when its user has
 * signed out meanwhile.
 */
export async function queueStep(
  step: Omit<QueuedStep, 'key'>,
  requireSession: () => void = () => undefined,
): Promise<void> {
  await withDatabase(STEPS_SCHEMA, 'readwrite', async (store) => {
    // Within the transaction: signing out deletes the photos in a later one.
    requireSession();
    await promisifyRequest(store('steps').put({ ...step, key: keyOf(step) }));
  });
  await publishChange();
}

/** A stored step, unless its user has removed it since, perhaps to take it again. */
async function findStep(store: IDBObjectStore, { key, requestKey }: QueuedStep): Promise<QueuedStep | undefined> {
  const stored = await promisifyRequest<QueuedStep | undefined>(store.get(key));
  return stored?.requestKey === requestKey ? stored : undefined;
}

/** A step as it is stored now; undefined once its user has removed it, perhaps in another tab. */
export function readStoredStep(step: QueuedStep): Promise<QueuedStep | undefined> {
  return withDatabase(STEPS_SCHEMA, 'readonly', (store) => findStep(store('steps'), step));
}

/** Changes a step as it is stored now, or deletes it. Returns whether it was still there. */
async function changeStep(step: QueuedStep, change: (stored: QueuedStep) => QueuedStep | undefined): Promise<boolean> {
  const isThere = await withDatabase(STEPS_SCHEMA, 'readwrite', async (store) => {
    const stored = await findStep(store('steps'), step);
    if (!stored) return false;
    const changed = change(stored);
    if (changed) await promisifyRequest(store('steps').put(changed));
    else await promisifyRequest(store('steps').delete(step.key));
    return true;
  });
  await publishChange();
  return isThere;
}

export async function removeStep(step: QueuedStep): Promise<void> {
  await changeStep(step, () => undefined);
}

/** Stores the reason why a step cannot be sent, until its user has read it. What it said is no longer needed. */
export async function markStepFailed(step: QueuedStep, problem: string): Promise<void> {
  await changeStep(step, (stored) => {
    const { requestKey } = stored;
    return { ...(withoutDetails(stored, problem) as QueuedStep), ...(requestKey === undefined ? {} : { requestKey }) };
  });
}

/** Stores the file of a photo that was sent, so that it is not sent again. Returns whether its step still waits. */
export function saveSentPhoto(step: QueuedStep, { id, fileId }: Required<Omit<StepPhoto, 'photo'>>): Promise<boolean> {
  return changeStep(step, ({ photos = [], ...stored }) => ({
    ...stored,
    photos: photos.map((photo) => (photo.id === id ? { id, fileId } : photo)),
  }));
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

/** The keys of requests whose steps are stored, but not shown as waiting yet. */
const hidden = new Set<string>();

/** Hides a step of this tab from the hooks, or shows it again. */
export function setStepHidden(requestKey: string, isHidden: boolean): void {
  if (isHidden) hidden.add(requestKey);
  else hidden.delete(requestKey);
  steps = [...steps];
  for (const notify of listeners) notify();
}

/** The same as a hook, for one delivery or for all. */
export function useQueuedSteps(userId: string, deliveryId?: string): readonly QueuedStep[] {
  const all = useSyncExternalStore(
    subscribe,
    () => steps,
    () => steps,
  );
  return all.filter(
    (step) =>
      step.userId === userId &&
      (deliveryId ?? step.deliveryId) === step.deliveryId &&
      !hidden.has(step.requestKey ?? ''),
  );
}
