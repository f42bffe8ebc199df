import { OPERATOR_API } from '../../contract/operator/api.ts';
import { MAX_PASSKEYS } from '../../domain/operators.ts';
import { violatedConstraint } from '../db/database.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { transactWithEffects } from '../jobs/transactWithEffects.ts';
import type { ConsoleContext, OperatorHandlers, SignedInOperator } from '../operatorContext.ts';
import { queuePasskeyChangedMail } from './approvalMails.ts';
import { lockAudit } from './audit.sql.ts';
import { writePasskeyEvent } from './passkeyReports.ts';
import {
  deletePasskey,
  insertPasskey,
  listStoredPasskeys,
  type NewPasskey,
  type StoredPasskey,
} from './passkeys.sql.ts';
import { checkNewPasskey, passkeySiteOf, requestNewPasskey } from './passkeys.ts';
import { confirmRights, isCodeFresh } from './rights.ts';

type PasskeyCalls = Pick<OperatorHandlers, 'listPasskeys' | 'beginPasskey' | 'addPasskey' | 'removePasskey'>;

/** The passkeys of the operator who calls. Signing in with one is in signIn.ts. */
export function passkeyHandlers(context: ConsoleContext): PasskeyCalls {
  const { db, now, config, newId } = context;

  function refuseUnlessConfirmed({ session }: SignedInOperator): void {
    if (session.isDemo) refuse('noRight', { message: 'The operator of the demo has no second factor' });
    if (!isCodeFresh(session, now())) refuse('codeTooOld');
  }

  return {
    listPasskeys: async ({ operator }) => {
      const passkeys = await listStoredPasskeys(db, operator.id);
      return { items: passkeys.map(viewPasskey), origin: passkeySiteOf(config)?.origin ?? null };
    },
    beginPasskey: async ({ operator }) => {
      refuseUnlessConfirmed(operator);
      const site = passkeySiteOf(config) ?? refuse('passkeysUnavailable');
      const known = await listStoredPasskeys(db, operator.id);
      if (known.length >= MAX_PASSKEYS) refuse('tooManyPasskeys');
      return requestNewPasskey(context, operator.session, { site, known });
    },
    addPasskey: async ({ operator, body: { name, passkey: made } }) => {
      refuseUnlessConfirmed(operator);
      const site = passkeySiteOf(config) ?? refuse('passkeysUnavailable');
      const { id: operatorId } = operator;
      const checked = (await checkNewPasskey(context, { operatorId, site, made })) ?? refuse('wrongPasskey');
      const passkey = { ...checked, id: newId(), operatorId, name };
      const storing = transactWithEffects(context, (inside) => storePasskey(inside, operator, passkey));
      await storing.catch((error: unknown) => {
        if (violatedConstraint(error) === 'passkeys_credential_id_key') refuse('passkeyKnown');
        throw error;
      });
      return { id: passkey.id };
    },
    removePasskey: async ({ operator, params: { id } }) => {
      refuseUnlessConfirmed(operator);
      await transactWithEffects(context, (inside) => dropPasskey(inside, operator, id));
      return {};
    },
  };
}

const viewPasskey = ({ id, name, site, createdAt, lastUsedAt }: StoredPasskey) =>
  isoTimes({ id, name, site, createdAt, lastUsedAt });

/** Also writes the event in the audit and the mail to the operator. Call it in a transaction. */
async function storePasskey(inside: ConsoleContext, operator: SignedInOperator, passkey: NewPasskey): Promise<void> {
  const { db, now } = inside;
  const { id, session } = operator;
  const { name } = passkey;
  await lockAudit(db);
  const { fullname } = await confirmRights(inside, operator, OPERATOR_API.addPasskey);
  if ((await listStoredPasskeys(db, id)).length >= MAX_PASSKEYS) refuse('tooManyPasskeys');
  await insertPasskey(db, passkey, now());
  const event = { action: 'addPasskey', reason: 'Can sign in with it', name } as const;
  await writePasskeyEvent(db, { id, fullname, at: now() }, event);
  const words = `${fullname} can sign in with a new passkey, “${name}”.`;
  await queuePasskeyChangedMail(inside, { email: session.email, words });
}

/** Also writes the event in the audit and the mail to the operator. Call it in a transaction. */
async function dropPasskey(inside: ConsoleContext, operator: SignedInOperator, passkeyId: string): Promise<void> {
  const { db, now } = inside;
  const { id, session } = operator;
  await lockAudit(db);
  const { fullname } = await confirmRights(inside, operator, OPERATOR_API.removePasskey);
  const name = orNotFound(await deletePasskey(db, id, passkeyId));
  const event = { action: 'removePasskey', reason: 'Cannot sign in with it any more', name } as const;
  await writePasskeyEvent(db, { id, fullname, at: now() }, event);
  const words = `${fullname} cannot sign in with the passkey “${name}” any more.`;
  await queuePasskeyChangedMail(inside, { email: session.email, words });
}
