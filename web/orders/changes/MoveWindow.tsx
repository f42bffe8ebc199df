import { Button } from '@mantine/core';
import type { Order } from '../../../contract/orders.ts';
import type { OrderTimes } from '../../../contract/windows.ts';
import { useOrderException } from './useOrderException.ts';
import { WindowForm } from './WindowForm.tsx';

/** Moves the order of a Bud, who is free to until two hours before. */
export function MoveWindow({ order: { id }, times }: { order: Order; times: OrderTimes }) {
  const step = useOrderException(id);
  return (
    // Its key starts the form again once the order has other times.
    <WindowForm key={`${times.pickup.from} ${times.return.from}`} orderId={id} times={times}>
      {(chosen, isSlow) => (
        <>
          <p className="quiet">
            {isSlow ? 'The price stays, although your laundry comes back later than you pay for.' : 'The price stays.'}
          </p>
          <Button
            fullWidth
            disabled={!chosen}
            loading={step.isPending}
            onClick={() => chosen && step.mutate({ action: 'move-window', ...chosen })}
          >
            Change the Time
          </Button>
        </>
      )}
    </WindowForm>
  );
}
