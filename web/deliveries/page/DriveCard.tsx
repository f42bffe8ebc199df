import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import type { RelayRole } from '../../handovers/relay.ts';
import { useDubersCustody } from '../../handovers/useDubersCustody.ts';
import { navigationLinkTo } from '../../places/navigationLink.ts';
import { useDistance } from '../../places/useDistance.ts';
import { useUser } from '../../session/session.ts';
import { formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { DueLine } from '../DueLine.tsx';
import { nextStopOf } from '../nextStop.ts';
import { Arrival } from '../position/Arrival.tsx';
import { useDriver } from '../position/useDriver.ts';
import styles from './DriveCard.module.css';

type DriveCardProps = {
  delivery: DeliveryDetails;
  side: RelayRole;
  /** "Undo", which comes and goes without moving anything. */
  undo: ReactNode;
  /** The way to prove the hand-over that is next. */
  proof: ReactNode;
};

/** What a Duber needs while they drive: the next street, what it pays, the way there, and what is in the bag. */
export function DriveCard({ delivery, side, undo, proof }: DriveCardProps) {
  const stop = nextStopOf(delivery, side);
  const format = useDistance(true);
  const { route } = useDriver(delivery, false);
  return (
    <section className={`card ${styles.card}`} aria-label="Next stop">
      <div className={styles.top}>
        <p className={styles.stop}>Next stop: {stop.name}</p>
        {undo}
      </div>
      <h2 className={styles.street}>{stop.address ?? 'No address provided'}</h2>
      <DueLine delivery={delivery} />
      <p className={styles.facts}>
        <strong>{formatMoney(delivery.price)}</strong>
        <span>{format(delivery.distanceInMeters)} trip</span>
        <Arrival route={route} />
      </p>
      <div className={styles.ways}>
        {stop.point && <NavigateLink to={stop.point} />}
        {stop.phone && (
          <Button
            component="a"
            href={`tel:${stop.phone}`}
            variant="default"
            leftSection={<Icon name="phone" />}
            aria-label={`Call ${stop.name}`}
          >
            Call
          </Button>
        )}
      </div>
      <Bag delivery={delivery} />
      {proof}
    </section>
  );
}

function NavigateLink({ to }: { to: Parameters<typeof navigationLinkTo>[0] }) {
  const { href, isWebPage } = navigationLinkTo(to, navigator.userAgent);
  return (
    <Button
      component="a"
      href={href}
      variant="default"
      leftSection={<Icon name="arrow" />}
      {...(isWebPage ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      Navigate
    </Button>
  );
}

/** The size, the bags once they were counted, and what the Bud asks for. */
function Bag({ delivery }: { delivery: DeliveryDetails }) {
  const { data: custody } = useDubersCustody(delivery, useUser().id);
  const bags = custody?.bags ?? undefined;
  const { loadSize, orderInstructions, number } = delivery.order;
  const words = [number, loadSizeLabel(loadSize), bags && (bags === 1 ? '1 bag' : `${bags} bags`)];
  return (
    <div className={styles.bag}>
      <Icon name="box" size={18} />
      <div>
        <p>{words.filter(Boolean).join(' · ')}</p>
        {orderInstructions && <p className={styles.instructions}>“{orderInstructions}”</p>}
      </div>
    </div>
  );
}
