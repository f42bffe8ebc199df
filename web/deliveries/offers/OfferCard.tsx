import { type ReactNode, useId } from 'react';
import { currentTime } from '../../clock.ts';
import type { RelayRole } from '../../handovers/relay.ts';
import { useDistance } from '../../places/useDistance.ts';
import { formatDate, formatMoney, labelOf } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { DueLine } from '../DueLine.tsx';
import type { Offer } from '../dashboardQuery.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import { isForLater } from '../windows.ts';
import { AcceptOffer } from './AcceptOffer.tsx';
import '../../places/maps.css';
import styles from './OfferCard.module.css';
import { offerPeople } from './offerPeople.ts';

type OfferCardProps = {
  offer: Offer;
  /** Its number on the map of all offers. */
  number: number;
  /** The Duber who keeps the laundry of an offer is offered it, too. */
  side: RelayRole;
  children: ReactNode;
};

/** The element of an offer, to which its pin on the map leads. */
export const offerElementId = (deliveryId: string): string => `offer-${deliveryId}`;

/** A pending delivery: what it pays, how far it is, and the button that accepts it. */
export function OfferCard({ offer, number, side, children }: OfferCardProps) {
  const { delivery, distanceMeters } = offer;
  const { pickup, drop } = pickupAndDropOf(delivery, 'Duber', side);
  const people = offerPeople(delivery, side);
  const words = useId();
  const format = useDistance();
  return (
    <div className={styles.offer} id={offerElementId(delivery.id)}>
      <div id={words}>
        <div className={styles.top}>
          <strong className={styles.pay}>
            {pickup.point && drop.point && (
              <span className="pin pin-flat" aria-hidden="true">
                <span>{number}</span>
              </span>
            )}
            {formatMoney(delivery.price)}
          </strong>
          <StatusBadge status={delivery.status} />
        </div>
        <DueLine delivery={delivery} />
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
      </p>
      <div className={styles.bottom}>
        {children}
        <AcceptOffer deliveryId={delivery.id} isForLater={isForLater(delivery, currentTime())} describedBy={words} />
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
