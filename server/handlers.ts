import { accountHandlers } from './accounts/accounts.ts';
import { credentialHandlers } from './accounts/credentials.ts';
import { sessionHandlers } from './accounts/sessionList.ts';
import { documentHandlers } from './admissions/documents.ts';
import type { Sealer } from './auth/sealing.ts';
import { caseHandlers } from './cases/cases.ts';
import type { Context } from './context.ts';
import { dashboardHandlers } from './dashboards/dashboards.ts';
import { deliveryHandlers } from './deliveries/deliveries.ts';
import { routeHandlers } from './deliveries/deliveryRoute.ts';
import { positionHandlers } from './deliveries/positions.ts';
import { workFigureHandlers } from './figures/figures.ts';
import { type FileParts, fileHandlers } from './files/files.ts';
import { handoverHandlers } from './handovers/handovers.ts';
import type { Handlers } from './http/routes.ts';
import { notificationHandlers } from './notifications/notifications.ts';
import type { NotificationKeys } from './notifications/vapidKeys.ts';
import { orderExceptionHandlers } from './orders/orderExceptions.ts';
import { orderHandlers } from './orders/orders.ts';
import { proposalHandlers } from './orders/proposals.ts';
import { CLEANING_AGAIN } from './orders/reopenOrder.ts';
import { weighingHandlers } from './orders/weighing.ts';
import { receiptHandlers } from './payments/ledger/receipts.ts';
import { earningsHandlers } from './payments/payouts/earnings.ts';
import { payoutAccountHandlers } from './payments/payouts/payoutAccounts.ts';
import { taxIdHandlers } from './payments/payouts/taxIds.ts';
import { workRecordHandlers } from './payments/payouts/workRecord.ts';
import { configHandlers } from './payments/prices/publicConfig.ts';
import { savedCardHandlers } from './payments/saved/savedCards.ts';
import { personalDataHandlers } from './personal/personalData.ts';
import { placeHandlers } from './places/places.ts';
import type { StreetRouter } from './places/streetRouter.ts';
import { listDemoReviews } from './reviews/demoReviews.ts';
import { reviewHandlers } from './reviews/reviews.ts';
import { weekHandlers } from './weeks/weeks.ts';
import { windowHandlers } from './windows/windows.ts';

type HandlerParts = {
  readonly keys: NotificationKeys;
  readonly router: StreetRouter;
  readonly files: FileParts;
  readonly sealer: Sealer;
};

/** The handlers of the calls of Buds, Scrubs and Dubers. Those of the console are in operator/handlers.ts. */
export function createHandlers(context: Context, { keys, router, files, sealer }: HandlerParts): Handlers {
  return {
    ...accountHandlers(context),
    ...sessionHandlers(context),
    ...credentialHandlers(context),
    ...placeHandlers(context),
    ...windowHandlers(context),
    ...weekHandlers(context),
    ...orderHandlers(context),
    ...orderExceptionHandlers(context),
    ...weighingHandlers(context),
    ...deliveryHandlers(context),
    ...handoverHandlers(context),
    ...caseHandlers(context, CLEANING_AGAIN),
    ...positionHandlers(context),
    ...routeHandlers(context, router),
    ...reviewHandlers(context),
    ...dashboardHandlers(context),
    ...receiptHandlers(context),
    ...earningsHandlers(context),
    ...workRecordHandlers(context),
    ...workFigureHandlers(context),
    ...payoutAccountHandlers(context, sealer),
    ...taxIdHandlers(context, sealer),
    ...savedCardHandlers(context),
    ...configHandlers(context, listDemoReviews),
    ...notificationHandlers(context, keys),
    ...proposalHandlers(context, keys),
    ...fileHandlers(context, files),
    ...documentHandlers(context),
    ...personalDataHandlers(context, sealer),
  };
}
