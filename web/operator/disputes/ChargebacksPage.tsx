import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Dispute } from '../../../contract/operator/disputes.ts';
import { reasonText } from '../../../texts/chargebacks.ts';
import { Badge } from '../../ui/Badge.tsx';
import { formatMoney } from '../../ui/format.ts';
import { daysLeftText, statusText } from '../disputeTexts.ts';
import { PagedListPage, useFilter } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { useTownTime } from '../useTownDay.ts';

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'ended', label: 'Ended' },
] as const;

/** Payments that card holders contest at their banks: those that wait, or those that ended. */
export function ChargebacksPage() {
  const filter = useFilter(STATES);
  const { value: state, page } = filter;
  const disputes = useQuery({
    queryKey: ['disputes', state, page],
    queryFn: () => operatorApi.listDisputes({ query: { state, page: String(page) } }),
    refetchInterval: 60_000,
  });
  return (
    <PagedListPage
      title="Chargebacks"
      subtitle="Payments that card holders contest at their bank"
      filter={filter}
      what="chargebacks"
      query={disputes}
      empty="No chargebacks"
      drawing="wallet"
      labels={['Previous', 'Next']}
    >
      {(rows) => (
        <ul className={cards.list}>
          {rows.map((dispute) => (
            <li key={dispute.id}>
              <ChargebackCard dispute={dispute} />
            </li>
          ))}
        </ul>
      )}
    </PagedListPage>
  );
}

const DAYS_OF_WARNING = 2;

function ChargebackCard({ dispute }: { dispute: Dispute }) {
  const townTime = useTownTime();
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
        {daysLeft !== null && dueAt !== null && ` · the bank wants an answer by ${townTime(dueAt)}`}
        {endedAt !== null && ` ${townTime(endedAt)}`}
      </span>
    </Link>
  );
}
