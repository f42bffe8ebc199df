import { Button } from '@mantine/core';
import type { Price } from '../../../contract/payments.ts';
import type { Address } from '../../../contract/places.ts';
import { useUser } from '../../accounts/session.ts';
import { CardForm } from '../../payments/CardForm.tsx';
import { billingContactOf } from '../../payments/tokenize.ts';
import styles from './CheckoutStep.module.css';
import type { OrderDraft } from './orderDraft.ts';
import { type Refusal, toOrderBody, usePlaceOrder } from './usePlaceOrder.ts';

/** Step 4: the card, and then the order. */
export function CheckoutStep({
  draft,
  address,
  price,
  onPlaced,
  onOtherScrub,
}: {
  draft: OrderDraft;
  address: Address | undefined;
  /** The price of exactly this order; without it, paying is not possible. */
  price: Price | undefined;
  onPlaced: (orderId: string) => void;
  onOtherScrub: () => void;
}) {
  const user = useUser();
  const { place, refusal } = usePlaceOrder(user.id, onPlaced);
  const order = toOrderBody(draft);
  return (
    <>
      <p className={styles.line}>
        We hold the total on your card now and charge it if {draft.scrub?.fullname ?? 'the Scrub'} accepts. Without an
        answer within 24 hours, the order is cancelled and the hold is released.
      </p>
      <CardForm
        total={price?.totalPrice}
        billing={billingContactOf(user, address?.address)}
        onToken={async (token) => {
          if (order) await place({ ...order, ...token });
        }}
      >
        {refusal && <RefusalAlert refusal={refusal} onOtherScrub={onOtherScrub} />}
      </CardForm>
    </>
  );
}

const REFUSAL_TEXTS = {
  refused: 'Your order was not placed. Your card was not charged.',
  uncertain:
    'We could not confirm that your order went through. It is safe to pay again: you will not be charged twice for the same order.',
} as const satisfies Record<Refusal['kind'], string>;

function RefusalAlert({ refusal, onOtherScrub }: { refusal: Refusal; onOtherScrub: () => void }) {
  return (
    <div role="alert" className={`${styles.refused} ${styles[refusal.kind]}`}>
      <p>{REFUSAL_TEXTS[refusal.kind]}</p>
      {refusal.statusCode === 402 && <p>Check the card, or use another one.</p>}
      {refusal.statusCode === 409 && (
        <Button variant="default" onClick={onOtherScrub}>
          Choose another scrub
        </Button>
      )}
    </div>
  );
}
