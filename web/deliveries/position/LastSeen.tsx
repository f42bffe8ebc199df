import type { Delivery } from '../../../contract/deliveries.ts';
import type { Position } from '../../../contract/positions.ts';
import { distanceInMeters } from '../../../domain/places.ts';
import { EXACT_WITHIN_M, isVague } from '../../../domain/positions.ts';
import { factsOfDelivery } from '../../../domain/process/situation.ts';
import { useNow } from '../../hooks/useNow.ts';
import { firstNameOf, formatAgo, formatKm } from '../../ui/format.ts';
import { pickupAndDropOf } from '../pickupAndDrop.ts';
import styles from './LastSeen.module.css';

/** The driver's last position in words: for users who cannot see the map, and to show how old it is. */
export function LastSeen({ delivery, position }: { delivery: Delivery; position: Position | null }) {
  const now = useNow(position !== null);
  if (!position) return null;
  const name = delivery.duber ? firstNameOf(delivery.duber.fullname) : 'The driver';
  return (
    <p data-last-seen>
      {name} was last seen{' '}
      <time className={styles.age} dateTime={position.at}>
        {formatAgo(position.at, now)}
      </time>
      {distanceText(delivery, position)}.
    </p>
  );
}

/**
 * The distance to the driver's next stop, or how vague the position is. Only Dubers know where relayed laundry is, also once the
 * next Duber could not hand it over.
 */
function distanceText(delivery: Delivery, position: Position): string {
  if (isVague(position)) return `, somewhere within ${formatKm(position.accuracy ?? 0)}`;
  if (delivery.status !== 'Called_Off' && factsOfDelivery(delivery).isRelayed) return '';
  const { pickup, drop } = pickupAndDropOf(delivery, 'Duber');
  const [name, goal] = delivery.status === 'Way_To_Pick' ? ['pickup', pickup.point] : ['drop', drop.point];
  const meters = goal && distanceInMeters(position, goal);
  if (meters === undefined) return '';
  // Positions are rounded, and phones are wrong by a house or two.
  return meters <= EXACT_WITHIN_M ? `, close to the ${name}` : `, ${formatKm(meters)} from the ${name}`;
}
