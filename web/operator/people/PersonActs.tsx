import { useContext } from 'react';
import type { Person } from '../../../contract/operator/people.ts';
import { localDate } from '../../../domain/localDays.ts';
import { firstNameOf } from '../../ui/format.ts';
import { ActFormButton } from '../ActFormButton.tsx';
import { useOperator } from '../operatorSession.ts';
import { useTownAlone } from '../useConsent.ts';
import { TownTimeZone } from '../useTownDay.ts';
import styles from './people.module.css';
import { SuspendButton } from './SuspendButton.tsx';

/** The acts about a person. */
export function PersonActs({ person }: { person: Person }) {
  const { id, fullname, suspension } = person;
  const { caps } = useOperator();
  const about = { name: firstNameOf(fullname), params: { id } };
  return (
    <div className={styles.buttons} style={{ marginBlock: 16 }}>
      {suspension ? <SuspensionActs person={person} /> : <SuspendButton person={person} />}
      <ActFormButton act="holdPerson" {...about} start={{ kind: 'payout' }} />
      <ActFormButton act="signOutPerson" {...about} />
      <ActFormButton act="notePerson" {...about} />
      {!person.erasure && caps.includes('admin') && <ActFormButton act="erasePerson" {...about} />}
    </div>
  );
}

function SuspensionActs({ person: { id, fullname, suspension } }: { person: Person }) {
  const operator = useOperator();
  const { runsAlone } = useTownAlone();
  const timeZone = useContext(TownTimeZone);
  const about = { name: firstNameOf(fullname), params: { id } };
  return (
    <>
      {suspension?.by.id === operator.id && !runsAlone ? (
        <p className="quiet">You have suspended {about.name}. Another operator can end it.</p>
      ) : (
        <ActFormButton act="reinstate" {...about} needsApproval={suspension?.by.id === operator.id} />
      )}
      <ActFormButton
        act="extendSuspension"
        {...about}
        start={{ until: suspension ? localDate(new Date(suspension.until), timeZone) : '' }}
      />
    </>
  );
}
