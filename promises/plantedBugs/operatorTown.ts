// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const CASES = 'server/operator/cases.test.ts';
const CHANGES = 'server/operator/townChanges.test.ts';
const HOURS = 'server/operator/hours.test.ts';
const ZONES = 'server/operator/zones.test.ts';
const MESSAGES = 'server/operator/messages.test.ts';
const BROADCASTS = 'server/notifications/broadcasts.test.ts';

/** Bugs in what operators decide, write to many, and change for the whole town. */
export const OPERATOR_TOWN_BUGS: readonly PlantedBug[] = [
  {
    bug: 'orders are placed while the town is paused',
    file: 'server/orders/placeOrder.ts',
    find: "  if (closed) refuse('townPaused', { message: closed.words });\n",
    replace: '',
    suite: CHANGES,
  },
  {
    bug: 'orders are placed during a closure',
    file: 'server/town/opening.sql.ts',
    find: '(closures ?? []).map(',
    replace: '(closures ?? []).slice(1).map(',
    suite: HOURS,
  },
  {
    bug: 'hours that reach past midnight end there',
    file: 'domain/hours.ts',
    find: '[addDays(today, -1), today].flatMap(',
    replace: '[today].flatMap(',
    suite: HOURS,
  },
  {
    bug: 'hours are on the clocks of UTC',
    file: 'server/town/opening.sql.ts',
    find: 'timeZone: timeZone ?? SETTING_DEFAULTS.timeZone',
    replace: 'timeZone: SETTING_DEFAULTS.timeZone',
    suite: HOURS,
  },
  {
    bug: 'what was taken back closes the town',
    file: 'server/town/opening.sql.ts',
    find: ' and c.taken_back_at is null',
    replace: '',
    suite: HOURS,
  },
  {
    bug: 'the second of two operators overwrites the hours of the first',
    file: 'server/operator/hours.ts',
    find: 'if (!isSameHours(before, current))',
    replace: 'if (isSameHours(before, hours) && !isSameHours(before, current))',
    suite: HOURS,
  },
  {
    bug: 'orders in a zone cost what they cost in the town',
    file: 'server/orders/placeOrder.ts',
    find: 'tariffAt(inputs, budAddress)',
    replace: 'tariffAt({ ...inputs, zones: null }, budAddress)',
    suite: ZONES,
  },
  {
    bug: 'of zones that overlap the larger one counts',
    file: 'domain/zones.ts',
    find: 'areaOf(a.corners) - areaOf(b.corners)',
    replace: 'areaOf(b.corners) - areaOf(a.corners)',
    suite: ZONES,
  },
  {
    bug: 'a zone that has ended comes back',
    file: 'server/operator/zones.ts',
    find: '      if (corners === null) await forgetLaterOfZone(context.db, id, validFrom);\n',
    replace: '',
    suite: ZONES,
  },
  {
    bug: 'a place on the edge of a zone is outside',
    file: 'domain/zones.ts',
    find: 'if (edges.some((edge) => isOnEdge(edge, point))) return true;',
    replace: 'if (edges.some((edge) => isOnEdge(edge, point))) return false;',
    suite: 'domain/zones.test.ts',
  },
  {
    bug: 'a zone that has ended keeps its prices',
    file: 'server/payments/zones.sql.ts',
    find: 'where za.zone_id = z.id and za.valid_from',
    replace: 'where za.corners is not null and za.zone_id = z.id and za.valid_from',
    suite: ZONES,
  },
  {
    bug: 'a Bud pays another price than they have seen',
    file: 'server/orders/placeOrder.ts',
    find: "toCents(body.shownTotal) !== cents) refuse('priceChanged')",
    replace: "toCents(body.shownTotal) < 0) refuse('priceChanged')",
    suite: ZONES,
  },
  {
    bug: 'one operator alone changes the prices of a zone',
    file: 'server/operator/zones.ts',
    find: '      refuseWrongPrices(body.prices);\n      const zone =',
    replace: '      if (params.id) return false;\n      const zone =',
    suite: ZONES,
  },
  {
    bug: 'an order of a zone has the prices of the town once it is weighed',
    file: 'server/orders/weighingView.ts',
    find: 'readTariffIn(tx, zoneId, ',
    replace: 'readTariffIn(tx, null, ',
    suite: 'server/orders/weighing.test.ts',
  },
  {
    bug: 'one operator alone changes a price',
    file: 'server/operator/prices.ts',
    find: '      return true;\n',
    replace: '      return false;\n',
    suite: CHANGES,
  },
  {
    bug: 'a price that is agreed to after its day changes what people have ordered',
    file: 'server/operator/townDays.ts',
    find: 'new Date(Math.max(startOfLocalDay(date, timeZone).getTime(), start.getTime()))',
    replace: 'startOfLocalDay(date, timeZone)',
    suite: CHANGES,
  },
  {
    bug: 'the limit of an order is that of one decision',
    file: 'server/operator/cases.ts',
    find: 'cents + (await sumGivenByTown(db, params.id)) > refundLimitOrder',
    replace: 'cents > refundLimitOrder',
    suite: CASES,
  },
  {
    bug: 'operators see photos that nobody has used',
    file: 'server/files/files.sql.ts',
    find: "selectKeptFile(tx, id).where('f.about_kind', '<>', 'document')",
    replace: 'selectKeptFile(tx, id)',
    suite: CASES,
  },
  {
    bug: 'people are written to as often as operators like',
    file: 'server/operator/messages.ts',
    find: 'if (!isUrgent && (await findTodays(context, to)))',
    replace: 'if (!isUrgent && title === words && (await findTodays(context, to)))',
    suite: MESSAGES,
  },
  {
    bug: 'a message to many leaves people out',
    file: 'server/notifications/broadcasts.sql.ts',
    find: 'sql` and `)} order by id limit',
    replace: 'sql` and `)} order by id desc limit',
    suite: BROADCASTS,
  },
  {
    bug: 'a message to many goes before the receipts that were there',
    file: 'server/notifications/broadcasts.sql.ts',
    find: '(is_urgent or ${isOutboxShort(now)})',
    replace: '(is_urgent or ${isOutboxShort(now)} or true)',
    suite: BROADCASTS,
  },
];
