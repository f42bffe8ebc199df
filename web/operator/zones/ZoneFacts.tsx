import type { Zone } from '../../../contract/operator/zones.ts';
import { unitOf } from '../../../domain/prices.ts';
import { describeCorners } from '../cornerTexts.ts';
import { ITEM_NAMES, priceText } from '../priceTexts.ts';
import { useTownDay } from '../useTownDay.ts';

/** Where a zone is now and later. */
export function AreaFacts({ zone: { corners, nextAreas } }: { zone: Zone }) {
  const townDay = useTownDay();
  return (
    <>
      <p>{corners ? describeCorners(corners) : 'Not active yet'}</p>
      {nextAreas.map((later) => (
        <p key={later.from} className="quiet">
          {later.corners ? describeCorners(later.corners) : 'Ends'} from {townDay(later.from)}
        </p>
      ))}
    </>
  );
}

/** The prices of a zone now and later. */
export function PriceFacts({ zone: { prices, nextPrices } }: { zone: Zone }) {
  const townDay = useTownDay();
  return (
    <>
      <p>{describePrices(prices)}</p>
      {nextPrices.map((later) => (
        <p key={later.from} className="quiet">
          {describePrices(later.prices)} from {townDay(later.from)}
        </p>
      ))}
    </>
  );
}

const describePrices = (prices: Zone['prices']): string =>
  prices.map(({ item, value }) => `${ITEM_NAMES[item]}: ${priceText(unitOf(item), value)}`).join('; ') ||
  'The prices of the town';
