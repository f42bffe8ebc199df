import { Button, NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { RefundPreview } from '../../../contract/operator/money.ts';
import { LIABLE_PARTIES, type LiableParty } from '../../../domain/ledger.ts';
import { RadioGroup } from '../../ui/Choice.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { formatMoney } from '../../ui/format.ts';
import { ActDialog } from '../ActDialog.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import styles from './GiveMoneyBack.module.css';
import { LedgerLines } from './LedgerLines.tsx';
import { LIABLE_TEXTS } from './moneyTexts.ts';

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

const AMOUNT = /^\d{1,6}(\.\d{1,2})?$/;

const LIABLE_OPTIONS = LIABLE_PARTIES.map((value) => {
  const { name, text } = LIABLE_TEXTS[value];
  return { value, name, more: text };
});

function GiveMoneyBackDialog({ orderId, close }: { orderId: string; close: () => void }) {
  const [typed, setTyped] = useState('');
  const [liable, setLiable] = useState<LiableParty>('platform');
  const [deliveryId, setDeliveryId] = useState<string>();
  const text = useDeferredValue(typed.trim());
  const isAmount = AMOUNT.test(text) && Number(text) > 0;
  const terms = { liable, ...(deliveryId === undefined ? {} : { deliveryId }) };
  const preview = useQuery({
    queryKey: ['refund-preview', orderId, isAmount ? text : '', terms],
    queryFn: () =>
      operatorApi.previewRefund({
        params: { id: orderId },
        query: { ...terms, ...(isAmount ? { amount: text } : {}) },
      }),
    placeholderData: keepPreviousData,
  });
  const shown = preview.data;
  // Whether the preview matches the input.
  const isCurrent = isAmount && !preview.isFetching && shown?.amount === Number(typed);
  const isPossible = isCurrent && shown?.problem === null;
  return (
    <ActDialog
      title="Give money back"
      button={isPossible && shown.needsSecondYes ? 'Ask for Approval' : 'Refund'}
      done="The money goes back to the card"
      reasonLabel="Why? The Bud reads it on the statement."
      size="lg"
      isReady={isPossible}
      run={(reason, idempotencyKey) =>
        operatorApi.refundOrder({
          params: { id: orderId },
          body: { ...terms, amount: Number(typed), reason },
          idempotencyKey,
        })
      }
      onClose={close}
    >
      {(errors) => (
        <>
          <TextInput
            label="How much, in dollars"
            inputMode="decimal"
            value={typed}
            error={errors.amount ?? (typed.trim() !== '' && !isAmount && 'Write dollars and cents, like 12.50')}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {shown && <Parts preview={shown} add={setTyped} />}
          <RadioGroup legend="Who bears it?" options={LIABLE_OPTIONS} value={liable} onChange={setLiable} />
          {liable === 'duber' && shown && shown.dubers.length > 1 && (
            <NativeSelect
              label="Whose delivery?"
              data={[
                { value: '', label: 'Choose' },
                ...shown.dubers.map((duber) => ({ value: duber.deliveryId, label: duber.name })),
              ]}
              value={deliveryId ?? ''}
              onChange={(event) => setDeliveryId(event.currentTarget.value || undefined)}
            />
          )}
          {preview.isError && (
            <p role="alert">{errorMessageOf(preview.error, 'What it would be did not load. Please try again.')}</p>
          )}
          {isAmount && shown && <Outcome preview={shown} />}
        </>
      )}
    </ActDialog>
  );
}

const PART_NAMES: Readonly<Record<keyof RefundPreview['parts'], string>> = {
  load: 'Load',
  pickup: 'Pickup',
  delivery: 'Delivery',
  platformFee: 'Platform fee',
  taxes: 'Taxes',
};

/** Buttons that fill in what a part of the order cost, or everything that is left. */
function Parts({ preview: { parts, left }, add }: { preview: RefundPreview; add: (amount: string) => void }) {
  const amounts = [
    ...(Object.keys(PART_NAMES) as (keyof RefundPreview['parts'])[]).map(
      (part) => [PART_NAMES[part], parts[part]] as const,
    ),
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
function Outcome({ preview: { problem, lines, card, amount, needsSecondYes } }: { preview: RefundPreview }) {
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
      {needsSecondYes && <p>This is above what you may give back alone. Another operator must say yes.</p>}
    </div>
  );
}

const cardText = ({ brand, last4 }: RefundPreview['card']) =>
  last4 === null
    ? 'The card'
    : `${brand === null ? 'The card' : brand.charAt(0) + brand.slice(1).toLowerCase()} ···${last4}`;
