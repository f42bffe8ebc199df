import { Button } from '@mantine/core';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_FLOW, type OrderAction } from '../../../domain/orders.ts';
import { findTransitions } from '../../../domain/workflow.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { ActionBar } from '../../ui/ActionBar.tsx';
import { formatMoney } from '../../ui/format.ts';
import { givenBackAt, isGivenBackBy } from '../changes/orderChanges.ts';
import { STEP_TEXTS } from '../steps.ts';
import { useOrderStep } from '../useOrder.ts';
import { isSentBack, isWeighed, useWeighing, WEIGHING_ID, weighingBlockOf } from '../weighing/useWeighing.ts';
import styles from './Card.module.css';
import { isLaundryAwaited } from './statusText.ts';

/** What each step does, shown above its button. */
const STEP_HINTS = {
  'cancel-order': (order) =>
    givenBackAt(order)
      ? `You can also cancel${order.ceilingSize ? ' and pay nothing.' : '. You get everything back.'}`
      : 'You can cancel until your Scrub answers.',
  'accept-order': (order) => {
    const weighed = order.ceilingSize ? ' You weigh it before the card is charged.' : '';
    if (order.selfDelivery && weighed) return `The customer then brings you the laundry.${weighed}`;
    if (weighed) return `Accepting calls a Duber to bring you the laundry.${weighed}`;
    return order.selfDelivery
      ? 'Accepting charges the card. The customer then brings you the laundry.'
      : 'Accepting charges the card and calls a Duber to bring you the laundry.';
  },
  'reject-order': () => 'Rejecting releases the hold on the card.',
  'start-order': (order) => {
    if (isSentBack(order)) return 'Start and complete the job to send the laundry home. Please do not wash it.';
    return isLaundryAwaited(order)
      ? 'The laundry has not arrived yet. You can start anyway.'
      : 'Lets the customer know you have started.';
  },
  'complete-order': (order) => {
    const way = order.selfPickup
      ? 'tells the customer to pick up the laundry'
      : 'calls a Duber to take the laundry back';
    return isSentBack(order) ? `Ends the job and ${way}.` : `Earns you ${formatMoney(order.scrubEarning)} and ${way}.`;
  },
} as const satisfies Record<OrderAction, (order: Order) => string>;

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
  const [first] = onward;
  if (first === undefined) return null;
  const block = isWeighed(order) && role === 'Scrub' ? weighingBlockOf(first, weighing) : undefined;
  if (block) return <ActionBar hint={BLOCK_HINTS[block]}>{block === 'weigh-first' && <WeighButton />}</ActionBar>;
  return (
    <ActionBar
      hint={STEP_HINTS[first](order)}
      secondary={ending.map((action) => <EndOrderButton key={action} action={action} take={take} />)}
    >
      {onward.map((action, index) => (
        // The key is the position and the button is never disabled, so that it keeps the focus for the next step.
        <Button key={index} size="lg" aria-busy={isTaking} {...getSinglePressProps(() => take(action))}>
          {STEP_TEXTS[action].button}
        </Button>
      ))}
    </ActionBar>
  );
}

/** Why an order that is weighed cannot go on yet. */
const BLOCK_HINTS = {
  unknown: 'You can complete the job once its weight has loaded.',
  'weigh-first': 'Weigh the laundry before you complete the job.',
  asked: 'The laundry is heavier than agreed. The customer is asked what to do.',
} as const;

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
      <span className="quiet">{STEP_HINTS[action](order)}</span>
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
