import { approvalHandlers } from './approvals.ts';
import { auditHandlers } from './audit.ts';
import { EXPORT_ACTS, exportHandlers } from './exports.ts';
import { invitationHandlers } from './invitations.ts';
import { MONEY_ACTS, moneyHandlers } from './money.ts';
import { OPERATOR_ACTS, operatorAccountHandlers } from './operatorAccounts.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import { PAYOUT_ACTS, payoutHandlers } from './payouts.ts';
import { signInHandlers } from './signIn.ts';
import { TOWN_ACTS, townHandlers } from './town.ts';

/** What each act does. */
export const ACTS: Acts = { ...TOWN_ACTS, ...OPERATOR_ACTS, ...MONEY_ACTS, ...PAYOUT_ACTS, ...EXPORT_ACTS };

export const createOperatorHandlers = (context: ConsoleContext): OperatorHandlers => ({
  ...signInHandlers(context),
  ...invitationHandlers(context),
  ...approvalHandlers(context, ACTS),
  ...auditHandlers(context),
  ...townHandlers(context),
  ...operatorAccountHandlers(context),
  ...moneyHandlers(context),
  ...payoutHandlers(context),
  ...exportHandlers(context),
});
