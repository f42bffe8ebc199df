import { type RawBuilder, sql } from 'kysely';
import { validate } from 'uuid';
import type { ActName } from '../../contract/operator/api.ts';
import type { AuditSubject } from '../../contract/operator/call.ts';
import { type ApprovalState, AUTO_APPROVAL_AFTER_MS } from '../../domain/approvals.ts';
import type { Operator, Permission } from '../../domain/operators.ts';
import type { Cents } from '../../domain/payments.ts';
import { APPROVAL_TIMER_ROWS } from '../../domain/process/approval.ts';
import { createToken, digest } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import { endTimers, startTimers, timersOf } from '../jobs/timers.sql.ts';
import { haveOperatorsChanged } from './audit.sql.ts';
import { canApprove, hasOtherOperators } from './operators.sql.ts';

/** Without automatic approval, which only a town with one operator has. */
const ROWS_OF_SEVERAL = APPROVAL_TIMER_ROWS.filter(({ action }) => action !== 'ripen');

export type ApprovalRequest = {
  readonly name: ActName;
  readonly subjectKind: AuditSubject;
  readonly subjectId: string | null;
  readonly params: object | undefined;
  readonly body: { readonly reason: string };
  readonly operator: Operator;
  readonly cents: Cents | null;
  /** What the second operator sees in addition to the body. */
  readonly about: object;
};

/** An approval that was just requested. `stop` is set in a town with one operator, where it is approved automatically. */
export type RequestedApproval = ApprovalRequest & {
  readonly id: string;
  readonly stop: { readonly token: string; readonly mailId: string; readonly ripensAt: Date } | undefined;
};

/** No automatic approval for this long after an operator has left, or lost a right. */
const CALM_MS = 7 * 24 * 60 * 60_000;

/** Whether the town has one operator, and had no other recently who could have declined. */
export async function hasOneOperator(tx: Tx, now: Date): Promise<boolean> {
  // Zero means that the operator of the demo asks.
  if (await hasOtherOperators(tx)) return false;
  return !(await haveOperatorsChanged(tx, new Date(now.getTime() - CALM_MS)));
}

/** Whether this operator runs the town: nobody else can approve, or could recently. The operator of the demo never does. */
export const runsTownAlone = async (tx: Tx, { id }: Pick<Operator, 'id'>, now: Date): Promise<boolean> =>
  (await canApprove(tx, id)) && (await hasOneOperator(tx, now));

/** Stores a request that needs approval. Violates `approvals_one_waiting` when the same request is waiting already. */
export async function requestApproval(
  { db, now, newId }: Pick<Context, 'db' | 'now' | 'newId'>,
  request: ApprovalRequest,
): Promise<RequestedApproval> {
  const { name, subjectKind, subjectId, params = {}, body, operator, cents, about } = request;
  const [id, at] = [newId(), now()];
  const ripensAt = new Date(at.getTime() + AUTO_APPROVAL_AFTER_MS);
  const stop = (await hasOneOperator(db, at)) ? { token: createToken(), mailId: newId(), ripensAt } : undefined;
  const { reason, ...asked } = body;
  await db
    .insertInto('approvals')
    .values({
      ...{ id, action: name, subject_kind: subjectKind, subject_id: subjectId, cents, reason },
      ...{
        params: JSON.stringify(params),
        body: JSON.stringify(body),
        about: JSON.stringify(about),
        asked_by: operator.id,
        asked_at: at,
      },
      ...{ status: 'waiting', stop_hash: stop ? digest(stop.token) : null, stop_mail: stop?.mailId ?? null },
      body_hash: digest(JSON.stringify(asked)),
    })
    .execute();
  const rows = stop ? APPROVAL_TIMER_ROWS : ROWS_OF_SEVERAL;
  await startTimers(db, 'approval', { id, step: 1 }, timersOf(rows, at));
  return { ...request, id, stop };
}

export type ApprovalRow = {
  readonly id: string;
  readonly action: ActName;
  readonly subjectKind: AuditSubject;
  readonly subjectId: string | null;
  readonly orderNumber: string | null;
  readonly params: object;
  readonly body: { readonly reason: string };
  /** Null in older rows. */
  readonly about: object | null;
  readonly cents: Cents | null;
  readonly reason: string;
  readonly askedBy: string;
  readonly askedByName: string;
  readonly askedAt: Date;
  readonly status: ApprovalState;
  readonly decidedBy: string | null;
  readonly decidedByName: string | null;
  readonly decidedAt: Date | null;
  readonly words: string | null;
  readonly goesOnAt: Date | null;
  readonly ripens: boolean;
  /** Whether the mail with the link that stops it was sent. */
  readonly isStopMailed: boolean;
};

const SELECT = sql`select a.id, a.action, a.subject_kind as "subjectKind", a.subject_id as "subjectId", a.params, a.body, a.about,
    a.cents, a.reason, a.asked_by as "askedBy", asker.fullname as "askedByName", a.asked_at as "askedAt", a.status,
    a.decided_by as "decidedBy", decider.fullname as "decidedByName", a.decided_at as "decidedAt", a.words,
    (select min(t.due_at) from timers t where t.subject_kind = 'approval' and t.subject_id = a.id) as "goesOnAt",
    exists (select from timers t where t.subject_id = a.id and t.action = 'ripen') as ripens,
    exists (select from notifications n where n.kind = 'account' and n.about = a.stop_mail and n.state = 'sent') as "isStopMailed",
    (select o.number from orders o where a.subject_kind in ('order', 'delivery') and o.id = case a.subject_kind
      when 'order' then a.subject_id::uuid
      else (select d.order_id from deliveries d where d.id = a.subject_id::uuid) end) as "orderNumber"
  from approvals a join operators asker on asker.id = a.asked_by left join operators decider on decider.id = a.decided_by`;

type ApprovalList = {
  readonly isWaiting: boolean;
  /** They see their own requests, and requests for these acts. */
  readonly operatorId: string;
  readonly actions: readonly string[];
};

/** Waiting requests, oldest first; or all, newest first. */
export const listApprovalRows = (
  tx: Tx,
  { isWaiting, operatorId, actions }: ApprovalList,
  { limit, offset }: PageBounds,
): Promise<ApprovalRow[]> => {
  const visible = sql`(a.asked_by = ${operatorId} or a.action = any(${[...actions]}::text[]))`;
  return queryRows(
    tx,
    isWaiting
      ? sql`${SELECT} where a.status = 'waiting' and ${visible} order by a.asked_at, a.id limit ${limit} offset ${offset}`
      : sql`${SELECT} where ${visible} order by a.asked_at desc, a.id desc limit ${limit} offset ${offset}`,
  );
};

/** Locks an approval until the transaction ends. */
export const lockApproval = (tx: Tx, id: string): Promise<ApprovalRow | undefined> =>
  queryRow(tx, sql`${SELECT} where a.id = ${id} for update of a`);

/** The waiting approval that this link stops. */
export async function findApprovalOfLink(tx: Tx, token: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('approvals')
    .select('id')
    .where('stop_hash', '=', digest(token))
    .where('status', '=', 'waiting')
    .executeTakeFirst();
  return row?.id;
}

export type Decision = {
  readonly to: Exclude<ApprovalState, 'waiting'>;
  /** Null for an automatic decision, or one by the link of the mail. */
  readonly by: string | null;
  readonly at: Date;
  readonly words: string | null;
};

/** Ends a waiting approval and its timers. Lock it before. */
export async function endApproval(tx: Tx, id: string, { to, by, at, words }: Decision): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ status: to, decided_by: by, decided_at: at, words })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute();
  await endTimers(tx, 'approval', id);
}

/** The requests of an operator that still wait, locked. */
export async function listWaitingOf(tx: Tx, operatorId: string): Promise<string[]> {
  const waiting = await tx
    .selectFrom('approvals')
    .select('id')
    .where('asked_by', '=', operatorId)
    .where('status', '=', 'waiting')
    .forUpdate()
    .execute();
  return waiting.map(({ id }) => id);
}

/** The addresses of the operators who can approve: they have the right, and did not ask. */
export async function listOtherEmails(tx: Tx, permission: Permission, askedBy: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('operators')
    .innerJoin('operator_caps', 'operator_caps.operator_id', 'operators.id')
    .select('operators.email')
    .where('operator_caps.cap', '=', permission)
    .where('operators.id', '!=', askedBy)
    .where('operators.ended_at', 'is', null)
    .where('operators.is_demo', '=', false)
    .execute();
  return rows.map(({ email }) => email);
}

/** The subject of a request, in one line: the name of a person or an operator, or the number of an order. */
export async function describeSubject(
  tx: Tx,
  { subjectKind, subjectId }: Pick<ApprovalRequest, 'subjectKind' | 'subjectId'>,
): Promise<string[]> {
  // A price and a rule are known by their names.
  if (subjectKind === 'town') return subjectId === null || validate(subjectId) ? [] : [`About: ${subjectId}`];
  const nameOf = subjectId === null ? undefined : NAMES_OF_SUBJECTS[subjectKind]?.(subjectId);
  const row = nameOf && (await queryRow<{ name: string }>(tx, nameOf));
  return row ? [`About: ${row.name}`] : [];
}

/** The name of the subject, where it has one. */
const NAMES_OF_SUBJECTS: Partial<Record<AuditSubject, (id: string) => RawBuilder<unknown>>> = {
  person: (id) => sql`select fullname || ' (' || role || ')' as name from users where id = ${id}`,
  operator: (id) => sql`select fullname as name from operators where id = ${id}`,
  order: (id) => sql`select 'R-' || number as name from orders where id = ${id}`,
};
