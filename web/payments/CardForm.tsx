import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { CARD_CONSENT, MAX_SAVED_CARDS } from '../../domain/savedCards.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { formatMoney } from '../ui/format.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './CardForm.module.css';
import { describeCard, describeExpiry } from './cardText.ts';
import type { BillingContact } from './squareTypes.ts';
import { type PaymentSource, tokenize } from './tokenize.ts';
import { useCard } from './useCard.ts';
import { ANOTHER_CARD, type CardChoice } from './useCardChoice.ts';

type CardFormProps = {
  readonly choice: CardChoice;
  /** Dollars; undefined while the price is unknown, which disables paying. */
  readonly total: number | undefined;
  readonly billing: BillingContact;
  /** What the button does with the total. */
  readonly verb?: string;
  /** Whether another card can be saved with this payment. */
  readonly canSave?: boolean;
  /** Pays with the card; the button shows loading until it resolves. Handles its own failures. */
  readonly onPay: (source: PaymentSource) => Promise<void>;
  /** Shown above the button: what it does, or why it failed. */
  readonly children?: ReactNode;
};

const FULL_TEXT = `You have ${MAX_SAVED_CARDS} saved cards, which is the maximum. To save this one, remove another in your profile first.`;

/**
 * The saved cards, the card network's form and the pay button. No card data passes through us, and nothing is loaded from the card
 * network for a saved card.
 */
export function CardForm({ choice, total, billing, verb = 'Pay', canSave = false, onPay, children }: CardFormProps) {
  const host = useRef<HTMLDivElement>(null);
  const [isSaving, setSaving] = useState(false);
  const isAnother = choice.chosen === ANOTHER_CARD;
  const open = useCard(host, isAnother);
  const saveCard = canSave && isSaving && !choice.isFull;
  const { pay, canPay, isPaying, isUnverified } = usePay({ open, choice, total, billing, saveCard, onPay });
  const button = useRestoreFocus(isPaying);
  return (
    <form noValidate onSubmit={pay} aria-label="Card">
      {choice.cards.length > 0 && <SavedCards choice={choice} />}
      {(choice.chosen === undefined || (isAnother && open.state === 'loading')) && <CardFormSkeleton />}
      {isAnother && open.state === 'failed' && (
        <ErrorState
          level={3}
          title="The card form could not be loaded"
          text="You have not been charged. Check your connection."
          onRetry={open.retry}
        />
      )}
      <div ref={host} className={styles.host} hidden={!isAnother || open.state === 'failed'} />
      {isAnother && canSave && open.state === 'ready' && (
        <Consent isFull={choice.isFull} isGiven={isSaving} onChange={setSaving} />
      )}
      {isAnother && isUnverified && (
        <p role="alert" className={styles.wrong}>
          Your bank did not confirm this card. You were not charged. Try again, or use another card.
        </p>
      )}
      {children}
      <Button ref={button} type="submit" fullWidth size="lg" loading={isPaying} disabled={!canPay}>
        {total === undefined ? verb : `${verb} ${formatMoney(total)}`}
      </Button>
    </form>
  );
}

function SavedCards({ choice: { cards, chosen = '', choose } }: { choice: CardChoice }) {
  const options = cards.map((card) => ({ value: card.id, name: describeCard(card), more: describeExpiry(card) }));
  return (
    <RadioGroup
      legend="Your cards"
      options={[...options, { value: ANOTHER_CARD, name: 'Another card' }]}
      value={chosen}
      onChange={choose}
    />
  );
}

/** Opens the card form after a saved card was refused. Nothing while the form is open. */
export function AnotherCardButton({ choice: { chosen, choose } }: { choice: CardChoice }) {
  if (chosen === ANOTHER_CARD) return null;
  return (
    <Button variant="default" onClick={() => choose(ANOTHER_CARD)}>
      Another card
    </Button>
  );
}

type ConsentProps = {
  readonly isFull: boolean;
  readonly isGiven: boolean;
  readonly onChange: (isGiven: boolean) => void;
};

function Consent({ isFull, isGiven, onChange }: ConsentProps) {
  if (isFull) return <p className={`quiet ${styles.full}`}>{FULL_TEXT}</p>;
  return (
    <label className={styles.consent}>
      <input
        type="checkbox"
        className="checkbox"
        checked={isGiven}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{CARD_CONSENT}</span>
    </label>
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

type Paying = Pick<CardFormProps, 'choice' | 'total' | 'billing' | 'onPay'> & {
  readonly open: ReturnType<typeof useCard>;
  readonly saveCard: boolean;
};

function usePay({ open, choice, total, billing, saveCard, onPay }: Paying) {
  const [isPaying, setPaying] = useState(false);
  const [isUnverified, setUnverified] = useState(false);
  // State updates too late for two events in one tick: both the browser and the SDK report Enter in the form.
  const isUnderWay = useRef(false);
  const saved = choice.cards.find(({ id }) => id === choice.chosen);
  const form = choice.chosen === ANOTHER_CARD && open.state === 'ready' ? open : undefined;

  const readSource = async (dollars: number) => {
    if (saved) return { paymentSourceId: saved.id };
    return form ? tokenize(form, { dollars, billingContact: billing, saveCard }) : 'invalid';
  };
  const pay = async (event?: FormEvent) => {
    event?.preventDefault();
    if (total === undefined || isUnderWay.current) return;
    isUnderWay.current = true;
    setPaying(true);
    setUnverified(false);
    const source = await readSource(total);
    if (source === 'unverified') setUnverified(true);
    else if (source !== 'invalid') await onPay(source);
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
  return { pay, canPay: total !== undefined && (saved ?? form) !== undefined, isPaying, isUnverified };
}
