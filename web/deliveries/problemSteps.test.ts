import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../contract/deliveries.ts';
import type { Role } from '../../domain/accounts.ts';
import type { Actor } from '../../domain/workflow.ts';
import { situatedDelivery } from '../../testing/situated.ts';
import { isLost } from '../handovers/situation.ts';
import {
  arrivedAt,
  bringBackHint,
  canTryAgain,
  formatCountdown,
  isForTheTown,
  isLeftToOthers,
  lostText,
  needsPhotoOfDoor,
  otherChooses,
  undeliveredTexts,
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
  takenAt: null,
});

const delivery = (status: Delivery['status'], more: Partial<Delivery> = {}) =>
  situatedDelivery({
    status,
    attempt: 1,
    hasLaundry: false,
    exceptions: [],
    statusHistory: [],
    ...more,
  }) as unknown as Delivery;

describe('the clock at the door', () => {
  test('runs for five minutes from the arrival, and not before', () => {
    expect(waitLeftMs(delivery('Way_To_Pick'), at(0))).toBeUndefined();
    const waiting = delivery('Way_To_Pick', { exceptions: [exception('arrived-at-pickup', 0)] });
    expect(waitLeftMs(waiting, at(60))).toBe(240_000);
    expect(waitLeftMs(waiting, at(300))).toBe(0);
    expect(waitLeftMs(waiting, at(900))).toBe(0);
  });

  test('never shows more than the whole time, also where the clock of the phone is behind', () => {
    const waiting = delivery('Way_To_Pick', { exceptions: [exception('arrived-at-pickup', 1)] });
    expect(formatCountdown(waitLeftMs(waiting, at(0)) ?? 0)).toBe('5:00');
  });

  test('does not start again when an arrival without a network is sent later', () => {
    const sentLate = { ...exception('arrived-at-pickup', 240), takenAt: iso(0) };
    expect(waitLeftMs(delivery('Way_To_Pick', { exceptions: [sentLate] }), at(240))).toBe(60_000);
  });

  test('starts again when the delivery starts over, and is another one at the other door', () => {
    const exceptions = [exception('arrived-at-pickup', 0)];
    // The Duber who accepts it again does not see that the Bud offered it again before.
    const again = [...exceptions, exception('pickup-failed', 300)];
    expect(arrivedAt(delivery('Way_To_Pick', { exceptions: again, attempt: 2 }))).toBeUndefined();
    const mistaken = [...again, exception('correct', 310), exception('pickup-failed', 400, 2)];
    expect(arrivedAt(delivery('Way_To_Pick', { exceptions: mistaken, attempt: 3 }))).toBeUndefined();
    expect(arrivedAt(delivery('Way_To_Drop', { exceptions }))).toBeUndefined();
  });

  test('goes on when a step after the arrival is taken back, also when the Duber says once more that they have arrived', () => {
    const exceptions = [
      ...[exception('arrived-at-pickup', 0), exception('pickup-failed', 300), exception('correct', 310)],
      exception('arrived-at-pickup', 320, 2),
    ];
    expect(arrivedAt(delivery('Way_To_Pick', { exceptions, attempt: 2 }))).toEqual(at(0));
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

  test('within the whole time at most, also where the clock of the phone is behind', () => {
    const done = delivery('Delivered', { statusHistory: [step('Delivered', 1)] });
    expect(formatCountdown(undoLeftMs(done, at(0)))).toBe('10:00');
  });

  test('but only by the town once the server says that it is final', () => {
    const done = delivery('Delivered', { statusHistory: [step('Delivered', 0)] });
    expect(undoLeftMs({ ...done, isFinal: true }, at(0))).toBe(0);
    expect([done, { ...done, isFinal: true }].map((one) => isForTheTown(one, at(1)))).toEqual([false, true]);
    expect(isForTheTown({ ...done, isFinal: true }, at(600))).toBe(false);
  });

  test('but not once the laundry is reported as lost', () => {
    const more = { statusHistory: [step('Failed', 0)], hasLaundry: true };
    expect(undoLeftMs(delivery('Failed', more), at(1))).toBeGreaterThan(0);
    const lost = delivery('Failed', { ...more, exceptions: [exception('report-lost', 0)] });
    expect([isLost(lost), undoLeftMs(lost, at(1))]).toEqual([true, 0]);
  });
});

test('a Duber reads that they reported laundry as lost only when it was them, and not an operator', () => {
  const reported = exception('report-lost', 0);
  const textFor = (role: Role, by: Actor) => lostText({ exceptions: [{ ...reported, by }] }, role, true);
  expect(textFor('Duber', 'Duber')).toBe('You reported it. We are looking into it and will call you.');
  expect(textFor('Duber', 'Operator')).toBe('We are looking into it and will call you.');
  expect(textFor('Scrub', 'Duber')).toBe(textFor('Scrub', 'Operator'));
});

test('nobody says that they call a Duber who has given no phone number', () => {
  const lost = { exceptions: [{ ...exception('report-lost', 0), by: 'Duber' as const }] };
  expect(lostText(lost, 'Duber', false)).toBe(
    'You reported it. We are looking into it and will write to you. With a phone number in your profile, we could call you.',
  );
});

test('an attempt that failed is shown with a photo of the door, unless the Duber was not safe', () => {
  expect(['nobody-home', 'no-access', 'other', undefined].map(needsPhotoOfDoor)).toEqual([true, true, true, true]);
  expect(needsPhotoOfDoor('unsafe')).toBe(false);
});

describe('laundry that nobody took', () => {
  const DAY_S = 24 * 60 * 60;
  const collected = { status: 'Collected' as const, createdAt: iso(60), takenAt: iso(0), deliveryId: 'd' };
  const failed = (...actions: string[]) =>
    delivery('Failed', {
      hasLaundry: true,
      statusHistory: [collected],
      exceptions: actions.map((action) => exception(action, 60)),
    });

  test('can be tried again within a day of its pickup, as the Duber took it, and be brought back at any time', () => {
    expect(canTryAgain(failed('drop-failed'), at(DAY_S))).toBe(true);
    expect(canTryAgain(failed('drop-failed'), at(DAY_S + 1))).toBe(false);
    expect(undeliveredTexts(failed('drop-failed'), at(DAY_S)).hint).toContain('Try the door again today');
    expect(undeliveredTexts(failed('drop-failed'), at(DAY_S + 1)).hint).not.toMatch(/again|today/);
  });

  test('or was lost and is found: it can be delivered after all on that day, and brought back later', () => {
    const { hint, tryAgain, bringBack } = undeliveredTexts(failed('report-lost'), at(DAY_S));
    expect([hint, tryAgain, bringBack]).toEqual([
      'Found the laundry? Deliver it, or take it back.',
      'Found It: Deliver It',
      'Found It: Bring It Back',
    ]);
    expect(canTryAgain(failed('report-lost'), at(DAY_S))).toBe(true);
    expect(undeliveredTexts(failed('report-lost'), at(DAY_S + 1)).hint).toContain('Please take it back');
  });

  test('is not with a Duber who could not collect it', () => {
    expect(canTryAgain(delivery('Failed', { statusHistory: [collected] }), at(1))).toBe(false);
  });
});

test('a Duber who gave a delivery to others lets them come first for half an hour', () => {
  const exceptions = [exception('drop-delivery', 0)];
  const half = 30 * 60;
  expect(isLeftToOthers(delivery('Pending', { exceptions }), at(half - 1))).toBe(true);
  expect(isLeftToOthers(delivery('Pending', { exceptions }), at(half))).toBe(false);
  expect(isLeftToOthers(delivery('Accepted', { exceptions }), at(1))).toBe(false);
  expect(isLeftToOthers(delivery('Pending'), at(1))).toBe(false);
});

test('a Duber whose pickup failed is not told that the customer alone chooses: it may be the town, which they do not see', () => {
  expect(otherChooses('Duber')).toBe('The customer or the town decides what happens next.');
  expect(otherChooses('Scrub')).toBe('The customer chooses what happens next.');
});

test('a Duber who brings laundry back reads to whom, also when they collected it from another Duber', () => {
  const people = { bud: { fullname: 'Ines Brook' }, scrub: { fullname: 'Theo Linden' } };
  expect(bringBackHint({ deliveryType: 'Bud_To_Scrub', ...people })).toBe('Tap once the laundry is back with Ines.');
  expect(bringBackHint({ deliveryType: 'Scrub_To_Bud', ...people })).toBe('Tap once the laundry is back with Theo.');
});
