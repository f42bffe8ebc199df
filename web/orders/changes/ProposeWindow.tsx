import { useState } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { firstNameOf } from '../../ui/format.ts';
import { ReasonForm } from '../../ui/ReasonForm.tsx';
import { reasonsFor } from '../orderChanges.ts';
import { useOrderException } from './useOrderException.ts';
import { WindowForm } from './WindowForm.tsx';

/** A Scrub who cannot at the agreed time asks for another one. */
export function ProposeWindow({ order, onClose }: { order: Order; onClose: () => void }) {
  const step = useOrderException(order.id);
  const [isMissing, setMissing] = useState(false);
  const { times } = order;
  if (!times) return null;
  const name = firstNameOf(order.bud.fullname);
  return (
    <Dialog opened onClose={onClose} title="Propose another time?">
      <WindowForm orderId={order.id} times={times}>
        {(chosen) => (
          <ReasonForm
            legend="Why can't you at the agreed time?"
            reasons={reasonsFor('propose-window')}
            button={`Ask ${name}`}
            isDestructive={false}
            isPending={step.isPending}
            error={isMissing && !chosen ? 'Choose another time first.' : undefined}
            onSubmit={(answer) =>
              chosen
                ? step.mutate({ action: 'propose-window', ...chosen, ...answer }, { onSuccess: onClose })
                : setMissing(true)
            }
          >
            <p className="quiet">Until {name} answers, the agreed time stays.</p>
          </ReasonForm>
        )}
      </WindowForm>
    </Dialog>
  );
}
