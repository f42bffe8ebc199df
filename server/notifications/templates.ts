import type { Role } from '../../domain/accounts.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { LOAD_POUNDS, type LoadSize } from '../../domain/orders.ts';
import type { Tx } from '../db/database.ts';
import type { DueNotification } from './send.sql.ts';
import {
  type DeliveryTemplateData,
  type OrderTemplateData,
  type PayoutTemplateData,
  readDeliveryTemplateData,
  readOrderTemplateData,
  readPayoutTemplateData,
} from './templateData.sql.ts';

/** What is said, for a mail and for a push alike: the first line is short enough for a push. */
export type NotificationContent = {
  readonly title: string;
  readonly lines: readonly [short: string, ...more: string[]];
  readonly details?: readonly (readonly [name: string, value: string])[];
  readonly hasTotal?: boolean;
  readonly button: string;
  /** The route in the app that it leads to. */
  readonly path: string;
};

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const formatLoad = (size: LoadSize) => `${size} (${LOAD_POUNDS[size].from}-${LOAD_POUNDS[size].to} lbs)`;
const MIDNIGHT_UTC = ', 00:00 UTC';

function receipt({ id, scrubName, loadSize, price }: OrderTemplateData): NotificationContent {
  const rows: readonly (readonly [string, number])[] = [
    [`Laundry, ${formatLoad(loadSize)}`, price.loadPrice],
    ['Pickup', price.pickup],
    ['Delivery', price.delivery],
    ['Platform fee', price.platformFee],
    ['Taxes', price.taxes],
  ];
  return {
    title: `Your order with ${scrubName} is placed`,
    lines: [
      `${scrubName} has a day to answer.`,
      `Your card is held for ${formatDollars(price.totalPrice)}. It is charged when ${scrubName} accepts, and let go when they do not.`,
    ],
    details: [
      ...rows.filter(([, cents]) => cents > 0).map(([name, cents]): [string, string] => [name, formatDollars(cents)]),
      ['Total', formatDollars(price.totalPrice)],
    ],
    hasTotal: true,
    button: 'See your order',
    path: `/bud/orders/${id}`,
  };
}

function newJob({ id, budName, loadSize, price, selfDelivery, selfPickup }: OrderTemplateData): NotificationContent {
  return {
    title: `New job from ${budName}`,
    lines: [
      `${formatLoad(loadSize)}: you earn ${formatDollars(price.loadPrice)}.`,
      'Accept or reject it within a day: after that it is cancelled by itself.',
    ],
    details: [
      ['To you', selfDelivery ? `${budName} brings it` : 'A Duber brings it'],
      ['Back home', selfPickup ? `${budName} fetches it` : 'A Duber fetches it'],
    ],
    button: 'Answer the job',
    path: `/scrub/jobs/${id}`,
  };
}

function accepted({ id, scrubName, scrubAddress, price, selfDelivery }: OrderTemplateData): NotificationContent {
  return {
    title: `${scrubName} accepted your order`,
    lines: [
      selfDelivery ? `Bring your laundry to ${scrubAddress}.` : 'A Duber nearby is being asked to fetch your laundry.',
      `Your card is charged ${formatDollars(price.totalPrice)}.`,
    ],
    button: 'Follow your order',
    path: `/bud/orders/${id}`,
  };
}

function rejected({ id, scrubName }: OrderTemplateData): NotificationContent {
  return {
    title: `${scrubName} cannot take your order`,
    lines: ['Nothing is charged: the hold on your card is let go.', 'Another Scrub near you may have time.'],
    button: 'See your order',
    path: `/bud/orders/${id}`,
  };
}

function expired({ id, budName, scrubName }: OrderTemplateData, role: Role): NotificationContent {
  if (role === 'Scrub') {
    return {
      title: `The job from ${budName} ran out`,
      lines: [
        'It was not answered within a day, so it is cancelled.',
        'If you are away for a while, switch your visibility off: then nobody waits for you.',
      ],
      button: 'See your jobs',
      path: `/scrub/jobs/${id}`,
    };
  }
  return {
    title: `${scrubName} did not answer your order`,
    lines: [
      'It is cancelled after a day. Nothing is charged: the hold on your card is let go.',
      'Another Scrub near you may have time.',
    ],
    button: 'See your order',
    path: `/bud/orders/${id}`,
  };
}

function delivered({ id, type, budName, scrubName, duberName }: DeliveryTemplateData, role: Role): NotificationContent {
  const path = role === 'Bud' ? `/bud/deliveries/${id}` : `/scrub/deliveries/${id}`;
  const by = `${duberName ?? 'A Duber'} delivered it.`;
  const words: Record<`${typeof type} ${'Bud' | 'Scrub'}`, [title: string, line: string]> = {
    'Bud_To_Scrub Bud': [`Your laundry is at ${scrubName}’s`, 'You hear from us again when it is on its way back.'],
    'Bud_To_Scrub Scrub': [`${budName}’s laundry has arrived`, 'You can start the job.'],
    'Scrub_To_Bud Bud': ['Your laundry is back', 'If you like, say how it was: reviews help the next one to choose.'],
    'Scrub_To_Bud Scrub': [`${budName}’s laundry is home again`, 'If you like, review the Duber.'],
  };
  const [title, line] = words[`${type} ${role === 'Bud' ? 'Bud' : 'Scrub'}`];
  return { title, lines: [by, line], button: 'See the delivery', path };
}

function payout({ id, amount, periodEnd }: PayoutTemplateData, role: Role): NotificationContent {
  const monday = periodEnd.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return {
    title: `Your payout: ${formatDollars(amount)}`,
    lines: [
      `It is for what you earned before Monday, ${monday}${MIDNIGHT_UTC}.`,
      'The statement lists every order and delivery behind it.',
    ],
    button: 'See the statement',
    path: `/${role.toLowerCase()}/earnings/${id}`,
  };
}

function nearby({ id, type, budName, scrubName, distanceM, price }: DeliveryTemplateData): NotificationContent {
  const way = type === 'Bud_To_Scrub' ? `${budName} to ${scrubName}` : `${scrubName} to ${budName}`;
  return {
    title: `A delivery near you: ${formatDollars(price)}`,
    lines: [`${way}, ${(distanceM / 1000).toFixed(2)} km. The first to accept it gets it.`],
    button: 'See the delivery',
    path: `/duber/deliveries/${id}`,
  };
}

/** What a message says, or why there is nothing to be said any more. */
export async function composeNotification(
  tx: Tx,
  { kind, about }: DueNotification,
  role: Role,
): Promise<NotificationContent | string> {
  if (kind === 'payout') {
    const subject = await readPayoutTemplateData(tx, about);
    return subject ? payout(subject, role) : 'there is no such payout';
  }
  if (kind === 'delivered' || kind === 'nearby') {
    const subject = await readDeliveryTemplateData(tx, about);
    if (!subject) return 'there is no such delivery';
    if (kind === 'delivered') return delivered(subject, role);
    return subject.status === 'Pending' ? nearby(subject) : 'somebody took the delivery before it was sent';
  }
  const subject = await readOrderTemplateData(tx, about);
  if (!subject) return 'there is no such order';
  if (kind !== 'placed') return ORDER_TEMPLATES[kind](subject, role);
  return role === 'Bud' ? receipt(subject) : newJob(subject);
}

const ORDER_TEMPLATES: Record<
  Exclude<NotificationKind, 'placed' | 'delivered' | 'nearby' | 'payout'>,
  (subject: OrderTemplateData, role: Role) => NotificationContent
> = { accepted, rejected, expired };
