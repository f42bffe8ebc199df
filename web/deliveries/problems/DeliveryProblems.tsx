import { Button } from '@mantine/core';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { isRelayedPickup } from '../../handovers/relay.ts';
import { isLost, isRelayed } from '../../handovers/situation.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { EACH_SECOND_MS, useNow } from '../../hooks/useNow.ts';
import { useUser } from '../../session/session.ts';
import { firstNameOf } from '../../ui/format.ts';
import {
  arrivedAt,
  canTryAgain,
  describeException,
  describeReason,
  lostText,
  otherChooses,
  waitLeftMs,
} from '../problemSteps.ts';
import { useIsArrivalWaiting } from '../queuedSteps/usePlannedDelivery.ts';
import { Countdown } from './Countdown.tsx';
import styles from './DeliveryProblems.module.css';
import { useDeliveryException } from './useDeliveryException.ts';

const nameOf = ({ duber }: Delivery) => (duber ? firstNameOf(duber.fullname) : 'The Duber');

/** What the people of an order see of a delivery that does not go as planned: who is at the door, and what to choose. */
export function DeliveryProblems({ delivery, role }: { delivery: Delivery; role: Role }) {
  const isAtTheDoor =
    (delivery.status === 'Way_To_Pick' || delivery.status === 'Way_To_Drop') && arrivedAt(delivery) !== undefined;
  if (isAtTheDoor) return <AtTheDoor delivery={delivery} role={role} />;
  if (delivery.status === 'Failed') return <Failed delivery={delivery} role={role} />;
  if (delivery.status === 'Returned') return <Returned delivery={delivery} role={role} />;
  return null;
}

/** Whether the Duber is at the door of the reader. */
function isReadersDoor(delivery: Delivery, role: Role): boolean {
  const { status, deliveryType } = delivery;
  if (isRelayed(delivery)) return false;
  const budsDoor = deliveryType === 'Bud_To_Scrub' ? 'Way_To_Pick' : 'Way_To_Drop';
  return role === 'Bud' ? status === budsDoor : role === 'Scrub' && status !== budsDoor;
}

function AtTheDoor({ delivery, role }: { delivery: Delivery; role: Role }) {
  const now = useNow(true, EACH_SECOND_MS);
  const left = waitLeftMs(delivery, now) ?? 0;
  const texts = doorTexts(delivery, role, useIsArrivalWaiting(delivery.id));
  return (
    <section className={styles.news} aria-label="At the door">
      <h2>{texts.title}</h2>
      <p>
        {left > 0 ? `${texts.waits} ` : texts.hasWaited}
        {left > 0 && <Countdown ms={left} />}
      </p>
    </section>
  );
}

function doorTexts(delivery: Delivery, role: Role, isArrivalWaiting: boolean) {
  if (role === 'Duber')
    return {
      title: isRelayedPickup(delivery) ? 'You are where the laundry waits' : 'You are at the door',
      waits: `${isArrivalWaiting ? 'Not sent yet: your phone tells them as soon as it can' : 'They have been told'}. Please wait`,
      hasWaited: 'You have waited five minutes. If nobody comes, tap “Problem?”.',
    };
  const isAtReaders = isReadersDoor(delivery, role);
  const door = isAtReaders ? 'at your door' : 'at the door';
  return {
    title: `${nameOf(delivery)} is ${isRelayed(delivery) ? 'where the laundry waits' : door}`,
    waits: `${isAtReaders ? 'Please open the door. ' : ''}They wait for`,
    hasWaited: `They have waited five minutes and may leave now.${isAtReaders ? ' Please open at once.' : ''}`,
  };
}

/** What the Duber does who still has the laundry. */
function onBoardText(delivery: Delivery, isOwn: boolean, now: Date): string {
  const isOpen = canTryAgain(delivery, now);
  if (isOwn)
    return isOpen
      ? 'You have the laundry. Try again today, or take it back.'
      : 'You have the laundry. Please take it back.';
  return `${nameOf(delivery)} has the laundry, and ${isOpen ? 'tries again today or brings it back' : 'brings it back'}.`;
}

function Failed({ delivery, role }: { delivery: Delivery; role: Role }) {
  const now = useNow(delivery.hasLaundry);
  const hasPhone = useUser().phone !== null;
  const last = delivery.exceptions.at(-1);
  if (isLost(delivery))
    return (
      <section className={`${styles.news} ${styles.bad}`} aria-label="Laundry lost">
        <h2>The laundry is reported as lost</h2>
        <p>{lostText(delivery, role, hasPhone)}</p>
      </section>
    );
  const why = describeReason(last?.reason ?? null);
  const isOwn = role === 'Duber';
  return (
    <section className={`${styles.news} ${styles.bad}`} aria-label="What happened">
      <h2>{describeException(last?.action ?? 'pickup-failed')}</h2>
      {why && <p>{`${isOwn ? 'You' : nameOf(delivery)} said: “${why}.”`}</p>}
      {delivery.hasLaundry ? <p>{onBoardText(delivery, isOwn, now)}</p> : <Choices delivery={delivery} role={role} />}
    </section>
  );
}

function Returned({ delivery, role }: { delivery: Delivery; role: Role }) {
  return (
    <section className={`${styles.news} ${styles.bad}`} aria-label="What happened">
      <h2>The laundry was brought back</h2>
      <Choices delivery={delivery} role={role} />
    </section>
  );
}

function Choices({ delivery, role }: { delivery: Delivery; role: Role }) {
  const step = useDeliveryException(delivery.id);
  // The first time is free; after that only the town can offer it again.
  if (delivery.reOffers) return <p>It did not work out twice. We will get in touch about the next try.</p>;
  if (role !== 'Bud') return <p>{otherChooses(role)}</p>;
  return (
    <>
      <p>Should we ask another Duber? It costs you nothing this time.</p>
      <Button
        className={styles.choice ?? ''}
        loading={step.isPending}
        {...getSinglePressProps(() => step.mutate({ action: 're-offer' }))}
      >
        Try Again
      </Button>
    </>
  );
}
