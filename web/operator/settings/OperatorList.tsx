import { useQuery } from '@tanstack/react-query';
import type { OperatorAccount } from '../../../contract/operator/operators.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import type { FieldValue } from '../ActField.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { List } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useOperator } from '../operatorSession.ts';
import { PERMISSION_TEXTS } from '../permissionTexts.ts';
import sections from '../sections.module.css';
import { useTownTime } from '../useTownDay.ts';
import styles from './SettingsPage.module.css';

/** Who runs the town, and with which rights. */
export function OperatorList() {
  const operators = useQuery({ queryKey: ['operators'], queryFn: () => operatorApi.listOperators() });
  return (
    <section className={sections.card}>
      <SectionHeader title="Operators">
        <ActFormButton act="inviteOperator" start={{ caps: ['see'] }} />
      </SectionHeader>
      <List isInCard what="operators" query={operators} rows={operators.data?.items} empty="No operators">
        {(rows) => (
          <ul className={styles.operators}>
            {rows.map((operator) => (
              <OperatorRow key={operator.id} operator={operator} />
            ))}
          </ul>
        )}
      </List>
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
  const townTime = useTownTime();
  return (
    <li className={styles.operator}>
      <div>
        <p>{email}</p>
        <p className="quiet">
          {caps.map((permission) => PERMISSION_TEXTS[permission].name).join(', ') || 'No rights'}. Until{' '}
          {townTime(expiresAt)}
        </p>
      </div>
      <ActFormButton act="revokeInvitation" name={email} body={{ email }} />
    </li>
  );
}

/** Whether somebody gets a right that they do not have. */
const isMore = (chosen: FieldValue, caps: readonly string[]) =>
  Array.isArray(chosen) && chosen.some((permission) => !caps.includes(permission));

type OperatorProps = { readonly operator: OperatorAccount };

function OperatorRow({ operator }: OperatorProps) {
  const { id: own } = useOperator();
  const townTime = useTownTime();
  const { id, fullname, email, caps, isDemo, lastUsedAt } = operator;
  const about = { name: fullname, params: { id } };
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
        <p className="quiet">{lastUsedAt === null ? 'Has not signed in yet' : `Here last ${townTime(lastUsedAt)}`}</p>
      </div>
      <div className="buttons">
        <ActFormButton
          act="changeRights"
          {...about}
          start={{ caps }}
          body={{ before: [...caps] }}
          needsApproval={({ caps: chosen }) => isMore(chosen, caps)}
        />
        {!isDemo && <ActFormButton act="resetFactor" {...about} />}
        {id !== own && <ActFormButton act="endOperator" {...about} />}
      </div>
    </li>
  );
}
