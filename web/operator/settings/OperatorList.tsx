import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatorAccount } from '../../../contract/operator/operators.ts';
import { PERMISSIONS, type Permission } from '../../../domain/operators.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatDateInText } from '../../ui/format.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActButton } from '../ActButton.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useOperator } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { PERMISSION_TEXTS } from './permissionTexts.ts';
import styles from './SettingsPage.module.css';

/** Who runs the town, and with which rights. */
export function OperatorList() {
  const operators = useQuery({ queryKey: ['operators'], queryFn: () => operatorApi.listOperators() });
  return (
    <section className={sections.card}>
      <SectionHeader title="Operators">
        <InviteButton />
      </SectionHeader>
      {operators.isPending && <LoadingRows label="operators" rows={2} isInCard />}
      {operators.isError && <QueryError query={operators} title="The operators did not load" />}
      <ul className={styles.operators}>
        {operators.data?.items.map((operator) => (
          <OperatorRow key={operator.id} operator={operator} />
        ))}
      </ul>
      {operators.data && operators.data.invitations.length > 0 && (
        <>
          <h3>Invited</h3>
          <ul className={styles.operators}>
            {operators.data.invitations.map((invitation) => (
              <InvitationRow key={invitation.email} invitation={invitation} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

type Invitation = Awaited<ReturnType<typeof operatorApi.listOperators>>['invitations'][number];

function InvitationRow({ invitation: { email, caps, expiresAt } }: { invitation: Invitation }) {
  return (
    <li className={styles.operator}>
      <div>
        <p>{email}</p>
        <p className="quiet">
          {caps.map((permission) => PERMISSION_TEXTS[permission].name).join(', ') || 'No rights'}. Until{' '}
          {formatDateInText(expiresAt)}
        </p>
      </div>
      <ActButton
        label="Take Back…"
        title={`Take back the invitation of ${email}?`}
        button="Take It Back"
        done="The invitation is taken back"
        isDestructive
        run={(reason, idempotencyKey) => operatorApi.revokeInvitation({ body: { email, reason }, idempotencyKey })}
      />
    </li>
  );
}

type OperatorProps = { readonly operator: OperatorAccount };

function OperatorRow({ operator }: OperatorProps) {
  const { id: own } = useOperator();
  const { id, fullname, email, caps, isDemo, lastUsedAt } = operator;
  return (
    <li className={styles.operator}>
      <div>
        <p>
          <strong>{fullname}</strong>
          {id === own && ' (you)'}
          {isDemo && ' (demo)'}
        </p>
        <p className="quiet">{email}</p>
        <p className="quiet">{caps.map((permission) => PERMISSION_TEXTS[permission].name).join(', ') || 'No rights'}</p>
        <p className="quiet">
          {lastUsedAt === null ? 'Has not signed in yet' : `Here last on ${formatDateInText(lastUsedAt)}`}
        </p>
      </div>
      <div className={styles.buttons}>
        <RightsButton operator={operator} />
        {!isDemo && <LostPhoneButton operator={operator} />}
        {id !== own && <LeavesButton operator={operator} />}
      </div>
    </li>
  );
}

function RightsButton({ operator: { id, fullname, caps } }: OperatorProps) {
  const [chosen, setChosen] = useState<readonly Permission[]>(caps);
  return (
    <ActButton
      label="Rights…"
      title={`What may ${fullname} do?`}
      button="Change Rights"
      done="The rights are changed"
      onOpen={() => setChosen(caps)}
      run={(reason, idempotencyKey) => {
        const body = { before: [...caps], caps: [...chosen], reason };
        return operatorApi.changeRights({ params: { id }, body, idempotencyKey });
      }}
    >
      <RightsField value={chosen} onChange={setChosen} />
    </ActButton>
  );
}

function LostPhoneButton({ operator: { id, fullname } }: OperatorProps) {
  return (
    <ActButton
      label="Lost Phone…"
      title={`A new second factor for ${fullname}?`}
      button="Ask for Approval"
      done={`${fullname} has a mail with a link`}
      run={(reason, idempotencyKey) => operatorApi.resetFactor({ params: { id }, body: { reason }, idempotencyKey })}
    >
      <p>
        Once another operator has approved it, every session and passkey ends, and {fullname} gets a link for a new
        password and phone.
      </p>
    </ActButton>
  );
}

function LeavesButton({ operator: { id, fullname } }: OperatorProps) {
  return (
    <ActButton
      label="Leaves…"
      title={`${fullname} leaves?`}
      button="End This Account"
      done={`${fullname} is no operator any more`}
      isDestructive
      run={(reason, idempotencyKey) => operatorApi.endOperator({ params: { id }, body: { reason }, idempotencyKey })}
    >
      <p>Every session ends at once. What they did stays under their name.</p>
    </ActButton>
  );
}

function InviteButton() {
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<readonly Permission[]>(['see']);
  return (
    <ActButton
      label="Invite…"
      variant="filled"
      title="Invite an operator"
      button="Ask for Approval"
      done="The invitation is sent"
      run={(reason, idempotencyKey) =>
        operatorApi.inviteOperator({ body: { email, caps: [...chosen], reason }, idempotencyKey })
      }
    >
      {(errors) => (
        <>
          <TextInput
            label="Email"
            type="email"
            value={email}
            error={errors.email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <RightsField value={chosen} onChange={setChosen} />
        </>
      )}
    </ActButton>
  );
}

function RightsField({
  value,
  onChange,
}: {
  value: readonly Permission[];
  onChange: (caps: readonly Permission[]) => void;
}) {
  const toggle = (permission: Permission) =>
    onChange(PERMISSIONS.filter((one) => value.includes(one) !== (one === permission)));
  return (
    <ChoiceGroup legend="Rights">
      {PERMISSIONS.map((permission) => (
        <Choice
          key={permission}
          type="checkbox"
          name={PERMISSION_TEXTS[permission].name}
          checked={value.includes(permission)}
          onChoose={() => toggle(permission)}
        >
          {PERMISSION_TEXTS[permission].text}
        </Choice>
      ))}
    </ChoiceGroup>
  );
}
