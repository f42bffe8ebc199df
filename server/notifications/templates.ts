import type { Role } from '../../domain/accounts.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { LOAD_POUNDS, type LoadSize } from '../../domain/orders.ts';
import type { RenderedMail } from '../mail/renderMail.ts';
import { type MailConfig, renderAccountMail } from './accountMails.ts';
import type { DeliveryTemplateData, OrderTemplateData, PayoutTemplateData } from './templateData.sql.ts';

// The texts of notifications, by mail and push; those of account mails are in accountMails.ts and emailChangeMails.ts.
// A title has only our own words: it is the subject of a mail, and nobody may write the subject of a mail to somebody else.

/** The text of a notification. The mail has all of it; the push has the title and the first line. */
export type NotificationContent = {
  readonly title: string;
  readonly lines: readonly [short: string, ...more: string[]];
  readonly details?: readonly (readonly [name: string, value: string])[];
  readonly hasTotal?: boolean;
  readonly button: string;
  /** The route in the app that the button opens. */
  readonly path: string;
};

/** The mail of a notification. `unsubscribeUrl` turns off mails of its kind. */
export function notificationMail(
  { title, lines, details, hasTotal, button, path }: NotificationContent,
  { fullname, unsubscribeUrl }: { fullname: string; unsubscribeUrl: string },
  config: MailConfig,
): RenderedMail {
  const content = {
    subject: title,
    greeting: `Hello ${fullname},`,
    lines,
    details,
    hasTotal,
    button: { label: button, link: `${config.publicUrl}/#${path}` },
    unsubscribe: { label: 'Get no more mails of this kind', link: unsubscribeUrl },
  };
  return renderAccountMail(content, config);
}

const formatDollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const formatLoad = (size: LoadSize) => `${size} (${LOAD_POUNDS[size].from}-${LOAD_POUNDS[size].to} lbs)`;
const MIDNIGHT_UTC = ', 00:00 UTC';

function receiptTemplate({ id, scrubName, loadSize, price }: OrderTemplateData): NotificationContent {
  const rows: readonly (readonly [string, number])[] = [
    [`Laundry, ${formatLoad(loadSize)}`, price.loadPrice],
    ['Pickup', price.pickup],
    ['Delivery', price.delivery],
    ['Platform fee', price.platformFee],
    ['Taxes', price.taxes],
  ];
  return {
    title: 'Your order is placed',
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

function newJobTemplate({
  id,
  budName,
  loadSize,
  price,
  selfDelivery,
  selfPickup,
}: OrderTemplateData): NotificationContent {
  return {
    title: 'You have a new job',
    lines: [
      `${formatLoad(loadSize)} from ${budName}: you earn ${formatDollars(price.loadPrice)}.`,
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

/** For several open requests of one Bud. */
export function newJobsTemplate({ budName }: OrderTemplateData, count: number): NotificationContent {
  return {
    title: `${count} jobs wait for your answer`,
    lines: [
      `${budName} asks you for ${count} loads.`,
      'Accept or reject each within a day: after that it is cancelled by itself.',
    ],
    button: 'Answer the jobs',
    path: '/scrub/jobs',
  };
}

function acceptedTemplate({
  id,
  scrubName,
  scrubAddress,
  price,
  selfDelivery,
}: OrderTemplateData): NotificationContent {
  return {
    title: 'Your order is accepted',
    lines: [
      selfDelivery
        ? `${scrubName} takes it. Bring your laundry to ${scrubAddress}.`
        : `${scrubName} takes it. A Duber nearby is being asked to fetch your laundry.`,
      `Your card is charged ${formatDollars(price.totalPrice)}.`,
    ],
    button: 'Follow your order',
    path: `/bud/orders/${id}`,
  };
}

function rejectedTemplate({ id, scrubName }: OrderTemplateData): NotificationContent {
  return {
    title: 'Your order was not accepted',
    lines: [
      `${scrubName} cannot take it. Nothing is charged: the hold on your card is let go.`,
      'Another Scrub near you may have time.',
    ],
    button: 'See your order',
    path: `/bud/orders/${id}`,
  };
}

function expiredTemplate({ id, budName, scrubName }: OrderTemplateData, role: Role): NotificationContent {
  if (role === 'Scrub') {
    return {
      title: 'A job ran out',
      lines: [
        `The job from ${budName} was not answered within a day, so it is cancelled.`,
        'If you are away for a while, switch your visibility off: then nobody waits for you.',
      ],
      button: 'See your jobs',
      path: `/scrub/jobs/${id}`,
    };
  }
  return {
    title: 'Your order was not answered',
    lines: [
      `${scrubName} did not answer, so it is cancelled after a day. Nothing is charged: the hold on your card is let go.`,
      'Another Scrub near you may have time.',
    ],
    button: 'See your order',
    path: `/bud/orders/${id}`,
  };
}

export function deliveredTemplate(
  { id, type, budName, scrubName, duberName }: DeliveryTemplateData,
  role: Role,
): NotificationContent {
  const path = role === 'Bud' ? `/bud/deliveries/${id}` : `/scrub/deliveries/${id}`;
  const by = duberName ?? 'A Duber';
  const texts: Record<`${typeof type} ${'Bud' | 'Scrub'}`, [title: string, short: string, line: string]> = {
    'Bud_To_Scrub Bud': [
      'Your laundry has arrived',
      `${by} delivered it to ${scrubName}.`,
      'You hear from us again when it is on its way back.',
    ],
    'Bud_To_Scrub Scrub': [
      'The laundry of a job has arrived',
      `${by} delivered ${budName}’s laundry.`,
      'You can start the job.',
    ],
    'Scrub_To_Bud Bud': [
      'Your laundry is back',
      `${by} delivered it.`,
      'If you like, say how it was: reviews help the next one to choose.',
    ],
    'Scrub_To_Bud Scrub': [
      'The laundry of a job is home again',
      `${by} delivered ${budName}’s laundry.`,
      'If you like, review the Duber.',
    ],
  };
  const [title, ...lines] = texts[`${type} ${role === 'Bud' ? 'Bud' : 'Scrub'}`];
  return { title, lines, button: 'See the delivery', path };
}

export function payoutTemplate({ id, amount, periodEnd }: PayoutTemplateData, role: Role): NotificationContent {
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

export function nearbyTemplate({
  id,
  type,
  budName,
  scrubName,
  distanceM,
  price,
}: DeliveryTemplateData): NotificationContent {
  const route = type === 'Bud_To_Scrub' ? `${budName} to ${scrubName}` : `${scrubName} to ${budName}`;
  return {
    title: `A delivery near you: ${formatDollars(price)}`,
    lines: [`${route}, ${(distanceM / 1000).toFixed(2)} km. The first to accept it gets it.`],
    button: 'See the delivery',
    path: `/duber/deliveries/${id}`,
  };
}

/** The templates of the notifications about an order. */
export const ORDER_TEMPLATES = {
  placed: (order, role) => (role === 'Bud' ? receiptTemplate(order) : newJobTemplate(order)),
  accepted: acceptedTemplate,
  rejected: rejectedTemplate,
  expired: expiredTemplate,
} satisfies Partial<Record<NotificationKind, (order: OrderTemplateData, role: Role) => NotificationContent>>;
