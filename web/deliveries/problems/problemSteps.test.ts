import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../contract/deliveries.ts';
import {
  arrivedAt,
  formatCountdown,
  isLeftToOthers,
  isLost,
  needsPhotoOfDoor,
  undoLeftMs,
  waitLeftMs,
} from './problemSteps.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const at = (seconds: number) => new Date(NOON + seconds * 1000);
const iso = (seconds: number) => at(seconds).toISOString();

type Exception = Delivery['exceptions'][number];
const exception = (action: string, seconds: number, attempt = 1): Exception => ({
  ...{ action, attempt, status: 'Way_To_Pick', by: 'Duber', reason: null, words: null },
  createdAt: iso(seconds),
});

const delivery = (status: Delivery['status'], more: Partial<Delivery> = {}) =>
  ({ status, attempt: 1, hasLaundry: false, exceptions: [], statusHistory: [], ...more }) as unknown as Delivery;

describe('the clock at the door', () => {
  test('runs for five minutes from the arrival, and not before', () => {
    expect(waitLeftMs(delivery('Way_To_Pick'), at(0))).toBeUndefined();
    const waiting = delivery('Way_To_Pick', { exceptions: [exception('arrived-at-pickup', 0)] });
    expect(waitLeftMs(waiting, at(60))).toBe(240_000);
    expect(waitLeftMs(waiting, at(300))).toBe(0);
    expect(waitLeftMs(waiting, at(900))).toBe(0);
  });

  test('starts again with the next attempt, and is another one at the other door', () => {
    const exceptions = [exception('arrived-at-pickup', 0)];
    expect(arrivedAt(delivery('Way_To_Pick', { exceptions, attempt: 2 }))).toBeUndefined();
    expect(arrivedAt(delivery('Way_To_Drop', { exceptions }))).toBeUndefined();
  });

  test('is shown in minutes and seconds', () => {
    expect([0, 1, 59_001, 222_000, 600_000].map(formatCountdown)).toEqual(['0:00', '0:01', '1:00', '3:42', '10:00']);
  });
});

describe('a step can be taken back', () => {
  const step = (status: Delivery['status'], seconds: number) => ({
    ...{ status, createdAt: iso(seconds), takenAt: null, deliveryId: 'd' },
  });

  test('for ten minutes, when it is one that is easily pressed by mistake', () => {
    const done = delivery('Delivered', { statusHistory: [step('Way_To_Drop', -60), step('Delivered', 0)] });
    expect(undoLeftMs(done, at(0))).toBe(600_000);
    expect(undoLeftMs(done, at(600))).toBe(0);
    const leaving = delivery('Way_To_Pick', { statusHistory: [step('Way_To_Pick', 0)] });
    expect(undoLeftMs(leaving, at(0))).toBe(0);
  });

  test('but not once the laundry is reported as lost', () => {
    const more = { statusHistory: [step('Failed', 0)], hasLaundry: true };
    expect(undoLeftMs(delivery('Failed', more), at(1))).toBeGreaterThan(0);
    const lost = delivery('Failed', { ...more, exceptions: [exception('report-lost', 0)] });
    expect([isLost(lost), undoLeftMs(lost, at(1))]).toEqual([true, 0]);
  });
});

test('an attempt that failed is shown with a photo of the door, unless the Duber was not safe', () => {
  expect(['nobody-home', 'no-access', 'other', undefined].map(needsPhotoOfDoor)).toEqual([true, true, true, true]);
  expect(needsPhotoOfDoor('unsafe')).toBe(false);
});

test('a Duber who gave a delivery to others lets them come first for half an hour', () => {
  const exceptions = [exception('drop-delivery', 0)];
  const half = 30 * 60;
  expect(isLeftToOthers(delivery('Pending', { exceptions }), at(half - 1))).toBe(true);
  expect(isLeftToOthers(delivery('Pending', { exceptions }), at(half))).toBe(false);
  expect(isLeftToOthers(delivery('Accepted', { exceptions }), at(1))).toBe(false);
  expect(isLeftToOthers(delivery('Pending'), at(1))).toBe(false);
});
