import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Person } from '../../../contract/operator/people.ts';
import { RESTRICTION_KINDS, type RestrictionKind } from '../../../domain/restrictions.ts';
import { firstNameOf } from '../../ui/format.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useOperator } from '../operatorSession.ts';
import styles from './people.module.css';
import { RESTRICTION_TEXTS } from './peopleTexts.ts';
import { SuspendButton } from './SuspendButton.tsx';

/** The acts about a person. */
export function PersonActs({ person }: { person: Person }) {
  const { id, fullname, suspension } = person;
  const params = { id };
  const name = firstNameOf(fullname);
  const reads = `Why? ${name} reads it in an email`;
  return (
    <div className={styles.buttons} style={{ marginBlock: 16 }}>
      {suspension ? <SuspensionActs person={person} reasonLabel={reads} /> : <SuspendButton person={person} />}
      <RestrictButton person={person} reasonLabel={reads} />
      <ActButton
        title={`Sign ${name} out everywhere?`}
        label="Sign Out Everywhere"
        button="Sign Out Everywhere"
        done={`${name} is signed out everywhere`}
        reasonLabel={reads}
        run={(reason, idempotencyKey) => operatorApi.signOutPerson({ params, body: { reason }, idempotencyKey })}
      >
        <p>{name} can sign in again.</p>
      </ActButton>
      <ActButton
        title="Write a note"
        label="Note"
        button="Write It Down"
        done="The note is in the audit"
        reasonLabel="Note"
        run={(reason, idempotencyKey) => operatorApi.notePerson({ params, body: { reason }, idempotencyKey })}
      >
        <p>Only operators read it.</p>
      </ActButton>
    </div>
  );
}

type ActsProps = { readonly person: Person; readonly reasonLabel: string };

function SuspensionActs({ person, reasonLabel }: ActsProps) {
  const operator = useOperator();
  const isOwn = person.suspension?.by.id === operator.id;
  return (
    <>
      {isOwn ? (
        <p className="quiet">You have suspended {firstNameOf(person.fullname)}. Another operator can end it.</p>
      ) : (
        <ReinstateButton person={person} />
      )}
      <KeepLongerButton person={person} reasonLabel={reasonLabel} />
    </>
  );
}

function ReinstateButton({ person: { id, fullname } }: { person: Person }) {
  const name = firstNameOf(fullname);
  return (
    <ActButton
      title={`Reinstate ${name}?`}
      button="Reinstate"
      variant="filled"
      done={`${name} is no longer suspended`}
      run={(reason, idempotencyKey) => operatorApi.reinstate({ params: { id }, body: { reason }, idempotencyKey })}
    >
      <p>
        What the suspension kept them from is allowed again. Other holds stay, and work that others have now does not
        come back.
      </p>
    </ActButton>
  );
}

function KeepLongerButton({ person: { id, fullname, suspension }, reasonLabel }: ActsProps) {
  const [day, setDay] = useState(() => suspension?.until.slice(0, 10) ?? '');
  const until = new Date(`${day}T12:00:00.000Z`);
  return (
    <ActButton
      title={`Keep ${firstNameOf(fullname)} suspended longer?`}
      label="Keep Longer…"
      button="Ask for Approval"
      done="The suspension is longer"
      reasonLabel={reasonLabel}
      isReady={!Number.isNaN(until.getTime())}
      run={(reason, idempotencyKey) =>
        operatorApi.extendSuspension({ params: { id }, body: { until: until.toISOString(), reason }, idempotencyKey })
      }
    >
      {(errors) => (
        <>
          <p>Another operator must approve it.</p>
          <TextInput
            label="Until"
            type="date"
            value={day}
            error={errors.until}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
        </>
      )}
    </ActButton>
  );
}

function RestrictButton({ person: { id, fullname }, reasonLabel }: ActsProps) {
  const [kind, setKind] = useState<RestrictionKind>('payout');
  const options = RESTRICTION_KINDS.map((value) => ({ value, label: RESTRICTION_TEXTS[value] }));
  return (
    <ActButton
      title={`Hold something of ${firstNameOf(fullname)}?`}
      label="Hold…"
      button="Set the Hold"
      done="The hold is set"
      reasonLabel={reasonLabel}
      run={(reason, idempotencyKey) =>
        operatorApi.holdPerson({ params: { id }, body: { kind, reason }, idempotencyKey })
      }
    >
      {(errors) => (
        <>
          <p>Open work goes on. It holds until it is lifted.</p>
          <NativeSelect
            label="What"
            data={options}
            value={kind}
            error={errors.kind}
            onChange={(event) => setKind(event.currentTarget.value as RestrictionKind)}
          />
        </>
      )}
    </ActButton>
  );
}
