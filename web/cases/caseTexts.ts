import type { CaseDetails, CaseEvent } from '../../contract/cases.ts';
import type { Role } from '../../domain/accounts.ts';
import type { CaseKind, CaseStatus, ItemKind, Offer } from '../../domain/cases.ts';
import type { Actor } from '../../domain/workflow.ts';
import { NO_LONGER_HOLDER } from '../handovers/relay.ts';
import { formatMoney } from '../ui/formatMoney.ts';

export const KIND_TEXTS: Readonly<Record<CaseKind, string>> = {
  claim: 'Something is wrong with the laundry',
  question: 'A question',
  relay: 'A Duber cannot continue',
  lost: 'Lost laundry',
  handover: 'The number of bags differs',
  'failed-pickup': 'A pickup did not work out',
  'failed-drop': 'A delivery did not work out',
  'wrong-pin': 'Wrong PINs',
  'scrub-silent': 'The Scrub has not started',
  late: 'The laundry is late',
  window: 'No other time is agreed',
  scales: 'Two scales disagree',
  weighing: 'The weight of the laundry',
  'same-people': 'Two people on the order may be the same person',
  chargeback: 'A card holder contests a payment',
  'platform-pay': 'An earning that no order pays for',
  refund: 'Money that was given back',
};

const STATUS_LABELS: Readonly<Record<CaseStatus, string>> = {
  'with-scrub': 'With the Scrub',
  'with-duber': 'With the Duber',
  'with-bud': 'With the Bud',
  'with-town': 'With us',
  decided: 'Decided',
  closed: 'Closed',
};

/** The badge of a case, for the one who reads it. */
export const statusLabel = ({ status, waitsFor }: Pick<CaseDetails, 'status' | 'waitsFor'>, role: Role): string =>
  waitsFor === role ? 'Your turn' : STATUS_LABELS[status];

export const ITEM_TEXTS: Readonly<Record<ItemKind, string>> = {
  damaged: 'Damaged',
  stained: 'Stained',
  missing: 'Missing',
  wet: 'Still wet',
  'wrong-bag': 'Wrong bag, or a bag is missing',
  late: 'Came late',
  smell: 'Smells',
};

export const OFFER_TEXTS: Readonly<Record<Offer, string>> = {
  'clean-again': 'Clean it again',
  'give-back': 'Give money back',
  'was-before': 'It was like that before',
};

const WAITS_FOR_YOU: Partial<Record<CaseStatus, string>> = {
  'with-scrub': 'Please answer within 24 hours. After that, we decide.',
  'with-duber': 'Please answer within 24 hours. After that, we decide.',
  'with-bud': 'Accept the offer, or let us decide. Without an answer within 72 hours, we carry out the offer.',
};
const WAITS_FOR_OTHERS: Readonly<Record<CaseStatus, string>> = {
  'with-scrub': 'The Scrub has 24 hours to answer. After that, we decide.',
  'with-duber': 'The Duber has 24 hours to answer. After that, we decide.',
  'with-bud': 'The Bud has 72 hours to answer. After that, we carry out the offer.',
  'with-town': 'We look at it and decide. You do not need to do anything.',
  decided: 'This is decided. It closes after 7 days.',
  closed: 'This is closed.',
};

/** An answer that offers nothing. */
const WAITS_FOR_NOTHING_BACK = {
  you: 'Agree that nothing is given back, or ask us. Without an answer within 72 hours, nothing is given back.',
  others: 'The Bud has 72 hours to answer. After that, nothing is given back.',
};

const WAITS_FOR_ANOTHER_DUBER =
  'We look for another Duber and get in touch. Please keep the laundry with you until they collect it.';
const RELAY_TEXTS = {
  kept: WAITS_FOR_ANOTHER_DUBER,
  gone: 'The laundry is no longer with you. You do not need to do anything.',
  unknown: NO_LONGER_HOLDER,
} as const;

/** Whether a Duber who could not go on has the laundry, as far as they may know. */
export type RelayedLaundry = keyof typeof RELAY_TEXTS;

/** As the notice of it says. What is to be done instead does not wait for the town. */
const WRONG_PIN =
  'A PIN was wrong five times and no longer works. Whoever gets the laundry presses “I have … bags” at their order once they ' +
  'have it, or the Duber takes a photo of it at the door. We look into it. You do not need to do anything else.';

/** While the order asks its Bud whether the delivery is offered again. */
const BUD_CHOOSES = {
  Bud: 'Choose on the order what happens next. We look at it, too.',
  Scrub: 'The Bud chooses what happens next. You do not need to do anything.',
} as const;

/** What happens now, for the one who reads it. */
export function stateText(
  { status, waitsFor, kind, offer }: Pick<CaseDetails, 'status' | 'waitsFor' | 'kind' | 'offer'>,
  role: Role,
  isBudAsked: boolean,
  laundry: RelayedLaundry = 'kept',
): string {
  if (isBudAsked && role !== 'Duber') return BUD_CHOOSES[role];
  if (kind === 'relay' && status === 'with-town' && role === 'Duber') return RELAY_TEXTS[laundry];
  if (kind === 'wrong-pin' && status === 'with-town') return WRONG_PIN;
  if (status === 'with-bud' && offer?.kind === 'was-before')
    return waitsFor === role ? WAITS_FOR_NOTHING_BACK.you : WAITS_FOR_NOTHING_BACK.others;
  return (waitsFor === role ? WAITS_FOR_YOU[status] : undefined) ?? WAITS_FOR_OTHERS[status];
}

/** What the Scrub or the Duber has offered, in a sentence. */
export function offerText({ offer, aboutRole }: Pick<CaseDetails, 'offer' | 'aboutRole'>, role: Role): string {
  const who = aboutRole === role ? 'You' : `The ${aboutRole}`;
  const verb = aboutRole === role ? 'offer' : 'offers';
  if (!offer) return '';
  if (offer.kind === 'was-before') return `${who} ${aboutRole === role ? 'say' : 'says'} that it was like that before.`;
  if (offer.kind === 'clean-again') return `${who} ${verb} to clean it again, at no cost for the Bud.`;
  return `${who} ${verb} to give ${formatMoney(offer.amount ?? 0)} back to the card.`;
}

/** What goes back to the card, and what of it its reader pays. */
export function givenBackText({ givenBack, callerPays }: Pick<CaseDetails, 'givenBack' | 'callerPays'>): string {
  const given = `${formatMoney(givenBack)} goes back to the card.`;
  return callerPays > 0 ? `${given} ${formatMoney(callerPays)} of it is taken from what you earned.` : given;
}

const ACTION_TEXTS: Readonly<Record<string, string>> = {
  'open-claim': 'reported the problem',
  ask: 'asked us',
  open: 'The problem was found',
  answer: 'answered',
  'accept-offer': 'accepted the offer',
  'refuse-offer': 'asked us to decide',
  'no-answer': 'No answer within 24 hours: we decide',
  'silent-bud': 'No answer within 72 hours: we carry out the offer',
  'taken-back': 'The step was undone: there is nothing left to decide',
  stale: 'Open for 48 hours, now urgent',
  decide: 'decided',
  contest: 'contested the decision',
  deny: 'said that this is not true',
  confirmed: 'Whoever gets the laundry says that they have it',
  close: 'Closed',
};

type Happened = { readonly action: string; readonly offer: Offer | null };

/** What happens with an offer that is not about money. */
const HAPPENED_TEXTS: Partial<Record<Offer, Readonly<Record<string, string>>>> = {
  'clean-again': {
    'accept-offer': 'accepted the offer: the laundry is cleaned again',
    'silent-bud': 'No answer within 72 hours: the laundry is cleaned again',
  },
  'was-before': {
    'accept-offer': 'agreed',
    'silent-bud': 'No answer within 72 hours: nothing is given back',
  },
};
export const happenedTextOf = ({ action, offer }: Happened): string | undefined =>
  offer === null ? undefined : HAPPENED_TEXTS[offer]?.[action];

/** What was offered or given back, behind a comma. Other offers have no amount. */
export const amountOf = ({ offer, amount }: Pick<CaseEvent, 'offer' | 'amount'>): string =>
  amount === null || (offer !== null && offer !== 'give-back') ? '' : `, ${formatMoney(amount)}`;

/** What was decided without money, for the people of the case. */
export const outcomeText = ({ events }: { readonly events: readonly Happened[] }): string | undefined =>
  events.some((event) => event.offer === 'clean-again' && happenedTextOf(event)) ? CLEANED_AGAIN : undefined;
const CLEANED_AGAIN = 'The laundry is cleaned again, at no cost for the Bud.';

const nameOf = (by: Actor, role: Role) => (by === role ? 'You' : by === 'Operator' ? 'We' : `The ${by}`);

/** What an event of a case records, in a sentence. */
export function eventText(event: CaseEvent, role: Role): string {
  const { action, by, offer } = event;
  const text = happenedTextOf(event) ?? ACTION_TEXTS[action] ?? action;
  const start = by === 'System' ? text : `${nameOf(by, role)} ${text.toLowerCase()}`;
  const offered = action === 'answer' && offer ? `: ${OFFER_TEXTS[offer].toLowerCase()}` : '';
  // The offer costs more than the one who answered has earned.
  const next = action === 'answer' && event.status === 'with-town' ? '. We decide about it' : '';
  return `${start}${offered}${amountOf(event)}${next}`;
}
