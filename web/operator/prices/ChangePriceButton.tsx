import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import { ROUNDING_WORDS } from '../../../domain/prices.ts';
import { formatMoney } from '../../ui/format.ts';
import { readNumber } from '../../ui/typedNumber.ts';
import { ActFormButton } from '../ActFormButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from '../prices.module.css';
import { ITEM_NAMES, UNIT_LABELS } from '../priceTexts.ts';
import { useTownDay } from '../useTownDay.ts';

const roundings = () => Object.fromEntries(ROUNDING_WORDS.map((name, place) => [String(place), name]));

/** Asks for another value of a price, and shows what orders then cost. */
export function ChangePriceButton({ price: { item, unit, value } }: { price: TownPrice }) {
  const ofUnit = { label: UNIT_LABELS[unit], ...(unit === 'rounding' ? { options: roundings } : {}) };
  return (
    <ActFormButton
      act="setPrice"
      name={ITEM_NAMES[item]}
      params={{ id: item }}
      start={{ value: unit === 'dollars' ? value.toFixed(2) : String(value) }}
      textsOf={(field) => (field === 'value' ? ofUnit : undefined)}
    >
      {({ value: typed, from }) => {
        const price = readNumber(String(typed ?? ''), 'decimal');
        if (price === undefined || !(price >= 0)) return null;
        return <Preview query={{ item, value: String(price), ...(from ? { from: String(from) } : {}) }} />;
      }}
    </ActFormButton>
  );
}

type PreviewQuery = { item: TownPrice['item']; value: string; from?: string };

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
          <th scope="col">Today</th>
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
