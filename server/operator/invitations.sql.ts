import type { NotNull } from 'kysely';
import type { Permission } from '../../domain/operators.ts';
import type { Tx } from '../db/database.ts';

export type Invitation = {
  readonly tokenHash: Buffer;
  /** Null for anyone who has the link. */
  readonly email: string | null;
  readonly caps: readonly Permission[];
  /** The operator who exists, and gets a new password and a new second factor. */
  readonly operatorId: string | null;
  /** Who asked for it; null for the command line and the first operator. */
  readonly invitedBy: string | null;
};

/** Writes an invitation in place of earlier ones for the same address. Those for the first operator stay: several servers print one. */
export async function insertInvitation(
  tx: Tx,
  { tokenHash, email, caps, operatorId, invitedBy }: Invitation,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<void> {
  if (email !== null) await tx.deleteFrom('operator_invitations').where('email', '=', email).execute();
  await tx
    .insertInto('operator_invitations')
    .values({
      ...{ token_hash: tokenHash, email, caps: [...caps], operator_id: operatorId, invited_by: invitedBy },
      ...{ created_at: at, expires_at: expiresAt },
    })
    .execute();
}

/** An invitation that still works. */
export async function findInvitation(
  tx: Tx,
  tokenHash: Buffer,
  { now, isDemoOn }: { now: Date; isDemoOn: boolean },
): Promise<Invitation | undefined> {
  const row = await tx
    .selectFrom('operator_invitations')
    .select(['email', 'caps', 'operator_id as operatorId', 'invited_by as invitedBy'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    // Those of the demo's operator end with the demo.
    .where(({ exists, not, or, selectFrom, val }) =>
      or([
        val(isDemoOn),
        not(
          exists(
            selectFrom('operators as o')
              .select('o.id')
              .whereRef('o.id', '=', 'operator_invitations.invited_by')
              .where('o.is_demo', '=', true),
          ),
        ),
      ]),
    )
    .executeTakeFirst();
  return row && { ...row, tokenHash, caps: row.caps as Permission[] };
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

const MAX_LISTED = 500;

/** The invitations by mail that still work. */
export function listInvitations(tx: Tx, now: Date) {
  return tx
    .selectFrom('operator_invitations')
    .select(['email', 'caps', 'expires_at as expiresAt'])
    .where('email', 'is not', null)
    .where('expires_at', '>', now)
    .orderBy('created_at')
    .limit(MAX_LISTED)
    .$narrowType<{ email: NotNull }>()
    .execute();
}

/** Ends the invitations of an address. False when there is none. */
export async function deleteInvitationsTo(tx: Tx, email: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('operator_invitations').where('email', '=', email).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends the invitations that an operator has sent. */
export async function deleteInvitationsBy(tx: Tx, operatorId: string): Promise<void> {
  await tx.deleteFrom('operator_invitations').where('invited_by', '=', operatorId).execute();
}
