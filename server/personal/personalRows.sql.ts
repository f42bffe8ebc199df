import { type RawBuilder, sql } from 'kysely';
import { columnsIn, PERSONAL_DATA, type PersonalPart, personalColumnsOf } from '../../domain/personal.ts';
import { BANDS_PER_DEGREE } from '../../domain/places.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

// What the map of domain/personal.ts means in SQL. Raw SQL throughout: tables and columns are values of the map.

type Column = { readonly table: string; readonly name: string; readonly type: string; readonly isRequired: boolean };

const keyOf = (table: string, column: string) => `${table}.${column}`;

/** The columns of all tables, by 'users.email'. */
async function readColumns(tx: Tx): Promise<ReadonlyMap<string, Column>> {
  const columns = await queryRows<Column>(
    tx,
    sql`select c.relname as table, a.attname as name, format_type(a.atttypid, -1) as type, a.attnotnull as "isRequired"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  );
  return new Map(columns.map((column) => [keyOf(column.table, column.name), column]));
}

const WAY = /^(?<column>\w+)(?:>(?<table>\w+)\.(?<key>\w+)(?<cast>::text)?\.(?<rest>.+))?$/;

/** Whether a row is one of a person's, by one way of the map. `depth` is how many tables the way has led over. */
function leadsTo(way: string, id: string, depth = 0): RawBuilder<unknown> {
  const { column = '', table, key = '', cast, rest = '' } = WAY.exec(way)?.groups ?? {};
  const [row, next] = [depth === 0 ? 't' : `x${depth}`, `x${depth + 1}`];
  if (table === undefined) return sql`${sql.ref(`${row}.${column}`)} = ${id}::uuid`;
  return sql`${sql.ref(`${row}.${column}`)} in (select ${sql.ref(`${next}.${key}`)}${cast ? sql`::text` : sql``}
    from ${sql.table(table)} ${sql.ref(next)} where ${leadsTo(rest, id, depth + 1)})`;
}

const isOneOf = (ways: readonly string[], id: string) =>
  sql`(${sql.join(
    ways.map((way) => leadsTo(way, id)),
    sql` or `,
  )})`;

/** In a copy, the place of what nobody can read. */
const SECRET = sql`to_jsonb('(secret)'::text)`;

/** The tables that a person can have rows in, and a copy of their data has as files. */
export const EXPORTED_TABLES: readonly string[] = Object.entries(PERSONAL_DATA).flatMap(([table, { parts = [] }]) =>
  parts.some(({ whose = [] }) => whose.length > 0) ? [table] : [],
);

/** The rows of a table that are a person's, with the columns that are theirs, as JSON. */
export async function readPersonalRows(tx: Tx, table: string, id: string): Promise<readonly object[]> {
  const parts = (PERSONAL_DATA[table]?.parts ?? []).filter(({ whose = [] }) => whose.length > 0);
  const objects = parts.map((part) => {
    const secrets = columnsIn(part.secret);
    const properties = personalColumnsOf(part).map(
      (name) =>
        sql`${sql.lit(name)}, ${secrets.includes(name) ? sql`case when t.${sql.ref(name)} is not null then ${SECRET} end` : sql`to_jsonb(t.${sql.ref(name)})`}`,
    );
    return sql`case when ${isOneOf(part.whose ?? [], id)} then jsonb_build_object(${sql.join(properties)}) else '{}' end`;
  });
  const all = parts.flatMap(({ whose = [] }) => whose);
  const rows = await queryRows<{ row: object }>(
    tx,
    sql`select ${sql.join(objects, sql` || `)} as row from ${sql.table(table)} t where ${isOneOf(all, id)}`,
  );
  return rows.map(({ row }) => row);
}

const t = (name: string) => sql`t.${sql.ref(name)}`;

/** Where a column cannot be empty, or says something else than nothing. */
const EMPTIED: Readonly<Record<string, RawBuilder<unknown>>> = {
  'users.fullname': sql`'Former ' || t.role`,
  // Unique, and no address that anybody could sign up with.
  'users.email_key': sql`'erased ' || t.id`,
  // So that the job that erases files does so.
  'documents.state': sql`'replaced'`,
  'documents.erase_at': sql`'epoch'::timestamptz`,
};

const EMPTY_VALUES: Readonly<Record<string, RawBuilder<unknown>>> = {
  text: sql`''`,
  bytea: sql`''::bytea`,
  jsonb: sql`'{}'::jsonb`,
  boolean: sql`false`,
  // Of a file: the job that erases old files takes it next.
  'timestamp with time zone': sql`'epoch'::timestamptz`,
};

function emptyValue({ table, name, type, isRequired }: Column): RawBuilder<unknown> {
  const value = EMPTIED[keyOf(table, name)] ?? (isRequired ? EMPTY_VALUES[type] : sql`null`);
  if (value === undefined) throw new Error(`${table}.${name} has no empty value`);
  return value;
}

const degrees = (value: RawBuilder<unknown>) => sql`round((${value})::numeric, 2)`;

/** To a hundredth of a degree, which is about a kilometer. */
function blurred({ table, name, type }: Column): RawBuilder<unknown> {
  if (type === 'double precision') return sql`${degrees(t(name))}::float8`;
  if (keyOf(table, name) === 'deliveries.pickup_band')
    return sql`floor(${degrees(t('pickup_latitude'))} * ${sql.lit(BANDS_PER_DEGREE)})::int`;
  return sql`${t(name)} || jsonb_build_object('label', '', 'address', 'Address deleted',
    'latitude', ${degrees(sql`${t(name)} ->> 'latitude'`)}, 'longitude', ${degrees(sql`${t(name)} ->> 'longitude'`)})`;
}

/** The texts of the audit are encrypted instead, so that its hashes can still be checked. */
const SEALED_TABLE = 'audit';

/**
 * Empties and blurs all that the map says of a person. Tables that are never changed allow it until the transaction ends, or
 * `endErasing` is called. The account itself comes last, because ways of the map lead over its e-mail address.
 */
export async function eraseRows(tx: Tx, id: string): Promise<void> {
  const columns = await readColumns(tx);
  const tables = Object.entries(PERSONAL_DATA).filter(([table]) => table !== SEALED_TABLE && table !== 'users');
  const users = PERSONAL_DATA.users?.parts ?? [];
  for (const [table, parts] of [
    ...tables.map(([table, { parts = [] }]) => [table, parts] as const),
    ['users', users] as const,
  ])
    for (const part of parts) await erasePart(tx, { table, part, id, columns });
}

type Erased = {
  readonly table: string;
  readonly part: PersonalPart;
  readonly id: string;
  readonly columns: ReadonlyMap<string, Column>;
};

/** What waits for a decision is still needed. */
const LEFT: Readonly<Record<string, RawBuilder<unknown>>> = { approvals: sql`t.status = 'waiting'` };

async function erasePart(tx: Tx, { table, part, id, columns }: Erased): Promise<void> {
  const ways = [...(part.whose ?? []), ...(part.about ?? [])];
  if (ways.length === 0) return;
  if (part.isDeleted) {
    await sql`delete from ${sql.table(table)} t where ${isOneOf(ways, id)}`.execute(tx);
    return;
  }
  const columnOf = (name: string) => {
    const column = columns.get(keyOf(table, name));
    if (!column) throw new Error(`there is no column ${table}.${name}`);
    return column;
  };
  const changes = [
    ...columnsIn(part.erase).map((name) => [name, emptyValue(columnOf(name))] as const),
    ...columnsIn(part.blur).map((name) => [name, blurred(columnOf(name))] as const),
  ];
  if (changes.length === 0) return;
  const set = changes.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const differs = changes.map(([name, value]) => sql`${t(name)} is distinct from ${value}`);
  await sql`update ${sql.table(table)} t set ${sql.join(set)}
    where ${isOneOf(ways, id)} and not ${LEFT[table] ?? sql`false`} and (${sql.join(differs, sql` or `)})`.execute(tx);
}

/** Lets the tables that are never changed be emptied, until the transaction ends. */
export async function beginErasing(tx: Tx): Promise<void> {
  // Some large tables have no index for it, and are read once.
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`set local rubadub.is_erasing = 'on'`.execute(tx);
}

export async function endErasing(tx: Tx): Promise<void> {
  await sql`set local rubadub.is_erasing = 'off'`.execute(tx);
}

/** Letters of a name that is looked for in all texts of the audit. Those of acts about the person are found by their subject. */
const SHORTEST_NAME = 6;

export type AuditTexts = { readonly id: string; readonly reason: string; readonly details: string };

/**
 * The rows of the audit whose texts can still be read, about a person and their orders, deliveries and cases, or with their name or
 * contacts.
 */
export function listAuditTexts(tx: Tx, id: string, { fullname, email, phone }: KeptRecord): Promise<AuditTexts[]> {
  const ways = PERSONAL_DATA.audit?.parts?.flatMap(({ about = [] }) => about) ?? [];
  const contacts = [email, ...(phone ? [phone] : [])];
  // As whole words, and no short one: "e" or "Ann" are in every text.
  const name = fullname.length < SHORTEST_NAME ? null : `\\m${fullname.replace(/[^\p{L}\p{N}]/gu, '\\$&')}\\M`;
  return queryRows(
    tx,
    sql`select t.id, t.reason, t.details from audit t where t.sealed is null and (${isOneOf(ways, id)}
      or (t.reason || t.details) ~* ${name}::text
      or exists (select from unnest(${contacts}::text[]) n where strpos(lower(t.reason || t.details), lower(n)) > 0))`,
  );
}

export async function sealAuditTexts(tx: Tx, id: string, sealed: Buffer): Promise<void> {
  await tx.updateTable('audit').set({ reason: '', details: '{}', sealed }).where('id', '=', id).execute();
}

/** What the law keeps of a person, as it is encrypted. */
export type KeptRecord = {
  readonly fullname: string;
  readonly email: string;
  readonly phone: string | null;
  readonly addresses: { readonly label: string; readonly address: string }[];
};

export const readKeptRecord = (tx: Tx, id: string): Promise<KeptRecord | undefined> =>
  queryRow(
    tx,
    sql`select u.fullname, u.email, u.phone, coalesce((select json_agg(json_build_object('label', a.label, 'address', a.address)
        order by a.created_at, a.id) from addresses a where a.user_id = u.id), '[]') as addresses
      from users u where u.id = ${id}`,
  );
