import type { TownMap } from '../../../contract/operator/today.ts';
import { useCanDrawMaps } from '../../places/LazyRouteMap.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import styles from './TownMapCard.module.css';

const DrawnTownMap = lazyPart('The map', async () => (await import('./DrawnTownMap.tsx')).DrawnTownMap);

type TownMapCardProps = { map: TownMap | undefined; isFailed: boolean };

/** Where the deliveries are, in a map where one can be drawn, and in words everywhere. */
export function TownMapCard({ map, isFailed }: TownMapCardProps) {
  const canDraw = useCanDrawMaps();
  // Its room is kept while it loads.
  const hasMap = map ? map.deliveries.length + map.scrubs.length > 0 : !isFailed;
  return (
    <section aria-labelledby="town-map">
      <div id="town-map">
        <SectionHeader title="In the town" />
      </div>
      <div className={styles.card}>
        {canDraw && hasMap && <div className={styles.map}>{map && <DrawnTownMap map={map} />}</div>}
        <p className={styles.legend}>{textOf(map, isFailed)}</p>
      </div>
    </section>
  );
}

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

function textOf(map: TownMap | undefined, isFailed: boolean): string {
  if (!map) return isFailed ? 'The map did not load. It is tried again.' : 'Loading…';
  const waiting = map.deliveries.filter(({ status }) => status === 'Pending').length;
  const moving = map.deliveries.length - waiting;
  const parts = [
    count(waiting, 'delivery waits for a Duber', 'deliveries wait for a Duber'),
    count(moving, 'is under way', 'are under way'),
    count(map.scrubs.length, 'Scrub takes orders', 'Scrubs take orders'),
  ];
  return `${parts.join(', ')}.`;
}
