import { Button } from '@mantine/core';
import { useRef } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { isOnTheWay } from '../../../domain/positions.ts';
import { useFocusMainOnUnmount } from '../../hooks/focusMain.ts';
import { useUser } from '../../session/session.ts';
import { declinePositionPrompt, useConsent, useHasDeclined } from './consent.ts';
import styles from './PositionPrompt.module.css';
import { giveConsent } from './sharing.ts';

/** Asks a Duber who has just set out, once per delivery, whether the others may see them coming. */
export function PositionPrompt({ delivery }: { delivery: Delivery }) {
  const { id: userId } = useUser();
  const isAgreed = useConsent(userId);
  const hasDeclined = useHasDeclined(userId, delivery.id);
  const isOpen = isOnTheWay(delivery.status) && !isAgreed && !hasDeclined;
  if (!isOpen || !('geolocation' in navigator)) return null;
  return (
    <Question
      onAgree={() => void giveConsent(userId, delivery.id)}
      onDecline={() => declinePositionPrompt(userId, delivery.id)}
    />
  );
}

function Question({ onAgree, onDecline }: { onAgree: () => void; onDecline: () => void }) {
  const card = useRef<HTMLElement>(null);
  useFocusMainOnUnmount(card);
  return (
    <section ref={card} className={`card ${styles.card}`} aria-label="Let them see you coming?">
      <h2>Let them see you coming?</h2>
      <p className="quiet">Share your location until you have delivered. You can stop at any time.</p>
      <div className="buttons">
        <Button onClick={onAgree}>Share My Location</Button>
        <Button variant="subtle" onClick={onDecline}>
          Not Now
        </Button>
      </div>
    </section>
  );
}
