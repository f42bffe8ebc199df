import type { Today } from '../../../contract/operator/today.ts';
import { startOfLocalDay } from '../../../domain/localDays.ts';
import { nameOfDay } from '../../../texts/windows.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import styles from './TodayPage.module.css';

const KINDS = { pickup: 'Pickups', return: 'Returns' } as const;

/** How full the windows of today and tomorrow are, in each zone. Nothing where the town offers none. */
export function TodayWindows({ today: { windows, at } }: { today: Today }) {
  const { timeZone = 'UTC' } = useTown().data ?? {};
  // Outside of all zones only where something is, or there is no zone.
  const rows = windows.filter(
    ({ zone, taken }) => zone !== null || taken > 0 || windows.every((one) => one.zone === null),
  );
  if (rows.length === 0) return null;
  const days = Map.groupBy(rows, ({ day }) => day);
  return (
    <section className={sections.card} aria-label="Windows">
      <SectionHeader title="Windows" />
      {[...days].map(([day, ofDay]) => (
        <div key={day} className={styles.windows}>
          <h3>{nameOfDay(startOfLocalDay(day, timeZone), timeZone, new Date(at))}</h3>
          <ul>
            {ofDay.map(({ kind, zone, places, taken }) => (
              <li key={`${kind} ${zone}`}>
                <span>
                  {KINDS[kind]}
                  {zone !== null && `, ${zone}`}
                </span>
                <meter
                  min={0}
                  max={Math.max(places, taken, 1)}
                  value={taken}
                  aria-label={`${taken} of ${places} taken`}
                />
                <span className="tabular">
                  {taken} of {places} taken
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
