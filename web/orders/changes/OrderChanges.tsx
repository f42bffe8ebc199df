import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { hasBagMoved } from '../../../domain/process/holder.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import cards from '../Card.module.css';
import { isBroughtByBud } from '../laundryWay.ts';
import { isGivenBack, leaveHint } from '../orderChanges.ts';

const CancelDialog = lazyPart('The form', async () => (await import('./CancelDialog.tsx')).CancelDialog, {
  failure: 'toast',
});
const GiveBackDialog = lazyPart('The form', async () => (await import('./GiveBackDialog.tsx')).GiveBackDialog, {
  failure: 'toast',
});
const GivenBackCard = lazyPart('The choices', async () => (await import('./GivenBackCard.tsx')).GivenBackCard);

const TEXTS = {
  Bud: { button: 'Cancel this order', Dialog: CancelDialog },
  Scrub: { button: "I can't do it", Dialog: GiveBackDialog },
} as const;

/** Lets a Bud cancel, or a Scrub give back, an accepted order before the laundry has moved. */
export function LeaveOrder({ order, role }: { order: Order; role: 'Bud' | 'Scrub' }) {
  const [isOpen, setIsOpen] = useState(false);
  if (order.status !== 'Accepted' || hasBagMoved(order)) return null;
  const { button, Dialog } = TEXTS[role];
  return (
    <p className={cards.out}>
      <span className="quiet">{leaveHint(role, isBroughtByBud(order))}</span>
      <Button variant="subtle" color="red" onClick={() => setIsOpen(true)} aria-haspopup="dialog">
        {button}
      </Button>
      {isOpen && <Dialog order={order} onClose={() => setIsOpen(false)} />}
    </p>
  );
}

/** What a Bud chooses when their Scrub gave the order back. */
export function GivenBack({ order, role }: { order: Order; role: 'Bud' | 'Scrub' }) {
  if (role !== 'Bud' || !isGivenBack(order)) return null;
  return <GivenBackCard order={order} />;
}
