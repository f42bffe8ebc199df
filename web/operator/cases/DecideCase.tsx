import { NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { TownCaseDetails } from '../../../contract/operator/cases.ts';
import type { LiableParty } from '../../../domain/ledger.ts';
import { formatMoney } from '../../ui/formatMoney.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActButton } from '../ActButton.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useTownAlone } from '../useConsent.ts';
import styles from './TownCases.module.css';
import { deliveryOf, dubersToChoose, liableChoices } from './townCaseTexts.ts';

/** The decision about one item, or about a case without items. */
type Row = { readonly n: number; readonly what: string; readonly amount: string; readonly liable: LiableParty };

const amountOf = ({ amount }: Row) => readNumber(amount, 'dollars') ?? 0;

/** Starts with the claimed amounts, or what is given back already, borne by the person the case is about. */
function firstRows({ items, aboutRole, orderId, left, givenBack }: TownCaseDetails): Row[] {
  if (orderId === null || left === null) return [];
  const liable = aboutRole === 'Scrub' ? 'scrub' : aboutRole === 'Duber' ? 'duber' : 'platform';
  if (items.length === 0 && givenBack > 0) return [{ n: 1, what: 'The whole', amount: String(givenBack), liable }];
  if (items.length === 0) return [{ n: 1, what: 'The whole', amount: '0', liable: 'platform' }];
  return items.map((item) => ({
    ...{ n: item.n, what: item.what, amount: String(item.decided ?? item.asked) },
    liable: item.liable ?? liable,
  }));
}

export function DecideButton({ found }: { found: TownCaseDetails }) {
  const [rows, setRows] = useState<readonly Row[]>(() => firstRows(found));
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState('');
  const change = (n: number, changes: Partial<Row>) =>
    setRows((now) => now.map((row) => (row.n === n ? { ...row, ...changes } : row)));
  const total = rows.reduce((sum, row) => sum + amountOf(row), 0);
  const deliveryId = deliveryOf(found, chosen);
  const items = rows.map((row) => ({
    ...{ n: row.n, amount: amountOf(row), liable: row.liable },
    ...(row.liable === 'duber' && deliveryId !== undefined ? { deliveryId } : {}),
  }));
  return (
    <ActButton
      label="Decide…"
      variant={found.kind === 'chargeback' ? 'default' : 'filled'}
      title={`Decide ${found.no}`}
      button="Decide"
      done="It is decided"
      size="lg"
      onOpen={() => {
        setRows(firstRows(found));
        setChosen('');
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.decideCase({ params: { id: found.id }, body: { items, words, reason }, idempotencyKey })
      }
    >
      {(errors) => (
        <>
          {rows.map((row, index) => (
            <DecisionRow key={row.n} {...{ row, index, errors, found, change }} />
          ))}
          {rows.some(({ liable }) => liable === 'duber') && (
            <DuberSelect dubers={dubersToChoose(found)} value={chosen} onChange={setChosen} />
          )}
          {errors.items && <p role="alert">{errors.items}</p>}
          {rows.length > 0 && <Total total={total} found={found} />}
          <WordsField words={words} setWords={setWords} errors={errors} />
        </>
      )}
    </ActButton>
  );
}

function DecisionRow({
  row,
  index,
  errors,
  found,
  change,
}: {
  row: Row;
  index: number;
  errors: FormErrors;
  found: TownCaseDetails;
  change: (n: number, changes: Partial<Row>) => void;
}) {
  return (
    <fieldset className={styles.decision}>
      <legend>{row.what}</legend>
      <NumberField
        kind="dollars"
        label="Give back, in dollars"
        value={row.amount}
        error={errors[`items.${index}.amount`]}
        onChange={(event) => change(row.n, { amount: event.currentTarget.value })}
      />
      <NativeSelect
        label="Who pays for it"
        data={liableChoices(found)}
        value={row.liable}
        onChange={(event) => change(row.n, { liable: event.currentTarget.value as LiableParty })}
      />
    </fieldset>
  );
}

type DuberSelectProps = {
  readonly dubers: TownCaseDetails['dubers'];
  readonly value: string;
  readonly onChange: (deliveryId: string) => void;
};

function DuberSelect({ dubers, value, onChange }: DuberSelectProps) {
  if (dubers.length === 0) return null;
  const options = dubers.map(({ deliveryId, name }) => ({ value: deliveryId, label: name }));
  return (
    <NativeSelect
      label="Which Duber?"
      data={[{ value: '', label: 'Choose' }, ...options]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Total({ total, found: { limit, givenBack } }: { total: number; found: TownCaseDetails }) {
  const { runsAlone } = useTownAlone();
  if (Number.isNaN(total)) return null;
  return (
    <p className="tabular">
      <strong>{formatMoney(total)} goes back to the card in all.</strong>
      {total - givenBack > limit &&
        !runsAlone &&
        ` This is above ${formatMoney(limit)}: another operator must approve it.`}
    </p>
  );
}

function WordsField({
  words,
  setWords,
  errors,
}: {
  words: string;
  setWords: (words: string) => void;
  errors: FormErrors;
}) {
  return (
    <Textarea
      label="What the people of the case read"
      rows={3}
      maxLength={1000}
      value={words}
      error={errors.words}
      onChange={(event) => setWords(event.currentTarget.value)}
    />
  );
}

export const CloseCaseButton = ({ found: { id, no, trips } }: { found: TownCaseDetails }) => (
  <ActFormButton
    act="closeCase"
    name={no}
    params={{ id }}
    fields={trips > 0 ? ['words', 'takesBackTrip'] : ['words']}
    textsOf={(field) =>
      field === 'takesBackTrip' ? { label: `Do not pay the Duber’s trip, ${formatMoney(trips)}` } : undefined
    }
  />
);
