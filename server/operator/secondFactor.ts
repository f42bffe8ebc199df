import { Secret, TOTP } from 'otpauth';
import { CODE_PERIOD_S } from '../../domain/operators.ts';
import type { Sealer } from '../auth/sealing.ts';
import type { Tx } from '../db/database.ts';

const SECRET_BYTES = 20;
/** The codes before and after the current one count too: clocks differ. */
const WINDOW = 1;

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), period: CODE_PERIOD_S });

/** A new secret for an authenticator app, in base32. */
export const createSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address that an authenticator app reads from a QR code. */
export const authenticatorUrlOf = (secret: string, { town, email }: { town: string; email: string }): string =>
  totpOf(secret, { issuer: town, label: email }).toString();

/** The time step that a code belongs to. Undefined for a wrong code. */
export function findCodeStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / CODE_PERIOD_S) + delta;
}

/** Whether the code is correct and unused. It cannot be used again. */
export async function consumeCode(
  tx: Tx,
  sealer: Sealer,
  { operatorId, code, now }: { operatorId: string; code: string; now: Date },
): Promise<boolean> {
  const factor = await tx
    .selectFrom('second_factors')
    .select('sealed_secret')
    .where('operator_id', '=', operatorId)
    .executeTakeFirst();
  if (!factor) return false;
  const step = findCodeStep(sealer.unseal(factor.sealed_secret), code, now);
  if (step === undefined) return false;
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('operator_id', '=', operatorId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
