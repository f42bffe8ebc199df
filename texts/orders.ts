import type { OrderStatus } from '../domain/orders.ts';
import type { Delay, DeliverySituation, OrderSituation, Way } from '../domain/process/situation.ts';

// What people read of an order, looked up by its situation and its reader. Screens show these sentences.

export type OrderReader = 'Bud' | 'Scrub';
type Names = {
  readonly bud: string;
  readonly scrub: string;
  /** Whether its people have agreed on when somebody comes. */
  readonly isTimed?: boolean;
};
type NamesSentence = (names: Names) => string;

/** Where laundry is on a way: on its delivery, or on the way of its Bud. */
export type WaySituation = DeliverySituation | 'by-bud';
type WayTexts = Readonly<Record<WaySituation, NamesSentence>>;

/** Nobody has collected the laundry yet. */
const waiting = <S>(sentence: S) => ({ 'waits-for-duber': sentence, coming: sentence, 'at-pickup': sentence });
const carried = <S>(sentence: S) => ({ carried: sentence, 'at-drop': sentence });

export const WAY_TEXTS: Readonly<Record<Way, Readonly<Record<OrderReader, WayTexts>>>> = {
  there: {
    Bud: {
      ...waiting(() => 'A Duber will bring them your laundry.'),
      ...carried(() => 'A Duber is bringing them your laundry.'),
      delivered: ({ scrub }) => `Your laundry is with ${scrub}.`,
      relayed: () => 'Your laundry is with a Duber who could not continue, until another one brings it to your Scrub.',
      'not-collected': () => 'Your laundry has not reached your Scrub: it was not collected.',
      'not-taken': () => 'Your laundry has not reached your Scrub: the Duber could not hand it over, and still has it.',
      lost: () => 'Your laundry has not reached your Scrub: it is reported as lost.',
      'way-back': () => 'Your laundry has not reached your Scrub: it is on its way back to you.',
      'brought-back': () => 'Your laundry has not reached your Scrub: it was brought back to you.',
      'called-off': () => 'Its delivery was called off: you bring your laundry over.',
      stranded: () => 'Its delivery was called off while a Duber had your laundry. We get in touch about it.',
      'by-bud': ({ isTimed }) =>
        `Bring your laundry over ${isTimed ? 'at the agreed time' : 'when it suits you both'}.`,
    },
    Scrub: {
      ...waiting(() => 'A Duber will bring it to you.'),
      ...carried(() => 'A Duber is bringing it to you.'),
      delivered: () => 'It has arrived.',
      relayed: () => 'It is with a Duber who could not continue, until another one brings it to you.',
      'not-collected': ({ bud }) => `It was not collected from ${bud}.`,
      'not-taken': () => 'The Duber could not hand it over to you, and still has it.',
      lost: () => 'It is reported as lost.',
      'way-back': ({ bud }) => `It is on its way back to ${bud}.`,
      'brought-back': ({ bud }) => `It was brought back to ${bud}.`,
      'called-off': ({ bud }) => `Its delivery was called off: ${bud} brings it to you.`,
      stranded: () => 'Its delivery was called off while a Duber had it. The town looks after it.',
      'by-bud': ({ bud }) => `${bud} will bring you the laundry.`,
    },
  },
  back: {
    Bud: {
      ...waiting(() => 'A Duber will bring it back to your door.'),
      ...carried(() => 'A Duber is bringing it back to your door.'),
      delivered: () => 'It is back with you.',
      relayed: () => 'It is with a Duber who could not continue, until another one brings it to your door.',
      'not-collected': ({ scrub }) => `It is still with ${scrub}: the Duber did not get it.`,
      'not-taken': () => 'The Duber could not hand it over to you, and still has it.',
      lost: () => 'It is reported as lost.',
      'way-back': ({ scrub }) => `It could not be handed over to you, and is on its way back to ${scrub}.`,
      'brought-back': ({ scrub }) => `It could not be handed over to you, and is with ${scrub} again.`,
      'called-off': ({ scrub }) => `Its delivery was called off: you pick it up from ${scrub}.`,
      stranded: () => 'Its delivery was called off while a Duber had it. We get in touch about it.',
      'by-bud': ({ scrub }) => `Its delivery was called off: you pick it up from ${scrub}.`,
    },
    Scrub: {
      ...waiting(() => 'A Duber will take the laundry back.'),
      ...carried(() => 'A Duber is taking the laundry back.'),
      delivered: () => 'The laundry is back with its owner.',
      relayed: () => 'The laundry is with a Duber who could not continue, until another one takes it back.',
      'not-collected': () => 'The laundry was not collected from you.',
      'not-taken': ({ bud }) => `The Duber could not hand the laundry over to ${bud}, and still has it.`,
      lost: () => 'The laundry is reported as lost.',
      'way-back': ({ bud }) => `The laundry could not be handed over to ${bud}, and is on its way back to you.`,
      'brought-back': ({ bud }) => `The laundry could not be handed over to ${bud}, and is with you again.`,
      'called-off': ({ bud }) => `Its delivery was called off: ${bud} picks the laundry up.`,
      stranded: () => 'Its delivery was called off while a Duber had the laundry. The town looks after it.',
      'by-bud': ({ bud }) => `Its delivery was called off: ${bud} picks the laundry up.`,
    },
  },
};

/** Until when a Scrub answers a request, and how an answer is called that did not come until then. Nobody comes for laundry that no Scrub has accepted. */
export const answerTimes = ({ times, selfDelivery }: { readonly times?: unknown; readonly selfDelivery: boolean }) =>
  times
    ? { until: `within 24 hours and before the ${selfDelivery ? 'drop-off' : 'pickup'}`, missed: 'in time' }
    : { until: 'within 24 hours', missed: 'within 24 hours' };

/** When an order that is weighed is charged. A hold on a card lives for a week. */
export const chargeTimeText = (isFirst: boolean): string =>
  isFirst
    ? 'Your card is charged for the ordered size after 6 days, before your laundry is weighed. If it weighs less, the rest comes back.'
    : 'Your card is only charged once your laundry is weighed.';

/** What the sentences about an order depend on, besides its situation and its reader. */
type ToldOrder = Names & {
  readonly status: OrderStatus;
  readonly wasAccepted: boolean;
  readonly isWeighed: boolean;
  /** Whether an order that is weighed is charged before. */
  readonly isChargedFirst: boolean;
  readonly isUnwashed: boolean;
  readonly isCleanedAgain: boolean;
  /** Whether its Bud fetches the laundry. */
  readonly isFetched: boolean;
  readonly delay: Delay | null | undefined;
  readonly answer: ReturnType<typeof answerTimes>;
  /** Where the laundry is on its way, in one sentence. */
  readonly where: string;
  readonly isAtDoor: boolean;
  /** What cancelling gives back: "get everything back"; and what goes back after an end, as a sentence. */
  readonly ending: string;
  readonly refund: string;
};
type Sentence = (order: ToldOrder) => string;

/** Mails say these, too. */
export const NOT_CHARGED = 'You were not charged, and the hold on your card is released.';
export const IF_FOUND = 'If you find it, please write to us.';
export const COUNTS_AS_LOST = `The laundry counts as lost. ${IF_FOUND}`;

/** Why the laundry of a Bud is on its way. */
function leadForBud({ status, scrub, isUnwashed, isCleanedAgain }: ToldOrder): string {
  if (status === 'Cancelled') return 'This order was cancelled.';
  if (status === 'Accepted') return `${scrub} has accepted.`;
  if (status === 'In_Progress')
    return isCleanedAgain ? `${scrub} will clean your laundry again.` : `${scrub} has started.`;
  if (isUnwashed) return 'Your laundry was not washed.';
  return isCleanedAgain ? 'Your laundry was cleaned again.' : 'Your laundry is done.';
}

function leadForScrub({ status, bud, isUnwashed, isCleanedAgain }: ToldOrder): string {
  if (status === 'Cancelled') return 'This job was cancelled.';
  if (status === 'Accepted') return 'The laundry has not arrived yet.';
  if (status === 'In_Progress')
    return isCleanedAgain
      ? `The laundry of ${bud} is cleaned again.`
      : 'You have started, but the laundry has not arrived.';
  return isUnwashed ? 'Nothing left to do.' : 'Done.';
}

const onWayForBud: Sentence = (order) =>
  [leadForBud(order), order.where, ...(order.status === 'Cancelled' ? [order.refund] : [])].join(' ');
const onWayForScrub: Sentence = (order) => `${leadForScrub(order)} ${order.where}`;

const onWay = (sentence: Sentence): Readonly<Record<Exclude<DeliverySituation, 'delivered'>, Sentence>> => ({
  ...waiting(sentence),
  ...carried(sentence),
  ...{ lost: sentence, stranded: sentence, 'called-off': sentence, 'not-taken': sentence, relayed: sentence },
  ...{ 'not-collected': sentence, 'way-back': sentence, 'brought-back': sentence },
});

/** What a Bud reads of laundry that the Scrub has and has not started to wash. */
export function notStartedText({ scrub, delay }: Pick<ToldOrder, 'scrub' | 'delay'>): string {
  const start = `Your laundry is with ${scrub}, who`;
  if (delay === 'scrub-silent' || delay === 'promise-overdue')
    return `${start} has not started yet. The town knows, and looks into it.`;
  return delay === 'remind' ? `${start} has not started yet. We have reminded them.` : `${start} will start soon.`;
}

/** What a Bud reads is done about laundry that takes longer than planned. */
export const lateText = ({ delay }: { readonly delay?: Delay | null | undefined }): string =>
  delay === 'late' || delay === 'promise-overdue'
    ? ' It takes longer than planned: the town knows, and looks into it.'
    : '';

export const STATUS_TEXTS: Readonly<Record<OrderReader, Readonly<Record<OrderSituation, Sentence>>>> = {
  Bud: {
    rejected: ({ scrub, wasAccepted, refund }) =>
      `${scrub} could not take this order. ${wasAccepted ? refund : NOT_CHARGED}`,
    unanswered: ({ scrub, answer }) =>
      `${scrub} did not answer ${answer.missed}, so this order was cancelled. ${NOT_CHARGED}`,
    'cancelled-free': () => `This order was cancelled. ${NOT_CHARGED}`,
    cancelled: ({ refund }) => `This order was cancelled. ${refund}`,
    'fetched-home': ({ scrub, refund }) =>
      `This order was cancelled. Please fetch your laundry from ${scrub}, and say below that you have it. ${refund}`,
    'lost-home': ({ refund }) =>
      `This order was cancelled. Your laundry is lost. We are sorry. You can report what it was worth. ${refund}`,
    'taken-back': ({ scrub, ending }) =>
      `The town has taken your order from ${scrub}. Choose another Scrub, or cancel and ${ending}.`,
    'given-back': ({ scrub, ending }) =>
      `${scrub} gave your order back. Choose another Scrub, or cancel and ${ending}.`,
    'asked-again': ({ scrub, isWeighed, answer, ending }) =>
      `${scrub} has not answered yet. The price stays the same, and you do not pay ${isWeighed ? 'twice' : 'again'}. Without an answer ${answer.until}, the order is cancelled and you ${ending}.`,
    requested: ({ scrub, isWeighed, isChargedFirst, answer }) =>
      `${scrub} has not answered yet. ${isWeighed ? chargeTimeText(isChargedFirst) : 'Your card is only charged if they accept.'} Without an answer ${answer.until}, the order is cancelled and the hold released.`,
    heavier: ({ scrub }) => `Your laundry is heavier than agreed. ${scrub} waits for your answer.`,
    unwashed: ({ scrub }) => `${scrub} does not wash your laundry. It goes back as it is.`,
    arrived: notStartedText,
    'washing-again': ({ scrub }) => `${scrub} is cleaning your laundry again.`,
    washing: (order) => `${order.scrub} is doing your laundry.${lateText(order)}`,
    'bud-brings': onWayForBud,
    'bud-fetches': (order) => `${leadForBud(order)} You can pick it up from ${order.scrub}.`,
    home: (order) => {
      if (order.isUnwashed || (order.isAtDoor && !order.isFetched)) return onWayForBud(order);
      return order.isCleanedAgain && !order.isFetched
        ? 'Your laundry was cleaned again and is back with you.'
        : 'Your laundry is done and back with you.';
    },
    ...onWay(onWayForBud),
  },
  Scrub: {
    rejected: () => 'You rejected this job.',
    unanswered: ({ answer }) =>
      `You did not answer ${answer.missed}, so this job was cancelled. Turn off Visibility when you take a break.`,
    'cancelled-free': () => 'This job was cancelled before you answered.',
    cancelled: () => 'This job was cancelled.',
    'fetched-home': ({ bud }) => `This job was cancelled. ${bud} fetches the laundry: please keep it until then.`,
    'lost-home': () => `This job was cancelled. ${COUNTS_AS_LOST}`,
    'taken-back': ({ bud }) => `The town gives this job to somebody else. ${bud} is choosing another Scrub.`,
    'given-back': ({ bud }) => `You gave this job back. ${bud} is choosing another Scrub.`,
    'asked-again': ({ bud }) => `${bud} is waiting for your answer.`,
    requested: ({ bud }) => `${bud} is waiting for your answer.`,
    heavier: ({ bud }) => `${bud} is asked what to do with the heavier laundry. Please do not wash it yet.`,
    unwashed: () => 'The laundry goes back as it is. Please do not wash it.',
    arrived: () => 'The laundry has arrived.',
    'washing-again': ({ bud }) => `You are cleaning the laundry of ${bud} again.`,
    washing: ({ bud }) => `You are doing laundry for ${bud}.`,
    'bud-brings': (order) => (order.status === 'Accepted' ? order.where : onWayForScrub(order)),
    'bud-fetches': (order) => `${leadForScrub(order)} ${order.bud} will pick up the laundry.`,
    home: (order) => {
      if (order.isUnwashed) return order.where;
      return order.isAtDoor && !order.isFetched
        ? onWayForScrub(order)
        : 'Done, and the laundry is back with its owner.';
    },
    ...onWay(onWayForScrub),
  },
};
