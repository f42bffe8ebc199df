import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EarningLine } from '../../contract/earnings.ts';
import { api } from '../api/client.ts';
import { type Column, DataTable } from '../lists/DataTable.tsx';
import { CopyId } from '../ui/CopyId.tsx';
import { formatDate, formatMoney } from '../ui/format.ts';
import { describeLine } from './format.ts';

export type EarningLinesQuery = UseQueryResult<EarningLine[]>;

/** The lines of a payout, or those due for the next one. */
export function useEarningLines(payoutId: string | undefined): EarningLinesQuery {
  return useQuery({
    queryKey: ['earnings', 'lines', payoutId ?? 'waiting'],
    queryFn: ({ signal }) => api.earningLines({ query: payoutId === undefined ? {} : { payoutId } }, { signal }),
  });
}

const COLUMNS: readonly Column<EarningLine>[] = [
  { header: 'Date', cardSlot: 'date', cell: (line) => <time dateTime={line.at}>{formatDate(line.at)}</time> },
  { header: 'What', cardSlot: 'name', cell: describeLine },
  {
    header: 'Order',
    cell: (line) => line.orderNumber ?? (line.orderId && <CopyId id={line.orderId} label="order id" />),
  },
  { header: 'Amount', cardSlot: 'money', align: 'end', cell: (line) => formatMoney(line.amount) },
];

export function EarningLinesTable({
  role,
  label,
  asked,
  empty,
}: {
  role: 'Scrub' | 'Duber';
  label: string;
  asked: EarningLinesQuery;
  empty: ReactNode;
}) {
  const failure = {
    title: 'Unable To Get Earnings',
    error: asked.error,
    onRetry: () => void asked.refetch(),
    isRetrying: asked.isFetching,
  };
  return (
    <DataTable
      label={label}
      columns={COLUMNS}
      rows={asked.data}
      rowKey={(line) => `${line.kind} ${line.deliveryId ?? line.orderId} ${line.at} ${line.amount}`}
      detailsTo={(line) => (role === 'Scrub' ? `/scrub/jobs/${line.orderId}` : deliveryPathOf(line))}
      empty={empty}
      failure={asked.isError ? failure : undefined}
    />
  );
}

// A refund belongs to an order, which a Duber sees only as deliveries.
const deliveryPathOf = (line: EarningLine) =>
  line.deliveryId === null ? '/duber/deliveries' : `/duber/deliveries/${line.deliveryId}`;
