import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { DeliveryAction } from '../../../domain/deliveries.ts';
import { useUser } from '../../accounts/session.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { ActionBar } from '../../ui/ActionBar.tsx';
import { formatKm, formatMoney } from '../../ui/format.ts';
import { isLeftToOthers } from '../problems/problemSteps.ts';
import { type QueuedStep, type StepProof, useQueuedSteps } from '../queuedSteps/queuedStepStore.ts';
import { appendStep, nextAction, STEP_TEXTS, statusAfter } from '../steps.ts';
import { useDeliveryStep } from '../useDelivery.ts';
import styles from './NextStep.module.css';

const HandoverSheet = lazy(async () => ({
  default: (await import('../../handovers/HandoverSheet.tsx')).HandoverSheet,
}));

/** The delivery as it will be once all queued steps are sent. */
function applyQueuedSteps(delivery: Delivery, waiting: readonly QueuedStep[]): Delivery {
  return waiting
    .filter(({ problem }) => problem === undefined)
    .reduce((before, { action, takenAt, userId }) => {
      const step = { status: statusAfter(action), createdAt: takenAt, takenAt, deliveryId: delivery.id };
      return appendStep(before, step, userId);
    }, delivery);
}

/** What to do now, and in the bottom bar also that steps are queued, because their card may be off screen. */
function hintFor(action: DeliveryAction, waiting: readonly QueuedStep[]): string {
  const { hint } = STEP_TEXTS[action];
  const count = waiting.filter(({ problem }) => problem === undefined).length;
  return count === 0 ? hint : `${count} ${count === 1 ? 'step is' : 'steps are'} waiting to be sent. ${hint}`;
}

/** The Duber's only button: the workflow row that is open now. */
export function NextStep({ delivery }: { delivery: Delivery }) {
  const user = useUser();
  const { take, isTaking } = useDeliveryStep(delivery.id, user.id);
  const waiting = useQueuedSteps(user.id, delivery.id);
  const action = nextAction(applyQueuedSteps(delivery, waiting), user.id);
  if (!action) return null;
  if (isLeftToOthers(delivery, new Date()))
    return <p className="quiet">You gave this delivery to others. They come first for 30 minutes.</p>;
  return (
    <div className={styles.frame}>
      <ActionBar
        hint={
          <>
            {action === 'accept-delivery' && (
              <span className={styles.offer}>
                <strong className="money">{formatMoney(delivery.price)}</strong>
                {formatKm(delivery.distanceInMeters)}
              </span>
            )}
            {hintFor(action, waiting)}
          </>
        }
      >
        {/* Never disabled, so that it keeps the focus for the next step. */}
        <Button
          size="lg"
          className={styles.step ?? ''}
          aria-busy={isTaking}
          {...getSinglePressProps(() => take(action))}
        >
          {STEP_TEXTS[action].button}
        </Button>
        {(action === 'collected' || action === 'delivered') && (
          <ProofButton key={action} action={action} onProve={(proof) => take(action, proof)} />
        )}
      </ActionBar>
    </div>
  );
}

type ProofButtonProps = { action: 'collected' | 'delivered'; onProve: (proof: StepProof) => void };

/** Takes the step with a proof of it. */
function ProofButton({ action, onProve }: ProofButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  // Closed by mistake, it keeps what was typed.
  const [wasOpened, setWasOpened] = useState(false);
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <>
      <Button size="lg" variant="default" onClick={open}>
        {action === 'collected' ? 'With tags' : 'With PIN'}
      </Button>
      <Suspense>
        {wasOpened && (
          <HandoverSheet action={action} opened={isOpen} onClose={() => setIsOpen(false)} onProve={onProve} />
        )}
      </Suspense>
    </>
  );
}
