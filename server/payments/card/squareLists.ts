import {
  type CardLists,
  type CardNetworkCharge,
  type CardNetworkRefund,
  CardNetworkUnavailableError,
  type DayBounds,
} from './cards.ts';
import { parseRefusal, type RunSquare, UnclearAnswerError } from './squareAnswers.ts';
import { CURRENCY, type SquarePayment, type SquareRefund } from './squareClient.ts';
import { readFee } from './squareFees.ts';

/** A hold ends by itself after seven days, so what is captured on a day was made at most so long before. */
const LONGEST_HOLD_MS = 8 * 24 * 60 * 60_000;

/** What Square lists of a location. */
export const createSquareLists = (run: RunSquare): CardLists => ({
  charges: async (bounds, cursor) => {
    const begin = new Date(bounds.begin.getTime() - LONGEST_HOLD_MS);
    const page = await run(({ square, wait }) =>
      square.listPayments({ begin, end: bounds.end, cursor }, wait).catch(refuse),
    );
    const items: CardNetworkCharge[] = [];
    for (const payment of page.payments ?? []) {
      if (isWithin(bounds, capturedAt(payment))) items.push(await toCharge(run, payment));
    }
    return { items, ...(page.cursor ? { cursor: page.cursor } : {}) };
  },
  refunds: async (bounds, cursor) => {
    const page = await run(({ square, wait }) => square.listRefunds({ ...bounds, cursor }, wait).catch(refuse));
    return { items: (page.refunds ?? []).map(toRefund), ...(page.cursor ? { cursor: page.cursor } : {}) };
  },
  findCharge: async (squareId) => {
    const payment = await run(({ square, wait }) => square.getPayment(squareId, wait).catch(unlessUnknown));
    return payment && toCharge(run, payment);
  },
  findRefund: async (squareId) => {
    const refund = await run(({ square, wait }) => square.getRefund(squareId, wait).catch(unlessUnknown));
    return refund && toRefund(refund);
  },
});

const isWithin = ({ begin, end }: DayBounds, at: Date | null) => at !== null && at >= begin && at < end;

function capturedAt({ status, card_details, created_at }: SquarePayment): Date | null {
  if (status !== 'COMPLETED') return null;
  const at = card_details?.card_payment_timeline?.captured_at ?? created_at;
  if (!at) throw unclear('a payment has no time');
  return timeOf(at);
}

const unclear = (why: string) => new CardNetworkUnavailableError(new UnclearAnswerError(why));

/** A record without a time would be on no day. */
function timeOf(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw unclear(`the card network gives the time "${text.slice(0, 40)}"`);
  return time;
}

/** Cents. Sums of two currencies would mean nothing. */
function centsOf(money: SquarePayment['total_money']): number {
  if (money && money.currency !== CURRENCY)
    throw unclear(`a payment is in ${money.currency.slice(0, 10)}, and not in ${CURRENCY}`);
  return money?.amount ?? 0;
}

async function toCharge(run: RunSquare, payment: SquarePayment): Promise<CardNetworkCharge> {
  // The fees of refunds are of the payment's day, as in the ledger.
  const fee = (await run((context) => readFee(context, payment))) ?? 0;
  return { squareId: payment.id, at: capturedAt(payment), amount: centsOf(payment.total_money), fee };
}

function toRefund({ id, payment_id, created_at, amount_money, status }: SquareRefund): CardNetworkRefund {
  if (!payment_id || !created_at) throw unclear('a refund has no payment or no time');
  const amount = centsOf(amount_money);
  return { squareId: id, paymentId: payment_id, at: timeOf(created_at), amount, isMade: status === 'COMPLETED' };
}

function unlessUnknown(error: unknown): undefined {
  if (parseRefusal(error).statusCode !== 404) throw new CardNetworkUnavailableError(error);
}

/** A list that is refused says nothing about payments. */
function refuse(error: unknown): never {
  throw new CardNetworkUnavailableError(parseRefusal(error));
}
