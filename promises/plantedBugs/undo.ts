// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const UNDO = 'server/deliveries/undo.test.ts';

/** Bugs in the steps of a delivery that are taken back. */
export const UNDO_BUGS: readonly PlantedBug[] = [
  {
    bug: 'what a taker pressed by mistake holds after the town has helped',
    file: 'server/handovers/recordHandover.ts',
    find: "t.action in ('try-again', 'bring-back')",
    replace: 'false',
    suite: UNDO,
  },
  {
    bug: 'a failure that is taken back closes the case of an earlier one',
    file: 'server/cases/openCase.ts',
    find: '!row || (openedAt && row.createdAt.getTime() !== openedAt.getTime())',
    replace: '!row || (openedAt && false)',
    suite: UNDO,
  },
  {
    bug: 'a step is taken back after ten minutes',
    file: 'domain/needs.ts',
    find: 'msSince(now, lastStepAt) <= UNDO_MS',
    replace: 'msSince(now, lastStepAt) <= 2 * UNDO_MS',
    suite: UNDO,
  },
  {
    bug: 'a step is taken back with the clock of the device',
    file: 'domain/needs.ts',
    find: "'can-be-undone': ({ now, lastStepAt, corrections, isSettled, isByOperator }) =>",
    replace: "'can-be-undone': ({ takenAt: now, lastStepAt, corrections, isSettled, isByOperator }) =>",
    suite: UNDO,
  },
  {
    bug: 'a Duber takes back laundry that the Scrub has weighed',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: '(delivery.isOrderCancelled || delivery.hasScrubGoneOn)',
    replace: 'delivery.isOrderCancelled',
    suite: UNDO,
  },
  {
    bug: 'a Duber does not read that the Scrub has gone on with what they delivered',
    file: 'server/deliveries/undo.sql.ts',
    find: "or o.status = 'Cancelled' or ${hasScrubGoneOn})",
    replace: "or o.status = 'Cancelled')",
    suite: UNDO,
  },
  {
    bug: 'a Duber does not read that they have taken too many steps back',
    file: 'server/deliveries/undo.sql.ts',
    find: '${correctionCount} >= ${sql.lit(MAX_CORRECTIONS)}',
    replace: 'false',
    suite: UNDO,
  },
  {
    bug: 'a Duber whose laundry was confirmed before it could not be delivered is not offered to take that back',
    file: 'server/deliveries/undo.sql.ts',
    find: "(d.status = 'Delivered' and (${isConfirmedByTaker} or ",
    replace: "${isConfirmedByTaker} or (d.status = 'Delivered' and (",
    suite: UNDO,
  },
  {
    bug: 'a Duber who takes a failed pickup back has to wait at the door again',
    file: 'server/deliveries/deliveryExceptions.sql.ts',
    find: 'and not ${HAS_STARTED_OVER}',
    replace: 'and t.attempt = d.attempt',
    suite: UNDO,
  },
  {
    bug: 'an arrival before the delivery was offered again counts for the next trip',
    file: 'server/deliveries/deliveryExceptions.sql.ts',
    find: 'and not ${HAS_STARTED_OVER}',
    replace: '',
    suite: UNDO,
  },
  {
    bug: 'a failure that was pressed by mistake stays a case of the town',
    file: 'server/deliveries/exceptionEffects.ts',
    find: 'await closeCaseOf(tx, step);',
    replace: 'void closeCaseOf;',
    suite: UNDO,
  },
  {
    bug: 'a decision that somebody contests is closed when its Duber takes the step back',
    file: 'domain/cases.ts',
    find: "to: 'closed', by: 'System', needs: ['undecided'] }",
    replace: "to: 'closed', by: 'System' }",
    suite: UNDO,
  },
  {
    bug: 'laundry that was not collected after all stays with the Duber',
    file: 'server/deliveries/exceptionChange.ts',
    find: "if (action === 'correct' && from === 'Collected') return false;",
    replace: '',
    suite: UNDO,
  },
];
