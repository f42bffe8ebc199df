import { useState } from 'react';
import type { TownHours } from '../../../contract/operator/hours.ts';
import { findClosed } from '../../../domain/hours.ts';
import { instantOfLocalTime, nextLocalDate } from '../../../domain/localDays.ts';
import { ActFormButton, type FormValues } from '../ActFormButton.tsx';
import { useZoneOptions } from '../useZones.ts';
import styles from './Hours.module.css';
import { openingOf } from './opening.ts';
import { TouchedOrders } from './TouchedOrders.tsx';

const FIELDS = ['from', 'until', 'words'] as const;

/**
 * Asks from when until when the town or a zone is closed, what Buds read, and what becomes of the orders with a window then. At first it
 * is the rest of today, in the whole town.
 */
export function CloseButton({ hours }: { hours: TownHours }) {
  const [touched, setTouched] = useState(0);
  const zones = useZoneOptions();
  return (
    <ActFormButton
      act="addClosure"
      name={hours.timeZone}
      start={{ until: `${nextLocalDate(new Date(), hours.timeZone)}T00:00` }}
      fields={[...(zones.isAsked ? ['zone' as const] : []), ...FIELDS, ...(touched > 0 ? ['touched' as const] : [])]}
      textsOf={zones.textsOf}
      onOpen={() => setTouched(0)}
    >
      {(values) => <Preview hours={hours} values={values} onTouched={setTouched} />}
    </ActFormButton>
  );
}

/** What Buds would read when it begins, and whom it touches. */
function Preview({
  hours,
  values,
  onTouched,
}: {
  hours: TownHours;
  values: FormValues;
  onTouched: (count: number) => void;
}) {
  const { timeZone } = hours;
  const [from, until, words, zone] = [values.from, values.until, values.words, values.zone].map((value) =>
    String(value ?? ''),
  );
  if (!until) return null;
  const instantAt = (local: string) => instantOfLocalTime(local, timeZone);
  const span = { from: from ? instantAt(from) : new Date(), until: instantAt(until) };
  if (!(span.from < span.until)) return null;
  const opening = openingOf(hours, zone || null);
  const closure = { ...span, words: words?.trim() ?? '' };
  const closed = closure.words ? findClosed({ ...opening, closures: [closure, ...opening.closures] }, span.from) : null;
  return (
    <>
      {closed && <p className={styles.preview}>Buds read: “{closed.words}”</p>}
      <TouchedOrders
        from={from ? span.from : undefined}
        until={span.until}
        zone={zone || undefined}
        timeZone={timeZone}
        onFound={onTouched}
      />
    </>
  );
}
