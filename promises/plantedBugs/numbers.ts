// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const NUMBERS = 'server/orders/orderNumbers.test.ts';
const LARGE_INDEXES = 'server/db/largeIndexes.test.ts';
const MIGRATIONS = 'server/db/migrate.test.ts';

/** Bugs in the numbers of orders, and in how a release gives them to orders that are there. */
export const NUMBER_BUGS: readonly PlantedBug[] = [
  {
    bug: 'after a crash, orders of before get numbers that others have already',
    file: 'server/db/migrations/022_order_numbers.ts',
    find: 'coalesce(max(number) + 1, 1001)',
    replace: 'coalesce(min(number), 1001)',
    suite: NUMBERS,
  },
  {
    bug: 'new orders begin with the numbers of those of before',
    file: 'server/db/migrations/022_order_numbers.ts',
    find: '1001 + coalesce(sum(orders), 0)::bigint / 2',
    replace: '1001',
    suite: NUMBERS,
  },
  {
    bug: 'orders of before get their numbers in the order of the table',
    file: 'server/db/migrations/022_order_numbers.ts',
    find: 'number is null order by id limit',
    replace: 'number is null limit',
    suite: NUMBERS,
  },
  {
    bug: 'the number of an order is found only as it is shown',
    file: 'domain/orders.ts',
    find: '(?:r[-\\s]?)?',
    replace: 'r-',
    suite: NUMBERS,
  },
  {
    bug: 'a restored database gives out numbers again',
    file: 'server/db/backup/tables.sql.ts',
    find: 'pg_get_serial_sequence(${name}, attname) is not null',
    replace: "attidentity <> ''",
    suite: 'server/commands/backup.test.ts',
  },
  {
    bug: 'an index that a later release replaces is made at every start',
    file: 'server/db/largeIndexes.sql.ts',
    find: '!names.has(name)',
    replace: 'names.size >= 0 && name',
    suite: LARGE_INDEXES,
  },
  {
    bug: 'a release that skips another holds its tables while it waits for more',
    file: 'server/db/migrate.ts',
    find: "const TRANSACTION_ENDS = ['021_adjustments', '046_listed_payments'];",
    replace: 'const TRANSACTION_ENDS: string[] = [];',
    suite: MIGRATIONS,
  },
  {
    bug: 'a migration waits for its tables one after the other',
    file: 'server/db/lockTables.sql.ts',
    find: "perform set_config('lock_timeout', '300ms', true);\n",
    replace: '',
    suite: MIGRATIONS,
  },
];
