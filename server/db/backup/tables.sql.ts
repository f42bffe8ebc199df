import { type RawBuilder, sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../database.ts';

/** A table of a backup. */
export type BackupTable = {
  readonly name: string;
  /** Without those that the database fills itself. */
  readonly columns: readonly BackupColumn[];
  /** The SQL of its order: the primary key, which sorts in the same way in every database. */
  readonly order: string;
  readonly leftOut?: LeftOut;
};

type BackupColumn = {
  readonly name: string;
  /** As PostgreSQL writes it in a cast. */
  readonly type: string;
  readonly isRequired: boolean;
};

/** Rows that are neither written into a backup nor restored from one. */
type LeftOut = {
  /** What they are, for the operator. */
  readonly what: string;
  /** Every row, or those that meet a condition. */
  readonly rows: 'all' | RawBuilder<unknown>;
};

/** Tables that the database fills again, or whose rows mean nothing in another database. */
const EXCLUDED_TABLES = [
  'schema_version',
  // Their order is by transaction ids of one database. Clients read everything again.
  'live_events',
  'events_cleared',
  // They expire within a minute.
  'rate_limits',
  // Of one database: a restore adds a row to its own.
  'restores',
  // Copies of what is in the backup anyway. Their owners can ask for them again.
  'exports',
  'export_files',
  // Triggers compute them.
  'order_tallies',
  'delivery_tallies',
  'ledger_tallies',
];

/** A trigger fills them with the transaction that writes the row. */
const STAMPS: Readonly<Record<string, string>> = { ledger_entries: 'written_in' };

const UNSENT = 'unsent mails and pushes';

/**
 * What must not come back: people may have signed out, used a link or been notified since the backup. Leaving them out
 * of the file as well keeps codes and links out of it.
 */
const LEFT_OUT: Readonly<Record<string, LeftOut>> = {
  sessions: { what: 'sessions', rows: 'all' },
  operator_sessions: { what: 'sessions of operators', rows: 'all' },
  passkey_challenges: { what: 'challenges for passkeys', rows: 'all' },
  operator_invitations: { what: 'invitations of operators', rows: 'all' },
  // Each belongs to a session.
  push_subscriptions: { what: 'devices that receive pushes', rows: 'all' },
  known_devices: { what: 'known devices and networks', rows: 'all' },
  email_codes: { what: 'sign-up codes', rows: 'all' },
  email_changes: { what: 'changes of an e-mail address', rows: 'all' },
  reset_requests: { what: 'requests for a reset link', rows: 'all' },
  reset_links: { what: 'reset links', rows: 'all' },
  notifications: { what: UNSENT, rows: sql`due_at is not null or rendered_mail is not null` },
  nearby_notices: { what: UNSENT, rows: 'all' },
};

/** The tables of a backup, each after the tables that it references. */
export async function listBackupTables(tx: Tx): Promise<BackupTable[]> {
  const tables = await queryRows<BackupTable>(
    tx,
    sql`select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, -1), 'isRequired', a.attnotnull)
          order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.attname is distinct from ${JSON.stringify(STAMPS)}::json ->> c.relname) as columns,
      -- Each database has its own order of letters; that of their bytes is the same everywhere.
      (select string_agg(format('r.%I', a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end, ', '
          order by k.position) from pg_index i
        cross join lateral unnest(i.indkey::int2[]) with ordinality as k (attnum, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as order
      from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      order by c.relname`,
  );
  const references = await queryRows<{ from: string; to: string }>(
    tx,
    sql`select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
      where contype = 'f' and conrelid <> confrelid and connamespace = current_schema()::regnamespace`,
  );
  return sortByReferences(
    tables
      .filter(({ name }) => !EXCLUDED_TABLES.includes(name))
      .map((table) => {
        const leftOut = LEFT_OUT[table.name];
        return leftOut ? { ...table, leftOut } : table;
      }),
    references,
  );
}

function sortByReferences(
  tables: readonly BackupTable[],
  references: readonly { from: string; to: string }[],
): BackupTable[] {
  const [ordered, left]: [BackupTable[], Set<BackupTable>] = [[], new Set(tables)];
  while (left.size > 0) {
    const waiting = new Set([...left].map(({ name }) => name));
    const next = [...left].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && waiting.has(to) && to !== name),
    );
    if (next.length === 0) throw new Error(`the tables ${[...waiting].join(', ')} reference each other in a circle`);
    for (const table of next) {
      ordered.push(table);
      left.delete(table);
    }
  }
  return ordered;
}

/** Fixes the text formats of the session, and removes its time limits. */
export async function setTextFormats(tx: Tx): Promise<void> {
  for (const setting of [
    "timezone = 'UTC'",
    "datestyle = 'ISO'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    "intervalstyle = 'postgres'",
    'statement_timeout = 0',
    'idle_in_transaction_session_timeout = 0',
    // Restored rows are no new work: see work_keep_held.
    "rubadub.is_restoring = 'on'",
  ]) {
    await sql.raw(`set local ${setting}`).execute(tx);
  }
}

const ROWS_PER_FETCH = 500;
/** A photo is a megabyte as text. */
const LARGE_ROWS_PER_FETCH = 8;

function isLeftOut({ leftOut }: BackupTable): RawBuilder<unknown> {
  if (leftOut === undefined) return sql`false`;
  return leftOut.rows === 'all' ? sql`true` : sql`(${leftOut.rows})`;
}

/** How many rows of a table are left out of a backup. */
export async function countLeftOut(tx: Tx, table: BackupTable): Promise<number> {
  if (table.leftOut === undefined) return 0;
  const counted = await queryRow<{ rows: string }>(
    tx,
    sql`select count(*) as rows from ${sql.table(table.name)} where ${isLeftOut(table)}`,
  );
  return Number(counted?.rows ?? 0);
}

const columnNames = ({ columns }: BackupTable) => sql.join(columns.map(({ name }) => sql.ref(name)));

/**
 * The rows of a table by its key, each as a JSON object with the text of every value, as PostgreSQL writes it for a dump. In
 * JSON itself, a value that is JSON's null and no value at all would be the same.
 */
export async function* readTable(tx: Tx, table: BackupTable): AsyncGenerator<string> {
  const { name, columns, order } = table;
  const texts = columns.map((column) => sql`r.${sql.ref(column.name)}::text as ${sql.ref(column.name)}`);
  const rowsPerFetch = name === 'file_contents' ? LARGE_ROWS_PER_FETCH : ROWS_PER_FETCH;
  await sql`declare backup_rows no scroll cursor for
    select row_to_json(t)::text as line from (select ${sql.join(texts)} from ${sql.table(name)} r
      where not ${isLeftOut(table)} order by ${sql.raw(order)}) t`.execute(tx);
  for (;;) {
    const rows = await queryRows<{ line: string }>(tx, sql.raw(`fetch ${rowsPerFetch} from backup_rows`));
    for (const { line } of rows) yield line;
    if (rows.length < rowsPerFetch) break;
  }
  await sql`close backup_rows`.execute(tx);
}

/** Writes rows into a table from their lines, except those that are left out. Returns how many it wrote. */
export async function writeRows(tx: Tx, table: BackupTable, lines: readonly string[]): Promise<number> {
  const json = sql`${`[${lines.join(',')}]`}::json`;
  const { numAffectedRows = 0n } = await sql`insert into ${sql.table(table.name)} (${columnNames(table)})
    overriding system value select ${columnNames(table)} from (${rowsOfTexts(table, json)}) r where not ${isLeftOut(table)}`.execute(
    tx,
  );
  return Number(numAffectedRows);
}

function rowsOfTexts({ columns }: BackupTable, json: RawBuilder<unknown>): RawBuilder<unknown> {
  const texts = columns.map(({ name }) => sql`${sql.ref(name)} text`);
  const values = columns.map(({ name, type }) => sql`t.${sql.ref(name)}::${sql.raw(type)} as ${sql.ref(name)}`);
  return sql`select ${sql.join(values)} from json_to_recordset(${json}) as t (${sql.join(texts)})`;
}

/**
 * Does `work` while rows may refer to rows of their own table that come later: keys sort them, not their references. Checks
 * what is deferred before it returns.
 */
export async function withDeferredReferences(tx: Tx, work: () => Promise<void>): Promise<void> {
  const found = await queryRows<{ table: string; name: string }>(
    tx,
    sql`select conrelid::regclass::text as table, conname::text as name from pg_constraint
      where contype = 'f' and conrelid = confrelid and not condeferrable and connamespace = current_schema()::regnamespace`,
  );
  const alterAll = async (how: string) => {
    for (const { table, name } of found)
      await sql`alter table ${sql.table(table)} alter constraint ${sql.ref(name)} ${sql.raw(how)}`.execute(tx);
  };
  await alterAll('deferrable initially deferred');
  await work();
  await sql`set constraints all immediate`.execute(tx);
  await alterAll('not deferrable');
}

export async function isEmptyTable(tx: Tx, name: string): Promise<boolean> {
  return (await queryRow(tx, sql`select 1 as one from ${sql.table(name)} limit 1`)) === undefined;
}

export async function emptyTable(tx: Tx, name: string): Promise<void> {
  await sql`delete from ${sql.table(name)}`.execute(tx);
}

/** Continues the sequences after the restored rows, and keeps clients from resuming the event stream of another database. */
export async function advanceSequences(tx: Tx, tables: readonly BackupTable[]): Promise<void> {
  for (const { name } of tables) {
    const countedColumns = await queryRows<{ column: string }>(
      tx,
      sql`select attname::text as column from pg_attribute where attrelid = ${name}::regclass and attnum > 0
        and not attisdropped and pg_get_serial_sequence(${name}, attname) is not null`,
    );
    for (const { column } of countedColumns) {
      await sql`select setval(pg_get_serial_sequence(${name}, ${column}), max(${sql.ref(column)}))
        from ${sql.table(name)} having max(${sql.ref(column)}) is not null`.execute(tx);
    }
  }
  await sql`update events_cleared set tx = greatest(tx, pg_current_xact_id())`.execute(tx);
}
