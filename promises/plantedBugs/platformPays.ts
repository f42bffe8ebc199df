// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const TRIPS = 'server/deliveries/platformPays.test.ts';
const PROOFS = 'server/handovers/demandedProof.test.ts';

/** Bugs with which people earn from what did not happen. */
export const PLATFORM_PAY_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a Duber who goes on with laundry that they handed on earns more than the whole way',
    file: 'server/payments/pays.ts',
    find: "kind === 'leg' && ownRelay > 0",
    replace: "kind === 'leg' && ownRelay < 0",
    suite: 'server/deliveries/exceptionPays.test.ts',
  },
  {
    bug: 'the next Duber of laundry that is handed on near the drop-off drives for nothing',
    file: 'server/deliveries/exceptionChange.ts',
    find: 'restCents: Math.max(least, price - share)',
    replace: 'restCents: price - share',
    suite: 'server/deliveries/exceptionPays.test.ts',
  },
  {
    bug: 'a Bud who pays for the way home gets that money back before it is driven',
    file: 'server/payments/pays.ts',
    find: 'centsToRefund(settlement) - (await readKeptForWayHome(tx, orderId))',
    replace: 'centsToRefund(settlement)',
    suite: 'server/orders/orderRounds.test.ts',
  },
  {
    bug: 'the platform pays the trip to an order that its Scrub gives back',
    file: 'server/orders/exceptionEffects.ts',
    find: "by === 'Scrub' ? 'scrub' : 'platform'",
    replace: "'platform'",
    suite: TRIPS,
  },
  {
    bug: 'a Scrub without money makes a trip free for a friend',
    file: 'server/payments/payHolds.sql.ts',
    find: '(await readMoneyFor(tx, bearerId, orderId)) >= rest',
    replace: '(await readMoneyFor(tx, bearerId, orderId)) >= -1e9',
    suite: TRIPS,
  },
  {
    bug: 'what is kept for a claim pays the trip of a friend',
    file: 'server/payments/offerCover.sql.ts',
    find: "(h.reason = 'ways' and exists (select",
    replace: "(h.reason <> '' or exists (select",
    suite: TRIPS,
  },
  {
    bug: 'a trip is payable on the word of its Duber',
    file: 'domain/pays.ts',
    find: 'isProven && !isAboveLimit',
    replace: '(isProven || !isAboveLimit) && !isAboveLimit',
    suite: TRIPS,
  },
  {
    bug: 'the platform pays any number of trips in a week',
    file: 'domain/pays.ts',
    find: 'inWeek + ofPlatform > weekLimit',
    replace: 'ofPlatform > weekLimit',
    suite: TRIPS,
  },
  {
    bug: 'a Duber arrives as early as their phone says',
    file: 'server/deliveries/evidence.ts',
    find: 'return earliest > saidAt ? earliest : null;',
    replace: 'return earliest > saidAt ? null : null;',
    suite: TRIPS,
  },
  {
    bug: 'a position that may be kilometers away proves an arrival',
    file: 'server/deliveries/deliveryExceptions.sql.ts',
    find: 'and p.latitude is not null and ${isExactPosition}) as position',
    replace: 'and p.latitude is not null and (${isExactPosition} or true)) as position',
    suite: TRIPS,
  },
  {
    bug: 'a phone is at the door when it knows its place to within kilometers',
    file: 'server/deliveries/deliveryExceptions.ts',
    find: 'const place = exactPlace(told);',
    replace: 'const place = exactPlace(told) ?? told;',
    suite: 'server/deliveries/deliveryExceptions.test.ts',
  },
  {
    bug: 'a position near the door does not count',
    file: 'server/deliveries/evidence.ts',
    find: 'if (isHeardAtDoor(delivery)) return null;',
    replace: '',
    suite: TRIPS,
  },
  {
    bug: 'a pickup that its Bud denies is paid after three days',
    file: 'server/cases/takeCaseStep.ts',
    find: "if (action === 'deny') await keepPaysOfCase(tx, row.id, context.at);",
    replace: 'void keepPaysOfCase;',
    suite: TRIPS,
  },
  {
    bug: 'what waits for a case waits for ever',
    file: 'server/cases/claimHolds.ts',
    find: 'await releasePaysOfCase(tx, caseId, at);',
    replace: 'void releasePaysOfCase;',
    suite: TRIPS,
  },
  {
    bug: 'the way back is paid after a drop-off that only its Duber says was not safe',
    file: 'server/deliveries/exceptionEffects.ts',
    find: 'return delivery.isFailureProven ?? true;',
    replace: 'return true;',
    suite: TRIPS,
  },
  {
    bug: 'after five wrong PINs a photo counts from anywhere',
    file: 'domain/handovers.ts',
    find: "(proof === 'photo' && isPinBlocked && isAtDoor)",
    replace: "(proof === 'photo' && isPinBlocked && (isAtDoor || true))",
    suite: PROOFS,
  },
  {
    bug: 'five wrong PINs do not matter for the pay',
    file: 'server/payments/pays.ts',
    find: 'const caseId = wrongPin ?? (await',
    replace: 'const caseId = (await',
    suite: PROOFS,
  },
  {
    bug: 'a taker who has the laundry leaves the case of the wrong PINs open',
    file: 'server/handovers/handovers.ts',
    find: 'if (deliveryId !== null) await closeConfirmed(tx, deliveryId, now);',
    replace: 'void closeConfirmed;',
    suite: PROOFS,
  },
];
