import { ACCOUNT_BUGS } from './accounts.ts';
import { ADMISSION_BUGS } from './admissions.ts';
import { BACKUP_BUGS } from './backups.ts';
import { BUSINESS_BUGS } from './business.ts';
import { CARD_MONEY_BUGS } from './cardMoney.ts';
import { CASE_BUGS } from './cases.ts';
import { CHANGE_BUGS } from './changes.ts';
import { CITY_BUGS } from './city.ts';
import { CONSOLE_ORDER_BUGS } from './consoleOrders.ts';
import { EMBEDDED_BUGS } from './embedded.ts';
import { EXCEPTION_BUGS } from './exceptions.ts';
import { FILE_BUGS } from './files.ts';
import { FLEET_BUGS } from './fleet.ts';
import { FLOOD_BUGS } from './floods.ts';
import { GANG_BUGS } from './gang.ts';
import { HANDOVER_BUGS } from './handovers.ts';
import { HTTP_BUGS } from './http.ts';
import { LOAD_BUGS } from './load.ts';
import { NUMBER_BUGS } from './numbers.ts';
import { OPERATOR_MONEY_BUGS } from './operatorMoney.ts';
import { OPERATOR_TOWN_BUGS } from './operatorTown.ts';
import { OUTAGE_BUGS } from './outages.ts';
import { PASSKEY_BUGS } from './passkeys.ts';
import { PEOPLE_BUGS } from './people.ts';
import type { PlantedBug } from './plantedBug.ts';
import { PLATFORM_PAY_BUGS } from './platformPays.ts';
import { PRIVACY_BUGS } from './privacy.ts';
import { PROMO_BUGS } from './promos.ts';
import { PAY_BUGS, REFUND_BUGS } from './refunds.ts';
import { SCREEN_BUGS } from './screens.ts';
import { STORM_BUGS } from './storm.ts';
import { TAX_ID_BUGS } from './taxIds.ts';
import { TODAY_BUGS } from './today.ts';
import { TRUST_BUGS } from './trust.ts';
import { UNDO_BUGS } from './undo.ts';
import { WEIGHED_PAYMENT_BUGS } from './weighedPayments.ts';
import { WEIGHING_BUGS } from './weighing.ts';
import { WORKFLOW_BUGS } from './workflows.ts';

/** The bugs that `npm run planted` plants, at least two per promise. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...ACCOUNT_BUGS,
  ...ADMISSION_BUGS,
  ...BACKUP_BUGS,
  ...BUSINESS_BUGS,
  ...CARD_MONEY_BUGS,
  ...CASE_BUGS,
  ...CHANGE_BUGS,
  ...CITY_BUGS,
  ...CONSOLE_ORDER_BUGS,
  ...EMBEDDED_BUGS,
  ...FILE_BUGS,
  ...EXCEPTION_BUGS,
  ...TRUST_BUGS,
  ...UNDO_BUGS,
  ...FLEET_BUGS,
  ...FLOOD_BUGS,
  ...GANG_BUGS,
  ...HANDOVER_BUGS,
  ...HTTP_BUGS,
  ...LOAD_BUGS,
  ...NUMBER_BUGS,
  ...OPERATOR_MONEY_BUGS,
  ...OPERATOR_TOWN_BUGS,
  ...OUTAGE_BUGS,
  ...PASSKEY_BUGS,
  ...PAY_BUGS,
  ...PEOPLE_BUGS,
  ...PLATFORM_PAY_BUGS,
  ...PRIVACY_BUGS,
  ...PROMO_BUGS,
  ...REFUND_BUGS,
  ...SCREEN_BUGS,
  ...STORM_BUGS,
  ...TAX_ID_BUGS,
  ...TODAY_BUGS,
  ...WEIGHED_PAYMENT_BUGS,
  ...WEIGHING_BUGS,
  ...WORKFLOW_BUGS,
];
