import { useQuery } from '@tanstack/react-query';
import type { TownPrice } from '../../../contract/operator/prices.ts';
import type { Zone } from '../../../contract/operator/zones.ts';
import { unitOf } from '../../../domain/prices.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
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
export function ZonesPage() {
  const mayChange = useHasRight('prices');
  const zones = useZones();
  const prices = useQuery({ queryKey: ['prices'], queryFn: () => operatorApi.listPrices() });
  const found = zones.data?.items;
  const drawn = found?.flatMap(({ corners }) => (corners ? [corners] : [])) ?? [];
  return (
    <>
      <PageHeader
        title="Zones"
        subtitle="A zone can have prices of its own, for orders collected there. A change needs a second operator."
      >
        {mayChange && found && <AddZoneButton zones={found} />}
      </PageHeader>
      <section className={sections.card} aria-label="Zones">
        {zones.isPending && <LoadingRows label="zones" rows={1} isInCard />}
        {zones.isError && !found && <QueryError query={zones} title="The zones did not load" />}
        {found?.length === 0 && <p className="quiet">No zones yet. The whole town has the same prices.</p>}
        {drawn.length > 0 && <LazyZoneMap key={drawn.length} others={drawn} corners={[]} near={[]} />}
        <ul className={pageStyles.rows} aria-label="Zones">
          {found?.map((zone) => (
            <ZoneRow key={zone.id} {...{ zone, mayChange }} zones={found} town={prices.data?.items ?? []} />
          ))}
        </ul>
      </section>
    </>
  );
}

type RowProps = { zone: Zone; zones: readonly Zone[]; town: readonly TownPrice[]; mayChange: boolean };

function ZoneRow({ zone, zones, town, mayChange }: RowProps) {
  const { name, corners, nextAreas, prices, nextPrices } = zone;
  const townDay = useTownDay();
  return (
    <li className={styles.zone}>
      <h3>{name}</h3>
      <p>{corners ? describeCorners(corners) : 'Not active yet'}</p>
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
