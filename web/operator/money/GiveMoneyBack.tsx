import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { RefundPreview } from '../../../contract/operator/money.ts';
import { LIABLE_PARTIES, type LiableParty } from '../../../domain/ledger.ts';
import { PRICE_PARTS } from '../../../domain/prices.ts';
import { RadioGroup } from '../../ui/Choice.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { formatMoney } from '../../ui/format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import { ActDialog } from '../ActDialog.tsx';
import { operatorApi } from '../operatorApi.ts';
import { operatorQueryClient } from '../operatorQueries.ts';
import { useHasRight } from '../operatorSession.ts';
import { useTownAlone } from '../useConsent.ts';
import styles from './GiveMoneyBack.module.css';
import { LedgerLines } from './LedgerLines.tsx';
import { LIABLE_TEXTS } from './moneyTexts.ts';
import { isPressedAgain, isSettled, pressToSend, type RefundPress } from './refundPress.ts';

/** The button "Give money back" of an order with its dialog, for operators who may do it. */
export function GiveMoneyBack({ orderId }: { orderId: string }) {
  const mayGive = useHasRight('money');
  const [isOpen, setOpen] = useState(false);
  if (!mayGive) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Give Money Back
      </Button>
      {isOpen && <GiveMoneyBackDialog orderId={orderId} close={() => setOpen(false)} />}
    </>
  );
}

const LIABLE_OPTIONS = LIABLE_PARTIES.map((value) => {
  const { name, text } = LIABLE_TEXTS[value];
  return { value, name, more: text };
});

function GiveMoneyBackDialog({ orderId, close }: { orderId: string; close: () => void }) {
  const [typed, setTyped] = useState('');
  const [liable, setLiable] = useState<LiableParty>('platform');
  const [deliveryId, setDeliveryId] = useState<string>();
  const terms = { liable, ...(liable === 'duber' && deliveryId !== undefined ? { deliveryId } : {}) };
  const { preview, isAmount, isPossible, error } = useRefundPreview(orderId, typed, terms);
  const pressed = { ...terms, amount: readNumber(typed, 'dollars') ?? Number.NaN, left: preview?.left };
  const { isAgain, give } = useGive(orderId, pressed);
  return (
    <ActDialog
      title="Give money back"
      button="Refund"
      needsApproval={isPossible && preview?.needsApproval}
      alone="waits"
      done="The money goes back to the card"
      reasonLabel="Why? The Bud reads it on the statement."
      size="lg"
      isReady={isPossible || isAgain}
      run={give}
      onClose={close}
    >
      {(errors) => (
        <>
          <NumberField
            kind="dollars"
            label="How much, in dollars"
            value={typed}
            error={errors.amount ?? (typed.trim() !== '' && !isAmount && NO_AMOUNT)}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {preview && <Parts preview={preview} add={setTyped} />}
          <RadioGroup legend="Who pays for it?" options={LIABLE_OPTIONS} value={liable} onChange={setLiable} />
          {liable === 'duber' && preview && preview.dubers.length > 1 && (
            <DuberSelect dubers={preview.dubers} value={deliveryId} onChange={setDeliveryId} />
          )}
          {error && <p role="alert">{errorMessageOf(error, 'The preview did not load. Please try again.')}</p>}
          {isAmount && preview && <Outcome preview={preview} />}
        </>
      )}
    </ActDialog>
  );
}

/** Gives what is pressed. `isAgain` tells whether it was pressed before, and its answer was lost. */
function useGive(orderId: string, pressed: RefundPress) {
  const [first, setFirst] = useState<RefundPress>();
  const give = async (reason: string, idempotencyKey: string) => {
    const press = pressToSend(first, pressed);
    setFirst(press);
    try {
      return await operatorApi.refundOrder({ params: { id: orderId }, body: { ...press, reason }, idempotencyKey });
    } catch (error) {
      if (isSettled(error)) {
        setFirst(undefined);
        void operatorQueryClient.invalidateQueries({ queryKey: ['refund-preview', orderId] });
      }
      throw error;
    }
  };
  return { isAgain: isPressedAgain(first, pressed), give };
}

const NO_AMOUNT = 'Write dollars and cents, like 12.50';
const MAX_AMOUNT = 999_999.99;
/** A refund in whole cents. */
const isRefund = (amount: number | undefined): amount is number =>
  amount !== undefined && amount > 0 && amount <= MAX_AMOUNT && Number(amount.toFixed(2)) === amount;

type RefundTerms = { readonly liable: LiableParty; readonly deliveryId?: string };

/** What a refund of the typed amount would do. It follows the input with a delay: `isPossible` is only true when it matches. */
function useRefundPreview(orderId: string, typed: string, terms: RefundTerms) {
  const amount = readNumber(typed, 'dollars');
  const shown = useDeferredValue(amount);
  const isAmount = isRefund(shown);
  const { data, error, isFetching } = useQuery({
    queryKey: ['refund-preview', orderId, isAmount ? shown : '', terms],
    queryFn: () =>
      operatorApi.previewRefund({
        params: { id: orderId },
        query: { ...terms, ...(isAmount ? { amount: String(shown) } : {}) },
      }),
    placeholderData: keepPreviousData,
  });
  const isPossible = isAmount && !isFetching && data !== undefined && data.amount === amount && data.problem === null;
  return { preview: data, isAmount, isPossible, error };
}

type DuberSelectProps = {
  readonly dubers: RefundPreview['dubers'];
  readonly value: string | undefined;
  readonly onChange: (deliveryId: string | undefined) => void;
};

function DuberSelect({ dubers, value = '', onChange }: DuberSelectProps) {
  const options = dubers.map(({ deliveryId, name }) => ({ value: deliveryId, label: name }));
  return (
    <NativeSelect
      label="Whose delivery?"
      data={[{ value: '', label: 'Choose' }, ...options]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** Buttons that fill in what a part of the order cost, or everything that is left. */
function Parts({ preview: { parts, left }, add }: { preview: RefundPreview; add: (amount: string) => void }) {
  const amounts = [
    ...PRICE_PARTS.map(({ field, words }) => [words, parts[field === 'loadPrice' ? 'load' : field]] as const),
    ['Everything left', left] as const,
  ];
  return (
    <div className="buttons">
      {amounts
        .filter(([, amount]) => amount > 0 && amount <= left)
        .map(([name, amount]) => (
          <Button key={name} size="compact-md" variant="default" onClick={() => add(amount.toFixed(2))}>
            {name} {formatMoney(amount)}
          </Button>
        ))}
    </div>
  );
}

/** What pressing the button does. */
function Outcome({ preview: { problem, lines, card, amount, needsApproval } }: { preview: RefundPreview }) {
  const { runsAlone } = useTownAlone();
  if (problem !== null)
    return (
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    );
  return (
    <div className={styles.outcome} aria-live="polite">
      <p>
        <strong>
          {cardText(card)} gets {formatMoney(amount)}
        </strong>{' '}
        in 3 to 7 days.
      </p>
      <LedgerLines lines={lines} label="What the ledger gets" />
      {needsApproval && <p>This is above what you may give back {runsAlone ? 'in a day' : 'alone'}.</p>}
    </div>
  );
}

const cardText = ({ brand, last4 }: RefundPreview['card']) =>
  last4 === null
    ? 'The card'
    : `${brand === null ? 'The card' : brand.charAt(0) + brand.slice(1).toLowerCase()} ···${last4}`;
