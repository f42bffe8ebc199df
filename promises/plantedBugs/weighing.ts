import type { PlantedBug } from './plantedBug.ts';

const WEIGHING = 'server/orders/weighing.test.ts';
const ROUNDS = 'server/orders/weighingRounds.test.ts';
const RACES = 'server/orders/weighingRaces.test.ts';

/** Bugs in orders that are weighed: what counts, who decides, and the clocks. */
export const WEIGHING_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a question about heavier laundry is answered twice',
    file: 'domain/weighing.ts',
    find: "asked: ({ correction }) => correction === 'asked',",
    replace: 'asked: ({ correction }) => correction !== undefined,',
    suite: WEIGHING,
  },
  {
    bug: 'an order is completed without having been weighed',
    file: 'server/orders/orders.ts',
    find: 'await refuseUnweighed(tx, order);',
    replace: 'void refuseUnweighed;',
    suite: WEIGHING,
  },
  {
    bug: 'an order whose price changes while it is completed is paid at its earlier price',
    file: 'server/orders/orders.ts',
    find: 'const order = orNotFound(await lockOrder(tx, caller, id));',
    replace: 'void lockOrder;\n  const order = await getOrder(tx, caller, id);',
    suite: RACES,
  },
  {
    bug: 'of two scales that disagree the higher one counts',
    file: 'domain/weighing.ts',
    find: 'grams: doScalesDisagree ? lower : scrub',
    replace: 'grams: doScalesDisagree ? higher : scrub',
    suite: WEIGHING,
  },
  {
    bug: 'what is heavier than the ceiling is charged without asking',
    file: 'domain/weighing.ts',
    find: 'if (size === undefined || isHeavierSize(size, order.ceiling)) return',
    replace: 'if (size === undefined) return',
    suite: WEIGHING,
  },
  {
    bug: 'the hold of an order that was given back gets too old',
    file: 'server/orders/orderTimers.sql.ts',
    find: "await timersOf(tx, orderId).where('action', '<>', KEPT_TIMER).execute();",
    replace: 'void KEPT_TIMER;\n  await timersOf(tx, orderId).execute();',
    suite: WEIGHING,
  },
  {
    bug: 'laundry is weighed without waiting for others who weigh it',
    file: 'server/orders/weigh.ts',
    find: 'const order = orNotFound(await lockOrder(tx, caller, id));',
    replace:
      'const { findOrder } = await import("./orders.sql.ts");\n    const order = orNotFound(await findOrder(tx, caller, id));',
    suite: RACES,
  },
  {
    bug: 'the weight of other laundry counts',
    file: 'server/orders/weighings.sql.ts',
    find: "const HAS_ARRIVED = isOfLoad(sql`d.status = 'Delivered'`);",
    replace: 'const HAS_ARRIVED = sql`true`;',
    suite: ROUNDS,
  },
  {
    bug: 'laundry is weighed that is not here',
    file: 'domain/weighing.ts',
    find: "'laundry-here': ({ isLaundryHere }) => isLaundryHere,",
    replace: "'laundry-here': () => true,",
    suite: ROUNDS,
  },
  {
    bug: 'the next Scrub finds a question that nobody ends',
    file: 'server/orders/exceptionEffects.ts',
    find: 'if (order.ceilingSize !== null && (await deleteOpenCorrection(tx, order.id))) await startCharging(tx, order.id, at);',
    replace: 'void [deleteOpenCorrection, startCharging];',
    suite: ROUNDS,
  },
  {
    bug: 'a repeated weight is refused once the order has gone on',
    file: 'server/orders/weigh.ts',
    find: "action: 'weigh', requestKey }))",
    replace: "action: 'weigh', requestKey: status === 'Accepted' ? requestKey : null }))",
    suite: ROUNDS,
  },
];
