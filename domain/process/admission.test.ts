import { expect, test } from 'vitest';
import { describeCauses } from '../../testing/rowCauses.ts';
import { ADMISSION_STATUSES } from '../admissions.ts';
import { chooseRow } from '../workflow.ts';
import {
  ADMISSION_NEEDS,
  ADMISSION_ROWS,
  type AdmissionFacts,
  type AdmissionRow,
  REVIEW_ACTIONS,
} from './admission.ts';

// Written out again on purpose, so that a mistake in the table fails a test: who, from, to, needs: what it causes.
const SEEN = 'documents-asked some-wait all-seen seen-in-time';
const ENDED = 'documents-required end-reached';
const EXPIRED = 'sets, documents expire, reviews before, notifies lapsed';
const warnings = (status: string) =>
  [30, 7, 1].map(
    (days) =>
      `warn-${days} System ${status} ${status} documents-required warning-due end-not-reached latest-warning: notifies warned`,
  );
const EXPECTED = [
  ...['new', 'asked', 'lapsed'].map(
    (from) => `send-documents System ${from} waiting some-needed nothing-missing not-all-accepted: sets`,
  ),
  'ask-missing System waiting asked some-needed something-missing: sets',
  ...['waiting', 'asked', 'lapsed'].map((from) => `reinstate System ${from} active some-needed all-accepted: sets`),
  `admit Operator waiting active ${SEEN} nothing-missing none-expired: sets, documents accept, notifies admitted`,
  `admit Operator active active ${SEEN} none-expired: sets, documents accept, notifies admitted`,
  ...['waiting asked', 'active active'].map(
    (way) =>
      `ask-again Operator ${way} documents-asked all-wait: sets, documents send-back, reviews after, notifies asked-again`,
  ),
  ...['new', 'waiting', 'asked', 'lapsed'].map(
    (from) => `refuse Operator ${from} refused documents-asked: sets, documents refuse, notifies refused`,
  ),
  'reconsider Operator refused asked documents-asked: sets, notifies reconsidered',
  `lapse System active lapsed ${ENDED}: ${EXPIRED}`,
  ...['waiting', 'asked', 'lapsed'].map((status) => `expire System ${status} ${status} ${ENDED}: ${EXPIRED}`),
  ...['new', 'asked', 'lapsed'].map((status) => `end-grace System ${status} ${status} ${ENDED}: sets, notifies lapsed`),
  ...['active', 'new', 'asked', 'lapsed'].flatMap(warnings),
];

test('a worker is admitted only by the steps of the table', () => {
  const causes = ['sets', 'documents', 'reviews', 'notifies'] as const;
  expect(
    ADMISSION_ROWS.map((row: AdmissionRow) =>
      [row.action, row.by, row.from, row.to, ...(row.needs ?? [])].join(' ').concat(`: ${describeCauses(row, causes)}`),
    ),
  ).toEqual(EXPECTED);
});

test('a grace period goes on while it lasts, and ends once a worker is admitted or refused', () => {
  const at = new Date('2026-11-23T12:00:00Z');
  const [later, before] = [new Date('2026-12-01T12:00:00Z'), new Date('2026-11-01T12:00:00Z')];
  const graceAfter = (action: string, from: string, worksUntil: Date, more: object = {}) => {
    const row: AdmissionRow | undefined = ADMISSION_ROWS.find((one) => one.action === action && one.from === from);
    return row?.sets?.({ worksUntil, at, isSomethingMissing: false, haveExpiredBefore: false, ...more }).worksUntil;
  };
  for (const [action, from] of [
    ['send-documents', 'asked'],
    ['ask-missing', 'waiting'],
    ['ask-again', 'waiting'],
    ['expire', 'waiting'],
  ] as const) {
    expect(graceAfter(action, from, later), action).toEqual(later);
    expect(graceAfter(action, from, before), action).toBeNull();
  }
  for (const [action, from] of [
    ['reinstate', 'lapsed'],
    ['admit', 'waiting'],
    ['admit', 'active'],
    ['refuse', 'asked'],
    ['end-grace', 'asked'],
    ['lapse', 'active'],
  ] as const)
    expect(graceAfter(action, from, later), action).toBeNull();
  expect(graceAfter('admit', 'active', before, { isSomethingMissing: true })).toEqual(before);
  expect(graceAfter('lapse', 'active', later, { haveExpiredBefore: true })).toEqual(later);
});

test('a worker waits for an operator once all documents are there, and works once the needed documents are accepted', () => {
  const NOTHING: AdmissionFacts = {
    ...{ areTaken: true, areRequired: true, isSomeNeeded: true, isSomethingMissing: true, areAllAccepted: false },
    ...{ doSomeWait: false, areAllSeen: true, areSeenInTime: true, hasOneExpired: false, doAllWait: true },
    ...{ end: null, latestWarning: undefined, action: '', now: new Date('2026-11-23T12:00:00Z') },
  };
  const steps = (more: Partial<AdmissionFacts>) =>
    ADMISSION_STATUSES.map((status) =>
      REVIEW_ACTIONS.filter(
        (action) =>
          chooseRow(ADMISSION_ROWS, { action, status, by: 'System' }, ADMISSION_NEEDS, { ...NOTHING, ...more }).ok,
      ).join(' '),
    );
  // New, waiting, asked, active, lapsed and refused.
  expect(steps({})).toEqual(['', 'ask-missing', '', '', '', '']);
  const send = 'send-documents';
  expect(steps({ isSomethingMissing: false })).toEqual([send, '', send, '', send, '']);
  const back = 'reinstate';
  expect(steps({ isSomethingMissing: false, areAllAccepted: true })).toEqual(['', back, back, '', back, '']);
  const nobody = { isSomeNeeded: false, isSomethingMissing: false, areAllAccepted: true };
  expect(steps(nobody)).toEqual(ADMISSION_STATUSES.map(() => ''));
});
