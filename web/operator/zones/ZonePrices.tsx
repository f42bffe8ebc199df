import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { Zone } from '../../../contract/operator/zones.ts';
import { unitOf } from '../../../domain/prices.ts';
import { ZONE_ITEMS, type ZoneItem } from '../../../domain/zones.ts';
import { formatMoney } from '../../ui/format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import type { FormErrors } from '../../ui/useForm.ts';
import { operatorApi } from '../operatorApi.ts';
import pageStyles from '../prices.module.css';
import { ITEM_NAMES, priceText } from '../priceTexts.ts';
import sections from '../sections.module.css';
import { useTownDay } from '../useTownDay.ts';

/** What is typed for each item; empty for the price of the town. */
type Typed = Readonly<Partial<Record<ZoneItem, string>>>;

/** The prices of a zone while they are typed. */
export function usePriceDraft(start: Zone['prices']) {
  const [begun] = useState<Typed>(() => Object.fromEntries(start.map(({ item, value }) => [item, String(value)])));
  const [typed, setTyped] = useState(begun);
  const prices = ZONE_ITEMS.flatMap((item) => {
    const value = readNumber(typed[item] ?? '', 'decimal');
    return value === undefined ? [] : [{ item, value }];
  });
  const isChanged = ZONE_ITEMS.some((item) => (typed[item] ?? '').trim() !== (begun[item] ?? ''));
  return { typed, setTyped, prices, isChanged, isReady: prices.every(({ value }) => value >= 0) };
}

type ZonePriceFieldsProps = {
  readonly draft: ReturnType<typeof usePriceDraft>;
  /** The zone that has the prices; undefined before it is added. */
  readonly zone?: string;
  readonly start: { readonly from?: string; readonly atOnce?: boolean };
  readonly errors: FormErrors;
};

/** The prices of a zone, and what orders then cost there. */
export function ZonePriceFields({ draft, zone, start: { from, atOnce }, errors }: ZonePriceFieldsProps) {
  const { typed, setTyped, prices, isReady } = draft;
  const town = useQuery({ queryKey: ['prices'], queryFn: () => operatorApi.listPrices() });
  const townText = (item: ZoneItem) => {
    const price = town.data?.items.find((one) => one.item === item);
    return price ? `Town: ${priceText(price.unit, price.value)}` : '';
  };
  const query = {
    ...Object.fromEntries(prices.map(({ item, value }) => [item, String(value)])),
    ...(zone === undefined ? {} : { zone }),
    ...(from === undefined ? {} : { from }),
    ...(atOnce ? { atOnce: 'true' as const } : {}),
  };
  return (
    <>
      <p className="quiet">What is left empty costs as much as in the town.</p>
      <div className={sections.fields} style={{ alignItems: 'end' }}>
        {ZONE_ITEMS.map((item) => (
          <NumberField
            key={item}
            kind="decimal"
            label={`${ITEM_NAMES[item]}, in ${unitOf(item)}`}
            placeholder={townText(item)}
            value={typed[item] ?? ''}
            error={errors[item]}
            onChange={(event) => setTyped({ ...typed, [item]: event.currentTarget.value })}
          />
        ))}
      </div>
      {isReady && (zone !== undefined || prices.length > 0) && <Preview query={query} />}
    </>
  );
}

function Preview({
  query,
}: {
  query: Readonly<Partial<Record<ZoneItem | 'zone' | 'from', string>>> & { atOnce?: 'true' };
}) {
  const asked = useDeferredValue(query);
  const townDay = useTownDay();
  const { data } = useQuery({
    queryKey: ['zone-preview', asked],
    queryFn: () => operatorApi.previewZonePrices({ query: asked }),
    placeholderData: keepPreviousData,
  });
  if (!data) return null;
  return (
    <table className={pageStyles.preview}>
      <caption>What an order with both deliveries costs there from {townDay(data.from)} on</caption>
      <thead>
        <tr>
          <th scope="col">Load</th>
          <th scope="col">In the town</th>
          <th scope="col">Without it</th>
          <th scope="col">With it</th>
        </tr>
      </thead>
      <tbody>
        {data.sizes.map(({ size, town, before, after }) => (
          <tr key={size}>
            <th scope="row">{size}</th>
            <td>{formatMoney(town.totalPrice)}</td>
            <td>{formatMoney(before.totalPrice)}</td>
            <td>{formatMoney(after.totalPrice)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
