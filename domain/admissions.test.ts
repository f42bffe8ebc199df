import { describe, expect, test } from 'vitest';
import {
  ADMISSION_STATUSES,
  daysUntil,
  endOfAdmission,
  graceUntil,
  isExpired,
  isHeldUnadmitted,
  lastDayOf,
  latestWarning,
  missingKinds,
  type Requirement,
} from './admissions.ts';

const NEEDS: readonly Requirement[] = [
  { kind: 'identity', needed: true, renewDays: null },
  { kind: 'insurance', needed: true, renewDays: 366 },
  { kind: 'licence', needed: false, renewDays: 366 },
];
const NOW = new Date('2026-11-23T12:00:00Z');

describe('documents', () => {
  test('a needed document that neither waits nor counts is missing', () => {
    const of = (kind: 'identity' | 'insurance', state: 'waiting' | 'accepted' | 'asked-again' | 'expired') => ({
      kind,
      state,
    });
    expect(missingKinds(NEEDS, [])).toEqual(['identity', 'insurance']);
    expect(missingKinds(NEEDS, [of('identity', 'accepted'), of('insurance', 'waiting')])).toEqual([]);
    expect(missingKinds(NEEDS, [of('identity', 'accepted'), of('insurance', 'asked-again')])).toEqual(['insurance']);
    expect(missingKinds(NEEDS, [of('identity', 'expired'), of('insurance', 'waiting')])).toEqual(['identity']);
  });

  test('of the warnings that are due the last one counts, and it says how many days are left', () => {
    const end = new Date('2027-01-01T05:00:00Z');
    const warn = (at: string) => [latestWarning(end, new Date(at)), daysUntil(end, new Date(at))];
    expect(warn('2026-12-02T04:59:59Z')).toEqual([undefined, 31]);
    expect(warn('2026-12-02T05:00:00Z')).toEqual([30, 30]);
    expect(warn('2026-12-27T04:00:00Z')).toEqual([7, 6]);
    expect(warn('2026-12-31T05:00:00Z')).toEqual([1, 1]);
  });

  test('a document counts until its last day, or as long as its kind does', () => {
    const renewed = { renewDays: 366 };
    expect(lastDayOf('2027-05-31', renewed, '2026-11-23')).toBe('2027-05-31');
    expect(lastDayOf('2099-05-31', renewed, '2026-11-23')).toBe('2027-11-24');
    expect(lastDayOf(null, { renewDays: null }, '2026-11-23')).toBeNull();
    expect(isExpired('2026-11-23', NOW, 'UTC')).toBe(false);
    expect(isExpired('2026-11-22', NOW, 'UTC')).toBe(true);
    expect(isExpired('2026-11-22', new Date('2026-11-23T03:00:00Z'), 'America/New_York')).toBe(false);
  });

  test('an admission ends the day after the first that is needed, where the town is', () => {
    const accepted = [
      { kind: 'insurance', lastDay: '2027-05-31' },
      { kind: 'licence', lastDay: '2027-01-31' },
      { kind: 'identity', lastDay: null },
    ] as const;
    expect(endOfAdmission(NEEDS, accepted, 'America/New_York')).toEqual(new Date('2027-06-01T04:00:00Z'));
    expect(endOfAdmission(NEEDS, [], 'UTC')).toBeNull();
  });
});

test('a worker who is not admitted gets no new work, except for a while after they worked without an admission', () => {
  const [later, before] = [new Date('2026-12-01'), new Date('2026-11-01')];
  const isHeld = (status: (typeof ADMISSION_STATUSES)[number], worksUntil: Date | null) =>
    isHeldUnadmitted({ status, worksUntil }, NOW);
  for (const status of ADMISSION_STATUSES) expect(isHeld(status, null), status).toBe(status !== 'active');
  expect(isHeld('asked', later)).toBe(false);
  expect(isHeld('asked', before)).toBe(true);
  // The town is slow.
  expect(isHeld('waiting', before)).toBe(false);
  expect(isHeld('refused', later)).toBe(true);
  expect([graceUntil(later, NOW), graceUntil(before, NOW), graceUntil(null, NOW)]).toEqual([later, null, null]);
});
