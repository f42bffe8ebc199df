import { TAKEN_AT_HEADER } from '../../../contract/call.ts';
import { CallFailed } from '../../../contract/client.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { resultOf } from '../steps.ts';
import type { WaitingStep } from './store.ts';

/** What became of a step that was sent late. */
export type Fate =
  | { readonly kind: 'sent' }
  | { readonly kind: 'waits' }
  | { readonly kind: 'lost'; readonly why: string };

export type Wire = {
  readonly take: (step: WaitingStep, takenAt: string | undefined) => Promise<unknown>;
  readonly read: (deliveryId: string) => Promise<Delivery>;
};

const SENT: Fate = { kind: 'sent' };
const WAITS: Fate = { kind: 'waits' };
const lost = (why: string): Fate => ({ kind: 'lost', why });

export const AFTER_A_LOST_ONE = 'The step before it could not be sent.';
const TOO_OLD = 'It was taken more than a day ago. Take it again if it still holds.';
const NOT_YOURS = 'This delivery is not yours any more.';

/** Sends a step that waited. What says nothing about the step itself leaves it waiting. */
export async function sendStep(step: WaitingStep, wire: Wire): Promise<Fate> {
  try {
    await wire.take(step, step.takenAt);
    return SENT;
  } catch (error) {
    return settle(step, wire, error);
  }
}

async function settle(step: WaitingStep, wire: Wire, error: unknown): Promise<Fate> {
  if (!(error instanceof CallFailed)) return WAITS;
  const { statusCode, message, faults } = error;
  // Signed out, asked to wait, or a server in trouble.
  if (statusCode === 401 || statusCode === 429 || statusCode >= 500) return WAITS;
  if (statusCode === 409) return (await hasHappened(step, wire)) ?? lost(`${message}.`);
  if (statusCode === 404) return lost(NOT_YOURS);
  const rules = faults.filter(({ property }) => property === TAKEN_AT_HEADER).map(({ constraints }) => constraints);
  if (rules.some((rule) => 'isRecent' in rule)) return lost(TOO_OLD);
  // The device's clock is ahead: the step counts all the same, at the time that it arrives.
  if (rules.some((rule) => 'isPast' in rule)) return sendWithoutTime(step, wire);
  return lost(message);
}

async function sendWithoutTime(step: WaitingStep, wire: Wire): Promise<Fate> {
  try {
    await wire.take(step, undefined);
    return SENT;
  } catch (error) {
    // Nothing that is said now can be about the time.
    return error instanceof CallFailed && error.statusCode === 400 ? lost(error.message) : settle(step, wire, error);
  }
}

/** A refused step may be one whose answer got lost on the way: then the history has it, in the hands of the same Duber. */
async function hasHappened(step: WaitingStep, wire: Wire): Promise<Fate | undefined> {
  try {
    const { duberId, statusHistory } = await wire.read(step.deliveryId);
    const isThere = statusHistory.some(({ status }) => status === resultOf(step.action));
    return isThere && duberId === step.userId ? SENT : undefined;
  } catch (error) {
    // Somebody else's delivery by now; without an answer nobody knows yet.
    return error instanceof CallFailed && error.statusCode === 404 ? undefined : WAITS;
  }
}

export type Keeping = Wire & {
  /** Whom the server takes this browser for. */
  readonly who: () => Promise<string>;
  readonly onSent: (step: WaitingStep) => Promise<void>;
  readonly onLost: (step: WaitingStep, why: string) => Promise<void>;
};

/**
 * Sends the steps of a person in their order; those of a delivery whose earlier step is lost are lost with it. Another
 * tab may have signed somebody else in: what is this person's is sent as this person or not at all.
 */
export async function sendInOrder(userId: string, steps: readonly WaitingStep[], keeping: Keeping): Promise<void> {
  const open = steps.filter((step) => step.userId === userId && step.problem === undefined);
  if (open.length === 0 || (await keeping.who()) !== userId) return;
  const broken = new Set<string>();
  for (const step of open) {
    const fate = broken.has(step.deliveryId) ? lost(AFTER_A_LOST_ONE) : await sendStep(step, keeping);
    if (fate.kind === 'waits') return;
    if (fate.kind === 'sent') await keeping.onSent(step);
    else {
      broken.add(step.deliveryId);
      await keeping.onLost(step, fate.why);
    }
  }
}
