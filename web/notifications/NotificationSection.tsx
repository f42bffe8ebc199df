import { useQuery } from '@tanstack/react-query';
import type { Notifications } from '../../contract/notifications.ts';
import type { Role } from '../../domain/accounts.ts';
import { Failure } from '../ui/ErrorState.tsx';
import { Bone } from '../ui/Skeleton.tsx';
import { Choices } from './Choices.tsx';
import { DeviceSwitch } from './DeviceSwitch.tsx';
import { Devices } from './Devices.tsx';
import styles from './NotificationSection.module.css';
import { NOTIFICATIONS } from './query.ts';

/** What this person is told while nobody looks at a screen, and where. */
export function NotificationSection({ role }: { role: Role }) {
  const asked = useQuery(NOTIFICATIONS);
  return (
    // No region of its own: the toasts are the region of this name.
    <div className="card">
      <h2>Notifications</h2>
      <p className={`quiet ${styles.line}`}>What you hear of when you are not looking at Rubadub.</p>
      {asked.data && <Ready role={role} known={asked.data} />}
      {!asked.data && asked.isError && (
        <Failure
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

function Ready({ role, known }: { role: Role; known: Notifications }) {
  return (
    <>
      <DeviceSwitch devices={known.devices} publicKey={known.publicKey} />
      <Choices role={role} choices={known.choices} />
      <Devices devices={known.devices} />
    </>
  );
}

function Loading() {
  return (
    <div className={styles.loading} aria-busy="true">
      <Bone height={64} />
      {[0, 1, 2].map((one) => (
        <Bone key={one} height={44} />
      ))}
    </div>
  );
}
