import type { BudId } from '../../domain/accounts.ts';
import { toCents } from '../../domain/payments.ts';
import type { CorrectionAnswer } from '../../domain/weighing.ts';
import type { Context } from '../context.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { CardNetworkUnavailableError, refuseCardNetworkAway } from '../payments/card/cards.ts';
import { replaceHold } from '../payments/charge/weighedPayments.ts';
import { isRepeated } from '../process/requests.ts';
import { chooseStep, keyedStep, takeStep, takeStepIn } from '../process/takeStep.ts';
import { findOrder } from './orders.sql.ts';
import { WEIGHING } from './weighingSteps.ts';

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
  if (request.answer !== 'pay') {
    await takeStep(context, WEIGHING, caller, stepOf(request));
    return;
  }
  await payMore(context, caller, request);
  context.wake('payments', 'events');
}

const stepOf = ({ id, answer: action, words, price, requestKey }: CorrectionRequest) => ({
  ...{ id, action, words: words ?? undefined, price, requestKey },
});

/** Replaces the hold by one for the whole price. Nothing changes when the card is declined. */
async function payMore(context: Context, caller: Bud, request: CorrectionRequest): Promise<void> {
  const { db, now } = context;
  const { id, price, paymentSourceId, verificationToken = null, requestKey, from } = request;
  if (paymentSourceId === undefined) return refuseProperty('paymentSourceId', 'isRequired', 'A card is required');
  if (price === undefined) return refuseProperty('price', 'isRequired', 'price is required');
  const step = stepOf(request);
  const order = orNotFound(await findOrder(db, caller, id));
  if (await isRepeated(db, keyedStep(caller, step))) return;
  const chosen = await chooseStep(db, WEIGHING, { actor: caller, request: step, locked: async () => order }, now());
  if (!chosen.ok) return WEIGHING.refuse(db, chosen);
  const hold = { orderId: id, bud: caller.id, from, amount: toCents(price), paymentSourceId, verificationToken };
  const key = requestKey?.toString('hex') ?? null;
  const outcome = await replaceHold(context, { ...hold, key }, async (tx) => {
    await takeStepIn(tx, WEIGHING, caller, step, now);
  }).catch((error: unknown) => {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    return refuseCardNetworkAway();
  });
  if (outcome.kind === 'declined') refuse('cardDeclined', { message: outcome.reason });
  if (outcome.kind === 'gone' && !(await isRepeated(db, keyedStep(caller, step)))) refuse('nothingAsked');
}
