// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const ORDER_LIMITS = 'server/orders/orderLimits.test.ts';
const PUSH_SHARES = 'server/notifications/pushSlots.test.ts';

/** Bugs in what stops one person from flooding others: limits on orders and cards, and shares of mails and pushes. */
export const FLOOD_BUGS: readonly PlantedBug[] = [
  {
    bug: 'declined cards are not limited',
    file: 'server/orders/orderLimits.ts',
    find: 'const DECLINES: GrowingLimit = { free: 15,',
    replace: 'const DECLINES: GrowingLimit = { free: 5_000,',
    suite: ORDER_LIMITS,
  },
  {
    bug: 'all cards of one account are tried at the same time',
    file: 'server/orders/orderLimits.ts',
    find: 'const MAX_AT_CARD_NETWORK = 3;',
    replace: 'const MAX_AT_CARD_NETWORK = 300;',
    suite: ORDER_LIMITS,
  },
  {
    bug: 'a card that was declined too often is taken when it passes',
    file: 'server/orders/placeOrder.ts',
    find: 'await refuseIfCardBlocked(context, orderId, hold);',
    replace: '',
    suite: ORDER_LIMITS,
  },
  {
    bug: 'one person may use all slots for pushes',
    file: 'server/notifications/pushSlots.ts',
    find: 'const SLOTS_PER_PERSON = 2;',
    replace: 'const SLOTS_PER_PERSON = 200;',
    suite: PUSH_SHARES,
  },
  {
    bug: 'push services that never answer may use all slots',
    file: 'server/notifications/pushSlots.ts',
    find: 'const UNPROVEN_SLOTS = PUSH_SLOTS / 2;',
    replace: 'const UNPROVEN_SLOTS = PUSH_SLOTS * 2;',
    suite: PUSH_SHARES,
  },
  {
    bug: 'pushes are sent in batches that wait for the slowest',
    file: 'server/notifications/send.ts',
    find: 'inFlight.add(sending);',
    replace: 'inFlight.add(sending);\n      if (inFlight.size >= 8) await Promise.all(inFlight);',
    suite: PUSH_SHARES,
  },
  {
    bug: 'a mail about an order that is accepted again looks like a repeat of the first',
    file: 'server/notifications/send.ts',
    find: '-${message.createdAt.getTime()}`;',
    replace: '`;',
    suite: 'server/notifications/messageIds.test.ts',
  },
  {
    bug: 'a mail that is queued again counts as sent, because the one before was',
    file: 'server/notifications/outbox.sql.ts',
    find: "    .where(sql<boolean>`date_trunc('milliseconds', created_at) = ${message.createdAt}`)\n",
    replace: '',
    suite: 'server/notifications/messageIds.test.ts',
  },
  {
    bug: 'each request of a Bud causes a separate mail',
    file: 'server/notifications/composeNotification.ts',
    find: 'if (!burst?.isFollowUp)',
    replace: 'if (burst?.openRequests !== -1)',
    suite: 'server/notifications/recipients.test.ts',
  },
];
