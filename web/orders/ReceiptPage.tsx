import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { Order } from '../../contract/orders.ts';
import type { Receipt } from '../../contract/payments.ts';
import { formatPounds } from '../../domain/weighing.ts';
import { WINDOW_KINDS } from '../../domain/windows.ts';
import { formatWindow, toWindow, windowNames } from '../../texts/windows.ts';
import { api } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { orderKey } from '../api/queryKeys.ts';
import { describeCard } from '../payments/cardText.ts';
import { PriceBreakdown } from '../payments/PriceBreakdown.tsx';
import { useUser } from '../session/session.ts';
import { DescriptionItem, DescriptionList } from '../ui/DescriptionList.tsx';
import { ErrorState, NotFound } from '../ui/ErrorState.tsx';
import { isNotFound } from '../ui/errorMessage.ts';
import { formatDate, formatMoney } from '../ui/format.ts';
import { LegalLines } from '../ui/LegalLines.tsx';
import { Logo } from '../ui/Logo.tsx';
import { loadSizeLabel } from '../ui/loadSizeLabel.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { SkeletonText } from '../ui/Skeleton.tsx';
import { useWeighing } from '../weighing/useWeighing.ts';
import { decidingWeightOf } from '../weighing/weighingText.ts';
import styles from './ReceiptPage.module.css';
import { describePayment, movementText, paidTotal } from './receiptText.ts';
import { useOrder } from './useOrder.ts';

function useReceipt(id: string) {
  return useQuery({
    queryKey: [...orderKey(id), 'receipt'],
    queryFn: ({ signal }) => api.readReceipt({ params: { id } }, { signal }),
  });
}

/** What an order cost and what happened on the card, on one sheet of paper. */
export function ReceiptPage() {
  const { orderId = '' } = useParams();
  const order = useOrder(orderId);
  const receipt = useReceipt(orderId);
  const failed = [order, receipt].find((asked) => !asked.data && asked.isError);
  if (isNotFound(failed?.error)) return <NotFound title="Order Not Found" to="/bud/orders" label="Back to Orders" />;
  return (
    <>
      <div data-screen-only>
        <PageHeader title="Receipt" back={{ to: `/bud/orders/${orderId}`, label: 'Back to the Order' }}>
          <Button variant="default" disabled={!order.data || !receipt.data} onClick={() => window.print()}>
            Print
          </Button>
        </PageHeader>
      </div>
      {failed ? (
        <ErrorState
          title="We could not get the receipt"
          text="Nothing has changed."
          error={failed.error}
          onRetry={() => void Promise.all([order.refetch(), receipt.refetch()])}
          isRetrying={order.isFetching || receipt.isFetching}
        />
      ) : order.data && receipt.data ? (
        <Sheet order={order.data} receipt={receipt.data} />
      ) : (
        <div className={`card ${styles.sheet}`} role="status" aria-label="Loading Receipt">
          <SkeletonText />
        </div>
      )}
    </>
  );
}

function Sheet({ order, receipt }: { order: Order; receipt: Receipt }) {
  const { fullname } = useUser();
  const town = useConfig()?.town;
  return (
    <article className={`card ${styles.sheet}`} aria-label="Receipt">
      <header className={styles.head}>
        <Logo />
        <p className={styles.sum}>
          {describePayment(receipt, order.status)}
          <strong>{formatMoney(paidTotal(receipt))}</strong>
        </p>
      </header>
      <DescriptionList>
        <DescriptionItem name="For">{fullname}</DescriptionItem>
        <DescriptionItem name="Service Provider">{order.scrub.fullname}</DescriptionItem>
        <DescriptionItem name="Placed">
          <time dateTime={order.createdAt}>{formatDate(order.createdAt)}</time>
        </DescriptionItem>
        <DescriptionItem name="Load Size">{loadSizeLabel(order.loadSize)}</DescriptionItem>
        {order.ceilingSize && <WeightItem order={order} />}
        {order.times && <TimeItems order={order} times={order.times} />}
        <DescriptionItem name="Address">{order.budAddress.address}</DescriptionItem>
        <DescriptionItem name="Order Number">{order.number}</DescriptionItem>
        <DescriptionItem name="Order ID">
          <span className={styles.id}>{order.id}</span>
        </DescriptionItem>
      </DescriptionList>
      <section aria-labelledby="receipt-price">
        <h2 id="receipt-price">Price</h2>
        <PriceBreakdown order={order} price={order.price} promo={order.promo} taxPercent={receipt.taxPercent} />
      </section>
      <section aria-labelledby="receipt-card">
        <h2 id="receipt-card">{describeCard(receipt.card)}</h2>
        <Movements receipt={receipt} />
      </section>
      {town && <LegalLines town={town} />}
    </article>
  );
}

/** The agreed times. */
function TimeItems({ order, times }: { order: Order; times: NonNullable<Order['times']> }) {
  const { timeZone = 'UTC' } = useConfig() ?? {};
  const names = windowNames(order);
  return WINDOW_KINDS.map((kind) => (
    <DescriptionItem key={kind} name={names[kind]}>
      {formatWindow(toWindow(times[kind]), timeZone)}
    </DescriptionItem>
  ));
}

/** Shown once the Scrub has weighed the laundry: the price is for this weight. */
function WeightItem({ order }: { order: Order }) {
  const { data } = useWeighing(order);
  const weight = data && decidingWeightOf(data);
  if (!weight) return null;
  const { correction } = data;
  return (
    <DescriptionItem name="Weight">
      {formatPounds(weight.grams)}
      {correction && `, ordered as ${correction.fromSize} for ${formatMoney(data.estimate)}`}
    </DescriptionItem>
  );
}

function Movements({ receipt }: { receipt: Receipt }) {
  return (
    <ol className={styles.movements}>
      {receipt.movements.map(({ kind, amount, at, reason }) => (
        <li key={`${kind} ${at}`}>
          <span>{movementText({ kind, reason })}</span>
          <time dateTime={at}>{formatDate(at)}</time>
          <span className="tabular">{formatMoney(amount)}</span>
        </li>
      ))}
    </ol>
  );
}
