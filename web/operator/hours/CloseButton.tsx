import type { TownHours } from '../../../contract/operator/hours.ts';
import { findClosed } from '../../../domain/hours.ts';
import { instantOfLocalTime, nextLocalDate } from '../../../domain/localDays.ts';
import { ActFormButton, type FormValues } from '../ActFormButton.tsx';
import styles from './Hours.module.css';
import { openingOf } from './opening.ts';

/** Asks from when until when the town is closed, and what Buds read. At first it is the rest of today. */
export function CloseButton({ hours }: { hours: TownHours }) {
  return (
    <ActFormButton
      act="addClosure"
      name={hours.timeZone}
      start={{ until: `${nextLocalDate(new Date(), hours.timeZone)}T00:00` }}
    >
      {(values) => <Preview hours={hours} values={values} />}
    </ActFormButton>
  );
}

/** What Buds would read when it begins. */
function Preview({ hours, values }: { hours: TownHours; values: FormValues }) {
  const [from, until, words] = [values.from, values.until, values.words].map((value) => String(value ?? ''));
  if (!until || !words?.trim()) return null;
  const instantAt = (local: string) => instantOfLocalTime(local, hours.timeZone);
  const start = from ? instantAt(from) : new Date();
  const closure = { from: start, until: instantAt(until), words: words.trim() };
  if (!(closure.from < closure.until)) return null;
  const opening = openingOf(hours);
  const closed = findClosed({ ...opening, closures: [closure, ...opening.closures] }, start);
  return closed && <p className={styles.preview}>Buds read: “{closed.words}”</p>;
}
