import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { PriceQuote } from '../../../contract/orders.ts';
import type { Address } from '../../../contract/places.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { answerTimes, chargeTimeText } from '../../../texts/orders.ts';
import { currentTime } from '../../clock.ts';
import { AnotherCardButton, CardForm } from '../../payments/CardForm.tsx';
import { billingContactOf } from '../../payments/tokenize.ts';
import { type CardChoice, useCardChoice } from '../../payments/useCardChoice.ts';
import { useUser } from '../../session/session.ts';
import { formatMoney } from '../../ui/format.ts';
import styles from './CheckoutStep.module.css';
import { OrderPlacedDialog } from './OrderPlacedDialog.tsx';
import type { ChangeDraft, OrderDraft } from './orderDraft.ts';
import { PromoField } from './PromoField.tsx';
import { type AppliedPromo, onCard } from './promo.ts';
import { isChargedBeforeWeighing } from './times.ts';
import { type Refusal, toOrderBody, usePlaceOrder } from './usePlaceOrder.ts';

type Props = {
  readonly draft: OrderDraft;
  readonly address: Address | undefined;
  /** The highest size that is charged without asking, where laundry is weighed. */
  readonly limit: OrderSize | undefined;
  /** The price of exactly this order; without it, paying is not possible. */
  readonly price: PriceQuote | undefined;
  readonly promo: AppliedPromo | undefined;
  readonly change: ChangeDraft;
  readonly onPlaced: () => void;
  readonly onOtherScrub: () => void;
  readonly onOtherTime: () => void;
};

/** Step 4: the card, and then the order and the thanks for it. */
export function CheckoutStep({ draft, address, limit, price, promo, change, onPlaced, ...ways }: Props) {
  const user = useUser();
  const [placedId, setPlacedId] = useState<string>();
  const { place, refusal } = usePlaceOrder(user.id, (orderId) => {
    onPlaced();
    setPlacedId(orderId);
  });
  const choice = useCardChoice(user.id);
  const order = toOrderBody(draft, limit);
  const scrub = draft.scrub?.fullname ?? 'the Scrub';
  const hold = onCard(limit ? price?.atMost : price?.totalPrice, promo);
  const promoCode = promo?.quote?.code;
  const isFirst = isChargedBeforeWeighing(draft.times, currentTime());
  return (
    <>
      <p className={styles.line}>
        {limit
          ? `We hold ${hold === undefined ? 'the most that it can cost' : formatMoney(hold)} on your card now. ${isFirst ? chargeTimeText(true) : `It is charged once ${scrub} has weighed your laundry, and only for what it weighs.`} `
          : `We hold the total on your card now and charge it if ${scrub} accepts. `}
        Without an answer {answerTimes(draft).until}, the order is cancelled and the hold is released.
      </p>
      <PromoField draft={draft} limit={limit} change={change} applied={promo} />
      <CardForm
        choice={choice}
        canSave
        total={hold}
        {...(limit ? { verb: 'Hold' } : {})}
        billing={billingContactOf(user, address?.address)}
        onPay={async (source) => {
          if (order && hold !== undefined)
            await place({ ...order, ...(promoCode ? { promoCode } : {}), ...source, shownTotal: hold });
        }}
      >
        {refusal && <RefusalAlert refusal={refusal} choice={choice} isTimed={draft.times !== undefined} {...ways} />}
      </CardForm>
      <OrderPlacedDialog orderId={placedId} draft={draft} isWeighed={limit !== undefined} />
    </>
  );
}

const REFUSAL_TEXTS = {
  refused: 'Your order was not placed. Your card was not charged.',
  uncertain:
    'We could not confirm that your order went through. It is safe to pay again: you will not be charged twice for the same order.',
} as const satisfies Record<Refusal['kind'], string>;

type RefusalProps = Pick<Props, 'onOtherScrub' | 'onOtherTime'> & {
  readonly refusal: Refusal;
  readonly choice: CardChoice;
  readonly isTimed: boolean;
};

function RefusalAlert({ refusal, choice, isTimed, onOtherScrub, onOtherTime }: RefusalProps) {
  return (
    <div role="alert" className={`${styles.refused} ${styles[refusal.kind]}`}>
      <p>{REFUSAL_TEXTS[refusal.kind]}</p>
      {refusal.isAboutCard && <AnotherCardButton choice={choice} />}
      {refusal.statusCode === 409 && !refusal.isOfTown && !refusal.isAboutCard && (
        <Button variant="default" onClick={onOtherScrub}>
          Choose another scrub
        </Button>
      )}
      {refusal.isTooManyWaiting && isTimed && (
        <>
          <p>
            Two of your orders wait for a Scrub to accept their time. Cancel one, or let us come as soon as possible.
          </p>
          <div className="buttons">
            <Button variant="default" onClick={onOtherTime}>
              As Soon as Possible
            </Button>
            <Button variant="default" component={Link} to="/bud/orders?status=Requested">
              Orders That Wait
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
