import type { OrderStep } from '../../contract/orders.ts';
import type { DuberId, ScrubId } from '../../domain/accounts.ts';
import { GOING_TO_DROP } from '../../domain/deliveries.ts';
import type { OrderSize } from '../../domain/orders.ts';
import { soldSizes } from '../../domain/payments.ts';
import { capLines, type PriceLine, totalOfLines } from '../../domain/prices.ts';
import { decidingWeight, formatPounds, judgeWeight, type WeighingVerdict } from '../../domain/weighing.ts';
import { openCase } from '../cases/openCase.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { publishOrderUpdate } from '../events/publish.ts';
import { attachFiles } from '../files/files.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { queueOrderNotifications } from '../notifications/queueNotifications.sql.ts';
import { captureFinalPrice, lockWeighedPayment } from '../payments/weighedPayments.ts';
import { findAnswer, isRepeated, keepAnswer } from '../process/requests.ts';
import { lockLegs } from './orderFacts.sql.ts';
import { moveOrder } from './orderSteps.sql.ts';
import { lockOrder } from './orders.sql.ts';
import { endTimer, startAnswerTimer } from './orderTimers.sql.ts';
import { refuseChoice } from './refuseChoice.ts';
import {
  clearEarlierWeight,
  deleteOtherWeight,
  insertCorrection,
  insertWeight,
  lockOrderOfDelivery,
  setSizeAndPrice,
} from './weighings.sql.ts';
import { chooseWeighingRow, linesOfSize, readWeighedLaundry, type WeighedLaundry } from './weighingView.ts';

type WeighContext = Pick<Context, 'db' | 'now' | 'newId' | 'wake'>;

type WeighRequest = {
  readonly id: string;
  readonly grams: number;
  readonly fileIds: readonly string[];
  readonly splits: boolean;
  readonly requestKey: Buffer | null;
};

/** The Scrub says what the laundry weighs: the card is charged for it, or the Bud is asked. A repeat changes nothing. */
export async function weighOrder(context: WeighContext, caller: { role: 'Scrub'; id: ScrubId }, request: WeighRequest) {
  const { db, now, newId } = context;
  await transactStep(db, async (tx) => {
    const { id, grams, fileIds, splits, requestKey } = request;
    const order = orNotFound(await lockOrder(tx, caller, id));
    const { status } = order;
    const keyed = { actorId: caller.id, requestKey, call: 'weigh', subjectId: id };
    if (await isRepeated(tx, keyed)) return;
    const laundry = await readWeighedLaundry(tx, order, await lockLegs(tx, id), now());
    const choice = chooseWeighingRow(laundry, 'weigh', 'Scrub');
    if (!choice.ok) return refuseChoice(choice, status);
    await deleteOtherWeight(tx, id);
    const weight = { id: newId(), orderId: id, round: order.round, scale: 'scrub' as const, byId: caller.id };
    await insertWeight(tx, { ...weight, deliveryId: null, grams, splits }, now());
    await attachFiles(tx, { owner: caller.id, fileIds, aboutKind: 'weighing', aboutId: weight.id });
    const step = orNotFound(await moveOrder(tx, caller, { id, action: 'weigh', from: status, to: status }, now()));
    await applyWeight(tx, laundry, { grams, splits, step }, now());
    await publishOrderUpdate(tx, step);
    await keepAnswer(tx, keyed, null, now());
  });
  context.wake('payments', 'events');
}

type Weighed = { readonly grams: number; readonly splits: boolean; readonly step: OrderStep };

async function applyWeight(tx: Tx, laundry: WeighedLaundry, weighed: Weighed, at: Date): Promise<void> {
  const { order, size, ceilingSize: ceiling, tariff, weights } = laundry;
  const duber = weights.find(({ scale }) => scale === 'duber')?.grams;
  const { grams, doScalesDisagree } = decidingWeight({ scrub: weighed.grams, duber });
  if (doScalesDisagree && duber !== undefined) await openScalesCase(tx, order.id, { scrub: weighed.grams, duber }, at);
  await endTimer(tx, order.id, 'charge-estimate');
  const payment = await lockWeighedPayment(tx, order.id);
  if (payment?.mayChange === false) return;
  const verdict = judgeWeight(grams, { size, ceiling, sold: soldSizes(tariff) });
  // What was charged because nobody had weighed in time only falls.
  const isTooLate = payment?.isCharged === true && verdict.kind !== 'lighter';
  await applyVerdict(tx, laundry, { verdict: isTooLate ? { kind: 'same' } : verdict, splits: weighed.splits }, at);
}

type Judged = { readonly verdict: WeighingVerdict; readonly splits: boolean };

async function applyVerdict(tx: Tx, laundry: WeighedLaundry, { verdict, splits }: Judged, at: Date): Promise<void> {
  const { order, size: fromSize, lines } = laundry;
  const { id: orderId, totalPrice: fromCents } = order;
  const from = { fromSize, fromCents, splits };
  const centsOf = (size: OrderSize) => totalOfLines(linesOfSize(laundry, size));
  if (verdict.kind === 'same') return chargePrice(tx, laundry, { size: fromSize, lines }, at);
  if (verdict.kind === 'beyond') {
    const { size: toSize = null } = verdict;
    const toCents = toSize === null ? null : centsOf(toSize);
    await insertCorrection(tx, orderId, { ...from, toSize, toCents, state: 'asked' }, at);
    await startAnswerTimer(tx, orderId, at);
  } else {
    const { kind, size: toSize } = verdict;
    const state = kind === 'heavier' ? 'auto' : kind;
    await insertCorrection(tx, orderId, { ...from, toSize, toCents: centsOf(toSize), state }, at);
    await chargeSize(tx, laundry, toSize, at);
  }
  if (verdict.kind !== 'lighter') await queueOrderNotifications(tx, { kind: 'weighed', about: orderId }, at);
}

/** The order becomes another size, and its card is charged for that. */
export function chargeSize(tx: Tx, laundry: WeighedLaundry, size: OrderSize, at: Date): Promise<void> {
  return chargePrice(tx, laundry, { size, lines: linesOfSize(laundry, size) }, at);
}

/** The order has this price from now on, which its card is charged. It never costs more than what is held for it. */
export async function chargePrice(
  tx: Tx,
  { order: { id: orderId } }: WeighedLaundry,
  { size, lines }: { readonly size: OrderSize; readonly lines: readonly PriceLine[] },
  at: Date,
): Promise<void> {
  const payment = orNotFound(await lockWeighedPayment(tx, orderId));
  const charged = capLines(lines, payment.atMost);
  await setSizeAndPrice(tx, orderId, size, charged);
  await captureFinalPrice(tx, { orderId, payment, amount: totalOfLines(charged) }, at);
}

async function openScalesCase(tx: Tx, orderId: string, { scrub, duber }: { scrub: number; duber: number }, at: Date) {
  const words = `The Scrub's scale says ${formatPounds(scrub)}, the Duber's ${formatPounds(duber)}. The lower weight counts.`;
  await openCase(tx, { kind: 'scales', orderId, words }, at);
}

type DuberWeight = { readonly deliveryId: string; readonly grams: number; readonly at: string };

/** A Duber says what the laundry weighs on its way to the Scrub. */
export function weighDelivery(
  { db, now, newId }: WeighContext,
  caller: { readonly id: DuberId },
  { id, grams, fileIds, requestKey }: Omit<WeighRequest, 'splits'>,
) {
  return transactStep(db, async (tx) => {
    const order = orNotFound(await lockOrderOfDelivery(tx, caller.id, id));
    const keyed = { actorId: caller.id, requestKey, call: 'weigh', subjectId: id };
    const repeated = await findAnswer<DuberWeight>(tx, keyed);
    if (repeated) return repeated;
    if (order.ceilingSize === null) refuse('notWeighed');
    const isGoingToDrop = GOING_TO_DROP.some((one) => one === order.status);
    if (order.type !== 'Bud_To_Scrub' || !isGoingToDrop) refuse('wrongStatus');
    if (!(await clearEarlierWeight(tx, order.id))) refuse('alreadyWeighed');
    const [at, weight] = [now(), { id: newId(), orderId: order.id, round: order.round, scale: 'duber' as const }];
    await insertWeight(tx, { ...weight, byId: caller.id, deliveryId: id, grams, splits: false }, at);
    await attachFiles(tx, { owner: caller.id, fileIds, aboutKind: 'weighing', aboutId: weight.id });
    const answer: DuberWeight = { deliveryId: id, grams, at: at.toISOString() };
    await keepAnswer(tx, keyed, answer, at);
    return answer;
  });
}
