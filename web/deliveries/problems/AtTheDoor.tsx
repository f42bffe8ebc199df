import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { LazyPhotoPicker } from '../../files/LazyPhotoPicker.tsx';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { EACH_SECOND_MS, useNow } from '../../hooks/useNow.ts';
import { readExactLocation } from '../../places/geolocation.ts';
import { failureOf } from '../../ui/errorMessage.ts';
import { waitLeftMs } from '../problemSteps.ts';
import { useIsArrivalWaiting } from '../queuedSteps/usePlannedDelivery.ts';
import { Countdown } from './Countdown.tsx';
import styles from './ProblemSheet.module.css';
import { useDeliveryException } from './useDeliveryException.ts';

/** Notifies the other side that the Duber is at the door, and counts the minutes that they wait. */
export function AtTheDoor({ delivery }: { delivery: Delivery }) {
  const now = useNow(true, EACH_SECOND_MS);
  const left = waitLeftMs(delivery, now);
  const isArrivalWaiting = useIsArrivalWaiting(delivery.id);
  return (
    <section className={styles.door} aria-label="At the door">
      {left === undefined && <SayArrived delivery={delivery} />}
      {left !== undefined && left > 0 && (
        <p>
          {isArrivalWaiting ? 'Not sent yet: your phone tells them as soon as it can.' : 'They know that you are here.'}{' '}
          Please wait <Countdown ms={left} />
        </p>
      )}
      {left === 0 && <p>{hasWaitedText(delivery)}</p>}
    </section>
  );
}

/** Which of the buttons below is the way on. */
const hasWaitedText = ({ status }: Pick<Delivery, 'status'>) =>
  `You have waited five minutes. If nobody comes, tap “${status === 'Way_To_Pick' ? 'I cannot collect it' : 'I cannot hand it over'}”.`;

const PHOTO_HINTS = {
  unknown: 'Your phone has no location. A photo of the door is enough.',
  vague: 'Your phone knows only roughly where you are. A photo of the door is enough.',
  'too-far': 'Your phone seems to be further away. If you are there, take a photo of the door.',
} as const;

type AskedPhoto = { readonly why: keyof typeof PHOTO_HINTS; readonly times: number };

/** Why a photo is needed. Each further press without one leads here, because nothing else would change. */
function PhotoHint({ why, times }: AskedPhoto) {
  const hint = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (times > 1) hint.current?.focus();
  }, [times]);
  return (
    <p ref={hint} role="status" tabIndex={-1}>
      {times > 1 && <strong>Please take a photo of the door first. </strong>}
      {PHOTO_HINTS[why]}
    </p>
  );
}

/** By the place of the phone; where that is not known or not near, with a photo. */
function SayArrived({ delivery }: { delivery: Delivery }) {
  const step = useDeliveryException(delivery.id);
  const [isLooking, setIsLooking] = useState(false);
  const [photo, setPhoto] = useState<AskedPhoto>();
  const askForPhoto = (why: keyof typeof PHOTO_HINTS) =>
    setPhoto((before) => ({ why, times: (before?.times ?? 0) + 1 }));
  const [fileIds, setFileIds] = useState<readonly string[]>([]);
  const action = delivery.status === 'Way_To_Pick' ? 'arrived-at-pickup' : 'arrived-at-drop';
  const arrive = async () => {
    if (fileIds.length > 0) return step.mutate({ action, fileIds });
    setIsLooking(true);
    const place = await readExactLocation(10_000, 15_000);
    setIsLooking(false);
    if (typeof place === 'string') return askForPhoto(place === 'vague' ? 'vague' : 'unknown');
    step.mutate({ action, place }, { onError: (error) => isTooFar(error) && askForPhoto('too-far') });
  };
  return (
    <>
      <p>Nobody opens? Let them know that you are here. They have five minutes.</p>
      {photo && (
        <>
          <PhotoHint key={photo.times} {...photo} />
          <LazyPhotoPicker value={fileIds} onChange={setFileIds} max={1} label="Photo of the door" canWait />
        </>
      )}
      <Button size="lg" fullWidth loading={isLooking || step.isPending} {...getSinglePressProps(() => void arrive())}>
        I am at the door
      </Button>
    </>
  );
}

const isTooFar = (error: unknown) => failureOf(error) === 'notAtThePlace';
