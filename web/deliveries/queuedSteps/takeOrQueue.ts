import { v4 as newKey } from 'uuid';
import { type CallOptions, Unreachable } from '../../../contract/callClient.ts';
import { createSessionGuard } from '../../api/sessionGuard.ts';
import { currentTime } from '../../clock.ts';
import { readHeldPhotos, sendPhoto } from '../../files/waitingPhoto.ts';
import { isTemporary, RefusedHere } from '../../ui/errorMessage.ts';
import { awaitStep, MOMENT_MS } from './awaitedSteps.ts';
import { type QueuedStep, queueStep, readQueuedSteps } from './queuedStepStore.ts';
import { sendQueueNow } from './sendQueue.ts';
import { sendPhotosOf } from './stepPhotos.ts';
import type { StepInput } from './takeStep.ts';

export type NewStep = Omit<QueuedStep, 'key' | 'takenAt' | 'requestKey' | 'photos' | 'problem'>;

/** The browser has no room for a step, or blocks its storage. */
class NotKept extends RefusedHere {}
const NOT_KEPT_TEXT =
  'There is no network, and your browser’s storage is full or blocked, so it cannot wait on this phone. Do it again where you have a network.';

type Take<S, T> = (step: S, input: StepInput, options?: CallOptions) => Promise<T>;

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
  take: Take<S, T>,
  plan: (before: readonly QueuedStep[]) => Pick<NewStep, 'attempt'> = () => ({}),
): Promise<T | undefined> {
  const takenAt = currentTime().toISOString();
  const requireSession = createSessionGuard();
  // A step whose answer was lost is queued with its key, so that it is not refused when it is sent again.
  const requestKey = newKey();
  const photos = readHeldPhotos(step.proof?.fileIds ?? step.report?.fileIds ?? []);
  const stepWithPhotos = photos.length > 0 ? { ...step, photos } : step;
  const before = await readStepsBefore(step.userId, step.deliveryId);
  const queue = async () => {
    const planned = { ...stepWithPhotos, ...plan(before), takenAt, requestKey };
    await queueStep(planned, requireSession).catch((error: unknown) => {
      throw error instanceof RefusedHere ? error : new NotKept(NOT_KEPT_TEXT);
    });
  };
  // In order: a step must not overtake queued ones.
  if (before.length === 0) {
    const takeInSession: Take<S, T> = async (ready, input, options) => {
      requireSession();
      return take(ready, input, options);
    };
    const sent = photos.length > 0 && (await queueAndSend(stepWithPhotos, requestKey, takeInSession, queue));
    if (sent) return sent.taken;
    const ready = await sendPhotosNow(stepWithPhotos);
    if (ready) {
      const input = { params: { id: step.deliveryId }, idempotencyKey: requestKey };
      return takeOrStore((options) => takeInSession(ready, input, options), queue);
    }
  }
  await queue();
  return undefined;
}

/**
 * Sends a step, and stores it when its answer takes longer than a moment. Its request ends then: it must not arrive after the
 * one that the queue sends. What cannot be stored waits for its answer.
 */
async function takeOrStore<T>(
  send: (options: CallOptions) => Promise<T>,
  queue: () => Promise<void>,
): Promise<T | undefined> {
  const request = new AbortController();
  const answer = send({ signal: request.signal });
  const soon = await answerWithin(MOMENT_MS, answer);
  if (typeof soon === 'object') return soon.taken;
  try {
    await queue();
  } catch (whyNot) {
    if (soon) throw whyNot;
    return answer.catch((error: unknown) => {
      throw error instanceof Unreachable ? whyNot : error;
    });
  }
  request.abort();
  return undefined;
}

/**
 * Stores a step and sends it at once. What comes of it within a moment is the answer, as if it had not been stored; after that it
 * waits. Undefined where nothing can be stored.
 */
async function queueAndSend<S extends NewStep, T>(
  step: S,
  requestKey: string,
  take: Take<S, T>,
  queue: () => Promise<void>,
): Promise<{ taken: T | undefined } | undefined> {
  let taken: T | undefined;
  let failure: unknown;
  const { outcome, giveUp } = awaitStep(requestKey, async ({ proof, report }, input, options) => {
    try {
      taken = await take({ ...step, ...(proof && { proof }), ...(report && { report }) }, input, options);
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  try {
    await queue();
  } catch (error) {
    giveUp();
    if (error instanceof NotKept) return undefined;
    throw error;
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

/** The answer to a step, or that there was no network; undefined when it takes longer. */
async function answerWithin<T>(ms: number, answer: Promise<T>): Promise<{ taken: T } | 'unreachable' | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([answer.then((taken) => ({ taken })), isLate]);
  } catch (error) {
    if (error instanceof Unreachable) return 'unreachable';
    throw error;
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
