import { useState } from 'react';
import type { Town } from '../../../contract/operator/town.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { instantOfLocalTime, localClock } from '../../../domain/localDays.ts';
import { Icon } from '../../ui/icons.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { TouchedOrders } from '../hours/TouchedOrders.tsx';
import { useHasRight } from '../operatorSession.ts';
import { useTown } from '../townQuery.ts';
import { useTownTime } from '../useTownDay.ts';
import styles from './TownState.module.css';

const PAUSE_HOURS = 4;

/** Whether orders are taken now. Those who may change it press it. */
export function TownState() {
  const { data: town } = useTown();
  const mayChange = useHasRight('dispatch');
  const [touched, setTouched] = useState(0);
  if (!town) return null;
  const { pause, closed, timeZone } = town;
  const className = `${styles.state} ${pause || closed ? styles.paused : styles.open}`;
  if (!mayChange)
    return (
      <span className={className}>
        <StateText {...town} />
      </span>
    );
  const chip = (open: () => void) => (
    <button type="button" className={className} onClick={open}>
      <StateText {...town} />
      <span className="sr-only">: {pause ? 'open again' : 'pause'}</span>
      <Icon name="down" size={14} />
    </button>
  );
  if (pause) return <ActFormButton key="open" act="openTown" trigger={chip} />;
  const until = toFieldValue(new Date(Date.now() + PAUSE_HOURS * HOUR_MS), timeZone);
  return (
    <ActFormButton
      key="pause"
      act="pauseTown"
      start={{ until }}
      trigger={chip}
      fields={touched > 0 ? ['until', 'words', 'touched'] : ['until', 'words']}
      onOpen={() => setTouched(0)}
    >
      {(values) => <Touched until={String(values.until ?? '')} timeZone={timeZone} onFound={setTouched} />}
    </ActFormButton>
  );
}

/** The orders with a window in the pause. */
function Touched({ until, ...props }: { until: string; timeZone: string; onFound: (count: number) => void }) {
  const end = until ? instantOfLocalTime(until, props.timeZone) : undefined;
  return end && end > new Date() ? <TouchedOrders from={undefined} until={end} {...props} /> : null;
}

/** On a narrow phone only the state itself: the time is in the settings. */
function StateText({ pause, closed }: Town) {
  const townTime = useTownTime();
  if (!pause && !closed) return 'Open';
  if (!pause) return 'Closed';
  return (
    <>
      Paused<span className={styles.more}> until {townTime(pause.until)}</span>
    </>
  );
}

/** What a field shows for a time on the clocks of the town, like 2026-11-30T08:05. */
function toFieldValue(at: Date, timeZone: string): string {
  const { date, time } = localClock(at, timeZone);
  return `${date}T${time}`;
}
