import { v7 as newId } from 'uuid';
import type { Cents } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { insertRefund } from './refunds.sql.ts';

/** What was charged beyond what the order costs goes back. Nobody had earned it. */
export async function giveBackReduction(tx: Tx, orderId: string, amount: Cents, at: Date): Promise<void> {
  if (amount === 0) return;
  const nobodys = { taxes: 0, liable: 'nobody', liableUser: null } as const;
  await insertRefund(tx, { id: newId(), orderId, amount, ...nobodys, reason: 'the laundry weighed less' }, at);
}
