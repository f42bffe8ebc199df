import { expect, test } from 'vitest';
import { describeCauses } from '../../testing/rowCauses.ts';
import { APPROVAL_ROWS, type ApprovalRow } from './approval.ts';
import { SUSPENSION_ROWS, type SuspensionRow } from './suspension.ts';

// Written out again on purpose, so that a mistake in a table fails a test: who, from, to, needs: what it causes.

test('a request for approval ends in one of seven ways, and each is written down in the audit once', () => {
  const other = 'known-act signed-in right not-the-asker not-about-them fresh-code';
  const causes = ['runs', 'audits', 'notifies'] as const;
  expect(
    APPROVAL_ROWS.map((row: ApprovalRow) =>
      [row.action, row.by, row.from, row.to, ...(row.needs ?? [])].join(' ').concat(`: ${describeCauses(row, causes)}`),
    ),
  ).toEqual([
    `approve Operator waiting approved ${other} asker-may-still: runs act`,
    `decline Operator waiting declined ${other}: audits decline`,
    'withdraw Operator waiting withdrawn the-asker: audits withdraw',
    'asker-left Operator waiting withdrawn: ',
    'stop System waiting declined: audits stop',
    'ripen System waiting approved stop-mailed one-operator asker-may-still: runs act, notifies town',
    'expire System waiting expired: audits expire',
  ]);
});

test('a suspension ends by another operator or by itself, and the person reads that it has', () => {
  const causes = ['lifts', 'sets', 'notifies'] as const;
  expect(
    SUSPENSION_ROWS.map((row: SuspensionRow) =>
      [row.action, row.by, row.from, row.to, ...(row.needs ?? [])].join(' ').concat(`: ${describeCauses(row, causes)}`),
    ),
  ).toEqual([
    'extend Operator suspended suspended later-end within-a-year: sets until, notifies extended',
    'reinstate Operator suspended lifted not-imposed-by-them: lifts restrictions, notifies reinstated',
    'end System suspended ended: lifts restrictions, notifies reinstated',
  ]);
});
