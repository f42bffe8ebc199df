import type { DeliveryStepAction } from '../domain/deliveries.ts';
import type { OrderStepAction } from '../domain/orders.ts';
import type { OrderSituation, Way } from '../domain/process/situation.ts';

// What operators read of an order: where it stands, whom it waits for, and the steps of its history.

/** Whom an order waits for: a person of it, any Duber nearby, or an operator. */
export type WaitsFor = 'bud' | 'scrub' | 'duber' | 'any-duber' | 'town';

type Told = {
  readonly bud: string;
  readonly scrub: string;
  /** The Duber of the present delivery. */
  readonly duber: string;
  readonly way: Way;
  /** Whether the Scrub has the laundry. */
  readonly isAtScrub: boolean;
};
type TownText = {
  readonly sentence: (order: Told) => string;
  /** Missing where nothing is to come. */
  readonly waitsFor?: WaitsFor;
};

const senderOf = ({ bud, scrub, way }: Told) => (way === 'there' ? bud : scrub);
const recipientOf = ({ bud, scrub, way }: Told) => (way === 'there' ? scrub : bud);

const NOT_ANSWERED: TownText = { sentence: ({ scrub }) => `${scrub} has not answered yet.`, waitsFor: 'scrub' };

/** Each situation in one sentence. A new situation does not compile without it. */
export const TOWN_SITUATIONS: Readonly<Record<OrderSituation, TownText>> = {
  rejected: { sentence: ({ scrub }) => `${scrub} rejected the order.` },
  unanswered: { sentence: ({ scrub }) => `${scrub} did not answer in time, so the order was cancelled.` },
  'cancelled-free': { sentence: ({ scrub }) => `The order was cancelled before ${scrub} accepted it.` },
  cancelled: { sentence: ({ bud }) => `The order was cancelled. ${bud} has the laundry.` },
  'fetched-home': {
    sentence: ({ bud, scrub }) => `The order was cancelled. ${bud} fetches the laundry from ${scrub}.`,
    waitsFor: 'bud',
  },
  'lost-home': { sentence: () => 'The order was cancelled, and the laundry is lost.' },
  'taken-back': {
    sentence: ({ bud, scrub }) => `The town took the order from ${scrub}. ${bud} is choosing another Scrub.`,
    waitsFor: 'bud',
  },
  'given-back': {
    sentence: ({ bud, scrub }) => `${scrub} gave the order back. ${bud} is choosing another Scrub.`,
    waitsFor: 'bud',
  },
  'asked-again': NOT_ANSWERED,
  requested: NOT_ANSWERED,
  heavier: {
    sentence: ({ bud }) => `The laundry is heavier than agreed. ${bud} is asked what to do.`,
    waitsFor: 'bud',
  },
  unwashed: { sentence: ({ bud }) => `The laundry goes back to ${bud} unwashed.`, waitsFor: 'scrub' },
  'bud-brings': { sentence: ({ bud, scrub }) => `${bud} brings the laundry to ${scrub}.`, waitsFor: 'bud' },
  arrived: {
    sentence: ({ scrub }) => `The laundry is with ${scrub}, who has not started yet.`,
    waitsFor: 'scrub',
  },
  'washing-again': { sentence: ({ scrub }) => `${scrub} is cleaning the laundry again.`, waitsFor: 'scrub' },
  washing: {
    sentence: ({ scrub, isAtScrub }) =>
      isAtScrub ? `${scrub} is washing the laundry.` : `${scrub} has started, but does not have the laundry yet.`,
    waitsFor: 'scrub',
  },
  'bud-fetches': { sentence: ({ bud, scrub }) => `${bud} picks the laundry up from ${scrub}.`, waitsFor: 'bud' },
  home: { sentence: ({ bud }) => `The laundry is back with ${bud}.` },
  lost: { sentence: () => 'The laundry is reported as lost.', waitsFor: 'town' },
  stranded: {
    sentence: () => 'The delivery was called off while a Duber had the laundry.',
    waitsFor: 'town',
  },
  'called-off': {
    sentence: ({ bud, scrub, way }) =>
      `The delivery was called off. ${bud} ${way === 'there' ? `brings the laundry to ${scrub}` : `picks the laundry up from ${scrub}`}.`,
    waitsFor: 'bud',
  },
  'not-taken': {
    sentence: (order) =>
      `${order.duber} could not hand the laundry over to ${recipientOf(order)}, and still has the laundry.`,
    waitsFor: 'town',
  },
  relayed: {
    sentence: () => 'A Duber could not go on, and keeps the laundry until another Duber takes over.',
    waitsFor: 'any-duber',
  },
  'not-collected': {
    sentence: (order) => `The laundry was not collected from ${senderOf(order)}.`,
    waitsFor: 'town',
  },
  'way-back': {
    sentence: (order) => `${order.duber} is taking the laundry back to ${senderOf(order)}.`,
    waitsFor: 'duber',
  },
  'brought-back': {
    sentence: (order) => `The laundry was brought back to ${senderOf(order)}.`,
    waitsFor: 'town',
  },
  'at-pickup': { sentence: (order) => `${order.duber} is at the door of ${senderOf(order)}.`, waitsFor: 'duber' },
  'at-drop': { sentence: (order) => `${order.duber} is at the door of ${recipientOf(order)}.`, waitsFor: 'duber' },
  carried: {
    sentence: (order) => `${order.duber} is bringing the laundry to ${recipientOf(order)}.`,
    waitsFor: 'duber',
  },
  coming: {
    sentence: (order) => `${order.duber} will collect the laundry from ${senderOf(order)}.`,
    waitsFor: 'duber',
  },
  'waits-for-duber': {
    sentence: (order) => `The laundry is with ${senderOf(order)}, and no Duber has accepted the delivery yet.`,
    waitsFor: 'any-duber',
  },
};

type StepAction = OrderStepAction | DeliveryStepAction;

/** What a step of an order or a delivery did. */
const STEP_TEXTS: Readonly<Record<StepAction, string>> = {
  'place-order': 'Order placed',
  'cancel-order': 'Order cancelled',
  'cancel-accepted': 'Order cancelled',
  'accept-order': 'Order accepted',
  'reject-order': 'Order rejected',
  'start-order': 'Washing started',
  'complete-order': 'Washing done',
  'give-back': 'Given back by the Scrub',
  'choose-scrub': 'Another Scrub chosen',
  'move-window': 'Time moved by the Bud',
  'propose-window': 'Another time proposed',
  'accept-window': 'Other time accepted',
  'refuse-window': 'Other time refused',
  'window-unanswered': 'No answer about another time',
  'promise-near': 'The promised time is an hour away',
  'promise-missed': 'The promised time was missed',
  'promise-overdue': 'Two hours late',
  'promise-settled': 'What was owed for the missed promise is settled',
  'expire-request': 'Cancelled without an answer',
  'expire-given-back': 'Cancelled without another Scrub',
  remind: 'Scrub reminded to start',
  'scrub-silent': 'Scrub still has not started',
  late: 'Washing takes longer than planned',
  close: 'Order closed',
  'cancel-by-operator': 'Order cancelled by the town',
  reopen: 'Cleaned again',
  weigh: 'Laundry weighed',
  pay: 'Bud pays for the weight',
  keep: 'Only the agreed weight is washed',
  'send-back': 'Bud wants the laundry back unwashed',
  contest: 'Bud contests the weight',
  unanswered: 'No answer about the weight',
  'charge-estimate': 'Charged as estimated',
  'open-delivery': 'Delivery offered',
  'accept-delivery': 'Delivery accepted',
  'way-to-pickup': 'On the way to the pickup',
  collected: 'Laundry collected',
  'way-to-drop': 'On the way to the drop-off',
  delivered: 'Laundry delivered',
  'drop-delivery': 'Delivery given up by the Duber',
  'arrived-at-pickup': 'At the door of the pickup',
  'arrived-at-drop': 'At the door of the drop-off',
  'pickup-failed': 'Laundry not collected',
  'drop-failed': 'Laundry not handed over',
  'try-again': 'Trying again',
  'bring-back': 'Taking the laundry back',
  'brought-back': 'Laundry brought back',
  're-offer': 'Delivery offered again',
  correct: 'Last step taken back',
  'report-lost': 'Laundry reported as lost',
  'take-off': 'Duber taken off the delivery',
  'time-moved': 'Offered again, because its time has moved',
  silent: 'Silent Duber taken off the delivery',
  relay: 'Delivery handed on to another Duber',
  'call-off': 'Delivery called off',
  'mark-delivered': 'Marked as delivered',
};

export const stepText = (action: string): string | undefined =>
  (STEP_TEXTS as Readonly<Record<string, string | undefined>>)[action];
