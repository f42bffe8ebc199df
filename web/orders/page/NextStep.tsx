import { Button } from '@mantine/core';
import { useId } from 'react';
import type { Order } from '../../../contract/orders.ts';
import type { OrderAction } from '../../../domain/orders.ts';
import { ORDER_FLOW } from '../../../domain/process/order.ts';
import { findTransitions } from '../../../domain/workflow.ts';
import { useConfig } from '../../api/config.ts';
import { useCustody } from '../../handovers/useCustody.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { ActionBar } from '../../ui/ActionBar.tsx';
import { isWeighed, useWeighing, WEIGHING_ID, weighingBlockOf } from '../../weighing/useWeighing.ts';
import styles from '../Card.module.css';
import { isGivenBackBy } from '../orderChanges.ts';
import { BLOCK_HINTS, completionWaitsFor, hintFor, startWaitsFor } from '../stepHints.ts';
import { STEP_TEXTS } from '../steps.ts';
import { useOrderStep } from '../useOrder.ts';

type NextStepProps = { order: Order; role: 'Bud' | 'Scrub' };

/** The workflow rows that are open to the viewer now: those that continue the order, and those that end it. */
function findAvailableSteps({ order, role }: NextStepProps) {
  // A Scrub who gave it back has nothing to answer.
  const open = isGivenBackBy(order, role)
    ? []
    : findTransitions(ORDER_FLOW, order.status, role).map((row) => row.action);
  return {
    onward: open.filter((action) => !STEP_TEXTS[action].isDestructive),
    ending: open.filter((action) => STEP_TEXTS[action].isDestructive),
  };
}

/** The next step in the bottom bar, with the way to end the order next to it; nothing when there is no next step. */
export function NextStep({ order, role }: NextStepProps) {
  const { take, isTaking } = useOrderStep(order.id);
  const { onward, ending } = findAvailableSteps({ order, role });
  const { data: weighing } = useWeighing(order);
  const config = useConfig();
  const isBeingDone = role === 'Scrub' && order.status === 'In_Progress';
  const { data: custody } = useCustody(order, isBeingDone);
  const hint = useId();
  const [first] = onward;
  if (first === undefined) return null;
  const block = isWeighed(order) && role === 'Scrub' ? weighingBlockOf(first, weighing) : undefined;
  if (block) return <ActionBar hint={BLOCK_HINTS[block]}>{block === 'weigh-first' && <WeighButton />}</ActionBar>;
  const wait = first === 'start-order' ? startWaitsFor(order, config) : undefined;
  const missing = isBeingDone ? completionWaitsFor(order, config, custody?.holder.role) : undefined;
  return (
    <ActionBar
      hint={<span id={hint}>{wait ?? missing ?? hintFor(first, order)}</span>}
      secondary={ending.map((action) => <EndOrderButton key={action} action={action} take={take} />)}
    >
      {onward.map((action, index) => (
        // The key is the position and the button can always have the focus, so that it keeps it for the next step.
        <Button
          key={index}
          size="lg"
          aria-busy={isTaking}
          aria-describedby={wait && hint}
          aria-disabled={wait !== undefined || undefined}
          data-disabled={wait !== undefined}
          {...getSinglePressProps(() => wait === undefined && take(action))}
        >
          {STEP_TEXTS[action].button}
        </Button>
      ))}
    </ActionBar>
  );
}

/** Leads to the card where the Scrub says what the laundry weighs. */
function WeighButton() {
  const show = () => {
    const place = document.getElementById(WEIGHING_ID);
    place?.scrollIntoView({ block: 'start' });
    (place?.querySelector<HTMLElement>('input') ?? place)?.focus({ preventScroll: true });
  };
  return (
    <Button size="lg" onClick={show}>
      Weigh the Laundry
    </Button>
  );
}

/** Ends the order, for a viewer who has no other step now. */
export function EndOrderActions({ order, role }: NextStepProps) {
  const { take } = useOrderStep(order.id);
  const { onward, ending } = findAvailableSteps({ order, role });
  if (onward.length > 0) return null;
  return ending.map((action) => (
    <p key={action} className={styles.out}>
      <span className="quiet">{hintFor(action, order)}</span>
      <EndOrderButton action={action} take={take} />
    </p>
  ));
}

function EndOrderButton({ action, take }: { action: OrderAction; take: (action: OrderAction) => void }) {
  return (
    <Button variant="subtle" color="red" {...getSinglePressProps(() => take(action))}>
      {STEP_TEXTS[action].button}
    </Button>
  );
}
