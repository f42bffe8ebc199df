import { type FileParts, readPhotoOfTown } from '../files/files.ts';
import { approvalHandlers } from './approvals.ts';
import { auditHandlers } from './audit.ts';
import { invitationHandlers } from './invitations.ts';
import { OPERATOR_ACTS, operatorAccountHandlers } from './operatorAccounts.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from './operatorContext.ts';
import { ORDER_ACTS, orderHandlers } from './order.ts';
import { searchHandlers } from './search.ts';
import { signInHandlers } from './signIn.ts';
import { todayHandlers } from './today.ts';
import { TOWN_ACTS, townHandlers } from './town.ts';

/** What each act does. */
export const ACTS: Acts = { ...TOWN_ACTS, ...OPERATOR_ACTS, ...ORDER_ACTS };

export const createOperatorHandlers = (context: ConsoleContext, files: FileParts): OperatorHandlers => ({
  ...signInHandlers(context),
  ...invitationHandlers(context),
  ...approvalHandlers(context, ACTS),
  ...auditHandlers(context),
  ...townHandlers(context),
  ...operatorAccountHandlers(context),
  ...todayHandlers(context),
  ...searchHandlers(context),
  ...orderHandlers(context),
  readTownPhoto: ({ params }) => readPhotoOfTown({ ...context, ...files }, params.id),
});
