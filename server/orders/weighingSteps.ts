import { v7 as newId } from 'uuid';
import type { OrderStep } from '../../contract/orders.ts';
import { WEIGHING_NEEDS, type WeighingFacts } from '../../domain/needs.ts';
import { soldSizes, toCents } from '../../domain/payments.ts';
import { capLines, totalOfLines } from '../../domain/prices.ts';
import { linesOfSize, WEIGHING_ROWS, type WeighingRow } from '../../domain/process/weighing.ts';
import { CORRECTION_ANSWERS, decidingWeight, formatPounds, judgeWeight } from '../../domain/weighing.ts';
import { openCaseOfStep } from '../cases/caseOfStep.ts';
import { openCase } from '../cases/openCase.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import type { Late } from '../db/driver.ts';
import { publishOrderUpdate } from '../events/publish.ts';
import { attachFiles } from '../files/files.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import {
  captureFinalPrice,
  chargeEstimate,
  lockWeighedPayment,
  readWeighedPayment,
} from '../payments/charge/weighedPayments.ts';
import { keepTimers } from '../process/orderTimers.sql.ts';
import { type Asked, type StepDone, type StepSubject, type StepTaken, SYSTEM, tryStep } from '../process/takeStep.ts';
import { lockDeliveries, readDeliveries } from './orderFacts.sql.ts';
import { moveOrder } from './orderSteps.sql.ts';
import { askForLock, type OrderTaker } from './orders.sql.ts';
import { refuseChoice } from './refuseChoice.ts';
import {
  deleteOtherWeight,
  insertCorrection,
  insertWeight,
  markAnswered,
  markContested,
  setSizeAndPrice,
} from './weighings.sql.ts';
import { centsToPay, readWeighedLaundry, type WeighedLaundry } from './weighingView.ts';

type WeighingRequest = {
  readonly id: string;
  readonly action: WeighingRow['action'];
  readonly words?: string | undefined;
  /** What the Bud was told that they pay then, in dollars. */
  readonly price?: number | undefined;
  /** What the Scrub says of the laundry with `weigh`. */
  readonly weighed?: { readonly grams: number; readonly splits: boolean; readonly fileIds: readonly string[] };
  readonly requestKey?: Buffer | null;
};

type WeighingKind = {
  readonly actor: Extract<OrderTaker, { role: 'Bud' | 'Scrub' | 'System' }>;
  readonly row: WeighingRow;
  readonly request: WeighingRequest;
  readonly locked: Late<OrderRow | undefined>;
  readonly facts: WeighedLaundry & Pick<OrderRow, 'status'>;
  readonly needed: WeighingFacts;
  readonly answer: OrderStep;
};
type WeighingDone = StepDone<WeighingKind>;

/** The rows of weighing: they lock the order, and leave its status as it is. */
export const WEIGHING: StepSubject<WeighingKind> = {
  rows: WEIGHING_ROWS,
  needs: WEIGHING_NEEDS,
  lock: askForLock,
  readFacts,
  refuse: async (_tx, { facts, why }) => (facts ? refuseChoice(why, facts.status) : refuse('notFound')),
  write: writeStep,
  effects: [applyWeighingEffects],
  wakes: () => ['payments', 'events'],
};

/** A row of the System, if it fits. The caller has locked the order. */
export const tryWeighingStep = (tx: Tx, locked: OrderRow, action: WeighingRow['action'], at: Date) =>
  tryStep(tx, WEIGHING, { actor: SYSTEM, request: { id: locked.id, action }, locked: async () => locked }, at);

async function readFacts(tx: Tx, { request, locked }: Asked<WeighingKind>, at: Date) {
  const order = await locked();
  if (!order) return undefined;
  const { weighed, price } = request;
  const read = await readWeighedLaundry(tx, order, await (weighed ? lockDeliveries : readDeliveries)(tx, order.id), at);
  const laundry = weighed ? await judgeLaundry(tx, read, weighed.grams) : read;
  const answer = CORRECTION_ANSWERS.find((one) => one === request.action);
  const isPriceAsShown = price === undefined || !answer || toCents(price) === centsToPay(laundry, answer);
  return { facts: { ...laundry, status: order.status }, needed: { ...laundry.facts, isPriceAsShown }, at };
}

const duberGramsOf = ({ weights }: WeighedLaundry): number | undefined =>
  weights.find(({ scale }) => scale === 'duber')?.grams;

/** Adds the verdict on a weight to the laundry. */
async function judgeLaundry(tx: Tx, laundry: WeighedLaundry, scrub: number): Promise<WeighedLaundry> {
  const { order, size, limit, tariff, facts } = laundry;
  const { grams } = decidingWeight({ scrub, duber: duberGramsOf(laundry) });
  const verdict = judgeWeight(grams, { size, limit, sold: soldSizes(tariff) });
  const payment = await readWeighedPayment(tx, order.id);
  // An estimate that was charged, because nobody weighed in time, is only lowered.
  const kind = payment?.isCharged && verdict.kind !== 'lighter' ? 'same' : verdict.kind;
  const toSize = 'size' in verdict ? (verdict.size ?? null) : null;
  return { ...laundry, toSize, facts: { ...facts, verdict: payment?.mayChange === false ? 'earned' : kind } };
}

async function writeStep(tx: Tx, { actor, request, row, facts, at }: StepTaken<WeighingKind>): Promise<OrderStep> {
  const { id, action, words, weighed } = request;
  if (weighed && actor.id !== null) {
    const { grams, splits, fileIds } = weighed;
    await deleteOtherWeight(tx, id);
    const weight = { id: newId(), orderId: id, round: facts.order.round, scale: 'scrub' as const, byId: actor.id };
    await insertWeight(tx, { ...weight, deliveryId: null, grams, splits }, at);
    await attachFiles(tx, { owner: actor.id, fileIds, aboutKind: 'weighing', aboutId: weight.id });
  }
  return moveOrder(tx, actor, { id, action, from: row.from, to: row.to, words }, at);
}

/** Applies the effects of a step of weighing. */
async function applyWeighingEffects(tx: Tx, done: WeighingDone): Promise<undefined> {
  const { row, actor, facts: laundry, answer: step, at } = done;
  const { id: orderId } = laundry.order;
  // Before money is locked.
  if (row.comparesScales) await compareScales(tx, done);
  if (row.contests) await markContested(tx, orderId, at);
  await correctPrice(tx, done);
  if (row.answers)
    await markAnswered(tx, orderId, { state: row.answers, by: actor.role === 'Bud' ? 'Bud' : 'System' }, at);
  if (row.charges) await chargePrice(tx, orderId, row.charges(laundry), at);
  if (row.chargesEstimate) await chargeEstimate(tx, orderId, at);
  await openCaseOfStep(tx, done, { orderId, by: actor.role === 'System' ? undefined : actor });
  await publishOrderUpdate(tx, step, { notifies: row.notifies });
  await keepTimers(tx, orderId, at);
}

async function compareScales(tx: Tx, { facts, request: { weighed }, at }: WeighingDone): Promise<void> {
  const duber = duberGramsOf(facts);
  if (!weighed || duber === undefined || !decidingWeight({ scrub: weighed.grams, duber }).doScalesDisagree) return;
  const words = `The Scrub's scale says ${formatPounds(weighed.grams)}, the Duber's ${formatPounds(duber)}. The lower weight counts.`;
  await openCase(tx, { kind: 'scales', orderId: facts.order.id, words }, at);
}

/** Stores the price before the weight, and the price for the size of the weight. */
async function correctPrice(tx: Tx, { row, facts: laundry, request: { weighed }, at }: WeighingDone): Promise<void> {
  if (!row.corrects || !weighed) return;
  const { order, size: fromSize, toSize } = laundry;
  const toCents = toSize === null ? null : totalOfLines(linesOfSize(toSize, laundry));
  const from = { fromSize, fromCents: order.totalPrice, splits: weighed.splits };
  await insertCorrection(tx, order.id, { ...from, toSize, toCents, state: row.corrects }, at);
}

/** Sets the price of the order and charges its card, at most what is held for it. */
async function chargePrice(
  tx: Tx,
  orderId: string,
  { size, lines }: ReturnType<NonNullable<WeighingRow['charges']>>,
  at: Date,
): Promise<void> {
  const payment = orNotFound(await lockWeighedPayment(tx, orderId));
  const charged = capLines(lines, payment.atMost);
  await setSizeAndPrice(tx, orderId, size, charged);
  await captureFinalPrice(tx, { orderId, payment, amount: totalOfLines(charged) }, at);
}
