import type { Role } from '../../domain/accounts.ts';
import { BEFORE_PICKUP, type DeliveryStatus } from '../../domain/deliveries.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import type { Tx } from '../db/database.ts';
import { readBroadcast } from './broadcasts.sql.ts';
import { caseTemplate } from './caseTemplates.ts';
import { type DeliveryTemplateData, readDeliveryTemplateData } from './deliveryTemplateData.sql.ts';
import { deliveredTemplate, nearbyTemplate } from './deliveryTemplates.ts';
import { EXCEPTION_TEMPLATES, type ExceptionKind, isAboutDropOff } from './exceptionTemplates.ts';
import { moneyTemplate } from './moneyTemplate.ts';
import type { NotificationContent } from './notificationContent.ts';
import type { DueNotification } from './outbox.sql.ts';
import { readPromiseTemplateData } from './promiseTemplateData.sql.ts';
import { promiseMissedTemplate, promiseNearTemplate } from './promiseTemplates.ts';
import {
  type OrderTemplateData,
  readCaseTemplateData,
  readMoneyTemplateData,
  readOrderTemplateData,
  readPayoutTemplateData,
  readRequestBurst,
  readWeighingTemplateData,
} from './templateData.sql.ts';
import { newJobsTemplate, ORDER_TEMPLATES, payoutTemplate, townTemplate } from './templates.ts';
import { weighAnsweredTemplate, weighedTemplate } from './weighingTemplates.ts';
import { readWindowTemplateData } from './windowTemplateData.sql.ts';
import { movedTemplate, proposedTemplate } from './windowTemplates.ts';

export type ComposedNotification =
  | (NotificationContent & { readonly tag?: string })
  | { readonly dropped: string }
  | { readonly postponedUntil: Date };

/** The text of a notification, the reason why it must not be sent any more, or when to look again. */
export async function composeNotification(
  tx: Tx,
  notification: DueNotification,
  role: Role,
  now: Date,
): Promise<ComposedNotification> {
  const { kind, about, userId } = notification;
  switch (kind) {
    case 'placed':
      return composePlaced(tx, notification, role, now);
    case 'payout': {
      const payout = await readPayoutTemplateData(tx, about);
      return payout ? payoutTemplate(payout, role) : { dropped: 'the payout does not exist' };
    }
    case 'money': {
      const moved = await readMoneyTemplateData(tx, about, userId);
      return moved ? moneyTemplate(moved, role) : { dropped: 'the entry of the ledger does not exist' };
    }
    case 'case': {
      const event = await readCaseTemplateData(tx, about, userId);
      return event ? caseTemplate(event, role) : { dropped: 'the case does not exist' };
    }
    case 'town': {
      const message = await readBroadcast(tx, about);
      return message ? townTemplate(message, role) : { dropped: 'the message does not exist' };
    }
    case 'weighed':
    case 'weigh-answered': {
      const order = await readWeighingTemplateData(tx, about);
      if (!order) return { dropped: 'the order was not weighed' };
      return kind === 'weighed' ? weighedTemplate(order) : weighAnsweredTemplate(order, role);
    }
    case 'promise-near':
    case 'promise-missed': {
      const order = await readPromiseTemplateData(tx, about, userId, now);
      if (!order) return { dropped: 'the order does not exist' };
      return (kind === 'promise-near' ? promiseNearTemplate : promiseMissedTemplate)(order, role);
    }
    case 'proposed':
    case 'moved': {
      const order = await readWindowTemplateData(tx, about, now);
      if (!order) return { dropped: 'the order has no windows' };
      return kind === 'proposed' ? proposedTemplate(order) : movedTemplate(order);
    }
    case 'nearby':
    case 'delivered':
    case 'arrived':
    case 'failed-pickup':
    case 'failed-drop':
    case 'dropped':
    case 'called-off':
      return composeAboutDelivery(kind, await readDeliveryTemplateData(tx, about, userId), role);
    default: {
      const order = await readOrderTemplateData(tx, about, now);
      if (!order) return { dropped: 'the order does not exist' };
      return IS_STILL_SO[kind]?.(order) === false
        ? { dropped: 'it went on before this was sent' }
        : ORDER_TEMPLATES[kind](order, role);
    }
  }
}

/** Whether a notice that asks for something, or promises something, is still true when it is sent. */
const IS_STILL_SO: Partial<Record<NotificationKind, (order: OrderTemplateData) => boolean>> = {
  accepted: ({ status }) => status === 'Accepted' || status === 'In_Progress' || status === 'Completed',
  'given-back': ({ isGivenBack }) => isGivenBack,
  reminder: ({ status }) => status === 'Accepted',
  late: ({ status }) => status === 'In_Progress',
  reopened: ({ status }) => status === 'In_Progress',
};

/** A notice that is about the present is not sent once the delivery has gone on. */
const DELIVERY_STATUSES_OF: Record<ExceptionKind, readonly DeliveryStatus[]> = {
  arrived: ['Way_To_Pick', 'Way_To_Drop'],
  'failed-pickup': ['Failed', 'Pending'],
  'failed-drop': ['Failed', 'Way_To_Drop', 'Way_Back', 'Returned'],
  dropped: ['Pending', ...BEFORE_PICKUP],
  'called-off': ['Called_Off'],
};

function composeAboutDelivery(
  kind: ExceptionKind | 'nearby' | 'delivered',
  delivery: DeliveryTemplateData | undefined,
  role: Role,
): ComposedNotification {
  if (kind === 'nearby') {
    return delivery?.status === 'Pending'
      ? nearbyTemplate(delivery)
      : { dropped: 'a Duber took the delivery before this was sent' };
  }
  if (!delivery) return { dropped: 'the delivery does not exist' };
  if (kind === 'delivered') return deliveredTemplate(delivery, role);
  // That somebody else does it now stays true for who had it, unless they have it again.
  const isForFormerDuber = kind === 'dropped' && delivery.hasReaderLeft && !delivery.isReaders;
  // The laundry does not wait with this Duber any more.
  const isForNoHolder = kind === 'dropped' && role === 'Duber' && !delivery.hasReaderLeft && !delivery.hasReaderLaundry;
  const isPast =
    !DELIVERY_STATUSES_OF[kind].includes(delivery.status) ||
    (kind === 'failed-drop' && !isAboutDropOff(delivery)) ||
    isForNoHolder;
  if (isPast && !isForFormerDuber) return { dropped: 'it went on before this was sent' };
  return EXCEPTION_TEMPLATES[kind](delivery, role);
}

/** A Scrub waits this long for the second and later requests of a Bud, and then gets one notification for all of them. */
const BURST_MS = 2 * 60_000;
const RECHECK_MS = 10_000;
/** A request is announced by then, even if the Bud goes on placing others. */
const LONGEST_BURST_MS = 10 * 60_000;

async function composePlaced(
  tx: Tx,
  notification: DueNotification,
  role: Role,
  now: Date,
): Promise<ComposedNotification> {
  const order = await readOrderTemplateData(tx, notification.about, now);
  if (!order) return { dropped: 'the order does not exist' };
  if (order.status === 'Cancelled' || order.status === 'Rejected') {
    return { dropped: 'the order ended before this was sent' };
  }
  const ageMs = now.getTime() - notification.createdAt.getTime();
  if (role === 'Scrub' && order.status !== 'Requested' && ageMs >= BURST_MS) {
    return { dropped: 'the Scrub answered before this was sent' };
  }
  if (role === 'Bud' || order.status !== 'Requested') return ORDER_TEMPLATES.placed(order, role);
  return composeRequest(tx, notification, order, now);
}

async function composeRequest(
  tx: Tx,
  notification: DueNotification,
  order: OrderTemplateData,
  now: Date,
): Promise<ComposedNotification> {
  const burst = await readRequestBurst(tx, notification);
  const tag = `placed-${order.budId}`;
  if (burst?.isCovered) return { dropped: 'a later notification covered this request, too' };
  if (!burst?.isFollowUp) return { ...ORDER_TEMPLATES.placed(order, 'Scrub'), tag };
  const ageMs = now.getTime() - notification.createdAt.getTime();
  if (ageMs < BURST_MS) return { postponedUntil: new Date(notification.createdAt.getTime() + BURST_MS) };
  if (burst.hasLater && ageMs < LONGEST_BURST_MS) return { postponedUntil: new Date(now.getTime() + RECHECK_MS) };
  const { openRequests } = burst;
  return { ...(openRequests > 1 ? newJobsTemplate(order, burst) : ORDER_TEMPLATES.placed(order, 'Scrub')), tag };
}
