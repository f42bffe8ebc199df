import { NativeSelect, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import { ROUNDING_WORDS } from '../../../domain/prices.ts';
import { formatMoney } from '../../ui/format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from '../prices.module.css';
import { ITEM_NAMES, UNIT_LABELS } from '../priceTexts.ts';
import sections from '../sections.module.css';
import { useTownDay } from '../useTownDay.ts';

const isPrice = (value: number | undefined): value is number => value !== undefined && value >= 0;

/** Asks for another value of a price, and shows what orders then cost. */
export function ChangePriceButton({ price: { item, unit, value: current } }: { price: TownPrice }) {
  const [value, setValue] = useState('');
  const [from, setFrom] = useState('');
  const day = from === '' ? {} : { from };
  const price = readNumber(value, 'decimal');
  return (
    <ActButton
      label="Change…"
      title={ITEM_NAMES[item]}
      button="Ask for Approval"
      done="The price is changed"
      size="lg"
      isReady={isPrice(price)}
      onOpen={() => {
        setValue(String(current));
        setFrom('');
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.setPrice({
          params: { id: item },
          body: { value: price ?? Number.NaN, ...day, reason },
          idempotencyKey,
        })
      }
    >
      {(errors) => (
        <>
          <div className={sections.fields}>
            {unit === 'rounding' ? (
              <NativeSelect
                label={UNIT_LABELS[unit]}
                data={ROUNDING_WORDS.map((label, place) => ({ label, value: String(place) }))}
                value={value}
                error={errors.value}
                onChange={(event) => setValue(event.currentTarget.value)}
              />
            ) : (
              <NumberField
                kind="decimal"
                label={UNIT_LABELS[unit]}
                value={value}
                error={errors.value}
                onChange={(event) => setValue(event.currentTarget.value)}
              />
            )}
            <TextInput
              label="From (tomorrow, if it is empty)"
              type="date"
              value={from}
              error={errors.from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
          </div>
          {isPrice(price) && <Preview query={{ item, value: String(price), ...day }} />}
        </>
      )}
    </ActButton>
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
