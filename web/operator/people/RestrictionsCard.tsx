import type { Hold, Person } from '../../../contract/operator/people.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { RESTRICTION_TEXTS } from '../peopleTexts.ts';
import sections from '../sections.module.css';
import { useTownTime } from '../useTownDay.ts';
import styles from './people.module.css';

/** The present and earlier restrictions of a person. */
export function RestrictionsCard({ person: { id, holds }, mayLift }: { person: Person; mayLift: boolean }) {
  const townTime = useTownTime();
  return (
    <section className={sections.card}>
      <SectionHeader title="Holds" />
      {holds.length === 0 && <p className="quiet">None, now and before</p>}
      <ul className={styles.rows}>
        {holds.map((hold) => (
          <li key={`${hold.kind} ${hold.from}`}>
            <div className={styles.line}>
              <strong>{RESTRICTION_TEXTS[hold.kind]}</strong>
              {mayLift &&
                hold.liftedAt === null &&
                !hold.isOfSuspension &&
                !hold.isOfAdmission &&
                !hold.isOfErasure && <LiftButton id={id} hold={hold} />}
            </div>
            <p>{hold.by ? `${hold.by.name}: “${hold.reason}”` : hold.reason}</p>
            <p className="quiet">{timesOf(hold, townTime)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function timesOf({ from, liftedAt, liftedBy, isOfSuspension }: Hold, townTime: (iso: string) => string): string {
  const since = `Since ${townTime(from)}${isOfSuspension ? ', with the suspension' : ''}`;
  if (liftedAt === null) return since;
  return `From ${townTime(from)} to ${townTime(liftedAt)}, lifted ${liftedBy ? `by ${liftedBy.name}` : 'by itself'}`;
}

const LiftButton = ({ id, hold: { kind } }: { id: string; hold: Hold }) => (
  <ActFormButton
    act="liftHold"
    name={RESTRICTION_TEXTS[kind]}
    params={{ id }}
    body={{ kind }}
    needsApproval={kind === 'payout'}
  >
    {kind === 'payout' && <p>Then the next payout has what waits, unless something else holds it.</p>}
  </ActFormButton>
);
