import type { FileParts } from '../files/files.ts';
import { approvalHandlers } from './approvals.ts';
import { auditHandlers } from './audit.ts';
import { CASE_ACTS, caseHandlers } from './cases.ts';
import { DISPUTE_ACTS, disputeHandlers } from './disputes.ts';
import { invitationHandlers } from './invitations.ts';
import { MESSAGE_ACTS, messageHandlers } from './messages.ts';
import { OPERATOR_ACTS, operatorAccountHandlers } from './operatorAccounts.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import { POLICY_ACTS, policyHandlers } from './policies.ts';
import { PRICE_ACTS, priceHandlers } from './prices.ts';
import { signInHandlers } from './signIn.ts';
import { TOWN_ACTS, townHandlers } from './town.ts';

/** What each act does. */
export const ACTS: Acts = {
  ...TOWN_ACTS,
  ...OPERATOR_ACTS,
  ...CASE_ACTS,
  ...MESSAGE_ACTS,
  ...PRICE_ACTS,
  ...POLICY_ACTS,
  ...DISPUTE_ACTS,
};

export const createOperatorHandlers = (context: ConsoleContext, files: FileParts): OperatorHandlers => ({
  ...signInHandlers(context),
  ...invitationHandlers(context),
  ...approvalHandlers(context, ACTS),
  ...auditHandlers(context),
  ...townHandlers(context),
  ...operatorAccountHandlers(context),
  ...caseHandlers(context, files),
  ...messageHandlers(context),
  ...priceHandlers(context),
  ...policyHandlers(context),
  ...disputeHandlers(context),
});
