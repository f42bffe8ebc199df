import { sql } from 'kysely';
import type { LiableParty } from '../../domain/ledger.ts';
import { formatDollars } from '../../domain/payments.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { lockPayment, takeBackTripsOfCase } from '../payments/earnings/pays.ts';
import { lockRefundableCents, readClaimCaps } from '../payments/refunds/refunds.ts';
import { findBearer, forgiveShares, refundShares, type Share } from './caseMoney.ts';
import { addCasePeople } from './caseSteps.sql.ts';
import { type CaseRow, listCarriers, listItems, listLiable, lockCase, lockRefundsOf } from './cases.sql.ts';
import { takeCaseStep } from './takeCaseStep.ts';

/** The town's decision about one item of a claim, or about a case without items. Amounts in cents. */
export type ItemDecision = {
  readonly n: number;
  readonly cents: number;
  readonly liable: LiableParty;
  /** Whose Duber bears it. Needed when the case does not say so, and several carried the laundry. */
  readonly deliveryId?: string | undefined;
};

export type Decision = {
  readonly caseId: string;
  /** Items that are not listed get nothing. */
  readonly items: readonly ItemDecision[];
  readonly reason: string;
  /** Who decides. */
  readonly name: string;
};

export type DecisionResult =
  | { readonly ok: true; readonly cents: number }
  | { readonly ok: false; readonly why: string };

class DecisionProblem extends Error {}

type TownContext = Pick<Context, 'db' | 'now' | 'newId'>;

/** Decides a case that is with the town. The refund is made at once, and the decision can be contested once. */
export function decideCase(context: TownContext, decision: Decision): Promise<DecisionResult> {
  return inTown(context, decision.caseId, async (tx, row) => {
    const { items, reason: words, name } = decision;
    const at = context.now();
    const { missing, forgiven } = await checkItems(tx, row, items, at);
    const cents = sumOf(items);
    await writeItems(tx, row, items);
    await forgiveShares(tx, at, row, forgiven);
    const why = await refundShares(tx, { newId: context.newId, at }, row, missing);
    if (why !== undefined) throw new DecisionProblem(why);
    await addBearers(tx, row.id);
    const by = { role: 'Operator', name } as const;
    // The total refund after the decision.
    const report = { words, cents: Math.max(cents, row.givenCents) };
    const step = { row, action: 'decide', by, report } as const;
    const result = await takeCaseStep(tx, { newId: context.newId, at }, step);
    return result.ok ? cents : refuseStatus(row);
  });
}

/** Who bears something is one of the people of the case: they are notified, read it, and can contest it. */
async function addBearers(tx: Tx, caseId: string): Promise<void> {
  const bearers = (await listLiable(tx, caseId)).flatMap(({ userId }) => userId ?? []);
  if (bearers.length > 0) await addCasePeople(tx, caseId, bearers);
}

/**
 * Whether a decision is possible now, without taking it. `cents` is the additional refund to the card, because a contested case
 * is decided a second time.
 */
export function checkDecision(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { caseId, items }: Pick<Decision, 'caseId' | 'items'>,
): Promise<DecisionResult> {
  return inTown({ db }, caseId, async (tx, row) => {
    const { forgiven } = await checkItems(tx, row, items, now());
    // What a side no longer bears counts too, because the platform pays it.
    return Math.max(0, sumOf(items) - row.givenCents) + sumOf(forgiven);
  });
}

async function checkItems(tx: Tx, row: CaseRow, items: readonly ItemDecision[], at: Date): Promise<SharesOfDecision> {
  await refuseUnknownItems(tx, row, items);
  // Before the refunds, as everybody does: otherwise this and the worker that makes a refund could wait for each other.
  if (row.orderId !== null) await lockPayment(tx, row.orderId);
  await lockRefundsOf(tx, row.id);
  await refuseAboveCaps(tx, row, items, sumOf(items), at);
  return findShares(tx, row, items);
}

/** Closes a case that is with the town, without a decision. The Duber may not be paid for the trip that waits for it. */
export function closeCase(
  context: TownContext,
  { caseId, reason: words, name, takesBackTrip = false }: Omit<Decision, 'items'> & { takesBackTrip?: boolean },
): Promise<DecisionResult> {
  return inTown(context, caseId, async (tx, row) => {
    if (takesBackTrip) await takeBackTripsOfCase(tx, row.id, context.now());
    const by = { role: 'Operator', name } as const;
    const step = { row, action: 'close', by, report: { words } } as const;
    const result = await takeCaseStep(tx, { newId: context.newId, at: context.now() }, step);
    return result.ok ? 0 : refuseStatus(row);
  });
}

async function inTown(
  { db }: Pick<Context, 'db'>,
  caseId: string,
  work: (tx: Tx, row: CaseRow) => Promise<number>,
): Promise<DecisionResult> {
  try {
    return await transactStep(db, async (tx) => {
      const row = await lockCase(tx, caseId);
      if (row?.status !== 'with-town') throw new DecisionProblem(row ? statusProblem(row) : 'there is no such case');
      return { ok: true, cents: await work(tx, row) };
    });
  } catch (error) {
    if (error instanceof DecisionProblem) return { ok: false, why: error.message };
    throw error;
  }
}

const statusProblem = ({ status }: CaseRow) => `it is ${status}: the town decides only what is with-town`;

function refuseStatus(row: CaseRow): never {
  throw new DecisionProblem(statusProblem(row));
}

/** A case without items has one decision, about the whole. */
async function refuseUnknownItems(tx: Tx, row: CaseRow, items: readonly ItemDecision[]): Promise<void> {
  const known = (await listItems(tx, row.id)).map(({ n }) => n);
  const numbers = known.length === 0 ? [1] : known;
  const unknown = items.find(({ n }) => !numbers.includes(n));
  if (unknown) throw new DecisionProblem(`it has no item ${unknown.n}`);
  if (new Set(items.map(({ n }) => n)).size < items.length) throw new DecisionProblem('an item is named twice');
}

async function refuseAboveCaps(
  tx: Tx,
  row: CaseRow,
  items: readonly ItemDecision[],
  cents: number,
  at: Date,
): Promise<void> {
  const caps = await readClaimCaps(tx, at);
  const above = row.kind === 'claim' ? items.find((item) => item.cents > caps.garment) : undefined;
  if (above) throw new DecisionProblem(`item ${above.n} can be given ${formatDollars(caps.garment)} at most`);
  // A refund without a case may exceed the limit. Its worker can contest the refund, and this function decides again.
  if (row.kind !== 'refund' && cents > caps.order)
    throw new DecisionProblem(`an order can be given ${formatDollars(caps.order)} at most`);
  if (cents === 0 || row.orderId === null) return;
  const refundable = await lockRefundableCents(tx, row.orderId);
  if (!refundable) throw new DecisionProblem('the card was not charged: nothing can go back to it');
  const left = refundable.left + row.givenCents;
  if (cents > left)
    throw new DecisionProblem(`${formatDollars(left)} of what was paid is left for this case${refundable.why}`);
}

type SharesOfDecision = {
  /** The additional refund to the card. */
  readonly missing: readonly Share[];
  /** The part that the platform bears instead of the liable side. */
  readonly forgiven: readonly Share[];
};

/**
 * What each side still has to pay, and what it no longer has to pay. Earlier refunds stay on the card: the platform bears what
 * the second decision removes from a side, which counts first towards the platform's own part.
 */
async function findShares(tx: Tx, row: CaseRow, items: readonly ItemDecision[]): Promise<SharesOfDecision> {
  const before = await listLiable(tx, row.id);
  const moreOf = (liable: LiableParty) => ({
    liable,
    cents: sumOf(items.filter((item) => item.liable === liable)) - sumOf(before.filter((one) => one.liable === liable)),
  });
  const named = await findNamedCarrier(tx, row, items);
  const ofDuber = { ...moreOf('duber'), deliveryId: named?.deliveryId };
  const duber = named?.duberId ?? (ofDuber.cents > 0 ? await bearerOf(tx, row, ofDuber) : null);
  if (duber !== null) refuseAnotherDuber(duber, before);
  const people = [moreOf('scrub'), ofDuber];
  const [missing, forgiven] = [people.filter(({ cents }) => cents > 0), people.filter(({ cents }) => cents < 0)];
  const platform = moreOf('platform');
  const refused = platform.cents < 0 ? platform : missing.length > 0 ? forgiven[0] : undefined;
  if (refused) {
    const given = formatDollars(sumOf(before.filter(({ liable }) => liable === refused.liable)));
    throw new DecisionProblem(`${given} was already given back by the ${refused.liable}: nobody else can pay it now`);
  }
  const cents = Math.max(0, platform.cents + sumOf(forgiven));
  return {
    missing: [...missing, { ...platform, cents }],
    forgiven: forgiven.map((one) => ({ ...one, cents: -one.cents })),
  };
}

/** Who bears what the decision asks of a Duber without naming one. */
async function bearerOf(tx: Tx, row: CaseRow, share: Share): Promise<string | null> {
  const bearer = await findBearer(tx, row, share);
  if (!bearer.ok) throw new DecisionProblem(bearer.why);
  return bearer.userId;
}

/** The delivery whose Duber bears what a decision asks of a Duber. Each side has one refund, so it is one Duber. */
async function findNamedCarrier(tx: Tx, row: CaseRow, items: readonly ItemDecision[]) {
  if (items.some(({ liable, deliveryId }) => liable !== 'duber' && deliveryId !== undefined))
    throw new DecisionProblem('name a delivery only where its Duber bears it');
  const named = new Set(items.filter(({ liable }) => liable === 'duber').map(({ deliveryId }) => deliveryId));
  if (named.size > 1) throw new DecisionProblem('one Duber bears all of it: name the same delivery');
  const [deliveryId] = named;
  if (deliveryId === undefined) return undefined;
  const carrier = (await listCarriers(tx, row.orderId)).find((one) => one.deliveryId === deliveryId);
  if (!carrier) throw new DecisionProblem('no Duber carried laundry of this order in that delivery');
  return carrier;
}

function refuseAnotherDuber(duber: string, before: Awaited<ReturnType<typeof listLiable>>): void {
  const others = before.filter(({ liable, userId }) => liable === 'duber' && userId !== duber);
  if (others.length > 0)
    throw new DecisionProblem(`another Duber has borne ${formatDollars(sumOf(others))}: nobody else can pay it now`);
}

const sumOf = (parts: readonly { readonly cents: number }[]) => parts.reduce((sum, { cents }) => sum + cents, 0);

async function writeItems(tx: Tx, row: CaseRow, items: readonly ItemDecision[]): Promise<void> {
  await tx.updateTable('claim_items').set({ decided: 0, liable: 'platform' }).where('case_id', '=', row.id).execute();
  for (const { n, cents, liable } of items) {
    await tx
      .updateTable('claim_items')
      .set({ decided: cents, liable })
      .where(sql<boolean>`case_id = ${row.id} and n = ${n}`)
      .execute();
  }
}
