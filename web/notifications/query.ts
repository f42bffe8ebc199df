import { api } from '../api.ts';

/** What this person is told, where, and how to subscribe a device. */
export const NOTIFICATIONS = { queryKey: ['notifications'], queryFn: () => api.notifications() } as const;
