import { expect, test } from 'vitest';
import type { Today } from '../../../contract/operator/today.ts';
import { WORK_QUEUES } from '../../../domain/workQueues.ts';
import { describeBooks, describeWorks, listWorks } from './works.ts';

const AT = '2026-11-30T03:10:00Z';
const books = { day: '2026-11-28', state: 'equal', checkedAt: AT } as const;
const today = (changes: Partial<Today>) =>
  ({
    queues: WORK_QUEUES.map((queue) => ({ queue, length: 0, lateSince: null })),
    books,
    differingDays: 0,
    mailTrouble: null,
    at: '2026-12-02T03:09:00Z',
    backupAt: AT,
    ...changes,
  }) as unknown as Today;
const townTime = () => '3:10 am';

test('a town where everything is in time reads one line', () => {
  const works = listWorks(today({}), townTime);
  expect(works).toHaveLength(WORK_QUEUES.length + 1);
  expect(describeWorks(works)).toBe('Everything runs.');
  expect(describeBooks(today({}), townTime)).toBe('Books checked 3:10 am, right.');
});

test('what is late is named, and mails that the mail server refuses are late', () => {
  const queues = [
    { queue: 'refunds', length: 3, lateSince: AT } as const,
    { queue: 'mail', length: 0, lateSince: null } as const,
  ];
  const works = listWorks(
    today({ queues, mailTrouble: { count: 2, since: AT, why: 'The password is wrong' } }),
    townTime,
  );
  expect(describeWorks(works)).toBe('Late: refunds, mails.');
  expect(works).toMatchObject([
    { text: 'Late since 3:10 am, 3 waiting' },
    { text: 'Late since 3:10 am, 2 waiting', lateSince: AT },
    { name: 'Backup' },
  ]);
});

test('a backup is late two days after the last one, and never where none was made', () => {
  const backup = (changes: Partial<Today>) => listWorks(today(changes), townTime).at(-1);
  expect(backup({})).toMatchObject({ lateSince: null, text: 'Made 3:10 am' });
  expect(backup({ at: '2026-12-02T03:11:00Z' })).toMatchObject({ lateSince: AT });
  expect(backup({ backupAt: null })).toMatchObject({ lateSince: null, text: 'None is known' });
});

test.each([
  [{ books: null }, 'No books to check yet.'],
  [{ differingDays: 1 }, 'The books differ on 1 day.'],
  [{ differingDays: 2 }, 'The books differ on 2 days.'],
  [{ books: { ...books, state: 'failed' as const, checkedAt: null } }, 'The books of 28 Nov 2026 were not checked.'],
  [{ books: { ...books, state: 'differs' as const } }, 'Books checked 3:10 am, with a known difference.'],
])('books that are not simply right are described', (changes, text) => {
  expect(describeBooks(today(changes), townTime)).toBe(text);
});
