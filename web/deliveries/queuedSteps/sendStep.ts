import { TAKEN_AT_HEADER } from '../../../contract/call.ts';
import { CallFailed } from '../../../contract/callClient.ts';
import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import type { Failure } from '../../../contract/failures.ts';
import { isTemporary, RefusedHere } from '../../ui/errorMessage.ts';
import type { QueuedStep } from './queuedStepStore.ts';
import { sendPhotosOf } from './stepPhotos.ts';

/** The result of sending a queued step. */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'waits' }
  /** Its user removed it while its photo was sent. */
  | { readonly kind: 'removed' }
  | { readonly kind: 'lost'; readonly why: string };

export type StepApi = {
  readonly sendPhoto: (key: string, photo: Blob) => Promise<string>;
  /** Stores the file of a photo that was sent. Returns whether the step still waits. */
  readonly savePhoto: (step: QueuedStep, sent: { id: string; fileId: string }) => Promise<boolean>;
  readonly send: (step: QueuedStep, takenAt: string | undefined) => Promise<unknown>;
  readonly readDelivery: (deliveryId: string) => Promise<Pick<DeliveryDetails, 'duberId' | 'doneSteps'>>;
};

const SENT: SendResult = { kind: 'sent' };
const WAITING: SendResult = { kind: 'waits' };
const lost = (why: string): SendResult => ({ kind: 'lost', why });

export const PREVIOUS_STEP_LOST = 'The step before it could not be sent.';
const TOO_OLD = 'It was done more than a day ago. Do it again if it still applies.';
const NOT_YOURS = 'This delivery is no longer yours.';

const LEFT_THERE = ' If you have left it there, ask the town.';

/** A photo may be of laundry at a door, which the Bud no longer allows once it is sent. */
function adviceFor({ action, proof, report }: QueuedStep, code: Failure | undefined): string {
  const photos = proof?.fileIds ?? report?.fileIds ?? [];
  return code === 'proofNeeded' && action !== 'collected' && photos.length > 0 ? LEFT_THERE : '';
}

class Removed extends Error {}

/** Sends a queued step after its photos. An answer that says nothing about them leaves it queued. */
export async function sendStep(waiting: QueuedStep, wire: StepApi): Promise<SendResult> {
  let step = waiting;
  try {
    step = await sendPhotosOf(waiting, wire.sendPhoto, async (sent) => {
      if (!(await wire.savePhoto(waiting, sent))) throw new Removed();
    });
  } catch (error) {
    if (error instanceof Removed) return { kind: 'removed' };
    return error instanceof RefusedHere ? lost(error.message) : WAITING;
  }
  try {
    await wire.send(step, step.takenAt);
    return SENT;
  } catch (error) {
    return classifyError(step, wire, error);
  }
}

async function classifyError(step: QueuedStep, wire: StepApi, error: unknown): Promise<SendResult> {
  if (!(error instanceof CallFailed)) return WAITING;
  const { statusCode, code, message, validationErrors: faults } = error;
  // Signed out, rate limited, or a server error.
  if (statusCode === 401 || isTemporary(error)) return WAITING;
  if (statusCode === 409) return (await checkAlreadyApplied(step, wire)) ?? lost(`${message}.${adviceFor(step, code)}`);
  if (statusCode === 404) return lost(NOT_YOURS);
  const rules = faults.filter(({ property }) => property === TAKEN_AT_HEADER).map(({ constraints }) => constraints);
  if (rules.some((rule) => 'isRecent' in rule)) return lost(TOO_OLD);
  // The device's clock is ahead: send the step without its time, so that its arrival counts.
  if (rules.some((rule) => 'isPast' in rule)) return sendWithoutTime(step, wire);
  return lost(message);
}

async function sendWithoutTime(step: QueuedStep, wire: StepApi): Promise<SendResult> {
  try {
    await wire.send(step, undefined);
    return SENT;
  } catch (error) {
    // Without a time, no error can be about it.
    return error instanceof CallFailed && error.statusCode === 400
      ? lost(error.message)
      : classifyError(step, wire, error);
  }
}

/** A refused step may have happened already, on another device or because only its answer was lost. */
async function checkAlreadyApplied(step: QueuedStep, wire: StepApi): Promise<SendResult | undefined> {
  try {
    const { doneSteps = [], duberId } = await wire.readDelivery(step.deliveryId);
    return doneSteps.includes(step.action) && duberId === step.userId ? SENT : undefined;
  } catch (error) {
    // It is somebody else's delivery by now; without an answer it is still unknown.
    return error instanceof CallFailed && error.statusCode === 404 ? undefined : WAITING;
  }
}

export type SendQueueOptions = StepApi & {
  /** The user that this browser is signed in as. */
  readonly readUserId: () => Promise<string>;
  /** The step as it is stored now; undefined once its user has removed it. */
  readonly readStep: (step: QueuedStep) => Promise<QueuedStep | undefined>;
  readonly onSent: (step: QueuedStep) => Promise<void>;
  readonly onLost: (step: QueuedStep, why: string) => Promise<void>;
};

/**
 * Sends a user's steps in order. When a step is lost or must wait, so are later steps of the same delivery. Another
 * tab may have signed in somebody else: a step is sent as its own user or not at all.
 */
export async function sendQueuedSteps(
  userId: string,
  steps: readonly QueuedStep[],
  options: SendQueueOptions,
): Promise<void> {
  const open = steps.filter((step) => step.userId === userId && step.problem === undefined);
  if (open.length === 0 || (await options.readUserId()) !== userId) return;
  const lostDeliveries = new Set<string>();
  const waitingDeliveries = new Set<string>();
  for (const queued of open) {
    const { deliveryId } = queued;
    if (waitingDeliveries.has(deliveryId)) continue;
    // The photos of an earlier step may have taken minutes.
    const step = await options.readStep(queued);
    if (!step) continue;
    const result = lostDeliveries.has(deliveryId) ? lost(PREVIOUS_STEP_LOST) : await sendStep(step, options);
    if (result.kind === 'waits') waitingDeliveries.add(deliveryId);
    else if (result.kind === 'sent') await options.onSent(step);
    else if (result.kind === 'lost') {
      lostDeliveries.add(deliveryId);
      await options.onLost(step, result.why);
    }
  }
}
