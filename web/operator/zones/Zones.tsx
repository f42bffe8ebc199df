import { useQuery } from '@tanstack/react-query';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import type { Zone } from '../../../contract/operator/zones.ts';
import { unitOf } from '../../../domain/prices.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { describeCorners } from '../cornerTexts.ts';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import pageStyles from '../prices.module.css';
import { ITEM_NAMES, priceText } from '../priceTexts.ts';
import sections from '../sections.module.css';
import { useTownDay } from '../useTownDay.ts';
import { useZones } from '../useZones.ts';
import { LazyZoneMap } from './LazyZoneMap.tsx';
import { AddZoneButton, DrawZoneButton, EndZoneButton } from './ZoneActs.tsx';
import { ZonePricesButton } from './ZonePricesButton.tsx';
import styles from './Zones.module.css';

/** Parts of the town with prices of their own. */
export function Zones() {
  const mayChange = useHasRight('prices');
  const zones = useZones();
  const prices = useQuery({ queryKey: ['prices'], queryFn: () => operatorApi.listPrices() });
  const found = zones.data?.items;
  const drawn = found?.flatMap(({ corners }) => (corners ? [corners] : [])) ?? [];
  return (
    <section className={sections.card}>
      <SectionHeader title="Zones">{mayChange && found && <AddZoneButton zones={found} />}</SectionHeader>
      {zones.isPending && <LoadingRows label="zones" rows={1} isInCard />}
      {zones.isError && !found && <QueryError query={zones} title="The zones did not load" />}
      {found?.length === 0 && (
        <p className="quiet">
          The whole town has one list of prices. A zone can have its own, for orders that are fetched there.
        </p>
      )}
      {drawn.length > 0 && <LazyZoneMap key={drawn.length} others={drawn} corners={[]} near={[]} />}
      <ul className={pageStyles.rows} aria-label="Zones">
        {found?.map((zone) => (
          <ZoneRow key={zone.id} {...{ zone, mayChange }} zones={found} town={prices.data?.items ?? []} />
        ))}
      </ul>
    </section>
  );
}

type RowProps = { zone: Zone; zones: readonly Zone[]; town: readonly TownPrice[]; mayChange: boolean };

function ZoneRow({ zone, zones, town, mayChange }: RowProps) {
  const { name, corners, nextAreas, prices, nextPrices } = zone;
  const townDay = useTownDay();
  return (
    <li className={styles.zone}>
      <h3>{name}</h3>
      <p>{corners ? describeCorners(corners) : 'Does not hold yet'}</p>
      {nextAreas.map((later) => (
        <p key={later.from} className="quiet">
          {later.corners ? describeCorners(later.corners) : 'Ends'} from {townDay(later.from)}
        </p>
      ))}
      <p>{describePrices(prices)}</p>
      {nextPrices.map((later) => (
        <p key={later.from} className="quiet">
          {describePrices(later.prices)} from {townDay(later.from)}
        </p>
      ))}
      {mayChange && (
        <div className="buttons">
          <ZonePricesButton zone={zone} town={town} />
          <DrawZoneButton zone={zone} zones={zones} />
          <EndZoneButton zone={zone} />
        </div>
      )}
    </li>
  );
}

const describePrices = (prices: Zone['prices']): string =>
  prices.map(({ item, value }) => `${ITEM_NAMES[item]}: ${priceText(unitOf(item), value)}`).join('; ') ||
  'The prices of the town';
