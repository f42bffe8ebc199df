import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import type { DeliveryAction } from '../../../domain/deliveries.ts';
import { useConfig } from '../../api/config.ts';
import { currentTime } from '../../clock.ts';
import type { ProofAction } from '../../handovers/proof.ts';
import { isRelaySender } from '../../handovers/relay.ts';
import { useDoorNote } from '../../handovers/useDubersCustody.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { useDistance } from '../../places/useDistance.ts';
import { useUser } from '../../session/session.ts';
import { ActionBar } from '../../ui/ActionBar.tsx';
import { formatMoney } from '../../ui/format.ts';
import { deliveryPath } from '../paths.ts';
import { isLeftToOthers } from '../problemSteps.ts';
import { useBlockingDelivery } from '../queuedSteps/busyWith.ts';
import type { QueuedStep } from '../queuedSteps/queuedStepStore.ts';
import type { useDeliveryStep } from '../queuedSteps/useDelivery.ts';
import { nextAction, proofActionOf, STEP_TEXTS } from '../steps.ts';
import { isForLater } from '../windows.ts';
import styles from './NextStep.module.css';

const RELAY_SENDER_HINT = 'If you can continue, accept the delivery again once the other Dubers have had 30 minutes.';

/** What to do now, and in the bottom bar also that steps are queued, because their card may be off screen. */
function Hint({ action, waiting, isForSender }: HintProps) {
  const count = waiting.length;
  return (
    <>
      {count > 0 && `${count} ${count === 1 ? 'step is' : 'steps are'} waiting to be sent. `}
      {isForSender ? RELAY_SENDER_HINT : <span className={styles.about}>{STEP_TEXTS[action].hint}</span>}
    </>
  );
}
type HintProps = { action: DeliveryAction; waiting: readonly QueuedStep[]; isForSender: boolean };

/** Why an offer cannot be accepted now. */
function Busy({ with: id }: { with: string }) {
  return (
    <>
      You already have <Link to={deliveryPath('Duber', id)}>an active delivery</Link>. Finish it first.
    </>
  );
}

type NextStepProps = {
  /** As it will be once what waits is sent. */
  delivery: DeliveryDetails;
  waiting: readonly QueuedStep[];
  step: ReturnType<typeof useDeliveryStep>;
  onProve: (action: ProofAction) => void;
  place?: 'page' | 'card';
};

/** The Duber's only button: the workflow row that is open now. Where the town asks for a proof, it opens the sheet for one. */
export function NextStep({ delivery, waiting, step: { take, isTaking }, onProve, place = 'page' }: NextStepProps) {
  const user = useUser();
  const action = nextAction(delivery, user.id);
  const proofAction = proofActionOf(delivery, user.id);
  const note = useDoorNote(delivery, user.id);
  const known = useBlockingDelivery(delivery.id, user.id);
  const format = useDistance();
  const proving = useConfig()?.asksProof ? proofAction : undefined;
  if (!action) return null;
  if (isLeftToOthers(delivery, currentTime()))
    return <p className="quiet">You gave this delivery to others. They come first for 30 minutes.</p>;
  const now = currentTime();
  const isSettingOff = action === 'way-to-pickup' || (action === 'accept-delivery' && !isForLater(delivery, now));
  const busyWith = isSettingOff ? known : undefined;
  return (
    <div className={styles.frame}>
      <ActionBar
        place={place}
        hint={
          <>
            {action === 'accept-delivery' && (
              <span className={styles.offer}>
                <strong className="tabular">{formatMoney(delivery.price)}</strong>
                {format(delivery.distanceInMeters)}
              </span>
            )}
            {busyWith === undefined ? (
              <Hint action={action} waiting={waiting} isForSender={isRelaySender(delivery, user.id)} />
            ) : (
              <Busy with={busyWith} />
            )}{' '}
            {note}
          </>
        }
      >
        {/* Never disabled, so that it keeps the focus for the next step. */}
        <Button
          size="lg"
          className={styles.step ?? ''}
          aria-busy={isTaking}
          aria-disabled={busyWith !== undefined || undefined}
          data-disabled={busyWith !== undefined}
          aria-haspopup={proving && 'dialog'}
          {...getSinglePressProps(() => (proving ? onProve(proving) : busyWith === undefined && take(action)))}
        >
          {STEP_TEXTS[action].button}
        </Button>
      </ActionBar>
    </div>
  );
}
