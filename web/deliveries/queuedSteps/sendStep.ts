import { TAKEN_AT_HEADER } from '../../../contract/call.ts';
import { CallFailed } from '../../../contract/client.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { statusAfter } from '../steps.ts';
import type { QueuedStep } from './queuedStepStore.ts';

/** What became of a step that was sent late. */
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
const TOO_OLD = 'It was taken more than a day ago. Take it again if it still holds.';
const NOT_YOURS = 'This delivery is not yours any more.';

/** Sends a step that waited. What says nothing about the step itself leaves it waiting. */
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
  // Signed out, asked to wait, or a server in trouble.
  if (statusCode === 401 || statusCode === 429 || statusCode >= 500) return WAITING;
  if (statusCode === 409) return (await checkAlreadyApplied(step, wire)) ?? lost(`${message}.`);
  if (statusCode === 404) return lost(NOT_YOURS);
  const rules = faults.filter(({ property }) => property === TAKEN_AT_HEADER).map(({ constraints }) => constraints);
  if (rules.some((rule) => 'isRecent' in rule)) return lost(TOO_OLD);
  // The device's clock is ahead: the step counts all the same, at the time that it arrives.
  if (rules.some((rule) => 'isPast' in rule)) return sendWithoutTime(step, wire);
  return lost(message);
}

async function sendWithoutTime(step: QueuedStep, wire: StepApi): Promise<SendResult> {
  try {
    await wire.send(step, undefined);
    return SENT;
  } catch (error) {
    // Nothing that is said now can be about the time.
    return error instanceof CallFailed && error.statusCode === 400
      ? lost(error.message)
      : classifyError(step, wire, error);
  }
}

/** A refused step may be one whose answer got lost on the way: then the history has it, in the hands of the same Duber. */
async function checkAlreadyApplied(step: QueuedStep, wire: StepApi): Promise<SendResult | undefined> {
  try {
    const { duberId, statusHistory } = await wire.readDelivery(step.deliveryId);
    const isThere = statusHistory.some(({ status }) => status === statusAfter(step.action));
    return isThere && duberId === step.userId ? SENT : undefined;
  } catch (error) {
    // Somebody else's delivery by now; without an answer nobody knows yet.
    return error instanceof CallFailed && error.statusCode === 404 ? undefined : WAITING;
  }
}

export type SendQueueOptions = StepApi & {
  /** Whom the server takes this browser for. */
  readonly readUserId: () => Promise<string>;
  readonly onSent: (step: QueuedStep) => Promise<void>;
  readonly onLost: (step: QueuedStep, why: string) => Promise<void>;
};

/**
 * Sends the steps of a person in their order; those of a delivery whose earlier step is lost are lost with it. Another
 * tab may have signed somebody else in: what is this person's is sent as this person or not at all.
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
