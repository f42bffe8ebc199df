import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReconciledDay } from '../../../contract/operator/reconciliation.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { PageButtons } from '../PageButtons.tsx';
import { DayBadge } from './DayBadge.tsx';

const orDash = (dollars: number | null | undefined) => (typeof dollars === 'number' ? formatMoney(dollars) : '–');

const COLUMNS: readonly Column<ReconciledDay>[] = [
  { header: 'Day', cardSlot: 'title', cell: ({ day }) => <span className="tabular">{formatDay(day)}</span> },
  { header: 'State', cardSlot: 'status', cell: (day) => <DayBadge day={day} /> },
  { header: 'Ours', align: 'end', cell: ({ ours }) => orDash(ours?.net) },
  { header: 'Card network', align: 'end', cell: ({ theirs }) => orDash(theirs?.net) },
  { header: 'Difference', cardSlot: 'money', align: 'end', cell: ({ difference }) => orDash(difference) },
];

/** The days, with what the ledger and the card network say of each. */
export function ReconciliationPage() {
  const [page, setPage] = useState(1);
  const days = useQuery({
    queryKey: ['reconciliation', 'list', page],
    queryFn: () => operatorApi.listReconciledDays({ query: { page: String(page) } }),
  });
  const failure = {
    title: 'The days did not load',
    error: days.error,
    onRetry: () => void days.refetch(),
    isRetrying: days.isFetching,
  };
  return (
    <>
      <PageHeader
        title="Reconciliation"
        subtitle="Charges less refunds, fees and chargebacks: our ledger and the card network, by day in UTC"
      />
      <div className={cards.page}>
        <DataTable
          label="Days"
          columns={COLUMNS}
          rows={days.data?.items}
          rowKey={({ day }) => day}
          detailsTo={({ day }) => `/operator/reconciliation/${day}`}
          empty={
            <EmptyState text="No days yet. A day with charges is compared 24 hours after it ends" drawing="calendar" />
          }
          failure={days.isError ? failure : undefined}
        />
      </div>
      <PageButtons page={page} hasMore={days.data?.hasMore} onPage={setPage} />
    </>
  );
}
