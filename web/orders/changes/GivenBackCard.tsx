import { Button } from '@mantine/core';
import type { Order } from '../../../contract/orders.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { useDistance } from '../../places/useDistance.ts';
import { useUser } from '../../session/session.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatDate } from '../../ui/format.ts';
import { PersonName } from '../../ui/PersonName.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import cards from '../Card.module.css';
import { givenBackTitle } from '../orderChanges.ts';
import { type FoundScrub, useNearbyScrubs } from '../place/useNearbyScrubs.ts';
import { endingText } from '../refund.ts';
import styles from './GivenBackCard.module.css';
import { useOrderException } from './useOrderException.ts';

/** The Scrub cannot do it: choose another one at the same price, or let the clock give everything back. */
export function GivenBackCard({ order }: { order: Order }) {
  const { givenBackUntil } = order;
  return (
    <section className={cards.asks} aria-label="Choose another Scrub">
      <h2>{givenBackTitle(order)}</h2>
      <p>
        Choose another Scrub at the same price.
        {givenBackUntil && (
          <>
            {' '}
            Without one by{' '}
            <time dateTime={givenBackUntil} className={styles.until}>
              {formatDate(givenBackUntil)}
            </time>
            , the order is cancelled and you {endingText(order)}.
          </>
        )}
      </p>
      <OtherScrubs order={order} />
    </section>
  );
}

function OtherScrubs({ order }: { order: Order }) {
  const user = useUser();
  const addressId = user.addresses.find(({ id }) => id === order.budAddress.id)?.id ?? user.addresses[0]?.id ?? '';
  const asked = useNearbyScrubs(addressId, order.times, order.loadSize);
  if (asked.data === undefined && asked.isError)
    return <QueryError query={asked} level={3} title="We could not search for Scrubs" text="Your order is safe." />;
  if (asked.data === undefined) return <Skeleton width="60%" />;
  const others = asked.data.filter(({ scrub }) => scrub.id !== order.scrubId);
  if (others.length === 0) return <p>No other Scrub is near you at the moment. Look again a little later.</p>;
  return (
    <ul className={styles.list}>
      {others.map((near) => (
        <OtherScrub key={near.scrub.id} near={near} orderId={order.id} />
      ))}
    </ul>
  );
}

function OtherScrub({
  near: { scrub, distanceMeters, rating, ratingCount = 0 },
  orderId,
}: {
  near: FoundScrub;
  orderId: string;
}) {
  const step = useOrderException(orderId);
  const format = useDistance();
  return (
    <li className={styles.scrub}>
      <Avatar name={scrub.fullname} />
      <div className={styles.words}>
        <strong>
          <PersonName name={scrub.fullname} />
        </strong>
        <span>
          {format(distanceMeters)} away · {ratingCount === 0 ? 'No reviews yet' : `${rating.toFixed(1)} stars`}
        </span>
      </div>
      <Button
        loading={step.isPending}
        aria-label={`Ask ${scrub.fullname}`}
        {...getSinglePressProps(() => step.mutate({ action: 'choose-scrub', scrubId: scrub.id }))}
      >
        Ask
      </Button>
    </li>
  );
}
