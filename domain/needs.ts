import { contestableUntil, type OtherReport } from './cases.ts';
import { DAY_MS, MINUTE_MS } from './durations.ts';
import type { WindowMove } from './moves.ts';
import type { WayHome } from './orders.ts';
import { CONTEST_WEIGHT_WITHIN_MS, type CorrectionState, type WeighingVerdict } from './weighing.ts';

/** A Duber without a sign for this long loses the delivery, where the policy `silence` is `careful`. */
export const SILENT_DUBER_MS = 20 * MINUTE_MS;

/**
 * The conditions of a workflow's rows besides the status. The first need that is not met is the hint of the row's button and the
 * failure of its call.
 */
export const NEEDS = [
  'reason',
  'words',
  'way-home',
  'newly-lost',
  'is-brought',
  'already-earned',
  'lighter',
  'heavier',
  'beyond-limit',
  'place',
  'words-about-laundry',
  'known-act',
  'signed-in',
  'right',
  'not-the-asker',
  'not-about-them',
  'fresh-code',
  'the-asker',
  'asker-may-still',
  'stop-mailed',
  'one-operator',
  'documents-asked',
  'documents-required',
  'some-needed',
  'nothing-missing',
  'something-missing',
  'all-accepted',
  'not-all-accepted',
  'some-wait',
  'all-seen',
  'seen-in-time',
  'none-expired',
  'all-wait',
  'end-reached',
  'warning-due',
  'end-not-reached',
  'latest-warning',
  'not-imposed-by-them',
  'later-end',
  'within-a-year',
  'own',
  'left-others-first',
  'not-busy',
  'room-ahead',
  'no-restriction',
  'proven',
  'not-said-before',
  'silence-counts',
  'no-sign',
  'photo',
  'at-the-place',
  'arrived',
  'waited',
  'laundry-on-board',
  'laundry-not-on-board',
  'not-lost',
  'lost',
  'not-relayed',
  'not-carried-by-them',
  'same-day',
  'not-confirmed',
  'not-taken',
  'can-be-undone',
  'first-re-offer',
  'no-bag-moved',
  'no-bag-here',
  'laundry-here',
  'laundry-seen',
  'laundry-in-hand',
  'still-theirs',
  'given-back',
  'not-given-back',
  'scrub-known',
  'scrub-available',
  'fee-as-shown',
  'has-times',
  'time-to-move',
  'promised',
  'not-promised',
  'not-back',
  'not-back-in-time',
  'credit-owed',
  'pickup-not-begun',
  'other-times',
  'window-offered',
  'not-faster',
  'proposed',
  'none-proposed',
  'proposed-by-town',
  'not-with-a-duber',
  'deliveries-ended',
  'not-closed',
  'is-weighed',
  'accepted-once',
  'not-weighed-yet',
  'weighed',
  'correction-answered',
  'asked',
  'splits',
  'sold',
  'price-as-shown',
  'charged-more',
  'first-day',
  'first-contest',
  'their-turn',
  'own-offer',
  'within-claim',
  'offer-possible',
  'decision-possible',
  'undecided',
  'is-over',
  'said-by-duber',
  'not-denied',
  'not-contested',
  'first-week',
  'bears-it',
  'none-open',
  'refunds-done',
  'contest-over',
  'collected-since',
  'no-call',
  'bearer-known',
  'no-open-order',
  'no-open-delivery',
  'no-open-case',
  'no-open-payment',
  'no-balance',
  'no-suspension',
] as const;
export type Need = (typeof NEEDS)[number];
/** Those that are rules for the body, which the call checks. */
export type BodyNeed = Extract<
  Need,
  | 'reason'
  | 'words'
  | 'way-home'
  | 'place'
  | 'words-about-laundry'
  | 'later-end'
  | 'within-a-year'
  | 'own-offer'
  | 'within-claim'
  | 'bearer-known'
>;
/** Those that choose between rows whose last row has no such need, so that nobody is refused because of them. */
export type ChoosingNeed = Extract<
  Need,
  | 'newly-lost'
  | 'proposed-by-town'
  | 'is-brought'
  | 'already-earned'
  | 'lighter'
  | 'heavier'
  | 'beyond-limit'
  | 'offer-possible'
  | 'is-over'
>;

/** The reasons that an action takes. With `other`, words say what it is. Actions without a list take any short reason. */
export const REASONS = {
  'drop-delivery': ['breakdown', 'ill', 'unsafe', 'too-far', 'other'],
  'take-off': ['silent', 'asked', 'unsafe', 'other'],
  'pickup-failed': ['nobody-home', 'nothing-there', 'no-access', 'unsafe', 'not-laundry', 'other'],
  'drop-failed': ['nobody-home', 'no-access', 'unsafe', 'refused', 'other'],
  'call-off': ['order-ended', 'asked', 'lost', 'other'],
  'report-lost': ['silent', 'stolen', 'other'],
  'brought-back': ['no-phone', 'asked', 'other'],
  'mark-delivered': ['no-phone', 'asked', 'other'],
  relay: ['breakdown', 'ill', 'unsafe', 'other'],
  'cancel-accepted': ['changed-mind', 'wrong-address', 'too-slow', 'other'],
  'cancel-by-operator': ['asked', 'fraud', 'nobody-can', 'lost', 'other'],
  'give-back': ['ill', 'too-busy', 'machine-broken', 'other'],
  reopen: ['not-clean', 'asked', 'other'],
  'propose-window': ['ill', 'too-busy', 'machine-broken', 'away', 'other'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A reason of one of these actions. */
export type ReasonOf<Action extends keyof typeof REASONS = keyof typeof REASONS> = (typeof REASONS)[Action][number];

/** The reasons that operators choose from for an action without a list. */
const REASONS_OF_TOWN = ['asked', 'mistake', 'other'] as const;
export type TownReason = ReasonOf | (typeof REASONS_OF_TOWN)[number];

export const townReasonsOf = (action: string): readonly [string, ...string[]] =>
  (REASONS as Readonly<Record<string, readonly [string, ...string[]]>>)[action] ?? REASONS_OF_TOWN;

export const reasonsOf = (action: string): readonly string[] | undefined =>
  (REASONS as Readonly<Record<string, readonly string[]>>)[action];

/** A Duber whose phone is within this distance has arrived. */
export const ARRIVED_WITHIN_M = 300;
/** Nobody is faster than this on the way to a door, in meters per second. */
const FASTEST_M_PER_S = 25;
/** When somebody can be at a door who has been this far from it. */
export const earliestArrival = (since: Date, meters: number): Date =>
  new Date(since.getTime() + (meters / FASTEST_M_PER_S) * 1000);
/** How long a Duber waits at the door before the pickup or the drop-off has failed. */
export const DOOR_WAIT_MS = 5 * 60_000;
/** How long a Duber can undo a step. An operator can do it later. */
export const UNDO_MS = 10 * 60_000;
/** How often a Duber can take a step of a delivery back: each new step sends notifications. */
export const MAX_CORRECTIONS = 2;

/** With one of these reasons, a Duber neither waits nor takes a photo. */
export const REASONS_THAT_LEAVE_AT_ONCE: readonly string[] = ['unsafe'];

/** The body of the call of an action. */
export type StepReport = {
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  readonly photos: number;
  /** Meters from the place where the step belongs; undefined when the phone does not say where it is. */
  readonly metersAway?: number | undefined;
};

/** The facts for the needs of a delivery's rows. */
export type DeliveryFacts = StepReport & {
  readonly hasLaundry: boolean;
  readonly isLost: boolean;
  /** Whether the laundry waits with an earlier Duber, who could not go on. */
  readonly isRelayed: boolean;
  /** Whether its Duber is the one who could not go on, and has had the laundry all the time. */
  readonly isCarriedByDuber: boolean;
  /** When the Duber arrived at the door: when they said so, but not before they can have been there. */
  readonly arrivedAt: Date | undefined;
  /** When the last step was taken that led to the present status. */
  readonly lastStepAt: Date;
  /** Whether it was delivered, and its order has ended without it or its Scrub has weighed, started or finished since. */
  readonly isSettled: boolean;
  /** Whether the one who took the laundry has said on their own phone that they have it. */
  readonly isConfirmed: boolean;
  /** Whether they still have it. */
  readonly isTaken: boolean;
  /** When the laundry was collected. */
  readonly collectedAt: Date | undefined;
  readonly isByOperator: boolean;
  /** How often the delivery was offered again so far. */
  readonly reOffers: number;
  /** How often its Duber took a step back so far. */
  readonly corrections: number;
  /** When it was pressed, as far as the server believes the device. Nothing but a wait at the door is measured with it. */
  readonly takenAt: Date;
  readonly now: Date;
  // Only the server knows the facts below, and only where a row of the action needs them. A need holds while its fact is unknown.
  /** Whether the delivery is the Duber's who takes the step. */
  readonly isOwn?: boolean;
  /** Whether they have another delivery under way, unless this one is accepted ahead. */
  readonly isBusy?: boolean;
  /** Whether they can accept this delivery ahead, besides those that they have accepted already. */
  readonly hasRoom?: boolean;
  /** Whether they gave it back a moment ago. */
  readonly hasJustLeft?: boolean;
  /** Whether the town lets them take no new work. */
  readonly isRestricted?: boolean;
  /** Whether the hand-over is proven, or needs no proof. */
  readonly isProven?: boolean;
  /** Whether the action was taken in this attempt before. */
  readonly wasSaid?: boolean;
  /** Whether a silent Duber loses a delivery, and when this one was last heard of. */
  readonly doesSilenceCount?: boolean;
  readonly heardAt?: Date;
};

const msSince = (now: Date, at: Date | undefined) => (at ? now.getTime() - at.getTime() : 0);
const leavesAtOnce = ({ reason }: StepReport) => reason !== undefined && REASONS_THAT_LEAVE_AT_ONCE.includes(reason);

/** Whether laundry that nobody took can still be tried to be delivered. */
export const isSameDay = ({ now, collectedAt }: Pick<DeliveryFacts, 'now' | 'collectedAt'>): boolean =>
  msSince(now, collectedAt) <= DAY_MS;

/** The needs of a delivery's rows. `reason`, `words` and `place` are rules for the body, which are checked before. */
export const DELIVERY_NEEDS = {
  own: ({ isOwn }) => isOwn !== false,
  'left-others-first': ({ hasJustLeft }) => hasJustLeft !== true,
  'not-busy': ({ isBusy }) => isBusy !== true,
  'room-ahead': ({ hasRoom }) => hasRoom !== false,
  'no-restriction': ({ isRestricted }) => isRestricted !== true,
  proven: ({ isProven }) => isProven !== false,
  'not-said-before': ({ wasSaid }) => wasSaid !== true,
  'silence-counts': ({ doesSilenceCount }) => doesSilenceCount !== false,
  'no-sign': ({ heardAt, now }) => heardAt === undefined || msSince(now, heardAt) >= SILENT_DUBER_MS,
  'words-about-laundry': ({ isRelayed, words }) => !isRelayed || words !== undefined,
  photo: (facts) => facts.photos > 0 || leavesAtOnce(facts),
  'at-the-place': ({ metersAway, photos }) =>
    photos > 0 || (metersAway !== undefined && metersAway <= ARRIVED_WITHIN_M),
  arrived: (facts) => facts.arrivedAt !== undefined || leavesAtOnce(facts),
  waited: (facts) => msSince(facts.takenAt, facts.arrivedAt) >= DOOR_WAIT_MS || leavesAtOnce(facts),
  'laundry-on-board': ({ hasLaundry }) => hasLaundry,
  'laundry-not-on-board': ({ hasLaundry }) => !hasLaundry,
  'not-lost': ({ isLost }) => !isLost,
  lost: ({ isLost }) => isLost,
  'not-relayed': ({ isRelayed }) => !isRelayed,
  'not-carried-by-them': ({ isCarriedByDuber }) => !isCarriedByDuber,
  'same-day': isSameDay,
  'not-confirmed': ({ isConfirmed }) => !isConfirmed,
  'not-taken': ({ isTaken }) => !isTaken,
  'can-be-undone': ({ now, lastStepAt, corrections, isSettled, isByOperator }) =>
    isByOperator || (!isSettled && corrections < MAX_CORRECTIONS && msSince(now, lastStepAt) <= UNDO_MS),
  'first-re-offer': ({ reOffers }) => reOffers === 0,
} as const satisfies Partial<Record<Need, (facts: DeliveryFacts) => boolean>>;

/** The facts for the needs of an order's rows. */
export type OrderFacts = StepReport & {
  /** Whether a Duber has collected the laundry, or the Scrub has it. */
  readonly hasBagMoved: boolean;
  /** Whether the laundry is at the Scrub's. */
  readonly isLaundryHere: boolean;
  /** Whether the order waits for another Scrub, because its Scrub gave it back. */
  readonly isGivenBack: boolean;
  /** Whether somebody else than its Bud has the laundry, or nobody knows where it is. */
  readonly isLaundryAway: boolean;
  readonly isWithScrub: boolean;
  /** How the laundry gets home, if somebody says so; undefined while its Bud has it. */
  readonly wayHome: WayHome | undefined;
  /** Whether somebody must say how the laundry gets home, or who pays for that, and has not. */
  readonly lacksWayHome: boolean;
  /** Whether the town looks for the laundry already, or has: a Duber may have reported it as lost. */
  readonly isLookedFor: boolean;
  /** Whether the town's policy lets Scrubs press only while they have the laundry. */
  readonly isStartCareful: boolean;
  readonly isWeighed: boolean;
  /** Whether its Scrub has weighed it. */
  readonly hasWeight: boolean;
  readonly correction: CorrectionState | undefined;
  /** Whether its Bud was shown less than they pay for cancelling now. */
  readonly costsMore: boolean;
  /** Whether the Scrub whom the Bud chooses can take the order; undefined when there is no such Scrub. */
  readonly isNextScrubFree: boolean | undefined;
  /** Whether a Duber has the laundry, and has not reported it as lost. */
  readonly isWithDuber: boolean;
  /** Whether every delivery of the order has ended. */
  readonly haveDeliveriesEnded: boolean;
  readonly isClosed: boolean;
  /** Whether its people have agreed on windows, and so on a time at which the laundry is back. */
  readonly hasTimes: boolean;
  /** Whether the laundry is back, and whether it was by the promised time. */
  readonly isBack: boolean;
  readonly isBackInTime: boolean;
  /** Whether a missed promise is not paid yet; undefined where no row reads it. */
  readonly isCreditOwed: boolean | undefined;
  /** Whether somebody has proposed another time that its Bud has not answered. */
  readonly isProposed: boolean;
  readonly isProposedByTown: boolean;
  /** Whether it is too late for the pickup to move: a Duber is on the way to it, or the laundry has left its Bud. */
  readonly hasPickupBegun: boolean;
  /** What the windows that somebody asks for mean; undefined where no row reads it. */
  readonly move: WindowMove | undefined;
};

export const ORDER_NEEDS = {
  'no-bag-moved': ({ hasBagMoved }) => !hasBagMoved,
  'no-bag-here': ({ hasBagMoved, isLaundryHere }) => !hasBagMoved && !isLaundryHere,
  'laundry-here': ({ isLaundryHere }) => isLaundryHere,
  // An order that is cleaned again begins without its laundry.
  'laundry-seen': ({ isStartCareful, isLaundryHere }) => !isStartCareful || isLaundryHere,
  'laundry-in-hand': ({ isStartCareful, isWithScrub }) => !isStartCareful || isWithScrub,
  weighed: ({ isWeighed, hasWeight }) => !isWeighed || hasWeight,
  'correction-answered': ({ correction }) => correction !== 'asked',
  'way-home': ({ lacksWayHome }) => !lacksWayHome,
  'newly-lost': ({ wayHome, isLookedFor }) => wayHome === 'lost' && !isLookedFor,
  'is-brought': ({ wayHome }) => wayHome === 'bring',
  'fee-as-shown': ({ costsMore }) => !costsMore,
  'scrub-known': ({ isNextScrubFree }) => isNextScrubFree !== undefined,
  'scrub-available': ({ isNextScrubFree }) => isNextScrubFree === true,
  'still-theirs': ({ isGivenBack }) => !isGivenBack,
  'given-back': ({ isGivenBack }) => isGivenBack,
  'not-given-back': ({ isGivenBack }) => !isGivenBack,
  'not-with-a-duber': ({ isWithDuber }) => !isWithDuber,
  'deliveries-ended': ({ haveDeliveriesEnded }) => haveDeliveriesEnded,
  'not-closed': ({ isClosed }) => !isClosed,
  promised: ({ hasTimes }) => hasTimes,
  'not-promised': ({ hasTimes }) => !hasTimes,
  'not-back': ({ isBack }) => !isBack,
  'not-back-in-time': ({ isBackInTime }) => !isBackInTime,
  'credit-owed': ({ isCreditOwed }) => isCreditOwed !== false,
  'has-times': ({ hasTimes }) => hasTimes,
  'time-to-move': ({ move }) => move?.isInTime !== false,
  'pickup-not-begun': ({ move, hasPickupBegun }) => !hasPickupBegun || move?.movesPickup !== true,
  'other-times': ({ move }) => move?.isOther !== false,
  'window-offered': ({ move }) => move?.isOffered !== false,
  'not-faster': ({ move }) => move?.isFaster !== true,
  proposed: ({ isProposed }) => isProposed,
  'proposed-by-town': ({ isProposedByTown }) => isProposedByTown,
  'none-proposed': ({ isProposed }) => !isProposed,
} as const satisfies Partial<Record<Need, (facts: OrderFacts) => boolean>>;

/** What the needs of the rows of weighing look at. */
export type WeighingFacts = {
  /** Whether the order was placed while laundry was weighed. */
  readonly isWeighed: boolean;
  /** Whether a Scrub has accepted it, also one who gave it back since. */
  readonly wasAccepted: boolean;
  /** What the weight means that the Scrub sends now; undefined without one. */
  readonly verdict: WeighingVerdict['kind'] | 'earned' | undefined;
  readonly isLaundryHere: boolean;
  /** Whether its Scrub has weighed it. */
  readonly hasWeight: boolean;
  readonly correction: CorrectionState | undefined;
  /** When the Bud was asked, or the higher price was charged. */
  readonly correctedAt: Date | undefined;
  /** Whether the Scrub would wash what fits the limit. */
  readonly splits: boolean;
  /** Whether there is a size for the weight. */
  readonly isSold: boolean;
  /** Whether the Bud was shown what they pay with this answer now; without a price, it does not matter. */
  readonly isPriceAsShown?: boolean;
  readonly wasContested: boolean;
  readonly now: Date;
};

export const WEIGHING_NEEDS = {
  'is-weighed': ({ isWeighed }) => isWeighed,
  'accepted-once': ({ wasAccepted }) => wasAccepted,
  'already-earned': ({ verdict }) => verdict === 'earned',
  lighter: ({ verdict }) => verdict === 'lighter',
  heavier: ({ verdict }) => verdict === 'heavier',
  'beyond-limit': ({ verdict }) => verdict === 'beyond',
  'laundry-here': ({ isLaundryHere }) => isLaundryHere,
  'not-weighed-yet': ({ hasWeight }) => !hasWeight,
  asked: ({ correction }) => correction === 'asked',
  splits: ({ splits }) => splits,
  sold: ({ isSold }) => isSold,
  'price-as-shown': ({ isPriceAsShown }) => isPriceAsShown !== false,
  'charged-more': ({ correction }) => correction === 'auto',
  'first-contest': ({ wasContested }) => !wasContested,
  'first-day': ({ correctedAt, now }) =>
    correctedAt !== undefined && now.getTime() - correctedAt.getTime() < CONTEST_WEIGHT_WITHIN_MS,
} as const satisfies Partial<Record<Need, (facts: WeighingFacts) => boolean>>;

/** The facts for the needs of a case's rows. */
export type CaseFacts = {
  /** Whether the case waits for the caller, or is for all of its people. */
  readonly isTheirTurn: boolean;
  /** Whether the offer can be carried out now: it is covered, and the card was charged or the order can start over. */
  readonly isOfferPossible: boolean;
  /** Whether the town can decide so: below the caps, of what is left of the payment, and by those who can bear it. */
  readonly isDecisionPossible: boolean;
  /** Whether the town decided, and the caller pays for it or got less than they asked for. */
  readonly isBorneByCaller: boolean;
  /** Whether it opened because a Duber said that nobody was there, or gave them the laundry. */
  readonly isSaidByDuber: boolean;
  readonly wasDenied: boolean;
  readonly wasContested: boolean;
  readonly decidedAt: Date | undefined;
  /** Those beside which the case cannot be opened again, the oldest first. */
  readonly otherReports: readonly OtherReport[];
  /** Whether what the case is about has ended, so that nobody has to decide anything. */
  readonly isOver: boolean;
  /** Whether a refund of the case is in progress, or needs an operator. */
  readonly hasOpenRefund: boolean;
  /** Whether the Duber has collected laundry since they asked. */
  readonly hasCollectedSince: boolean;
  readonly now: Date;
};

const msUntilContestOver = ({ decidedAt, otherReports, now }: CaseFacts): number =>
  decidedAt === undefined ? 0 : contestableUntil(decidedAt, otherReports) - now.getTime();

/** The needs of a case's rows. `own-offer` and `within-claim` are rules for the body, which are checked before. */
export const CASE_NEEDS = {
  'their-turn': ({ isTheirTurn }) => isTheirTurn,
  'offer-possible': ({ isOfferPossible }) => isOfferPossible,
  'decision-possible': ({ isDecisionPossible }) => isDecisionPossible,
  undecided: ({ decidedAt }) => decidedAt === undefined,
  'is-over': ({ isOver }) => isOver,
  'said-by-duber': ({ isSaidByDuber }) => isSaidByDuber,
  'not-denied': ({ wasDenied }) => !wasDenied,
  'not-contested': ({ wasContested }) => !wasContested,
  'first-week': (facts) => msUntilContestOver(facts) > 0,
  'bears-it': ({ isBorneByCaller }) => isBorneByCaller,
  'none-open': ({ otherReports }) => otherReports.every(({ endedAt }) => endedAt !== null),
  'refunds-done': ({ hasOpenRefund }) => !hasOpenRefund,
  'contest-over': (facts) => msUntilContestOver(facts) <= 0,
  'collected-since': ({ hasCollectedSince }) => hasCollectedSince,
} as const satisfies Partial<Record<Need, (facts: CaseFacts) => boolean>>;

/** The facts for the needs of a chargeback's rows. */
export type DisputeFacts = {
  /** Whether the card network is being told what operators have decided. */
  readonly hasCall: boolean;
  /** Whether the report says who bears a chargeback that is accepted; true for other steps. */
  readonly isBearerKnown: boolean;
};

export const DISPUTE_NEEDS = {
  'no-call': ({ hasCall }) => !hasCall,
  'bearer-known': ({ isBearerKnown }) => isBearerKnown,
} as const satisfies Partial<Record<Need, (facts: DisputeFacts) => boolean>>;

/** The first need that the facts do not meet. Needs that are rules for the body are the call's. */
export function findMissingNeed<Facts>(
  needs: readonly Need[] | undefined,
  checks: Partial<Record<Need, (facts: Facts) => boolean>>,
  facts: Facts,
): Need | undefined {
  return needs?.find((need) => checks[need]?.(facts) === false);
}
