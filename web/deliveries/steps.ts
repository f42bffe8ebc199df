import type { Delivery, DeliveryStep } from '../../contract/deliveries.ts';
import { type DeliveryAction, type DeliveryStatus, isAhead } from '../../domain/deliveries.ts';
import { DELIVERY_FLOW } from '../../domain/process/delivery.ts';
import type { DeliverySituation } from '../../domain/process/situation.ts';
import { findTransitions } from '../../domain/workflow.ts';
import { DELIVERY_TEXTS } from '../../texts/deliveries.ts';
import type { ProofAction } from '../handovers/proof.ts';
import type { RelayRole } from '../handovers/relay.ts';
import { withSituation } from '../handovers/situation.ts';
import { formatDateInText } from '../ui/format.ts';

export type StepText = {
  readonly button: string;
  /** One line above the button: what to do now. */
  readonly hint: string;
  /** The confirmation that the browser asks for first. */
  readonly confirmation?: string;
  readonly done: { readonly title: string; readonly description?: string };
  readonly failed: string;
};

const NOT_UPDATED = 'Status Not Updated';

/** The texts of each workflow row (spec 4.2 and 8); a new row does not compile without them. */
export const STEP_TEXTS = {
  'accept-delivery': {
    button: 'Accept 👍',
    hint: 'Accept to make this delivery yours.',
    done: { title: 'Congratulations!', description: 'This delivery is assigned to you' },
    failed: 'Unable To Accept',
  },
  'way-to-pickup': {
    button: 'On The Way to Pickup',
    hint: 'Setting out? Both sides will see that you are on the way.',
    done: { title: 'Status updated: On the way to pickup.' },
    failed: NOT_UPDATED,
  },
  collected: {
    button: 'Mark as Collected',
    hint: 'Tap once the laundry is in your hands.',
    done: { title: 'Status updated: Package collected.' },
    failed: NOT_UPDATED,
  },
  'way-to-drop': {
    button: 'On The Way to Drop',
    hint: 'Leaving with the laundry? Let them know.',
    done: { title: 'Status updated: On the way to drop-off.' },
    failed: NOT_UPDATED,
  },
  delivered: {
    button: 'Mark as Delivered',
    hint: 'Tap once the laundry is handed over.',
    confirmation: 'Are you sure you want to mark this delivery as completed?',
    done: { title: 'Delivery Completed!', description: 'Great job on successful delivery.' },
    failed: NOT_UPDATED,
  },
} as const satisfies Record<DeliveryAction, StepText>;

/** What a Duber reads who has relayed laundry. */
const RELAY_TEXTS = {
  sender: 'You have the laundry, until another Duber collects it from you.',
  holder: 'You have the laundry: continue.',
} as const satisfies Partial<Record<RelayRole, string>>;

const BEFORE_COLLECTION: readonly DeliverySituation[] = ['waits-for-duber', 'coming', 'at-pickup'];

type Described = Pick<Delivery, 'status' | 'situation' | 'pickup'> &
  Partial<Pick<Delivery, 'isDuberAway' | 'leftAtDoorAt' | 'window'>>;

/** The current status in a sentence. The next Duber sees only where an earlier one waits; `isOwn` is for the Duber who does it. */
export function describeDelivery(delivery: Described, side: RelayRole = 'recipient', isOwn = false): string {
  if (side !== 'recipient') return RELAY_TEXTS[side];
  const { status, situation = 'waits-for-duber', pickup, leftAtDoorAt, isDuberAway = false } = delivery;
  const isWaiting = BEFORE_COLLECTION.includes(situation) && pickup !== null;
  const leftAtDoor = leftAtDoorAt ? formatDateInText(leftAtDoorAt) : undefined;
  const texts = DELIVERY_TEXTS[isOwn ? 'Duber' : 'others'];
  return texts[isWaiting ? 'relayed' : situation]({ status, leftAtDoor, isDuberAway, isAhead: isAhead(delivery) });
}

/** The only action that the Duber may take now, or undefined. */
export function nextAction(delivery: Delivery, duberId: string): DeliveryAction | undefined {
  const isOpen = delivery.status === 'Pending' || delivery.duberId === duberId;
  return isOpen ? findTransitions(DELIVERY_FLOW, delivery.status, 'Duber')[0]?.action : undefined;
}

/** The hand-over that is next for this Duber, or undefined. */
export function proofActionOf(delivery: Delivery, duberId: string): ProofAction | undefined {
  if (delivery.status === 'Way_Back') return delivery.duberId === duberId ? 'brought-back' : undefined;
  const action = nextAction(delivery, duberId);
  return action === 'collected' || action === 'delivered' ? action : undefined;
}

/** The statuses that follow. */
export function upcomingStatuses(status: DeliveryStatus): readonly DeliveryStatus[] {
  const ahead: DeliveryStatus[] = [];
  let at: DeliveryStatus | undefined = status;
  while (at !== undefined && ahead.length < DELIVERY_FLOW.length) {
    const from: DeliveryStatus = at;
    at = DELIVERY_FLOW.find((row) => row.from === from)?.to;
    if (at) ahead.push(at);
  }
  return ahead;
}

/** The status that an action leads to. */
export function statusAfter(action: DeliveryAction): DeliveryStatus {
  const row = DELIVERY_FLOW.find((one) => one.action === action);
  if (!row) throw new Error(`${action} is not in the workflow`);
  return row.to;
}

/** The delivery after a step by `duberId`: the step is appended to its history. */
export function appendStep<D extends Delivery>(delivery: D, step: DeliveryStep, duberId: string): D {
  return withSituation({ ...delivery, duberId, status: step.status, statusHistory: [...delivery.statusHistory, step] });
}
