import { Button } from '@mantine/core';
import type { MouseEvent } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_FLOW, type OrderAction } from '../../../domain/orders.ts';
import { openTo } from '../../../domain/workflow.ts';
import { ActionBar } from '../../parts/ActionBar.tsx';
import { formatMoney } from '../../parts/format.ts';
import { STEP_TEXTS } from '../steps.ts';
import { useOrderStep } from '../useOrder.ts';
import { isLaundryAwaited } from './now.ts';

/** What each step will do, in the line above its button. */
const HINTS = {
  'cancel-order': () => 'You can cancel until the Scrub has answered.',
  'accept-order': (order) =>
    order.selfDelivery
      ? 'Accepting charges the card. The customer then brings the laundry to you.'
      : 'Accepting charges the card and calls a Duber to bring you the laundry.',
  'reject-order': () => 'Rejecting releases the hold on the card.',
  'start-order': (order) =>
    isLaundryAwaited(order)
      ? 'The laundry has not arrived yet. You can start all the same.'
      : 'Tells the customer that you have begun.',
  'complete-order': (order) =>
    order.selfPickup
      ? `Earns you ${formatMoney(order.scrubEarning)} and tells the customer to fetch the laundry.`
      : `Earns you ${formatMoney(order.scrubEarning)} and calls a Duber to take the laundry back.`,
} as const satisfies Record<OrderAction, (order: Order) => string>;

/** The steps that are open to the reader now, from the rows of the workflow; nothing when there are none. */
export function NextStep({ order, role }: { order: Order; role: 'Bud' | 'Scrub' }) {
  const { take, isTaking } = useOrderStep(order.id);
  const open = openTo(ORDER_FLOW, order.status, role).map((row) => row.action);
  const onward = open.filter((action) => !STEP_TEXTS[action].isDestructive);
  const ending = open.filter((action) => STEP_TEXTS[action].isDestructive);
  const first = onward[0] ?? ending[0];
  if (first === undefined) return null;
  const press = (action: OrderAction) => (event: MouseEvent) => {
    // The second tap of a double tap would land on the next step.
    if (event.detail <= 1) take(action);
  };
  return (
    <ActionBar
      hint={HINTS[first](order)}
      aside={ending.map((action) => (
        <Button key={action} variant="subtle" color="red" disabled={isTaking} onClick={press(action)}>
          {STEP_TEXTS[action].button}
        </Button>
      ))}
    >
      {onward.map((action, index) => (
        // The place is the key: the focus stays where the next step's button appears.
        <Button key={index} size="lg" loading={isTaking} onClick={press(action)}>
          {STEP_TEXTS[action].button}
        </Button>
      ))}
    </ActionBar>
  );
}
