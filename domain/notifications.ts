import type { Role } from './accounts.ts';
import { NEARBY_RADIUS_M } from './places.ts';

/** How a notification reaches a person who does not have the app open. */
export const CHANNELS = ['mail', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

export const NOTIFICATION_KINDS = [
  'placed',
  'accepted',
  'rejected',
  'expired',
  'cancelled',
  'given-back',
  'reminder',
  'late',
  'reopened',
  'proposed',
  'moved',
  'promise-near',
  'promise-missed',
  'delivered',
  'arrived',
  'failed-pickup',
  'failed-drop',
  'dropped',
  'called-off',
  'payout',
  'money',
  'nearby',
  'case',
  'weighed',
  'weigh-answered',
  'town',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export type ChannelChoice = { readonly mail: boolean; readonly push: boolean };

/**
 * Who gets each kind of notification, and on which channels by default. Push is always on, because it needs a subscribed
 * device anyway. Mail about nearby deliveries and about a Duber at the door is off, because it usually arrives too late.
 */
export const NOTIFICATIONS: Record<
  NotificationKind,
  { readonly roles: readonly Role[]; readonly defaults: ChannelChoice }
> = {
  placed: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  accepted: { roles: ['Bud'], defaults: { mail: true, push: true } },
  rejected: { roles: ['Bud'], defaults: { mail: true, push: true } },
  expired: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  cancelled: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  'given-back': { roles: ['Bud'], defaults: { mail: true, push: true } },
  reminder: { roles: ['Scrub'], defaults: { mail: true, push: true } },
  late: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  reopened: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  proposed: { roles: ['Bud'], defaults: { mail: true, push: true } },
  moved: { roles: ['Scrub'], defaults: { mail: true, push: true } },
  'promise-near': { roles: ['Scrub', 'Duber'], defaults: { mail: false, push: true } },
  'promise-missed': { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: true, push: true } },
  delivered: { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  arrived: { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: false, push: true } },
  'failed-pickup': { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  'failed-drop': { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: true, push: true } },
  dropped: { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: true, push: true } },
  'called-off': { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: true, push: true } },
  payout: { roles: ['Scrub', 'Duber'], defaults: { mail: true, push: true } },
  money: { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: true, push: true } },
  nearby: { roles: ['Duber'], defaults: { mail: false, push: true } },
  case: { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: true, push: true } },
  weighed: { roles: ['Bud'], defaults: { mail: true, push: true } },
  'weigh-answered': { roles: ['Bud', 'Scrub'], defaults: { mail: true, push: true } },
  town: { roles: ['Bud', 'Scrub', 'Duber'], defaults: { mail: true, push: true } },
};

/** The kinds of notifications that a role gets, in the order of the settings page. */
export function notificationKindsFor(role: Role): NotificationKind[] {
  return NOTIFICATION_KINDS.filter((kind) => NOTIFICATIONS[kind].roles.includes(role));
}

type NotificationDescription = { readonly name: string; readonly when: string };

const DESCRIPTIONS: Record<NotificationKind, (role: Role) => NotificationDescription> = {
  placed: (role) =>
    role === 'Bud'
      ? { name: 'Order receipts', when: 'Your order was placed and your card is held' }
      : { name: 'New jobs', when: 'A Bud wants to book you' },
  accepted: () => ({ name: 'Accepted orders', when: 'A Scrub accepts your order' }),
  rejected: () => ({ name: 'Rejected orders', when: 'A Scrub cannot take your order' }),
  expired: (role) =>
    role === 'Bud'
      ? { name: 'Unanswered orders', when: 'Nobody answered your order within a day' }
      : { name: 'Missed jobs', when: 'A job expired because you did not answer within a day' },
  cancelled: (role) => ({
    name: role === 'Bud' ? 'Cancelled orders' : 'Cancelled jobs',
    when: `${role === 'Bud' ? 'An order' : 'A job'} is cancelled after it was accepted`,
  }),
  'given-back': () => ({ name: 'Orders given back', when: 'Your Scrub cannot do an accepted order' }),
  reminder: () => ({ name: 'Reminders', when: 'Laundry is with you for 4 hours, and you have not started' }),
  late: (role) => ({ name: role === 'Bud' ? 'Late orders' : 'Late jobs', when: 'Laundry is not done after 48 hours' }),
  reopened: () => ({ name: 'Cleaned again', when: 'Laundry is to be cleaned again' }),
  proposed: () => ({ name: 'Other times', when: 'Somebody proposes another time for an order of yours' }),
  moved: () => ({ name: 'Moved jobs', when: 'A Bud moves a job, or answers the time that you proposed' }),
  'promise-near': (role) => ({
    name: role === 'Scrub' ? 'Jobs that are due' : 'Deliveries that are due',
    when: 'Laundry is promised to be back within an hour',
  }),
  'promise-missed': (role) => ({
    name: role === 'Bud' ? 'Missed promises' : 'Late returns',
    when: 'Laundry is not back by the promised time',
  }),
  delivered: (role) =>
    role === 'Bud'
      ? { name: 'Deliveries', when: 'Your laundry reaches your Scrub, or comes back to you' }
      : { name: 'Deliveries', when: 'Laundry reaches you, or goes back to its Bud' },
  arrived: (role) =>
    role === 'Duber'
      ? { name: 'Next Duber is here', when: 'Another Duber has come for laundry that you could not go on with' }
      : { name: 'Duber at the door', when: 'A Duber has arrived at your door' },
  'failed-pickup': () => ({ name: 'Failed pickups', when: 'A Duber came and could not collect the laundry' }),
  'failed-drop': (role) =>
    role === 'Duber'
      ? { name: 'Laundry reported as lost', when: 'The town has reported that laundry you had is lost' }
      : { name: 'Failed drop-offs', when: 'A Duber could not deliver the laundry, or brought it back' },
  dropped: (role) =>
    role === 'Duber'
      ? { name: 'Deliveries taken back', when: 'A delivery of yours goes to another Duber' }
      : { name: 'Change of Duber', when: 'Your Duber cannot come, and we ask the others nearby' },
  'called-off': () => ({ name: 'Deliveries called off', when: 'A delivery of yours is called off' }),
  payout: () => ({ name: 'Payouts', when: 'Your weekly payout is on its way' }),
  money: (role) =>
    role === 'Bud'
      ? { name: 'Money on your card', when: 'Money goes back to your card, or an order is charged once it is weighed' }
      : { name: 'Changes of what you earned', when: 'Something is taken from what you earned, or added to it' },
  nearby: () => ({
    name: 'Deliveries near you',
    when: `A delivery is waiting within ${NEARBY_RADIUS_M / 1000} km of your address`,
  }),
  case: (role) =>
    role === 'Bud'
      ? { name: 'Problems', when: 'Somebody answers a problem that you reported, or the town decides it' }
      : { name: 'Problems', when: 'A Bud reports a problem with your work, or the town decides one' },
  weighed: () => ({ name: 'Heavier laundry', when: 'Your laundry is heavier than you have ordered' }),
  'weigh-answered': (role) =>
    role === 'Bud'
      ? { name: 'Unanswered weights', when: 'You did not answer in time what to do with heavier laundry' }
      : { name: 'Answers about weights', when: 'It is decided what to do with laundry that is heavier' },
  town: () => ({
    name: 'News of the town',
    when: 'The people who run the town write to all, about a storm or a holiday',
  }),
};

/** The name and the description of a kind of notification, as the settings page shows them to a role. */
export function describeNotification(kind: NotificationKind, role: Role): NotificationDescription {
  return DESCRIPTIONS[kind](role);
}
