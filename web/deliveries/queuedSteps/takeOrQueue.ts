import { v4 as newKey } from 'uuid';
import { Unreachable } from '../../../contract/callClient.ts';
import { createSessionGuard } from '../../accounts/sessionGuard.ts';
import { readHeldPhotos, sendPhoto } from '../../files/waitingPhoto.ts';
import { isTemporary, RefusedHere } from '../../ui/errorMessage.ts';
import { awaitStep, MOMENT_MS } from './awaitedSteps.ts';
import { type QueuedStep, queueStep, readQueuedSteps } from './queuedStepStore.ts';
import { sendQueueNow } from './sendQueue.ts';
import { sendPhotosOf } from './stepPhotos.ts';
import type { StepInput } from './takeStep.ts';

export type NewStep = Omit<QueuedStep, 'key' | 'takenAt' | 'requestKey' | 'photos' | 'problem'>;

/** The user's steps of a delivery that a new one must not overtake. */
export async function readStepsBefore(userId: string, deliveryId: string): Promise<QueuedStep[]> {
  const steps = await readQueuedSteps(userId).catch(() => []);
  return steps.filter((step) => step.deliveryId === deliveryId && step.problem === undefined);
}

/**
 * Takes a step, or queues it on this device with its photos when the server does not answer soon; then it returns undefined. One whose
 * photos are not sent yet is stored before that is tried: sending them may take minutes. `plan` adds to a step that has to wait,
 * or refuses it, by what waits before it. Once its user has signed out, neither happens.
 */
export async function takeOrQueue<S extends NewStep, T>(
  step: S,
  take: (step: S, input: StepInput) => Promise<T>,
  plan: (before: readonly QueuedStep[]) => Pick<NewStep, 'attempt'> = () => ({}),
): Promise<T | undefined> {
  const takenAt = new Date().toISOString();
  const requireSession = createSessionGuard();
  // A step whose answer was lost is queued with its key, so that it is not refused when it is sent again.
  const requestKey = newKey();
  const photos = readHeldPhotos(step.proof?.fileIds ?? step.report?.fileIds ?? []);
  const stepWithPhotos = photos.length > 0 ? { ...step, photos } : step;
  const before = await readStepsBefore(step.userId, step.deliveryId);
  const queue = () => queueStep({ ...stepWithPhotos, ...plan(before), takenAt, requestKey }, requireSession);
  // In order: a step must not overtake queued ones.
  if (before.length === 0) {
    const takeInSession = (ready: S, input: StepInput) => {
      requireSession();
      return take(ready, input);
    };
    const sent = photos.length > 0 && (await queueAndSend(stepWithPhotos, requestKey, takeInSession, queue));
    if (sent) return sent.taken;
    const ready = await sendPhotosNow(stepWithPhotos);
    try {
      const input = { params: { id: step.deliveryId }, idempotencyKey: requestKey };
      const answer = ready && (await answerWithin(MOMENT_MS, takeInSession(ready, input)));
      if (answer) return answer.taken;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  await queue();
  return undefined;
}

/**
 * Stores a step and sends it at once. What comes of it within a moment is the answer, as if it had not been stored; after that it
 * waits. Undefined where nothing can be stored.
 */
async function queueAndSend<S extends NewStep, T>(
  step: S,
  requestKey: string,
  take: (step: S, input: StepInput) => Promise<T>,
  queue: () => Promise<void>,
): Promise<{ taken: T | undefined } | undefined> {
  let taken: T | undefined;
  let failure: unknown;
  const { outcome, giveUp } = awaitStep(requestKey, async ({ proof, report }, input) => {
    try {
      taken = await take({ ...step, ...(proof && { proof }), ...(report && { report }) }, input);
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  try {
    await queue();
  } catch (error) {
    giveUp();
    if (error instanceof RefusedHere) throw error;
    return undefined;
  }
  void sendQueueNow(step.userId)
    .catch(() => undefined)
    .finally(giveUp);
  const result = await outcome;
  if (result.kind === 'lost') throw failure ?? new RefusedHere(result.why);
  // Another device has taken it meanwhile.
  if (result.kind === 'sent' && taken === undefined) throw failure;
  return { taken };
}

/** The answer to a step, unless it takes longer. Then the step waits, is sent again with its key, and that says what came of it. */
async function answerWithin<T>(ms: number, answer: Promise<T>): Promise<{ taken: T } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([answer.then((taken) => ({ taken })), isLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** The step with the files of its photos; undefined when these must wait. */
async function sendPhotosNow<S extends NewStep>(step: S): Promise<S | undefined> {
  try {
    return await sendPhotosOf(step, sendPhoto);
  } catch (error) {
    if (isTemporary(error)) return undefined;
    throw error;
  }
}
