import { describe, expect, test } from 'vitest';
import {
  ADMISSION_FLOW,
  ADMISSION_STATUSES,
  endOfAdmission,
  graceLeft,
  isHeldUnadmitted,
  isPast,
  lastDayOf,
  missingKinds,
  type Requirement,
  statusAfter,
} from './admissions.ts';

// Written out again on purpose, so that a mistake in the table fails a test.
const EXPECTED: Readonly<Record<string, string>> = {
  'new send-documents': 'waiting',
  'asked send-documents': 'waiting',
  'lapsed send-documents': 'waiting',
  'waiting admit': 'active',
  'active admit': 'active',
  'waiting ask-again': 'asked',
  'active ask-again': 'active',
  'new refuse': 'refused',
  'waiting refuse': 'refused',
  'asked refuse': 'refused',
  'lapsed refuse': 'refused',
  'refused reconsider': 'asked',
  'active lapse': 'lapsed',
  'new end-grace': 'new',
  'asked end-grace': 'asked',
  'lapsed end-grace': 'lapsed',
};

test('a worker is admitted only by the steps of the table', () => {
  const actions = [...new Set(ADMISSION_FLOW.map(({ action }) => action))];
  for (const action of actions)
    for (const status of ADMISSION_STATUSES) {
      const warned = action.startsWith('warn-') && status !== 'waiting' && status !== 'refused' ? status : undefined;
      expect(statusAfter(action, status), `${action} at ${status}`).toBe(EXPECTED[`${status} ${action}`] ?? warned);
    }
  expect(ADMISSION_FLOW.filter(({ by }) => by === 'Operator').map(({ action }) => action)).not.toContain('lapse');
});

const NEEDS: readonly Requirement[] = [
  { kind: 'identity', needed: true, renewDays: null },
  { kind: 'insurance', needed: true, renewDays: 366 },
  { kind: 'licence', needed: false, renewDays: 366 },
];
const NOW = new Date('2026-11-23T12:00:00Z');

describe('documents', () => {
  test('what is needed and neither waits nor counts is missing', () => {
    const of = (kind: 'identity' | 'insurance', state: 'waiting' | 'accepted' | 'asked-again' | 'expired') => ({
      kind,
      state,
    });
    expect(missingKinds(NEEDS, [])).toEqual(['identity', 'insurance']);
    expect(missingKinds(NEEDS, [of('identity', 'accepted'), of('insurance', 'waiting')])).toEqual([]);
    expect(missingKinds(NEEDS, [of('identity', 'accepted'), of('insurance', 'asked-again')])).toEqual(['insurance']);
    expect(missingKinds(NEEDS, [of('identity', 'expired'), of('insurance', 'waiting')])).toEqual(['identity']);
  });

  test('one counts until its last day, or as long as its kind does', () => {
    const renewed = { renewDays: 366 };
    expect(lastDayOf('2027-05-31', renewed, '2026-11-23')).toBe('2027-05-31');
    expect(lastDayOf('2099-05-31', renewed, '2026-11-23')).toBe('2027-11-24');
    expect(lastDayOf(null, { renewDays: null }, '2026-11-23')).toBeNull();
    expect(isPast('2026-11-23', NOW, 'UTC')).toBe(false);
    expect(isPast('2026-11-22', NOW, 'UTC')).toBe(true);
    expect(isPast('2026-11-22', new Date('2026-11-23T03:00:00Z'), 'America/New_York')).toBe(false);
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

test('who is not admitted gets no new work, except for a while after they worked without it', () => {
  const [later, before] = [new Date('2026-12-01'), new Date('2026-11-01')];
  const isHeld = (status: (typeof ADMISSION_STATUSES)[number], worksUntil: Date | null) =>
    isHeldUnadmitted({ status, worksUntil }, NOW);
  for (const status of ADMISSION_STATUSES) expect(isHeld(status, null), status).toBe(status !== 'active');
  expect(isHeld('asked', later)).toBe(false);
  expect(isHeld('asked', before)).toBe(true);
  // The town is slow.
  expect(isHeld('waiting', before)).toBe(false);
  expect(isHeld('refused', later)).toBe(true);
  expect([graceLeft(later, NOW), graceLeft(before, NOW), graceLeft(null, NOW)]).toEqual([later, null, null]);
});
