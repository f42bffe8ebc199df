import { DAY_MS } from '../domain/durations.ts';

// The state of one order in the model of random exceptions.

export type Person = 'bud' | 'scrub' | 'otherScrub' | 'duber' | 'otherDuber';
export type Duber = Extract<Person, 'duber' | 'otherDuber'>;
/** An operator of the town, or one of the people. */
export type Actor = Person | 'operator';

export type Place = { readonly latitude: number; readonly longitude: number };

export type Delivery = {
  readonly id: string;
  readonly type: 'Bud_To_Scrub' | 'Scrub_To_Bud';
  /** How often its order had started over when it was opened, and how often it did itself. Both from 1. */
  readonly round: number;
  attempt: number;
  status: string;
  duber: Duber | undefined;
  hasLaundry: boolean;
  /** Who has the laundry of a delivery that was relayed, until the next Duber collects it. */
  carrier: Duber | undefined;
  /** Where that is, until it is brought back. */
  meetingPlace: Place | undefined;
  isLost: boolean;
  /** When its laundry was reported as lost, unless it was found since. */
  lostAt: number | undefined;
  /** Whether it was called off while its laundry was lost, or with an earlier Duber. */
  isLeftBehind: boolean;
  /** Whether the Scrub has gone on with it since it was delivered. */
  isUsed: boolean;
  /** When its Duber said "arrived" at each status, in ms. */
  arrivals: Record<string, number>;
  changedAt: number;
  /** When its last step was taken. */
  heardAt: number;
  collectedAt: number;
  /** When its Duber accepted it. */
  acceptedAt: number;
  /** When its Duber set off again with laundry that nobody took, or that was found. */
  triedAgainAt: number | undefined;
  /** The same, also when they brought it back. */
  wentOnAt: number | undefined;
  reOffers: number;
  /** How often each Duber took a step back. */
  readonly corrections: Record<Duber, number>;
  /** Who gave it back or lost it last, and when. */
  leftBy: Duber | undefined;
  leftAt: number;
};

/** The laundry changed hands. */
export type Handover = {
  readonly giver: Person;
  readonly taker: Person;
  readonly delivery: Delivery | undefined;
  /** The attempt of the delivery that made it. */
  readonly attempt: number | undefined;
  readonly bags: number | undefined;
  readonly takesBack: boolean;
  /** Whether its taker made it, on their own phone. */
  readonly isPressed: boolean;
  /** The bags that the taker counted when they said afterwards that they have it. */
  confirmed: number | undefined;
  readonly at: number;
};

/** Who bears what goes back to the card. */
export type Liable = 'platform' | 'scrub' | 'duber';

/** Something that went wrong with an order. Amounts in cents. */
export type Case = {
  /** Undefined until somebody has looked it up. */
  id: string | undefined;
  readonly kind: string;
  readonly delivery: Delivery | undefined;
  /** The person whose claim it is. */
  readonly opener: 'bud' | undefined;
  readonly about: Person | undefined;
  status: 'with-scrub' | 'with-duber' | 'with-bud' | 'with-town' | 'decided' | 'closed' | 'closing';
  priority: 'normal' | 'high';
  readonly openedAt: number;
  /** When its last event was. */
  since: number;
  readonly asked: number;
  offer: { readonly kind: string; readonly cents: number } | undefined;
  /** Whether the one who made the offer had earned what it costs, when it was last looked at. */
  isCovered: boolean;
  decidedBy: 'Bud' | 'Operator' | 'System' | undefined;
  decidedCents: number;
  /** What each side bears of what went back to the card. */
  borne: Record<Liable, number>;
  /** The Duber who bears the part of the Dubers. */
  bearer: Duber | undefined;
  wasContested: boolean;
  /** Whether the Bud has said that this is not true. */
  wasDenied: boolean;
};

/** What an order weighs and costs, as the model knows it. */
export type Weighing = {
  cents: number;
  size: string;
  scrub: number | undefined;
  /** What was weighed of the laundry that a Duber had on board then. */
  duber:
    | { readonly pounds: number; readonly delivery: Delivery; readonly by: Delivery['duber']; readonly at: number }
    | undefined;
  splits: boolean;
  isSold: boolean;
  /** Since when the Bud is asked. */
  askedAt: number | undefined;
  /** When more was charged without asking. */
  chargedMoreAt: number | undefined;
  isContested: boolean;
  /** Whether the estimate was charged, because nobody had weighed it for six days. */
  isEstimateCharged: boolean;
};

const createWeighing = (): Weighing => ({
  ...{ cents: 2683, size: 'Medium', scrub: undefined, duber: undefined, splits: false, isSold: true },
  ...{ askedAt: undefined, chargedMoreAt: undefined, isContested: false },
  isEstimateCharged: false,
});

/** The policies of the installation. */
export type Town = { readonly isCareful: boolean };

export type WayHome = 'bring' | 'fetch' | 'lost';

export type Life = {
  readonly id: string;
  readonly createdAt: number;
  status: string;
  round: number;
  /** How the laundry gets home of an order that was cancelled while its Bud did not have it. */
  wayHome: WayHome | undefined;
  readonly town: Town;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  /** Whether it was placed with the promo code of the model. */
  readonly hasPromo: boolean;
  scrub: Extract<Person, 'scrub' | 'otherScrub'>;
  isGivenBack: boolean;
  /** The Scrubs who gave it back and cannot be chosen again. */
  gaveBack: Person[];
  wasAccepted: boolean;
  leaveAtDoor: boolean;
  /** Whether the Bud has handed the laundry to the Scrub in this round, without a Duber. */
  isHandedOver: boolean;
  completedAt: number | undefined;
  cancelledAt: number | undefined;
  isClosed: boolean;
  /** When the server does something by itself. */
  due: {
    request: number | undefined;
    silentScrub: number | undefined;
    late: number | undefined;
    close: number | undefined;
  };
  /** The rounds in which the town was told of a silent Scrub. */
  silentRounds: number[];
  deliveries: Delivery[];
  handovers: Handover[];
  /** Undefined when it is not weighed. */
  readonly weighing: Weighing | undefined;
  cases: Case[];
  /** What was tried, to explain a failure. */
  trace: string[];
};

/** The promo code of some orders, and what it takes off, in cents. */
export const PROMO = { code: 'MODEL-5', value: 500 } as const;

/** What an order is placed with besides its ways. */
export const termsOf = ({ isCareful }: Town, hasPromo: boolean) => ({
  ...(isCareful ? { ceilingSize: 'Large' } : {}),
  ...(hasPromo ? { promoCode: PROMO.code } : {}),
});

/** Who has the laundry. */
export const holderOf = ({ handovers }: Life): Person => handovers.at(-1)?.taker ?? 'bud';

type NewLife = Pick<Life, 'id' | 'town' | 'selfDelivery' | 'selfPickup' | 'hasPromo'>;

export const createLife = (order: NewLife, now: number): Life => ({
  ...order,
  ...{ createdAt: now, status: 'Requested', round: 1, scrub: 'scrub', isGivenBack: false, gaveBack: [] },
  wayHome: undefined,
  cancelledAt: undefined,
  ...{ wasAccepted: false, leaveAtDoor: false, isHandedOver: false, completedAt: undefined, isClosed: false },
  due: { request: now + DAY_MS, silentScrub: undefined, late: undefined, close: undefined },
  ...{ silentRounds: [], deliveries: [], handovers: [], cases: [], trace: [] },
  weighing: order.town.isCareful ? createWeighing() : undefined,
});

export const createDelivery = (
  { id, type, round }: Pick<Delivery, 'id' | 'type' | 'round'>,
  now: number,
): Delivery => ({
  ...{ id, type, round, attempt: 1, status: 'Pending', duber: undefined, hasLaundry: false, carrier: undefined },
  meetingPlace: undefined,
  lostAt: undefined,
  ...{ isLeftBehind: false, triedAgainAt: undefined, wentOnAt: undefined },
  ...{ isLost: false, isUsed: false, arrivals: {}, changedAt: now, heardAt: now, collectedAt: 0, reOffers: 0 },
  acceptedAt: 0,
  ...{ leftBy: undefined, leftAt: 0, corrections: { duber: 0, otherDuber: 0 } },
});

/** After a step of the Scrub, a Duber cannot take back that the laundry was delivered. At the same moment it may have been before. */
export function useLaundry(life: Life, now: number): void {
  for (const delivery of life.deliveries)
    if (delivery.status === 'Delivered' && now > delivery.changedAt) delivery.isUsed = true;
}

/** What a new case has before anybody decides it. */
export const undecided = () => ({
  ...{
    offer: undefined,
    isCovered: true,
    decidedBy: undefined,
    decidedCents: 0,
    bearer: undefined,
    wasContested: false,
  },
  wasDenied: false,
  borne: { platform: 0, scrub: 0, duber: 0 },
});

/** Opens a case that nobody reports, unless one of its kind about the same thing is open. */
export function openCase(
  life: Life,
  kind: string,
  now: number,
  subject: { delivery?: Delivery; about?: Person | undefined } = {},
): void {
  const { delivery, about } = subject;
  const isSame = (one: Case) =>
    one.kind === kind && one.delivery === delivery && one.opener === undefined && isOpenCase(one);
  if (life.cases.some(isSame)) return;
  life.cases.push({
    ...{ id: undefined, kind, delivery, opener: undefined, about, status: 'with-town' },
    ...{ priority: kind === 'lost' ? 'high' : 'normal', openedAt: now, since: now, asked: 0 },
    ...undecided(),
  });
}

export const isOpenCase = ({ status }: Case): boolean => !['decided', 'closed', 'closing'].includes(status);

/** Another report of the same kind by the same person, or about the same: one of them is open at a time. */
export const isAnotherOfSame = (one: Case) => (other: Case) =>
  other !== one &&
  other.opener === one.opener &&
  (one.opener === 'bud' || (other.kind === one.kind && other.delivery === one.delivery));

/** The case is no longer open, so the time in which a decision beside it can be contested begins again. */
export function endCase(life: Life, one: Case, ended: Partial<Case>, now: number): void {
  Object.assign(one, { ...ended, since: now });
  for (const other of life.cases.filter(isAnotherOfSame(one))) if (other.status === 'decided') other.since = now;
}
