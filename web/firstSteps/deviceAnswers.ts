import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { notificationsQuery } from '../notifications/notificationsQuery.ts';
import { findThisDevice } from '../notifications/pushSubscription.ts';
import type { DeviceAnswer } from './firstSteps.ts';

/** Whether this device gets notifications. The server is asked only while `isAsked`. */
export function useNotificationsAnswer(isAsked: boolean): DeviceAnswer {
  const canAsk = 'Notification' in window && 'PushManager' in window && Notification.permission !== 'denied';
  const { data } = useQuery({ ...notificationsQuery, enabled: isAsked && canAsk });
  const endpoints = data?.devices.map(({ endpoint }) => endpoint) ?? [];
  const { data: isOn = false } = useQuery({
    queryKey: ['this-device', 'listed', ...endpoints],
    queryFn: async () => (await findThisDevice(data?.devices ?? [])) !== undefined,
    enabled: endpoints.length > 0,
  });
  if (!canAsk) return 'no';
  return isOn ? 'yes' : 'notYet';
}

const ANSWERS: Record<PermissionState, DeviceAnswer> = { granted: 'yes', prompt: 'notYet', denied: 'no' };

/** Whether this browser gives its location; 'no' until the browser has said so. */
export function useLocationAnswer(): DeviceAnswer {
  const [answer, setAnswer] = useState<DeviceAnswer>('no');
  useEffect(() => {
    let status: PermissionStatus | undefined;
    let isUnmounted = false;
    const update = () => status && setAnswer(ANSWERS[status.state]);
    const start = async () => {
      status = await navigator.permissions.query({ name: 'geolocation' });
      if (isUnmounted) return;
      status.addEventListener('change', update);
      update();
    };
    // A browser without this question does not take part.
    if ('geolocation' in navigator) void start().catch(() => undefined);
    return () => {
      isUnmounted = true;
      status?.removeEventListener('change', update);
    };
  }, []);
  return answer;
}
