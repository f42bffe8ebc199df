import { accountKeyOf, type PayoutAccount } from '../../domain/payoutAccounts.ts';
import { type TaxId, taxKeyOf } from '../../domain/taxIds.ts';
import type { Sealer } from '../auth/sealing.ts';
import type { Tx } from '../db/database.ts';

/** Marks the bank accounts and tax numbers of an earlier release, so that they are compared as well. Does nothing afterwards. */
export async function markEarlierNumbers(db: Tx, sealer: Sealer): Promise<void> {
  const keys = {
    payout_accounts: (text: string) => accountKeyOf(JSON.parse(text) as PayoutAccount),
    tax_ids: (text: string) => taxKeyOf(JSON.parse(text) as TaxId),
  };
  for (const table of ['payout_accounts', 'tax_ids'] as const) {
    const rows = await db.selectFrom(table).select(['user_id', 'sealed']).where('mark', 'is', null).execute();
    for (const { user_id, sealed } of rows.filter((row) => sealer.isOwn(row.sealed)))
      await db
        .updateTable(table)
        .set({ mark: sealer.mark(keys[table](sealer.unseal(sealed))) })
        .where('user_id', '=', user_id)
        // It may have been changed since.
        .where('sealed', '=', sealed)
        .execute();
  }
}
