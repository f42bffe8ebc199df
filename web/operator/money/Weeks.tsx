import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { MoneyWeek } from '../../../contract/operator/money.ts';
import { toCsvFile } from '../../../domain/csv.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { downloadFile } from '../../ui/downloadFile.ts';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { operatorApi } from '../operatorApi.ts';
import { OlderButton } from '../PageButtons.tsx';
import styles from './MoneyPage.module.css';

const SUMS = [
  ['gross', 'Charged'],
  ['refunds', 'Given back'],
  ['scrubs', 'Scrubs'],
  ['dubers', 'Dubers'],
  ['platformFee', 'Fee'],
  ['taxes', 'Taxes'],
  ['refundCosts', 'We bear'],
  ['cardFees', 'Card fees'],
  ['promotions', 'Promo codes'],
  ['net', 'Net'],
  ['paidOut', 'Paid out'],
] as const satisfies readonly (readonly [keyof MoneyWeek, string])[];

const COLUMNS: readonly Column<MoneyWeek>[] = [
  { header: 'Week of', cardSlot: 'title', cell: ({ from }) => <span className="tabular">{formatDay(from)}</span> },
  { header: 'Orders', align: 'end', cell: ({ orders }) => orders },
  ...SUMS.map(
    ([name, header]): Column<MoneyWeek> => ({
      header,
      align: 'end',
      ...(name === 'net' ? { cardSlot: 'money' } : {}),
      cell: (week) => formatMoney(week[name]),
    }),
  ),
];

/** What was charged, given back and earned, week by week. */
export function Weeks() {
  const asked = useInfiniteQuery({
    queryKey: ['money-weeks'],
    queryFn: ({ pageParam }) => operatorApi.listMoneyWeeks({ query: pageParam ? { before: pageParam } : {} }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const weeks = asked.data?.pages.flatMap((page) => page.weeks);
  const failure = {
    title: 'The weeks did not load',
    error: asked.error,
    onRetry: () => void asked.refetch(),
    isRetrying: asked.isFetching,
  };
  return (
    <section className={styles.section}>
      <SectionHeader title="By week">
        <Button
          variant="default"
          disabled={!weeks}
          onClick={() => weeks && downloadFile(`weeks-${weeks.at(-1)?.from}.csv`, toWeeksCsv(weeks))}
        >
          Download CSV
        </Button>
      </SectionHeader>
      <p className="quiet">
        Weeks begin on Monday in {asked.data?.pages[0]?.timeZone ?? 'the town’s time zone'}. Net is the platform fee
        less what the platform bears.
      </p>
      <DataTable
        label="Weeks"
        columns={COLUMNS}
        rows={weeks}
        rowKey={({ from }) => from}
        empty="There is no week yet"
        failure={asked.isError ? failure : undefined}
      />
      <OlderButton query={asked} />
    </section>
  );
}

function toWeeksCsv(weeks: readonly MoneyWeek[]): string {
  const head = ['week of', 'orders', ...SUMS.map(([, header]) => header.toLowerCase()), 'not earned yet'];
  const rows = weeks.map((week) => [
    ...[week.from, week.orders, ...SUMS.map(([name]) => week[name].toFixed(2)), week.unearned.toFixed(2)],
  ]);
  return toCsvFile([head, ...rows]);
}
