// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const EXCEPTIONS = 'server/deliveries/deliveryExceptions.test.ts';
const NEARBY = 'server/places/nearby.test.ts';
const MARKED = 'server/deliveries/markedByTown.test.ts';
const OPERATOR_STEPS = 'server/commands/stepCommand.test.ts';
const FOUND_BY_TIMERS = 'server/cases/foundByTimers.test.ts';
const RACES = 'server/deliveries/exceptionRaces.test.ts';
const VISIBILITY = 'server/deliveries/exceptionVisibility.test.ts';
const TIMERS = 'server/deliveries/deliveryTimers.test.ts';
const HANDOVERS = 'server/handovers/handovers.test.ts';
const EXCEPTION_STEPS = 'promises/exceptionSteps.test.ts';
const CALL_OFF = 'server/deliveries/callOffLegs.test.ts';

/** Bugs in the exceptions of deliveries. */
export const EXCEPTION_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a Duber is paid for a failed pickup without an arrival',
    file: 'server/deliveries/exceptionEffects.ts',
    find: 'if (!delivery.arrivedAt) return undefined;',
    replace: '',
    suite: EXCEPTIONS,
  },
  {
    bug: 'nobody is paid for a delivery that the town marks as delivered',
    file: 'server/deliveries/exceptionEffects.ts',
    find: "return { kind: 'leg', cents, borneBy: paidBy ?? 'order' };",
    replace: 'return undefined;',
    suite: MARKED,
  },
  {
    bug: 'laundry that the town marks as delivered stays with its Duber',
    file: 'server/deliveries/exceptionEffects.ts',
    find: 'if (isDelivered && (await hasMovedOn(tx, id))) return;',
    replace: 'if (isDelivered) return;',
    suite: MARKED,
  },
  {
    bug: 'a Duber is paid for a trip to laundry that they have had all the time',
    file: 'domain/deliveries.ts',
    find: "needs: ['not-carried-by-them', ...FAILED]",
    replace: 'needs: FAILED',
    suite: 'server/deliveries/exceptionPays.test.ts',
  },
  {
    bug: 'a Duber who is called off is paid for a trip to laundry that they have had all the time',
    file: 'server/deliveries/exceptionEffects.ts',
    find: ' || isCarriedByDuber(delivery)) return undefined;',
    replace: ') return undefined;',
    suite: 'server/deliveries/exceptionPays.test.ts',
  },
  {
    bug: 'laundry is taken and lost at the same moment',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: "['call-off', 'correct', 'drop-failed', 'report-lost']",
    replace: "['call-off', 'correct']",
    suite: RACES,
  },
  {
    bug: 'an operator reports laundry as lost that was not collected',
    file: 'domain/deliveries.ts',
    find: "from: 'Failed', needs: ['laundry-on-board', 'not-lost', 'reason'] },\n] as const",
    replace: "from: 'Failed', needs: ['reason'] },\n] as const",
    suite: EXCEPTIONS,
  },
  {
    bug: 'a pickup fails without an arrival',
    file: 'domain/needs.ts',
    find: 'arrived: (facts) => facts.arrivedAt !== undefined || leavesAtOnce(facts),',
    replace: 'arrived: () => true,',
    suite: EXCEPTIONS,
  },
  {
    bug: 'a clock that is behind makes a wait longer than it was',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: 'return takenAt < lastTakenAt ? lastTakenAt : takenAt;',
    replace: 'return takenAt;',
    suite: EXCEPTIONS,
  },
  {
    bug: 'a Duber who drops a delivery accepts it again at once',
    file: 'server/deliveries/deliverySteps.sql.ts',
    find: "and not ${hasJustLeft('d', sql`${duber}::uuid`, now)} else",
    replace: 'else',
    suite: EXCEPTIONS,
  },
  {
    bug: 'a Duber is offered a delivery that they have just given away',
    file: 'server/deliveries/deliveries.sql.ts',
    find: "where d.id = found.id and not ${hasJustLeft('d', sql`${viewer.id}::uuid`, viewer.now)}",
    replace: 'where d.id = found.id',
    suite: NEARBY,
  },
  {
    bug: 'a delivery is called off while a Duber who could not go on has its laundry',
    file: 'domain/needs.ts',
    find: "'not-relayed': ({ isRelayed }) => !isRelayed,",
    replace: "'not-relayed': () => true,",
    suite: CALL_OFF,
  },
  {
    bug: 'an operator ends a relay without a word about where the laundry is',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: "if (row.to === 'Called_Off' && isRelayed(delivery) && words === null)",
    replace: "if (row.to === 'Called_Off' && isRelayed(delivery) && words === '')",
    suite: OPERATOR_STEPS,
  },
  {
    bug: 'a completed order whose last delivery is called off is never closed',
    file: 'server/deliveries/exceptionEffects.ts',
    find: '  await onDeliveryCalledOff(tx, orderId, at);\n',
    replace: '',
    suite: OPERATOR_STEPS,
  },
  {
    bug: 'nobody looks after a Scrub who does not start',
    file: 'server/orders/orderTimers.ts',
    find: "      await openCase(tx, { kind: 'scrub-silent', orderId: step.orderId }, now);\n",
    replace: '',
    suite: FOUND_BY_TIMERS,
  },
  {
    bug: 'a step that was not planned does not look whether another was faster',
    file: 'server/deliveries/deliveryExceptions.sql.ts',
    find: `where d.id = \${id} and d.status = \${from} and d.attempt = \${attempt} and \${hasLaundrySql('d')} = \${isLoaded}
            and d.duber_id is not distinct from \${duberId}::uuid`,
    replace: 'where d.id = ${id}',
    suite: RACES,
  },
  {
    bug: 'the history of a delivery has no key when a Duber arrives',
    file: 'server/db/migrations/019_history.ts',
    find: 'create unique index concurrently delivery_steps_once_an_attempt',
    replace: 'create index concurrently delivery_steps_once_an_attempt',
    suite: EXCEPTIONS,
  },
  {
    bug: 'the timer of a silent Duber fires after the step',
    file: 'server/deliveries/deliveryTimers.ts',
    find: 'if (isHeard) await rearmSilenceTimer',
    replace: 'if (silence.heardAt > now()) await rearmSilenceTimer',
    suite: TIMERS,
  },
  {
    bug: 'the next Duber reads what happened to the one before',
    file: 'server/visibility/viewRules.sql.ts',
    find: "  viewer.role === 'Duber'\n    ? sql`(t.position = 0",
    replace: "  viewer.role === ('None' as string)\n    ? sql`(t.position = 0",
    suite: VISIBILITY,
  },
  {
    bug: 'a Duber keeps the contacts of a delivery that was called off',
    file: 'server/visibility/viewRules.sql.ts',
    find: 'coalesce(${alias}.delivered_at, ${alias}.stopped_at)',
    replace: '${alias}.delivered_at',
    suite: VISIBILITY,
  },
  {
    bug: 'the position of a Duber stays with a delivery that they lost',
    file: 'server/deliveries/deliveryExceptions.sql.ts',
    find: 'and m.duber_id is distinct from ${duberId}::uuid)',
    replace: 'and false)',
    suite: VISIBILITY,
  },
  {
    bug: 'a Duber reads that they are paid for a delivery that is called off, for a trip of an earlier attempt',
    file: 'server/notifications/deliveryTemplateData.sql.ts',
    find: 'and p.attempt = d.attempt',
    replace: '',
    suite: CALL_OFF,
  },
  {
    bug: 'laundry in a car is called off with its order',
    file: 'server/deliveries/callOffLegs.ts',
    find: '!chooseException(SYSTEM, delivery, request, at).ok',
    replace: 'false',
    suite: CALL_OFF,
  },
  {
    bug: 'the second of two arrivals at once gets an internal error',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: 'if (constraint === ONE_PLACE) return undefined;',
    replace: '',
    suite: RACES,
  },
  {
    bug: 'taking back a failed drop-off takes the hand-over of the pickup back',
    file: 'server/deliveries/exceptionEffects.ts',
    find: "record.action !== 'correct' || status === 'Failed'",
    replace: "record.action !== 'correct'",
    suite: HANDOVERS,
  },
  {
    bug: 'a Duber who dropped a delivery stays locked out although another Duber had it',
    file: 'server/deliveries/exceptionChange.ts',
    find: "if (action === 're-offer') return null;",
    replace: '',
    suite: EXCEPTIONS,
  },
  {
    bug: 'a Duber whose trip was not paid reads its price as what they earned',
    file: 'server/visibility/visibility.sql.ts',
    find: "in ('Called_Off', 'Failed', 'Returned')",
    replace: "in ('Called_Off')",
    suite: EXCEPTIONS,
  },
  {
    bug: 'an order is given back while its laundry is on the way',
    file: 'domain/needs.ts',
    find: "'no-bag-here': ({ hasBagMoved, isLaundryHere }) => !hasBagMoved && !isLaundryHere,",
    replace: "'no-bag-here': () => true,",
    suite: 'server/orders/laundryStates.test.ts',
  },
  {
    bug: 'laundry that is brought back stays on paper with the Duber',
    file: 'server/deliveries/exceptionEffects.ts',
    find: "if (duberId === null || !(isDelivered || change.to === 'Returned')) return;",
    replace: 'if (duberId === null || !isDelivered) return;',
    suite: EXCEPTION_STEPS,
  },
  {
    bug: 'a case that an operator closes stays open to be contested',
    file: 'domain/cases.ts',
    find: "{ action: 'close', from: 'with-town', to: 'closed', by: 'Operator' }",
    replace: "{ action: 'close', from: 'with-town', to: 'decided', by: 'Operator' }",
    suite: EXCEPTION_STEPS,
    cases: 60,
  },
  {
    bug: 'nobody asks why the one who took the laundry counts other bags than the Duber',
    file: 'server/handovers/handovers.ts',
    find: '  await applyHandoverEffects(tx, taken, facts, now);\n',
    replace: '',
    suite: EXCEPTION_STEPS,
    cases: 60,
  },
  {
    bug: 'a second tap on a step gets the error that its photo is lost',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: 'const chosen = chooseException(actor, delivery, request, at, photos);',
    replace:
      "if (actor.id !== null) await attachFiles(tx, { owner: actor.id, fileIds, aboutKind: 'delivery', aboutId: id });\n" +
      '  const chosen = chooseException(actor, delivery, request, at, photos);',
    suite: 'server/handovers/handoverPhotos.test.ts',
  },
];
