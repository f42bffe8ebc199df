import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Town } from '../../../contract/operator/town.ts';
import { formatDateInText } from '../../ui/format.ts';
import { ActDialog } from '../ActDialog.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import styles from './TownState.module.css';
import { useTown } from './townQuery.ts';

const HOUR_MS = 60 * 60_000;

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
        (pause ? <OpenDialog close={() => setChanging(false)} /> : <PauseDialog close={() => setChanging(false)} />)}
    </div>
  );
}

/** On a narrow phone only the state itself: the time is in the settings. */
function StateText({ pause, closed }: Town) {
  if (pause)
    return (
      <>
        Paused<span className={styles.more}> until {formatDateInText(pause.until)}</span>
      </>
    );
  return closed ? 'Closed now' : 'Town is open';
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

/** The value of a field for a local time. */
function toLocalInput(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function PauseDialog({ close }: { close: () => void }) {
  const [until, setUntil] = useState(() => toLocalInput(new Date(Date.now() + 4 * HOUR_MS)));
  const [words, setWords] = useState('');
  const time = new Date(until);
  return (
    <ActDialog
      title="Pause the town?"
      button="Take No New Orders"
      done="No new orders are taken"
      isReady={!Number.isNaN(time.getTime())}
      run={(reason, idempotencyKey) =>
        operatorApi.pauseTown({ body: { until: time.toISOString(), words, reason }, idempotencyKey })
      }
      onClose={close}
    >
      {(errors) => (
        <>
          <p>Orders and deliveries that are under way go on.</p>
          <TextInput
            label="Until"
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
