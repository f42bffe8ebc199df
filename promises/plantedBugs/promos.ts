// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const LIMITS = 'server/promos/promos.test.ts';
const MONEY = 'server/promos/promoMoney.test.ts';
const OPERATORS = 'server/operator/promos.test.ts';

/** Bugs in promo codes: how often they are used, who pays for them, and who may make them. */
export const PROMO_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a promo code is used once more than it may be',
    file: 'domain/promos.ts',
    find: 'uses >= maxUses)',
    replace: 'uses > maxUses)',
    suite: LIMITS,
  },
  {
    bug: 'those who use a promo code at the same time do not see each other',
    file: 'server/promos/promos.sql.ts',
    find: 'uses: promo.uses - 1 }',
    replace: 'uses: 0 }',
    suite: LIMITS,
  },
  {
    bug: 'an order that ends before its card is charged keeps its use of a promo code',
    file: 'server/db/migrations/046_listed_payments.ts',
    find: 'p.uses + case when ends then -1 else 1 end',
    replace: 'p.uses + case when ends then 0 else 1 end',
    suite: LIMITS,
  },
  {
    bug: 'a Bud pays a total with a promo code that they have not seen',
    file: 'server/orders/placeOrder.ts',
    find: "if (body.shownTotal !== undefined && toCents(body.shownTotal) !== cents) refuse('priceChanged');",
    replace: '',
    suite: LIMITS,
  },
  {
    bug: 'promo codes can be guessed without waiting',
    file: 'server/promos/promos.ts',
    find: "if (!before && !judged.ok && judged.why === 'promoUnknown') await countTries(tx, keys, now());",
    replace: 'void countTries;',
    suite: LIMITS,
  },
  {
    bug: 'many promo codes are guessed at once',
    file: 'server/promos/promos.ts',
    find: 'await lockTries(tx, keys, now());',
    replace: 'void lockTries;',
    suite: LIMITS,
  },
  {
    bug: 'a Bud uses two promo codes for first orders at the same time',
    file: 'server/promos/promos.ts',
    find: 'await lockFirstOrder(tx, promo.id, bud);',
    replace: 'void lockFirstOrder;',
    suite: LIMITS,
  },
  {
    bug: 'a card uses a promo code for first orders again after an order that was called off and charged in part',
    file: 'server/db/migrations/046_listed_payments.ts',
    find: 'set returned_at = case when ends then new.updated_at end\n',
    replace: 'set returned_at = case when ends then new.updated_at end, card = case when not ends then u.card end\n',
    suite: MONEY,
  },
  {
    bug: 'a Scrub who gives something back pays the share of a promo code, too',
    file: 'server/payments/refunds.ts',
    find: 'isCompensation && liableUser !== null ? codeShareOf(plan) : 0',
    replace: 'isCompensation && liableUser === null ? codeShareOf(plan) : 0',
    suite: 'server/cases/claimsWithPromo.test.ts',
  },
  {
    bug: 'what a Scrub bears of a promo code does not count towards the limits of an operator',
    file: 'server/payments/refunds.ts',
    find: '(liableUser === null ? amount : amount + discount)',
    replace: '(liableUser === null ? amount : amount + 0 * discount)',
    suite: 'server/operator/refundsWithPromo.test.ts',
  },
  {
    bug: 'what a promo code took off goes back to the card',
    file: 'server/payments/pays.ts',
    find: 'const { card: amount, discount } = divideGivenBack(cents, paidInTwo(settlement.charged));',
    replace: 'const [amount, discount] = [cents, 0]; void divideGivenBack; void paidInTwo;',
    suite: MONEY,
  },
  {
    bug: 'a Scrub gains from a refunded order what a promo code has paid',
    file: 'server/payments/refunds.ts',
    find: 'const discount = discountBeside(amount, paidInTwo(order));',
    replace: 'const discount = 0; void discountBeside; void paidInTwo;',
    suite: MONEY,
  },
  {
    bug: 'laundry that weighs less keeps all that a promo code took off',
    file: 'domain/promos.ts',
    find: 'return Math.min(discount, Math.floor((discount * Math.max(0, part)) / total));',
    replace: 'return Math.min(discount, part);',
    suite: MONEY,
  },
  {
    bug: 'the platform pays more for a promo code when laundry weighs more',
    file: 'domain/promos.ts',
    find: 'return Math.min(discount, Math.floor((discount * Math.max(0, part)) / total));',
    replace: 'return Math.floor((discount * Math.max(0, part)) / total);',
    suite: MONEY,
  },
  {
    bug: 'one card uses a promo code for first orders from many accounts',
    file: 'server/promos/promos.ts',
    find: 'await saveCardOfUse(db, orderId, digest(fingerprint));',
    replace: 'void saveCardOfUse;',
    suite: MONEY,
  },
  {
    bug: 'a card that cannot be told from others pays with a promo code for first orders',
    file: 'server/promos/promos.ts',
    find: "return (await isForFirstOrder(db, orderId)) ? 'unknown' : 'fine';",
    replace: "return (await isForFirstOrder(db, orderId)) ? 'fine' : 'fine';",
    suite: LIMITS,
  },
  {
    bug: 'a promo code without a limit needs no second operator',
    file: 'server/operator/promos.ts',
    find: 'needsApproval: (_input, cents) => cents === null,',
    replace: 'needsApproval: (_input, cents) => cents !== cents,',
    suite: OPERATORS,
  },
  {
    bug: 'what promo codes may cost is counted for each code instead of a day',
    file: 'server/operator/refundLimits.sql.ts',
    find: 'where a.operator_id = ${operatorId}::uuid and ${isTakenAlone}',
    replace: 'where a.operator_id = ${operatorId}::uuid and ${isTakenAlone} and false',
    suite: OPERATORS,
  },
];
