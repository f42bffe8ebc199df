import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MoneyWeek } from '../../../contract/operator/money.ts';
import { toCsvFile } from '../../../domain/csv.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { downloadFile } from '../../ui/downloadFile.ts';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { PriceTable } from '../../ui/PriceTable.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { StatCard, StatRow } from '../../ui/StatCard.tsx';
import { operatorApi } from '../operatorApi.ts';
import { OlderButton } from '../PageButtons.tsx';
import styles from './MoneyPage.module.css';

const CSV_SUMS = [
  ['gross', 'charged'],
  ['refunds', 'given back'],
  ['scrubs', 'scrubs'],
  ['dubers', 'dubers'],
  ['platformFee', 'fee'],
  ['taxes', 'taxes'],
  ['refundCosts', 'paid by the platform'],
  ['cardFees', 'card fees'],
  ['promotions', 'promo codes'],
  ['net', 'net'],
  ['paidOut', 'paid out'],
  ['unearned', 'not earned yet'],
] as const satisfies readonly (readonly [keyof MoneyWeek, string])[];

type SumName = (typeof CSV_SUMS)[number][0];

const sumColumn = (name: SumName, header: string, cardSlot: Column<MoneyWeek>['cardSlot'] = 'none') =>
  ({ header, cardSlot, align: 'end', cell: (week) => formatMoney(week[name]) }) satisfies Column<MoneyWeek>;

const COLUMNS: readonly Column<MoneyWeek>[] = [
  { header: 'Week of', cardSlot: 'title', cell: ({ from }) => <span className="tabular">{formatDay(from)}</span> },
  { header: 'Orders', align: 'end', cell: ({ orders }) => orders },
  sumColumn('gross', 'Charged', 'detail'),
  sumColumn('refunds', 'Given back'),
  sumColumn('scrubs', 'Scrubs'),
  sumColumn('dubers', 'Dubers'),
  sumColumn('net', 'Net', 'money'),
  sumColumn('paidOut', 'Paid out'),
];

/** What was charged, given back and earned, week by week: figures and a chart, how the net comes about, and the table. */
export function Weeks() {
  const asked = useInfiniteQuery({
    queryKey: ['money-weeks'],
    queryFn: ({ pageParam }) => operatorApi.listMoneyWeeks({ query: pageParam ? { before: pageParam } : {} }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const [chosen, setChosen] = useState<string>();
  const weeks = asked.data?.pages.flatMap((page) => page.weeks);
  const week = weeks?.find(({ from }) => from === chosen) ?? weeks?.[0];
  const failure = {
    title: 'The weeks did not load',
    error: asked.error,
    onRetry: () => void asked.refetch(),
    isRetrying: asked.isFetching,
  };
  return (
    <>
      <Figures week={week} isNone={weeks?.length === 0} isFailed={asked.isError} />
      {weeks && week && (
        <div className={styles.chartAndNet}>
          <Chart weeks={weeks} chosen={week} onChoose={setChosen} />
          <Net week={week} />
        </div>
      )}
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
        <DataTable
          label="Weeks"
          columns={COLUMNS}
          rows={weeks}
          rowKey={({ from }) => from}
          empty="No weeks yet"
          failure={asked.isError ? failure : undefined}
        />
        <OlderButton query={asked} />
        <p className="quiet">
          Weeks begin on Monday in {asked.data?.pages[0]?.timeZone ?? 'the town’s time zone'}. The file also has fees,
          taxes and promo codes.
        </p>
      </section>
    </>
  );
}

function Figures({ week, isNone, isFailed }: { week: MoneyWeek | undefined; isNone: boolean; isFailed: boolean }) {
  const figureOf = (name: SumName) => (week || isNone ? formatMoney(week?.[name] ?? 0) : undefined);
  return (
    <StatRow isFailed={isFailed}>
      <StatCard label="Charged" icon="card" value={figureOf('gross')} />
      <StatCard label="Given back" icon="refresh" value={figureOf('refunds')} />
      <StatCard label="Net" icon="money" value={figureOf('net')} />
      <StatCard label="Paid out" icon="arrow" value={figureOf('paidOut')} to="/operator/payouts" />
    </StatRow>
  );
}

const CHART_WEEKS = 12;
const PERCENT = 100;

type ChartProps = { weeks: readonly MoneyWeek[]; chosen: MoneyWeek; onChoose: (from: string) => void };

/** A bar for each of the last weeks, the oldest on the left. A pressed bar is the week of the figures. */
function Chart({ weeks, chosen, onChoose }: ChartProps) {
  const shown = weeks.slice(0, CHART_WEEKS).toReversed();
  const most = Math.max(...shown.map(({ gross }) => gross), 1);
  return (
    <section className="card" aria-label="Charged by week">
      <h2 className={styles.title}>Charged by week</h2>
      <div className={styles.chart}>
        {shown.map(({ from, gross }) => (
          <button
            key={from}
            type="button"
            className={styles.bar}
            aria-pressed={from === chosen.from}
            aria-label={`Week of ${formatDay(from)}: ${formatMoney(gross)}`}
            title={`${formatDay(from)}: ${formatMoney(gross)}`}
            onClick={() => onChoose(from)}
          >
            <span style={{ height: `${(PERCENT * Math.max(gross, 0)) / most}%` }} />
            <span aria-hidden="true">{shortDay(from)}</span>
          </button>
        ))}
      </div>
    </section>
  );
}

/** '23 Nov' */
const shortDay = (from: string) => formatDay(from).split(' ').slice(0, 2).join(' ');

/** How the net of a week comes about. */
function Net({ week }: { week: MoneyWeek }) {
  const { from, platformFee, refundCosts, cardFees, promotions, net, taxes, unearned } = week;
  return (
    <section className="card" aria-label="Net">
      <h2 className={styles.title}>Week of {formatDay(from)}</h2>
      <PriceTable
        lines={[
          { label: 'Platform fee', amount: platformFee },
          { label: 'Paid by the platform', amount: -refundCosts },
          { label: 'Card fees', amount: -cardFees },
          { label: 'Promo codes', amount: -promotions },
        ]}
        total={{ label: 'Net', amount: net }}
      />
      <p className={`quiet ${styles.aside}`}>
        {formatMoney(taxes)} of taxes to pass on, {formatMoney(unearned)} not earned yet
      </p>
    </section>
  );
}

function toWeeksCsv(weeks: readonly MoneyWeek[]): string {
  const head = ['week of', 'orders', ...CSV_SUMS.map(([, header]) => header)];
  const rows = weeks.map((week) => [week.from, week.orders, ...CSV_SUMS.map(([name]) => week[name].toFixed(2))]);
  return toCsvFile([head, ...rows]);
}
