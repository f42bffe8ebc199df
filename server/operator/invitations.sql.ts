import type { Cap } from '../../domain/operators.ts';
import type { Tx } from '../db/database.ts';

export type Invitation = {
  readonly tokenHash: Buffer;
  /** Null for anyone who has the link. */
  readonly email: string | null;
  readonly caps: readonly Cap[];
  readonly sealedSecret: Buffer;
  /** The operator who exists, and gets a new password and a new second factor. */
  readonly operatorId: string | null;
};

/** Writes an invitation in place of earlier ones for the same address. Those for the first operator stay: several servers print one. */
export async function insertInvitation(
  tx: Tx,
  { tokenHash, email, caps, sealedSecret, operatorId }: Invitation,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  if (email !== null) await tx.deleteFrom('operator_invitations').where('email', '=', email).execute();
  await tx
    .insertInto('operator_invitations')
    .values({
      ...{ token_hash: tokenHash, email, caps: [...caps], sealed_secret: sealedSecret },
      ...{ operator_id: operatorId, created_at: at, expires_at: expiresAt },
    })
    .execute();
}

/** An invitation that still works. */
export async function findInvitation(tx: Tx, tokenHash: Buffer, now: Date): Promise<Invitation | undefined> {
  const row = await tx
    .selectFrom('operator_invitations')
    .select(['email', 'caps', 'sealed_secret as sealedSecret', 'operator_id as operatorId'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && { ...row, tokenHash, caps: row.caps as Cap[] };
}

/** Ends the links for the first operator. */
export async function deleteFirstInvitations(tx: Tx): Promise<void> {
  await tx.deleteFrom('operator_invitations').where('email', 'is', null).execute();
}

/** Uses an invitation up. False when somebody else was faster. */
export async function takeInvitation(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operator_invitations')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
