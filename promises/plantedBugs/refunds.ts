// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const REFUNDS = 'server/payments/refunds.test.ts';
const MONEY_NOTICES = 'server/payments/moneyNotices.test.ts';

/** Bugs in who pays for refunds. */
export const REFUND_BUGS: readonly PlantedBug[] = [
  {
    bug: 'people get no notice when their money moves',
    file: 'server/payments/ledger.sql.ts',
    find: '  if (written) await queueMoneyNotices(tx, { entryId: written.id, kind, lines: entry.lines }, at);\n',
    replace: '',
    suite: MONEY_NOTICES,
  },
  {
    bug: 'a Scrub who bears the trip of a Duber is told nothing',
    file: 'server/payments/pays.sql.ts',
    find: '  if (written?.id) await queueMoneyNotices(tx, { entryId: written.id, kind: ENTRY_KIND_OF_PAY[kind], lines }, at);\n',
    replace: '',
    suite: MONEY_NOTICES,
  },
  {
    bug: 'a Scrub who bears a refund without a case is not told, and cannot contest it',
    file: 'server/operator/refundOrder.ts',
    find: '        await openRefundCase(context.db, borne, context.now());\n',
    replace: '',
    suite: 'server/operator/refundNotices.test.ts',
  },
  {
    bug: 'an order that is cancelled after its bank gave the money back gives it back again',
    file: 'server/payments/refunds.ts',
    find: 'if (tries > 0) return undefined;',
    replace: 'if (tries >= 0) return undefined;',
    suite: 'server/operator/disputes.test.ts',
  },
  {
    bug: 'a refund that a server took before it died counts as sent',
    file: 'server/payments/refunds.sql.ts',
    find: '.set({ due_at: addMs(now, LEASE_MS), updated_at: now })',
    replace: ".set((eb) => ({ due_at: addMs(now, LEASE_MS), tries: eb('r.tries', '+', 1), updated_at: now }))",
    suite: 'server/operator/disputes.test.ts',
  },
  {
    bug: 'what a bank has not taken of an order that is cancelled waits for a person, too',
    file: 'server/payments/unearnedRefunds.ts',
    find: 'Math.min(amount, leftOf(order))',
    replace: 'amount',
    suite: 'server/operator/disputes.test.ts',
  },
  {
    bug: 'a refund waits for one that was asked for after it',
    file: 'server/payments/refunds.sql.ts',
    find: ' and (o.created_at, o.id) < (r.created_at, r.id)',
    replace: '',
    suite: 'server/operator/disputes.test.ts',
  },
  {
    bug: 'what is unearned is refunded twice',
    file: 'domain/orderBalance.ts',
    find: 'const fromUnearned = Math.min(amount, Math.max(0, balance.unearned));',
    replace: 'const fromUnearned = amount;',
    suite: REFUNDS,
  },
  {
    bug: 'a Scrub still earns from an order that was refunded as a whole',
    file: 'domain/orderBalance.ts',
    find: 'if (balance.isRefunded) return [];',
    replace: '',
    suite: REFUNDS,
  },
  {
    bug: 'a Duber keeps their share of a refund that was given back twice',
    file: 'domain/orderAdjustment.ts',
    find: 'const amount = Math.min(left, side.amount);',
    replace: 'const amount = Math.max(0, Math.min(left, side.amount));',
    suite: 'domain/orderAdjustment.test.ts',
  },
  {
    bug: 'a share of a refund that is given back with its pay counts as paid',
    file: 'domain/orderBalance.ts',
    find: "if (kind === 'corrected') return Math.min(0, amount);",
    replace: "if (kind === 'corrected') return Math.max(Math.min(0, amount), -before);",
    suite: 'domain/orderAdjustment.test.ts',
  },
  {
    bug: 'a share that is given back after the refund of the whole order counts as earned',
    file: 'domain/orderAdjustment.ts',
    find: "kind !== 'corrected' && amount < 0",
    replace: 'amount < 0',
    suite: 'domain/orderBalance.test.ts',
  },
  {
    bug: 'a refund and a completion at the same time do not wait for each other',
    file: 'server/payments/orderBooks.sql.ts',
    find: 'await lockPaymentOf.all(tx, orderId);',
    replace: 'void lockPaymentOf;',
    suite: REFUNDS,
  },
];

const PAYS = 'server/payments/pays.test.ts';
const PAYOUT_HOLDS = 'server/payments/payoutHolds.test.ts';
const AFTER_CANCELLATION = 'server/payments/paysAfterCancellation.test.ts';

/** Bugs in what Dubers are paid, and in held credits. */
export const PAY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a delivery that was paid out is taken back less a cent',
    file: 'domain/ledger.ts',
    find: 'lines.map((line) => ({ ...line, amount: -line.amount }));',
    replace: 'lines.map((line) => ({ ...line, amount: Math.sign(line.amount) - line.amount }));',
    suite: PAYOUT_HOLDS,
  },
  {
    bug: 'a Scrub is paid although both deliveries of the order were mistakes',
    file: 'server/payments/payoutHolds.sql.ts',
    find: 'and p.undone_at is not null and p.at = h.ended_at)',
    replace: 'and p.at = (select max(u.at) from pays u where u.order_id = h.order_id) and p.at = h.ended_at)',
    suite: PAYOUT_HOLDS,
  },
  {
    bug: 'a way that was relayed is paid twice',
    file: 'server/deliveries/exceptionChange.ts',
    find: 'Math.max(least, price - share)',
    replace: 'price',
    suite: 'server/deliveries/deliveryExceptions.test.ts',
  },
  {
    bug: 'a trip is paid from what the order no longer has',
    file: 'domain/pays.ts',
    find: 'Math.max(0, Math.min(cents, left.fee, left.order))',
    replace: 'Math.max(cents, 0 * left.fee)',
    suite: PAYS,
  },
  {
    bug: 'the platform pays a delivery of a cancelled order that is made again, and the Bud gets its fee back too',
    file: 'server/payments/pays.sql.ts',
    find: '- case when ${IS_UNDONE} then 0 else greatest(0,',
    replace: '- case when false then 0 else greatest(0,',
    suite: AFTER_CANCELLATION,
  },
  {
    bug: 'a cancelled order pays a way with the money that the platform kept, because the card network did not take it',
    file: 'server/payments/pays.sql.ts',
    find: 'where r.order_id = o.id and ${IS_TAKEN})`;',
    replace: "where r.order_id = o.id and r.state <> 'dropped')`;",
    suite: AFTER_CANCELLATION,
  },
  {
    bug: 'a Duber who bears a claim is not credited with the next delivery',
    file: 'domain/pays.ts',
    find: 'isSameSide(a, b) && Math.sign(a.amount) === Math.sign(b.amount)',
    replace: 'isSameSide(a, b)',
    suite: 'server/payments/liableDuber.test.ts',
  },
  {
    bug: 'what the bank has given back of a payment is given back again',
    file: 'server/payments/disputeMoney.sql.ts',
    find: "and c.debit_entry is not null and c.status <> 'won')",
    replace: 'and false)',
    suite: 'server/operator/disputes.test.ts',
  },
  {
    bug: 'two operators who give money back at once give it twice',
    file: 'server/payments/refunds.ts',
    find: 'request.left !== undefined && request.left !== left',
    replace: 'request.left !== undefined && request.left < left',
    suite: 'server/operator/refundRaces.test.ts',
  },
  {
    bug: 'what nobody earns goes back to the card twice',
    file: 'domain/pays.ts',
    find: 'Math.min(unearned - released, captured - refunded)',
    replace: 'Math.min(unearned, captured - refunded)',
    suite: PAYS,
  },
  {
    bug: 'an order that ends while its card is being charged keeps the money',
    file: 'server/payments/captures.ts',
    find: 'if (captured.settles) await settleOrder(tx, orderId, at);',
    replace: 'void settleOrder;',
    suite: PAYS,
  },
  {
    bug: 'a credit that waits is paid out',
    file: 'server/payments/payouts.sql.ts',
    find: ".where(hold, 'is', null)",
    replace: '.where(({ lit }) => lit(true))',
    suite: PAYOUT_HOLDS,
  },
];
