import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError, describeError } from '../server/commands/commandError.ts';
import { readBackupFile, writeBackupFile } from '../server/db/backup/file.ts';
import { SCHEMA_NUMBER } from '../server/db/ensureSchema.ts';

// `npm run convert-backup -- OLD NEW` makes a backup of the schema of this build from the backup of an earlier build. It is removed with
// 1.0, from which on a release upgrades the database itself.

type Row = Readonly<Record<string, string | null>>;

/** The last migration of the builds that had migrations. */
const LAST_MIGRATION = '053_rates_and_restores';
/**
 * Mails of builds before the outbox, all of them sent or given up, failed sign-ins of builds before sign_in_attempts, and the tables
 * from which NEW_TABLES are made.
 */
const GONE_TABLES = ['mails', 'sign_in_failures', 'order_steps', 'delivery_steps', 'case_events', 'pays'];

const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** The price of an order was columns until schema 1, and the price of its draft has the same parts: now each part is a line. */
const PRICE_LINES = [
  { item: 'delivery', column: 'delivery_price', part: 'delivery', earner: 'delivery-duber', isTaxed: false },
  { item: 'load', column: 'load_price', part: 'loadPrice', earner: 'scrub', isTaxed: true },
  { item: 'pickup', column: 'pickup_price', part: 'pickup', earner: 'pickup-duber', isTaxed: false },
  { item: 'platform-fee', column: 'platform_fee', part: 'platformFee', earner: 'platform', isTaxed: true },
  { item: 'taxes', column: 'taxes', part: 'taxes', earner: 'state', isTaxed: false },
] as const;

function convertDraft(draft: string): string {
  const { price, ...rest } = JSON.parse(draft) as { readonly price: Readonly<Record<string, number>> };
  const lines = PRICE_LINES.map(({ item, part, earner, isTaxed }) => ({
    item,
    cents: price[part] ?? 0,
    earner,
    isTaxed,
  }));
  return JSON.stringify({ ...rest, lines: lines.filter(({ cents }) => cents > 0) });
}

/** The keys of earlier requests are not moved to the table `requests`: after a restore everybody signs in again. */
const withoutKeys = (row: Row): Row => without(row, ['request_key', 'request_hash']);

/** What the rows of earlier builds do not say themselves. */
type Histories = {
  /** By order. */
  readonly lastHandovers: ReadonlyMap<string, Row>;
  /** By delivery, without its call-off. */
  readonly lastSteps: ReadonlyMap<string, Row>;
  /** By delivery, if its Duber could not go on, and nobody has brought the laundry back since: who had it last. */
  readonly carriers: ReadonlyMap<string, string>;
};

async function readHistories(lines: AsyncIterable<string>): Promise<Histories> {
  const [lastHandovers, lastSteps, relays, takers] = [0, 1, 2, 3].map(() => new Map<string, Row>()) as Maps;
  const keep = (map: Map<string, Row>, key: string | null | undefined, row: Row) => {
    if (key && Number(row.position) >= Number(map.get(key)?.position ?? 0)) map.set(key, row);
  };
  let table = '';
  for await (const line of lines) {
    if (line.startsWith('#table ')) table = line.slice('#table '.length);
    if (line.startsWith('#') || !['handovers', 'delivery_steps'].includes(table)) continue;
    const row = JSON.parse(line) as Row;
    if (table === 'handovers') keep(lastHandovers, row.order_id, row);
    if (row.taker_role === 'Duber') keep(takers, row.delivery_id, row);
    if (table === 'delivery_steps' && row.action !== 'call-off') keep(lastSteps, row.delivery_id, row);
    if (row.action === 'relay' || row.action === 'brought-back') keep(relays, row.delivery_id, row);
  }
  const relayed = [...relays].flatMap(([id, { action }]) => (action === 'relay' ? [id] : []));
  const carriers = new Map(relayed.map((id) => [id, takers.get(id)?.taker_id ?? '']));
  return { lastHandovers, lastSteps, carriers };
}
type Maps = [Map<string, Row>, Map<string, Row>, Map<string, Row>, Map<string, Row>];

/** Since schema 3 an order says who has its laundry. */
function withHolder(order: Row, { lastHandovers }: Histories): Row {
  const last = lastHandovers.get(order.id ?? '');
  return {
    ...order,
    ...{ holder_role: last?.taker_role ?? 'Bud', holder_id: last?.taker_id ?? order.bud_id ?? null },
    ...{ holder_delivery: last?.delivery_id ?? null, held_since: last?.taken_at ?? last?.at ?? null },
  };
}

/** Since schema 3 a delivery says since when its laundry is lost, and who had the laundry when it was called off. */
function withLoss(delivery: Row, { lastSteps, carriers }: Histories): Row {
  const last = lastSteps.get(delivery.id ?? '');
  const carrier = delivery.status === 'Called_Off' ? carriers.get(delivery.id ?? '') : undefined;
  return {
    ...delivery,
    carrier_id: carrier || (delivery.carrier_id ?? null),
    lost_at: last?.action === 'report-lost' ? (last.created_at ?? null) : null,
  };
}

type Changes = Readonly<Record<string, (row: Row, histories: Histories) => Row>>;

/** What changes in the rows of a table of schema 4 and 5, which have the same rows. In those of schema 6 and 7 nothing does. */
const CHANGES_SINCE_5: Changes = { holds: (row) => ({ ...row, of_erasure: 'false' }) };

/** What changes in the rows of a table of schema 3. */
const CHANGES_SINCE_3: Changes = {
  ...CHANGES_SINCE_5,
  disputes: (row) => ({ ...row, network_version: '0' }),
  payout_holds: (row) => ({ ...without(row, ['pay_entry']), earning_entry: row.pay_entry ?? null }),
};

/** What changes in the rows of a table of schema 2. */
const CHANGES_SINCE_2: Changes = { ...CHANGES_SINCE_3, orders: withHolder, deliveries: withLoss };

/** What changes in the rows of a table of a build before schema 2. */
const EARLIER_CHANGES: Changes = {
  ...CHANGES_SINCE_2,
  admission_sweeps: (row) => without(row, ['is_on', 'last_user', 'is_done']),
  audit: withoutKeys,
  weighings: withoutKeys,
  cases: withoutKeys,
  orders: (row, histories) =>
    withHolder(without(row, ['pickup_price', 'delivery_price', 'platform_fee', 'taxes']), histories),
  payments: (row) => (row.draft ? { ...row, draft: convertDraft(row.draft) } : row),
};

const linesOf = (order: Row): Row[] =>
  PRICE_LINES.filter(({ column }) => Number(order[column]) > 0).map(({ item, column, earner, isTaxed }) => ({
    ...{ order_id: order.id ?? null, item, cents: order[column] ?? null, earner, is_taxed: String(isTaxed) },
  }));

/** The columns that the histories of orders, deliveries and cases had in common. */
const stepOf = (kind: string, id: string, { position, action, status, words, ...row }: Row): Row => ({
  ...{ subject_kind: kind, subject_id: row[id] ?? null, position: position ?? null },
  ...{ action: action ?? null, status: status ?? null, words: words ?? null, file_ids: row.file_ids ?? '{}' },
});
const personalStepOf = (kind: string, id: string, attempt: string, row: Row): Row => ({
  ...{
    ...stepOf(kind, id, row),
    attempt: row[attempt] ?? null,
    at: row.created_at ?? null,
    reason: row.reason ?? null,
  },
  ...{ actor_role: row.actor_role ?? null, actor_id: row.actor_id ?? null },
});
const deliveryStepOf = (row: Row): Row => ({
  ...personalStepOf('delivery', 'delivery_id', 'attempt', row),
  ...{ taken_at: row.taken_at ?? null, counts_from: row.counts_from ?? null, is_proven: row.is_proven ?? null },
});
const caseStepOf = (row: Row): Row => ({
  ...{ ...stepOf('case', 'case_id', row), id: row.id ?? null, at: row.at ?? null },
  ...{ actor_role: row.by_role ?? null, actor_id: row.by_id ?? null, actor_name: row.set_by ?? null },
  ...{ offer: row.offer ?? null, cents: row.cents ?? null },
  ...{ latitude: row.latitude ?? null, longitude: row.longitude ?? null },
});

/** A table that an earlier build does not have. */
type NewTable = {
  readonly name: string;
  /** The table that follows in a backup. */
  readonly before: string;
  /** The schemas of the builds without it are lower. */
  readonly since: number;
  /** Its rows, by the earlier table that they are made from. */
  readonly from: Readonly<Record<string, (row: Row) => readonly Row[]>>;
};
const NEW_TABLES: readonly NewTable[] = [
  { name: 'card_customers', before: 'closures', since: 8, from: {} },
  { name: 'window_places', before: 'zones', since: 7, from: {} },
  { name: 'erasures', before: 'files', since: 6, from: {} },
  { name: 'requests', before: 'requirements', since: 2, from: {} },
  // Builds with schema 7 have `scrub_days`, which follows.
  { name: 'saved_cards', before: 'scrub_days', since: 8, from: {} },
  { name: 'saved_cards', before: 'scrub_places', since: 7, from: {} },
  { name: 'scrub_days', before: 'scrub_places', since: 7, from: {} },
  { name: 'scrub_days_off', before: 'scrub_places', since: 7, from: {} },
  { name: 'scrub_weeks', before: 'second_factors', since: 7, from: {} },
  { name: 'bookings', before: 'corrections', since: 7, from: {} },
  { name: 'order_lines', before: 'pins', since: 2, from: { orders: linesOf } },
  { name: 'proposals', before: 'push_subscriptions', since: 7, from: {} },
  { name: 'missed_promises', before: 'reviews', since: 7, from: {} },
  { name: 'earnings', before: 'handover_confirmations', since: 4, from: { pays: (row) => [row] } },
  {
    ...{ name: 'steps', before: 'payout_lines', since: 4 },
    from: {
      order_steps: (row) => [personalStepOf('order', 'order_id', 'round', row)],
      delivery_steps: (row) => [deliveryStepOf(row)],
      case_events: (row) => [caseStepOf(row)],
    },
  },
];

/** The lines of a new table. Its rows may stand anywhere in the earlier backup, which is read once for them. */
async function* linesOfNewTable({ name, from }: NewTable, lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield `#table ${name}`;
  let [table, count] = ['', 0];
  for await (const line of lines) {
    if (line.startsWith('#table ')) table = line.slice('#table '.length);
    if (line.startsWith('#')) continue;
    for (const row of from[table]?.(JSON.parse(line) as Row) ?? []) {
      count += 1;
      yield JSON.stringify(row);
    }
  }
  yield `#rows ${count}`;
}

type EarlierManifest = {
  readonly migrations?: readonly string[];
  readonly schema?: number;
  readonly tables?: readonly string[];
};

const readManifest = (line: string) => JSON.parse(line.replace(/^#manifest /, '')) as EarlierManifest;

/** The new tables that stand before a table, in a backup of a build. */
const newTablesBefore = (table: string, { schema = 0 }: EarlierManifest): NewTable[] =>
  NEW_TABLES.filter(({ before, since }) => before === table && schema < since);

function changesOf({ schema = 0 }: EarlierManifest): Changes {
  if (schema < 2) return EARLIER_CHANGES;
  if (schema < 3) return CHANGES_SINCE_2;
  if (schema < 4) return CHANGES_SINCE_3;
  return schema < 6 ? CHANGES_SINCE_5 : {};
}

/** The manifest of the converted backup. */
function convertManifest(earlier: EarlierManifest): string {
  const { migrations, schema, tables = [], ...rest } = earlier;
  if (schema === SCHEMA_NUMBER)
    throw new CommandError('the backup has the schema of this build already: restore it as it is');
  if (schema === undefined && migrations?.at(-1) !== LAST_MIGRATION)
    throw new CommandError(
      `the backup is at ${migrations?.at(-1)}, before ${LAST_MIGRATION}: restore it with the last build that has migrations, start that build once, and make a backup with it`,
    );
  const kept = tables.filter((name) => !GONE_TABLES.includes(name));
  const all = kept.flatMap((name) => [...newTablesBefore(name, earlier).map((added) => added.name), name]);
  return `#manifest ${JSON.stringify({ ...rest, schema: SCHEMA_NUMBER, tables: all })}`;
}

type Read = () => AsyncIterable<string>;

/** The lines of the converted backup, each with its end. Throws when the checksum of the earlier backup does not match. */
export async function* convertBackup(read: Read): AsyncGenerator<string> {
  yield* convertLines(read, await readHistories(read()));
}

async function* convertLines(read: Read, histories: Histories): AsyncGenerator<string> {
  let [changes, manifest]: [Changes, EarlierManifest] = [{}, {}];
  const [checksum, written] = [createHash('sha256'), createHash('sha256')];
  const hashed = (line: string) => {
    written.update(`${line}\n`);
    return `${line}\n`;
  };
  let table = '';
  for await (const line of read()) {
    if (line.startsWith('#sha256 ')) {
      if (line !== `#sha256 ${checksum.digest('hex')}`)
        throw new CommandError('the checksum at the end does not match: the file was changed or damaged');
      yield `#sha256 ${written.digest('hex')}\n`;
      return;
    }
    checksum.update(`${line}\n`);
    if (line.startsWith('#table ')) table = line.slice('#table '.length);
    if (GONE_TABLES.includes(table)) continue;
    if (line.startsWith('#table '))
      for (const added of newTablesBefore(table, manifest))
        for await (const one of linesOfNewTable(added, read())) yield hashed(one);
    if (line.startsWith('#manifest ')) {
      manifest = readManifest(line);
      changes = changesOf(manifest);
      yield hashed(convertManifest(manifest));
      continue;
    }
    const change = changes[table];
    yield hashed(change && !line.startsWith('#') ? JSON.stringify(change(JSON.parse(line) as Row, histories)) : line);
  }
  throw new CommandError('the file ends before its checksum: it was cut short');
}

async function run([from, to]: readonly string[]): Promise<void> {
  if (!from || !to) throw new CommandError('name both files: npm run convert-backup -- old.backup.gz new.backup.gz');
  const [source, target] = [from, to].map((name) => resolve(process.env.INIT_CWD ?? '.', name)) as [string, string];
  if (!existsSync(source)) throw new CommandError(`${source} does not exist`);
  if (existsSync(target)) throw new CommandError(`${target} exists already`);
  await writeBackupFile(
    target,
    convertBackup(() => readBackupFile(source)),
  );
  console.log(`${target} is written. Restore it with \`npm run restore -- ${to}\`.`);
}

if (import.meta.main) {
  await run(process.argv.slice(2)).catch((error: unknown) => {
    console.error(`rubadub convert-backup: ${describeError(error)}`);
    process.exitCode = 1;
  });
}
