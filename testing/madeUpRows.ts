import fc from 'fast-check';
import { sql } from 'kysely';
import { listBackupTables } from '../server/db/backup/tables.sql.ts';
import { queryRows, type Tx } from '../server/db/database.ts';
import { propertyRuns } from './propertyRuns.ts';

const among = (...texts: string[]) => fc.constantFrom(...texts);
const text = fc
  .string({ unit: 'binary', maxLength: 12 })
  .map((one) => one.replaceAll('\u0000', ''))
  .filter((one) => one.isWellFormed());
const oddText = among(
  '',
  'null',
  'NULL',
  '\\N',
  '\\x',
  '"',
  "'",
  '#rows 0',
  '{}',
  '\u2028',
  'a\u2029b',
  '\r\n',
  '\u0085',
  '\ufeff',
);
const uuid = fc.uuid();
const plainJson = fc.json().filter((one) => !one.includes('\\u0000') && one.isWellFormed() && !one.includes('\\ud'));
const oddJson = among(
  'null',
  '"null"',
  '[null]',
  '{"a": null}',
  '""',
  '-0',
  '1.10',
  '1e300',
  '12345678901234567890.123',
  '"\u2028"',
);
/** Any JSON, and what is often taken for something else. */
export const json = fc.oneof(plainJson, oddJson);
const whole = (least: bigint, most: bigint) =>
  fc.oneof(fc.bigInt(least, most), fc.constantFrom(least, most, (least + most) / 2n)).map(String);
const array = (item: fc.Arbitrary<string>) =>
  fc
    .array(fc.option(item), { maxLength: 4 })
    .map((items) => `{${items.map((one) => (one === null ? 'NULL' : JSON.stringify(one))).join(',')}}`)
    .filter((one) => !/\\[^"\\]/.test(one));

/** Values of each type that a column of ours has, and of the others that one may have one day. */
export const VALUES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  boolean: among('true', 'false'),
  integer: whole(-(2n ** 31n), 2n ** 31n - 1n),
  bigint: whole(-(2n ** 63n), 2n ** 63n - 1n),
  'double precision': fc.oneof(fc.double().map(String), among('NaN', '-Infinity', 'Infinity', '-0', '5e-324', '1e308')),
  text: fc.oneof(text, oddText),
  uuid,
  bytea: fc.uint8Array({ maxLength: 40 }).map((bytes) => `\\x${Buffer.from(bytes).toString('hex')}`),
  'timestamp with time zone': fc.oneof(
    fc
      .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-01-01') })
      .map((at) => at.toISOString()),
    among(
      'infinity',
      '-infinity',
      '0044-03-15 12:00:00+00 BC',
      '294276-12-31 23:59:59.999999+00',
      '2026-01-02 03:04:05.678901+05:45',
    ),
  ),
  jsonb: json,
  'text[]': fc.oneof(array(text), among('{}', '{NULL,"NULL",""}', '[2:3]={a,b}', '{{a,b},{c,d}}')),
  'uuid[]': fc.oneof(array(uuid), among('{}')),
  json: fc.oneof(json, among('{ "a":1,\n "a":2 }')),
  numeric: fc.oneof(whole(-(10n ** 60n), 10n ** 60n), among('0.10', 'NaN', 'Infinity', '-1e-40')),
  real: fc.oneof(fc.float().map(String), among('-0', 'NaN')),
  date: among('infinity', '2026-11-29', '0044-03-15 BC'),
  interval: among('-1 days +02:03:04.000001', '1 year', '00:00:00'),
};

/** Sequences count from one. */
const COUNTED = { ...VALUES, integer: whole(1n, 2n ** 31n - 1n), bigint: whole(1n, 2n ** 63n - 1n) };

/** Lets the tables take any values: without triggers, checks, references and unique columns besides their keys. */
export async function dropRules(tx: Tx): Promise<void> {
  const statements = await queryRows<{ text: string }>(
    tx,
    sql`select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as text
        from pg_constraint where contype in ('c', 'f', 'u') and connamespace = current_schema()::regnamespace
      union all select format('drop index if exists %s', indexrelid::regclass) from pg_index i
        join pg_class c on c.oid = i.indrelid where c.relnamespace = current_schema()::regnamespace and not i.indisprimary
      union all select format('alter table %I disable trigger user', tablename) from pg_tables where schemaname = current_schema()`,
  );
  for (const { text: statement } of statements) await sql.raw(statement).execute(tx);
  // What a trigger fills.
  await sql`alter table ledger_entries alter column written_in set default '1'`.execute(tx);
}

/** Puts made-up rows into every table of a backup, in place of its own: some with every optional value, and some with none. */
export async function addMadeUpRows(tx: Tx): Promise<void> {
  for (const { name, columns, order } of await listBackupTables(tx)) {
    await sql`delete from ${sql.table(name)}`.execute(tx);
    const names = sql.join(columns.map((column) => sql.ref(column.name)));
    const [set = [], none = []] = fc.sample(
      fc.tuple(...columns.map(({ type }) => COUNTED[type as keyof typeof COUNTED] ?? fc.constant(type))),
      propertyRuns(2),
    );
    for (const [row, isSet] of [
      [set, true],
      [none, false],
    ] as const) {
      const texts = columns.map(({ name: column, type, isRequired }, at) => {
        // A table that has one row may have two here.
        const value = type === 'boolean' && order === `r.${column}` ? String(isSet) : row[at];
        return sql`${isSet || isRequired ? value : null}::text::${sql.raw(type)}`;
      });
      await sql`insert into ${sql.table(name)} (${names}) overriding system value values (${sql.join(texts)})`.execute(
        tx,
      );
    }
  }
}
