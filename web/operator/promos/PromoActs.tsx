import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TownPromo } from '../../../contract/operator/promos.ts';
import { type PromoKind, toPromoCode } from '../../../domain/promos.ts';
import { Choice } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import sections from '../sections.module.css';

const EMPTY = {
  code: '',
  kind: 'amount' as PromoKind,
  value: '',
  maxDiscount: '',
  minTotal: '',
  firstOrderOnly: false,
  from: '',
  until: '',
  maxUses: '',
  maxUsesPerBud: '1',
};
type Fields = typeof EMPTY;

/** What is no number, or below nothing, is as if nothing was typed; its field says so. */
function numberOf(typed: string, kind: PromoKind = 'amount'): number | undefined {
  const value = readNumber(typed, kind === 'percent' ? 'decimal' : 'dollars');
  return value !== undefined && value >= 0 ? value : undefined;
}

/** The body of the call. What is empty is left out. */
function bodyOf({ code, kind, value, firstOrderOnly, from, until, ...limits }: Fields) {
  const numbers = Object.entries({ ...limits, maxDiscount: kind === 'percent' ? limits.maxDiscount : '' });
  const limitsTyped = numbers.flatMap(([name, typed]) =>
    typed.trim() === '' ? [] : [[name, numberOf(typed)] as const],
  );
  return {
    ...{ code: toPromoCode(code), kind, value: numberOf(value, kind) ?? Number.NaN, firstOrderOnly },
    ...(from === '' ? {} : { from }),
    ...(until === '' ? {} : { until }),
    ...(Object.fromEntries(limitsTyped) as Partial<
      Record<'maxDiscount' | 'minTotal' | 'maxUses' | 'maxUsesPerBud', number>
    >),
  };
}

const isComplete = ({ code, kind, value, maxDiscount, minTotal, maxUses, maxUsesPerBud }: Fields) =>
  code.trim() !== '' &&
  numberOf(value, kind) !== undefined &&
  [kind === 'percent' ? maxDiscount : '', minTotal, maxUses, maxUsesPerBud].every(
    (typed) => typed.trim() === '' || numberOf(typed) !== undefined,
  );

/** What it can cost in the end, in words. */
function describeWorst({ kind, value, maxDiscount, maxUses }: Fields): string {
  const each = numberOf(kind === 'amount' ? value : maxDiscount);
  const uses = numberOf(maxUses);
  if (each === undefined || uses === undefined)
    return 'Nothing limits what this code can cost: another operator must approve it.';
  return `It costs at most ${formatMoney(each * uses)}. Above the limit of a day, another operator must approve it.`;
}

export function AddPromoButton() {
  const [fields, setFields] = useState(EMPTY);
  return (
    <ActButton
      label="Make a Code…"
      title="A promo code"
      button="Make the Code"
      done="The code is made"
      size="lg"
      isReady={isComplete(fields)}
      onOpen={() => setFields(EMPTY)}
      run={(reason, idempotencyKey) => operatorApi.addPromo({ body: { ...bodyOf(fields), reason }, idempotencyKey })}
    >
      {(errors) => (
        <>
          <PromoFields {...{ fields, errors }} onChange={(some) => setFields((before) => ({ ...before, ...some }))} />
          <p>{describeWorst(fields)}</p>
        </>
      )}
    </ActButton>
  );
}

type FieldsProps = {
  readonly fields: Fields;
  readonly errors: FormErrors;
  readonly onChange: (some: Partial<Fields>) => void;
};

const KINDS = [
  { value: 'amount', label: 'Dollars' },
  { value: 'percent', label: 'Percent' },
];

function PromoFields({ fields, errors, onChange }: FieldsProps) {
  const isPercent = fields.kind === 'percent';
  const bind = (name: Exclude<keyof Fields, 'kind' | 'firstOrderOnly'>) => ({
    value: fields[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <div className={sections.fields}>
        <TextInput label="Code" autoComplete="off" spellCheck={false} {...bind('code')} />
        <NativeSelect
          label="Takes off"
          data={KINDS}
          value={fields.kind}
          onChange={({ currentTarget: { value } }) => onChange({ kind: value === 'percent' ? 'percent' : 'amount' })}
        />
        <NumberField
          kind={isPercent ? 'decimal' : 'dollars'}
          label={isPercent ? 'Percent' : 'Dollars'}
          {...bind('value')}
        />
        {isPercent && <NumberField kind="dollars" label="At most, in dollars" {...bind('maxDiscount')} />}
        <NumberField kind="dollars" label="For orders from, in dollars" {...bind('minTotal')} />
        <NumberField kind="whole" label="Uses in all" {...bind('maxUses')} />
        <NumberField kind="whole" label="Uses for each Bud" {...bind('maxUsesPerBud')} />
        <TextInput label="First day (now, if it is empty)" type="date" {...bind('from')} />
        <TextInput label="Last day" type="date" {...bind('until')} />
      </div>
      <Choice
        type="checkbox"
        name="First orders only"
        checked={fields.firstOrderOnly}
        onChoose={() => onChange({ firstOrderOnly: !fields.firstOrderOnly })}
      >
        One for each account, phone and card that has not ordered before.
      </Choice>
    </>
  );
}

export function EndPromoButton({ promo: { id, code } }: { promo: TownPromo }) {
  return (
    <ActButton
      label="End…"
      title={`End ${code}?`}
      button="End the Code"
      done={`${code} has ended`}
      isDestructive
      run={(reason, idempotencyKey) => operatorApi.endPromo({ params: { id }, body: { reason }, idempotencyKey })}
    >
      <p>Nobody can use it any more. Orders that were placed with it keep what it took off.</p>
    </ActButton>
  );
}
