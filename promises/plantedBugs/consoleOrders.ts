// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const ORDER = 'server/operator/order.test.ts';
const PLACES = 'server/operator/shownPlaces.test.ts';
const FOUND = 'server/operator/today.test.ts';

/** Bugs in what operators find, read and do about orders. */
export const CONSOLE_ORDER_BUGS: readonly PlantedBug[] = [
  {
    bug: 'an order ends while its Scrub has the laundry, and nobody says how it gets home',
    file: 'server/orders/orderExceptions.ts',
    find: "if (choice.row.needs?.includes('way-home')) checkWayHome(facts, request);",
    replace: '',
    suite: ORDER,
  },
  {
    bug: 'an operator reads where people live without saying why',
    file: 'server/operator/order.ts',
    find: 'const head = orNotFound(await readOrderHead(tx, id, placesUntil !== undefined));',
    replace: 'const head = orNotFound(await readOrderHead(tx, id, true));',
    suite: PLACES,
  },
  {
    bug: 'the map of the town shows houses',
    file: 'server/operator/today.sql.ts',
    find: '${SCRUB_PLACE.latitude} as latitude, ${SCRUB_PLACE.longitude} as longitude',
    replace: 's.latitude, s.longitude',
    suite: PLACES,
  },
  {
    bug: 'an operator reads a phone by its last digits',
    file: 'server/operator/search.sql.ts',
    find: ' <= ${phone.length + 1 + MOST_COUNTRY_DIGITS} limit',
    replace: ' <= ${phone.length + 99 + MOST_COUNTRY_DIGITS} limit',
    suite: FOUND,
  },
  {
    bug: 'an operator reads an e-mail address letter by letter',
    file: 'server/operator/search.sql.ts',
    find: 'where u.email_key = ${email} limit',
    replace: 'where ${beginsWith(sql`u.email_key`, email)} limit',
    suite: FOUND,
  },
  {
    bug: 'a delivery is stopped in the name of nobody when an operator stops it',
    file: 'server/operator/order.ts',
    find: "await takeDeliveryException(context, { role: 'Operator', id: operator.id }, request);",
    replace: "await takeDeliveryException(context, { role: 'Operator', id: null }, request);",
    suite: ORDER,
  },
  {
    bug: 'a step of a Duber that comes in between breaks the act of an operator',
    file: 'server/operator/order.ts',
    find: '    await lockDeliveryOfTown(context.db, id);\n',
    replace: '',
    suite: ORDER,
  },
  {
    bug: 'the search tells more of an e-mail than was typed',
    file: 'server/operator/search.sql.ts',
    find: "person('e-mail', sql`${text}`,",
    replace: "person('e-mail', sql`(select u.email from users u where u.id = found.id)`,",
    suite: FOUND,
  },
  {
    bug: 'a delivery needs somebody as soon as it is offered',
    file: 'server/operator/today.sql.ts',
    find: "sql`d.status = 'Pending'`, sql`d.since <= ${before}::timestamptz`",
    replace: "sql`d.status = 'Pending'`, sql`d.since <= ${before}::timestamptz or true`",
    suite: FOUND,
  },
];
