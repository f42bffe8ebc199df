import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation } from '@tanstack/react-query';
import type { Notifications } from '../../contract/notifications.ts';
import type { Role } from '../../domain/accounts.ts';
import { CHANNELS, type Channel, wordsFor } from '../../domain/notifications.ts';
import { api } from '../api.ts';
import { queries } from '../queries.ts';
import { toast } from '../ui/toast.tsx';
import styles from './NotificationSection.module.css';
import { NOTIFICATIONS } from './query.ts';

type Choice = Notifications['choices'][number];
type Change = { kind: Choice['kind'] } & Partial<Record<Channel, boolean>>;

const NAMES: Record<Channel, string> = { mail: 'Mail', push: 'Push' };

/** One row a kind of message, one switch a way. A switch moves at once, and back when the server does not agree. */
export function Choices({ role, choices }: { role: Role; choices: readonly Choice[] }) {
  const change = useMutation({
    mutationFn: (body: Change) => api.chooseNotifications({ body }),
    onMutate: async (body) => {
      await queries.cancelQueries({ queryKey: NOTIFICATIONS.queryKey });
      const before = queries.getQueryData<Notifications>(NOTIFICATIONS.queryKey);
      queries.setQueryData<Notifications>(NOTIFICATIONS.queryKey, (known) => known && withChange(known, body));
      return before;
    },
    onSuccess: (answer) => queries.setQueryData(NOTIFICATIONS.queryKey, answer),
    onError: (_error, _body, before) => {
      if (before) queries.setQueryData(NOTIFICATIONS.queryKey, before);
      toast.error('Notifications Not Changed', { description: 'Something went wrong.' });
    },
    // One after the other, so that the last answer is the last word.
    scope: { id: 'notifications' },
  });
  return (
    <div className={styles.frame}>
      <table className={styles.choices}>
        <thead>
          <tr>
            <th scope="col">Tell me about</th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col" className={styles.way}>
                {NAMES[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {choices.map((choice) => (
            <ChoiceRow key={choice.kind} role={role} choice={choice} onChange={(body) => change.mutate(body)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChoiceRow({ role, choice, onChange }: { role: Role; choice: Choice; onChange: (body: Change) => void }) {
  const { name, when } = wordsFor(choice.kind, role);
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{name}</span>
        <span className={`quiet ${styles.when}`}>{when}</span>
      </th>
      {CHANNELS.map((channel) => (
        <td key={channel} className={styles.way}>
          <Switch
            aria-label={`${name} by ${channel}`}
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

function withChange(known: Notifications, { kind, ...ways }: Change): Notifications {
  return { ...known, choices: known.choices.map((one) => (one.kind === kind ? { ...one, ...ways } : one)) };
}
