import { Button } from '@mantine/core';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_FLOW } from '../../../domain/process/order.ts';
import { findTransitions } from '../../../domain/workflow.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import styles from '../Card.module.css';
import { hintFor } from '../stepHints.ts';
import { STEP_TEXTS } from '../steps.ts';
import { useOrderStep } from '../useOrder.ts';

/** Ends the order, for a Bud, who has no other step. */
export function EndOrderActions({ order }: { order: Order }) {
  const { take } = useOrderStep(order.id);
  return findTransitions(ORDER_FLOW, order.status, 'Bud').map(({ action }) => (
    <p key={action} className={styles.out}>
      <span className="quiet">{hintFor(action, order)}</span>
      <Button variant="subtle" color="red" {...getSinglePressProps(() => take(action))}>
        {STEP_TEXTS[action].button}
      </Button>
    </p>
  ));
}
