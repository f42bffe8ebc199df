import type { PlantedBug } from './plantedBug.ts';

const GANG = 'promises/gang/gang.test.ts';

/** Tricks of people who work together. */
export const GANG_BUGS: readonly PlantedBug[] = [
  {
    bug: 'what a worker offers to give back is paid by the platform',
    file: 'server/cases/caseMoney.ts',
    find: '...{ orderId, amount: cents, liable, reason:',
    replace: "...{ orderId, amount: cents, liable: 'platform', reason:",
    suite: GANG,
    cases: 60,
  },
  {
    bug: 'the order bears the trip of a Duber, and still goes back to the card as a whole',
    file: 'domain/pays.ts',
    find: 'const unearned = captured - earned;',
    replace: 'const unearned = isUndone ? captured : captured - earned;',
    suite: GANG,
    cases: 60,
  },
];
