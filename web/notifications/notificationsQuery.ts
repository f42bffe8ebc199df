import { api } from '../api.ts';

/** What this person is told, where, and how to subscribe a device. */
export const notificationsQuery = { queryKey: ['notifications'], queryFn: () => api.notifications() } as const;
