import type { BudId } from '../../domain/accounts.ts';
import { toCents } from '../../domain/payments.ts';
import type { WeighingRow } from '../../domain/process/weighing.ts';
import type { CorrectionAnswer } from '../../domain/weighing.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { CardNetworkUnavailableError, refuseCardNetworkAway } from '../payments/cards.ts';
import { replaceHold } from '../payments/weighedPayments.ts';
import { isRepeated, type KeyedRequest, keepAnswer } from '../process/requests.ts';
import { readLegs } from './orderFacts.sql.ts';
import { findOrder, lockOrder } from './orders.sql.ts';
import { refuseChoice } from './refuseChoice.ts';
import { takeWeighingRow } from './takeWeighingRow.ts';
import { centsToPay, chooseWeighingRow, readWeighedLaundry, type WeighedLaundry } from './weighingView.ts';

type Bud = { readonly role: 'Bud'; readonly id: BudId };

export type CorrectionRequest = {
  readonly id: string;
  readonly answer: CorrectionAnswer;
  readonly words?: string | null | undefined;
  /** What the Bud was told that they pay then, in dollars. */
  readonly price?: number | undefined;
  readonly paymentSourceId?: string | undefined;
  readonly verificationToken?: string | undefined;
  readonly requestKey: Buffer | null;
  /** The IP address of the request. */
  readonly from: string;
};

/** The Bud decides about laundry that is heavier than the limit, or says that a weight is wrong. A repeat changes nothing. */
export async function answerCorrection(context: Context, caller: Bud, request: CorrectionRequest): Promise<void> {
  if (request.answer === 'pay') await payMore(context, caller, request);
  else await transactStep(context.db, (tx) => answerInTransaction(context, tx, caller, request));
  context.wake('payments', 'events');
}

async function answerInTransaction(
  { now }: Pick<Context, 'now'>,
  tx: Tx,
  caller: Bud,
  request: CorrectionRequest,
): Promise<void> {
  const order = orNotFound(await lockOrder(tx, caller, request.id));
  const keyed = keyedRequest(caller, request);
  if (await isRepeated(tx, keyed)) return;
  const laundry = await readWeighedLaundry(tx, order, await readLegs(tx, order.id), now());
  const row = chooseAnswer(laundry, request);
  await takeWeighingRow(tx, { row, laundry, by: caller, words: request.words ?? undefined }, now());
  await keepAnswer(tx, keyed, null, now());
}

const keyedRequest = (caller: Bud, { id, answer, requestKey }: CorrectionRequest): KeyedRequest => ({
  ...{ actorId: caller.id, requestKey, call: answer, subjectId: id },
});

/** Refuses an answer when no correction is open, and one with another price than the Bud saw. */
function chooseAnswer(laundry: WeighedLaundry, { answer, price }: CorrectionRequest): WeighingRow {
  const choice = chooseWeighingRow(laundry, answer, 'Bud');
  if (!choice.ok) return refuseChoice(choice, laundry.order.status);
  if (price !== undefined && toCents(price) !== centsToPay(laundry, answer)) refuse('priceChanged');
  return choice.row;
}

/** Replaces the hold by one for the whole price. Nothing changes when the card is declined. */
async function payMore(context: Context, caller: Bud, request: CorrectionRequest): Promise<void> {
  const { db, now } = context;
  const { id, price, paymentSourceId: sourceId, verificationToken = null, requestKey, from } = request;
  if (sourceId === undefined) return refuseProperty('paymentSourceId', 'isRequired', 'A card is required');
  if (price === undefined) return refuseProperty('price', 'isRequired', 'price is required');
  const order = orNotFound(await findOrder(db, caller, id));
  if (await isRepeated(db, keyedRequest(caller, request))) return;
  const laundry = await readWeighedLaundry(db, order, await readLegs(db, id), now());
  chooseAnswer(laundry, request);
  const hold = { orderId: id, bud: caller.id, from, amount: toCents(price), sourceId, verificationToken };
  const key = requestKey?.toString('hex') ?? null;
  const outcome = await replaceHold(context, { ...hold, key }, (tx) =>
    answerInTransaction(context, tx, caller, request),
  ).catch((error: unknown) => {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    return refuseCardNetworkAway();
  });
  if (outcome.kind === 'declined') refuse('cardDeclined', { message: outcome.reason });
  if (outcome.kind === 'gone' && !(await isRepeated(db, keyedRequest(caller, request)))) refuse('nothingAsked');
}
