import type { Delivery, DeliveryDetails } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';
import { type DeliveryExceptionAction, LET_OTHERS_FIRST_MS } from '../../domain/deliveries.ts';
import { DOOR_WAIT_MS, isSameDay, REASONS, REASONS_THAT_LEAVE_AT_ONCE, UNDO_MS } from '../../domain/needs.ts';
import { DELIVERY_EXCEPTIONS } from '../../domain/process/delivery.ts';
import { REASON_TEXTS } from '../../texts/reasons.ts';
import { isLost } from '../handovers/situation.ts';
import { firstNameOf } from '../ui/format.ts';
import type { Reason } from '../ui/ReasonForm.tsx';

/** The texts of what people do when a delivery does not go as planned; a new action does not compile without them. */
export const PROBLEM_TEXTS = {
  'drop-delivery': { done: 'The delivery was given to others', failed: 'The delivery is still yours' },
  'arrived-at-pickup': { done: 'They know that you are at the door', failed: 'Not sent' },
  'arrived-at-drop': { done: 'They know that you are at the door', failed: 'Not sent' },
  'pickup-failed': { done: 'Noted. Nothing more to do here', failed: 'Not sent' },
  'drop-failed': { done: 'Noted. The laundry stays with you', failed: 'Not sent' },
  'try-again': { done: 'They know that you are on your way to them', failed: 'Not sent' },
  'bring-back': { done: 'Please take the laundry back', failed: 'Not sent' },
  'brought-back': { done: 'Thank you for bringing it back', failed: 'Not sent' },
  're-offer': { done: 'Dubers nearby can take it again', failed: 'The delivery was not offered again' },
  correct: { done: 'Taken back', failed: 'Not taken back' },
  'report-lost': { done: 'The town knows, and looks into it', failed: 'Not sent' },
} as const satisfies Record<DeliveryExceptionAction, { done: string; failed: string }>;

export const reasonsFor = (action: 'drop-delivery' | 'pickup-failed' | 'drop-failed'): readonly Reason[] =>
  REASONS[action].map((value) => ({ value, label: REASON_TEXTS[value] }));

/** Whether an attempt that fails for this reason needs a photo. A Duber who is not safe leaves at once. */
export const needsPhotoOfDoor = (reason: string | undefined): boolean =>
  reason === undefined || !REASONS_THAT_LEAVE_AT_ONCE.includes(reason);

/** What happened and why, in words for the history. */
const EXCEPTION_TEXTS: Readonly<Record<string, string>> = {
  'drop-delivery': 'The Duber could not do it',
  'take-off': 'The town took the Duber off it, so others can take it',
  'time-moved': 'Offered again, because the time has moved',
  silent: 'The Duber was silent, so others can take it',
  'arrived-at-pickup': 'At the door of the pickup',
  'arrived-at-drop': 'At the door of the drop-off',
  'pickup-failed': 'The pickup did not work out',
  'drop-failed': 'The drop-off did not work out',
  'try-again': 'One more try',
  'bring-back': 'On the way back',
  'brought-back': 'Brought back',
  'mark-delivered': 'The town marked it as delivered',
  're-offer': 'Offered to Dubers again',
  relay: 'The Duber could not continue, so another one takes over',
  'call-off': 'Called off',
  correct: 'Taken back: pressed by mistake',
  'report-lost': 'Reported as lost',
};

export const describeException = (action: string): string => EXCEPTION_TEXTS[action] ?? 'Changed by the town';
export const describeReason = (reason: string | null): string | undefined =>
  reason === null || reason === 'other' ? undefined : (REASON_TEXTS as Readonly<Record<string, string>>)[reason];

type Progress = Pick<Delivery, 'status' | 'situation' | 'arrivedAt' | 'statusHistory' | 'hasLaundry'>;

/** When the Duber arrived at this door, as far as the arrival counts; also of a step that waits on the device. */
export const arrivedAt = ({ arrivedAt: at }: Pick<Delivery, 'arrivedAt'>): Date | undefined =>
  at ? new Date(at) : undefined;

/** What is left of `whole` since `start`. The device's clock may be behind the server's, and `start` still to come. */
const msLeftOf = (whole: number, start: Date, now: Date): number =>
  Math.min(whole, Math.max(0, whole - (now.getTime() - start.getTime())));

/** How much longer the Duber waits at the door; 0 once it is enough, undefined before the arrival. */
export function waitLeftMs(delivery: Progress, now: Date): number | undefined {
  const arrived = arrivedAt(delivery);
  return arrived && msLeftOf(DOOR_WAIT_MS, arrived, now);
}

const UNDOABLE = new Set<string>(
  DELIVERY_EXCEPTIONS.filter(({ action, by }) => action === 'correct' && by === 'Duber').map(({ from }) => from),
);

/** The time for "Undo" after the last step, whether it can be taken back or not. */
function undoTimeLeftMs(delivery: Progress, now: Date): number {
  if (!UNDOABLE.has(delivery.status) || isLost(delivery)) return 0;
  const last = delivery.statusHistory.findLast(({ status }) => status === delivery.status);
  return last ? msLeftOf(UNDO_MS, new Date(last.createdAt), now) : 0;
}

type Undoable = Progress & Pick<DeliveryDetails, 'isFinal'>;

/** How much longer the last step can be taken back; 0 when it no longer can. */
export const undoLeftMs = (delivery: Undoable, now: Date): number =>
  delivery.isFinal ? 0 : undoTimeLeftMs(delivery, now);

/** Whether only the town can take back a step that is so recent that its Duber may look for "Undo". */
export const isForTheTown = (delivery: Undoable, now: Date): boolean =>
  delivery.isFinal === true && undoTimeLeftMs(delivery, now) > 0;

/** Whether the viewing Duber has just given this delivery back: others may accept it first. */
export const isLeftToOthers = ({ status, exceptions }: Pick<Delivery, 'status' | 'exceptions'>, now: Date): boolean => {
  const last = exceptions.at(-1);
  return (
    status === 'Pending' &&
    last?.action === 'drop-delivery' &&
    now.getTime() - new Date(last.createdAt).getTime() < LET_OTHERS_FIRST_MS
  );
};

/** When the Duber collected the laundry, as the server counts the day for another try. */
export function collectedAt({ statusHistory }: Pick<Delivery, 'statusHistory'>): Date | undefined {
  const collected = statusHistory.findLast(({ status }) => status === 'Collected');
  return collected && new Date(collected.takenAt ?? collected.createdAt);
}

const TRY_AGAIN = DELIVERY_EXCEPTIONS.find(({ action }) => action === 'try-again');

/** Whether the Duber can bring laundry that nobody took, or that was lost and is found, to its drop-off after all. */
export function canTryAgain(delivery: Pick<Delivery, 'status' | 'hasLaundry' | 'statusHistory'>, now: Date): boolean {
  const { status, hasLaundry } = delivery;
  return status === TRY_AGAIN?.from && hasLaundry && isSameDay({ now, collectedAt: collectedAt(delivery) });
}

const LOST_TEXTS: Record<Role, string> = {
  Bud: 'We are looking into it and will get in touch. Nothing more is charged until it is settled.',
  Scrub: 'We are looking into it and will get in touch.',
  Duber: 'We are looking into it and',
};

/** How the town reaches a Duber. Without a phone number it cannot call. */
export const reachText = (hasPhone: boolean): string => (hasPhone ? 'call you' : 'write to you');

/** What people read of laundry that its Duber or an operator reported as lost. */
export function lostText({ exceptions }: Pick<Delivery, 'exceptions'>, role: Role, hasPhone = false): string {
  if (role !== 'Duber') return LOST_TEXTS[role];
  const reported = exceptions.at(-1)?.by === 'Duber' ? 'You reported it. ' : '';
  const advice = hasPhone ? '' : ' With a phone number in your profile, we could call you.';
  return `${reported}${LOST_TEXTS.Duber} will ${reachText(hasPhone)}.${advice}`;
}

/** What is said to all but the Bud of a delivery that stopped. A Duber does not see whether it was offered again before. */
export const otherChooses = (role: 'Scrub' | 'Duber'): string =>
  role === 'Duber' ? 'The customer or the town decides what happens next.' : 'The customer chooses what happens next.';

type Undelivered = { readonly hint: string; readonly tryAgain: string; readonly bringBack: string };
const FOUND = { tryAgain: 'Found It: Deliver It', bringBack: 'Found It: Bring It Back' };
const KEPT = { tryAgain: 'Try Again', bringBack: 'Bring It Back' };

/** The texts of what a Duber can do with laundry that nobody took, or that is reported as lost. */
export function undeliveredTexts(delivery: Progress, now: Date): Undelivered {
  const isOpen = canTryAgain(delivery, now);
  if (isLost(delivery)) {
    const hint = isOpen
      ? 'Found the laundry? Deliver it, or take it back.'
      : 'Found the laundry? Please take it back: the day of the delivery is over.';
    return { ...FOUND, hint };
  }
  const hint = isOpen
    ? 'You still have the laundry. Try the door again today, or take the laundry back. The return trip is paid.'
    : 'You still have the laundry, and the day of the delivery is over. Please take it back. The return trip is paid.';
  return { ...KEPT, hint };
}

type WayBack = Pick<Delivery, 'deliveryType'> & Record<'bud' | 'scrub', { readonly fullname: string }>;

/** For a Duber on the way back: the laundry goes to the one who gave it first, also when another Duber handed it on. */
export const bringBackHint = ({ deliveryType, bud, scrub }: WayBack): string =>
  `Tap once the laundry is back with ${firstNameOf((deliveryType === 'Bud_To_Scrub' ? bud : scrub).fullname)}.`;

/** '3:42'. */
export function formatCountdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
