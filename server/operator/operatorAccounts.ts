import { normalizeEmail } from '../../domain/accounts.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { inviteByMail, mailResetLink } from './invitations.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import {
  endOperatorAccount,
  endSessionsOf,
  findOperatorByEmail,
  listOperatorAccounts,
  lockOperator,
  removeSecondFactor,
  setCaps,
} from './operators.sql.ts';

export const operatorAccountHandlers = ({ db }: ConsoleContext): Pick<OperatorHandlers, 'listOperators'> => ({
  listOperators: async () => {
    const rows = await listOperatorAccounts(db);
    const items = rows.map(({ createdAt, lastUsedAt, ...rest }) => ({
      ...rest,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }));
    return { items };
  },
});

type OperatorActs = Pick<Acts, 'inviteOperator' | 'changeRights' | 'resetFactor' | 'endOperator'>;

export const OPERATOR_ACTS: OperatorActs = {
  inviteOperator: {
    needsSecondYes: () => true,
    run: async ({ context, body: { email, caps } }) => {
      if (await findOperatorByEmail(context.db, normalizeEmail(email))) refuse('emailTaken');
      await inviteByMail(context, { email, caps });
      return {};
    },
  },
  changeRights: {
    needsSecondYes: async ({ context: { db }, params, body: { caps } }) => {
      const before = orNotFound(await lockOperator(db, params.id)).caps;
      return caps.some((cap) => !before.includes(cap));
    },
    run: async ({ context: { db, now }, params, body: { caps } }) => {
      const { caps: before } = orNotFound(await lockOperator(db, params.id));
      await setCaps(db, params.id, caps, now());
      return { details: { before } };
    },
  },
  resetFactor: {
    needsSecondYes: async ({ context: { db }, params }) => {
      orNotFound(await lockOperator(db, params.id));
      return true;
    },
    run: async ({ context, params }) => {
      const { db, now } = context;
      const operator = orNotFound(await lockOperator(db, params.id));
      // The phone may be in the hands of somebody else.
      await removeSecondFactor(db, params.id);
      await endSessionsOf(db, params.id, now());
      await mailResetLink(context, operator);
      return { details: { fullname: operator.fullname } };
    },
  },
  endOperator: {
    run: async ({ context: { db, now }, operator, params }) => {
      const { fullname } = orNotFound(await lockOperator(db, params.id));
      // Somebody is left who runs the town.
      if (params.id === operator.id) refuse('notYourOwn');
      await endOperatorAccount(db, params.id, now());
      await endSessionsOf(db, params.id, now());
      return { details: { fullname } };
    },
  },
};
