import { expect, test } from 'vitest';
import { DELIVERY_TEXTS } from '../../texts/deliveries.ts';
import { STATUS_TEXTS, WAY_TEXTS } from '../../texts/orders.ts';
import { DELIVERY_STATUSES } from '../deliveries.ts';
import { ORDER_STATUSES, WAYS_HOME } from '../orders.ts';
import {
  DELIVERY_SITUATIONS,
  findArrival,
  ORDER_SITUATIONS,
  type OrderSituationFacts,
  situationOf,
  situationOfDelivery,
} from './situation.ts';

/** Every combination of these facts. */
const combine = <Facts extends object>(values: { readonly [F in keyof Facts]: readonly Facts[F][] }): Facts[] =>
  (Object.keys(values) as (keyof Facts)[]).reduce<Partial<Facts>[]>(
    (rows, fact) => rows.flatMap((row) => values[fact].map((value) => ({ ...row, [fact]: value }))),
    [{}],
  ) as Facts[];

const BOTH = [false, true] as const;

test('every order has one situation, every situation is reached, and each reader has a text for it', () => {
  const ends = {
    isBudsWay: BOTH,
    isWithBud: BOTH,
    wayHome: [null, ...WAYS_HOME],
    delivery: [null, ...DELIVERY_SITUATIONS],
  } as const;
  const asked = { hasExpired: BOTH, givenBackBy: [null, 'scrub', 'town'] } as const;
  const washed = { weight: [null, 'asked', 'unwashed'], isCleanedAgain: BOTH, isHandedOver: BOTH } as const;
  const orders = [
    { ...ends, ...asked, weight: [null], isCleanedAgain: [false], isHandedOver: [false] },
    { ...ends, ...washed, hasExpired: [false], givenBackBy: [null] },
  ].flatMap((values) => combine<OrderSituationFacts>({ status: ORDER_STATUSES, wasAccepted: BOTH, ...values }));
  const reached = new Set(orders.map(situationOf));
  expect([...reached].toSorted()).toEqual([...ORDER_SITUATIONS].toSorted());
  for (const reader of ['Bud', 'Scrub'] as const) {
    for (const situation of reached) expect(STATUS_TEXTS[reader][situation]).toBeTypeOf('function');
    for (const way of ['there', 'back'] as const)
      for (const situation of DELIVERY_SITUATIONS)
        expect(WAY_TEXTS[way][reader][situation]({ bud: 'Ada', scrub: 'Sam' })).toMatch(/^[A-Z].*\.$/);
  }
});

test('every delivery has one situation, every situation is reached, and each reader has a text for it', () => {
  const histories = [[], ['arrived-at-pickup'], ['arrived-at-drop'], ['relay'], ['report-lost'], ['relay', 'call-off']];
  const reached = DELIVERY_STATUSES.flatMap((status) =>
    histories.flatMap((actions) =>
      BOTH.map((hasLaundry) => {
        const exceptions = actions.map((action) => ({ action, attempt: 1, createdAt: '2026-11-22T12:00:00.000Z' }));
        return situationOfDelivery({ status, hasLaundry, exceptions });
      }),
    ),
  );
  expect([...new Set(reached)].toSorted()).toEqual([...DELIVERY_SITUATIONS].toSorted());
  for (const reader of ['Duber', 'others'] as const)
    for (const situation of DELIVERY_SITUATIONS)
      for (const status of DELIVERY_STATUSES)
        expect(
          DELIVERY_TEXTS[reader][situation]({ status, leftAtDoor: undefined, isDuberAway: false, isAhead: false }),
        ).toMatch(/^[A-Z].*\.$/);
});

test('an arrival counts until the delivery starts over, also after a step that was taken back', () => {
  const step = (action: string, attempt: number) => ({ action, attempt, createdAt: '2026-11-22T12:00:00.000Z' });
  const arrival = step('arrived-at-pickup', 1);
  const find = (attempt: number, ...exceptions: (typeof arrival)[]) =>
    findArrival({ status: 'Way_To_Pick', attempt, exceptions })?.toISOString();
  expect(find(1, arrival)).toBe(arrival.createdAt);
  expect(find(2, arrival, step('drop-delivery', 1))).toBeUndefined();
  expect(find(2, arrival, step('pickup-failed', 1), step('correct', 1))).toBe(arrival.createdAt);
});
