import { sql } from 'kysely';
import { digest } from '../auth/secrets.ts';
import type { Tx } from '../db/database.ts';

/** What a challenge is for. It counts for nothing else. */
export type PasskeyPurpose = 'add' | 'sign-in' | 'step-up';

type Challenge = { readonly challenge: string; readonly operatorId: string; readonly purpose: PasskeyPurpose };

/** Challenges of one operator and purpose: people have a few pages open. */
const KEPT_CHALLENGES = 5;

/**
 * Adds a challenge. The oldest ones of the same operator and purpose go, and never the new one: others may be from a time when the
 * clock was ahead.
 */
export async function insertChallenge(
  tx: Tx,
  { challenge, operatorId, purpose }: Challenge,
  expiresAt: Date,
): Promise<void> {
  const challenge_hash = digest(challenge);
  await tx
    .insertInto('passkey_challenges')
    .values({ challenge_hash, operator_id: operatorId, purpose, expires_at: expiresAt })
    .execute();
  await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', 'in', (eb) =>
      eb
        .selectFrom('passkey_challenges')
        .select('challenge_hash')
        .where('operator_id', '=', operatorId)
        .where('purpose', '=', purpose)
        .where('challenge_hash', '<>', challenge_hash)
        .orderBy('expires_at', 'desc')
        .offset(KEPT_CHALLENGES - 1),
    )
    .execute();
}

/** Whether the challenge was made for this operator and purpose, and still counts. It is used up then. */
export async function consumeChallenge(
  tx: Tx,
  { challenge, operatorId, purpose }: Challenge,
  now: Date,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', digest(challenge))
    .where('operator_id', '=', operatorId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export type StoredPasskey = {
  readonly id: string;
  readonly name: string;
  readonly site: string;
  readonly credentialId: string;
  readonly transports: string[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** All passkeys of an operator, the oldest first. */
export function listStoredPasskeys(tx: Tx, operatorId: string): Promise<StoredPasskey[]> {
  return tx
    .selectFrom('passkeys')
    .select(['id', 'name', 'site', 'credential_id as credentialId', 'transports'])
    .select(['created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('operator_id', '=', operatorId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** A passkey of this operator and nobody else. */
export function findPasskey(
  tx: Tx,
  { operatorId, credentialId, site }: { operatorId: string; credentialId: string; site: string },
) {
  return tx
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential_id as credentialId', 'public_key as publicKey', 'counter'])
    .where('operator_id', '=', operatorId)
    .where('credential_id', '=', credentialId)
    .where('site', '=', site)
    .executeTakeFirst();
}

export type NewPasskey = {
  readonly id: string;
  readonly operatorId: string;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly site: string;
  readonly name: string;
};

/** Violates `passkeys_credential_id_key` when somebody has it already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey, now: Date): Promise<void> {
  const { id, operatorId, credentialId, publicKey, counter, transports, site, name } = passkey;
  await tx
    .insertInto('passkeys')
    .values({
      ...{ id, operator_id: operatorId, credential_id: credentialId, public_key: Buffer.from(publicKey), counter },
      ...{ transports: [...transports], site, name, created_at: now, last_used_at: null },
    })
    .execute();
}

/** Whether the counter of a passkey has gone on. Authenticators that do not count always send 0. */
export async function advanceCounter(tx: Tx, id: string, counter: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Removes a passkey of this operator, and returns its name. Undefined when there is none. */
export async function deletePasskey(tx: Tx, operatorId: string, id: string): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}
