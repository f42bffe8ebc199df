import { failureOfNeed } from '../../contract/failures.ts';
import {
  SUSPENSION_NEEDS,
  SUSPENSION_ROWS,
  SUSPENSION_TIMER_ROWS,
  type SuspensionFacts,
  type SuspensionRow,
} from '../../domain/process/suspension.ts';
import type { RestrictionKind } from '../../domain/restrictions.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { endTimers, startTimers } from '../jobs/timers.sql.ts';
import type { TimerKind } from '../jobs/timers.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import {
  type Asked,
  type Refused,
  type StepDone,
  type StepSubject,
  type StepTaken,
  SYSTEM,
  takeStepIn,
  tryStep,
} from '../process/takeStep.ts';
import { lockAudit } from './audit.sql.ts';
import { findPerson, type PersonRecord } from './people.sql.ts';
import { queueExtendedMail, queueReinstatedMail } from './peopleMails.ts';
import {
  endSuspension,
  findPersonOfSuspension,
  findSuspension,
  listPresentRestrictions,
  lockPerson,
  type SuspensionRecord,
  setSuspensionEnd,
} from './restrictions.sql.ts';
import { publishOpenWork, updateScrubVisibility } from './suspend.ts';

type SuspensionRequest = {
  /** The suspended person. */
  readonly id: string;
  readonly action: SuspensionRow['action'];
  /** For `extend`. */
  readonly until?: Date;
  readonly reason?: string;
  /** For `reinstate`. */
  readonly runsAlone?: boolean;
};

type Suspended = { readonly person: PersonRecord; readonly suspension: SuspensionRecord | undefined };

type SuspensionKind = {
  readonly actor: { readonly role: 'Operator'; readonly id: string } | typeof SYSTEM;
  readonly row: SuspensionRow;
  readonly request: SuspensionRequest;
  readonly locked: Suspended | undefined;
  readonly facts: Suspended & {
    readonly status: string;
    /** What the person is kept from before the step. */
    readonly restrictions: readonly RestrictionKind[];
  };
  readonly needed: SuspensionFacts;
  /** The suspension as it was, for the audit. */
  readonly answer: Suspended & { readonly suspension: SuspensionRecord };
};

/** Takes a step of the suspension of a person, in the transaction of an act. Returns the suspension as it was. */
export const takeSuspensionStep = (
  inside: ConsoleContext,
  actor: SuspensionKind['actor'],
  request: SuspensionRequest,
): Promise<SuspensionKind['answer']> => takeStepIn(inside.db, suspensionsOf(inside), actor, request, inside.now);

/** Ends the suspensions whose time is over. */
export const SUSPENSION_TIMERS: TimerKind<ConsoleContext> = {
  subject: 'suspension',
  rows: SUSPENSION_TIMER_ROWS,
  wakes: [],
  lock: async (inside, { subjectId }) => {
    // Runs between two acts, under the same lock.
    await lockAudit(inside.db);
    const id = await findPersonOfSuspension(inside.db, subjectId);
    const locked = id && (await lockSuspended(inside.db, id));
    if (!locked || locked.suspension?.id !== subjectId) return undefined;
    const asked = { actor: SYSTEM, request: { id, action: 'end' }, locked } as const;
    return () => tryStep(inside.db, suspensionsOf(inside), asked, inside.now());
  },
};

async function lockSuspended(tx: Tx, id: string): Promise<Suspended | undefined> {
  const person = await lockPerson(tx, id);
  return person && { person, suspension: await findSuspension(tx, id) };
}

const suspensionsOf = (inside: ConsoleContext): StepSubject<SuspensionKind> => ({
  rows: SUSPENSION_ROWS,
  needs: SUSPENSION_NEEDS,
  lock: (tx, _actor, id) => lockSuspended(tx, id),
  readFacts,
  refuse: refuseStep,
  write: writeStep,
  effects: [(tx, done) => liftRestrictions(inside, tx, done), (_tx, done) => notifyPerson(inside, done)],
  wakes: () => [],
});

async function readFacts(tx: Tx, { actor, request, locked }: Asked<SuspensionKind>, at: Date) {
  if (!locked) return undefined;
  const { suspension } = locked;
  const { setBy, fromAt, untilAt, status = 'active' } = suspension ?? {};
  const needed = {
    setBy,
    fromAt,
    untilAt,
    until: request.until,
    actorId: actor.id,
    now: at,
    runsAlone: request.runsAlone === true,
  };
  return { facts: { ...locked, status, restrictions: await listPresentRestrictions(tx, request.id) }, needed, at };
}

async function refuseStep(_tx: Tx, { facts, why }: Refused<SuspensionKind>): Promise<never> {
  if (!facts) return refuse('notFound');
  if (why.why !== 'need') return refuse('wrongStatus', { message: 'This person is not suspended' });
  if (why.need === 'later-end') return refuseProperty('until', 'isLater', 'Choose a time after the present end');
  if (why.need === 'within-a-year') return refuseProperty('until', 'isNear', 'A suspension lasts a year at most');
  return refuse(failureOfNeed(why.need) ?? 'wrongStatus', {
    message: 'Another operator must end the suspension that you have imposed',
  });
}

async function writeStep(
  tx: Tx,
  { row, actor, request, facts, at }: StepTaken<SuspensionKind>,
): Promise<SuspensionKind['answer']> {
  const suspension = orNotFound(facts.suspension);
  if (row.sets && request.until) {
    await setSuspensionEnd(tx, suspension.id, request.until);
    const dueAt = request.until;
    const timers = SUSPENSION_TIMER_ROWS.map(({ action }) => ({ action, dueAt }));
    await startTimers(tx, 'suspension', { id: suspension.id, step: 1 }, timers);
  }
  if (row.to !== 'suspended') {
    await endSuspension(tx, suspension.id, { to: row.to, by: actor.id, at });
    await endTimers(tx, 'suspension', suspension.id);
  }
  return { person: facts.person, suspension };
}

/** The restrictions have ended with the suspension: others see that the person works again. */
async function liftRestrictions(inside: ConsoleContext, tx: Tx, done: StepDone<SuspensionKind>): Promise<undefined> {
  if (!done.row.lifts) return;
  const person = orNotFound(await findPerson(tx, done.request.id));
  await updateScrubVisibility(tx, person);
  await publishOpenWork(inside, person);
}

async function notifyPerson(inside: ConsoleContext, done: StepDone<SuspensionKind>): Promise<undefined> {
  const { row, request, facts } = done;
  const { until, reason = '' } = request;
  const person = orNotFound(await findPerson(inside.db, request.id));
  if (row.notifies === 'reinstated') await queueReinstatedMail(inside, person, facts.restrictions);
  else if (until) await queueExtendedMail(inside, person, { until, reason });
}
