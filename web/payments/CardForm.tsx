import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorState } from '../ui/ErrorState.tsx';
import { formatMoney } from '../ui/format.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './CardForm.module.css';
import type { BillingContact } from './squareTypes.ts';
import { type CardToken, tokenize } from './tokenize.ts';
import { useCard } from './useCard.ts';

type CardFormProps = {
  /** Dollars; undefined while the price is unknown, which disables paying. */
  readonly total: number | undefined;
  readonly billing: BillingContact;
  /** What the button does with the total. */
  readonly verb?: string;
  /** Places the order with the token; the button shows loading until it resolves. Handles its own failures. */
  readonly onToken: (token: CardToken) => Promise<void>;
  /** Shown above the button: what it does, or why it failed. */
  readonly children?: ReactNode;
};

/** The card network's form and the pay button. No card data passes through us. */
export function CardForm({ total, billing, verb = 'Pay', onToken, children }: CardFormProps) {
  const host = useRef<HTMLDivElement>(null);
  const open = useCard(host);
  const { pay, isPaying, isUnverified } = usePay(open, total, billing, onToken);
  const button = useRestoreFocus(isPaying);
  return (
    <form noValidate onSubmit={pay} aria-label="Card">
      {open.state === 'loading' && <CardFormSkeleton />}
      {open.state === 'failed' && (
        <ErrorState
          level={3}
          title="The card form could not be loaded"
          text="You have not been charged. Check your connection."
          onRetry={open.retry}
        />
      )}
      <div ref={host} className={styles.host} hidden={open.state === 'failed'} />
      {isUnverified && (
        <p role="alert" className={styles.wrong}>
          Your bank did not confirm this card. You were not charged. Try again, or use another card.
        </p>
      )}
      {children}
      <Button
        ref={button}
        type="submit"
        fullWidth
        size="lg"
        loading={isPaying}
        disabled={open.state !== 'ready' || total === undefined}
      >
        {total === undefined ? verb : `${verb} ${formatMoney(total)}`}
      </Button>
    </form>
  );
}

/** A loading button is disabled and loses the focus; it gets it back unless the card form took it. */
function useRestoreFocus(isPaying: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasPaying = useRef(false);
  useEffect(() => {
    if (wasPaying.current && !isPaying && document.activeElement === document.body) button.current?.focus();
    wasPaying.current = isPaying;
  }, [isPaying]);
  return button;
}

function CardFormSkeleton() {
  return (
    <div role="status" aria-label="Loading the card form" className={styles.loading}>
      <Skeleton height={44} />
      <div className={styles.pair}>
        <Skeleton height={44} />
        <Skeleton height={44} />
      </div>
    </div>
  );
}

function usePay(
  open: ReturnType<typeof useCard>,
  total: number | undefined,
  billing: BillingContact,
  onToken: CardFormProps['onToken'],
) {
  const [isPaying, setPaying] = useState(false);
  const [isUnverified, setUnverified] = useState(false);
  // State updates too late for two events in one tick: both the browser and the SDK report Enter in the form.
  const isUnderWay = useRef(false);

  const pay = async (event?: FormEvent) => {
    event?.preventDefault();
    if (open.state !== 'ready' || total === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    setPaying(true);
    setUnverified(false);
    const token = await tokenize(open, total, billing);
    if (token === 'unverified') setUnverified(true);
    else if (token !== 'invalid') await onToken(token);
    isUnderWay.current = false;
    setPaying(false);
  };

  const latest = useRef(pay);
  useEffect(() => {
    latest.current = pay;
  });
  const card = open.state === 'ready' ? open.card : undefined;
  useEffect(() => {
    // Square's fields are in a frame, so Enter does not reach our form.
    card?.addEventListener('submit', () => void latest.current());
  }, [card]);
  return { pay, isPaying, isUnverified };
}
