import type { PlantedBug } from './plantedBug.ts';

const CHANGES = 'server/orders/orderExceptions.test.ts';
const ROUNDS = 'server/orders/orderRounds.test.ts';
const RACES = 'server/orders/orderRaces.test.ts';

/** Bugs in orders that are cancelled, given back or cleaned again: refunds, rounds and timers. */
export const CHANGE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'an order that its Scrub gave back has no such step in its history',
    file: 'server/visibility/histories.sql.ts',
    find: 'STAYING.filter(({ action }) => !MOVING.includes(action))',
    replace: 'STAYING',
    suite: 'server/orders/statusHistory.test.ts',
  },
  {
    bug: 'an order is cancelled while an earlier Duber has its laundry',
    file: 'domain/laundry.ts',
    find: ' || isRelayed(leg);',
    replace: ';',
    suite: 'server/orders/laundryStates.test.ts',
  },
  {
    bug: 'an order is cancelled after the delivery of laundry that an earlier Duber has was called off',
    file: 'domain/laundry.ts',
    find: "['lost', 'stranded'].includes",
    replace: "['lost'].includes",
    suite: 'server/orders/laundryStates.test.ts',
  },
  {
    bug: 'an order whose laundry was brought back cannot be cancelled',
    file: 'domain/laundry.ts',
    find: 'leg.hasLaundry || LAUNDRY_STATUSES.includes(leg.status)',
    replace: "leg.hasLaundry || leg.status === 'Returned' || LAUNDRY_STATUSES.includes(leg.status)",
    suite: 'server/orders/laundryStates.test.ts',
  },
  {
    bug: 'an order is cancelled although its Bud brought the laundry to the Scrub',
    file: 'server/visibility/visibility.sql.ts',
    find: "('handed_over_at')} is not null",
    replace: "('handed_over_at')} is null and false",
    suite: 'server/orders/laundryStates.test.ts',
  },
  {
    bug: 'an order that is cancelled after acceptance keeps its money in unearned',
    file: 'server/payments/pays.ts',
    find: 'if (!settlement?.isUndone) return;',
    replace: 'if (settlement) return;',
    suite: CHANGES,
  },
  {
    bug: 'an order that is cancelled while its card is charged is not paid back',
    file: 'server/payments/captures.ts',
    find: 'if (captured.settles) await settleOrder(tx, orderId, at);',
    replace: 'void settleOrder;',
    suite: CHANGES,
  },
  {
    bug: 'an order that another Scrub accepts is charged a second time',
    file: 'server/payments/payments.sql.ts',
    find: ".set({ state: 'capturing', due_at: now, tries: 0, updated_at: now })\n    .where('order_id', '=', orderId)\n    .where('state', '=', 'held')",
    replace:
      ".set({ state: 'capturing', due_at: now, tries: 0, updated_at: now })\n    .where('order_id', '=', orderId)\n    .where('state', 'in', ['held', 'captured'])",
    suite: CHANGES,
  },
  {
    bug: 'the clock of an order that was given back goes on after the Bud has chosen a Scrub',
    file: 'server/orders/orderTimers.ts',
    find: 'holds: sql`o.given_back_at is not null`',
    replace: 'holds: sql`true`',
    suite: CHANGES,
  },
  {
    bug: 'a change does not end what the order waited for',
    file: 'server/orders/orderExceptions.ts',
    find: '  await endTimers(tx, id);\n',
    replace: '  void endTimers;\n',
    suite: CHANGES,
  },
  {
    bug: 'who gave an order back may accept it',
    file: 'server/orders/orderSteps.sql.ts',
    find: ' and o.given_back_at is null',
    replace: '',
    suite: CHANGES,
  },
  {
    bug: 'who gave an order back still sees where its Bud lives',
    file: 'server/visibility/viewRules.sql.ts',
    find: ' and o.given_back_at is null',
    replace: '',
    suite: CHANGES,
  },
  {
    bug: 'a Bud pays more for cancelling than they were shown',
    file: 'server/orders/exceptionEffects.ts',
    find: "refuse('costsMore')",
    replace: 'void fee',
    suite: CHANGES,
  },
  {
    bug: 'a cancelled order does not hold its deliveries while it looks at them',
    file: 'server/orders/orderFacts.sql.ts',
    find: ' order by d.id for no key update',
    replace: ' order by d.id',
    suite: RACES,
  },
  {
    bug: 'a step that waited for another gets its place in the history',
    file: 'server/orders/orders.ts',
    find: 'const MAX_TRIES = 5;',
    replace: 'const MAX_TRIES = 1;',
    suite: RACES,
  },
  {
    bug: 'laundry that is cleaned again is earned twice',
    file: 'server/payments/payments.ts',
    find: 'if (facts.isRecorded) return;',
    replace: '',
    suite: ROUNDS,
  },
  {
    bug: 'a careful town starts laundry that nobody has seen',
    file: 'server/orders/orders.ts',
    find: 'const parts = { isEarly,',
    replace: 'const parts = { isEarly: false,',
    suite: ROUNDS,
  },
  {
    bug: 'an order is closed while a delivery is under way',
    file: 'server/orders/orderTimers.sql.ts',
    find: 'and d.status not in (',
    replace: 'and false and d.status not in (',
    suite: ROUNDS,
  },
  {
    bug: 'several operators give one order back',
    file: 'domain/needs.ts',
    find: "'not-given-back': ({ isGivenBack }) => !isGivenBack,",
    replace: "'not-given-back': () => true,",
    suite: RACES,
  },
];
