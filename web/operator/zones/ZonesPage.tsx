import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { ListPage } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { useHasRight } from '../operatorSession.ts';
import { useChangeText } from '../useConsent.ts';
import { useZones } from '../useZones.ts';
import { LazyZoneMap } from './LazyZoneMap.tsx';
import { AreaFacts, PriceFacts } from './ZoneFacts.tsx';
import styles from './Zones.module.css';

/** Parts of the town with prices of their own. */
export function ZonesPage() {
  const mayChange = useHasRight('prices');
  const zones = useZones();
  const change = useChangeText('A change');
  const drawn = zones.data?.items.flatMap(({ corners }) => (corners ? [corners] : [])) ?? [];
  return (
    <ListPage
      title="Zones"
      subtitle={`A zone can have prices of its own, for orders collected there. ${change}`}
      actions={
        mayChange && (
          <Button component={Link} to="/operator/zones/new">
            Add Zone
          </Button>
        )
      }
      what="zones"
      query={zones}
      rows={zones.data?.items}
      empty="No zones yet. The whole town has the same prices."
      drawing="pin"
    >
      {(rows) => (
        <div className={styles.page}>
          {drawn.length > 0 && <LazyZoneMap key={drawn.length} others={drawn} corners={[]} near={[]} />}
          <ul className={cards.list} aria-label="Zones">
            {rows.map((zone) => (
              <li key={zone.id}>
                <Link className={cards.card} to={`/operator/zones/${zone.id}`}>
                  <h2>{zone.name}</h2>
                  <AreaFacts zone={zone} />
                  <PriceFacts zone={zone} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </ListPage>
  );
}
