import { type Expression, expressionBuilder, sql } from 'kysely';
import type { ClaimCaps } from '../../../domain/cases.ts';
import { DEFAULT_IDENTITY, type Identity } from '../../../domain/identity.ts';
import { LARGER_SIZES } from '../../../domain/orders.ts';
import {
  FAST_TURNAROUNDS,
  type PriceItem,
  SERVICES,
  type Service,
  TAX_ROUNDINGS,
  type Tariff,
} from '../../../domain/payments.ts';
import type { Point } from '../../../domain/places.ts';
import { SETTING_DEFAULTS, type TownSettings } from '../../../domain/settings.ts';
import { findZone, type PricedZone, pricesIn } from '../../../domain/zones.ts';
import { queryRow, type Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { identitySql } from '../../town/identity.sql.ts';
import { closedOf, openingSql, type StoredOpening } from '../../town/opening.sql.ts';
import {
  isPrivacyCareful,
  isProofCareful,
  isStartCareful,
  isWeighingCareful,
  takesDocuments,
} from '../../town/policies.sql.ts';
import { settingSql } from '../../town/settings.sql.ts';
import { inTenths, readZonePrices, storedValue, zonesSql } from './zones.sql.ts';

/** The price of each item in force at a time: the newest row that is valid by then. */
export const pricesAt = (time: Date | Expression<Date>) =>
  expressionBuilder<Schema>()
    .selectFrom('prices')
    .distinctOn('item')
    .select(['item', storedValue.as('value')])
    .where('valid_from', '<=', time)
    .orderBy('item')
    .orderBy('valid_from', 'desc');

/** The tariff of the town in force at a time. */
export async function readTariff(tx: Tx, time: Date, service?: Service): Promise<Tariff> {
  return tariffOf(await readPrices(tx, time), service);
}

/** The tariff in force at a time in a zone; null for outside of all zones. */
export async function readTariffIn(tx: Tx, zoneId: string | null, time: Date): Promise<Tariff> {
  const own = zoneId === null ? undefined : await readZonePrices(tx, zoneId, time);
  return tariffOf(pricesIn(await readPrices(tx, time), own));
}

export type PricesWithZones = {
  readonly prices: readonly PriceRow[];
  /** Null when there are none. */
  readonly zones: readonly PricedZone[] | null;
};

/** The columns of `PricesWithZones`: a part of other statements. */
export const pricesWithZonesAt = (time: Expression<Date>) =>
  sql`(select json_agg(p) from (${pricesAt(time)}) p) as prices, ${zonesSql(time)} as zones`;

/** The tariff where a place is, and the zone that it is in. */
export function tariffAt({ prices, zones }: PricesWithZones, place: Point): { tariff: Tariff; zoneId: string | null } {
  const zone = findZone(place, zones ?? []);
  return { tariff: tariffOf(pricesIn(prices, zone?.prices)), zoneId: zone?.id ?? null };
}

/** The tariff and the zone at one of somebody's addresses; undefined when it is not theirs. */
export async function readTariffAtAddress(
  tx: Tx,
  { userId, addressId }: { userId: string; addressId: string },
  time: Date,
): Promise<ReturnType<typeof tariffAt> | undefined> {
  const found = await queryRow<PricesWithZones & { place: Point }>(
    tx,
    sql`select ${pricesWithZonesAt(sql`${time}`)},
      json_build_object('latitude', a.latitude, 'longitude', a.longitude) as place
      from addresses a where a.id = ${addressId} and a.user_id = ${userId}`,
  );
  return found && tariffAt(found, found.place);
}

/** The tariff of each service in force at a time. */
export function tariffsOf(prices: readonly PriceRow[]): Record<Service, Tariff> {
  return Object.fromEntries(SERVICES.map((service) => [service, tariffOf(prices, service)])) as Record<Service, Tariff>;
}

/**
 * What everybody may know before they order: all prices in force, the caps of a claim, whether laundry is weighed, whether an
 * order is started only with its laundry, whether workers are asked for documents, whether places are rounded, until when the
 * town is closed, and who it is.
 */
export async function readPublicPrices(tx: Tx, time: Date) {
  const at = sql`${time}`;
  const row = await queryRow<{
    prices: PriceRow[];
    isWeighed: boolean;
    startsWithLaundry: boolean;
    asksDocuments: boolean;
    asksProof: boolean;
    roundsPlaces: boolean;
    opening: StoredOpening;
    services: TownSettings['services'] | null;
    identity: Identity | null;
  }>(
    tx,
    sql`select (select json_agg(p) from (${pricesAt(time)}) p) as prices, ${isWeighingCareful(at)} as "isWeighed",
      ${isStartCareful(at)} as "startsWithLaundry", ${takesDocuments(at)} as "asksDocuments",
      ${isProofCareful(at)} as "asksProof",
      ${isPrivacyCareful(at)} as "roundsPlaces", ${openingSql(at)} as opening, ${identitySql(at)} as identity,
        ${settingSql('services', at)} as services`,
  );
  const prices = row?.prices ?? [];
  return {
    tariffs: tariffsOf(prices),
    claimCaps: claimCapsOf(prices),
    isWeighed: row?.isWeighed === true,
    startsWithLaundry: row?.startsWithLaundry === true,
    asksDocuments: row?.asksDocuments === true,
    asksProof: row?.asksProof === true,
    roundsPlaces: row?.roundsPlaces === true,
    pause: row && closedOf(row.opening, null, time),
    timeZone: row?.opening.timeZone ?? SETTING_DEFAULTS.timeZone,
    services: row?.services ?? SETTING_DEFAULTS.services,
    identity: row?.identity ?? DEFAULT_IDENTITY,
  };
}

/** What a claim is given at most, in force at a time. */
export async function readClaimCaps(tx: Tx, time: Date): Promise<ClaimCaps> {
  return claimCapsOf(await readPrices(tx, time));
}

function claimCapsOf(prices: readonly PriceRow[]): ClaimCaps {
  const capOf = (name: PriceItem) => prices.find(({ item }) => item === name)?.value ?? 0;
  return { garment: capOf('claim-garment'), order: capOf('claim-order') };
}

/** The price of each item in force at a time. */
export const readPrices = (tx: Tx, time: Date) => tx.selectFrom(pricesAt(time).as('p')).selectAll().execute();

export type PriceRow = { readonly item: PriceItem; readonly value: number };

export function tariffOf(prices: readonly PriceRow[], service: Service = 'wash-and-fold'): Tariff {
  const values = new Map(prices.map(({ item, value }) => [item, value]));
  const itemValue = (item: PriceItem) => {
    const value = values.get(item);
    if (value === undefined) throw new Error(`there is no price of ${item}`);
    return value;
  };
  return {
    perPound: itemValue(service),
    pickup: itemValue('pickup'),
    delivery: itemValue('delivery'),
    platformFeeRate: itemValue('platform-fee'),
    taxRate: itemValue('taxes'),
    ...(TAX_ROUNDINGS[values.get('tax-rounding') ?? 0] === 'line' ? { taxRounding: 'line' } : {}),
    ...turnaroundRatesOf(values),
    ...largerSizesOf(values),
  };
}

function turnaroundRatesOf(values: ReadonlyMap<PriceItem, number>): Pick<Tariff, 'turnaroundRates'> {
  const rates = FAST_TURNAROUNDS.map((turnaround) => [turnaround, values.get(turnaround) ?? 0] as const);
  const priced = rates.filter(([, rate]) => rate > 0);
  return priced.length > 0 ? { turnaroundRates: Object.fromEntries(priced) } : {};
}

/** The sizes that the price list sells besides the three that are always sold. */
function largerSizesOf(values: ReadonlyMap<PriceItem, number>): Pick<Tariff, 'largerSizes'> {
  const sold = LARGER_SIZES.map((size) => [size, values.get(`size-${size}`) ?? 0] as const).filter(
    ([, pounds]) => pounds > 0,
  );
  return sold.length > 0 ? { largerSizes: Object.fromEntries(sold) } : {};
}

export function listPrices(tx: Tx) {
  return tx
    .selectFrom('prices')
    .select(['item', 'valid_from as validFrom', storedValue.as('value')])
    .orderBy('item')
    .orderBy('valid_from')
    .execute();
}

/** Sets an item's price from `validFrom` on, replacing the price set for exactly that time. */
export async function setPrice(tx: Tx, price: { item: PriceItem; validFrom: Date; value: number }): Promise<void> {
  const { item, validFrom, value } = price;
  await tx
    .insertInto('prices')
    .values({ item, valid_from: validFrom, ...inTenths(value) })
    .onConflict((conflict) => conflict.columns(['item', 'valid_from']).doUpdateSet(inTenths(value)))
    .execute();
}
