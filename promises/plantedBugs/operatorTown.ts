// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const CASES = 'server/operator/cases.test.ts';
const CHANGES = 'server/operator/townChanges.test.ts';
const MESSAGES = 'server/operator/messages.test.ts';
const BROADCASTS = 'server/notifications/broadcasts.test.ts';

/** Bugs in what operators decide, write to many, and change for the whole town. */
export const OPERATOR_TOWN_BUGS: readonly PlantedBug[] = [
  {
    bug: 'orders are placed while the town is paused',
    file: 'server/orders/placeOrder.ts',
    find: "  if (inputs.pausedWords !== null) refuse('townPaused', { message: inputs.pausedWords });\n",
    replace: '',
    suite: CHANGES,
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
