import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import type { Delivery } from '../../../contract/deliveries.ts';
import { isOnTheWay } from '../../../domain/positions.ts';
import { useNow } from '../../hooks/useNow.ts';
import { useUser } from '../../session/session.ts';
import { formatAgo } from '../../ui/format.ts';
import styles from '../Card.module.css';
import { declinePositionPrompt, useConsent } from './consent.ts';
import { giveConsent, type SharingStatus, useSharingStatus, withdrawConsent } from './sharing.ts';

/** The Duber's choice whether the Bud and the Scrub see their position. */
export function SharePosition({ delivery }: { delivery: Delivery }) {
  const { id: userId } = useUser();
  const isAgreed = useConsent(userId);
  const sharing = useSharingStatus();
  const now = useNow(sharing.state === 'shared');
  const isOn = isAgreed && sharing.state !== 'asks';
  const change = (wanted: boolean) => {
    if (wanted) return void giveConsent(userId, delivery.id);
    declinePositionPrompt(userId, delivery.id);
    void withdrawConsent(userId, delivery.id);
  };
  return (
    <section className="card" aria-label="Your location">
      <h2 className={styles.title}>Your location</h2>
      <Switch
        label="Share my location while I’m on the way"
        size="md"
        checked={isOn}
        aria-describedby="share-position-words"
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <p id="share-position-words" className={`quiet ${styles.under}`}>
        {sharingText({ isOn, sharing, isMoving: isOnTheWay(delivery.status) }, now)}
      </p>
    </section>
  );
}

const PRIVACY_TEXT =
  'When you share it, the customer and the service provider see you coming. They see only your latest location, rounded to about 11 meters. We delete it an hour after the delivery.';

type SharingView = { readonly isOn: boolean; readonly sharing: SharingStatus; readonly isMoving: boolean };

function sharingText({ isOn, sharing, isMoving }: SharingView, now: Date): string {
  if (sharing.state === 'denied')
    return 'Your browser is blocking this. Allow location for this site in its settings, then turn this on again.';
  if (sharing.state === 'takingBack') return 'Off. We will remove your last location as soon as you are connected.';
  if (!isOn) return `Off. ${PRIVACY_TEXT}`;
  if (!isMoving) return 'On. Sharing starts when you set out and stops when you have delivered.';
  if (sharing.state === 'shared') return `Shared with both of them, last updated ${formatAgo(sharing.at, now)}.`;
  if (sharing.state === 'unavailable') return 'Your phone cannot find its location right now.';
  return 'Finding your location…';
}
