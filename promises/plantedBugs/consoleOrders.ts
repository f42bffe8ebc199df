// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code

import type { PlantedBug } from './plantedBug.ts';

const ORDER = 'server/operator/order.test.ts';
const FOUND = 'server/operator/today.test.ts';

/** Bugs in what operators find, read and do about orders. */
export const CONSOLE_ORDER_BUGS: readonly PlantedBug[] = [
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
    bug: 'the search tells an e-mail to somebody who has typed its beginning',
    file: 'server/operator/search.sql.ts',
    find: "      'e-mail',\n      sql`${text}`,",
    replace: "      'e-mail',\n      sql`(select u.email from users u where u.id = found.id)`,",
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
