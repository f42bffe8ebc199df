import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { PromoUse } from '../../../contract/operator/promos.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PagedList, useFilter } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { TownTime } from '../TownTime.tsx';
import { UnloadedPage } from '../UnloadedPage.tsx';
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

const BACK = { to: '/operator/prices', label: 'Prices & promos' };

/** One promo code: what it is, what it has cost, and who has used it. */
export function PromoPage() {
  const { promoId = '' } = useParams();
  const mayChange = useHasRight('prices');
  const filter = useFilter();
  const uses = useQuery({
    queryKey: ['promos', promoId, 'uses', filter.page],
    queryFn: () => operatorApi.listPromoUses({ params: { id: promoId }, query: { page: String(filter.page) } }),
    placeholderData: keepPreviousData,
  });
  const promo = uses.data?.promo;
  if (!promo) return <UnloadedPage what="promo code" title="Promo code" back={BACK} query={uses} />;
  return (
    <>
      <PageHeader title={promo.code} back={BACK}>
        {mayChange && promo.endedAt === null && <EndPromoButton promo={promo} />}
      </PageHeader>
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
          <PagedList filter={filter} what="uses" query={uses} empty="Nobody has used it yet">
            {(rows) => <DataTable label="uses" columns={COLUMNS} rows={rows} rowKey={({ orderId }) => orderId} />}
          </PagedList>
        </section>
      </div>
    </>
  );
}
