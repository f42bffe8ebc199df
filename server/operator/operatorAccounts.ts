import { normalizeEmail } from '../../domain/accounts.ts';
import type { Permission } from '../../domain/operators.ts';
import { isoTimes } from '../http/isoTimes.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { queueOperatorsChangedMail } from './approvalMails.ts';
import { endApprovalsOf } from './approvalSteps.ts';
import { deleteInvitationsBy, deleteInvitationsTo, listInvitations } from './invitations.sql.ts';
import { inviteByMail, mailResetLink } from './invitations.ts';
import {
  endOperatorAccount,
  endSessionsOf,
  findOperatorByEmail,
  hasOperatorWith,
  listOperatorAccounts,
  lockOperator,
  removeSecondFactors,
  setPermissions,
} from './operators.sql.ts';

export const operatorAccountHandlers = ({ db, now }: ConsoleContext): Pick<OperatorHandlers, 'listOperators'> => ({
  listOperators: async () => {
    const rows = await listOperatorAccounts(db);
    const waiting = await listInvitations(db, now());
    const invitations = waiting.map(({ email, caps, expiresAt }) => ({
      ...isoTimes({ email, expiresAt }),
      caps: caps as Permission[],
    }));
    return { items: rows.map(isoTimes), invitations };
  },
});

type OperatorActs = Pick<Acts, 'inviteOperator' | 'revokeInvitation' | 'changeRights' | 'resetFactor' | 'endOperator'>;

/** Refuses to remove the last operator who can invite others and change rights. */
async function keepAnAdmin({ db, config }: ConsoleContext): Promise<void> {
  if (!(await hasOperatorWith(db, 'admin', config.demo)))
    refuse('wrongStatus', { message: 'Somebody must stay who has the right Admin' });
}

const isSameList = (a: readonly Permission[], b: readonly Permission[]) =>
  a.length === b.length && a.every((permission) => b.includes(permission));

export const OPERATOR_ACTS: OperatorActs = {
  inviteOperator: {
    run: async ({ context, operator, body: { email, caps } }) => {
      if (await findOperatorByEmail(context.db, normalizeEmail(email))) refuse('emailTaken');
      await inviteByMail(context, { email, caps, invitedBy: operator.id });
      return {};
    },
  },
  revokeInvitation: {
    run: async ({ context: { db }, body: { email } }) => {
      if (!(await deleteInvitationsTo(db, normalizeEmail(email)))) refuse('notFound');
      return {};
    },
  },
  changeRights: {
    needsApproval: async ({ context: { db }, params, body: { caps } }) => {
      const before = orNotFound(await lockOperator(db, params.id)).caps;
      return caps.some((permission) => !before.includes(permission));
    },
    run: async ({ context, params, body: { before, caps } }) => {
      const { db, now } = context;
      const { fullname, email, caps: current } = orNotFound(await lockOperator(db, params.id));
      // Somebody has changed them since this was asked for.
      if (!isSameList(before, current))
        refuse('wrongStatus', { message: 'The rights have changed since. Look at them again' });
      await setPermissions(db, params.id, caps, now());
      await keepAnAdmin(context);
      if (current.some((permission) => !caps.includes(permission)))
        await queueOperatorsChangedMail(context, {
          email,
          words: `${fullname} has fewer rights now: ${caps.join(', ') || 'none'}.`,
        });
      return { details: { fullname } };
    },
  },
  resetFactor: {
    check: async ({ context: { db }, params }) => {
      orNotFound(await lockOperator(db, params.id));
    },
    run: async ({ context, params }) => {
      const { db, now } = context;
      const operator = orNotFound(await lockOperator(db, params.id));
      // The phone may be stolen.
      await removeSecondFactors(db, params.id);
      await endSessionsOf(db, params.id, now());
      await mailResetLink(context, operator);
      return { details: { fullname: operator.fullname } };
    },
  },
  endOperator: {
    run: async ({ context, operator, params }) => {
      const { db, now } = context;
      const { fullname, email } = orNotFound(await lockOperator(db, params.id));
      if (params.id === operator.id) refuse('notYourOwn');
      await endOperatorAccount(db, params.id, now());
      await endSessionsOf(db, params.id, now());
      await deleteInvitationsBy(db, params.id);
      const words = `${fullname} has left`;
      const withdrawn = await endApprovalsOf(context, operator, { askerId: params.id, words });
      await keepAnAdmin(context);
      await queueOperatorsChangedMail(context, {
        email,
        words: `${fullname} is no operator any more. ${operator.fullname} has ended the account.`,
      });
      return { details: { fullname, ...(withdrawn > 0 ? { withdrawn } : {}) } };
    },
  },
};
