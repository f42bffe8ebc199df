import { TAKEN_AT_HEADER } from '../../../contract/call.ts';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { statusAfter } from '../steps.ts';
import type { QueuedStep } from './queuedStepStore.ts';

/** The result of sending a queued step. */
export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'waits' }
  | { readonly kind: 'lost'; readonly why: string };

export type StepApi = {
  readonly send: (step: QueuedStep, takenAt: string | undefined) => Promise<unknown>;
  readonly readDelivery: (deliveryId: string) => Promise<Delivery>;
};

const SENT: SendResult = { kind: 'sent' };
const WAITING: SendResult = { kind: 'waits' };
const lost = (why: string): SendResult => ({ kind: 'lost', why });

export const PREVIOUS_STEP_LOST = 'The step before it could not be sent.';
const TOO_OLD = 'It was done more than a day ago. Do it again if it still applies.';
const NOT_YOURS = 'This delivery is no longer yours.';

/** Sends a queued step. An answer that says nothing about the step leaves it queued. */
export async function sendStep(step: QueuedStep, wire: StepApi): Promise<SendResult> {
  try {
    await wire.send(step, step.takenAt);
    return SENT;
  } catch (error) {
    return classifyError(step, wire, error);
  }
}

async function classifyError(step: QueuedStep, wire: StepApi, error: unknown): Promise<SendResult> {
  if (!(error instanceof CallFailed)) return WAITING;
  const { statusCode, message, validationErrors: faults } = error;
  // Signed out, rate limited, or a server error.
  if (statusCode === 401 || statusCode === 429 || statusCode >= 500) return WAITING;
  if (statusCode === 409) return (await checkAlreadyApplied(step, wire)) ?? lost(`${message}.`);
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

/** A refused step may have happened already and only its answer was lost: then the history contains it, with the same Duber. */
async function checkAlreadyApplied(step: QueuedStep, wire: StepApi): Promise<SendResult | undefined> {
  try {
    const { duberId, statusHistory } = await wire.readDelivery(step.deliveryId);
    const isThere = statusHistory.some(({ status }) => status === statusAfter(step.action));
    return isThere && duberId === step.userId ? SENT : undefined;
  } catch (error) {
    // It is somebody else's delivery by now; without an answer it is still unknown.
    return error instanceof CallFailed && error.statusCode === 404 ? undefined : WAITING;
  }
}

export type SendQueueOptions = StepApi & {
  /** The user that this browser is signed in as. */
  readonly readUserId: () => Promise<string>;
  readonly onSent: (step: QueuedStep) => Promise<void>;
  readonly onLost: (step: QueuedStep, why: string) => Promise<void>;
};

/**
 * Sends a user's steps in order. When a step is lost, later steps of the same delivery are lost too. Another
 * tab may have signed in somebody else: a step is sent as its own user or not at all.
 */
export async function sendQueuedSteps(
  userId: string,
  steps: readonly QueuedStep[],
  keeping: SendQueueOptions,
): Promise<void> {
  const open = steps.filter((step) => step.userId === userId && step.problem === undefined);
  if (open.length === 0 || (await keeping.readUserId()) !== userId) return;
  const broken = new Set<string>();
  for (const step of open) {
    const fate = broken.has(step.deliveryId) ? lost(PREVIOUS_STEP_LOST) : await sendStep(step, keeping);
    if (fate.kind === 'waits') return;
    if (fate.kind === 'sent') await keeping.onSent(step);
    else {
      broken.add(step.deliveryId);
      await keeping.onLost(step, fate.why);
    }
  }
}
