import type { API } from '../../../contract/api.ts';
import type { ClientInput } from '../../../contract/call.ts';
import type { DeliveryAction, DeliveryExceptionAction } from '../../../domain/deliveries.ts';
import { DELIVERY_FLOW } from '../../../domain/process/delivery.ts';
import { describeException, PROBLEM_TEXTS } from '../problemSteps.ts';
import { STEP_TEXTS } from '../steps.ts';

/**
 * The problem steps that wait on the device without a network: what a Duber does at a door. The others change what other
 * people do now, or ask the town.
 */
const WAITING_PROBLEMS = [
  'arrived-at-pickup',
  'arrived-at-drop',
  'pickup-failed',
  'drop-failed',
  'try-again',
  'bring-back',
  'brought-back',
] as const satisfies readonly DeliveryExceptionAction[];
export type WaitingProblem = (typeof WAITING_PROBLEMS)[number];

/** The steps that wait. */
export type WaitingAction = DeliveryAction | WaitingProblem;

export const isWaitingProblem = (action: string): action is WaitingProblem =>
  WAITING_PROBLEMS.some((one) => one === action);
export const isNormalStep = (action: string): action is DeliveryAction =>
  DELIVERY_FLOW.some((row) => row.action === action);

/** What the Duber says with a problem step. Laundry that is brought back has a proof like the other hand-overs. */
export type ProblemReport = NonNullable<ClientInput<(typeof API)['brought-back']>['body']>;

type WaitingTexts = { readonly name: string; readonly done: string; readonly failed: string };

/** A step in words: its name, and the titles of what came of it. It waited, so they do not say what is the case at a door now. */
export function waitingTextsOf(action: WaitingAction): WaitingTexts {
  if (!isNormalStep(action)) {
    const name = describeException(action);
    return { name, done: `Sent: ${name}`, failed: PROBLEM_TEXTS[action].failed };
  }
  const { button, done, failed } = STEP_TEXTS[action];
  return { name: button, done: done.title, failed };
}
