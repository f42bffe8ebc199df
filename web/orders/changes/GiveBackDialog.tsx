import type { Order } from '../../../contract/orders.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { giveBackText, reasonsFor } from '../orderChanges.ts';
import { useOrderException } from './useOrderException.ts';

/** A Scrub who cannot do an accepted job says why. */
export function GiveBackDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const step = useOrderException(order.id);
  return (
    <Dialog opened onClose={onClose} title="Give this job back?">
      <ReasonForm
        legend="Why can't you do it?"
        reasons={reasonsFor('give-back')}
        button="Give It Back"
        isPending={step.isPending}
        onSubmit={(answer) => step.mutate({ action: 'give-back', ...answer }, { onSuccess: onClose })}
      >
        <p className="quiet">{giveBackText(order)}</p>
      </ReasonForm>
    </Dialog>
  );
}
