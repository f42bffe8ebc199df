import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { CallFailed } from '../../contract/callClient.ts';
import { api } from '../api/client.ts';
import { NotFound } from '../ui/ErrorState.tsx';
import { formatDay, formatMoney } from '../ui/format.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { CsvButton } from './CsvButton.tsx';
import { EarningLinesTable, useEarningLines } from './EarningLinesTable.tsx';
import { PAYOUT_STATUS_TEXTS } from './format.ts';

/** One payout with all its ledger lines. */
export function StatementPage({ role }: { role: 'Scrub' | 'Duber' }) {
  const { payoutId = '' } = useParams();
  const lines = useEarningLines(payoutId);
  const asked = useQuery({ queryKey: ['earnings'], queryFn: ({ signal }) => api.earnings(undefined, { signal }) });
  const payout = asked.data?.payouts.find(({ id }) => id === payoutId);
  const home = `/${role.toLowerCase()}/earnings`;
  const status = lines.error instanceof CallFailed ? lines.error.statusCode : undefined;
  if (status === 404 || status === 400) return <NotFound title="Payout Not Found" to={home} label="Back to Earnings" />;
  return (
    <>
      <PageHeader
        title={payout ? `Payout of ${formatMoney(payout.amount)}` : 'Payout'}
        subtitle={
          payout && `${PAYOUT_STATUS_TEXTS[payout.status]}, for what you earned before ${formatDay(payout.periodEnd)}`
        }
        back={{ to: home, label: 'Back to Earnings' }}
      >
        <CsvButton name={`payout-${payout?.periodEnd.slice(0, 10) ?? payoutId}.csv`} lines={lines.data} />
      </PageHeader>
      <EarningLinesTable role={role} label="Statement" asked={lines} empty="This payout has no lines." />
    </>
  );
}
