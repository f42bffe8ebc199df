import type { Mutant } from './mutant.ts';

/** What a card is charged, and what goes back to it. */
export const CARD_MONEY_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'each retry of a hold has a different key',
    at: 'server/payments/card/square.ts#hold.payment',
    set: ['idempotencyKey', 'crypto.randomUUID()'],
    suite: 'server/payments/paymentStress.test.ts',
    cases: 200,
  },
  {
    mutant: 'a card is charged before the accept is committed',
    at: 'server/orders/orders.ts#pressOrderStep',
    replace: [
      'const { round: _round, ...step } = await takeOrderStep(',
      `if (request.action === 'accept-order') {
        const held = await context.db.selectFrom('payments').select(['square_id as squareId', 'version_token as versionToken', 'amount'])
          .where('order_id', '=', request.id).executeTakeFirst();
        if (held) await context.cards.capture({ orderId: request.id, ...held }).catch(() => undefined);
      }
      const { round: _round, ...step } = await takeOrderStep(`,
    ],
    suite: 'server/payments/paymentStress.test.ts',
    cases: 150,
  },
  {
    mutant: 'a capture is not written to the ledger',
    at: 'server/payments/charge/captures.ts#recordCapture',
    skip: 'writeLedgerEntry',
    suite: 'server/payments/paymentStress.test.ts',
    cases: 200,
  },
  {
    mutant: 'the card hold of a rejected order is never released',
    at: 'domain/process/order.ts#ORDER_ROWS[reject-order]',
    without: 'refunds',
    suite: 'promises/conflictingSteps.test.ts',
    cases: 60,
  },
  {
    mutant: 'an order that is cancelled while its card is charged is not paid back',
    at: 'server/payments/charge/captures.ts#recordCapture',
    skip: 'settleOrder',
    suite: 'server/orders/orderExceptions.test.ts',
  },
  {
    mutant: 'an order that another Scrub accepts is charged a second time',
    at: 'server/payments/hold/payments.sql.ts#scheduleCapture',
    replace: [".where('state', '=', 'held')", ".where('state', 'in', ['held', 'captured'])"],
    suite: 'server/orders/orderExceptions.test.ts',
  },
  {
    mutant: 'an order that is weighed is charged when it is accepted',
    at: 'server/payments/hold/payments.sql.ts#scheduleCapture',
    skip: 'where[held]',
    suite: 'server/payments/charge/weighedPayments.test.ts',
  },
  {
    mutant: 'a card that was removed is charged',
    at: 'server/payments/saved/savedCards.ts#holdOnCard',
    replace: ['customerId === null', 'true'],
    suite: 'server/payments/saved/savedCards.test.ts',
  },
  {
    mutant: 'a card is saved without the consent of its Bud',
    at: 'server/orders/placeOrder.ts#draftOrder',
    replace: ['body.saveCard === true && !isSavedCard', '!isSavedCard'],
    suite: 'server/payments/saved/savedCards.test.ts',
  },
  {
    mutant: 'a Bud pays with the saved card of somebody else',
    at: 'server/payments/saved/savedCards.sql.ts#findCardToCharge',
    skip: 'where[s.bud_id]',
    suite: 'server/payments/saved/savedCards.test.ts',
  },
  {
    mutant: 'the difference between the charge and a lower price is not refunded',
    at: 'server/payments/charge/captures.ts#recordCapture',
    skip: 'refundReduction',
    suite: 'server/payments/charge/weighedPayments.test.ts',
  },
  {
    mutant: 'each try to hold more has another key, so that one of the holds is lost',
    at: 'server/payments/hold/replaceHold.ts#holdInTurn.request',
    set: ['orderId', 'context.newId()'],
    suite: 'server/payments/charge/weighedCrashes.test.ts',
  },
  {
    mutant: 'laundry above the limit of the Bud is charged without asking',
    at: 'domain/weighing.ts#judgeWeight',
    remove: 'isHeavierSize(size, order.limit)',
    suite: 'server/orders/weighing.test.ts',
  },
  {
    mutant: 'a Bud pays another price than they have seen',
    at: 'server/orders/placeOrder.ts#draftOrder',
    skip: 'refuse[priceChanged]',
    suite: 'server/operator/zones.test.ts',
  },
  {
    mutant: 'a promo code is used once more than it may be',
    at: 'domain/promos.ts#whyNot',
    replace: ['uses >= maxUses)', 'uses > maxUses)'],
    suite: 'server/promos/promos.test.ts',
  },
  {
    mutant: 'one card uses a promo code for first orders from many accounts',
    at: 'server/promos/promos.ts#judgeCardOfUse',
    skip: 'saveCardOfUse',
    suite: 'server/promos/promoMoney.test.ts',
  },
  {
    mutant: 'the discount of a promo code goes back to the card',
    at: 'server/payments/earnings/earnings.ts#giveBack',
    replace: ['divideGivenBack(cents, paidInTwo(settlement.charged))', '{ card: cents, discount: 0 }'],
    suite: 'server/promos/promoMoney.test.ts',
  },
  {
    mutant: 'a refund that a server leased before it died counts as sent',
    at: 'server/payments/refunds/refunds.sql.ts#takeDueRefund',
    replace: [
      '.set({ due_at: addMs(now, LEASE_MS), updated_at: now })',
      ".set((eb) => ({ due_at: addMs(now, LEASE_MS), tries: eb('r.tries', '+', 1), updated_at: now }))",
    ],
    suite: 'server/disputes/disputeActs.test.ts',
  },
  {
    mutant: 'a chargeback is taken from the order ledger each time it is seen',
    at: 'server/disputes/disputes.ts#recordDispute.debitEntry',
    remove: 'row.debitEntry',
    suite: 'server/disputes/disputes.test.ts',
  },
  {
    mutant: 'money that the bank has given back is given back again',
    at: 'server/payments/refunds/disputeMoney.sql.ts#takenByBank',
    replace: ["c.debit_entry is not null and c.status <> 'won'", 'false'],
    suite: 'server/disputes/disputeActs.test.ts',
  },
  {
    mutant: 'after a restore, an order that was called off since then keeps a hold that is gone',
    at: 'server/payments/reconcile/afterRestore.sql.ts#compareAfterRestore',
    remove: "state = 'held' or",
    suite: 'server/payments/reconcile/afterRestore.test.ts',
  },
  {
    mutant: 'the limit of a day is counted per refund',
    at: 'domain/approvals.ts#isAboveLimits',
    replace: ['soFar.day + cents', 'cents'],
    suite: 'server/operator/money.test.ts',
  },
  {
    mutant: 'an act that was approved moves more than what was approved',
    at: 'server/operator/acts.ts#runApproved',
    replace: ['Math.max(approved ?? 0,', 'Math.max((approved ?? 0) + 100_000,'],
    suite: 'server/operator/movedMoney.test.ts',
  },
  {
    mutant: 'the Duber who has a delivery now pays for what another one lost',
    at: 'server/cases/caseMoney.ts#requestOf.isOfCase',
    replace: ['liable === liableOf(row)', "liable === 'scrub'"],
    suite: 'server/cases/decideCase.test.ts',
  },
  {
    mutant: 'an offer is carried out again when its case is closed',
    at: 'domain/process/case.ts#CLOSED',
    replace: ['frees: true', "frees: true, carriesOut: 'offer'"],
    suite: 'server/cases/cases.test.ts',
  },
];
