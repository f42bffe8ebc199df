import { expect, test } from 'vitest';
import { DELIVERY_STATUSES } from '../deliveries.ts';
import { hasBagMoved, isAtScrub, isOnBoard, isRelayed } from './holder.ts';
import { DELIVERY_SITUATIONS, type DeliverySituation } from './situation.ts';

const ON_BOARD = ['Collected', 'Way_To_Drop', 'Way_Back'];

test('a Duber has the laundry at three statuses, and at Failed if they had it before', () => {
  const statusesWith = (hasLaundry: boolean) =>
    DELIVERY_STATUSES.filter((status) => isOnBoard({ status, hasLaundry })).toSorted();
  expect(statusesWith(false)).toEqual(ON_BOARD.toSorted());
  expect(statusesWith(true)).toEqual([...ON_BOARD, 'Failed'].toSorted());
});

test('laundry waits with an earlier Duber until the next one has it, or the delivery ends', () => {
  const statusesOf = (carrierId: string | null, hasLaundry = false) =>
    DELIVERY_STATUSES.filter((status) => isRelayed({ status, carrierId, hasLaundry }));
  expect(statusesOf('alan')).toEqual(['Pending', 'Accepted', 'Way_To_Pick', 'Failed']);
  expect(statusesOf('alan', true)).not.toContain('Failed');
  expect(statusesOf(null)).toEqual([]);
});

test('a bag has moved once it is with a Duber, with the Scrub or lost, in the present round', () => {
  const orderWith = (situation: DeliverySituation, round = 1) => ({
    round,
    isHandedOver: false,
    deliveries: [
      {
        ...({ deliveryType: 'Bud_To_Scrub', round: 1, situation } as const),
        status: situation === 'delivered' ? ('Delivered' as const) : ('Pending' as const),
      },
    ],
  });
  const moved = DELIVERY_SITUATIONS.filter((situation) => hasBagMoved(orderWith(situation)));
  const home = ['called-off', 'not-collected', 'brought-back', 'at-pickup', 'coming', 'waits-for-duber'];
  expect(moved).toEqual(DELIVERY_SITUATIONS.filter((situation) => !home.includes(situation)));
  expect(isAtScrub(orderWith('delivered'))).toBe(true);
  expect(isAtScrub(orderWith('carried'))).toBe(false);
  expect(hasBagMoved(orderWith('delivered', 2))).toBe(false);
  expect(isAtScrub({ ...orderWith('called-off'), isHandedOver: true })).toBe(true);
});
