import { useQuery } from '@tanstack/react-query';
import type { ReconciledDay } from '../../../contract/operator/reconciliation.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { formatDay, formatMoney } from '../../ui/format.ts';
import { PagedListPage, useFilter } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
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
  const filter = useFilter();
  const days = useQuery({
    queryKey: ['reconciliation', 'list', filter.page],
    queryFn: () => operatorApi.listReconciledDays({ query: { page: String(filter.page) } }),
  });
  return (
    <PagedListPage
      title="Reconciliation"
      subtitle="Charges less refunds, fees and chargebacks: our ledger and the card network, by day in UTC"
      filter={filter}
      what="days"
      query={days}
      empty="No days yet. A day with charges is compared 24 hours after it ends"
      drawing="calendar"
    >
      {(rows) => (
        <DataTable
          label="Days"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ day }) => day}
          detailsTo={({ day }) => `/operator/reconciliation/${day}`}
        />
      )}
    </PagedListPage>
  );
}
