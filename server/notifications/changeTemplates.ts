import type { Role } from '../../domain/accounts.ts';
import type { WayHome } from '../../domain/orders.ts';
import { formatDollars } from '../../domain/payments.ts';
import { COUNTS_AS_LOST, NOT_CHARGED } from '../../texts/orders.ts';
import type { NotificationContent } from './notificationContent.ts';
import type { OrderTemplateData } from './templateData.sql.ts';

// The texts about orders that do not go as planned. What people wrote to each other is on the page of the order, not in a
// mail: only an operator's words are.

/** The sentence about the refund of an order that was called off. */
export function refundText({ isCharged, fee, refunded }: OrderTemplateData): string {
  if (!isCharged) return NOT_CHARGED;
  if (fee !== null) return `You are charged ${formatDollars(fee)} for the Duber. The rest of the hold is released.`;
  return refunded > 0 ? `${formatDollars(refunded)} goes back to your card.` : 'What you paid goes back to your card.';
}

const fromTown = ({ lastChange: { by, words } }: OrderTemplateData) =>
  by === 'Operator' && words !== null ? [`The town says: ${words}`] : [];

/** How the laundry of a cancelled order gets home, for the reader; undefined while its Bud has it. */
const WAY_HOME_TEXTS: Record<Extract<Role, 'Bud' | 'Scrub'>, Record<WayHome, (order: OrderTemplateData) => string>> = {
  Bud: {
    bring: () => 'A Duber brings your laundry home.',
    fetch: ({ scrubName, isWithScrub }) =>
      isWithScrub
        ? `Your laundry is with ${scrubName}: please fetch it there. The address is on the page of your order.`
        : 'We get in touch about how you get your laundry.',
    lost: () => 'We could not find your laundry. You can claim what it was worth on the page of your order.',
  },
  Scrub: {
    bring: () => 'A Duber takes the laundry home: please give it to them.',
    fetch: ({ budName, isWithScrub }) =>
      isWithScrub
        ? `${budName} fetches the laundry from you: please keep it until then.`
        : 'There is nothing left to do.',
    lost: () => COUNTS_AS_LOST,
  },
};

export function cancelledTemplate(order: OrderTemplateData, role: Role): NotificationContent {
  const { id, budName, scrubName, lastChange, wayHome } = order;
  if (role === 'Scrub') {
    const what =
      lastChange.by === 'Operator' ? `The town cancelled the job from ${budName}.` : `${budName} cancelled the job.`;
    return {
      title: 'A job is cancelled',
      lines: [
        `${what} ${wayHome ? WAY_HOME_TEXTS.Scrub[wayHome](order) : 'There is nothing left to do.'}`,
        ...fromTown(order),
      ],
      button: 'View the job',
      path: `/scrub/jobs/${id}`,
    };
  }
  const why: Record<string, string> = {
    'cancel-by-operator': 'The town cancelled it.',
    'expire-given-back': `${scrubName} could not do it, and no other Scrub was chosen within 4 hours.`,
  };
  return {
    title: 'Your order is cancelled',
    lines: [
      why[lastChange.action ?? ''] ?? 'You cancelled it.',
      ...(wayHome ? [WAY_HOME_TEXTS.Bud[wayHome](order)] : []),
      refundText(order),
      ...fromTown(order),
    ],
    button: 'View your order',
    path: `/bud/orders/${id}`,
  };
}

export function givenBackTemplate(order: OrderTemplateData): NotificationContent {
  const { id, scrubName, lastChange, paidToDubers } = order;
  const pay = paidToDubers > 0 ? 'pay only for the Duber who came' : 'pay nothing';
  const what = lastChange.by === 'Operator' ? `The town has taken it from ${scrubName}.` : `${scrubName} gave it back.`;
  return {
    title: 'Your Scrub cannot do your order',
    lines: [
      `${what} Choose another Scrub at the same price, or cancel it and ${pay}.`,
      ...fromTown(order),
      'After 4 hours it is cancelled automatically.',
    ],
    button: 'Choose a Scrub',
    path: `/bud/orders/${id}`,
  };
}

export const reminderTemplate = ({ id, budName }: OrderTemplateData): NotificationContent => ({
  title: 'Laundry is waiting for you',
  lines: [`${budName}’s laundry has been with you for 4 hours.`, 'Press Start when you begin, so that they know.'],
  button: 'View the job',
  path: `/scrub/jobs/${id}`,
});

export function lateTemplate({ id, budName, scrubName }: OrderTemplateData, role: Role): NotificationContent {
  if (role === 'Scrub') {
    return {
      title: 'A job is late',
      lines: [
        `You started ${budName}’s laundry 48 hours ago.`,
        'We let them know that it is late. Complete it when it is done.',
      ],
      button: 'View the job',
      path: `/scrub/jobs/${id}`,
    };
  }
  return {
    title: 'Your order is late',
    lines: [
      `${scrubName} started it 48 hours ago, and it is not done yet.`,
      `We let ${scrubName} know as well. We do not know when it will be done.`,
    ],
    button: 'View your order',
    path: `/bud/orders/${id}`,
  };
}

export function reopenedTemplate(order: OrderTemplateData, role: Role): NotificationContent {
  const { id, budName, scrubName, selfDelivery } = order;
  const way = selfDelivery ? `${role === 'Bud' ? 'Bring it' : 'They bring it'} as before.` : 'A Duber picks it up.';
  return role === 'Scrub'
    ? {
        title: 'A job is to be done again',
        lines: [`${budName}’s laundry comes back to you to be cleaned again. ${way}`, ...fromTown(order)],
        button: 'View the job',
        path: `/scrub/jobs/${id}`,
      }
    : {
        title: 'Your laundry is cleaned again',
        lines: [`${scrubName} cleans it again, at no cost for you. ${way}`, ...fromTown(order)],
        button: 'Follow your order',
        path: `/bud/orders/${id}`,
      };
}
