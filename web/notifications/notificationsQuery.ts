import { api } from '../api/client.ts';

/** The notification choices and devices of this user, and the public key for subscribing a device. */
export const notificationsQuery = { queryKey: ['notifications'], queryFn: () => api.notifications() } as const;
