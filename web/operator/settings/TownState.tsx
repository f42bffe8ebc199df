import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Town } from '../../../contract/operator/town.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { formatLocalTime } from '../../../domain/hours.ts';
import { instantOfLocalTime, localClock } from '../../../domain/localDays.ts';
import { Icon } from '../../ui/icons.tsx';
import { ActDialog } from '../ActDialog.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { useTown } from '../townQuery.ts';
import styles from './TownState.module.css';

/** Whether orders are taken now. Those who may change it press it. */
export function TownState() {
  const { data: town } = useTown();
  const mayChange = useHasRight('dispatch');
  const [isChanging, setChanging] = useState(false);
  if (!town) return null;
  const { pause, closed } = town;
  const state = pause || closed ? styles.paused : styles.open;
  if (!mayChange)
    return (
      <span className={`${styles.state} ${state}`}>
        <StateText {...town} />
      </span>
    );
  return (
    <>
      <button type="button" className={`${styles.state} ${state}`} onClick={() => setChanging(true)}>
        <StateText {...town} />
        <span className="sr-only">: {pause ? 'open again' : 'pause'}</span>
        <Icon name="down" size={14} />
      </button>
      {isChanging &&
        (pause ? (
          <OpenDialog close={() => setChanging(false)} />
        ) : (
          <PauseDialog timeZone={town.timeZone} close={() => setChanging(false)} />
        ))}
    </>
  );
}

/** On a narrow phone only the state itself: the time is in the settings. */
function StateText({ pause, closed, timeZone }: Town) {
  if (!pause && !closed) return 'Open';
  if (!pause) return 'Closed';
  return (
    <>
      Paused<span className={styles.more}> until {formatLocalTime(new Date(pause.until), timeZone, new Date())}</span>
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
            description={`In ${timeZone}`}
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
