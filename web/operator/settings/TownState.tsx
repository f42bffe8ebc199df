import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Town } from '../../../contract/operator/town.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { formatLocalTime } from '../../../domain/hours.ts';
import { instantOfLocalTime, localClock } from '../../../domain/localDays.ts';
import { ActDialog } from '../ActDialog.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { useTown } from '../townQuery.ts';
import styles from './TownState.module.css';

/** Whether orders are taken now, with the button that changes it. */
export function TownState() {
  const { data: town } = useTown();
  const mayChange = useHasRight('dispatch');
  const [isChanging, setChanging] = useState(false);
  if (!town) return null;
  const { pause, closed } = town;
  return (
    <div className={styles.state}>
      <span className={pause || closed ? styles.paused : styles.open}>
        <StateText {...town} />
      </span>
      {mayChange && (
        <Button className={styles.button} size="compact-md" variant="default" onClick={() => setChanging(true)}>
          {pause ? 'Open' : 'Pause'}
        </Button>
      )}
      {isChanging &&
        (pause ? (
          <OpenDialog close={() => setChanging(false)} />
        ) : (
          <PauseDialog timeZone={town.timeZone} close={() => setChanging(false)} />
        ))}
    </div>
  );
}

/** On a narrow phone only the state itself: the time is in the settings. */
function StateText({ pause, closed, timeZone }: Town) {
  if (pause)
    return (
      <>
        Paused<span className={styles.more}> until {formatLocalTime(new Date(pause.until), timeZone, new Date())}</span>
      </>
    );
  if (closed)
    return (
      <>
        Closed<span className={styles.more}> now</span>
      </>
    );
  return (
    <>
      <span className={styles.more}>Town is </span>open
    </>
  );
}

function OpenDialog({ close }: { close: () => void }) {
  return (
    <ActDialog
      title="Open the town?"
      button="Take Orders Again"
      done="The town is open"
      run={(reason, idempotencyKey) => operatorApi.openTown({ body: { reason }, idempotencyKey })}
      onClose={close}
    />
  );
}

/** What a field shows for a time on the clocks of the town, like 2026-11-30T08:05. */
function toFieldValue(at: Date, timeZone: string): string {
  const { date, time } = localClock(at, timeZone);
  return `${date}T${time}`;
}

function PauseDialog({ timeZone, close }: { timeZone: string; close: () => void }) {
  const [until, setUntil] = useState(() => toFieldValue(new Date(Date.now() + 4 * HOUR_MS), timeZone));
  const [words, setWords] = useState('');
  return (
    <ActDialog
      title="Pause the town?"
      button="Take No New Orders"
      done="No new orders are taken"
      isReady={until !== ''}
      run={(reason, idempotencyKey) =>
        operatorApi.pauseTown({
          body: { until: instantOfLocalTime(until, timeZone).toISOString(), words, reason },
          idempotencyKey,
        })
      }
      onClose={close}
    >
      {(errors) => (
        <>
          <p>Orders and deliveries that are under way go on.</p>
          <TextInput
            label="Until"
            description={`On the clocks of ${timeZone}`}
            type="datetime-local"
            value={until}
            error={errors.until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
          <Textarea
            label="What people read"
            placeholder="There is a storm. We take orders again tomorrow at 8."
            rows={2}
            maxLength={300}
            value={words}
            error={errors.words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
        </>
      )}
    </ActDialog>
  );
}
