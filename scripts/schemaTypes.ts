import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openEmbeddedDatabase, queryRows, type Tx } from '../server/db/database.ts';
import { ensureSchema } from '../server/db/ensureSchema.ts';
import { ROOT } from './build.ts';
import { addSchemaDigest } from './schemaDigest.ts';

/** The TypeScript type of each PostgreSQL type, as pg reads it and as queries write it. */
const TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float8: 'number',
  int4: 'number',
  int8: 'Int8',
  text: 'string',
  timestamptz: 'Timestamp',
  uuid: 'string',
  _text: 'string[]',
  _uuid: 'string[]',
  xid8: 'string',
};

/** Columns with a narrower type than PostgreSQL knows: those with a check constraint, and JSON. */
const COLUMNS: Readonly<Record<string, string>> = {
  'admissions.role': 'WorkerRole',
  'admissions.status': 'AdmissionStatus',
  'approvals.about': 'JSONColumnType<object>',
  'approvals.action': 'ActName',
  'approvals.body': 'JSONColumnType<object>',
  'approvals.params': 'JSONColumnType<object>',
  'approvals.status': 'ApprovalState',
  'approvals.subject_kind': 'AuditSubject',
  'audit.subject_kind': 'AuditSubject',
  'broadcasts.to_role': "Role | 'everyone'",
  'case_refunds.liable': 'LiableParty',
  'cases.about_role': "'Scrub' | 'Duber'",
  'cases.decided_by': "'Bud' | 'Operator' | 'System'",
  'cases.kind': 'CaseKind',
  'cases.offer': 'Offer',
  'cases.priority': 'CasePriority',
  'cases.status': 'CaseStatus',
  'claim_items.kind': 'ItemKind',
  'claim_items.liable': 'LiableParty',
  'corrections.answered_by': "'Bud' | 'System'",
  'corrections.from_size': 'OrderSize',
  'corrections.state': 'CorrectionState',
  'corrections.to_size': 'OrderSize',
  'deliveries.delivery_type': 'DeliveryType',
  'deliveries.paid_by': "'platform' | 'scrub'",
  'deliveries.status': 'DeliveryStatus',
  'delivery_tallies.status': 'DeliveryStatus',
  'disputes.call': "'send' | 'accept'",
  'disputes.liable_account': "'scrub' | 'duber'",
  'disputes.status': 'DisputeStatus',
  'documents.kind': 'DocumentKind',
  'documents.state': 'DocumentState',
  'erasures.status': 'ErasureStatus',
  'events.entity': "'order' | 'delivery' | 'position' | 'case'",
  'handovers.giver_role': 'Role',
  'handovers.proof': 'Proof',
  'handovers.taker_role': 'Role',
  'files.about_kind': 'FileSubject',
  'keys.name': "'vapid' | 'unsubscribe' | 'record'",
  'holds.kind': 'RestrictionKind',
  'ledger_entries.kind': 'EntryKind',
  'ledger_lines.account': 'LedgerAccount',
  'ledger_lines.kind': 'EntryKind',
  'notification_choices.kind': 'NotificationKind',
  'notifications.channel': "Channel | 'account-mail'",
  'notifications.kind': "NotificationKind | 'account'",
  'notifications.rendered_mail': 'JSONColumnType<RenderedMail>',
  'notifications.state': "'due' | 'sent' | 'dropped' | 'given-up'",
  'order_lines.earner': 'Earner',
  'order_lines.item': 'LineItem',
  'order_tallies.status': 'OrderStatus',
  'operator_caps.cap': 'Permission',
  'orders.bud_address': 'JSONColumnType<Address>',
  'orders.ceiling_size': 'OrderSize',
  'orders.holder_role': 'Role',
  'orders.load_size': 'OrderSize',
  'orders.scrub_address': 'JSONColumnType<Address>',
  'orders.status': 'OrderStatus',
  'orders.turnaround': 'Turnaround',
  'orders.way_home': 'WayHome',
  'orders.ways_paid_by': "'platform' | 'scrub'",
  'payments.draft': 'JSONColumnType<object>',
  'payments.state': 'PaymentState',
  'payout_accounts.method': 'PayoutMethodName',
  'payout_files.format': 'BankFormat',
  'payouts.state': "'due' | 'sent' | 'returned'",
  'pins.side': 'PinSide',
  'prices.item': 'PriceItem',
  'earnings.kind': 'EarningKind',
  'payout_holds.account': "'scrub' | 'duber'",
  'payout_holds.reason': 'PendingReason',
  'reconciled_days.counts': 'JSONColumnType<DayCounts>',
  'reconciled_days.differences': 'JSONColumnType<readonly DayDifference[]>',
  'reconciled_days.ours': 'JSONColumnType<DaySums>',
  'reconciled_days.progress': 'JSONColumnType<object>',
  'reconciled_days.state': 'DayState',
  'reconciled_days.theirs': 'JSONColumnType<DaySums>',
  'refunds.liable': 'RefundBearer',
  'refunds.state': "'asking' | 'pending' | 'refunded' | 'stuck' | 'dropped'",
  'requests.answer': 'JSONColumnType<object>',
  'requirements.kind': 'DocumentKind',
  'requirements.role': 'WorkerRole',
  'window_places.kind': 'WindowKind',
  'saved_cards.state': 'SavedCardState',
  'scrub_weeks.hours': 'JSONColumnType<Hours>',
  'scrub_weeks.sizes': 'OrderSize[]',
  'proposals.by_role': "'Scrub' | 'Operator'",
  'proposals.answer': "'yes' | 'no' | 'withdrawn' | 'expired'",
  'missed_promises.state': "'owed' | 'paid' | 'kept' | 'unpaid'",
  'missed_promises.liable': 'LiableParty',
  'missed_promises.holder_role': 'Role',
  'missed_promises.reason': 'UnpaidReason',
  'reviews.type': 'ReviewType',
  'settings.name': 'SettingName',
  'settings.value': 'JSONColumnType<object, unknown, unknown>',
  'steps.action': 'OrderStepAction | DeliveryStepAction | CaseEventAction',
  'steps.actor_role': 'Actor',
  'steps.offer': 'Offer',
  'steps.status': 'OrderStatus | DeliveryStatus | CaseStatus',
  'steps.subject_kind': "'order' | 'delivery' | 'case'",
  'suspensions.status': 'SuspensionStatus',
  'tax_ids.kind': 'TaxIdKind',
  'timers.subject_kind':
    "'order' | 'delivery' | 'case' | 'approval' | 'suspension' | 'dispute' | 'admission' | 'erasure'",
  'users.role': 'Role',
  'weighings.scale': 'Scale',
  'zone_areas.corners': 'JSONColumnType<Corners>',
  'zone_prices.item': 'ZoneItem',
};

const HEADER = `// Made by \`npm run schema\` from schema.sql. Do not edit.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { ActName } from '../../contract/operator/api.ts';
import type { AuditSubject } from '../../contract/operator/call.ts';
import type { Address } from '../../contract/places.ts';
import type { Role } from '../../domain/accounts.ts';
import type { AdmissionStatus, DocumentKind, DocumentState, WorkerRole } from '../../domain/admissions.ts';
import type { ApprovalState } from '../../domain/approvals.ts';
import type { BankFormat } from '../../domain/bankFiles.ts';
import type { CaseEventAction, CaseKind, CasePriority, CaseStatus, ItemKind, Offer } from '../../domain/cases.ts';
import type { DeliveryStatus, DeliveryStepAction, DeliveryType } from '../../domain/deliveries.ts';
import type { DisputeStatus } from '../../domain/disputes.ts';
import type { EarningKind, PendingReason } from '../../domain/earnings.ts';
import type { ErasureStatus } from '../../domain/erasures.ts';
import type { FileSubject } from '../../domain/files.ts';
import type { PinSide, Proof } from '../../domain/handovers.ts';
import type { Hours } from '../../domain/hours.ts';
import type { EntryKind, LedgerAccount, LiableParty, RefundBearer } from '../../domain/ledger.ts';
import type { Channel, NotificationKind } from '../../domain/notifications.ts';
import type { Permission } from '../../domain/operators.ts';
import type { OrderSize, OrderStatus, OrderStepAction, WayHome } from '../../domain/orders.ts';
import type { PaymentState, PriceItem } from '../../domain/payments.ts';
import type { PayoutMethodName } from '../../domain/payoutAccounts.ts';
import type { Earner, LineItem } from '../../domain/prices.ts';
import type { UnpaidReason } from '../../domain/promises.ts';
import type { DayCounts, DayDifference, DayState, DaySums } from '../../domain/reconciledDays.ts';
import type { RestrictionKind, SuspensionStatus } from '../../domain/restrictions.ts';
import type { ReviewType } from '../../domain/reviews.ts';
import type { SavedCardState } from '../../domain/savedCards.ts';
import type { SettingName } from '../../domain/settings.ts';
import type { TaxIdKind } from '../../domain/taxIds.ts';
import type { CorrectionState, Scale } from '../../domain/weighing.ts';
import type { Turnaround, WindowKind } from '../../domain/windows.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { Corners, ZoneItem } from '../../domain/zones.ts';
import type { RenderedMail } from '../outgoing/renderMail.ts';

type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** PostgreSQL's bigint, which pg reads as text. */
type Int8 = ColumnType<string, bigint | number | string, bigint | number | string>;
`;

type Column = { table: string; column: string; type: string; isNullable: boolean; hasDefault: boolean };

function readColumns(db: Tx): Promise<Column[]> {
  return queryRows(
    db,
    sql`select table_name as "table", column_name as "column", udt_name as "type", is_nullable = 'YES' as "isNullable",
        column_default is not null or is_identity = 'YES' as "hasDefault"
      from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'
      order by table_name, column_name`,
  );
}

function typeOf({ table, column, type, isNullable, hasDefault }: Column): string {
  const known = COLUMNS[`${table}.${column}`] ?? TYPES[type];
  if (known === undefined) throw new Error(`${table}.${column} has the type ${type}: add it to scripts/schemaTypes.ts`);
  const full = isNullable ? `${known} | null` : known;
  return hasDefault ? `Generated<${full}>` : full;
}

const pascal = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns the text of server/db/schema.ts: the types of every table, read from a new database. */
export async function printSchemaTypes(): Promise<string> {
  const { db, close } = await openEmbeddedDatabase(undefined);
  try {
    await ensureSchema(db);
    const tables = Map.groupBy(await readColumns(db), ({ table }) => table);
    const types = [...tables].map(([table, columns]) => {
      const lines = columns.map((column) => `  ${column.column}: ${typeOf(column)};`);
      return `export type ${pascal(table)} = {\n${lines.join('\n')}\n};\n`;
    });
    const all = [...tables.keys()].map((table) => `  ${table}: ${pascal(table)};`);
    return format(
      [HEADER, ...types, `/** Every table. */\nexport type Schema = {\n${all.join('\n')}\n};\n`].join('\n'),
    );
  } finally {
    await close();
  }
}

function format(text: string): string {
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  const args = ['format', '--stdin-file-path=server/db/schema.ts'];
  return execFileSync(biome, args, { cwd: ROOT, input: text, encoding: 'utf8' });
}

if (import.meta.main) {
  addSchemaDigest();
  writeFileSync(join(ROOT, 'server', 'db', 'schema.ts'), await printSchemaTypes());
}
