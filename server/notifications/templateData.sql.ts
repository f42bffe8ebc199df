import type { Price } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';

type TemplateData<T extends (...args: never[]) => Promise<unknown>> = NonNullable<Awaited<ReturnType<T>>>;

export type OrderTemplateData = TemplateData<typeof readOrderTemplateData>;
export type DeliveryTemplateData = TemplateData<typeof readDeliveryTemplateData>;
export type PayoutTemplateData = TemplateData<typeof readPayoutTemplateData>;

/** What a notification says about an order. Names only: a mail never has the e-mail or phone of another person. */
export async function readOrderTemplateData(tx: Tx, id: string) {
  const order = await tx
    .selectFrom('orders as o')
    .innerJoin('users as bud', 'bud.id', 'o.bud_id')
    .innerJoin('users as scrub', 'scrub.id', 'o.scrub_id')
    .select([
      'o.id',
      'bud.fullname as budName',
      'scrub.fullname as scrubName',
      'o.scrub_address as scrubAddress',
      'o.load_size as loadSize',
      'o.self_delivery as selfDelivery',
      'o.self_pickup as selfPickup',
      'o.load_price as loadPrice',
      'o.pickup_price as pickup',
      'o.delivery_price as delivery',
      'o.platform_fee as platformFee',
      'o.taxes',
      'o.total_price as totalPrice',
    ])
    .where('o.id', '=', id)
    .executeTakeFirst();
  if (!order) return undefined;
  const { loadPrice, pickup, delivery, platformFee, taxes, totalPrice, scrubAddress, ...rest } = order;
  const price: Price = { loadPrice, pickup, delivery, platformFee, taxes, totalPrice };
  return { ...rest, scrubAddress: scrubAddress.address, price };
}

/** What a notification says about a delivery. The price is in cents. */
export function readDeliveryTemplateData(tx: Tx, id: string) {
  return tx
    .selectFrom('deliveries as d')
    .innerJoin('users as bud', 'bud.id', 'd.bud_id')
    .innerJoin('users as scrub', 'scrub.id', 'd.scrub_id')
    .leftJoin('users as duber', 'duber.id', 'd.duber_id')
    .select([
      'd.id',
      'd.status',
      'd.delivery_type as type',
      'bud.fullname as budName',
      'scrub.fullname as scrubName',
      'duber.fullname as duberName',
      'd.distance_m as distanceM',
      'd.price',
    ])
    .where('d.id', '=', id)
    .executeTakeFirst();
}

/** What a notification says about a payout. The amount is in cents. */
export function readPayoutTemplateData(tx: Tx, id: string) {
  return tx
    .selectFrom('payouts')
    .select(['id', 'amount', 'period_end as periodEnd'])
    .where('id', '=', id)
    .executeTakeFirst();
}
