import { TODAY_COUNT_MAX } from '../../contract/operator/today.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { SILENT_DUBER_MS } from '../../domain/needs.ts';
import { REMIND_AFTER_MS, SCRUB_SILENT_AFTER_MS } from '../../domain/orders.ts';
import { findMailTrouble } from '../notifications/outbox.sql.ts';
import type { ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readSettings } from '../town/settings.sql.ts';
import { readWorks } from './figures.sql.ts';
import { shareRead } from './sharedRead.ts';
import {
  countDay,
  countStuck,
  listApprovalsOfTown,
  listCasesOfTown,
  listDocumentsOfTown,
  listGivenBackOrders,
  listMapDeliveries,
  listMapScrubs,
  listOrdersAtRisk,
  listOrdersNotStarted,
  listSilentDubers,
  listStoppedDeliveries,
  listUnansweredOrders,
  listUnclaimedDeliveries,
} from './today.sql.ts';
import { readTodayWindows } from './todayWindows.ts';

const UNANSWERED_MS = 120 * MINUTE_MS;
const UNCLAIMED_MS = 15 * MINUTE_MS;
/** Longer, because a drive with laundry takes a while. */
const SILENT_WITH_LAUNDRY_MS = 60 * MINUTE_MS;

async function readMailTrouble(db: ConsoleContext['db']) {
  const trouble = await findMailTrouble(db, TODAY_COUNT_MAX);
  return trouble ? { ...trouble, since: trouble.since.toISOString() } : null;
}

/** All consoles share one read, because the answer is the same for all. */
export const todayHandlers = ({ db, now }: ConsoleContext): Pick<OperatorHandlers, 'readToday' | 'readTownMap'> => ({
  readToday: shareRead(async () => {
    const at = now();
    const ago = (ms: number) => new Date(at.getTime() - ms);
    const { timeZone } = await readSettings(db, at);
    return {
      at: at.toISOString(),
      cases: await listCasesOfTown(db, at),
      approvals: await listApprovalsOfTown(db),
      documents: await listDocumentsOfTown(db),
      unanswered: await listUnansweredOrders(db, ago(UNANSWERED_MS)),
      givenBack: await listGivenBackOrders(db),
      notStarted: await listOrdersNotStarted(db, ago(REMIND_AFTER_MS), SCRUB_SILENT_AFTER_MS),
      atRisk: await listOrdersAtRisk(db, at),
      windows: await readTodayWindows(db, at),
      unclaimed: await listUnclaimedDeliveries(db, ago(UNCLAIMED_MS)),
      stopped: await listStoppedDeliveries(db),
      silent: await listSilentDubers(db, ago(SILENT_DUBER_MS), ago(SILENT_WITH_LAUNDRY_MS)),
      ...(await countStuck(db)),
      mailTrouble: await readMailTrouble(db),
      ...(await readWorks(db, at)),
      counters: await countDay(db, at, timeZone),
    };
  }),
  readTownMap: shareRead(async () => ({ deliveries: await listMapDeliveries(db), scrubs: await listMapScrubs(db) })),
});
