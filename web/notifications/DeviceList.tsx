import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Device, Notifications } from '../../contract/notifications.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { formatDate } from '../ui/format.ts';
import { toast } from '../ui/toast.tsx';
import styles from './NotificationSection.module.css';
import { notificationsQuery } from './notificationsQuery.ts';
import { forgetPushAt } from './pushSubscription.ts';

/** What reaches somebody without push notifications: the emails that they have left on. */
export function noDevicesText(choices: readonly { readonly mail: boolean }[]): string {
  const start = 'None of your devices get push notifications';
  if (choices.every(({ mail }) => mail)) return `${start} yet. You still get emails.`;
  return choices.some(({ mail }) => mail)
    ? `${start} yet. You get only the emails that are turned on above.`
    : `${start}, and all emails above are off: you hear of your orders only here.`;
}

/** The devices that get push notifications. Each can be removed, for example after a phone is lost. */
export function DeviceList({ devices, choices }: { devices: readonly Device[]; choices: Notifications['choices'] }) {
  const remove = useMutation({
    mutationFn: ({ id }: Device) => api.unsubscribePush({ params: { id } }),
    onSuccess: (response, { endpoint }) => {
      forgetPushAt(endpoint);
      queryClient.setQueryData(notificationsQuery.queryKey, response);
    },
    onError: () => toast.error('Device Not Removed', { description: 'Something went wrong.' }),
  });
  if (devices.length === 0) return <p className={`quiet ${styles.line}`}>{noDevicesText(choices)}</p>;
  return (
    <>
      <h3 className={styles.title}>Devices with push notifications</h3>
      <ul className={styles.devices}>
        {devices.map((device) => (
          <DeviceItem
            key={device.id}
            device={device}
            isRemoving={remove.isPending && remove.variables.id === device.id}
            onRemove={() => remove.mutate(device)}
          />
        ))}
      </ul>
    </>
  );
}

type DeviceItemProps = { readonly device: Device; readonly isRemoving: boolean; readonly onRemove: () => void };

function DeviceItem({ device: { agent, createdAt, lastUsedAt }, isRemoving, onRemove }: DeviceItemProps) {
  return (
    <li>
      <div className={styles.words}>
        <p className={styles.name}>{agent}</p>
        <p className="quiet">
          {lastUsedAt ? `Last reached ${formatDate(lastUsedAt)}` : `Since ${formatDate(createdAt)}`}
        </p>
      </div>
      <Button variant="subtle" aria-label={`Remove ${agent}`} loading={isRemoving} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}
