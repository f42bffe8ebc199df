import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../domain/deliveries.ts';
import { LAUNDRY_STAGES } from '../../domain/laundry.ts';
import { describeWayToBud, describeWayToScrub, type LaundryWay, stageToBud, stageToScrub } from './laundryWay.ts';

type Leg = LaundryWay['deliveries'][number];

const order = {
  status: 'Accepted',
  ...{ selfDelivery: false, selfPickup: false, round: 1, isHandedOver: false },
  exceptions: [],
  scrub: { fullname: 'Sam Suds' },
  bud: { fullname: 'Ada Byron' },
} as const;

/** The ways a delivery can have come to each status. */
const HISTORIES: readonly [hasLaundry: boolean, ...actions: string[]][] = [
  [false],
  [true, 'drop-failed'],
  [true, 'report-lost'],
  [false, 'relay'],
  [true, 'relay', 'drop-failed'],
  [false, 'relay', 'brought-back'],
  [false, 'relay', 'call-off'],
  [false, 'report-lost', 'call-off'],
];
const legs = (deliveryType: Leg['deliveryType'], status: DeliveryStatus): Leg[] =>
  HISTORIES.map(([hasLaundry, ...actions]) => ({
    ...{ deliveryType, status, round: 1, hasLaundry },
    exceptions: actions.map((action) => ({ action })),
  }));

test('every status of both ways has one sentence for both readers, and every stage is reached', () => {
  const stages = new Set<unknown>();
  for (const status of DELIVERY_STATUSES) {
    for (const leg of legs('Bud_To_Scrub', status)) {
      stages.add(stageToScrub({ ...order, deliveries: [leg] }));
      for (const reader of ['Bud', 'Scrub'] as const)
        expect(describeWayToScrub({ ...order, deliveries: [leg] }, reader)).toMatch(/^[A-Z].*\.$/);
    }
    for (const leg of legs('Scrub_To_Bud', status)) {
      stages.add(stageToBud({ ...order, status: 'Completed', deliveries: [leg] }));
      for (const reader of ['Bud', 'Scrub'] as const)
        expect(describeWayToBud({ ...order, status: 'Completed', deliveries: [leg] }, reader)).toMatch(/^[A-Z].*\.$/);
    }
  }
  expect([...stages].toSorted()).toEqual([...LAUNDRY_STAGES].toSorted());
});

test('only the deliveries of the present round count', () => {
  const delivered = { ...order, round: 2, deliveries: legs('Bud_To_Scrub', 'Delivered').slice(0, 1) };
  expect(stageToScrub(delivered)).toBe('waiting');
  expect(stageToScrub({ ...delivered, isHandedOver: true })).toBe('delivered');
});

test('laundry that its Bud brings or fetches is on no way of a Duber', () => {
  expect(stageToScrub({ ...order, selfDelivery: true, deliveries: [] })).toBeUndefined();
  expect(stageToBud({ ...order, selfPickup: true, deliveries: [] })).toBeUndefined();
  const brought = { ...order, selfDelivery: true, deliveries: [] };
  expect(describeWayToScrub(brought, 'Scrub')).toBe('Ada Byron will bring you the laundry.');
});
