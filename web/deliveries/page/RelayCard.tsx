import { Link } from 'react-router';
import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import { carrierText, goesOnWithRelayed, meetingText, relaySideOf } from '../../handovers/relay.ts';
import { useDubersCustody } from '../../handovers/useDubersCustody.ts';
import { useUser } from '../../session/session.ts';
import styles from '../problems/DeliveryProblems.module.css';

/** What the two Dubers of a relay read: the one who keeps the laundry, and the one who collects it from them. */
export function RelayCard({ delivery }: { delivery: DeliveryDetails }) {
  const { id } = useUser();
  const { data: custody } = useDubersCustody(delivery, id);
  const side = relaySideOf(delivery, id, custody);
  if (side === 'carrier') return <Carrier delivery={delivery} />;
  if (side === 'holder' || !goesOnWithRelayed(delivery, id)) return null;
  const holder = custody?.holder.role === 'Duber' ? custody.holder.fullname : undefined;
  return (
    <section className={styles.news} aria-label="Another Duber has the laundry">
      <h2>{holder ? `Look for ${holder}` : 'Another Duber has the laundry'}</h2>
      <p>{meetingText(holder)}</p>
    </section>
  );
}

function Carrier({ delivery }: { delivery: DeliveryDetails }) {
  const { title, text } = carrierText(delivery);
  return (
    <section className={styles.news} aria-label="You have the laundry" aria-live="polite">
      <h2>{title}</h2>
      <p>{text}</p>
      <p>
        You are paid for the part of the trip that you did: <Link to="/duber/earnings">see your earnings</Link>.
      </p>
    </section>
  );
}
