import type { PlantedBug, PlantedEdit } from './plantedBug.ts';

const GANG = 'promises/gang/gang.test.ts';

/** The platform pays any sum in a week without a case. */
const NO_WEEK_LIMIT: PlantedEdit = {
  file: 'domain/pays.ts',
  find: 'inWeek + ofPlatform > weekLimit',
  replace: 'inWeek + ofPlatform > 1_000 * weekLimit',
};

/** An offer is accepted from somebody who does not have the money. */
const NO_COVER: PlantedEdit = {
  file: 'server/cases/caseMoney.ts',
  find: 'free >= (offer ===',
  replace: 'free > Number.NEGATIVE_INFINITY * (offer ===',
};

/** Nothing waits for the end of the time for claims. */
const NO_CLAIM_TIME: PlantedEdit = {
  file: 'server/payments/payouts.sql.ts',
  find: 'holdOfLine(payee, now)',
  replace: 'ownHoldOfLine(payee.before ?? now)',
};

/** Tricks of people who work together. */
export const GANG_BUGS: readonly PlantedBug[] = [
  ...[
    {
      bug: 'a gang: what a worker offers to give back is paid by the platform',
      file: 'server/cases/caseMoney.ts',
      find: '...{ orderId, amount: cents, liable, reason:',
      replace: "...{ orderId, amount: cents, liable: 'platform', reason:",
    },
    {
      bug: 'a gang: the order bears the trip of a Duber, and still goes back to the card as a whole',
      file: 'domain/pays.ts',
      find: 'const unearned = captured - earned;',
      replace: 'const unearned = isUndone ? captured : captured - earned;',
    },
    {
      bug: 'a gang: the platform pays the trip to an order that a friend gives back, without a proof and a bound',
      file: 'server/orders/exceptionEffects.ts',
      find: "by === 'Scrub' ? 'scrub' : 'platform'",
      replace: "'platform'",
      also: [
        NO_WEEK_LIMIT,
        {
          file: 'server/deliveries/exceptionEffects.ts',
          find: 'return isOnTheWay(tx, delivery);',
          replace: 'return isOnTheWay === undefined || tx !== undefined;',
        },
      ],
    },
    {
      bug: 'a gang: "not safe" is paid on the word of the Duber',
      file: 'server/deliveries/exceptionEffects.ts',
      find: 'return record.isProven === true;',
      replace: 'return true;',
      also: [NO_WEEK_LIMIT],
    },
    {
      bug: 'a gang: what was paid out on Monday goes back to the card of a friend on Tuesday',
      ...NO_CLAIM_TIME,
      also: [NO_COVER],
    },
    {
      bug: 'a gang: a Scrub without money cleans again, and a friend is paid for the ways',
      ...NO_WEEK_LIMIT,
      also: [NO_COVER],
    },
    {
      bug: 'a gang: after five wrong PINs, a photo of anything is a proof, and is paid',
      file: 'domain/handovers.ts',
      find: "(proof === 'photo' && isPinBlocked && isAtDoor)",
      replace: "(proof === 'photo' && isPinBlocked && (isAtDoor || true))",
      also: [
        {
          file: 'server/payments/pays.ts',
          find: 'const wrongPin = await lockOpenCase(tx, facts.wrongPinCase);',
          replace: 'const wrongPin = undefined;',
        },
        NO_CLAIM_TIME,
      ],
    },
  ].map((bug) => ({ ...bug, suite: GANG, cases: 1 })),
];
