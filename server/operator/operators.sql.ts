import { sql } from 'kysely';
import {
  OPERATOR_SESSION_IDLE_S,
  OPERATOR_SESSION_MAX_AGE_S,
  type OperatorId,
  PERMISSIONS,
  type Permission,
} from '../../domain/operators.ts';
import { queryRow, type Tx } from '../db/database.ts';
import type { LiveOperatorSession } from '../operatorContext.ts';

export type OperatorAccount = {
  readonly id: string;
  readonly fullname: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly isDemo: boolean;
};

/** The account of an address; undefined for one that has ended. */
export function findOperatorByEmail(tx: Tx, emailKey: string): Promise<OperatorAccount | undefined> {
  return tx
    .selectFrom('operators')
    .select(['id', 'fullname', 'email', 'password_hash as passwordHash', 'is_demo as isDemo'])
    .where('email_key', '=', emailKey)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

export type NewOperator = {
  readonly id: string;
  readonly fullname: string;
  readonly email: string;
  readonly emailKey: string;
  readonly passwordHash: string;
  readonly caps: readonly Permission[];
  /** Null for the operator of the demo, who has no second factor. */
  readonly factor: SecondFactor | null;
};

/** The sealed secret of an authenticator app, and the time step of its last code. */
export type SecondFactor = { readonly sealedSecret: Buffer; readonly step: number };

/** Violates `operators_email_key_key` when the address already has an account. */
export async function insertOperator(tx: Tx, operator: NewOperator, now: Date): Promise<void> {
  const { id, fullname, email, emailKey, passwordHash, caps, factor } = operator;
  await tx
    .insertInto('operators')
    .values({
      ...{ id, fullname, email, email_key: emailKey, password_hash: passwordHash },
      ...{ is_demo: factor === null, created_at: now },
    })
    .execute();
  if (caps.length > 0)
    await tx
      .insertInto('operator_caps')
      .values(caps.map((permission) => ({ operator_id: id, cap: permission, given_at: now })))
      .execute();
  if (factor) await addSecondFactor(tx, id, factor, now);
}

export async function addSecondFactor(
  tx: Tx,
  operatorId: string,
  { sealedSecret, step }: SecondFactor,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('second_factors')
    .values({ operator_id: operatorId, sealed_secret: sealedSecret, last_step: step, added_at: now })
    .execute();
}

/** Whether an operator has a second factor. Nobody resets it until the transaction ends. */
export async function keepSecondFactor(tx: Tx, operatorId: string): Promise<boolean> {
  await tx.selectFrom('operators').select('id').where('id', '=', operatorId).forKeyShare().execute();
  // A statement of its own: the lock may have waited.
  const factors = tx.selectFrom('second_factors').select('operator_id').where('operator_id', '=', operatorId);
  return (await factors.executeTakeFirst()) !== undefined;
}

/** The operator cannot sign in with earlier codes or passkeys. */
export async function removeSecondFactors(tx: Tx, operatorId: string): Promise<void> {
  for (const table of ['second_factors', 'passkeys', 'passkey_challenges'] as const)
    await tx.deleteFrom(table).where('operator_id', '=', operatorId).execute();
}

const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

export type SessionTime = { readonly now: Date; readonly isDemoOn: boolean };

/** Whether the session `s` of the operator `o` is valid. */
export const isLiveOperatorSession = ({ now, isDemoOn }: SessionTime) => sql`
  s.ended_at is null and o.ended_at is null and (${isDemoOn} or not o.is_demo)
  and s.created_at > ${secondsBefore(now, OPERATOR_SESSION_MAX_AGE_S)}
  and s.last_used_at > ${secondsBefore(now, OPERATOR_SESSION_IDLE_S)}`;

/** An id is branded where the operator is read: here because the token was checked, and below because the operator has not left. */
export function findOperatorSession(
  tx: Tx,
  tokenHash: Buffer,
  time: SessionTime,
): Promise<LiveOperatorSession | undefined> {
  return queryRow<LiveOperatorSession>(
    tx,
    sql`select o.id, o.fullname, o.email, o.is_demo as "isDemo", s.created_at as "createdAt",
        s.last_used_at as "lastUsedAt", s.code_at as "codeAt",
        array(select c.cap from operator_caps c where c.operator_id = o.id
          order by array_position(${[...PERMISSIONS]}::text[], c.cap)) as caps
      from operator_sessions s join operators o on o.id = s.operator_id
      where s.token_hash = ${tokenHash} and ${isLiveOperatorSession(time)}`,
  );
}

export type NewOperatorSession = {
  readonly tokenHash: Buffer;
  readonly operatorId: string;
  readonly network: string;
  readonly browser: string;
};

export async function insertOperatorSession(tx: Tx, session: NewOperatorSession, now: Date): Promise<void> {
  const { tokenHash: token_hash, operatorId: operator_id, network, browser } = session;
  await tx
    .insertInto('operator_sessions')
    .values({ token_hash, operator_id, network, browser, created_at: now, last_used_at: now, code_at: now })
    .execute();
}

/** Whether this operator has signed in from this network with this browser before. */
export async function isKnownBrowser(tx: Tx, session: NewOperatorSession): Promise<boolean> {
  const before = await tx
    .selectFrom('operator_sessions')
    .select('token_hash')
    .where('operator_id', '=', session.operatorId)
    .where('network', '=', session.network)
    .where('browser', '=', session.browser)
    .limit(1)
    .executeTakeFirst();
  return before !== undefined;
}

export async function touchOperatorSession(
  tx: Tx,
  tokenHash: Buffer,
  at: { last_used_at?: Date; code_at?: Date },
): Promise<void> {
  await tx.updateTable('operator_sessions').set(at).where('token_hash', '=', tokenHash).execute();
}

export async function endOperatorSession(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await tx.updateTable('operator_sessions').set({ ended_at: now }).where('token_hash', '=', tokenHash).execute();
}

/** Signs an operator out everywhere. */
export async function endSessionsOf(tx: Tx, operatorId: string, now: Date): Promise<void> {
  await tx
    .updateTable('operator_sessions')
    .set({ ended_at: now })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Whether any operator still has a right; the operator of the demo counts while the demo is on. */
export async function hasOperatorWith(tx: Tx, permission: Permission, isDemoOn: boolean): Promise<boolean> {
  const one = await tx
    .selectFrom('operators')
    .innerJoin('operator_caps', 'operator_caps.operator_id', 'operators.id')
    .select('operators.id')
    .where('operator_caps.cap', '=', permission)
    .where('operators.ended_at', 'is', null)
    .$if(!isDemoOn, (query) => query.where('operators.is_demo', '=', false))
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}

/** Whether an operator, who has not left, has this name. */
export async function isNameTaken(tx: Tx, fullname: string): Promise<boolean> {
  const same = await tx
    .selectFrom('operators')
    .select('id')
    .where(sql<boolean>`lower(fullname) = lower(${fullname})`)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return same !== undefined;
}

/** Whether an operator has signed in from a network before. */
export async function isKnownNetwork(tx: Tx, operatorId: string, network: string): Promise<boolean> {
  const before = await tx
    .selectFrom('operator_sessions')
    .select('token_hash')
    .where('operator_id', '=', operatorId)
    .where('network', '=', network)
    .limit(1)
    .executeTakeFirst();
  return before !== undefined;
}

/** The operators who can approve requests: all except those of the demo and those who have left. */
const selectApprovers = (tx: Tx) =>
  tx.selectFrom('operators').where('ended_at', 'is', null).where('is_demo', '=', false);

export async function countOperators(tx: Tx): Promise<number> {
  const { count } = await selectApprovers(tx)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether somebody is one of the operators who can approve requests. */
export const canApprove = async (tx: Tx, id: string): Promise<boolean> =>
  (await selectApprovers(tx).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Whether the town has more than one operator. */
export const hasOtherOperators = async (tx: Tx): Promise<boolean> => (await countOperators(tx)) > 1;

const permissionsSql = sql<Permission[]>`array(select c.cap from operator_caps c where c.operator_id = operators.id
  order by array_position(${[...PERMISSIONS]}::text[], c.cap))`;

const MAX_LISTED = 500;

/** All present operators. */
export function listOperatorAccounts(tx: Tx) {
  return tx
    .selectFrom('operators')
    .select(['id', 'fullname', 'email', 'is_demo as isDemo', 'created_at as createdAt', permissionsSql.as('caps')])
    .select((eb) =>
      eb
        .selectFrom('operator_sessions as s')
        .whereRef('s.operator_id', '=', 'operators.id')
        .select((session) => session.fn.max('s.last_used_at').as('at'))
        .as('lastUsedAt'),
    )
    .where('ended_at', 'is', null)
    .orderBy('created_at')
    .limit(MAX_LISTED)
    .execute();
}

const selectOperator = (tx: Tx, id: string) =>
  tx
    .selectFrom('operators')
    .select([sql<OperatorId>`id`.as('id'), 'fullname', 'email', 'is_demo as isDemo', permissionsSql.as('caps')])
    .where('id', '=', id)
    .where('ended_at', 'is', null);

/** An operator who has not left. */
export const findOperator = (tx: Tx, id: string) => selectOperator(tx, id).executeTakeFirst();

/** Locks an operator who has not left until the transaction ends. */
export const lockOperator = (tx: Tx, id: string) => selectOperator(tx, id).forUpdate().executeTakeFirst();

export async function setOperatorPassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx.updateTable('operators').set({ password_hash: passwordHash }).where('id', '=', id).execute();
}

/** Gives an operator exactly these rights. */
export async function setPermissions(tx: Tx, id: string, caps: readonly Permission[], now: Date): Promise<void> {
  await tx.deleteFrom('operator_caps').where('operator_id', '=', id).execute();
  if (caps.length === 0) return;
  await tx
    .insertInto('operator_caps')
    .values(caps.map((permission) => ({ operator_id: id, cap: permission, given_at: now })))
    .execute();
}

/** An operator leaves. Their address is free again. */
export async function endOperatorAccount(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('operators')
    .set({ ended_at: now, email_key: sql<string>`email_key || ' ' || id` })
    .where('id', '=', id)
    .execute();
  await removeSecondFactors(tx, id);
}
