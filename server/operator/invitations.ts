import { normalizeEmail } from '../../domain/accounts.ts';
import { type Cap, INVITATION_LIFETIME_S } from '../../domain/operators.ts';
import { createToken, digest, hashPassword } from '../auth/secrets.ts';
import { transact, violatedConstraint } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { readRequestId } from '../log.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { lockAudit, writeAudit } from './audit.sql.ts';
import { deleteFirstInvitations, findInvitation, insertInvitation, takeInvitation } from './invitations.sql.ts';
import type { ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import { insertOperator } from './operators.sql.ts';
import { addressOf, createSecret, findStep } from './secondFactor.ts';
import { openOperatorSession } from './sessions.ts';

type InvitationCalls = Pick<OperatorHandlers, 'readInvitation' | 'acceptInvitation'>;
export type Inviting = Pick<ConsoleContext, 'db' | 'now' | 'config' | 'sealer'>;

/** Makes a link with which one person becomes an operator. Without an e-mail address it is for anyone who has the link. */
export async function createInvitation(
  { db, now, config, sealer }: Inviting,
  { email, caps }: { readonly email: string | null; readonly caps: readonly Cap[] },
): Promise<string> {
  const token = createToken();
  const at = now();
  const expiresAt = new Date(at.getTime() + INVITATION_LIFETIME_S * 1000);
  const sealedSecret = sealer.seal(createSecret());
  const address = email === null ? null : normalizeEmail(email);
  await insertInvitation(db, { tokenHash: digest(token), email: address, caps, sealedSecret }, { at, expiresAt });
  return `${config.publicUrl}/#/operator/join?token=${token}`;
}

/** Invites by mail. */
export async function inviteByMail(
  context: ConsoleContext,
  invitation: { readonly email: string; readonly caps: readonly Cap[] },
): Promise<void> {
  const { db, newId, now, config, wake } = context;
  const mail = renderAccountMail(
    {
      subject: 'Run the town on Rubadub',
      greeting: 'Hello,',
      lines: ['You are invited to be an operator. You need an app that makes codes, such as the one of your phone.'],
      button: { label: 'Become an operator', link: await createInvitation(context, invitation) },
      closing: ['The link works once, for 7 days. If you did not expect it, you can ignore this email.'],
    },
    config,
  );
  await queueMail(db, { id: newId(), recipient: invitation.email, ...mail }, now());
  wake('mail');
}

export const invitationHandlers = (context: ConsoleContext): InvitationCalls => {
  const { db, now, newId, sealer, rateLimits } = context;
  return {
    readInvitation: async ({ body, from }) => {
      await rateLimits.countSecretAttempt(from);
      const invitation = (await findInvitation(db, digest(body.token), now())) ?? refuse('badInvitation');
      const { email, caps, sealedSecret } = invitation;
      const secret = sealer.unseal(sealedSecret);
      return { email, caps: [...caps], secret, address: addressOf(secret, email ?? 'Operator') };
    },
    acceptInvitation: async ({ body, ...origin }) => {
      const { token, code, fullname, password } = body;
      await rateLimits.countSecretAttempt(origin.from);
      const invitation = (await findInvitation(db, digest(token), now())) ?? refuse('badInvitation');
      const email = invitation.email ?? body.email;
      if (normalizeEmail(body.email) !== normalizeEmail(email)) refuse('badInvitation');
      const step = findStep(sealer.unseal(invitation.sealedSecret), code, now()) ?? refuse('wrongCode');
      const passwordHash = await hashPassword(password, origin.from);
      const factor = { sealedSecret: invitation.sealedSecret, step };
      const [id, emailKey] = [newId(), normalizeEmail(email)];
      return transact(db, async (tx) => {
        await lockAudit(tx);
        if (!(await takeInvitation(tx, invitation.tokenHash))) refuse('badInvitation');
        // There is an operator now.
        await deleteFirstInvitations(tx);
        const account = { id, fullname, email: body.email, emailKey, passwordHash, caps: invitation.caps, factor };
        await insertOperator(tx, account, now());
        await writeAudit(tx, {
          ...{ at: now(), operatorId: id, operatorName: fullname, action: 'join', subjectKind: 'operator' },
          ...{ subjectId: id, reason: 'Accepted an invitation', cents: null, approvedBy: null, approvedByName: null },
          details: JSON.stringify({ caps: invitation.caps }),
          requestId: readRequestId() ?? null,
        });
        return openOperatorSession({ ...context, db: tx }, id, origin);
      }).catch((error: unknown) => {
        if (violatedConstraint(error) === 'operators_email_key_key') refuse('emailTaken');
        throw error;
      });
    },
  };
};
