import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { isOpenStatus } from '../../../domain/orders.ts';
import { hasBagMoved } from '../../../domain/process/holder.ts';
import { Fold } from '../../ui/Fold.tsx';
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
const MoveWindow = lazyPart('The form', async () => (await import('./MoveWindow.tsx')).MoveWindow);
const ProposeWindow = lazyPart('The form', async () => (await import('./ProposeWindow.tsx')).ProposeWindow, {
  failure: 'toast',
});
const ProposalCard = lazyPart('The proposal', async () => (await import('./ProposalCard.tsx')).ProposalCard);
const ProposalWaits = lazyPart('The proposal', async () => (await import('./ProposalCard.tsx')).ProposalWaits);
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

/** Lets a Scrub ask for another time, or says what they have asked. */
export function ProposeTime({ order }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false);
  const { times, proposal, status } = order;
  if (proposal) return <ProposalWaits order={order} />;
  if (!times || !isOpenStatus(status) || isGivenBack(order)) return null;
  return (
    <p className={cards.out}>
      <span className="quiet">If you can't at the agreed time, ask for another one.</span>
      <Button variant="subtle" onClick={() => setIsOpen(true)} aria-haspopup="dialog">
        Propose another time
      </Button>
      {isOpen && <ProposeWindow order={order} onClose={() => setIsOpen(false)} />}
    </p>
  );
}

/** Lets a Bud change the agreed windows of an order. Folded: the form is loaded, and asks for the times, once it is open. */
export function MoveTime({ order }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false);
  if (!order.times || !isOpenStatus(order.status) || isGivenBack(order)) return null;
  return (
    <Fold title="Change the time" looks="row" isOpen={isOpen} onToggle={setIsOpen}>
      {isOpen && <MoveWindow order={order} times={order.times} />}
    </Fold>
  );
}

/** The time that somebody proposes to the Bud. */
export function Proposed({ order }: { order: Order }) {
  return order.proposal ? <ProposalCard order={order} /> : null;
}

/** What a Bud chooses when their Scrub gave the order back. */
export function GivenBack({ order, role }: { order: Order; role: 'Bud' | 'Scrub' }) {
  if (role !== 'Bud' || !isGivenBack(order)) return null;
  return <GivenBackCard order={order} />;
}
