import type { DeliveryRoute } from '../../../contract/deliveryRoute.ts';
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

/** What happens right now, in large letters next to the map. */
export function ArrivalHeadline({ text, route }: { text: string; route: DeliveryRoute | undefined }) {
  return (
    <p className={styles.headline}>
      <span>{text}</span>
      <Arrival route={route} />
    </p>
  );
}
