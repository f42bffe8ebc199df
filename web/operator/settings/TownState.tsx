import type { Town } from '../../../contract/operator/town.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { Icon } from '../../ui/icons.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { PauseButton } from '../hours/PauseButton.tsx';
import { useHasRight } from '../operatorSession.ts';
import { useTown } from '../townQuery.ts';
import { useTownTime } from '../useTownDay.ts';
import styles from './TownState.module.css';

const PAUSE_HOURS = 4;

/** Whether orders are taken now. Those who may change it press it. */
export function TownState() {
  const { data: town } = useTown();
  const mayChange = useHasRight('dispatch');
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
  const until = new Date(Date.now() + PAUSE_HOURS * HOUR_MS);
  return <PauseButton key="pause" {...{ timeZone, until }} trigger={chip} />;
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
