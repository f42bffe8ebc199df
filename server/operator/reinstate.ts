import { LONGEST_SUSPENSION_MS } from '../../domain/holds.ts';
import type { Operator } from '../../domain/operators.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { endTimers, startTimers } from '../jobs/timers.sql.ts';
import type { TimerKind } from '../jobs/timers.ts';
import { lockAudit } from './audit.sql.ts';
import {
  endSuspension,
  findSuspension,
  listPresentHolds,
  lockPerson,
  lockSuspension,
  type SuspensionRecord,
  setSuspensionEnd,
} from './holds.sql.ts';
import type { ConsoleContext } from './operatorContext.ts';
import { queueExtendedMail, queueReinstatedMail } from './peopleMails.ts';
import { publishOpenWork, SUSPENSION_TIMER_ROWS, updateScrubVisibility } from './suspend.ts';

/** Ends a suspension that another operator imposed. */
export async function reinstatePerson(context: ConsoleContext, { operator, id }: { operator: Operator; id: string }) {
  const person = orNotFound(await lockPerson(context.db, id));
  const suspension = (await findSuspension(context.db, id)) ?? refuseActive();
  if (suspension.setBy === operator.id)
    refuse('notYourOwn', { message: 'Another operator must end the suspension that you have imposed' });
  await endTimers(context.db, 'suspension', suspension.id);
  await end(context, suspension, { to: 'lifted', by: operator.id });
  return { suspendedBy: suspension.setByName, since: suspension.fromAt.toISOString(), fullname: person.fullname };
}

const refuseActive = () => refuse('wrongStatus', { message: 'This person is not suspended' });

async function end(
  context: ConsoleContext,
  { id, userId }: SuspensionRecord,
  how: { to: 'lifted' | 'ended'; by: string | null },
): Promise<void> {
  const { db: tx, now } = context;
  const before = await listPresentHolds(tx, userId);
  await endSuspension(tx, id, { ...how, at: now() });
  const person = orNotFound(await lockPerson(tx, userId));
  await updateScrubVisibility(tx, person);
  await publishOpenWork(context, person);
  await queueReinstatedMail(context, person, before);
}

/** Extends a suspension, after approval. */
export async function extendSuspensionOf(
  context: ConsoleContext,
  { id, until, reason }: { id: string; until: Date; reason: string },
) {
  const { db: tx, now } = context;
  const person = orNotFound(await lockPerson(tx, id));
  const suspension = (await findSuspension(tx, id)) ?? refuseActive();
  checkEnd(until, suspension, now());
  await setSuspensionEnd(tx, suspension.id, until);
  const end = SUSPENSION_TIMER_ROWS.map(({ action }) => ({ action, dueAt: until }));
  await startTimers(tx, 'suspension', { id: suspension.id, step: 1 }, end);
  await queueExtendedMail(context, person, { until, reason });
  return { before: suspension.untilAt.toISOString() };
}

function checkEnd(until: Date, { untilAt, fromAt }: SuspensionRecord, now: Date): void {
  if (until <= untilAt || until <= now) refuseProperty('until', 'isLater', 'Choose a time after the present end');
  if (until.getTime() - fromAt.getTime() > LONGEST_SUSPENSION_MS)
    refuseProperty('until', 'isNear', 'A suspension lasts a year at most');
}

/** Ends the suspensions whose time is over. */
export const SUSPENSION_TIMERS: TimerKind<ConsoleContext> = {
  subject: 'suspension',
  actions: SUSPENSION_TIMER_ROWS.map(({ action }) => action),
  wakes: [],
  lock: async (inside, { subjectId }) => {
    // Runs between two acts, under the same lock.
    await lockAudit(inside.db);
    const suspension = await lockSuspension(inside.db, subjectId);
    if (suspension?.status !== 'suspended') return undefined;
    await lockPerson(inside.db, suspension.userId);
    return () => end(inside, suspension, { to: 'ended', by: null });
  },
};
