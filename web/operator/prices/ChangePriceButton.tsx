import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import { ROUNDING_WORDS } from '../../../domain/prices.ts';
import { formatMoney } from '../../ui/format.ts';
import { readNumber } from '../../ui/typedNumber.ts';
import { ActFormButton } from '../ActFormButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from '../prices.module.css';
import { ITEM_NAMES, priceText, UNIT_LABELS } from '../priceTexts.ts';
import { useTownAlone } from '../useConsent.ts';
import { useTownDay } from '../useTownDay.ts';

const FROM_NOW = { label: 'From (at once, if it is empty)' };

const roundings = () => Object.fromEntries(ROUNDING_WORDS.map((name, place) => [String(place), name]));

/** Asks for another value of a price, and shows what orders then cost. */
export function ChangePriceButton({ price: { item, unit, value, next } }: { price: TownPrice }) {
  const { isNew } = useTownAlone();
  const townDay = useTownDay();
  const ofUnit = { label: UNIT_LABELS[unit], ...(unit === 'rounding' ? { options: roundings } : {}) };
  return (
    <ActFormButton
      act="setPrice"
      name={ITEM_NAMES[item]}
      params={{ id: item }}
      start={{ value: unit === 'dollars' ? value.toFixed(2) : String(value) }}
      fields={({ atOnce }) => [
        'value',
        ...(isNew ? [] : (['atOnce'] as const)),
        ...(atOnce ? [] : (['from'] as const)),
      ]}
      textsOf={(field) => (field === 'value' ? ofUnit : field === 'from' && isNew ? FROM_NOW : undefined)}
    >
      {({ value: typed, from, atOnce }) => {
        const price = readNumber(String(typed ?? ''), 'decimal');
        if (price === undefined || !(price >= 0)) return null;
        const start = atOnce ? { atOnce: 'true' as const } : from ? { from: String(from) } : {};
        return (
          <>
            {atOnce === true &&
              next.map((later) => (
                <p key={later.from}>
                  From {townDay(later.from)} it is {priceText(unit, later.value)}, as it was set before.
                </p>
              ))}
            <Preview query={{ item, value: String(price), ...start }} />
          </>
        );
      }}
    </ActFormButton>
  );
}

type PreviewQuery = { item: TownPrice['item']; value: string; from?: string; atOnce?: 'true' };

function Preview({ query }: { query: PreviewQuery }) {
  const asked = useDeferredValue(query);
  const townDay = useTownDay();
  const { data } = useQuery({
    queryKey: ['price-preview', asked],
    queryFn: () => operatorApi.previewPrice({ query: asked }),
    placeholderData: keepPreviousData,
  });
  if (!data) return null;
  return (
    <table className={styles.preview}>
      <caption>Price of an order with both deliveries, from {townDay(data.from)}</caption>
      <thead>
        <tr>
          <th scope="col">Load</th>
          <th scope="col">Before</th>
          <th scope="col">New</th>
        </tr>
      </thead>
      <tbody>
        {data.sizes.map(({ size, before, after }) => (
          <tr key={size}>
            <th scope="row">{size}</th>
            <td>{formatMoney(before.totalPrice)}</td>
            <td>{formatMoney(after.totalPrice)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
