import type { Role } from './accounts.ts';

/** The ways a message reaches somebody who is not looking at the screen. */
export const CHANNELS = ['mail', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

export const NOTIFICATION_KINDS = [
  'placed',
  'accepted',
  'rejected',
  'expired',
  'delivered',
  'payout',
  'nearby',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export type ChannelChoice = { readonly mail: boolean; readonly push: boolean };

/**
 * Each kind of message: who gets it, and by which ways as long as they chose nothing else. Push costs nobody anything
 * before a device is subscribed, so it is on everywhere; a mail about a delivery nearby comes too late more often than not.
 */
export const NOTIFICATIONS: Record<
  NotificationKind,
  { readonly roles: readonly Role[]; readonly defaults: ChannelChoice }
> = {
  placed: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  accepted: { roles: ['Bud'], defaults: { mail: true, push: true } },
  rejected: { roles: ['Bud'], defaults: { mail: true, push: true } },
  expired: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  delivered: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  payout: { roles: ['Scrub', 'Duber'], defaults: { mail: true, push: true } },
  nearby: { roles: ['Duber'], defaults: { mail: false, push: true } },
};

/** The kinds of messages that people of a role get, in the order in which they are shown. */
export function notificationKindsFor(role: Role): NotificationKind[] {
  return NOTIFICATION_KINDS.filter((kind) => NOTIFICATIONS[kind].roles.includes(role));
}

type NotificationDescription = { readonly name: string; readonly when: string };

const DESCRIPTIONS: Record<NotificationKind, (role: Role) => NotificationDescription> = {
  placed: (role) =>
    role === 'Bud'
      ? { name: 'Order receipts', when: 'Your order was placed and your card is held' }
      : { name: 'New jobs', when: 'A Bud asks you to do their laundry' },
  accepted: () => ({ name: 'Accepted orders', when: 'A Scrub takes your order' }),
  rejected: () => ({ name: 'Rejected orders', when: 'A Scrub cannot take your order' }),
  expired: (role) =>
    role === 'Bud'
      ? { name: 'Unanswered orders', when: 'Nobody answered your order within a day' }
      : { name: 'Missed jobs', when: 'A job ran out because you did not answer it within a day' },
  delivered: (role) =>
    role === 'Bud'
      ? { name: 'Deliveries', when: 'Your laundry reaches your Scrub, or you' }
      : { name: 'Deliveries', when: 'Laundry reaches you, or goes back to its Bud' },
  payout: () => ({ name: 'Payouts', when: 'Your weekly payout is made' }),
  nearby: () => ({ name: 'Deliveries near you', when: 'A delivery waits within 5 km of your address' }),
};

/** What a kind of message is called for people of a role, and when it comes. */
export function describeNotification(kind: NotificationKind, role: Role): NotificationDescription {
  return DESCRIPTIONS[kind](role);
}
