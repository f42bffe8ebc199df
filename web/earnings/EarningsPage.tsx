import { Button } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Earnings, Payout } from '../../contract/earnings.ts';
import { api } from '../api/client.ts';
import { type Column, DataTable } from '../lists/DataTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatDay, formatMoney } from '../ui/format.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { RefreshButton } from '../ui/RefreshButton.tsx';
import { SectionHeader } from '../ui/SectionHeader.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { StatCard, StatRow } from '../ui/StatCard.tsx';
import { CsvButton } from './CsvButton.tsx';
import { type EarningLinesQuery, EarningLinesTable, useEarningLines } from './EarningLinesTable.tsx';
import styles from './EarningsPage.module.css';
import { noPayoutsText, nothingWaitingText, PAYOUT_STATUS_TEXTS } from './format.ts';
import { OwnFigures } from './OwnFigures.tsx';
import { PayoutAccountCard } from './PayoutAccountCard.tsx';
import { PAYOUT_ACCOUNT_QUERY } from './payoutAccountQuery.ts';
import { TaxIdCard } from './TaxIdCard.tsx';
import chart from './WeekChart.module.css';
import { WorkRecordCard } from './WorkRecordCard.tsx';

type Earner = 'Scrub' | 'Duber';

/** Earnings by week, what is due next Monday, and past payouts. */
export function EarningsPage({ role }: { role: Earner }) {
  const earnings = useQuery({ queryKey: ['earnings'], queryFn: ({ signal }) => api.earnings(undefined, { signal }) });
  const waiting = useEarningLines(undefined);
  const { data } = earnings;
  const isAccountFirst = useIsAccountMissing();
  const refresh = () => {
    void earnings.refetch();
    void waiting.refetch();
  };
  return (
    <>
      <PageHeader
        title="Earnings"
        subtitle="You are paid every Monday at 00:00 UTC for everything you earned before then."
      >
        <RefreshButton onRefresh={refresh} isRefreshing={earnings.isFetching || waiting.isFetching} />
      </PageHeader>
      {isAccountFirst && (
        <div className={`card ${styles.first}`}>
          <PayoutAccountCard />
        </div>
      )}
      <Totals earnings={earnings} />
      {(data || !earnings.isError) && (
        <section className={styles.part}>
          <SectionHeader title="By Week" />
          <WeekChart weeks={data?.weeks} />
        </section>
      )}
      <WaitingLines
        {...{ role, waiting }}
        hasEarned={data?.totalEarning !== 0}
        isOnItsWay={data?.payouts.some(({ status }) => status === 'due') ?? false}
      />
      {!isAccountFirst && (
        <div className={styles.part}>
          <PayoutAccountCard />
        </div>
      )}
      <div className={styles.part}>
        <TaxIdCard />
      </div>
      <Payouts role={role} earnings={earnings} onRetry={refresh} />
      <OwnFigures role={role} />
      <div className={styles.part}>
        <WorkRecordCard />
      </div>
    </>
  );
}

/** Whether there was no account when the page opened: nothing can be paid without one. It stays so while the page is open. */
function useIsAccountMissing(): boolean {
  const { data } = useQuery(PAYOUT_ACCOUNT_QUERY);
  const [isMissing, setMissing] = useState<boolean>();
  if (data && isMissing === undefined) setMissing(data.account === null);
  return isMissing === true;
}

type EarningsQuery = UseQueryResult<Earnings>;

function Totals({ earnings: { data, isError } }: { earnings: EarningsQuery }) {
  return (
    <>
      <StatRow isFailed={isError}>
        <StatCard label="Owed To You" icon="money" value={data && formatMoney(data.balance)} />
        <StatCard label="Total Earned" icon="star" value={data && formatMoney(data.totalEarning)} />
        <StatCard label="Paid Out" icon="check" value={data && formatMoney(data.paidOut)} />
        <StatCard label="Next Payout" icon="clock" value={data && formatDay(data.nextPayoutAt)} />
      </StatRow>
      {data && data.balance < 0 && <p>Refunds are more than you earned. We deduct the rest from your next earnings.</p>}
      {data && data.held > 0 && (
        <p>
          {formatMoney(data.held)} is on hold: while the customer can still report a problem, for at most 7 days after
          the laundry is back, or for the reason in its line below. The more orders you finish, the less is on hold.
        </p>
      )}
    </>
  );
}

type WaitingLinesProps = { role: Earner; waiting: EarningLinesQuery; hasEarned: boolean; isOnItsWay: boolean };

function WaitingLines({ role, waiting, hasEarned, isOnItsWay }: WaitingLinesProps) {
  return (
    <section className={styles.part}>
      <SectionHeader title="Waiting For The Next Payout">
        <CsvButton name="earnings-waiting.csv" lines={waiting.data} />
      </SectionHeader>
      <EarningLinesTable
        role={role}
        label="Waiting For The Next Payout"
        asked={waiting}
        empty={<NothingWaiting {...{ role, hasEarned, isOnItsWay }} />}
      />
    </section>
  );
}

const WORK_LINKS = {
  Scrub: { label: 'View Jobs', to: '/scrub/jobs' },
  Duber: { label: 'Find Deliveries', to: '/duber/dashboard' },
} as const satisfies Record<Earner, object>;

function NothingWaiting({ role, hasEarned, isOnItsWay }: Pick<WaitingLinesProps, 'role' | 'hasEarned' | 'isOnItsWay'>) {
  const { label, to } = WORK_LINKS[role];
  return (
    <EmptyState drawing="wallet" text={nothingWaitingText(hasEarned, isOnItsWay)}>
      <Button component={Link} to={to} variant="default">
        {label}
      </Button>
    </EmptyState>
  );
}

const PAYOUT_COLUMNS: readonly Column<Payout>[] = [
  { header: 'Earned Before', cardSlot: 'date', cell: (payout) => formatDay(payout.periodEnd) },
  { header: 'Status', cardSlot: 'name', cell: (payout) => PAYOUT_STATUS_TEXTS[payout.status] },
  { header: 'Amount', cardSlot: 'money', align: 'end', cell: (payout) => formatMoney(payout.amount) },
];

type PayoutsProps = { role: Earner; earnings: EarningsQuery; onRetry: () => void };

function Payouts({ role, earnings: { data, isError, error, isFetching }, onRetry }: PayoutsProps) {
  const failure = { title: 'Unable To Get Earnings', error, onRetry, isRetrying: isFetching };
  return (
    <section className={styles.part}>
      <SectionHeader title="Payouts" />
      <DataTable
        label="Payouts"
        columns={PAYOUT_COLUMNS}
        rows={data?.payouts}
        rowKey={(payout) => payout.id}
        detailsTo={(payout) => `/${role.toLowerCase()}/earnings/${payout.id}`}
        empty={<EmptyState drawing="calendar" text={noPayoutsText(data?.held ?? 0)} />}
        failure={isError ? failure : undefined}
      />
    </section>
  );
}

/** One bar per week, newest on the right. Each bar has its week and amount as text, so it reads without the graphic. */
function WeekChart({ weeks }: { weeks: Earnings['weeks'] | undefined }) {
  if (!weeks) return <Skeleton height={180} />;
  const highest = Math.max(...weeks.map((week) => week.earned), 0);
  if (highest === 0) return <p className={chart.none}>You earned nothing in the last {weeks.length} weeks.</p>;
  return (
    <div className={chart.frame}>
      <p className={chart.most}>{formatMoney(highest)}</p>
      <ol className={chart.bars} aria-label="Earnings by week">
        {weeks.map(({ from, earned }) => {
          const words = `Week of ${formatDay(from)}: ${formatMoney(earned)}`;
          return (
            <li key={from} className={chart.week} title={words}>
              <span className={chart.bar} style={{ height: `${Math.max(0, (earned / highest) * 100)}%` }} />
              <span className={chart.words}>{words}</span>
            </li>
          );
        })}
      </ol>
      <p className={chart.ends} aria-hidden="true">
        <span>{formatDay(weeks[0]?.from ?? '')}</span>
        <span>{formatDay(weeks.at(-1)?.from ?? '')}</span>
      </p>
    </div>
  );
}
