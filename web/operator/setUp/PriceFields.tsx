import type { ReactNode } from 'react';
import { LARGER_SIZES } from '../../../domain/orders.ts';
import type { Tariff } from '../../../domain/payments.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import sections from '../sections.module.css';
import { type Draft, findTypedProblem, TYPED_ITEMS, type TypedItem, toggleSize } from './draft.ts';
import { SharesTable } from './SharesTable.tsx';

const LABELS: Readonly<Record<TypedItem, string>> = {
  'wash-and-fold': 'Wash and fold, $ a pound',
  pickup: 'Pickup by a Duber, $',
  delivery: 'Delivery by a Duber, $',
  'platform-fee': 'Platform fee, % of the load',
  taxes: 'Taxes, % of load and fee',
};

type Props = {
  readonly draft: Draft;
  readonly rounding: Tariff['taxRounding'];
  readonly onChange: (draft: Draft) => void;
};

/** Prices, larger sizes, fees, and what they mean for everybody. */
export function PriceFields({ draft, rounding, onChange }: Props) {
  const { typed, pounds, policies } = draft;
  const field = (item: TypedItem): ReactNode => (
    <NumberField
      key={item}
      kind={TYPED_ITEMS[item]}
      label={LABELS[item]}
      value={typed[item]}
      error={findTypedProblem(item, typed[item])}
      onChange={(event) => onChange({ ...draft, typed: { ...typed, [item]: event.currentTarget.value } })}
    />
  );
  const perPound = readNumber(typed['wash-and-fold'], 'dollars');
  return (
    <>
      <div className={sections.fields}>{(Object.keys(TYPED_ITEMS) as TypedItem[]).map(field)}</div>
      <ChoiceGroup legend="Sizes beyond Large (Small, Medium and Large are always sold)" hasColumns>
        {LARGER_SIZES.map((size) => (
          <Choice
            key={size}
            type="checkbox"
            name={loadSizeLabel(size)}
            checked={pounds[size] > 0}
            onChoose={() => onChange(toggleSize(draft, size))}
          >
            {pounds[size] > 0 && perPound !== undefined && perPound >= 0
              ? `Charged as ${pounds[size]} pounds, ${formatMoney(pounds[size] * perPound)}`
              : 'Not sold'}
          </Choice>
        ))}
      </ChoiceGroup>
      <Choice
        type="checkbox"
        name="Weigh laundry before the card is charged"
        checked={policies.weighing === 'careful'}
        onChoose={() =>
          onChange({
            ...draft,
            policies: { ...policies, weighing: policies.weighing === 'careful' ? 'open' : 'careful' },
          })
        }
      >
        The Scrub weighs it, with a photo of the scale. A lighter load costs less, and a heavier one never more than the
        Bud has agreed to. Recommended with large sizes.
      </Choice>
      <p>
        The card fee is what your card network keeps of each payment. The town pays it, out of its platform fee. These
        two figures are only for the table below: ask your card network for yours.
      </p>
      <div className={sections.fields}>
        <NumberField
          kind="decimal"
          label="Card fee, %"
          value={draft.cardPercent}
          onChange={(event) => onChange({ ...draft, cardPercent: event.currentTarget.value })}
        />
        <NumberField
          kind="dollars"
          label="Card fee, $ each payment"
          value={draft.cardDollars}
          onChange={(event) => onChange({ ...draft, cardDollars: event.currentTarget.value })}
        />
      </div>
      <SharesTable draft={draft} rounding={rounding} />
    </>
  );
}
