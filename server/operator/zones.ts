import type { TouchedChoice } from '../../domain/moves.ts';
import { LOAD_SIZES } from '../../domain/orders.ts';
import type { PriceItem } from '../../domain/payments.ts';
import { fromStoredPrice, toStoredPrice } from '../../domain/prices.ts';
import { LAST_WINDOW_MS } from '../../domain/windows.ts';
import { type Corners, findAreaProblem, MAX_ZONES, pricesIn, ZONE_ITEMS, type ZoneItem } from '../../domain/zones.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { canLeave } from '../orders/touched.ts';
import { refuseWrongPrices } from '../payments/prices/changePrices.ts';
import { priceOfSize } from '../payments/prices/priceActs.ts';
import {
  forgetLaterOfZone,
  insertZone,
  listZones,
  readPrices,
  readZone,
  setZoneArea,
  setZonePrices,
  tariffOf,
  type ZonePriceRow,
  type ZoneRecord,
} from '../payments/prices/prices.ts';
import { refusePastDay, startOfChange } from '../payments/prices/townDays.ts';
import { refuseUnasked, settleTouched } from './hours.ts';

const MAX_COMING = 100;

type OwnPrice = { readonly item: ZoneItem; readonly value: number };

export const zoneHandlers = (context: ConsoleContext): Pick<OperatorHandlers, 'listZones' | 'previewZonePrices'> => ({
  listZones: async () => ({
    items: (await listZones(context.db, context.now())).slice(0, MAX_ZONES).map((zone) => viewOf(zone, context.now())),
  }),
  previewZonePrices: async ({ query: { zone: id, from: date, atOnce, ...values } }) => {
    const zone = id === undefined ? undefined : await readZone(context, id);
    const prices = ZONE_ITEMS.flatMap((item) => {
      const value = values[item];
      return value === undefined ? [] : [{ item, value }];
    });
    refuseWrongPrices(prices);
    const asked = { from: date, atOnce };
    await refusePastDay(context, asked);
    const from = await startOfChange(context, asked);
    const town = await readPrices(context.db, from);
    const tariffWith = (own: readonly { item: PriceItem; value: number }[]) => tariffOf(pricesIn(town, own));
    const before = tariffWith(zone ? ownPricesAt(zone, from) : []);
    const after = tariffWith(prices.map(({ item, value }) => ({ item, value: toStoredPrice(item, value) })));
    const sizes = LOAD_SIZES.map((size) => ({
      ...{ size, town: priceOfSize(size, tariffOf(town)) },
      ...{ before: priceOfSize(size, before), after: priceOfSize(size, after) },
    }));
    return { from: from.toISOString(), sizes };
  },
});

/** The stored form, not in the past. */
function ownPricesAt({ prices }: ZoneRecord, time: Date) {
  const newest = new Map(prices.filter(({ validFrom }) => validFrom <= time).map((price) => [price.item, price]));
  return [...newest.values()].flatMap(({ item, value }) => (value === null ? [] : [{ item, value }]));
}

function viewOf(zone: ZoneRecord, now: Date) {
  const { id, name, areas, prices } = zone;
  const dollarsAt = (time: Date) =>
    ownPricesAt(zone, time).map(({ item, value }) => ({ item, value: fromStoredPrice(item, value) }));
  const isLater = ({ validFrom }: { validFrom: Date }) => validFrom > now;
  const priceDays = new Map(prices.filter(isLater).map(({ validFrom }) => [validFrom.getTime(), validFrom]));
  return {
    ...{ id, name },
    corners: cornersOf(areas.findLast((area) => !isLater(area))?.corners),
    nextAreas: areas
      .filter(isLater)
      .slice(0, MAX_COMING)
      .map(({ validFrom, corners }) => ({ from: validFrom.toISOString(), corners: cornersOf(corners) })),
    prices: dollarsAt(now),
    nextPrices: [...priceDays.values()]
      .slice(0, MAX_COMING)
      .map((day) => ({ from: day.toISOString(), prices: dollarsAt(day) })),
  };
}

const cornersOf = (corners: Corners | null | undefined) => (corners ? [...corners] : null);

/** Refuses what would begin after a zone has ended. From the day on which it was to end, something else can be set instead. */
function refuseAfterEnd({ name, areas }: ZoneRecord, from: Date): void {
  const last = areas.findLast(({ validFrom }) => validFrom <= from);
  if (last?.corners === null && last.validFrom < from)
    refuse('wrongStatus', { message: `${name} ends before. Draw it from the day of its end on, or add another zone` });
}

function refuseWrongArea(corners: Corners): void {
  const problem = findAreaProblem(corners);
  if (problem) refuseProperty('corners', 'isArea', problem);
}

async function refuseAnother({ db, now }: ConsoleContext, name: string): Promise<void> {
  const zones = await listZones(db, now());
  if (zones.length >= MAX_ZONES) refuse('wrongStatus', { message: `A town has at most ${MAX_ZONES} zones` });
  if (zones.some((zone) => zone.name.toLowerCase() === name.toLowerCase()))
    refuse('wrongStatus', { message: `There is a zone ${name} already` });
}

/** The orders of a zone with a window after its end. Those that cannot be cancelled are kept: it has no other window. */
const endOf = (zoneId: string, from: Date, choice: TouchedChoice | undefined) => ({
  ...{ zoneId, choice, underWay: 'keep' as const },
  span: { from, until: new Date(from.getTime() + LAST_WINDOW_MS) },
});

// Like prices, changes start on the next day of the town, but for prices that are corrected.
export const ZONE_ACTS: Pick<Acts, 'addZone' | 'drawZone' | 'setZonePrices'> = {
  addZone: {
    check: async ({ context, body }) => {
      refuseWrongArea(body.corners);
      refuseWrongPrices(body.prices ?? []);
      await refuseAnother(context, body.name);
      await refusePastDay(context, body);
    },
    run: async ({ context, operator, body: { name, corners, prices = [], from } }) => {
      await refuseAnother(context, name);
      const { db, now, newId } = context;
      const validFrom = await startOfChange(context, { from });
      const zoneId = newId();
      await insertZone(db, { id: zoneId, name }, now());
      await setZoneArea(db, { zoneId, validFrom, corners, setBy: operator.fullname });
      if (prices.length > 0) await setZonePrices(db, zoneId, validFrom, rowsOf(prices));
      return { details: { from: validFrom.toISOString() }, subjectId: zoneId };
    },
  },
  drawZone: {
    cents: async ({ context, operator, params, body }) => {
      if (body.corners !== null || body.touched !== 'cancel') return null;
      const ends = endOf(params.id, await startOfChange(context, body), body.touched);
      const cancelled = (await refuseUnasked(context, operator, ends)).filter(canLeave);
      return cancelled.reduce((sum, { totalPrice }) => sum + totalPrice, 0);
    },
    check: async ({ context, operator, params, body }) => {
      if (body.corners) refuseWrongArea(body.corners);
      const zone = await readZone(context, params.id);
      await refusePastDay(context, body);
      const validFrom = await startOfChange(context, body);
      refuseAfterEnd(zone, validFrom);
      if (body.corners === null) await refuseUnasked(context, operator, endOf(params.id, validFrom, body.touched));
    },
    run: async ({ context, operator, params: { id }, body: { corners, from, touched } }) => {
      const zone = await readZone(context, id);
      const { name, areas } = zone;
      const validFrom = await startOfChange(context, { from });
      // It may have ended while this waited for a second operator.
      refuseAfterEnd(zone, validFrom);
      await setZoneArea(context.db, { zoneId: id, validFrom, corners, setBy: operator.fullname });
      if (corners === null) await forgetLaterOfZone(context.db, id, validFrom);
      const before = areas.findLast((area) => area.validFrom <= validFrom)?.corners ?? null;
      const ends = corners === null ? endOf(id, validFrom, touched) : undefined;
      const orders = ends ? await settleTouched(context, operator, { ...ends, words: `${name} ends.` }) : [];
      const details = { zone: name, from: validFrom.toISOString(), before };
      return { details: { ...details, ...(orders.length > 0 ? { orders } : {}) } };
    },
  },
  setZonePrices: {
    check: async ({ context, params, body }) => {
      refuseWrongPrices(body.prices);
      const zone = await readZone(context, params.id);
      await refusePastDay(context, body);
      refuseAfterEnd(zone, await startOfChange(context, body));
    },
    run: async ({ context, params: { id }, body: { prices, ...asked } }) => {
      const zone = await readZone(context, id);
      const validFrom = await startOfChange(context, asked);
      refuseAfterEnd(zone, validFrom);
      const before = ownPricesAt(zone, validFrom).map(({ item, value }) => ({
        item,
        value: fromStoredPrice(item, value),
      }));
      await setZonePrices(context.db, id, validFrom, rowsOf(prices));
      return { details: { zone: zone.name, from: validFrom.toISOString(), before } };
    },
  },
};

/** Every item has a row, so that those of earlier days end. */
const rowsOf = (prices: readonly OwnPrice[]): Omit<ZonePriceRow, 'validFrom'>[] =>
  ZONE_ITEMS.map((item) => {
    const own = prices.find((price) => price.item === item);
    return { item, value: own ? toStoredPrice(item, own.value) : null };
  });
