import type { ComponentType } from 'react';
import { useParams } from 'react-router';
import type { Order } from '../../../contract/orders.ts';
import { NotFound, QueryError } from '../../ui/ErrorState.tsx';
import { isNotFound } from '../../ui/errorMessage.ts';
import { PageHeader, usePageTitle } from '../../ui/PageHeader.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { Skeleton, SkeletonColumns } from '../../ui/Skeleton.tsx';
import { isGivenBackBy, isGivenBackByTown } from '../orderChanges.ts';
import { useOrder } from '../useOrder.ts';
import styles from './OrderPage.module.css';

/** A Bud's order is one card and a row of folds; a job has two columns. */
const SKELETONS = {
  Bud: { className: undefined, columns: [{ className: styles.main, heights: [520, 160] }] },
  Scrub: {
    className: styles.page,
    columns: [
      { className: styles.main, heights: [280, 180, 300] },
      { className: styles.side, heights: [120, 220] },
    ],
  },
};

type OrderRole = 'Bud' | 'Scrub';

const TEXTS = {
  Bud: { title: 'Order Details', back: { to: '/bud/orders', label: 'Back to Orders' } },
  Scrub: { title: 'Job Details', back: { to: '/scrub/jobs', label: 'Back to Jobs' } },
} as const satisfies Record<OrderRole, object>;

/** A Scrub reads a job no longer once another Scrub is asked. */
const givenBackTexts = (order: Order) => ({
  title: isGivenBackByTown(order) ? 'This Job Went to Another Scrub' : 'You Gave This Job Back',
  text: 'You have nothing left to do here.',
});

type OrderPageProps = { role: OrderRole; Content: ComponentType<{ order: Order }> };

/** spec 2.7 and 2.8: an order for its Bud, or a job for its Scrub. Each role loads only its own content. */
export function OrderPage({ role, Content }: OrderPageProps) {
  const { orderId = '' } = useParams();
  const asked = useOrder(orderId);
  const { title, back } = TEXTS[role];
  usePageTitle(title);
  if (isNotFound(asked.error))
    return (
      <NotFound
        {...(asked.data && isGivenBackBy(asked.data, role) ? givenBackTexts(asked.data) : { title: 'Order Not Found' })}
        {...back}
      />
    );
  if (!asked.data && asked.isError)
    return <QueryError query={asked} level={1} title="Unable To Get Order Details" text="Nothing has changed." />;
  return (
    <>
      <PageHeader
        title={title}
        back={back}
        subtitle={asked.data ? subtitleOf(asked.data, role) : <Skeleton width={220} />}
      >
        <RefreshButton onRefresh={() => void asked.refetch()} isRefreshing={asked.isFetching} />
      </PageHeader>
      {asked.data ? (
        <Content order={asked.data} />
      ) : (
        <SkeletonColumns label={`Loading ${title}`} {...SKELETONS[role]} />
      )}
    </>
  );
}

const subtitleOf = (order: Order, role: OrderRole) =>
  role === 'Bud' ? (
    <>
      Order {order.number} with <PersonName name={order.scrub.fullname} />
    </>
  ) : (
    <>
      Job {order.number} for <PersonName name={order.bud.fullname} />
    </>
  );
