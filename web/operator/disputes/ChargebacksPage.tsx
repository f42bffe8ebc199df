import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Dispute } from '../../../contract/operator/disputes.ts';
import { Badge } from '../../ui/Badge.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatDateInText, formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { PageButtons } from '../PageButtons.tsx';
import { daysLeftText, reasonText, statusText } from './disputeTexts.ts';

/** Payments that card holders contest at their banks: those that wait, or those that ended. */
export function ChargebacksPage() {
  const [state, setState] = useState<'open' | 'ended'>('open');
  const [page, setPage] = useState(1);
  const disputes = useQuery({
    queryKey: ['disputes', state, page],
    queryFn: () => operatorApi.listDisputes({ query: { state, page: String(page) } }),
    refetchInterval: 60_000,
  });
  const choose = (next: typeof state) => {
    setState(next);
    setPage(1);
  };
  return (
    <>
      <PageHeader title="Chargebacks" subtitle="Payments that card holders contest at their bank">
        <Button.Group>
          {(['open', 'ended'] as const).map((one) => (
            <Button
              key={one}
              variant={state === one ? 'light' : 'default'}
              aria-pressed={state === one}
              onClick={() => choose(one)}
            >
              {one === 'open' ? 'Open' : 'Ended'}
            </Button>
          ))}
        </Button.Group>
      </PageHeader>
      {disputes.isPending && <LoadingRows label="chargebacks" />}
      {disputes.isError && <QueryError query={disputes} title="The chargebacks did not load" isCard />}
      {disputes.data?.items.length === 0 && <EmptyState text="No chargebacks" drawing="wallet" isCard />}
      <ul className={`${cards.list} ${cards.narrow}`}>
        {disputes.data?.items.map((dispute) => (
          <li key={dispute.id}>
            <ChargebackCard dispute={dispute} />
          </li>
        ))}
      </ul>
      <PageButtons page={page} hasMore={disputes.data?.hasMore} onPage={setPage} labels={['Back', 'More']} />
    </>
  );
}

const DAYS_OF_WARNING = 2;

function ChargebackCard({ dispute }: { dispute: Dispute }) {
  const { id, orderNumber, amount, reason, daysLeft, dueAt, endedAt } = dispute;
  return (
    <Link className={cards.card} to={`/operator/chargebacks/${id}`}>
      <div className={cards.top}>
        <h2>
          {orderNumber} · {formatMoney(amount)}
        </h2>
        {daysLeft !== null && (
          <Badge color={daysLeft <= DAYS_OF_WARNING ? 'cancelled' : 'pending'}>{daysLeftText(daysLeft)}</Badge>
        )}
      </div>
      <span>{reasonText(reason)}</span>
      <span className="quiet">
        {statusText(dispute)}
        {daysLeft !== null && dueAt !== null && ` · the bank wants an answer by ${formatDateInText(dueAt)}`}
        {endedAt !== null && ` on ${formatDateInText(endedAt)}`}
      </span>
    </Link>
  );
}
