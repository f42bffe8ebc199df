import type { Tx } from '../db/database.ts';
import { findAccountByEmail } from './accounts.sql.ts';

export type ResetRequest = {
  readonly emailKey: string;
  readonly requestedAt: Date;
  /** The IP address that limits count; null in requests of the previous release. */
  readonly network: string | null;
  /** The digest of the device's id, in hexadecimal. */
  readonly device: string | null;
};

export async function insertResetRequest(tx: Tx, id: string, request: ResetRequest): Promise<void> {
  const { emailKey, requestedAt, network, device } = request;
  await tx
    .insertInto('reset_requests')
    .values({ id, email_key: emailKey, asked_at: requestedAt, network, device })
    .execute();
}

export async function hasResetRequest(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('reset_requests').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Removes and returns the oldest request, in the transaction that answers it. */
export function takeResetRequest(tx: Tx): Promise<ResetRequest | undefined> {
  return tx
    .deleteFrom('reset_requests')
    .where('id', '=', (eb) =>
      eb.selectFrom('reset_requests').select('id').orderBy('asked_at').orderBy('id').limit(1).forUpdate().skipLocked(),
    )
    .returning(['email_key as emailKey', 'asked_at as requestedAt', 'network', 'device'])
    .executeTakeFirst();
}

/**
 * The account that a reset link is for. Its e-mail address cannot change until the transaction ends, so that no link goes
 * to an address that the user has just given up.
 */
export async function lockAccountByEmail(tx: Tx, email: string) {
  const account = await findAccountByEmail(tx, email);
  return (
    account &&
    tx
      .selectFrom('users')
      .select(['id', 'fullname', 'email'])
      .where('id', '=', account.id)
      .where('email_key', '=', account.emailKey)
      .forKeyShare()
      .executeTakeFirst()
  );
}

export async function lockUserOfResetLink(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', (eb) => eb.selectFrom('reset_links').select('user_id').where('token_hash', '=', tokenHash))
    .forNoKeyUpdate()
    .execute();
}

export async function deleteResetLink(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('reset_links').where('user_id', '=', userId).execute();
}

/** Saves a user's reset link. It replaces an earlier one. */
export async function saveResetLink(
  tx: Tx,
  link: { tokenHash: Buffer; userId: string; expiresAt: Date },
  now: Date,
): Promise<void> {
  const fresh = { token_hash: link.tokenHash, created_at: now, expires_at: link.expiresAt };
  await tx
    .insertInto('reset_links')
    .values({ user_id: link.userId, ...fresh })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh))
    .execute();
}

export async function isResetLinkValid(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const link = await tx
    .selectFrom('reset_links')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link !== undefined;
}

/** Deletes a link and returns whose it was, or undefined when it is used, expired or unknown. */
export async function consumeResetLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<string | undefined> {
  const link = await tx
    .deleteFrom('reset_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return link?.user_id;
}
