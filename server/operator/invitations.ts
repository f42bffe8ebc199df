import { normalizeEmail } from '../../domain/accounts.ts';
import { type Cap, INVITATION_LIFETIME_S } from '../../domain/operators.ts';
import { createToken, digest, hashPassword } from '../auth/secrets.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { readRequestId } from '../log.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { lockAudit, writeAudit } from './audit.sql.ts';
import { deleteFirstInvitations, findInvitation, insertInvitation, takeInvitation } from './invitations.sql.ts';
import type { ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import {
  addSecondFactor,
  endSessionsOf,
  findOperator,
  insertOperator,
  lockOperator,
  type NewOperator,
  removeSecondFactor,
  type SecondFactor,
  setOperatorPassword,
} from './operators.sql.ts';
import { addressOf, createSecret, findStep } from './secondFactor.ts';
import { openOperatorSession } from './sessions.ts';

type InvitationCalls = Pick<OperatorHandlers, 'readInvitation' | 'acceptInvitation'>;
export type Inviting = Pick<ConsoleContext, 'db' | 'now' | 'config' | 'sealer'>;

export type NewInvitation = {
  /** Null for anyone who has the link. */
  readonly email: string | null;
  readonly caps: readonly Cap[];
  /** An operator who exists, and gets a new password and a new second factor. */
  readonly operatorId?: string;
};

/** Makes a link with which one person becomes an operator, or an operator gets a new second factor. */
export async function createInvitation(
  { db, now, config, sealer }: Inviting,
  { email, caps, operatorId }: NewInvitation,
): Promise<string> {
  const token = createToken();
  const at = now();
  const expiresAt = new Date(at.getTime() + INVITATION_LIFETIME_S * 1000);
  const sealedSecret = sealer.seal(createSecret());
  const address = email === null ? null : normalizeEmail(email);
  const invitation = { tokenHash: digest(token), email: address, caps, sealedSecret, operatorId: operatorId ?? null };
  await insertInvitation(db, invitation, { at, expiresAt });
  return `${config.publicUrl}/#/operator/join?token=${token}`;
}

const CLOSING = ['The link works once, for 7 days. If you did not expect it, you can ignore this email.'];

/** Invites by mail, and returns the link. */
export async function inviteByMail(
  context: Inviting & Pick<ConsoleContext, 'newId' | 'wake'>,
  invitation: { readonly email: string; readonly caps: readonly Cap[] },
): Promise<string> {
  const link = await createInvitation(context, invitation);
  await mailLink(context, invitation.email, {
    subject: 'Run the town on Rubadub',
    lines: ['You are invited to be an operator. You need an app that makes codes, such as the one of your phone.'],
    button: { label: 'Become an operator', link },
  });
  return link;
}

type Resettable = {
  readonly id: string;
  readonly fullname: string;
  readonly email: string;
  readonly caps: readonly Cap[];
};

/** Mails an operator a link for a new password and a new second factor. */
export async function mailResetLink(context: ConsoleContext, operator: Resettable): Promise<void> {
  const { id, fullname, email, caps } = operator;
  const link = await createInvitation(context, { email, caps, operatorId: id });
  await mailLink(context, email, {
    subject: 'Your way back to the console of Rubadub',
    lines: [`${fullname}, you get a new password and a new second factor. The ones of before no longer work.`],
    button: { label: 'Set them up', link },
  });
}

async function mailLink(
  { db, newId, now, config, wake }: Inviting & Pick<ConsoleContext, 'newId' | 'wake'>,
  recipient: string,
  content: { subject: string; lines: string[]; button: { label: string; link: string } },
): Promise<void> {
  const mail = renderAccountMail({ greeting: 'Hello,', ...content, closing: CLOSING }, config);
  await queueMail(db, { id: newId(), recipient, ...mail }, now());
  wake('mail');
}

export const invitationHandlers = (context: ConsoleContext): InvitationCalls => {
  const { db, now, newId, sealer, rateLimits } = context;
  return {
    readInvitation: async ({ body, from }) => {
      await rateLimits.countSecretAttempt(from);
      const invitation = (await findInvitation(db, digest(body.token), now())) ?? refuse('badInvitation');
      const { email, caps, sealedSecret, operatorId } = invitation;
      const existing = operatorId === null ? null : ((await findOperator(db, operatorId)) ?? refuse('badInvitation'));
      const secret = sealer.unseal(sealedSecret);
      const fullname = existing?.fullname ?? null;
      return {
        email,
        caps: [...(existing?.caps ?? caps)],
        fullname,
        secret,
        address: addressOf(secret, email ?? 'Operator'),
      };
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
      return transact(db, async (tx) => {
        await lockAudit(tx);
        if (!(await takeInvitation(tx, invitation.tokenHash))) refuse('badInvitation');
        const account = { fullname, email: body.email, passwordHash, factor };
        const id = invitation.operatorId ?? newId();
        if (invitation.operatorId === null)
          await join({ ...context, db: tx }, id, { ...account, caps: invitation.caps });
        else await comeBack({ ...context, db: tx }, id, account);
        return openOperatorSession({ ...context, db: tx }, id, origin);
      }).catch((error: unknown) => {
        if (violatedConstraint(error) === 'operators_email_key_key') refuse('emailTaken');
        throw error;
      });
    },
  };
};

type Joining = Pick<NewOperator, 'fullname' | 'email' | 'passwordHash'> & { factor: SecondFactor };

async function join(
  { db, now }: ConsoleContext,
  id: string,
  account: Joining & { caps: readonly Cap[] },
): Promise<void> {
  const { fullname, email, caps } = account;
  // There is an operator now.
  await deleteFirstInvitations(db);
  await insertOperator(db, { ...account, id, emailKey: normalizeEmail(email) }, now());
  await writeJoining(
    db,
    { id, fullname, at: now() },
    { action: 'join', reason: 'Accepted an invitation', details: { caps } },
  );
}

/** An operator who has lost the second factor has a new one. Name and rights stay as they are. */
async function comeBack({ db, now }: ConsoleContext, id: string, { passwordHash, factor }: Joining): Promise<void> {
  const { fullname } = (await lockOperator(db, id)) ?? refuse('badInvitation');
  await setOperatorPassword(db, id, passwordHash);
  await removeSecondFactor(db, id);
  await addSecondFactor(db, id, factor, now());
  await endSessionsOf(db, id, now());
  const reason = 'Has a new password and a new second factor';
  await writeJoining(db, { id, fullname, at: now() }, { action: 'comeBack', reason, details: {} });
}

function writeJoining(
  tx: Tx,
  { id, fullname, at }: { id: string; fullname: string; at: Date },
  { action, reason, details }: { action: 'join' | 'comeBack'; reason: string; details: object },
): Promise<void> {
  return writeAudit(tx, {
    ...{
      at,
      operatorId: id,
      operatorName: fullname,
      action,
      subjectKind: 'operator',
      subjectId: id,
      reason,
      cents: null,
    },
    ...{ details: JSON.stringify(details), approvedBy: null, approvedByName: null, requestId: readRequestId() ?? null },
  });
}
