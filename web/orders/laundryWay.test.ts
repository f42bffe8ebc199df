import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryStatus, type DeliveryType } from '../../domain/deliveries.ts';
import { DELIVERY_SITUATIONS } from '../../domain/process/situation.ts';
import { situated } from '../../testing/situated.ts';
import * as way from './laundryWay.ts';

type Order = way.LaundryWay;
const sent = (one: object) => situated({ statusHistory: [], ...one }) as unknown as Order;
const situationThere = (one: object) => way.situationThere(sent(one));
const situationBack = (one: object) => way.situationBack(sent(one));
const describeWayToScrub = (one: object, reader: 'Bud' | 'Scrub') => way.describeWayToScrub(sent(one), reader);
const describeWayToBud = (one: object, reader: 'Bud' | 'Scrub') => way.describeWayToBud(sent(one), reader);

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
  [false, 'arrived-at-pickup'],
  [true, 'arrived-at-drop'],
];
const deliveries = (deliveryType: DeliveryType, status: DeliveryStatus) =>
  HISTORIES.map(([hasLaundry, ...actions]) => ({
    ...{ deliveryType, status, round: 1, hasLaundry },
    exceptions: actions.map((action) => ({ action, attempt: 1, createdAt: '2026-11-22T12:00:00.000Z' })),
  }));

test('every status of both ways has one sentence for both readers, and every situation is reached', () => {
  const situations = new Set<unknown>();
  for (const status of DELIVERY_STATUSES) {
    for (const delivery of deliveries('Bud_To_Scrub', status)) {
      situations.add(situationThere({ ...order, deliveries: [delivery] }));
      for (const reader of ['Bud', 'Scrub'] as const)
        expect(describeWayToScrub({ ...order, deliveries: [delivery] }, reader)).toMatch(/^[A-Z].*\.$/);
    }
    for (const delivery of deliveries('Scrub_To_Bud', status)) {
      situations.add(situationBack({ ...order, status: 'Completed', deliveries: [delivery] }));
      for (const reader of ['Bud', 'Scrub'] as const)
        expect(describeWayToBud({ ...order, status: 'Completed', deliveries: [delivery] }, reader)).toMatch(
          /^[A-Z].*\.$/,
        );
    }
  }
  expect([...situations].toSorted()).toEqual([...DELIVERY_SITUATIONS].toSorted());
});

test('only the deliveries of the present round count', () => {
  const delivered = { ...order, round: 2, deliveries: deliveries('Bud_To_Scrub', 'Delivered').slice(0, 1) };
  expect(situationThere(delivered)).toBe('waits-for-duber');
  expect(situationThere({ ...delivered, isHandedOver: true })).toBe('delivered');
});

test('laundry that its Bud brings or fetches is on no way of a Duber', () => {
  expect(situationThere({ ...order, selfDelivery: true, deliveries: [] })).toBe('by-bud');
  expect(situationBack({ ...order, selfPickup: true, deliveries: [] })).toBe('by-bud');
  const brought = { ...order, selfDelivery: true, deliveries: [] };
  expect(describeWayToScrub(brought, 'Scrub')).toBe('Ada Byron will bring you the laundry.');
});
