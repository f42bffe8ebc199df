import type { DuberId, ScrubId } from '../../domain/accounts.ts';
import { GOING_TO_DROP } from '../../domain/deliveries.ts';
import { soldSizes } from '../../domain/payments.ts';
import { decidingWeight, judgeWeight } from '../../domain/weighing.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { attachFiles } from '../files/files.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { readWeighedPayment } from '../payments/weighedPayments.ts';
import { findAnswer, isRepeated, keepAnswer } from '../process/requests.ts';
import { lockLegs } from './orderFacts.sql.ts';
import { lockOrder } from './orders.sql.ts';
import { refuseChoice } from './refuseChoice.ts';
import { duberGramsOf, takeWeighingRow } from './takeWeighingRow.ts';
import { clearEarlierWeight, deleteOtherWeight, insertWeight, lockOrderOfDelivery } from './weighings.sql.ts';
import { chooseWeighingRow, readWeighedLaundry, type WeighedLaundry } from './weighingView.ts';

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
    const keyed = { actorId: caller.id, requestKey, call: 'weigh', subjectId: id };
    if (await isRepeated(tx, keyed)) return;
    const laundry = await judgeLaundry(tx, await readWeighedLaundry(tx, order, await lockLegs(tx, id), now()), grams);
    const choice = chooseWeighingRow(laundry, 'weigh', 'Scrub');
    if (!choice.ok) return refuseChoice(choice, order.status);
    await deleteOtherWeight(tx, id);
    const weight = { id: newId(), orderId: id, round: order.round, scale: 'scrub' as const, byId: caller.id };
    await insertWeight(tx, { ...weight, deliveryId: null, grams, splits }, now());
    await attachFiles(tx, { owner: caller.id, fileIds, aboutKind: 'weighing', aboutId: weight.id });
    await takeWeighingRow(tx, { row: choice.row, laundry, by: caller, weighed: { grams, splits } }, now());
    await keepAnswer(tx, keyed, null, now());
  });
  context.wake('payments', 'events');
}

/** The laundry with what its weight means. */
async function judgeLaundry(tx: Tx, laundry: WeighedLaundry, scrub: number): Promise<WeighedLaundry> {
  const { order, size, limit: ceiling, tariff, facts } = laundry;
  const { grams } = decidingWeight({ scrub, duber: duberGramsOf(laundry) });
  const verdict = judgeWeight(grams, { size, ceiling, sold: soldSizes(tariff) });
  const payment = await readWeighedPayment(tx, order.id);
  // What was charged because nobody had weighed in time only falls.
  const kind = payment?.isCharged && verdict.kind !== 'lighter' ? 'same' : verdict.kind;
  const toSize = 'size' in verdict ? (verdict.size ?? null) : null;
  return { ...laundry, toSize, facts: { ...facts, verdict: payment?.mayChange === false ? 'earned' : kind } };
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
