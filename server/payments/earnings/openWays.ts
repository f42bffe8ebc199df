import { orderShareOfEarning } from '../../../domain/earnings.ts';
import type { TripPayer } from '../../../domain/orders.ts';
import type { Cents } from '../../../domain/payments.ts';
import type { Tx } from '../../db/database.ts';
import { readFeeLeft } from './earnings.sql.ts';

/** A delivery that a Duber will be paid for if it goes on. */
export type OpenWay = { readonly id: string; readonly price: Cents; readonly paidBy: TripPayer | null };

/** What the platform will pay of an open way, because the fee of the order is used up or the platform has promised it. */
export async function platformShareOf(tx: Tx, { id, price, paidBy }: OpenWay): Promise<Cents> {
  if (paidBy !== null) return paidBy === 'platform' ? price : 0;
  return price - orderShareOfEarning(price, await readFeeLeft(tx, id));
}
