import { useSearchParams } from 'react-router';
import type { Case } from '../../contract/cases.ts';
import { PAGE_SIZE } from '../../contract/lists.ts';
import type { Role } from '../../domain/accounts.ts';
import { type Column, DataTable } from '../lists/DataTable.tsx';
import { useRedirectToLastPage } from '../lists/listState.ts';
import { Pagination } from '../lists/Pagination.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { formatDate, formatMoney } from '../ui/format.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { RefreshButton } from '../ui/RefreshButton.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { casePath, useCases } from './caseQueries.ts';
import { KIND_TEXTS, statusLabel } from './caseTexts.ts';

const columnsFor = (role: Role): readonly Column<Case>[] => [
  {
    header: 'Status',
    cardSlot: 'status',
    cell: (found) => <StatusBadge status={found.status} label={statusLabel(found, role)} />,
  },
  {
    header: 'Date',
    cardSlot: 'date',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDate(createdAt)}</time>,
  },
  { header: 'Number', cell: ({ no }) => no },
  { header: 'What', cardSlot: 'title', cell: ({ kind }) => KIND_TEXTS[kind] },
  {
    header: 'Given back',
    cardSlot: 'money',
    align: 'end',
    // On a card it stands alone: a dash would say nothing there.
    cell: ({ givenBack }) => givenBack > 0 && formatMoney(givenBack),
  },
];

/** What a person has reported, and what they are asked about. */
export function CasesPage({ role }: { role: Role }) {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Number(params.get('page')) || 1);
  const asked = useCases(page);
  const goTo = (pageNumber: number, replace = false) =>
    setParams(pageNumber > 1 ? { page: String(pageNumber) } : {}, { replace });
  useRedirectToLastPage(asked.data?.data, page, (last) => goTo(last, true));
  const again = { onRetry: () => void asked.refetch(), isRetrying: asked.isFetching };
  return (
    <>
      <PageHeader title="Problems" subtitle="Reported problems and how they were settled.">
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </PageHeader>
      <DataTable
        label="Problems"
        columns={columnsFor(role)}
        rows={asked.data?.data.items}
        rowKey={({ id }) => id}
        detailsTo={({ id }) => casePath(role, id)}
        empty={<EmptyState drawing="line" text="No problems yet." />}
        failure={asked.isError ? { title: 'Unable To Get Problems', error: asked.error, ...again } : undefined}
      />
      <Pagination
        pageNumber={page}
        pageSize={PAGE_SIZE}
        totalCount={asked.data?.data.totalCount ?? 0}
        onPageChange={goTo}
      />
    </>
  );
}
