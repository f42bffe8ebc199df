import { useState } from 'react';
import type { TownHours } from '../../../contract/operator/hours.ts';
import { findClosed, findHoursProblem, type Hours } from '../../../domain/hours.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from './Hours.module.css';
import { openingOf } from './opening.ts';
import { type DraftSpan, toDraft, toHours, WeekFields } from './WeekFields.tsx';

/** Asks for the hours of each weekday, and says what they would mean now. */
export function ChangeHoursButton({ hours }: { hours: TownHours }) {
  const [before, setBefore] = useState(hours.hours);
  const [draft, setDraft] = useState<readonly DraftSpan[]>([]);
  const chosen = toHours(draft);
  const problem = chosen && findHoursProblem(chosen);
  return (
    <ActButton
      label="Change…"
      title="When are orders taken?"
      button="Change the Hours"
      done="The hours are changed"
      size="lg"
      isReady={chosen !== undefined && problem === undefined}
      onOpen={() => {
        setBefore(hours.hours);
        setDraft(toDraft(hours.hours));
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.setHours({ body: { before, hours: [...(chosen ?? [])], reason }, idempotencyKey })
      }
    >
      {(errors) => (
        <>
          <WeekFields draft={draft} onChange={setDraft} />
          {(problem ?? errors.hours) && (
            <p role="alert" className={styles.problem}>
              {problem ?? errors.hours}
            </p>
          )}
          {chosen && !problem && <Preview hours={hours} chosen={chosen} />}
        </>
      )}
    </ActButton>
  );
}

function Preview({ hours, chosen }: { hours: TownHours; chosen: Hours }) {
  const closed = findClosed(openingOf({ ...hours, hours: [...chosen] }), new Date());
  return (
    <p className={styles.preview}>
      {chosen.length === 0 && 'Without any times, orders are always taken. '}
      {closed
        ? `With this the town is closed now, and Buds read: “${closed.words}”`
        : 'With this the town is open now.'}
    </p>
  );
}
