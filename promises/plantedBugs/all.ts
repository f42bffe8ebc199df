import { ACCOUNT_BUGS } from './accounts.ts';
import { BUSINESS_BUGS } from './business.ts';
import { EMBEDDED_BUGS } from './embedded.ts';
import { FLEET_BUGS } from './fleet.ts';
import { FLOOD_BUGS } from './floods.ts';
import { HANDOVER_BUGS } from './handovers.ts';
import { HTTP_BUGS } from './http.ts';
import { LOAD_BUGS } from './load.ts';
import { OUTAGE_BUGS } from './outages.ts';
import type { PlantedBug } from './plantedBug.ts';
import { PRIVACY_BUGS } from './privacy.ts';
import { REFUND_BUGS } from './refunds.ts';
import { SCREEN_BUGS } from './screens.ts';
import { WORKFLOW_BUGS } from './workflows.ts';

/** The bugs that `npm run planted` plants, at least two per promise. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...ACCOUNT_BUGS,
  ...BUSINESS_BUGS,
  ...EMBEDDED_BUGS,
  ...FLEET_BUGS,
  ...FLOOD_BUGS,
  ...HANDOVER_BUGS,
  ...HTTP_BUGS,
  ...LOAD_BUGS,
  ...OUTAGE_BUGS,
  ...PRIVACY_BUGS,
  ...REFUND_BUGS,
  ...SCREEN_BUGS,
  ...WORKFLOW_BUGS,
];
