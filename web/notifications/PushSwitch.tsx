import { Switch } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Device } from '../../contract/notifications.ts';
import { queryClient } from '../api/queryClient.ts';
import { useUser } from '../session/session.ts';
import { TOWN_NAME } from '../town.ts';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './NotificationSection.module.css';
import { notificationsQuery } from './notificationsQuery.ts';
import { disablePush, enablePush, forgetRemovedPush, type PushState, readPushState } from './pushSubscription.ts';

const PUSH_STATE_TEXTS: Record<PushState, string> = {
  on: `You get notifications here even when ${TOWN_NAME} is closed, as long as you stay signed in.`,
  off: `Get notifications here even when ${TOWN_NAME} is closed. Your browser will ask you once.`,
  blocked:
    'You have blocked notifications from this site. Allow them in your browser’s settings for this page, then come back.',
  install: `On this phone, add ${TOWN_NAME} to the home screen first (Share, Add to Home Screen), and open it from there.`,
  cannot: `This browser cannot show notifications while ${TOWN_NAME} is closed. We can only email you then.`,
};

const NO_PUSH_SERVICE_TEXT =
  'Your browser could not reach its push service. Private windows never can. Otherwise, try again later.';

type Props = { devices: readonly Device[]; publicKey: string };

/** Looks again once the service worker runs, which on a slow phone is after the first look has given up. */
function useReadyWorker(): void {
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    const lookAgain = () => queryClient.invalidateQueries({ queryKey: ['this-device'] });
    navigator.serviceWorker.ready.then(lookAgain, () => undefined);
  }, []);
}

/** Turns push on or off, and reads again what is shown here about it. */
function usePushChange({ devices, publicKey }: Props) {
  const { id } = useUser();
  return useMutation({
    mutationFn: async (isWanted: boolean) => {
      if (!isWanted) return disablePush(devices);
      const permission = await enablePush(id, publicKey);
      if (permission === 'denied') toast.warning('Not Allowed', { description: PUSH_STATE_TEXTS.blocked });
      if (permission === 'default')
        toast.info('Nothing Changed', { description: 'Your browser asked, but you did not answer.' });
    },
    onError: () => toast.error('Not Changed', { description: NO_PUSH_SERVICE_TEXT }),
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: ['this-device'] });
    },
  });
}

/** Turns push notifications on this device on and off. The browser asks for permission only when it is switched on. */
export function PushSwitch({ devices, publicKey }: Props) {
  useReadyWorker();
  const endpoints = devices.map(({ endpoint }) => endpoint);
  const change = usePushChange({ devices, publicKey });
  const { data: state } = useQuery({
    queryKey: ['this-device', ...endpoints],
    queryFn: async () => {
      await forgetRemovedPush(devices);
      return readPushState(devices);
    },
    staleTime: 0,
    // While this device is being added, the list does not have it yet.
    enabled: !change.isPending,
  });
  const isOn = change.isPending ? change.variables : state === 'on';
  const canChange = (state === 'on' || state === 'off') && !change.isPending;
  return (
    <div className={styles.device}>
      <Icon name={state === 'on' ? 'bell' : 'bellOff'} />
      <div className={styles.words}>
        <p className={styles.name} id="this-device">
          Notify me on this device
        </p>
        <p className="quiet" id="this-device-words" role="status">
          {state ? PUSH_STATE_TEXTS[state] : 'Checking what this browser can do…'}
        </p>
      </div>
      <Switch
        aria-labelledby="this-device"
        aria-describedby="this-device-words"
        size="md"
        classNames={{ track: styles.track ?? '' }}
        checked={isOn}
        disabled={!canChange}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
    </div>
  );
}
