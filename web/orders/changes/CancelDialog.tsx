import { useQuery } from '@tanstack/react-query';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Order } from '../../../contract/orders.ts';
import { api } from '../../api/client.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatMoney } from '../../ui/format.ts';
import { type ReasonAnswer, ReasonForm } from '../../ui/ReasonForm.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { reasonsFor } from '../orderChanges.ts';
import { cancellingCost } from '../refund.ts';
import { useOrderException } from './useOrderException.ts';

/** Says what cancelling costs now, then asks why. */
export function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const cancellation = useQuery({
    queryKey: ['orders', 'cancellation', order.id],
    queryFn: ({ signal }) => api.readCancellation({ params: { id: order.id } }, { signal }),
    // A Duber may have set out since.
    staleTime: 0,
  });
  const step = useOrderException(order.id);
  const cancel = (answer: ReasonAnswer, fee: number) =>
    step.mutate(
      { action: 'cancel-accepted', ...answer, fee },
      { onSuccess: onClose, onError: () => void cancellation.refetch() },
    );
  return (
    <Dialog opened onClose={onClose} title="Cancel this order?">
      {cancellation.isError && (
        <QueryError
          query={cancellation}
          level={3}
          title="We could not load what it costs"
          text="Nothing has changed."
        />
      )}
      {cancellation.isPending && <Skeleton width="70%" />}
      {cancellation.data && !cancellation.data.isPossible && <p>{cancellation.data.why}.</p>}
      {cancellation.data?.isPossible && (
        <ReasonForm
          legend="Why are you cancelling?"
          reasons={reasonsFor('cancel-accepted')}
          button={cancellation.data.fee === 0 ? 'Cancel Order' : `Cancel for ${formatMoney(cancellation.data.fee)}`}
          isPending={step.isPending || cancellation.isFetching}
          error={hasBecomeDearer(step.error) ? 'A Duber has set out since. Please look at the new amount.' : undefined}
          onSubmit={(answer) => cancel(answer, cancellation.data.fee)}
        >
          <p>{cancellingCost(cancellation.data, order)}</p>
        </ReasonForm>
      )}
    </Dialog>
  );
}

const hasBecomeDearer = (error: unknown) => error instanceof CallFailed && error.code === 'costsMore';
