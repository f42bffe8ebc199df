import { expect, test } from 'vitest';
import type { WorkerDocuments } from '../../contract/documents.ts';
import type { DocumentState } from '../../domain/admissions.ts';
import { dayText, noticeOf } from './documentTexts.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const NEEDED = { kind: 'identity', needed: true, needsDate: false, latest: null, accepted: null } as const;
const documents = (more: Partial<WorkerDocuments>): WorkerDocuments => ({
  ...{ isAsked: true, from: null, status: 'new', worksUntil: null, items: [NEEDED] },
  ...more,
});
const insured = (lastDay: string | null, state?: 'waiting' | 'asked-again') =>
  documents({
    status: 'active',
    items: [
      {
        ...{ kind: 'insurance', needed: true, needsDate: true, accepted: { lastDay } },
        latest: state
          ? { state, fileId: null, expiresOn: null, sentAt: NOW.toISOString(), why: null }
          : { state: 'accepted', fileId: null, expiresOn: lastDay, sentAt: NOW.toISOString(), why: null },
      },
    ],
  });

test('a dashboard says what to do about documents, and nothing when all is well', () => {
  const titleOf = (given: WorkerDocuments) => noticeOf(given, NOW)?.title;
  expect(titleOf(documents({ isAsked: false, status: null }))).toBeUndefined();
  expect(titleOf(documents({ items: [{ ...NEEDED, needed: false }] }))).toBeUndefined();
  expect(titleOf(documents({}))).toBe('Send us your documents');
  expect(titleOf(documents({ from: '2026-11-24T05:00:00.000Z' }))).toBe('We need your documents from Nov 24, 2026');
  expect(titleOf(documents({ status: 'waiting' }))).toBe('We look at your documents');
  const missing = (status: 'asked' | 'lapsed', state: DocumentState) => {
    const latest = { state, fileId: null, expiresOn: null, sentAt: NOW.toISOString(), why: null };
    return titleOf(documents({ status, items: [{ ...NEEDED, latest }] }));
  };
  expect(missing('asked', 'asked-again')).toBe('Send us a document again');
  expect(missing('asked', 'refused')).toBe('Send us a document again');
  expect(missing('lapsed', 'expired')).toBe('A document of yours has expired');
  for (const status of ['asked', 'lapsed'] as const)
    expect(titleOf(documents({ status }))).toBe('We need another document from you');
  expect(titleOf(insured(null))).toBeUndefined();
  expect(titleOf(insured('2027-05-31'))).toBeUndefined();
  expect(titleOf(insured('2026-12-10'))).toBe('A document of yours expires soon');
  expect(titleOf(insured('2026-12-10', 'waiting'))).toBeUndefined();
  expect(titleOf(insured('2027-05-31', 'asked-again'))).toBe('Send us a document again');
});

test('who is admitted reads what is asked for besides, and until when they work without it', () => {
  const worksUntil = '2026-12-20T08:00:00.000Z';
  expect(noticeOf(documents({ status: 'active', worksUntil }), NOW)).toEqual({
    title: 'We need another document from you',
    text: 'You get work without it until Dec 20, 2026. Your profile says which.',
    isToDo: true,
  });
});

test('who worked before reads until when they work on', () => {
  const worksUntil = '2026-12-20T08:00:00.000Z';
  expect(noticeOf(documents({ worksUntil }), NOW)?.text).toBe('You get work without them until Dec 20, 2026.');
  expect(noticeOf(documents({ worksUntil }), new Date('2026-12-21T00:00:00Z'))?.text).toContain(
    'once they are accepted',
  );
  expect(dayText('2027-05-31')).toBe('May 31, 2027');
});
