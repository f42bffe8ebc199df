import { Button } from '@mantine/core';
import type { MouseEvent } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { useUser } from '../../accounts/session.ts';
import { ActionBar } from '../../parts/ActionBar.tsx';
import { nextAction, STEP_TEXTS } from '../steps.ts';
import { useDeliveryStep } from '../useDelivery.ts';
import styles from './NextStep.module.css';

/** The Duber's one button: the row of the workflow that is open to them now. */
export function NextStep({ delivery }: { delivery: Delivery }) {
  const user = useUser();
  const { take, isTaking } = useDeliveryStep(delivery.id, user.id);
  const action = nextAction(delivery, user.id);
  if (!action) return null;
  const press = (event: MouseEvent) => {
    // The second tap of a double tap would land on the next step.
    if (event.detail <= 1) take(action);
  };
  return (
    <div className={styles.frame}>
      <ActionBar hint={STEP_TEXTS[action].hint}>
        <Button size="lg" className={styles.step ?? ''} loading={isTaking} onClick={press}>
          {STEP_TEXTS[action].button}
        </Button>
      </ActionBar>
    </div>
  );
}
