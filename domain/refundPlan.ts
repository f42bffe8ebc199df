import type { LedgerLine } from './ledger.ts';
import { balanceOf, linesOfRefund, type OrderLedger, type OrderRefund } from './orderBalance.ts';

type NewRefund = Pick<OrderRefund, 'amount' | 'discount' | 'taxes' | 'liable' | 'liableUser'>;

/** The entry that a refund of this order is going to be, once the refunds that are under way are made. */
export function linesOfPlannedRefund(refund: NewRefund, budId: string, ledger: OrderLedger): LedgerLine[] {
  const underWay = ledger.refunds.filter(({ isMade }) => !isMade);
  const planned: OrderRefund = { ...refund, forgiven: 0, isMade: false };
  const all: OrderLedger = { ...ledger, refunds: [...ledger.refunds, planned] };
  let before = all;
  for (const next of underWay) before = withRefundMade(before, next, budId);
  return linesOfRefund({ ...refund, budId }, balanceOf(markMade(before, planned)));
}

const markMade = (ledger: OrderLedger, made: OrderRefund): OrderLedger => ({
  ...ledger,
  refunds: ledger.refunds.map((refund) => (refund === made ? { ...refund, isMade: true } : refund)),
});

function withRefundMade(ledger: OrderLedger, made: OrderRefund, budId: string): OrderLedger {
  const after = markMade(ledger, made);
  const lines = linesOfRefund({ ...made, budId }, balanceOf(after));
  return { ...after, lines: [...after.lines, ...lines.map((line) => ({ ...line, kind: 'refunded' as const }))] };
}
