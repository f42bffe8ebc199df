import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { AuditSubject } from '../../contract/operator/call.ts';
import type { Cents } from '../../domain/payments.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { describeOrigin } from './commandLineUser.ts';

/** One act of an operator. */
export type AuditEntry = {
  readonly at: Date;
  readonly operatorId: string | null;
  readonly operatorName: string;
  readonly action: string;
  readonly subjectKind: AuditSubject;
  readonly subjectId: string | null;
  readonly reason: string;
  readonly cents: Cents | null;
  /** JSON of an object. */
  readonly details: string;
  readonly requestId: string | null;
  readonly approvedBy: string | null;
  readonly approvedByName: string | null;
  readonly approvalId: string | null;
};

export type StoredAuditEntry = AuditEntry & { readonly id: number; readonly hash: Buffer };
/** The reason and the details are in `sealed` instead, once the person whom the row is about is erased. */
export type SealableAuditEntry = StoredAuditEntry & { readonly sealed: Buffer | null };

/** The row that `npm run backup` writes. */
export const BACKUP_ACTION = 'makeBackup';

/** Covers the entry, its number and the hash of the previous entry. The order of the values must never change. */
export function hashOf(entry: AuditEntry & { readonly id: number }, previous: Buffer): Buffer {
  const values = [
    ...[entry.id, entry.at.toISOString(), entry.operatorId, entry.operatorName, entry.action, entry.subjectKind],
    ...[entry.subjectId, entry.reason, entry.cents, entry.details, entry.requestId],
    ...[entry.approvedBy, entry.approvedByName, entry.approvalId],
  ];
  return hash('sha256', Buffer.concat([previous, Buffer.from(JSON.stringify(values))]), 'buffer');
}

/**
 * Locks the end of the audit until the transaction ends. An act does it first, so that acts run one after the other: limits are
 * counted correctly, and acts cannot deadlock.
 */
export async function lockAudit(tx: Tx): Promise<{ id: number; hash: Buffer }> {
  const head = await queryRow<{ id: string; hash: Buffer }>(tx, sql`select id, hash from audit_head for update`);
  if (!head) throw new Error('the audit has no head');
  return { id: Number(head.id), hash: head.hash };
}

/** Adds a row to the audit, in the transaction of the act. */
export async function writeAudit(tx: Tx, act: AuditEntry): Promise<void> {
  const head = await lockAudit(tx);
  const entry = { ...act, details: JSON.stringify({ ...JSON.parse(act.details), ...describeOrigin() }) };
  const id = head.id + 1;
  const rowHash = hashOf({ ...entry, id }, head.hash);
  await tx
    .insertInto('audit')
    .values({
      ...{ id, at: entry.at, operator_id: entry.operatorId, operator_name: entry.operatorName, action: entry.action },
      ...{ subject_kind: entry.subjectKind, subject_id: entry.subjectId, reason: entry.reason, cents: entry.cents },
      ...{ details: entry.details, request_id: entry.requestId, hash: rowHash },
      ...{ approved_by: entry.approvedBy, approved_by_name: entry.approvedByName },
      approval_id: entry.approvalId,
    })
    .execute();
  await tx.updateTable('audit_head').set({ id, hash: rowHash }).execute();
}

const COLUMNS = [
  'audit.id',
  'audit.at',
  'audit.operator_id as operatorId',
  'audit.operator_name as operatorName',
  'audit.action',
  'audit.subject_kind as subjectKind',
  'audit.subject_id as subjectId',
  'audit.reason',
  'audit.cents',
  'audit.details',
  'audit.request_id as requestId',
  'audit.approved_by as approvedBy',
  'audit.approved_by_name as approvedByName',
  'audit.approval_id as approvalId',
  'audit.hash',
  'audit.sealed',
] as const;

const withNumber = <R extends { id: string }>(row: R) => ({ ...row, id: Number(row.id) });

export type AuditFilter = {
  readonly before?: number | undefined;
  readonly subjectKind?: AuditSubject | undefined;
  readonly subjectId?: string | undefined;
  readonly subjectIds?: readonly string[] | undefined;
  readonly operatorId?: string | undefined;
  /** Part of the reason, the action or the operator's name. */
  readonly words?: string | undefined;
};

/** A search looks through this many rows at once: no index finds a part of a text. */
export const SEARCHED_AT_ONCE = 20_000;

/** Whether an operator has left, or rights were changed, since a time. */
export async function haveOperatorsChanged(tx: Tx, since: Date): Promise<boolean> {
  const latest = await tx
    .selectFrom('audit')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('action', 'in', ['endOperator', 'changeRights'])
    .executeTakeFirst();
  return latest?.at ? latest.at > since : false;
}

/** The newest rows that match, with the number of an order that they are about. */
export async function listAuditEntries(tx: Tx, filter: AuditFilter, limit: number) {
  const words = filter.words?.trim();
  const oldest = words ? (filter.before ?? (await readAuditHead(tx)).id + 1) - SEARCHED_AT_ONCE : 0;
  const pattern = `%${words?.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const rows = await tx
    .selectFrom('audit')
    .select(COLUMNS)
    .select(
      sql<string | null>`(select o.number from orders o where audit.subject_kind in ('order', 'delivery') and o.id =
        case audit.subject_kind when 'order' then audit.subject_id::uuid
          else (select d.order_id from deliveries d where d.id = audit.subject_id::uuid) end)`.as('orderNumber'),
    )
    .$if(filter.before !== undefined, (query) => query.where('audit.id', '<', String(filter.before)))
    .$if(filter.subjectKind !== undefined, (query) =>
      query.where('audit.subject_kind', '=', filter.subjectKind ?? 'town'),
    )
    .$if(filter.subjectId !== undefined, (query) => query.where('audit.subject_id', '=', filter.subjectId ?? ''))
    .$if(filter.subjectIds !== undefined, (query) => query.where('audit.subject_id', 'in', filter.subjectIds ?? []))
    .$if(filter.operatorId !== undefined, (query) => query.where('audit.operator_id', '=', filter.operatorId ?? ''))
    .$if(Boolean(words), (query) =>
      query
        .where('audit.id', '>', String(oldest))
        .where((eb) =>
          eb.or([
            eb('audit.reason', 'ilike', pattern),
            eb('audit.action', 'ilike', pattern),
            eb('audit.operator_name', 'ilike', pattern),
          ]),
        ),
    )
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(withNumber);
}

const BATCH_SIZE = 1_000;

/** Every row in order, a batch at a time. */
export async function* readAuditInOrder(tx: Tx): AsyncGenerator<SealableAuditEntry> {
  let last = 0;
  for (;;) {
    const rows = await tx
      .selectFrom('audit')
      .select(COLUMNS)
      .where('audit.id', '>', String(last))
      .orderBy('audit.id')
      .limit(BATCH_SIZE)
      .execute();
    for (const row of rows.map(withNumber)) yield row;
    if (rows.length < BATCH_SIZE) return;
    last = Number(rows.at(-1)?.id);
  }
}

/** The number and the hash of the last row. */
export async function readAuditHead(tx: Tx): Promise<{ id: number; hash: Buffer }> {
  const { id, hash: headHash } = await tx.selectFrom('audit_head').select(['id', 'hash']).executeTakeFirstOrThrow();
  return { id: Number(id), hash: headHash };
}
