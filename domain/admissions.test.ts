import { describe, expect, test } from 'vitest';
import {
  ADMISSION_FLOW,
  ADMISSION_STATUSES,
  admissionStatusAfter,
  daysUntil,
  endOfAdmission,
  findAutomaticStep,
  graceUntil,
  isExpired,
  isHeldUnadmitted,
  lastDayOf,
  latestWarning,
  missingKinds,
  type Requirement,
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
  'waiting ask-missing': 'asked',
  'waiting reinstate': 'active',
  'asked reinstate': 'active',
  'lapsed reinstate': 'active',
  'waiting expire': 'waiting',
  'asked expire': 'asked',
  'lapsed expire': 'lapsed',
  'new end-grace': 'new',
  'asked end-grace': 'asked',
  'lapsed end-grace': 'lapsed',
};

test('a worker is admitted only by the steps of the table', () => {
  const actions = [...new Set(ADMISSION_FLOW.map(({ action }) => action))];
  for (const action of actions)
    for (const status of ADMISSION_STATUSES) {
      const warned = action.startsWith('warn-') && status !== 'waiting' && status !== 'refused' ? status : undefined;
      expect(admissionStatusAfter(action, status), `${action} at ${status}`).toBe(
        EXPECTED[`${status} ${action}`] ?? warned,
      );
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

  test('a worker waits for an operator once nothing is missing, and for nobody once all that is needed is accepted', () => {
    const [accepted, waiting] = [{ state: 'accepted' }, { state: 'waiting' }] as const;
    const steps = (documents: Parameters<typeof findAutomaticStep>[2], requirements = NEEDS) =>
      ADMISSION_STATUSES.map((status) => findAutomaticStep(status, requirements, documents));
    const [nothing, send, back] = [undefined, 'send-documents', 'reinstate'];
    // New, waiting, asked, active, lapsed and refused.
    const missing = [nothing, 'ask-missing', nothing, nothing, nothing, nothing];
    expect(steps([])).toEqual(missing);
    const identity = { kind: 'identity', ...accepted } as const;
    expect(steps([identity, { kind: 'insurance', state: 'asked-again' }])).toEqual(missing);
    expect(steps([identity, { kind: 'insurance', ...waiting }])).toEqual([send, nothing, send, nothing, send, nothing]);
    const all = [identity, { kind: 'insurance', ...accepted }] as const;
    for (const more of [[], [{ kind: 'licence', ...waiting }], [{ kind: 'insurance', ...waiting }]] as const)
      expect(steps([...all, ...more])).toEqual([nothing, back, back, nothing, back, nothing]);
    expect(steps([], [])).toEqual(ADMISSION_STATUSES.map(() => nothing));
  });

  test('of the warnings that are due the last one counts, and it says how many days are left', () => {
    const end = new Date('2027-01-01T05:00:00Z');
    const warn = (at: string) => [latestWarning(end, new Date(at)), daysUntil(end, new Date(at))];
    expect(warn('2026-12-02T04:59:59Z')).toEqual([undefined, 31]);
    expect(warn('2026-12-02T05:00:00Z')).toEqual([30, 30]);
    expect(warn('2026-12-27T04:00:00Z')).toEqual([7, 6]);
    expect(warn('2026-12-31T05:00:00Z')).toEqual([1, 1]);
  });

  test('one counts until its last day, or as long as its kind does', () => {
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
  expect([graceUntil(later, NOW), graceUntil(before, NOW), graceUntil(null, NOW)]).toEqual([later, null, null]);
});
