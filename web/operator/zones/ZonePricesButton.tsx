import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import type { Zone } from '../../../contract/operator/zones.ts';
import { unitOf } from '../../../domain/prices.ts';
import { ZONE_ITEMS, type ZoneItem } from '../../../domain/zones.ts';
import { formatMoney } from '../../ui/format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import pageStyles from '../prices.module.css';
import { ITEM_NAMES, priceText } from '../priceTexts.ts';
import sections from '../sections.module.css';
import { useTownDay } from '../useTownDay.ts';
import { dayOf, FromField } from './ZoneActs.tsx';

/** What is typed for each item; empty for the price of the town. */
type Typed = Readonly<Record<ZoneItem, string>>;

const typedOf = (prices: Zone['prices']): Typed =>
  Object.fromEntries(
    ZONE_ITEMS.map((item) => [item, String(prices.find((price) => price.item === item)?.value ?? '')]),
  ) as Typed;

const filledOf = (typed: Typed) =>
  ZONE_ITEMS.flatMap((item) => {
    const value = readNumber(typed[item], 'decimal');
    return value === undefined ? [] : [{ item, value }];
  });

/** Asks for the prices of a zone, and shows what orders then cost there. */
export function ZonePricesButton({ zone, town }: { zone: Zone; town: readonly TownPrice[] }) {
  const { id, name } = zone;
  const [typed, setTyped] = useState(() => typedOf([]));
  const [from, setFrom] = useState('');
  const filled = filledOf(typed);
  const isReady = filled.every(({ value }) => value >= 0);
  return (
    <ActButton
      label="Prices…"
      title={`Prices in ${name}`}
      button="Ask for Approval"
      done="The prices are changed"
      size="lg"
      isReady={isReady}
      onOpen={() => {
        setTyped(typedOf(zone.nextPrices.at(-1)?.prices ?? zone.prices));
        setFrom('');
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.setZonePrices({
          params: { id },
          body: { prices: filled, reason, ...dayOf(from) },
          idempotencyKey,
        })
      }
    >
      {(errors) => (
        <>
          <p>What is left empty costs as much as in the town.</p>
          <div className={sections.fields}>
            {ZONE_ITEMS.map((item) => (
              <NumberField
                key={item}
                kind="decimal"
                label={`${ITEM_NAMES[item]}, in ${unitOf(item)}`}
                placeholder={townText(town, item)}
                value={typed[item]}
                error={errors[item]}
                onChange={(event) => setTyped({ ...typed, [item]: event.currentTarget.value })}
              />
            ))}
            <FromField value={from} error={errors.from} onChange={setFrom} />
          </div>
          {isReady && <Preview id={id} query={{ ...toQuery(filled), ...dayOf(from) }} />}
        </>
      )}
    </ActButton>
  );
}

function townText(town: readonly TownPrice[], item: ZoneItem): string {
  const price = town.find((one) => one.item === item);
  return price ? `Town: ${priceText(price.unit, price.value)}` : '';
}

type PreviewQuery = Partial<Record<ZoneItem | 'from', string>>;

const toQuery = (filled: ReturnType<typeof filledOf>): PreviewQuery =>
  Object.fromEntries(filled.map(({ item, value }) => [item, String(value)]));

function Preview({ id, query }: { id: string; query: PreviewQuery }) {
  const asked = useDeferredValue(query);
  const townDay = useTownDay();
  const { data } = useQuery({
    queryKey: ['zone-preview', id, asked],
    queryFn: () => operatorApi.previewZonePrices({ params: { id }, query: asked }),
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
