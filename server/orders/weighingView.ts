import type { Correction, Weighing } from '../../contract/weighing.ts';
import { WEIGHING_NEEDS, type WeighingFacts } from '../../domain/needs.ts';
import { toDollars } from '../../domain/payments.ts';
import { totalOfLines } from '../../domain/prices.ts';
import { linesOfSize, WEIGHING_ROWS, type WeighingRow, type WeighingTaken } from '../../domain/process/weighing.ts';
import { discountOn } from '../../domain/promos.ts';
import {
  CONTEST_WEIGHT_WITHIN_MS,
  CORRECTION_ANSWERS,
  CORRECTION_LIFETIME_MS,
  type CorrectionAnswer,
} from '../../domain/weighing.ts';
import { type ChosenRow, chooseRow } from '../../domain/workflow.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import { readTariffIn } from '../payments/prices/prices.sql.ts';
import { wasAccepted } from '../process/steps.sql.ts';
import { type Delivery, isLaundryAtScrub, readDeliveries } from './orderFacts.sql.ts';
import { findOrder, type OrderParty } from './orders.sql.ts';
import { type CorrectionRow, findCorrection, listWeights, readWeighedOrder, type Weight } from './weighings.sql.ts';

/** An order that is weighed: what it was placed with, what it weighs, and what became of its price. */
export type WeighedLaundry = WeighingTaken & {
  readonly order: OrderRow;
  readonly weights: readonly Weight[];
  readonly correction: CorrectionRow | undefined;
  readonly facts: WeighingFacts;
};

export async function readWeighedLaundry(
  tx: Tx,
  order: OrderRow,
  deliveries: readonly Delivery[],
  now: Date,
): Promise<WeighedLaundry> {
  const { size, ceilingSize, pricedAt, zoneId, lines } = orNotFound(await readWeighedOrder(tx, order.id));
  const isWeighed = ceilingSize !== null;
  const weights = isWeighed ? await listWeights(tx, order.id) : [];
  const correction = isWeighed ? await findCorrection(tx, order.id) : undefined;
  const facts: WeighingFacts = {
    isWeighed,
    wasAccepted: order.status !== 'Requested' || (await wasAccepted(tx, order.id)),
    verdict: undefined,
    isLaundryHere: isLaundryAtScrub(order, deliveries),
    hasWeight: weights.some(({ scale }) => scale === 'scrub'),
    correction: correction?.state,
    correctedAt: correction?.at,
    splits: correction?.splits ?? false,
    isSold: correction?.toSize !== null,
    wasContested: (correction?.contestedAt ?? null) !== null,
    now,
  };
  const tariff = await readTariffIn(tx, zoneId, pricedAt ?? now);
  const toSize = correction?.toSize ?? null;
  return { order, size, limit: ceilingSize ?? size, toSize, lines, tariff, weights, correction, facts };
}

/** The row of weighing that somebody can take with an action now. */
export const chooseWeighingRow = (
  { order, facts }: Pick<WeighedLaundry, 'order' | 'facts'>,
  action: WeighingRow['action'],
  by: 'Bud' | 'Scrub' | 'System',
): ChosenRow<WeighingRow> =>
  chooseRow<WeighingRow, WeighingFacts>(WEIGHING_ROWS, { action, status: order.status, by }, WEIGHING_NEEDS, facts);

/** What the card pays after an answer, in cents: less what a promo code takes off. */
export function centsToPay(laundry: WeighedLaundry, answer: CorrectionAnswer): number {
  const { totalPrice: total, discount } = laundry.order;
  const cents = centsOfAnswer(laundry, answer);
  return cents - discountOn(cents, { total, discount: discount ?? 0 });
}

/** What an order costs after an answer, in cents. */
function centsOfAnswer(laundry: WeighedLaundry, answer: CorrectionAnswer): number {
  const row = (WEIGHING_ROWS as readonly WeighingRow[]).find(({ action }) => action === answer);
  return totalOfLines(row?.charges?.(laundry).lines ?? laundry.lines);
}

export async function readWeighing(tx: Tx, caller: OrderParty, id: string, now: Date): Promise<Weighing> {
  const order = orNotFound(await findOrder(tx, caller, id));
  return describeWeighing(await readWeighedLaundry(tx, order, await readDeliveries(tx, id), now), caller.role);
}

/** What the Bud or the Scrub of an order reads about its weight. */
function describeWeighing(laundry: WeighedLaundry, role: OrderParty['role']): Weighing {
  const { order, size, limit: ceilingSize, weights, correction, facts } = laundry;
  const estimate = correction?.fromCents ?? order.totalPrice;
  return {
    orderId: order.id,
    isWeighed: facts.isWeighed,
    size,
    ceilingSize,
    estimate: toDollars(estimate),
    atMost: toDollars(Math.max(estimate, facts.isWeighed ? totalOfLines(linesOfSize(ceilingSize, laundry)) : 0)),
    canWeigh: role === 'Scrub' && chooseWeighingRow(laundry, 'weigh', 'Scrub').ok,
    weighings: weights.map(({ scale, grams, at, fileIds }) => ({
      ...{ scale, grams, at: at.toISOString(), fileIds: [...fileIds] },
    })),
    correction: correction ? describeCorrection(laundry, correction, role) : null,
  };
}

const isoAfter = (at: Date, ms: number) => new Date(at.getTime() + ms).toISOString();

function describeCorrection(laundry: WeighedLaundry, row: CorrectionRow, role: OrderParty['role']): Correction {
  const { state, answeredBy, fromSize, toSize, toCents, splits, at, contestedAt } = row;
  const open = CORRECTION_ANSWERS.filter((answer) => chooseWeighingRow(laundry, answer, 'Bud').ok);
  const answers = open.map((answer) => ({ answer, price: toDollars(centsToPay(laundry, answer)) }));
  return {
    ...{ state, answeredBy, fromSize, toSize, splits },
    price: toCents === null ? null : toDollars(toCents),
    answerBy: state === 'asked' ? isoAfter(at, CORRECTION_LIFETIME_MS) : null,
    contestBy: state === 'auto' ? isoAfter(at, CONTEST_WEIGHT_WITHIN_MS) : null,
    isContested: contestedAt !== null,
    answers: role === 'Bud' ? answers : [],
  };
}
