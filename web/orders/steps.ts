import type { Order, OrderStep } from '../../contract/orders.ts';
import { ORDER_GROUPS, type OrderAction, type OrderStatus } from '../../domain/orders.ts';
import { ORDER_FLOW } from '../../domain/process/order.ts';
import { factsOfOrder, situationOf, wayOf } from '../../domain/process/situation.ts';
import { isSentBack } from '../weighing/useWeighing.ts';
import { refundSentence, wasAccepted } from './refund.ts';

export type StepText = {
  readonly button: string;
  /** The browser asks for confirmation first (spec 4.1). */
  readonly needsConfirmation: boolean;
  readonly isDestructive: boolean;
  readonly done: { readonly title: string; readonly description?: string };
  readonly failed: string;
};

/** The texts of each workflow row; a new row does not compile without them. */
export const STEP_TEXTS = {
  'cancel-order': {
    button: 'Cancel Order',
    needsConfirmation: true,
    isDestructive: true,
    done: { title: 'Order Cancelled', description: 'The hold on your card is released' },
    failed: 'Order Not Cancelled',
  },
  'accept-order': {
    button: 'Accept',
    needsConfirmation: true,
    isDestructive: false,
    done: { title: 'Best Of Luck For The New Order' },
    failed: 'Unable To Accept',
  },
  'reject-order': {
    button: 'Reject',
    needsConfirmation: true,
    isDestructive: true,
    done: { title: 'Order Rejected', description: 'The customer has been told' },
    failed: 'Unable To Reject',
  },
  'start-order': {
    button: 'Start Job',
    needsConfirmation: false,
    isDestructive: false,
    done: { title: 'Your Job Starts Now!' },
    failed: 'Job Not Started',
  },
  'complete-order': {
    button: 'Complete Job',
    needsConfirmation: false,
    isDestructive: false,
    done: { title: 'Order Completed!', description: 'Congratulations for completing the job' },
    failed: 'Job Not Completed',
  },
} as const satisfies Record<OrderAction, StepText>;

/** The texts of the step that completes an order whose laundry was not washed. */
const SENT_HOME: StepText['done'] = { title: 'Job Ended', description: 'The laundry goes back as it is' };

/** What is said once a step of this order is taken. */
export function doneTextOf(action: OrderAction, order: Order | undefined): StepText['done'] {
  const { done }: StepText = STEP_TEXTS[action];
  if (action === 'complete-order' && order && isSentBack(order)) return SENT_HOME;
  if (action !== 'cancel-order' || !order || !wasAccepted(order)) return done;
  return { title: done.title, description: refundSentence(order) };
}

// spec 4.1
export const CONFIRM_TEXT = 'Are you sure you want to perform this action?';

/** The statuses that follow, along the rows that do not end the order early. */
export function upcomingStatuses(status: OrderStatus): readonly OrderStatus[] {
  const ahead: OrderStatus[] = [];
  let at: OrderStatus | undefined = status;
  while (at !== undefined && ahead.length < ORDER_FLOW.length) {
    const from: OrderStatus = at;
    at = ORDER_FLOW.find((row) => row.from === from && ORDER_GROUPS[row.to] !== 'cancelled')?.to;
    if (at) ahead.push(at);
  }
  return ahead;
}

/** The status that an action leads to. */
export function statusAfter(action: OrderAction): OrderStatus {
  const row = ORDER_FLOW.find((one) => one.action === action);
  if (!row) throw new Error(`${action} is not in the workflow`);
  return row.to;
}

/** The order after a step: the step is appended to its history (spec 4.1). */
export function appendStep(order: Order, step: OrderStep): Order {
  return withSituation({ ...order, status: step.status, statusHistory: [...order.statusHistory, step] });
}

/** The order with the situation that follows from its steps, for a step that is shown before the server has answered. */
function withSituation(order: Order): Order {
  const { status, situation, isCleanedAgain = false, wayHome = null } = order;
  const facts = factsOfOrder(order, {
    ...{ hasExpired: false, givenBackBy: null, isCleanedAgain, wayHome },
    weight: situation === 'heavier' ? 'asked' : isSentBack(order) ? 'unwashed' : null,
    isWithBud: status === 'Cancelled' && wayHome === null,
  });
  return { ...order, situation: situationOf(facts), way: wayOf(order) };
}
