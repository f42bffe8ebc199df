import type { Role } from '../../domain/accounts.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { type OrderSize, SIZE_POUNDS } from '../../domain/orders.ts';
import { formatDollars } from '../../domain/payments.ts';
import { type PriceField, partsOf, percentOf, taxWords } from '../../domain/prices.ts';
import { isChargedFirst } from '../../domain/weighing.ts';
import { answerTimes, chargeTimeText } from '../../texts/orders.ts';
import type { RenderedMail } from '../outgoing/renderMail.ts';
import { type MailTown, renderAccountMail } from './accountMails.ts';
import type { BroadcastText } from './broadcasts.sql.ts';
import {
  cancelledTemplate,
  givenBackTemplate,
  lateTemplate,
  refundText,
  reminderTemplate,
  reopenedTemplate,
} from './changeTemplates.ts';
import type { NotificationContent } from './notificationContent.ts';
import type { OrderTemplateData, PayoutTemplateData, RequestBurst } from './templateData.sql.ts';
import { windowLine, windowRows } from './windowTemplates.ts';

// The texts of notifications, by mail and push; those of account mails are in accountMails.ts and emailChangeMails.ts.
// A title has only our own words: it is the subject of a mail, and nobody may write the subject of a mail to somebody else.

export type { NotificationContent } from './notificationContent.ts';

/** The mail of a notification. `unsubscribeUrl` turns off mails of its kind. */
export function notificationMail(
  { title, order, lines, details, hasTotal, button, path }: NotificationContent,
  { fullname, unsubscribeUrl }: { fullname: string; unsubscribeUrl: string },
  town: MailTown,
): RenderedMail {
  const content = {
    subject: title,
    greeting: `Hello ${fullname},`,
    lines: order === undefined ? lines : [`Order ${order}`, ...lines],
    details,
    hasTotal,
    button: { label: button, link: `${town.publicUrl}/#${path}` },
    unsubscribe: { label: 'Unsubscribe from these emails', link: unsubscribeUrl },
  };
  return renderAccountMail(content, town);
}

const formatLoad = (size: OrderSize) => `${size} (${SIZE_POUNDS[size].from}-${SIZE_POUNDS[size].to} lbs)`;
const MIDNIGHT_UTC = ', 00:00 UTC';

/** What becomes of the hold: what is weighed is charged later. */
const holdOf = (order: OrderTemplateData) => {
  const { scrubName, held, ceilingSize } = order;
  return ceilingSize === null
    ? `We hold ${formatDollars(onCard(order))} on your card. It is charged if ${scrubName} accepts, released if not.`
    : `We hold ${formatDollars(held)} on your card: at most that is charged, unless you agree to more. ${chargeTimeText(isChargedFirst(order.placedAt, order.times?.pickup.until))}`;
};

/** What the card pays, once a promo code has taken something off. */
const onCard = ({ price, discount }: Pick<OrderTemplateData, 'price' | 'discount'>) => price.totalPrice - discount;

function receiptTemplate(order: OrderTemplateData): NotificationContent {
  const { id, scrubName, loadSize, price, taxRate, promoCode, discount } = order;
  const words: Partial<Record<PriceField, string>> = {
    loadPrice: `Laundry, ${formatLoad(loadSize)}`,
    taxes: taxWords(taxRate === null ? null : percentOf(taxRate)),
  };
  const rows: readonly (readonly [string, number])[] = [
    ...partsOf(price).map((part) => [words[part.field] ?? part.words, part.amount] as const),
    [`Promo ${promoCode}`, -discount],
  ];
  return {
    title: 'Your order is placed',
    lines:
      order.status === 'Requested'
        ? [`${scrubName} answers ${answerTimes(order).until}.`, ...timeLines(order), holdOf(order)]
        : [`${scrubName} has accepted it.`, ...timeLines(order), chargeOnAccept(order)],
    details: [
      ...rows.filter(([, cents]) => cents !== 0).map(([name, cents]): [string, string] => [name, formatDollars(cents)]),
      ['Total', formatDollars(onCard(order))],
    ],
    hasTotal: true,
    button: 'View your order',
    path: `/bud/orders/${id}`,
  };
}

/** When somebody comes; nothing for as soon as possible. */
const timeLines = (order: OrderTemplateData) =>
  order.times ? [windowLine(order, order.times, order.times.timeZone)] : [];

/** Somebody who has the app open may answer before this is sent. */
const howToAnswer = (order: OrderTemplateData) =>
  order.status === 'Requested'
    ? `Accept or reject it ${answerTimes(order).until}. After that, it is cancelled automatically.`
    : 'You have accepted it. The page of the job says what comes next.';

function newJobTemplate(order: OrderTemplateData): NotificationContent {
  const { id, status, budName, loadSize, price, selfDelivery, selfPickup, times } = order;
  return {
    title: 'You have a new job',
    lines: [`${formatLoad(loadSize)} from ${budName}: you earn ${formatDollars(price.loadPrice)}.`, howToAnswer(order)],
    details: [
      ...(times ? windowRows(order, times, times.timeZone) : []),
      ['Getting it to you', selfDelivery ? `${budName} brings it` : 'A Duber brings it'],
      ['Getting it back', selfPickup ? `${budName} picks it up` : 'A Duber picks it up'],
    ],
    button: status === 'Requested' ? 'Answer the job' : 'View the job',
    path: `/scrub/jobs/${id}`,
  };
}

/** For several open requests of one Bud. */
export function newJobsTemplate(
  { budName }: OrderTemplateData,
  { openRequests: count, isTimed }: Pick<RequestBurst, 'openRequests' | 'isTimed'>,
): NotificationContent {
  return {
    title: `${count} jobs are waiting for your answer`,
    lines: [
      `${budName} wants you to do ${count} loads.`,
      `Accept or reject each within 24 hours${isTimed ? ' and before its agreed time' : ''}. After that, it is cancelled automatically.`,
    ],
    button: 'Answer the jobs',
    path: '/scrub/jobs',
  };
}

type Charged = Pick<OrderTemplateData, 'round' | 'price' | 'discount' | 'ceilingSize' | 'placedAt' | 'times'>;

function chargeOnAccept(order: Charged) {
  const { round, ceilingSize, placedAt, times } = order;
  if (ceilingSize !== null) return chargeTimeText(isChargedFirst(placedAt, times?.pickup.until));
  return round === 1 ? `Your card is charged ${formatDollars(onCard(order))}.` : 'The price stays the same.';
}

function acceptedTemplate(order: OrderTemplateData): NotificationContent {
  const { id, scrubName, scrubAddress, selfDelivery, times } = order;
  const byDuber = times
    ? 'A Duber picks up your laundry at the agreed time.'
    : 'We are finding a Duber nearby to pick up your laundry.';
  return {
    title: 'Your order is accepted',
    lines: [
      selfDelivery
        ? `${scrubName} will do it. Bring your laundry to ${scrubAddress}.`
        : `${scrubName} will do it. ${byDuber}`,
      ...timeLines(order),
      chargeOnAccept(order),
    ],
    button: 'Follow your order',
    path: `/bud/orders/${id}`,
  };
}

function rejectedTemplate(order: OrderTemplateData): NotificationContent {
  const { id, scrubName } = order;
  return {
    title: 'Your order was not accepted',
    lines: [`${scrubName} cannot take it. ${refundText(order)}`, 'Another Scrub near you may have time.'],
    button: 'View your order',
    path: `/bud/orders/${id}`,
  };
}

function expiredTemplate(order: OrderTemplateData, role: Role): NotificationContent {
  const { id, budName, scrubName, isScrubShown } = order;
  const { missed } = answerTimes(order);
  if (role === 'Scrub') {
    return {
      title: 'A job expired',
      lines: [
        `You did not answer the job from ${budName} ${missed}, so it was cancelled.`,
        isScrubShown
          ? 'Taking a break? Turn Visibility off so that nobody waits for you.'
          : 'Buds do not find you now, so nobody new waits for you.',
      ],
      button: 'View your jobs',
      path: `/scrub/jobs/${id}`,
    };
  }
  return {
    title: 'Your order was not answered',
    lines: [
      `${scrubName} did not answer ${missed}, so it was cancelled. ${refundText(order)}`,
      'Another Scrub near you may have time.',
    ],
    button: 'View your order',
    path: `/bud/orders/${id}`,
  };
}

export function payoutTemplate({ id, amount, periodEnd }: PayoutTemplateData, role: Role): NotificationContent {
  const monday = periodEnd.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return {
    title: `Your payout: ${formatDollars(amount)}`,
    lines: [
      `This covers what you earned before Monday, ${monday}${MIDNIGHT_UTC}.`,
      'Your statement lists every order and delivery.',
    ],
    button: 'View your statement',
    path: `/${role.toLowerCase()}/earnings/${id}`,
  };
}

/** What operators write to many. They speak for the town, so the title may be theirs. */
export function townTemplate({ title, words }: BroadcastText, role: Role): NotificationContent {
  const [short = '', ...more] = words.split('\n').filter((line) => line.trim() !== '');
  return { title, lines: [short, ...more], button: 'Open {town}', path: `/${role.toLowerCase()}/dashboard` };
}

type OrderTemplate = (order: OrderTemplateData, role: Role) => NotificationContent;
const withNumber =
  (template: OrderTemplate): OrderTemplate =>
  (order, role) => ({ ...template(order, role), order: order.number });

/** The templates of the notifications about an order. */
export const ORDER_TEMPLATES = {
  placed: withNumber((order, role) => (role === 'Bud' ? receiptTemplate(order) : newJobTemplate(order))),
  accepted: withNumber(acceptedTemplate),
  rejected: withNumber(rejectedTemplate),
  expired: withNumber(expiredTemplate),
  cancelled: withNumber(cancelledTemplate),
  'given-back': withNumber(givenBackTemplate),
  reminder: withNumber(reminderTemplate),
  late: withNumber(lateTemplate),
  reopened: withNumber(reopenedTemplate),
} satisfies Partial<Record<NotificationKind, OrderTemplate>>;
