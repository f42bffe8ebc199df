import { OPERATOR_API } from '../../contract/operator/api.ts';
import { MAX_PASSKEYS } from '../../domain/operators.ts';
import { violatedConstraint } from '../db/database.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { transactWithEffects } from './acts.ts';
import { queuePasskeyChangedMail } from './approvalMails.ts';
import { lockAudit } from './audit.sql.ts';
import type { ConsoleContext, OperatorHandlers, SignedInOperator } from './operatorContext.ts';
import { writePasskeyEvent } from './passkeyReports.ts';
import { deletePasskey, insertPasskey, listStoredPasskeys } from './passkeys.sql.ts';
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
      const items = passkeys.map(({ id, name, site, createdAt, lastUsedAt }) => {
        return { id, name, site, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
      });
      return { items, origin: passkeySiteOf(config)?.origin ?? null };
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
      const { id: operatorId, session } = operator;
      const checked = (await checkNewPasskey(context, { operatorId, site, made })) ?? refuse('wrongPasskey');
      const id = newId();
      await transactWithEffects(context, async (inside) => {
        await lockAudit(inside.db);
        const { fullname } = await confirmRights(inside, operator, OPERATOR_API.addPasskey);
        if ((await listStoredPasskeys(inside.db, operatorId)).length >= MAX_PASSKEYS) refuse('tooManyPasskeys');
        await insertPasskey(inside.db, { ...checked, id, operatorId, name }, now());
        const event = { action: 'addPasskey', reason: 'Can sign in with it', name } as const;
        await writePasskeyEvent(inside.db, { id: operatorId, fullname, at: now() }, event);
        const words = `${fullname} can sign in with a new passkey, “${name}”.`;
        await queuePasskeyChangedMail(inside, { email: session.email, words });
      }).catch((error: unknown) => {
        if (violatedConstraint(error) === 'passkeys_credential_id_key') refuse('passkeyKnown');
        throw error;
      });
      return { id };
    },
    removePasskey: async ({ operator, params: { id } }) => {
      refuseUnlessConfirmed(operator);
      await transactWithEffects(context, async (inside) => {
        await lockAudit(inside.db);
        const { fullname } = await confirmRights(inside, operator, OPERATOR_API.removePasskey);
        const name = orNotFound(await deletePasskey(inside.db, operator.id, id));
        const event = { action: 'removePasskey', reason: 'Cannot sign in with it any more', name } as const;
        await writePasskeyEvent(inside.db, { id: operator.id, fullname, at: now() }, event);
        const words = `${fullname} cannot sign in with the passkey “${name}” any more.`;
        await queuePasskeyChangedMail(inside, { email: operator.session.email, words });
      });
      return {};
    },
  };
}
