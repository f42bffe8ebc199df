import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type ItemKind, MAX_CLAIM_ITEMS } from '../../domain/cases.ts';
import { PERCENT_BY_AGE, PERCENT_OF_OLDER, percentAtAge } from '../../domain/claims.ts';
import { useConfig } from '../api/config.ts';
import { Fold } from '../ui/Fold.tsx';
import { formatMoney } from '../ui/formatMoney.ts';
import { NumberField } from '../ui/NumberField.tsx';
import { readNumber } from '../ui/typedNumber.ts';
import type { useForm } from '../ui/useForm.ts';
import styles from './Cases.module.css';
import { ITEM_TEXTS } from './caseTexts.ts';
import {
  addThing,
  capProblem,
  type ReportValues,
  THING_LABELS,
  type Thing,
  type ThingField,
  totalAsked,
} from './report.ts';

type ReportForm = ReturnType<typeof useForm<ReportValues>>;

/** The things of a report, up to ten, each with what is wrong, its price and its age. `kinds` can still be reported. */
export function ClaimThings({ form, kinds }: { form: ReportForm; kinds: readonly ItemKind[] }) {
  const { items } = form.values;
  const isFull = items.length >= MAX_CLAIM_ITEMS;
  const addButton = useRef<HTMLButtonElement>(null);
  const remove = (index: number) => {
    form.set('items', items.toSpliced(index, 1), 'items');
    addButton.current?.focus();
  };
  return (
    <>
      {items.map((thing, index) => (
        <ThingFields
          key={thing.key}
          form={form}
          index={index}
          thing={thing}
          kinds={kinds}
          onRemove={items.length > 1 ? () => remove(index) : undefined}
        />
      ))}
      <div className={styles.buttons}>
        <Button
          ref={addButton}
          variant="default"
          aria-disabled={isFull || undefined}
          data-disabled={isFull}
          onClick={() => !isFull && form.set('items', addThing(items, kinds))}
        >
          {isFull ? `You can report at most ${MAX_CLAIM_ITEMS} things` : 'Add another thing'}
        </Button>
      </div>
      <Total form={form} />
      <ValueRules />
    </>
  );
}

const VALUES_BY_AGE = [
  ...PERCENT_BY_AGE.map(({ months, percent }) => `${percent}% of the price up to ${months} months`),
  `then ${PERCENT_OF_OLDER}%`,
].join(', ');

function ValueRules() {
  const caps = useConfig()?.claimCaps;
  return (
    <Fold title="How we decide" looks="row">
      <p>
        How much we refund depends on the age: {VALUES_BY_AGE}.{' '}
        {caps &&
          `The limit is ${formatMoney(caps.garment)} for one thing and ${formatMoney(caps.order)} for one order. `}
        You never get back more than you paid for the order.
      </p>
    </Fold>
  );
}

type ThingProps = {
  form: ReportForm;
  index: number;
  thing: Thing;
  kinds: readonly ItemKind[];
  onRemove: (() => void) | undefined;
};

function ThingFields({ form, index, thing, kinds, onRemove }: ThingProps) {
  const what = useRef<HTMLInputElement>(null);
  const isAdded = useRef(index > 0);
  // Where a new thing is typed first.
  useEffect(() => {
    if (isAdded.current) what.current?.focus();
  }, []);
  const change = (field: ThingField, value: string) => {
    const items = form.values.items.with(index, { ...thing, [field]: value });
    form.set('items', items, `items.${index}.${field}`);
  };
  const bind = (field: ThingField) => ({
    name: `items.${index}.${field}`,
    value: thing[field],
    error: form.errors[`items.${index}.${field}`],
    onChange: (event: { currentTarget: { value: string } }) => change(field, event.currentTarget.value),
  });
  // What was chosen before the order loaded may be too late, and can be changed.
  const shownKinds = kinds.includes(thing.kind) ? kinds : [thing.kind, ...kinds];
  const percent = percentAtAge(readNumber(thing.ageMonths, 'whole') || 0);
  return (
    <fieldset className={styles.thing}>
      {onRemove && (
        <>
          <legend>Thing {index + 1}</legend>
          <Button variant="subtle" color="red" onClick={onRemove} aria-label={`Remove thing ${index + 1}`}>
            Remove
          </Button>
        </>
      )}
      <div className={styles.two}>
        <TextInput ref={what} label="What is it?" placeholder="Blue shirt" maxLength={100} {...bind('what')} />
        <NativeSelect
          label="What is wrong with it?"
          {...bind('kind')}
          data={shownKinds.map((value) => ({ value, label: ITEM_TEXTS[value] }))}
        />
      </div>
      <div className={styles.two}>
        <NumberField kind="dollars" label={`${THING_LABELS.worth} (in dollars)`} {...bind('worth')} />
        <NumberField kind="whole" label={`${THING_LABELS.ageMonths} (in months)`} {...bind('ageMonths')} />
        <NumberField
          kind="dollars"
          label={`${THING_LABELS.asked} (in dollars)`}
          description={`Up to ${percent}% of its price`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...bind('asked')}
        />
      </div>
    </fieldset>
  );
}

/** What is asked for all things, and by how much it is too much. */
function Total({ form }: { form: ReportForm }) {
  const { items } = form.values;
  const caps = useConfig()?.claimCaps;
  const problem = form.errors.items ?? capProblem(items, caps);
  const isShown = items.length > 1 || problem !== undefined;
  return (
    <div data-field="items" tabIndex={-1} className={styles.total}>
      {/* Always there, because many screen readers say only what changes in it. */}
      <p role="status">
        {isShown && (
          <>
            You ask for <strong className="tabular">{formatMoney(totalAsked(items))}</strong>
            {caps && ` of at most ${formatMoney(caps.order)} for one order`}.
          </>
        )}
      </p>
      {problem && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
