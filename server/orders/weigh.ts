import type { DuberId, ScrubId } from '../../domain/accounts.ts';
import { isGoingToDrop } from '../../domain/deliveries.ts';
import type { Context } from '../context.ts';
import { transactStep } from '../db/database.ts';
import { attachFiles } from '../files/files.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { findAnswer, keepAnswer } from '../process/requests.ts';
import { keyedStep, takeStep } from '../process/takeStep.ts';
import { WEIGHING } from './weighingSteps.ts';
import { clearEarlierWeight, insertWeight, lockOrderOfDelivery } from './weighings.sql.ts';

type WeighContext = Pick<Context, 'db' | 'now' | 'newId' | 'wake'>;

type WeighRequest = {
  readonly id: string;
  readonly grams: number;
  readonly fileIds: readonly string[];
  readonly splits: boolean;
  readonly requestKey: Buffer | null;
};

/** The Scrub says what the laundry weighs: the card is charged for it, or the Bud is asked. A repeat changes nothing. */
export async function weighOrder(
  context: WeighContext,
  caller: { role: 'Scrub'; id: ScrubId },
  { id, grams, fileIds, splits, requestKey }: WeighRequest,
): Promise<void> {
  const weighed = { grams, splits, fileIds };
  await takeStep(context, WEIGHING, caller, { id, action: 'weigh', weighed, requestKey });
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
    const keyed = keyedStep(caller, { id, action: 'weigh', requestKey });
    const repeated = await findAnswer<DuberWeight>(tx, keyed);
    if (repeated) return repeated;
    if (order.ceilingSize === null) refuse('notWeighed');
    if (order.type !== 'Bud_To_Scrub' || !isGoingToDrop(order.status)) refuse('wrongStatus');
    if (!(await clearEarlierWeight(tx, order.id))) refuse('alreadyWeighed');
    const [at, weight] = [now(), { id: newId(), orderId: order.id, round: order.round, scale: 'duber' as const }];
    await insertWeight(tx, { ...weight, byId: caller.id, deliveryId: id, grams, splits: false }, at);
    await attachFiles(tx, { owner: caller.id, fileIds, aboutKind: 'weighing', aboutId: weight.id });
    const answer: DuberWeight = { deliveryId: id, grams, at: at.toISOString() };
    await keepAnswer(tx, keyed, answer, at);
    return answer;
  });
}
