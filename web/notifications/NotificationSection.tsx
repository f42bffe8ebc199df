import { useQuery } from '@tanstack/react-query';
import type { Notifications } from '../../contract/notifications.ts';
import type { Role } from '../../domain/accounts.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { ChoiceTable } from './ChoiceTable.tsx';
import { DeviceList } from './DeviceList.tsx';
import styles from './NotificationSection.module.css';
import { notificationsQuery } from './notificationsQuery.ts';
import { PushSwitch } from './PushSwitch.tsx';

/** What this person is told while nobody looks at a screen, and where. */
export function NotificationSection({ role }: { role: Role }) {
  const asked = useQuery(notificationsQuery);
  return (
    // No region of its own: the toasts are the region of this name.
    <div className="card">
      <h2>Notifications</h2>
      <p className={`quiet ${styles.line}`}>What you hear of when you are not looking at Rubadub.</p>
      {asked.data && <NotificationSettings role={role} notifications={asked.data} />}
      {!asked.data && asked.isError && (
        <ErrorState
          title="Unable To Get Your Notifications"
          level={3}
          onRetry={() => void asked.refetch()}
          isRetrying={asked.isFetching}
        />
      )}
      {!asked.data && !asked.isError && <Loading />}
    </div>
  );
}

function NotificationSettings({ role, notifications: known }: { role: Role; notifications: Notifications }) {
  return (
    <>
      <PushSwitch devices={known.devices} publicKey={known.publicKey} />
      <ChoiceTable role={role} choices={known.choices} />
      <DeviceList devices={known.devices} />
    </>
  );
}

function Loading() {
  return (
    <div className={styles.loading} aria-busy="true">
      <Skeleton height={64} />
      {[0, 1, 2].map((one) => (
        <Skeleton key={one} height={44} />
      ))}
    </div>
  );
}
