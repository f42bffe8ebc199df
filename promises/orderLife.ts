import { DAY_MS } from '../domain/durations.ts';

// The state of one order in the model of random exceptions.

export type Person = 'bud' | 'scrub' | 'otherScrub' | 'duber' | 'otherDuber';
export type Duber = Extract<Person, 'duber' | 'otherDuber'>;

export type Leg = {
  readonly id: string;
  readonly type: 'Bud_To_Scrub' | 'Scrub_To_Bud';
  status: string;
  duber: Duber | undefined;
  hasLaundry: boolean;
  isLost: boolean;
  /** Whether the Scrub has gone on with it since it was delivered. */
  isUsed: boolean;
  /** Since when the Duber is at the present door, in ms. */
  arrivedAt: number | undefined;
  changedAt: number;
  /** When its Duber took a step last. */
  heardAt: number;
  collectedAt: number;
  wasOfferedAgain: boolean;
  /** How often each Duber took a step back. */
  readonly corrections: Record<Duber, number>;
  /** Who gave it back or lost it last, and when. */
  leftBy: Duber | undefined;
  leftAt: number;
};

/** The laundry changed hands. */
type Handover = {
  readonly giver: Person;
  readonly taker: Person;
  readonly leg: Leg | undefined;
  readonly bags: number | undefined;
  readonly takesBack: boolean;
};

/** What an order weighs and costs, as the model knows it. */
export type Weighing = {
  cents: number;
  size: string;
  scrub: number | undefined;
  /** What was weighed of the laundry that a Duber had on board then. */
  duber: { readonly pounds: number; readonly leg: Leg; readonly by: Leg['duber']; readonly at: number } | undefined;
  splits: boolean;
  isSold: boolean;
  /** Since when the Bud is asked. */
  askedAt: number | undefined;
  /** When more was charged without asking. */
  chargedMoreAt: number | undefined;
  isContested: boolean;
};

const createWeighing = (): Weighing => ({
  ...{ cents: 2683, size: 'Medium', scrub: undefined, duber: undefined, splits: false, isSold: true },
  ...{ askedAt: undefined, chargedMoreAt: undefined, isContested: false },
});

/** The policies of the installation. */
export type Town = { readonly isCareful: boolean };

export type Life = {
  readonly id: string;
  status: string;
  readonly town: Town;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  /** Whether it was placed with the promo code of the model. */
  readonly hasPromo: boolean;
  scrub: Extract<Person, 'scrub' | 'otherScrub'>;
  isGivenBack: boolean;
  /** The Scrubs who gave it back and cannot be chosen again. */
  gaveBack: Person[];
  /** When a request ends that nobody answers. */
  endsAt: number;
  legs: Leg[];
  handovers: Handover[];
  /** Undefined when it is not weighed. */
  readonly weighing: Weighing | undefined;
  /** The kinds of cases that were opened. */
  cases: Set<string>;
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
  ...{ status: 'Requested', scrub: 'scrub', isGivenBack: false, gaveBack: [], endsAt: now + DAY_MS },
  ...{ legs: [], handovers: [], cases: new Set(), trace: [] },
  weighing: order.town.isCareful ? createWeighing() : undefined,
});

export const createLeg = ({ id, type }: Pick<Leg, 'id' | 'type'>, now: number): Leg => ({
  ...{
    id,
    type,
    status: 'Pending',
    duber: undefined,
    hasLaundry: false,
    isLost: false,
    isUsed: false,
    arrivedAt: undefined,
  },
  ...{ changedAt: now, heardAt: now, collectedAt: 0, wasOfferedAgain: false, leftBy: undefined, leftAt: 0 },
  corrections: { duber: 0, otherDuber: 0 },
});

/** After a step of the Scrub, a Duber cannot take back that the laundry was delivered. At the same moment it may have been before. */
export function useLaundry(life: Life, now: number): void {
  for (const leg of life.legs) if (leg.status === 'Delivered' && now > leg.changedAt) leg.isUsed = true;
}
