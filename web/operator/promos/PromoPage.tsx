import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { PromoUse } from '../../../contract/operator/promos.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { PageButtons } from '../PageButtons.tsx';
import sections from '../sections.module.css';
import { TownTime } from '../TownTime.tsx';
import { EndPromoButton } from './PromoActs.tsx';
import { PromoFacts, PromoStateBadge } from './Promos.tsx';

const COLUMNS: readonly Column<PromoUse>[] = [
  {
    header: 'Order',
    cardSlot: 'title',
    cell: ({ orderId, orderNumber }) =>
      orderNumber === null ? (
        <span className="quiet">Not placed</span>
      ) : (
        <Link to={`/operator/orders/${orderId}`}>{orderNumber}</Link>
      ),
  },
  { header: 'Bud', cell: ({ bud }) => <Link to={`/operator/people/${bud.id}`}>{bud.name}</Link> },
  { header: 'Placed', cell: ({ at }) => <TownTime at={at} /> },
  {
    header: 'Took off',
    align: 'end',
    cell: ({ discount, counts }) =>
      counts ? formatMoney(discount) : <span className="quiet">{formatMoney(discount)}, given back</span>,
  },
  { header: 'Cost', align: 'end', cardSlot: 'money', cell: ({ cost }) => formatMoney(cost) },
];

/** One promo code: what it is, what it has cost, and who has used it. */
export function PromoPage() {
  const { promoId = '' } = useParams();
  const mayChange = useHasRight('prices');
  const [page, setPage] = useState(1);
  const uses = useQuery({
    queryKey: ['promos', promoId, 'uses', page],
    queryFn: () => operatorApi.listPromoUses({ params: { id: promoId }, query: { page: String(page) } }),
    placeholderData: keepPreviousData,
  });
  const promo = uses.data?.promo;
  return (
    <>
      <PageHeader title={promo?.code ?? 'Promo code'} back={{ to: '/operator/prices', label: 'Prices & promos' }}>
        {mayChange && promo?.endedAt === null && <EndPromoButton promo={promo} />}
      </PageHeader>
      {uses.isPending && <LoadingRows label="promo code" rows={2} />}
      {uses.isError && !uses.data && <QueryError query={uses} title="The promo code did not load" isCard />}
      {promo && (
        <div className={sections.sections}>
          <section className={sections.card} aria-label="Terms">
            <p>
              <PromoStateBadge promo={promo} />
            </p>
            <PromoFacts promo={promo} />
            <p className="quiet">
              Made by {promo.createdBy}, <TownTime at={promo.createdAt} isInText />
            </p>
          </section>
          <section aria-label="Uses">
            <DataTable
              label="uses"
              columns={COLUMNS}
              rows={uses.data?.items}
              rowKey={({ orderId }) => orderId}
              empty="Nobody has used it yet"
            />
            <PageButtons page={page} hasMore={uses.data?.hasMore} onPage={setPage} />
          </section>
        </div>
      )}
    </>
  );
}
