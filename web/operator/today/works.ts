import type { Today } from '../../../contract/operator/today.ts';
import { BACKUP_LATE_AFTER_MS, type WorkQueue } from '../../../domain/workQueues.ts';
import { formatDay } from '../../ui/format.ts';

const NAMES: Readonly<Record<WorkQueue, string>> = {
  'account-mail': 'Codes and links by mail',
  mail: 'Mails',
  push: 'Push messages',
  timers: 'Timers of orders and cases',
  payments: 'Card payments',
  refunds: 'Refunds',
  'payment-checks': 'Checks of payments',
  chargebacks: 'Answers to chargebacks',
  payouts: 'Weekly payouts',
  reconciliation: 'Reconciliation',
};

export type WorkLine = { readonly name: string; readonly lateSince: string | null; readonly text: string };

type FormatTime = (iso: string) => string;

/** What the server does by itself. Mails that the mail server refuses are late, too: each is tried again later. */
export function listWorks(today: Today, townTime: FormatTime): WorkLine[] {
  const { queues, mailTrouble } = today;
  const works = queues.map(({ queue, length, lateSince }): WorkLine => {
    const trouble = queue === 'mail' && lateSince === null ? mailTrouble : null;
    const [since, waiting] = trouble ? [trouble.since, trouble.count] : [lateSince, length];
    const text = since === null ? 'In time' : `Late since ${townTime(since)}, ${waiting} waiting`;
    return { name: NAMES[queue], lateSince: since, text };
  });
  return [...works, backupOf(today, townTime)];
}

function backupOf({ at, backupAt }: Today, townTime: FormatTime): WorkLine {
  if (backupAt === null) return { name: 'Backup', lateSince: null, text: 'None is known' };
  const isLate = Date.parse(at) - Date.parse(backupAt) > BACKUP_LATE_AFTER_MS;
  return { name: 'Backup', lateSince: isLate ? backupAt : null, text: `Made ${townTime(backupAt)}` };
}

/** Whether the ledger is the same as the card network, in one sentence. */
export function describeBooks({ books, differingDays }: Today, townTime: FormatTime): string {
  if (differingDays > 0)
    return differingDays === 1 ? 'The books differ on 1 day.' : `The books differ on ${differingDays} days.`;
  if (!books) return 'No books to check yet.';
  if (books.state === 'failed' || books.checkedAt === null)
    return `The books of ${formatDay(books.day)} were not checked.`;
  return `Books checked ${townTime(books.checkedAt)}, ${books.state === 'equal' ? 'right' : 'with a known difference'}.`;
}

/** 'Everything runs.', or what is late. */
export function describeWorks(works: readonly WorkLine[]): string {
  const late = works.filter(({ lateSince }) => lateSince !== null);
  return late.length === 0 ? 'Everything runs.' : `Late: ${late.map(({ name }) => name.toLowerCase()).join(', ')}.`;
}
