import type { Mutant } from './mutant.ts';

const LIVES = { suite: 'promises/missedPromises.test.ts', cases: 60 } as const;
const RULES = { suite: 'server/orders/promise.test.ts' } as const;

/** What a missed promise pays, and who bears it. */
export const MISSED_PROMISE_MUTANTS: readonly Mutant[] = [
  {
    mutant: 'a credit is paid again in the next round of its order',
    at: 'server/process/orderTimers.sql.ts#isUntaken',
    replace: ["once === 'round' ?", "once !== 'proposal' ?"],
    also: [
      { at: 'server/process/orderTimers.sql.ts#HOLDS', remove: "and m.state = 'owed'" },
      { at: 'server/orders/promise.sql.ts#isCreditOwed', skip: 'where[state]' },
      { at: 'server/orders/promise.sql.ts#findOwedCredit', remove: "and m.state = 'owed'" },
    ],
    ...RULES,
  },
  {
    mutant: 'who has the laundry after the promised time bears the credit',
    at: 'server/orders/promise.sql.ts#findOwedCredit',
    remove: "and ${handedAt('h')} <= m.promised_at",
    ...LIVES,
  },
  {
    mutant: 'a Bud who gave the laundry later than agreed gets the credit',
    at: 'server/orders/promise.ts#whyUnpaid',
    remove: "if (wasGivenLate) return 'late-pickup';",
    ...LIVES,
  },
  {
    mutant: 'what the town sets after an order was placed changes what it owes',
    at: 'server/town/settings.sql.ts#promisedCredit',
    replace: ['o.created_at', "o.created_at + interval '2 minutes'"],
    ...LIVES,
  },
  {
    mutant: 'a Duber who came before the window of the return counts as one whom the Bud did not open',
    at: 'server/orders/promise.sql.ts#WAS_NOT_HOME',
    remove: 'and door.at between m.return_from and m.promised_at',
    ...RULES,
  },
  {
    mutant: 'a hand-over that was taken back keeps a promise',
    at: 'server/db/columns.sql.ts#backAt',
    remove: "and ${standsHandover('h')}",
    ...RULES,
  },
  {
    mutant: 'the town pays more than it keeps of an order',
    at: 'server/orders/promise.ts#bearerOf',
    replace: ['Math.min(cents, kept)', 'cents'],
    ...LIVES,
  },
];
