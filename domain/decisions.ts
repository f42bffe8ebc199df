import type { CaseKind, ClaimCaps } from './cases.ts';
import type { LiableParty } from './ledger.ts';
import { type Cents, formatDollars } from './payments.ts';

// The rules of a decision of the town: what it may give, and who bears it.

/** The town's decision about one item of a claim, or about a case without items. Amounts in cents. */
export type ItemDecision = {
  readonly n: number;
  readonly cents: Cents;
  readonly liable: LiableParty;
  /** Whose Duber bears it. Needed when the case does not say so, and several carried the laundry. */
  readonly deliveryId?: string | undefined;
};

/** What one side pays, or no longer pays. */
export type Share = { readonly liable: LiableParty; readonly cents: Cents; readonly deliveryId?: string | undefined };

/** The facts that a decision is checked against. */
export type DecisionFacts = {
  readonly kind: CaseKind;
  /** The numbers of the claimed items. A case without items has one decision, about the whole. */
  readonly items: readonly number[];
  readonly caps: ClaimCaps;
  readonly isAboutOrder: boolean;
  /** What can still go back to the card, and the end of a sentence that says why not more. Undefined when it was not charged. */
  readonly refundable: { readonly left: Cents; readonly why: string } | undefined;
  /** What earlier decisions have given, and who bears it. */
  readonly givenCents: Cents;
  readonly borne: readonly { readonly liable: LiableParty; readonly userId: string | null; readonly cents: Cents }[];
  /** The deliveries in which a Duber has had the laundry. */
  readonly carriers: readonly { readonly deliveryId: string; readonly duberId: string }[];
  /** The Duber who bears more when the decision names no delivery, or why nobody can be found. Undefined when nobody bears more. */
  readonly unnamedDuber:
    | { readonly ok: true; readonly userId: string | null }
    | { readonly ok: false; readonly why: string }
    | undefined;
};

export type DecisionPlan =
  | {
      readonly ok: true;
      /** The additional refund to the card. */
      readonly missing: readonly Share[];
      /** The part that the platform bears instead of the liable side. */
      readonly forgiven: readonly Share[];
    }
  | { readonly ok: false; readonly why: string };

const sumOf = (parts: readonly { readonly cents: Cents }[]): Cents => parts.reduce((sum, { cents }) => sum + cents, 0);

/** How much more a side bears with a decision than before. Below zero when the side bears less. */
export const centsMoreOf = (
  liable: LiableParty,
  items: readonly ItemDecision[],
  borne: DecisionFacts['borne'],
): Cents => sumOf(items.filter((item) => item.liable === liable)) - sumOf(borne.filter((one) => one.liable === liable));

/** The delivery that a decision names for the part of a Duber. */
export const namedDelivery = (items: readonly ItemDecision[]): string | undefined =>
  items.find(({ liable }) => liable === 'duber')?.deliveryId;

/** What a decision gives in addition, and what of that the platform bears, or why the town cannot decide so. */
export function planDecision(items: readonly ItemDecision[], facts: DecisionFacts): DecisionPlan {
  const why = findItemProblem(items, facts) ?? findAmountProblem(items, facts) ?? findDuberProblem(items, facts);
  return why === undefined ? divide(items, facts) : { ok: false, why };
}

/** What a plan moves. What a side no longer bears counts too, because the platform pays it. */
export const centsMovedBy = (
  items: readonly ItemDecision[],
  { forgiven }: Extract<DecisionPlan, { ok: true }>,
  givenCents: Cents,
): Cents => Math.max(0, sumOf(items) - givenCents) + sumOf(forgiven);

function findItemProblem(items: readonly ItemDecision[], facts: DecisionFacts): string | undefined {
  const numbers = facts.items.length === 0 ? [1] : facts.items;
  const unknown = items.find(({ n }) => !numbers.includes(n));
  if (unknown) return `it has no item ${unknown.n}`;
  return new Set(items.map(({ n }) => n)).size < items.length ? 'an item is named twice' : undefined;
}

function findAmountProblem(items: readonly ItemDecision[], facts: DecisionFacts): string | undefined {
  const { kind, caps, isAboutOrder, refundable, givenCents } = facts;
  const cents = sumOf(items);
  const above = kind === 'claim' ? items.find((item) => item.cents > caps.garment) : undefined;
  if (above) return `item ${above.n} can be given ${formatDollars(caps.garment)} at most`;
  // A refund without a case may exceed the limit. Its worker can contest the refund, and the town decides again.
  if (kind !== 'refund' && cents > caps.order) return `an order can be given ${formatDollars(caps.order)} at most`;
  if (cents === 0 || !isAboutOrder) return undefined;
  if (!refundable) return 'the card was not charged: nothing can go back to it';
  const left = refundable.left + givenCents;
  return cents > left ? `${formatDollars(left)} of what was paid is left for this case${refundable.why}` : undefined;
}

/** Each side has one refund, so it is one Duber. */
function findDuberProblem(items: readonly ItemDecision[], facts: DecisionFacts): string | undefined {
  if (items.some(({ liable, deliveryId }) => liable !== 'duber' && deliveryId !== undefined))
    return 'name a delivery only where its Duber bears it';
  const named = new Set(items.filter(({ liable }) => liable === 'duber').map(({ deliveryId }) => deliveryId));
  if (named.size > 1) return 'one Duber bears all of it: name the same delivery';
  const deliveryId = namedDelivery(items);
  const carrier = facts.carriers.find((one) => one.deliveryId === deliveryId);
  if (deliveryId !== undefined && !carrier) return 'no Duber carried laundry of this order in that delivery';
  const unnamed = carrier ? undefined : facts.unnamedDuber;
  if (unnamed?.ok === false) return unnamed.why;
  const duber = carrier?.duberId ?? unnamed?.userId ?? null;
  const others = facts.borne.filter(({ liable, userId }) => liable === 'duber' && userId !== duber);
  if (duber === null || others.length === 0) return undefined;
  return `another Duber has borne ${formatDollars(sumOf(others))}: nobody else can pay it now`;
}

/**
 * Divides a decision into the amounts that each side still pays and no longer pays. Earlier refunds stay on the card: the platform bears
 * the amount that a second decision takes off a side. That amount counts towards the platform's own part first.
 */
function divide(items: readonly ItemDecision[], { borne }: DecisionFacts): DecisionPlan {
  const moreOf = (liable: LiableParty) => ({ liable, cents: centsMoreOf(liable, items, borne) });
  const people = [moreOf('scrub'), { ...moreOf('duber'), deliveryId: namedDelivery(items) }];
  const [missing, forgiven] = [people.filter(({ cents }) => cents > 0), people.filter(({ cents }) => cents < 0)];
  const platform = moreOf('platform');
  const refused = platform.cents < 0 ? platform : missing.length > 0 ? forgiven[0] : undefined;
  if (refused) {
    const given = formatDollars(sumOf(borne.filter(({ liable }) => liable === refused.liable)));
    return { ok: false, why: `${given} was already given back by the ${refused.liable}: nobody else can pay it now` };
  }
  const cents = Math.max(0, platform.cents + sumOf(forgiven));
  return {
    ok: true,
    missing: [...missing, { ...platform, cents }],
    forgiven: forgiven.map((one) => ({ ...one, cents: -one.cents })),
  };
}
