import { expect, test } from 'vitest';
import type { DocumentState } from './admissions.ts';
import { eraseAtOf } from './documentRetention.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 60 * 60_000);
const DOCUMENT = { state: 'accepted' as DocumentState, lastDay: null, decidedAt: inDays(-5), eraseAt: null };
const KEEPING = { isTaking: true, isNeeded: true, idleSince: null, timeZone: 'UTC', now: NOW };

type Document = Parameters<typeof eraseAtOf>[0];
type RetentionFacts = Parameters<typeof eraseAtOf>[1];

test.each<[title: string, Partial<Document>, Partial<RetentionFacts>, Date | null]>([
  ['that is accepted and needed has no day yet', {}, {}, null],
  ['that says its last day: 30 days after it', { lastDay: '2026-11-30' }, {}, new Date('2026-12-31')],
  ['that waits for an operator has no day yet', { state: 'waiting' }, {}, null],
  ['that waits and is not needed is to be looked at, too', { state: 'waiting' }, { isNeeded: false }, null],
  ['that was sent back: 30 days after that', { state: 'asked-again' }, {}, inDays(25)],
  ['that was refused keeps its day', { state: 'refused', eraseAt: inDays(3) }, { isTaking: false }, inDays(3)],
  ['that is no longer needed: 30 days from now', {}, { isNeeded: false }, inDays(30)],
  ['of which that was noticed before', { eraseAt: inDays(4) }, { isNeeded: false }, inDays(4)],
  ['that is needed again', { eraseAt: inDays(4) }, {}, null],
  ['in a town that no longer asks', { state: 'waiting' }, { isTaking: false }, inDays(30)],
  ['of somebody who has stopped sending', { state: 'waiting' }, { idleSince: inDays(-20) }, inDays(10)],
  ['of somebody who no longer works', {}, { idleSince: inDays(-20) }, inDays(10)],
  [
    'of somebody who no longer works, and ends before',
    { lastDay: '2026-11-01' },
    { idleSince: NOW },
    new Date('2026-12-02'),
  ],
])('the picture of a document %s', (_title, document, keeping, eraseAt) => {
  expect(eraseAtOf({ ...DOCUMENT, ...document }, { ...KEEPING, ...keeping })).toEqual(eraseAt);
});
