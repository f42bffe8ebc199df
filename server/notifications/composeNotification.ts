import type { Role } from '../../domain/accounts.ts';
import type { Tx } from '../db/database.ts';
import type { DueNotification } from './outbox.sql.ts';
import { readDeliveryTemplateData, readOrderTemplateData, readPayoutTemplateData } from './templateData.sql.ts';
import {
  deliveredTemplate,
  type NotificationContent,
  nearbyTemplate,
  ORDER_TEMPLATES,
  payoutTemplate,
} from './templates.ts';

/** The text of a notification, or the reason why it must not be sent any more. */
export async function composeNotification(
  tx: Tx,
  { kind, about }: DueNotification,
  role: Role,
): Promise<NotificationContent | { readonly dropped: string }> {
  switch (kind) {
    case 'payout': {
      const payout = await readPayoutTemplateData(tx, about);
      return payout ? payoutTemplate(payout, role) : { dropped: 'the payout does not exist' };
    }
    case 'delivered': {
      const delivery = await readDeliveryTemplateData(tx, about);
      return delivery ? deliveredTemplate(delivery, role) : { dropped: 'the delivery does not exist' };
    }
    case 'nearby': {
      const delivery = await readDeliveryTemplateData(tx, about);
      return delivery?.status === 'Pending'
        ? nearbyTemplate(delivery)
        : { dropped: 'a Duber took the delivery before this was sent' };
    }
    default: {
      const order = await readOrderTemplateData(tx, about);
      return order ? ORDER_TEMPLATES[kind](order, role) : { dropped: 'the order does not exist' };
    }
  }
}
