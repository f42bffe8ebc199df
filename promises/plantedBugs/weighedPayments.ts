import type { PlantedBug } from './plantedBug.ts';

const MONEY = 'server/payments/weighedPayments.test.ts';
const EXCEPTIONS = 'server/payments/weighedExceptions.test.ts';
const CRASHES = 'server/payments/weighedCrashes.test.ts';

/** Bugs in how the cards of orders that are weighed are held and charged. */
export const WEIGHED_PAYMENT_BUGS: readonly PlantedBug[] = [
  {
    bug: 'an order that is weighed is charged when it is accepted',
    file: 'server/payments/payments.sql.ts',
    find: ".where('held', 'is', null)",
    replace: '',
    suite: MONEY,
  },
  {
    bug: 'the hold is charged instead of the price',
    file: 'server/payments/square.ts',
    find: 'if (amountOf(payment) === amount || !versionToken',
    replace: 'if (amountOf(payment) >= amount || !versionToken',
    suite: MONEY,
  },
  {
    bug: 'what a card was charged beyond the price does not go back',
    file: 'server/payments/captures.ts',
    find: 'if (captured.isReduced) await refundReduction(tx, orderId, at);',
    replace: 'void refundReduction;',
    suite: MONEY,
  },
  {
    bug: 'what it weighs less goes back twice',
    file: 'server/payments/weighedPayments.sql.ts',
    find: 'least(p.reduced - r.given, p.amount - r.taken)',
    replace: 'least(p.reduced, p.amount - r.taken)',
    suite: EXCEPTIONS,
  },
  {
    bug: 'what it weighs less goes back although a refund has taken it',
    file: 'server/payments/weighedPayments.sql.ts',
    find: 'least(p.reduced - r.given, p.amount - r.taken)',
    replace: 'p.reduced - r.given',
    suite: EXCEPTIONS,
  },
  {
    bug: 'a hold that another one has taken the place of is never released',
    file: 'server/payments/weighedPayments.sql.ts',
    find: 'square_id = before.square_id,',
    replace: 'square_id = null,',
    suite: MONEY,
  },
  {
    bug: 'each try to hold more has another key, so that one of the holds is lost',
    file: 'server/payments/replaceHold.ts',
    find: 'cards.hold({ orderId: id, paysFor,',
    replace: 'cards.hold({ orderId: context.newId(), paysFor,',
    suite: CRASHES,
  },
  {
    bug: 'a repeated request to pay more is another one',
    file: 'server/payments/replaceHold.ts',
    find: 'key: keyOf(replacement, key ?? id)',
    replace: 'key: keyOf(replacement, id)',
    suite: MONEY,
  },
  {
    bug: 'what a Duber has earned of an order that is called off is charged to nobody',
    file: 'server/payments/pays.ts',
    find: 'if (charged > 0 && (await captureInstead(tx, orderId, charged, at))) return;',
    replace: 'void captureInstead;',
    suite: MONEY,
  },
  {
    bug: 'of what Dubers have earned of an order that is called off, what it weighed less goes back',
    file: 'server/payments/weighedPayments.sql.ts',
    find: 'discount, reduced: 0, discount_reduced: 0 }',
    replace: 'discount, discount_reduced: 0 }',
    suite: EXCEPTIONS,
  },
  {
    bug: 'retrying charges the card of an order that costs nothing',
    file: 'server/payments/problems.sql.ts',
    find: '(p.amount > p.reduced and exists',
    replace: '(exists',
    suite: EXCEPTIONS,
  },
  {
    bug: 'retrying releases the hold of an order that waits for another Scrub',
    file: 'server/payments/problems.sql.ts',
    find: "or c.status = 'Requested'\n    and",
    replace: 'or false\n    and',
    suite: EXCEPTIONS,
  },
  {
    bug: 'a request to pay more asks for a hold although the order has changed meanwhile',
    file: 'server/payments/replaceHold.ts',
    find: 'if (!(await hasHoldToReplace(db, paysFor)))',
    replace: 'if (false)',
    suite: EXCEPTIONS,
  },
  {
    bug: 'what a refund has taken of it does not go back when the refund is dropped',
    file: 'server/payments/dropRefund.ts',
    find: 'else await refundReduction(tx, refund.orderId, at);',
    replace: 'void refundReduction;',
    suite: EXCEPTIONS,
  },
  {
    bug: 'refunds give back more taxes than an order has, whose price has fallen since',
    file: 'server/payments/weighedPayments.ts',
    find: 'await lowerTaxesInRefunds(tx, orderId);',
    replace: 'void lowerTaxesInRefunds;',
    suite: EXCEPTIONS,
  },
  {
    bug: 'a Duber is paid out before the card is charged',
    file: 'server/payments/payoutHolds.sql.ts',
    find: "p.state in ('held', 'capturing'))`;",
    replace: "p.state in ('nothing'))`;",
    suite: MONEY,
  },
];
