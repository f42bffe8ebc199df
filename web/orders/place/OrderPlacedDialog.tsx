import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { WindowKind } from '../../../domain/windows.ts';
import { answerTimes, chargeTimeText } from '../../../texts/orders.ts';
import { formatWindowSoon, insideSentence, toWindow } from '../../../texts/windows.ts';
import { useConfig } from '../../api/config.ts';
import { currentTime } from '../../clock.ts';
import { Celebration } from '../../ui/Celebration.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from './OrderPlacedDialog.module.css';
import type { OrderDraft } from './orderDraft.ts';
import { chosenOf, isChargedBeforeWeighing } from './times.ts';

type OrderPlacedDialogProps = {
  /** The order that was placed, if one was. */
  readonly orderId: string | undefined;
  readonly draft: OrderDraft;
  /** Whether the laundry is weighed before the card is charged. */
  readonly isWeighed: boolean;
};

/** spec 2.7: thanks, then what happens next, and the ways on. */
export function OrderPlacedDialog({ orderId, draft, isWeighed }: OrderPlacedDialogProps) {
  const navigate = useNavigate();
  const { timeZone = 'UTC' } = useConfig() ?? {};
  const leave = () => navigate('/bud/orders', { replace: true });
  const track = () => navigate(`/bud/orders/${orderId}`, { replace: true });
  return (
    <Dialog opened={orderId !== undefined} onClose={leave} title="Thanks for your order!" size="sm">
      <div className={styles.picture}>
        <Celebration />
      </div>
      <p>You will see the order in your dashboard once we confirm your payment</p>
      <h3 className={styles.next}>What happens next</h3>
      <ol className={styles.steps}>
        {nextStepsOf(draft, isWeighed, timeZone).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div className={styles.buttons}>
        <Button fullWidth onClick={track}>
          Track order
        </Button>
        <Button fullWidth variant="default" onClick={leave}>
          My Orders
        </Button>
      </div>
    </Dialog>
  );
}

/** The way of an order that was just placed, in the Bud's words. */
function nextStepsOf(draft: OrderDraft, isWeighed: boolean, timeZone: string): string[] {
  const { scrub, selfDelivery, selfPickup } = draft;
  const times = chosenOf(draft.times);
  const when = (kind: WindowKind) =>
    times ? `: ${insideSentence(formatWindowSoon(toWindow(times[kind]), timeZone, currentTime()))}` : '';
  const name = scrub?.fullname ?? 'Your Scrub';
  return [
    `${name} answers ${answerTimes(draft).until}.${isWeighed ? '' : ' Your card is only charged if they accept.'}`,
    `${selfDelivery ? `You bring your laundry to ${name}` : 'A Duber picks up your laundry at your door'}${when('pickup')}.`,
    ...(isWeighed
      ? [
          isChargedBeforeWeighing(draft.times, currentTime())
            ? chargeTimeText(true)
            : `${name} weighs it. Your card is only charged then, for what it weighs.`,
        ]
      : []),
    `${selfPickup ? 'You pick it up again' : 'It comes back to your door'}, clean and folded${when('return')}.`,
  ];
}
