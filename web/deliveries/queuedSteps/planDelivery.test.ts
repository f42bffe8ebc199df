import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../contract/deliveries.ts';
import { type DeliveryStatus, isActiveDelivery } from '../../../domain/deliveries.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/durations.ts';
import { arrivedAt, waitLeftMs } from '../problemSteps.ts';
import { checkNeeds, planDelivery } from './planDelivery.ts';
import type { QueuedStep } from './queuedStepStore.ts';
import type { WaitingAction, WaitingProblem } from './waitingSteps.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const at = (minutes: number) => new Date(NOON + minutes * MINUTE_MS);
const DOOR = { latitude: 24, longitude: 67 };
const FAR_AWAY = { latitude: 24.1, longitude: 67 };
const PHOTO = { fileIds: ['waiting:a'] };

const delivery = (status: DeliveryStatus, more: Partial<Delivery> = {}) =>
  ({
    ...{ id: 'd', status, duberId: 'me', attempt: 1, deliveryType: 'Scrub_To_Bud', pickup: null, exceptions: [] },
    ...{ hasLaundry: status === 'Way_To_Drop', order: { budAddress: DOOR }, scrub: { addresses: [DOOR] } },
    statusHistory: [{ status: 'Collected', createdAt: at(-20).toISOString(), takenAt: null, deliveryId: 'd' }],
    ...more,
  }) as unknown as Delivery;

const step = (action: WaitingAction, minute: number, more: Partial<QueuedStep> = {}): QueuedStep => ({
  ...{ key: action, userId: 'me', deliveryId: 'd', action, takenAt: at(minute).toISOString() },
  ...more,
});

describe('while steps wait on the device, the delivery is shown as it will be', () => {
  test('with the status, the laundry and the history of each step in its order', () => {
    const offered = delivery('Pending', { duberId: null, statusHistory: [] });
    const planned = planDelivery(offered, [
      step('accept-delivery', 0),
      step('way-to-pickup', 1),
      step('collected', 2),
      step('way-to-drop', 3),
    ]);
    expect(planned).toMatchObject({ status: 'Way_To_Drop', duberId: 'me', hasLaundry: true, attempt: 1 });
    expect(planned.statusHistory.map(({ status, takenAt }) => [status, takenAt])).toEqual([
      ['Accepted', at(0).toISOString()],
      ['Way_To_Pick', at(1).toISOString()],
      ['Collected', at(2).toISOString()],
      ['Way_To_Drop', at(3).toISOString()],
    ]);
    expect(planDelivery(planned, [step('delivered', 4)])).toMatchObject({ status: 'Delivered', hasLaundry: false });
  });

  test('once, when the server has a step already and it is still on the device', () => {
    const arrival = step('arrived-at-drop', 0);
    const arrived = planDelivery(delivery('Way_To_Drop'), [arrival]);
    expect(planDelivery(arrived, [arrival]).exceptions).toHaveLength(1);
    expect(planDelivery({ ...arrived, attempt: 2, doneSteps: [] }, [arrival]).exceptions).toHaveLength(2);
  });

  test('through a door where nobody is home, a second try and the way back', () => {
    const steps = [
      step('arrived-at-drop', 0, { report: { place: DOOR } }),
      step('drop-failed', 6, { report: { reason: 'nobody-home', ...PHOTO } }),
      step('try-again', 7),
      step('arrived-at-drop', 20),
      step('drop-failed', 26),
      step('bring-back', 27),
      step('brought-back', 40),
    ];
    const served = delivery('Way_To_Drop');
    const after = (count: number) => planDelivery(served, steps.slice(0, count));
    expect(waitLeftMs(after(1), at(2))).toBe(3 * MINUTE_MS);
    expect(after(1).statusHistory).toEqual(served.statusHistory);
    expect(after(2)).toMatchObject({ status: 'Failed', attempt: 1, hasLaundry: true });
    expect(after(2).exceptions.at(-1)).toMatchObject({ action: 'drop-failed', reason: 'nobody-home', by: 'Duber' });
    expect(after(3)).toMatchObject({ status: 'Way_To_Drop', attempt: 2 });
    expect(arrivedAt(after(3))).toBeUndefined();
    expect(arrivedAt(after(4))).toEqual(at(20));
    expect(after(6)).toMatchObject({ status: 'Way_Back', attempt: 2, hasLaundry: true });
    expect(isActiveDelivery(after(7))).toBe(false);
    expect(after(7)).toMatchObject({ status: 'Returned', hasLaundry: false });
  });

  test('without the steps that are lost, and without those that happened on another device', () => {
    const served = delivery('Way_To_Drop');
    expect(planDelivery(served, [step('delivered', 0, { problem: 'too late' })])).toEqual(served);
    expect(planDelivery(served, [step('way-to-drop', 0)])).toEqual(served);
  });
});

describe('without a network, the phone says at once what is too early', () => {
  const refusalOf = (planned: Delivery, action: WaitingProblem, report: QueuedStep['report'], now: Date) => {
    try {
      checkNeeds(planned, { action, ...(report ? { report } : {}) }, now);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const served = delivery('Way_To_Drop');
  const atDoor = planDelivery(served, [step('arrived-at-drop', 0)]);
  const NOBODY = { reason: 'nobody-home', ...PHOTO };

  test('an arrival is near the door, or has a photo', () => {
    const arrive = (report: QueuedStep['report']) => refusalOf(served, 'arrived-at-drop', report, at(0));
    expect(arrive({ place: FAR_AWAY })).toMatch(/more than 300 m away/);
    expect([arrive({ place: DOOR }), arrive({ place: FAR_AWAY, ...PHOTO })]).toEqual([undefined, undefined]);
  });

  test('an attempt fails after an arrival, five minutes and a photo, unless it is not safe', () => {
    const fail = (planned: Delivery, report: QueuedStep['report'], minute: number) =>
      refusalOf(planned, 'drop-failed', report, at(minute));
    expect(fail(served, NOBODY, 9)).toBe('Say that you have arrived first');
    expect(fail(atDoor, NOBODY, 3)).toBe('Wait 5 minutes at the door first: 2:00 to go');
    expect(fail(atDoor, { reason: 'nobody-home' }, 5)).toBe('Take a photo first');
    expect([fail(atDoor, NOBODY, 5), fail(served, { reason: 'unsafe' }, 0)]).toEqual([undefined, undefined]);
  });

  test('another try is on the same day', () => {
    const failed = planDelivery(atDoor, [step('drop-failed', 6)]);
    expect(refusalOf(failed, 'try-again', undefined, at(7))).toBeUndefined();
    const nextDay = new Date(at(0).getTime() + DAY_MS);
    expect(refusalOf(failed, 'try-again', undefined, nextDay)).toBe('This is possible on the same day only');
    expect(refusalOf(failed, 'bring-back', undefined, nextDay)).toBeUndefined();
  });
});
