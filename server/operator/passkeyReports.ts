import type { Tx } from '../db/database.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import { readRequestId } from '../log.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { queuePasskeyChangedMail } from './approvalMails.ts';
import { lockAudit, writeAudit } from './audit.sql.ts';
import { findOperator } from './operators.sql.ts';
import { listStoredPasskeys } from './passkeys.sql.ts';

type PasskeyEvent = {
  readonly action: 'addPasskey' | 'removePasskey' | 'refusePasskey';
  readonly reason: string;
  readonly name: string;
};

/** Writes what an operator has done with a passkey of their own into the audit. Call it after `lockAudit`. */
export function writePasskeyEvent(
  tx: Tx,
  { id, fullname, at }: { id: string; fullname: string; at: Date },
  { action, reason, name }: PasskeyEvent,
): Promise<void> {
  return writeAudit(tx, {
    ...{ at, operatorId: id, operatorName: fullname, action, subjectKind: 'operator', subjectId: id, reason },
    ...{ cents: null, details: JSON.stringify({ name }), requestId: readRequestId() ?? null },
    ...{ approvedBy: null, approvedByName: null, approvalId: null },
  });
}

/** The counter of a passkey went backwards: somebody may have a copy of it. The town and the operator hear of it. */
export async function reportCopiedPasskey(context: ConsoleContext, operatorId: string, id: string): Promise<void> {
  await transactWithEffects(context, async (inside) => {
    await lockAudit(inside.db);
    const operator = await findOperator(inside.db, operatorId);
    const passkey = (await listStoredPasskeys(inside.db, operatorId)).find((one) => one.id === id);
    // It was removed in the same moment.
    if (!operator || !passkey) return;
    const { fullname, email } = operator;
    const reason = 'It was used less often than before, so it may have been copied';
    const event = { action: 'refusePasskey', reason, name: passkey.name } as const;
    await writePasskeyEvent(inside.db, { id: operatorId, fullname, at: inside.now() }, event);
    const words = `The passkey “${passkey.name}” of ${fullname} was refused: it may have been copied. Remove it, and make a new one.`;
    await queuePasskeyChangedMail(inside, { email, words });
  });
}
