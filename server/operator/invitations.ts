import type { RequestOrigin } from '../../contract/call.ts';
import { normalizeEmail } from '../../domain/accounts.ts';
import { INVITATION_LIFETIME_S, type Permission, TOWN_NAME } from '../../domain/operators.ts';
import type { Sealer } from '../auth/sealing.ts';
import { createToken, digest, hashPassword } from '../auth/secrets.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import { readRequestId } from '../log.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import type { ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { queueOperatorsChangedMail } from './approvalMails.ts';
import { lockAudit, writeAudit } from './audit.sql.ts';
import {
  deleteFirstInvitations,
  findInvitation,
  type Invitation,
  insertInvitation,
  takeInvitation,
} from './invitations.sql.ts';
import {
  addSecondFactor,
  endSessionsOf,
  findOperator,
  insertOperator,
  isNameTaken,
  lockOperator,
  type NewOperator,
  removeSecondFactors,
  type SecondFactor,
  setOperatorPassword,
} from './operators.sql.ts';
import { authenticatorUrlOf, createSecret, findCodeStep } from './secondFactor.ts';
import { openOperatorSession } from './sessions.ts';

type InvitationCalls = Pick<OperatorHandlers, 'readInvitation' | 'acceptInvitation'>;
export type Inviting = Pick<ConsoleContext, 'db' | 'now' | 'config'>;

export type NewInvitation = {
  /** Null for anyone who has the link. */
  readonly email: string | null;
  readonly caps: readonly Permission[];
  /** An operator who exists, and gets a new password and a new second factor. */
  readonly operatorId?: string | null;
  /** Who asked for it. It ends when they leave. */
  readonly invitedBy?: string | null;
};

/** Makes a link with which one person becomes an operator, or an operator gets a new second factor. */
export async function createInvitation(
  { db, now, config }: Inviting,
  { email, caps, operatorId = null, invitedBy = null }: NewInvitation,
): Promise<string> {
  const token = createToken();
  const at = now();
  const expiresAt = new Date(at.getTime() + INVITATION_LIFETIME_S * 1000);
  const address = email === null ? null : normalizeEmail(email);
  const invitation = { tokenHash: digest(token), email: address, caps, operatorId, invitedBy };
  await insertInvitation(db, invitation, { at, expiresAt });
  return `${config.publicUrl}/#/operator/join?token=${token}`;
}

const CLOSING = ['The link works once, for 7 days. If you did not expect it, you can ignore this email.'];

/** Invites by mail, and returns the link. */
export async function inviteByMail(
  context: Inviting & Pick<ConsoleContext, 'newId' | 'wake'>,
  invitation: { readonly email: string; readonly caps: readonly Permission[]; readonly invitedBy?: string },
): Promise<string> {
  const link = await createInvitation(context, invitation);
  await mailLink(context, invitation.email, {
    subject: 'Run the town on {town}',
    lines: ['You are invited to be an operator. You need an app that makes codes, such as the one of your phone.'],
    button: { label: 'Become an operator', link },
  });
  return link;
}

type Resettable = {
  readonly id: string;
  readonly fullname: string;
  readonly email: string;
  readonly caps: readonly Permission[];
};

/** Mails an operator a link for a new password and a new second factor. */
export async function mailResetLink(context: ConsoleContext, operator: Resettable): Promise<void> {
  const { id, fullname, email, caps } = operator;
  const link = await createInvitation(context, { email, caps, operatorId: id });
  await mailLink(context, email, {
    subject: 'Your way back to the console of {town}',
    lines: [`${fullname}, you get a new password and a new second factor. The ones of before no longer work.`],
    button: { label: 'Set them up', link },
  });
}

async function mailLink(
  context: Inviting & Pick<ConsoleContext, 'newId' | 'wake'>,
  recipient: string,
  content: { subject: string; lines: string[]; button: { label: string; link: string } },
): Promise<void> {
  const { db, newId, now, wake } = context;
  const mail = renderAccountMail({ greeting: 'Hello,', ...content, closing: CLOSING }, await readPublicTown(context));
  const expiresAt = new Date(now().getTime() + INVITATION_LIFETIME_S * 1000);
  await queueMail(db, { id: newId(), recipient, ...mail, expiresAt }, now());
  wake('mail');
}

export const invitationHandlers = (context: ConsoleContext): InvitationCalls => {
  const { db, now, sealer, rateLimits, config } = context;
  const findByToken = async (token: string) =>
    (await findInvitation(db, digest(token), { now: now(), isDemoOn: config.demo })) ?? refuse('badInvitation');
  return {
    readInvitation: async ({ body, from }) => {
      await rateLimits.countSecretAttempt(from);
      const { email, caps, operatorId, tokenHash } = await findByToken(body.token);
      const existing = operatorId === null ? null : ((await findOperator(db, operatorId)) ?? refuse('badInvitation'));
      // A new secret each time, so that a person who has only opened the link does not know the one in use.
      const secret = createSecret();
      return {
        email,
        caps: [...(existing?.caps ?? caps)],
        fullname: existing?.fullname ?? null,
        setup: sealSetup(context, secret, tokenHash),
        secret,
        address: authenticatorUrlOf(secret, { town: (await readPublicTown(context)).name, email: email ?? 'Operator' }),
      };
    },
    acceptInvitation: async ({ body, ...origin }) => {
      const { token, code, fullname, password } = body;
      await rateLimits.countSecretAttempt(origin.from);
      const invitation = await findByToken(token);
      const email = invitation.email ?? body.email;
      if (normalizeEmail(body.email) !== normalizeEmail(email)) refuse('badInvitation');
      const secret = openSetup(context, body.setup, invitation.tokenHash);
      const step = findCodeStep(secret, code, now()) ?? refuse('wrongCode');
      const passwordHash = await hashPassword(password, origin.from);
      const factor = { sealedSecret: sealer.seal(secret), step };
      const account = { fullname, email: body.email, passwordHash, factor };
      const joining = transact(db, (tx) => redeemInvitation({ ...context, db: tx }, invitation, account, origin));
      return joining.catch((error: unknown) => {
        if (violatedConstraint(error) === 'operators_email_key_key') refuse('emailTaken');
        throw error;
      });
    },
  };
};

/** A sealed copy of the shown secret, which the screen of the invitation sends back. */
type Setup = { readonly secret: string; readonly invitation: string; readonly until: number };
const SETUP_LIFETIME_MS = 60 * 60_000;

function sealSetup({ sealer, now }: ConsoleContext, secret: string, tokenHash: Buffer): string {
  const setup: Setup = { secret, invitation: tokenHash.toString('hex'), until: now().getTime() + SETUP_LIFETIME_MS };
  return sealer.seal(JSON.stringify(setup)).toString('base64url');
}

/** The secret that the screen sends back. Refuses a forged copy, one for another invitation, and an old one. */
function openSetup({ sealer, now }: ConsoleContext, sealed: string, tokenHash: Buffer): string {
  const setup = parseSetup(sealer, Buffer.from(sealed, 'base64url'));
  const isValid = setup?.invitation === tokenHash.toString('hex') && setup.until > now().getTime();
  return isValid ? setup.secret : refuseProperty('setup', 'isSetup', 'Open the link again');
}

function parseSetup(sealer: Sealer, sealed: Buffer): Setup | undefined {
  try {
    return sealer.isOwn(sealed) ? (JSON.parse(sealer.unseal(sealed)) as Setup) : undefined;
  } catch {
    return undefined;
  }
}

type Joining = Pick<NewOperator, 'fullname' | 'email' | 'passwordHash'> & { factor: SecondFactor };

/** Uses up an invitation and signs its operator in, in a transaction. */
async function redeemInvitation(
  context: ConsoleContext,
  { tokenHash, operatorId, caps }: Invitation,
  account: Joining,
  origin: RequestOrigin,
) {
  await lockAudit(context.db);
  if (!(await takeInvitation(context.db, tokenHash))) refuse('badInvitation');
  const id = operatorId ?? context.newId();
  if (operatorId === null) await join(context, id, { ...account, caps });
  else await comeBack(context, id, account);
  return openOperatorSession(context, id, origin);
}

async function join(
  context: ConsoleContext,
  id: string,
  account: Joining & { caps: readonly Permission[] },
): Promise<void> {
  const { db, now } = context;
  const { fullname, email, caps } = account;
  if (fullname.toLowerCase() === TOWN_NAME.toLowerCase() || (await isNameTaken(db, fullname)))
    refuseProperty('fullname', 'isTaken', 'Another operator has this name. Add something to yours');
  // There is an operator now.
  await deleteFirstInvitations(db);
  await insertOperator(db, { ...account, id, emailKey: normalizeEmail(email) }, now());
  await writeJoining(
    db,
    { id, fullname, at: now() },
    { action: 'join', reason: 'Accepted an invitation', details: { caps } },
  );
  const words = `${fullname} (${email}) is an operator now, with these rights: ${caps.join(', ') || 'none'}.`;
  await queueOperatorsChangedMail(context, { email, words });
}

/** An operator who has lost the second factor has a new one. Name and rights stay as they are. */
async function comeBack({ db, now }: ConsoleContext, id: string, { passwordHash, factor }: Joining): Promise<void> {
  const { fullname } = (await lockOperator(db, id)) ?? refuse('badInvitation');
  await setOperatorPassword(db, id, passwordHash);
  await removeSecondFactors(db, id);
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
    ...{ details: JSON.stringify(details), approvedBy: null, approvedByName: null, approvalId: null },
    requestId: readRequestId() ?? null,
  });
}
