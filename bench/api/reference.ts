import { runStatements } from './benchDatabase.ts';
import { runPgbench } from './pgbench.ts';

// A measure of the machine that no change of the product changes: the table, the statement and how pgbench runs stay as they are.

const TABLE = [
  'drop table if exists bench.reference',
  `create table bench.reference (id bigint primary key, customer int not null, status text not null, total int not null,
    created_at timestamptz not null)`,
  `insert into bench.reference select i, 1 + i % 1000, 'Completed', 1250 + i % 100, timestamptz '2026-01-01' + i * interval '1 minute'
    from generate_series(1, 20000) i`,
  'create index on bench.reference (customer, created_at desc)',
  'vacuum analyze bench.reference',
];

/** The last ten orders of a random customer, and how many they have. */
const SCRIPT = `\\set customer random(1, 1000)
select id, status, total, created_at, (select count(*) from bench.reference where customer = :customer) from bench.reference
  where customer = :customer order by created_at desc limit 10;`;

export const createReference = (url: string): Promise<void> => runStatements(url, TABLE);

/** How often a second `pgbench -M prepared -c 10 -j 1` answers the statement. */
export const measureReference = async (url: string, seconds: number): Promise<number> =>
  (await runPgbench(url, SCRIPT, { seconds: Math.ceil(seconds) })).perSecond;
