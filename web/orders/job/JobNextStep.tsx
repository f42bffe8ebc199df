import { Button } from '@mantine/core';
import { useId } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { isAtScrub } from '../../../domain/process/holder.ts';
import { useConfig } from '../../api/config.ts';
import { useCustody } from '../../handovers/useCustody.ts';
import { getSinglePressProps } from '../../hooks/singlePress.ts';
import { ActionBar } from '../../ui/ActionBar.tsx';
import { isSentBack, WEIGHING_ID } from '../../weighing/useWeighing.ts';
import { BLOCK_HINTS, completionWaitsFor, hintFor } from '../stepHints.ts';
import { STEP_TEXTS } from '../steps.ts';
import { useJobStep } from './useJobStep.ts';

/** A job can be started before its laundry is there, but nobody should be led to it. */
const isTooEarly = (order: Order): boolean =>
  order.status === 'Accepted' && !order.selfDelivery && !isAtScrub(order) && !isSentBack(order);

/** The next step of a job in the bottom bar, with the way to end the job next to it; nothing when there is no next step. */
export function JobNextStep({ order }: { order: Order }) {
  const { next, ending, block, wait, take, isTaking } = useJobStep(order);
  const config = useConfig();
  const isBeingDone = order.status === 'In_Progress';
  const { data: custody } = useCustody(order, isBeingDone);
  const hint = useId();
  if (next === undefined) return null;
  if (block) return <ActionBar hint={BLOCK_HINTS[block]}>{block === 'weigh-first' && <WeighButton />}</ActionBar>;
  const missing = isBeingDone ? completionWaitsFor(order, config, custody?.holder.role) : undefined;
  return (
    <ActionBar
      hint={<span id={hint}>{wait ?? missing ?? hintFor(next, order)}</span>}
      secondary={ending.map((action) => (
        <Button key={action} variant="subtle" color="red" {...getSinglePressProps(() => take(action))}>
          {STEP_TEXTS[action].button}
        </Button>
      ))}
    >
      {/* It can always have the focus, so that it keeps it for the next step. */}
      <Button
        size="lg"
        variant={isTooEarly(order) ? 'default' : 'filled'}
        aria-busy={isTaking}
        aria-describedby={wait && hint}
        aria-disabled={wait !== undefined || undefined}
        data-disabled={wait !== undefined}
        {...getSinglePressProps(() => wait === undefined && take(next))}
      >
        {STEP_TEXTS[next].button}
      </Button>
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
