import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { notificationsQuery } from '../notifications/notificationsQuery.ts';
import { readPushState } from '../notifications/pushSubscription.ts';
import { queryLocationPermission } from '../places/geolocation.ts';
import type { DeviceAnswer } from './firstSteps.ts';

/** Whether this device gets notifications; undefined until that is known. The server is asked only while `isAsked`. */
export function useNotificationsAnswer(isAsked: boolean): DeviceAnswer | undefined {
  // The browser's main process is asked for the permission, so a page that need not know it does not wait for it.
  const canAsk = isAsked && 'Notification' in window && 'PushManager' in window && Notification.permission !== 'denied';
  const { data, isError } = useQuery({ ...notificationsQuery, enabled: canAsk });
  const endpoints = data?.devices.map(({ endpoint }) => endpoint) ?? [];
  const { data: isListed, isError: isUnreadable } = useQuery({
    queryKey: ['this-device', 'listed', ...endpoints],
    queryFn: async () => (await readPushState(data?.devices ?? [])) === 'on',
    enabled: endpoints.length > 0,
  });
  const isOn = endpoints.length > 0 && !isUnreadable ? isListed : false;
  if (!canAsk || (!data && isError)) return 'no';
  if (!data || isOn === undefined) return undefined;
  return isOn ? 'yes' : 'notYet';
}

const ANSWERS: Record<PermissionState, DeviceAnswer> = { granted: 'yes', prompt: 'notYet', denied: 'no' };

/** Whether this browser gives its location; undefined until the browser has said so. */
export function useLocationAnswer(): DeviceAnswer | undefined {
  const [answer, setAnswer] = useState<DeviceAnswer>();
  useEffect(() => {
    let status: PermissionStatus | undefined;
    let isUnmounted = false;
    const update = () => status && setAnswer(ANSWERS[status.state]);
    const start = async () => {
      status = await queryLocationPermission();
      if (isUnmounted) return;
      status.addEventListener('change', update);
      update();
    };
    // A browser without this question does not take part.
    if ('geolocation' in navigator) void start().catch(() => setAnswer('no'));
    else setAnswer('no');
    return () => {
      isUnmounted = true;
      status?.removeEventListener('change', update);
    };
  }, []);
  return answer;
}
