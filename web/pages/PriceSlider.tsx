import { type CSSProperties, useId, useState } from 'react';
import type { PublicPrices } from '../../contract/payments.ts';
import { countShirts, LOAD_POUNDS, LOAD_SIZES, loadSizeOf } from '../../domain/orders.ts';
import { PriceBreakdown } from '../payments/PriceBreakdown.tsx';
import { formatMoney } from '../ui/formatMoney.ts';
import drawing from './ClothesLine.module.css';
import styles from './PriceSlider.module.css';
import { describeTotals, estimatePrice } from './priceEstimate.ts';

const POUNDS = LOAD_SIZES.map((size) => LOAD_POUNDS[size]);
const LIGHTEST = Math.min(...POUNDS.map(({ from }) => from));
const HEAVIEST = Math.max(...POUNDS.map(({ to }) => to));
const FIRST_POUNDS = 4;
const KILOGRAMS_PER_POUND = 0.4536;

const kilogramsOf = (pounds: number) => `${(pounds * KILOGRAMS_PER_POUND).toFixed(1)} kg`;

/** What a load costs, from its weight. Without a script the sentence below it says how the price is made up. */
export function PriceSlider({ prices }: { prices: PublicPrices | undefined }) {
  const [pounds, setPounds] = useState(FIRST_POUNDS);
  const loadSize = loadSizeOf(pounds);
  const price = prices && estimatePrice(loadSize, prices);
  return (
    <div className={styles.estimate}>
      <div className={styles.parts}>
        <div className={styles.load}>
          <ClothesLine shirts={countShirts(pounds)} most={countShirts(HEAVIEST)} />
          <WeightInput pounds={pounds} total={price?.totalPrice} onChange={setPounds} />
        </div>
        <div className={styles.price}>
          <PriceBreakdown order={{ loadSize, selfDelivery: false, selfPickup: false }} price={price} />
          <p className={styles.note}>Drop it off or pick it up yourself, and that trip is free.</p>
        </div>
      </div>
      <p className={styles.totals}>{describeTotals(prices)}</p>
    </div>
  );
}

type WeightInputProps = { pounds: number; total: number | undefined; onChange: (pounds: number) => void };

function WeightInput({ pounds, total, onChange }: WeightInputProps) {
  const id = useId();
  const shirts = `about ${countShirts(pounds)} shirts`;
  const spoken = `${pounds} ${pounds === 1 ? 'pound' : 'pounds'}, ${shirts}${total === undefined ? '' : `: ${formatMoney(total)} in total`}`;
  const filled = { '--filled': (pounds - LIGHTEST) / (HEAVIEST - LIGHTEST) } as CSSProperties;
  return (
    <>
      <div className={styles.question}>
        <label htmlFor={id}>How much laundry do you have?</label>
        <p aria-hidden="true">
          <strong>
            {pounds} {pounds === 1 ? 'lb' : 'lbs'}
          </strong>{' '}
          <span className={styles.alike}>
            {kilogramsOf(pounds)}, {shirts}
          </span>
        </p>
      </div>
      <input
        id={id}
        className={styles.weight}
        style={filled}
        type="range"
        min={LIGHTEST}
        max={HEAVIEST}
        value={pounds}
        aria-valuetext={spoken}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <SizeScale pounds={pounds} />
    </>
  );
}

function SizeScale({ pounds }: { pounds: number }) {
  return (
    <ul className={styles.sizes} aria-hidden="true">
      {LOAD_SIZES.map((size) => (
        <li key={size} data-chosen={size === loadSizeOf(pounds) || undefined}>
          {size}{' '}
          <small>
            {LOAD_POUNDS[size].from}-{LOAD_POUNDS[size].to} lbs
          </small>
        </li>
      ))}
    </ul>
  );
}

const [WIDTH, SAG] = [640, 15];
const SHIRT = 'M-11-2-20 5l5 9 5-3v22h20V11l5 3 5-9-9-7c-2 5-20 5-22 0z';

/** How far below its ends the line hangs, at a share of its length. */
const dropAt = (share: number) => 4 * SAG * share * (1 - share);

/** A line with as many shirts as the load has. */
function ClothesLine({ shirts, most }: { shirts: number; most: number }) {
  return (
    <svg className={drawing.line} viewBox={`0 0 ${WIDTH} 70`} aria-hidden="true">
      <path className={drawing.rope} d={`M0 8Q${WIDTH / 2} ${8 + 2 * SAG} ${WIDTH} 8`} />
      {Array.from({ length: most }, (_, index) => (index + 0.5) / most).map((share, index) => (
        <g key={share} transform={`translate(${WIDTH * share} ${12 + dropAt(share)})`}>
          <path className={index < shirts ? drawing.shirt : `${drawing.shirt} ${drawing.away}`} d={SHIRT} />
        </g>
      ))}
    </svg>
  );
}
