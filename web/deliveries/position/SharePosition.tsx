import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import type { Delivery } from '../../../contract/deliveries.ts';
import { isOnTheWay } from '../../../domain/positions.ts';
import { useUser } from '../../accounts/session.ts';
import { useNow } from '../../hooks/useNow.ts';
import { formatAgo } from '../../ui/format.ts';
import styles from '../page/Card.module.css';
import { useAgreed } from './consent.ts';
import { agree, type Sharing, useSharing, withdraw } from './sharing.ts';

/** The Duber's own choice whether the Bud and the Scrub see them come. */
export function SharePosition({ delivery }: { delivery: Delivery }) {
  const { id: userId } = useUser();
  const isAgreed = useAgreed(userId);
  const sharing = useSharing();
  const now = useNow(sharing.state === 'shared');
  const isOn = isAgreed && sharing.state !== 'asks';
  const change = (wanted: boolean) => void (wanted ? agree(userId) : withdraw(userId, delivery.id));
  return (
    <section className="card" aria-label="Your position">
      <h2 className={styles.title}>Your position</h2>
      <Switch
        label="Share my position while on the way"
        size="md"
        checked={isOn}
        aria-describedby="share-position-words"
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <p id="share-position-words" className={`quiet ${styles.under}`}>
        {wordsOf({ isOn, sharing, isMoving: isOnTheWay(delivery.status) }, now)}
      </p>
    </section>
  );
}

const PROMISE =
  'The customer and the service provider of this delivery then see you come: rounded to about 11 metres, the last place only, gone an hour after the delivery.';

type Standing = { readonly isOn: boolean; readonly sharing: Sharing; readonly isMoving: boolean };

function wordsOf({ isOn, sharing, isMoving }: Standing, now: Date): string {
  if (sharing.state === 'denied')
    return 'Your browser does not allow it. Allow the position for this site in its settings, then switch this on again.';
  if (sharing.state === 'takingBack') return 'Off. Your last place is taken back as soon as the server answers.';
  if (!isOn) return `Off. ${PROMISE}`;
  if (!isMoving) return 'On. It starts by itself when you are on the way, and stops by itself.';
  if (sharing.state === 'shared') return `Shared with both sides, last sent ${formatAgo(sharing.at, now)}.`;
  if (sharing.state === 'unavailable') return 'Your phone does not know where it is right now.';
  return 'Looking for where your phone is.';
}
