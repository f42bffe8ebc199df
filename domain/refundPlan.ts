import type { LedgerLine } from './ledger.ts';
import { balanceOf, linesOfRefund, type OrderBooks, type OrderRefund } from './orderBalance.ts';

type NewRefund = Pick<OrderRefund, 'amount' | 'discount' | 'taxes' | 'liable' | 'liableUser'>;

/** The entry that a refund of this order is going to be, once the refunds that are under way are made. */
export function linesOfPlannedRefund(refund: NewRefund, budId: string, books: OrderBooks): LedgerLine[] {
  const underWay = books.refunds.filter(({ isMade }) => !isMade);
  const planned: OrderRefund = { ...refund, forgiven: 0, isMade: false };
  const all: OrderBooks = { ...books, refunds: [...books.refunds, planned] };
  let before = all;
  for (const next of underWay) before = withRefundMade(before, next, budId);
  return linesOfRefund({ ...refund, budId }, balanceOf(markMade(before, planned)));
}

const markMade = (books: OrderBooks, made: OrderRefund): OrderBooks => ({
  ...books,
  refunds: books.refunds.map((refund) => (refund === made ? { ...refund, isMade: true } : refund)),
});

function withRefundMade(books: OrderBooks, made: OrderRefund, budId: string): OrderBooks {
  const after = markMade(books, made);
  const lines = linesOfRefund({ ...made, budId }, balanceOf(after));
  return { ...after, lines: [...after.lines, ...lines.map((line) => ({ ...line, kind: 'refunded' as const }))] };
}
