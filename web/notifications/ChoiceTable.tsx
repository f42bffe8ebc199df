import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Notifications } from '../../contract/notifications.ts';
import type { Role } from '../../domain/accounts.ts';
import { CHANNELS, type Channel, describeNotification } from '../../domain/notifications.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { Fold } from '../ui/Fold.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './NotificationSection.module.css';
import { notificationsQuery } from './notificationsQuery.ts';

type Choice = Notifications['choices'][number];
type ChoiceChange = { kind: Choice['kind'] } & Partial<Record<Channel, boolean>>;

const CHANNEL_NAMES: Record<Channel, string> = { mail: 'Email', push: 'Push' };

/** One row per kind of notification, in groups, one switch per channel. A switch moves at once, and back if the call fails. */
export function ChoiceTable({ role, choices }: { role: Role; choices: readonly Choice[] }) {
  const change = useMutation({
    mutationFn: (body: ChoiceChange) => api.chooseNotifications({ body }),
    onMutate: async (body) => {
      await queryClient.cancelQueries({ queryKey: notificationsQuery.queryKey });
      const previous = queryClient.getQueryData<Notifications>(notificationsQuery.queryKey);
      queryClient.setQueryData<Notifications>(
        notificationsQuery.queryKey,
        (current) => current && applyChange(current, body),
      );
      return previous;
    },
    onSuccess: (response) => queryClient.setQueryData(notificationsQuery.queryKey, response),
    onError: (_error, _body, previous) => {
      if (previous) queryClient.setQueryData(notificationsQuery.queryKey, previous);
      toast.error('Notifications Not Changed', { description: 'Something went wrong.' });
    },
    // Run one call at a time, so that the last response is the final state.
    scope: { id: 'notifications' },
  });
  const rows = (kinds: readonly Choice['kind'][]) =>
    choices
      .filter(({ kind }) => kinds.includes(kind))
      .map((choice) => (
        <ChoiceRow key={choice.kind} role={role} choice={choice} onChange={(body) => change.mutate(body)} />
      ));
  const grouped = GROUPS.flatMap(({ kinds }) => kinds);
  return (
    <div className={styles.frame}>
      <Table>
        {GROUPS.map(({ name, kinds }) => (
          <tbody key={name}>
            <tr>
              <th colSpan={1 + CHANNELS.length} scope="rowgroup" className={styles.group}>
                {name}
              </th>
            </tr>
            {rows(kinds)}
          </tbody>
        ))}
      </Table>
      <Fold title="More" looks="row">
        <Table>
          <tbody>{rows(choices.map(({ kind }) => kind).filter((kind) => !grouped.includes(kind)))}</tbody>
        </Table>
      </Fold>
    </div>
  );
}

/** What most people look for. The kinds that a role does not get are left out. */
const GROUPS: readonly { readonly name: string; readonly kinds: readonly Choice['kind'][] }[] = [
  { name: 'Laundry', kinds: ['placed', 'accepted', 'delivered', 'nearby'] },
  { name: 'Money', kinds: ['payout', 'money'] },
  { name: 'Problems', kinds: ['cancelled', 'case'] },
];

function Table({ children }: { children: ReactNode }) {
  return (
    <table className={styles.choices}>
      <thead>
        <tr>
          <th scope="col">Tell me about</th>
          {CHANNELS.map((channel) => (
            <th key={channel} scope="col" className={styles.channel}>
              {CHANNEL_NAMES[channel]}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}

function ChoiceRow({ role, choice, onChange }: { role: Role; choice: Choice; onChange: (body: ChoiceChange) => void }) {
  const { name, when } = describeNotification(choice.kind, role);
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{name}</span>
        <span className={`quiet ${styles.when}`}>{when}</span>
      </th>
      {CHANNELS.map((channel) => (
        <td key={channel} className={styles.channel}>
          <Switch
            aria-label={`${name} by ${CHANNEL_NAMES[channel].toLowerCase()}`}
            size="md"
            classNames={{ root: styles.center ?? '', track: styles.track ?? '' }}
            checked={choice[channel]}
            onChange={(event) => onChange({ kind: choice.kind, [channel]: event.currentTarget.checked })}
          />
        </td>
      ))}
    </tr>
  );
}

function applyChange(notifications: Notifications, { kind, ...channels }: ChoiceChange): Notifications {
  const choices = notifications.choices.map((choice) => (choice.kind === kind ? { ...choice, ...channels } : choice));
  return { ...notifications, choices };
}
