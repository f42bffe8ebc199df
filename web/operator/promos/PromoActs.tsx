import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TownPromo } from '../../../contract/operator/promos.ts';
import { MAX_PROMO_CODE_LENGTH, type PromoKind, toPromoCode } from '../../../domain/promos.ts';
import type { FormErrors } from '../../hooks/useForm.ts';
import { Choice } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
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

const DECIMAL = /^\d+(\.\d+)?$/;
const numberOf = (typed: string) => (DECIMAL.test(typed.trim()) ? Number(typed) : undefined);

/** The body of the call. What is empty is left out. */
function bodyOf({ code, kind, value, firstOrderOnly, from, until, ...limits }: Fields) {
  const numbers = Object.entries({ ...limits, maxDiscount: kind === 'percent' ? limits.maxDiscount : '' });
  const limitsTyped = numbers.flatMap(([name, typed]) => (typed.trim() === '' ? [] : [[name, Number(typed)] as const]));
  return {
    ...{ code: toPromoCode(code), kind, value: Number(value), firstOrderOnly },
    ...(from === '' ? {} : { from }),
    ...(until === '' ? {} : { until }),
    ...(Object.fromEntries(limitsTyped) as Partial<
      Record<'maxDiscount' | 'minTotal' | 'maxUses' | 'maxUsesPerBud', number>
    >),
  };
}

const isComplete = ({ code, kind, value, maxDiscount, minTotal, maxUses, maxUsesPerBud }: Fields) =>
  code.trim() !== '' &&
  numberOf(value) !== undefined &&
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
        <TextInput
          label="Code"
          maxLength={MAX_PROMO_CODE_LENGTH}
          autoComplete="off"
          spellCheck={false}
          {...bind('code')}
        />
        <NativeSelect
          label="Takes off"
          data={KINDS}
          value={fields.kind}
          onChange={({ currentTarget: { value } }) => onChange({ kind: value === 'percent' ? 'percent' : 'amount' })}
        />
        <TextInput label={isPercent ? 'Percent' : 'Dollars'} inputMode="decimal" {...bind('value')} />
        {isPercent && <TextInput label="At most, in dollars" inputMode="decimal" {...bind('maxDiscount')} />}
        <TextInput label="For orders from, in dollars" inputMode="decimal" {...bind('minTotal')} />
        <TextInput label="Uses in all" inputMode="numeric" {...bind('maxUses')} />
        <TextInput label="Uses for each Bud" inputMode="numeric" {...bind('maxUsesPerBud')} />
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
