import type { DeliveryRoute } from '../../../contract/deliveryRoute.ts';
import { formatTimeSpan } from '../../ui/format.ts';
import styles from './Arrival.module.css';

/** '6–9 min', when it is known how long the driver's way is. */
export function Arrival({ route }: { route: DeliveryRoute | undefined }) {
  const { fromMin, toMin } = route?.ahead ?? {};
  if (!fromMin || !toMin) return null;
  return (
    <span className={styles.span} data-arrival>
      <span className="sr-only">Arrives in about </span>
      {fromMin}–{toMin} min
    </span>
  );
}

/** 'Back at 2:20–2:26 pm', when it is known how long the driver's way is. */
export function ArrivalTime({ route, label }: { route: DeliveryRoute | undefined; label: string }) {
  const { at, fromMin, toMin } = route?.ahead ?? {};
  if (!at || !fromMin || !toMin) return null;
  return (
    <span className={styles.span} data-arrival>
      {label} {formatTimeSpan(at, fromMin, toMin)}
    </span>
  );
}

/** What happens right now, in large letters next to the map. */
export function ArrivalHeadline({ text, route }: { text: string; route: DeliveryRoute | undefined }) {
  return (
    <p className={styles.headline}>
      <span>{text}</span>
      <Arrival route={route} />
    </p>
  );
}
