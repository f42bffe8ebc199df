import type { Role } from '../../domain/accounts.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { LOAD_POUNDS, type LoadSize } from '../../domain/orders.ts';
import { type MailContent, type RenderedMail, renderMail } from '../mail/renderMail.ts';
import type { DeliveryTemplateData, OrderTemplateData, PayoutTemplateData } from './templateData.sql.ts';

// Every text that people receive by mail or push is in this file. renderMail.ts turns a mail into text and HTML.

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

export type MailConfig = { readonly publicUrl: string; readonly supportEmail: string };

const renderAccountMail = (content: Omit<MailContent, 'help' | 'signature'>, { supportEmail }: MailConfig) =>
  renderMail({ ...content, help: `Questions? Write to ${supportEmail}.`, signature: 'Rubadub' });

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

export function signUpCodeMail(code: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub sign-up code',
    greeting: 'Welcome to Rubadub.',
    lines: ['Type this code into the sign-up page to show that this address is yours:'],
    code,
    closing: ['It is good for ten minutes. If you did not ask for it, you need not do anything.'],
  };
  return renderAccountMail(content, config);
}

export function accountExistsMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'You already have a Rubadub account',
    greeting: `Hello ${fullname},`,
    lines: [
      'Somebody, most likely you, asked for a sign-up code for this address. It has an account already, so there is no code: just sign in.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
    closing: ['If the password will not come to mind, the sign-in page can send you a link for a new one.'],
  };
  return renderAccountMail(content, config);
}

export function passwordResetMail(fullname: string, link: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Set a new Rubadub password',
    greeting: `Hello ${fullname},`,
    lines: ['Here is the link to set a new password. It works once, within the next hour:'],
    button: { label: 'Set a new password', link },
    closing: ['If you did not ask for it, you need not do anything: your password stays as it is.'],
  };
  return renderAccountMail(content, config);
}

export function passwordChangedMail(fullname: string, config: MailConfig): RenderedMail {
  const content = {
    subject: 'Your Rubadub password was changed',
    greeting: `Hello ${fullname},`,
    lines: [
      'Your password was just changed, and every device was signed out.',
      'If this was not you, set a new password at once and write to us.',
    ],
    button: { label: 'Sign in', link: `${config.publicUrl}/#/login` },
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

function newJobTemplate({
  id,
  budName,
  loadSize,
  price,
  selfDelivery,
  selfPickup,
}: OrderTemplateData): NotificationContent {
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

function acceptedTemplate({
  id,
  scrubName,
  scrubAddress,
  price,
  selfDelivery,
}: OrderTemplateData): NotificationContent {
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

function rejectedTemplate({ id, scrubName }: OrderTemplateData): NotificationContent {
  return {
    title: `${scrubName} cannot take your order`,
    lines: ['Nothing is charged: the hold on your card is let go.', 'Another Scrub near you may have time.'],
    button: 'See your order',
    path: `/bud/orders/${id}`,
  };
}

function expiredTemplate({ id, budName, scrubName }: OrderTemplateData, role: Role): NotificationContent {
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

export function deliveredTemplate(
  { id, type, budName, scrubName, duberName }: DeliveryTemplateData,
  role: Role,
): NotificationContent {
  const path = role === 'Bud' ? `/bud/deliveries/${id}` : `/scrub/deliveries/${id}`;
  const by = `${duberName ?? 'A Duber'} delivered it.`;
  const texts: Record<`${typeof type} ${'Bud' | 'Scrub'}`, [title: string, line: string]> = {
    'Bud_To_Scrub Bud': [`Your laundry is at ${scrubName}’s`, 'You hear from us again when it is on its way back.'],
    'Bud_To_Scrub Scrub': [`${budName}’s laundry has arrived`, 'You can start the job.'],
    'Scrub_To_Bud Bud': ['Your laundry is back', 'If you like, say how it was: reviews help the next one to choose.'],
    'Scrub_To_Bud Scrub': [`${budName}’s laundry is home again`, 'If you like, review the Duber.'],
  };
  const [title, line] = texts[`${type} ${role === 'Bud' ? 'Bud' : 'Scrub'}`];
  return { title, lines: [by, line], button: 'See the delivery', path };
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
