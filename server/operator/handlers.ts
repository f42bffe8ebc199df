import { DISPUTE_ACTS, disputeHandlers } from '../disputes/disputeActs.ts';
import { figureHandlers } from '../figures/figures.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { PRICE_ACTS, priceHandlers } from '../payments/prices/priceActs.ts';
import { RECONCILIATION_ACTS, reconciliationHandlers } from '../payments/reconcile/dayActs.ts';
import { PROMO_ACTS, promoHandlers } from '../promos/promoActs.ts';
import { ADMISSION_ACTS, admissionHandlers } from './admissions.ts';
import { approvalHandlers } from './approvals.ts';
import { auditHandlers } from './audit.ts';
import { CASE_ACTS, caseHandlers } from './cases.ts';
import { EXPORT_ACTS, exportHandlers } from './exports.ts';
import { HOURS_ACTS, hoursHandlers } from './hours.ts';
import { IDENTITY_ACTS, identityHandlers } from './identity.ts';
import { invitationHandlers } from './invitations.ts';
import { MESSAGE_ACTS, messageHandlers } from './messages.ts';
import { MONEY_ACTS, moneyHandlers } from './money.ts';
import { OPERATOR_ACTS, operatorAccountHandlers } from './operatorAccounts.ts';
import { ORDER_ACTS, orderHandlers } from './order.ts';
import { passkeyHandlers } from './passkeyHandlers.ts';
import { PAYOUT_ACTS, payoutHandlers } from './payouts.ts';
import { peopleHandlers } from './people.ts';
import { PEOPLE_ACTS } from './peopleActs.ts';
import { POLICY_ACTS, policyHandlers } from './policies.ts';
import { searchHandlers } from './search.ts';
import { SET_UP_ACTS, setUpHandlers } from './setUp.ts';
import { signInHandlers } from './signIn.ts';
import { todayHandlers } from './today.ts';
import { TOWN_ACTS, townHandlers } from './town.ts';
import { WINDOW_ACTS, windowHandlers } from './windows.ts';
import { ZONE_ACTS, zoneHandlers } from './zones.ts';

/** What each act does. */
export const ACTS: Acts = {
  ...TOWN_ACTS,
  ...SET_UP_ACTS,
  ...IDENTITY_ACTS,
  ...OPERATOR_ACTS,
  ...CASE_ACTS,
  ...MESSAGE_ACTS,
  ...PRICE_ACTS,
  ...POLICY_ACTS,
  ...MONEY_ACTS,
  ...PAYOUT_ACTS,
  ...RECONCILIATION_ACTS,
  ...EXPORT_ACTS,
  ...ORDER_ACTS,
  ...PEOPLE_ACTS,
  ...ADMISSION_ACTS,
  ...DISPUTE_ACTS,
  ...HOURS_ACTS,
  ...WINDOW_ACTS,
  ...ZONE_ACTS,
  ...PROMO_ACTS,
};

export const createOperatorHandlers = (context: ConsoleContext): OperatorHandlers => ({
  ...signInHandlers(context),
  ...passkeyHandlers(context),
  ...invitationHandlers(context),
  ...approvalHandlers(context, ACTS),
  ...auditHandlers(context),
  ...townHandlers(context),
  ...setUpHandlers(context),
  ...identityHandlers(context),
  ...operatorAccountHandlers(context),
  ...moneyHandlers(context),
  ...figureHandlers(context),
  ...payoutHandlers(context),
  ...reconciliationHandlers(context),
  ...exportHandlers(context),
  ...caseHandlers(context),
  ...messageHandlers(context),
  ...priceHandlers(context),
  ...policyHandlers(context),
  ...todayHandlers(context),
  ...searchHandlers(context),
  ...orderHandlers(context),
  ...peopleHandlers(context),
  ...admissionHandlers(context),
  ...disputeHandlers(context),
  ...hoursHandlers(context),
  ...windowHandlers(context),
  ...zoneHandlers(context),
  ...promoHandlers(context),
});
