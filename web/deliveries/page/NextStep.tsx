import { Button } from '@mantine/core';
import type { Delivery } from '../../../contract/deliveries.ts';
import { useUser } from '../../accounts/session.ts';
import { ActionBar } from '../../parts/ActionBar.tsx';
import { once } from '../../parts/once.ts';
import { nextAction, STEP_TEXTS } from '../steps.ts';
import { useDeliveryStep } from '../useDelivery.ts';
import styles from './NextStep.module.css';

/** The Duber's one button: the row of the workflow that is open to them now. */
export function NextStep({ delivery }: { delivery: Delivery }) {
  const user = useUser();
  const { take, isTaking } = useDeliveryStep(delivery.id, user.id);
  const action = nextAction(delivery, user.id);
  if (!action) return null;
  return (
    <div className={styles.frame}>
      <ActionBar hint={STEP_TEXTS[action].hint}>
        {/* Never disabled, so that the focus stays for the next step. */}
        <Button size="lg" className={styles.step ?? ''} aria-busy={isTaking} {...once(() => take(action))}>
          {STEP_TEXTS[action].button}
        </Button>
      </ActionBar>
    </div>
  );
}
