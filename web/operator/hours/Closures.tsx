import type { Closure, TownHours } from '../../../contract/operator/hours.ts';
import { Badge } from '../../ui/Badge.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { useHasRight } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { TownTime } from '../TownTime.tsx';
import { useTownTime } from '../useTownDay.ts';
import { CloseButton } from './CloseButton.tsx';
import styles from './Hours.module.css';

/** The closures of now and those to come. */
export function Closures({ hours }: { hours: TownHours }) {
  const mayChange = useHasRight('prices');
  const { closures } = hours;
  return (
    <section className={sections.card}>
      <SectionHeader title="Closures">{mayChange && <CloseButton hours={hours} />}</SectionHeader>
      {closures.length === 0 && <p className="quiet">No closures planned.</p>}
      <ul className={styles.list} aria-label="Closures">
        {closures.map((closure) => (
          <ClosureRow key={closure.id} closure={closure} mayChange={mayChange} />
        ))}
      </ul>
    </section>
  );
}

function ClosureRow({ closure, mayChange }: { closure: Closure; mayChange: boolean }) {
  const townTime = useTownTime();
  const { id, zone, from, until, words, addedBy } = closure;
  const isNow = Date.parse(from) <= Date.now();
  return (
    <li className={styles.row}>
      <div>
        <p>
          {zone && <strong>{zone.name}: </strong>}
          <TownTime at={from} /> to {townTime(until)} {isNow && <Badge color="sun">Now</Badge>}
        </p>
        <p className={styles.words}>{words}</p>
        <p className="quiet">Added by {addedBy}</p>
      </div>
      {mayChange && (
        <ActFormButton
          act="takeBackClosure"
          name={words}
          params={{ id }}
          {...(isNow
            ? {
                label: 'Open…',
                title: 'End this closure?',
                button: 'Take Orders Again',
                done: 'The closure has ended',
              }
            : {})}
        />
      )}
    </li>
  );
}
