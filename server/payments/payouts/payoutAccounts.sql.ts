import { sql } from 'kysely';
import type { PayoutMethodName } from '../../../domain/payoutAccounts.ts';
import type { Tx } from '../../db/database.ts';

export type StoredPayoutAccount = {
  readonly method: PayoutMethodName;
  readonly last4: string;
  readonly changedAt: Date;
  /** All of it, encrypted. */
  readonly sealed: Buffer;
};

export function findPayoutAccount(tx: Tx, userId: string): Promise<StoredPayoutAccount | undefined> {
  return tx
    .selectFrom('payout_accounts')
    .select(['method', 'last4', 'changed_at as changedAt', 'sealed'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export type NewPayoutAccount = StoredPayoutAccount & { readonly userId: string; readonly mark: Buffer };

export async function savePayoutAccount(tx: Tx, account: NewPayoutAccount): Promise<void> {
  const { userId, method, sealed, mark, last4, changedAt } = account;
  const row = { method, sealed, mark, last4, changed_at: changedAt };
  await tx
    .insertInto('payout_accounts')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

/** The encrypted accounts of these people by their id, without those that were changed after a time. */
export async function readSealedAccounts(
  tx: Tx,
  { userIds, before }: { userIds: readonly string[]; before: Date },
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await tx
    .selectFrom('payout_accounts')
    .select(['user_id', 'sealed'])
    .where(sql<boolean>`user_id = any(${[...userIds]}::uuid[])`)
    .where('changed_at', '<=', before)
    .execute();
  return new Map(rows.map(({ user_id, sealed }) => [user_id, sealed]));
}
