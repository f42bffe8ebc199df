import { sql } from 'kysely';
import type { TaxIdKind } from '../../../domain/taxIds.ts';
import type { Tx } from '../../db/database.ts';

export type StoredTaxId = {
  readonly kind: TaxIdKind;
  readonly country: string;
  readonly last4: string;
  readonly changedAt: Date;
  /** All of it, encrypted. */
  readonly sealed: Buffer;
};

export function findTaxId(tx: Tx, userId: string): Promise<StoredTaxId | undefined> {
  return tx
    .selectFrom('tax_ids')
    .select(['kind', 'country', 'last4', 'changed_at as changedAt', 'sealed'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Saves the number of a person, in place of an earlier one. */
export async function saveTaxId(tx: Tx, userId: string, taxId: StoredTaxId & { mark: Buffer }): Promise<void> {
  const { changedAt, ...stored } = taxId;
  const row = { ...stored, changed_at: changedAt };
  await tx
    .insertInto('tax_ids')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

/** The encrypted numbers of these people by their id. */
export async function readSealedTaxIds(tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await tx
    .selectFrom('tax_ids')
    .select(['user_id', 'sealed'])
    .where(sql<boolean>`user_id = any(${[...userIds]}::uuid[])`)
    .execute();
  return new Map(rows.map(({ user_id, sealed }) => [user_id, sealed]));
}
