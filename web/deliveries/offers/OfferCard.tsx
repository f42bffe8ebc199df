import { type ReactNode, useId } from 'react';
import type { Point } from '../../../domain/places.ts';
import type { RelayRole } from '../../handovers/relay.ts';
import { useDistance } from '../../places/useDistance.ts';
import { CopyId } from '../../ui/CopyId.tsx';
import { formatDate, formatMoney, labelOf } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { Offer } from '../dashboardQuery.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import { AcceptOffer } from './AcceptOffer.tsx';
import { MiniMap } from './MiniMap.tsx';
import styles from './OfferCard.module.css';
import { offerPeople } from './offerPeople.ts';

type OfferCardProps = {
  offer: Offer;
  from: Point | undefined;
  /** The Duber who keeps the laundry of an offer is offered it, too. */
  side: RelayRole;
  children: ReactNode;
};

/** A pending delivery: what it pays, how far it is, and the button that accepts it. */
export function OfferCard({ offer, from, side, children }: OfferCardProps) {
  const { delivery, distanceMeters } = offer;
  const { pickup, drop } = pickupAndDropOf(delivery, 'Duber', side);
  const people = offerPeople(delivery, side);
  const words = useId();
  const format = useDistance();
  return (
    <div className={styles.offer}>
      {pickup.point && drop.point && (
        <div className={styles.map}>
          <MiniMap pickup={pickup.point} drop={drop.point} from={from} />
        </div>
      )}
      <div id={words}>
        <div className={styles.top}>
          <strong className={styles.pay}>{formatMoney(delivery.price)}</strong>
          <StatusBadge status={delivery.status} />
        </div>
        <p className={styles.distance}>
          <span className={styles.whole}>{format(distanceMeters)} away</span> ·{' '}
          <span className={styles.whole}>{format(delivery.distanceInMeters)} trip</span>
        </p>
        <OfferEnd letter="A" name="Pickup" person={people.pickup} address={pickup.address} />
        <OfferEnd letter="B" name="Drop" person={people.drop} address={drop.address} />
      </div>
      <p className={styles.facts}>
        <span className={styles.whole}>{labelOf(delivery.deliveryType, 'type')}</span>
        <time dateTime={delivery.createdAt}>{formatDate(delivery.createdAt)}</time>
        <CopyId id={delivery.id} label="delivery id" />
      </p>
      <div className={styles.bottom}>
        {children}
        <AcceptOffer deliveryId={delivery.id} describedBy={words} />
      </div>
    </div>
  );
}

type OfferEndProps = { letter: 'A' | 'B'; name: string; person: string; address: string | undefined };

function OfferEnd({ letter, name, person, address }: OfferEndProps) {
  return (
    <div className={styles.end} data-end={letter}>
      <span className={styles.letter} aria-hidden="true">
        {letter}
      </span>
      <p className={styles.words}>
        <span className="sr-only">{name}: </span>
        <span className={styles.street}>{address ?? 'No address provided'}</span>
        <span className="quiet">{person}</span>
      </p>
    </div>
  );
}
