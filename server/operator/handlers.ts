import { approvalHandlers } from './approvals.ts';
import { auditHandlers } from './audit.ts';
import { DISPUTE_ACTS, disputeHandlers } from './disputes.ts';
import { invitationHandlers } from './invitations.ts';
import { OPERATOR_ACTS, operatorAccountHandlers } from './operatorAccounts.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import { signInHandlers } from './signIn.ts';
import { TOWN_ACTS, townHandlers } from './town.ts';

/** What each act does. */
export const ACTS: Acts = { ...TOWN_ACTS, ...OPERATOR_ACTS, ...DISPUTE_ACTS };

export const createOperatorHandlers = (context: ConsoleContext): OperatorHandlers => ({
  ...signInHandlers(context),
  ...invitationHandlers(context),
  ...approvalHandlers(context, ACTS),
  ...auditHandlers(context),
  ...townHandlers(context),
  ...operatorAccountHandlers(context),
  ...disputeHandlers(context),
});
