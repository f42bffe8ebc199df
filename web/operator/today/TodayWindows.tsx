import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Today } from '../../../contract/operator/today.ts';
import { nextLocalDate, startOfLocalDay } from '../../../domain/localDays.ts';
import { type BookedPart, NO_ZONE } from '../../../domain/windows.ts';
import { nameOfDay } from '../../../texts/windows.ts';
import { Badge } from '../../ui/Badge.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { PauseButton } from '../hours/PauseButton.tsx';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { useTownTime } from '../useTownDay.ts';
import styles from './TodayWindows.module.css';

type ZoneWindows = Today['windows'][number];
type DayWindows = ZoneWindows['days'][number];

const isBusy = ({ pickup, return: back, promised, atRisk }: DayWindows) =>
  pickup.taken + back.taken + promised + atRisk > 0;

/** How full the windows of today and tomorrow are in each zone, and what is promised. Nothing where the town offers none. */
export function TodayWindows({ today: { windows, at } }: { today: Today }) {
  const { timeZone = 'UTC', pause } = useTown().data ?? {};
  const mayPause = useHasRight('dispatch');
  // Outside of all zones only where something is, or there is no zone.
  const shown = windows.filter(({ zone, days }) => zone !== null || windows.length === 1 || days.some(isBusy));
  if (shown.length === 0) return null;
  const tonight = { timeZone, until: startOfLocalDay(nextLocalDate(new Date(at), timeZone), timeZone) };
  return (
    <section className={`${sections.card} ${styles.windows}`} aria-label="Windows">
      <SectionHeader title="Windows">
        {mayPause && !pause && windows.length === 1 && <PauseTonight {...tonight} />}
      </SectionHeader>
      {shown.map((row) => (
        <ZoneRow key={row.zone?.id ?? NO_ZONE} row={row} tonight={tonight} isAlone={windows.length === 1} at={at} />
      ))}
    </section>
  );
}

type Tonight = { readonly timeZone: string; readonly until: Date };
type ZoneRowProps = { row: ZoneWindows; tonight: Tonight; isAlone: boolean; at: string };

function ZoneRow({ row: { zone, closedUntil, days }, tonight, isAlone, at }: ZoneRowProps) {
  const { timeZone } = tonight;
  const townTime = useTownTime();
  const mayPause = useHasRight('dispatch');
  return (
    <div className={styles.zone}>
      {!isAlone && (
        <div className={styles.head}>
          <h3>{zone?.name ?? 'Outside every zone'}</h3>
          {closedUntil && <Badge color="sun">Closed until {townTime(closedUntil)}</Badge>}
          {mayPause && zone && (closedUntil ? <OpenZone zone={zone} /> : <PauseTonight {...tonight} zone={zone} />)}
        </div>
      )}
      {days.map((day) => (
        <div key={day.day} className={styles.day}>
          <p className={styles.name}>{nameOfDay(startOfLocalDay(day.day, timeZone), timeZone, new Date(at))}</p>
          {isBusy(day) ? (
            <dl className={styles.numbers}>
              <Places label="Pickups" part="pickup" {...day.pickup} to={linkTo(day, zone)} />
              <Places label="Returns" part="return" {...day.return} to={linkTo(day, zone)} />
              <Count label="To be back" part="promised" count={day.promised} to={linkTo(day, zone)} />
              <Count label="At risk" part="at-risk" count={day.atRisk} to={linkTo(day, zone)} isUrgent />
            </dl>
          ) : (
            <p className={styles.free}>
              Nothing booked: {day.pickup.places} {day.pickup.places === 1 ? 'pickup' : 'pickups'} and{' '}
              {day.return.places} {day.return.places === 1 ? 'return' : 'returns'} free
            </p>
          )}
        </div>
      ))}
    </div>
  );
}

/** The list that a number counts. */
const linkTo =
  ({ day }: DayWindows, zone: ZoneWindows['zone']) =>
  (booked: BookedPart): string =>
    `/operator/orders?${new URLSearchParams({ booked, day, zone: zone?.id ?? NO_ZONE })}`;

type NumberProps = { label: string; part: BookedPart; to: (part: BookedPart) => string };

function Places({ label, part, places, taken, to }: NumberProps & { places: number; taken: number }) {
  return (
    <div className={styles.number}>
      <dt>{label}</dt>
      <dd>
        <Value count={taken} to={to(part)}>
          {taken} of {places}
        </Value>
        <meter min={0} max={Math.max(places, taken, 1)} value={taken} aria-label={`${taken} of ${places} taken`} />
      </dd>
    </div>
  );
}

function Count({ label, part, count, to, isUrgent = false }: NumberProps & { count: number; isUrgent?: boolean }) {
  return (
    <div className={isUrgent && count > 0 ? `${styles.number} ${styles.urgent}` : styles.number}>
      <dt>{label}</dt>
      <dd>
        <Value count={count} to={to(part)}>
          {count}
        </Value>
      </dd>
    </div>
  );
}

/** A number with the link to what it counts, where that is something. */
function Value({ count, to, children }: { count: number; to: string; children: ReactNode }) {
  if (count === 0) return <span className="tabular">{children}</span>;
  return (
    <Link to={to} className="tabular">
      {children}
    </Link>
  );
}

function PauseTonight({ zone, ...tonight }: Tonight & { zone?: { id: string; name: string } }) {
  return (
    <PauseButton
      {...tonight}
      {...(zone ? { zone } : {})}
      trigger={(open) => (
        <Button variant="default" size="compact-md" onClick={open}>
          Pause Tonight…{zone && <span className="sr-only"> {zone.name}</span>}
        </Button>
      )}
    />
  );
}

function OpenZone({ zone: { id, name } }: { zone: { id: string; name: string } }) {
  return (
    <ActFormButton
      act="openTown"
      title={`Open ${name} again?`}
      done={`${name} takes orders again`}
      body={{ zone: id }}
      trigger={(open) => (
        <Button variant="default" size="compact-md" onClick={open}>
          Open…<span className="sr-only"> {name}</span>
        </Button>
      )}
    />
  );
}
