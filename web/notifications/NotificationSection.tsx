import { useQuery } from '@tanstack/react-query';
import type { Notifications } from '../../contract/notifications.ts';
import type { Role } from '../../domain/accounts.ts';
import { QueryError } from '../ui/ErrorState.tsx';
import { Fold } from '../ui/Fold.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { ChoiceTable } from './ChoiceTable.tsx';
import { DeviceList } from './DeviceList.tsx';
import styles from './NotificationSection.module.css';
import { notificationsQuery } from './notificationsQuery.ts';
import { PushSwitch } from './PushSwitch.tsx';

/** The notification settings of the profile page. */
export function NotificationSection({ role }: { role: Role }) {
  const query = useQuery(notificationsQuery);
  return (
    // Not a region: the toasts are already the region with this name.
    <div className="card">
      <h2>Notifications</h2>
      <p className={`quiet ${styles.line}`}>Choose what we tell you about.</p>
      {query.data && <NotificationSettings role={role} notifications={query.data} />}
      {!query.data && query.isError && <QueryError query={query} title="Unable To Get Your Notifications" level={3} />}
      {!query.data && !query.isError && <Loading />}
    </div>
  );
}

function NotificationSettings({ role, notifications }: { role: Role; notifications: Notifications }) {
  return (
    <>
      <PushSwitch devices={notifications.devices} publicKey={notifications.publicKey} />
      <Fold title="What we tell you about" looks="row">
        <ChoiceTable role={role} choices={notifications.choices} />
      </Fold>
      <DeviceList devices={notifications.devices} choices={notifications.choices} />
    </>
  );
}

function Loading() {
  return (
    <div className={styles.loading} aria-busy="true">
      <Skeleton height={64} />
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </div>
  );
}
