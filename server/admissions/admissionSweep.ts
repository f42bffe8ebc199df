import { hasRequirements } from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { readPolicy } from '../town/policies.sql.ts';
import { type MailContext, queueAdmittedMail, queueAskedMail } from './admissionMails.ts';
import {
  listAdmittedAfter,
  listHeldWithoutRequirements,
  listRolesWithRequirements,
  listWorkersAfter,
  listWorkersWithout,
  readRequirementsHash,
  readSweep,
  type Sweep,
  type SweptWorker,
  saveSweep,
} from './admissionSweep.sql.ts';
import {
  type Admission,
  findAdmission,
  listRequirements,
  lockAdmission,
  readRequirementPeriod,
} from './admissions.sql.ts';
import { applyAdmissionEverywhere } from './applyAdmission.ts';
import { enrolWorker, requestDocumentsOnce } from './enrol.ts';
import { reviewAndApply, tryAdmissionStep } from './steps.ts';

type SweepContext = Pick<Context, 'db' | 'now' | 'newId' | 'config' | 'wake'>;

const BATCH_SIZE = 100;
/** Longer than a sign-up takes. A sign-up reads the policy when it begins. */
const SETTLE_MS = 60_000;

/** The target of a sweep: whether documents are required, since when, and which. */
type Target = { readonly name: string; readonly isOn: boolean };

async function readTarget(db: Tx, now: Date): Promise<Target> {
  const { since, from } = await readRequirementPeriod(db, now);
  if (since !== null)
    return { name: `asks since ${since.toISOString()} for ${await readRequirementsHash(db)}`, isOn: true };
  // With its day, because the policy may have been on for a moment meanwhile.
  const open = (await readPolicy(db, 'admission', now))?.validFrom;
  return {
    name: `open since ${open?.toISOString() ?? 'ever'}, asks from ${from?.toISOString() ?? 'never'}`,
    isOn: false,
  };
}

/**
 * Applies a change of the policy or of the requirements to existing workers, a few at a time. Workers who have never worked get a
 * restriction, others may work for a grace period. Without requirements all restrictions are lifted. After one pass over all workers it looks
 * for those who signed up meanwhile, until there are none. Returns whether there is more.
 */
export async function sweepAdmissions(context: SweepContext, batchSize = BATCH_SIZE): Promise<boolean> {
  const { db, now } = context;
  const saved = await readSweep(db);
  const target = await readTarget(db, now());
  if (saved.doneTarget === target.name) return false;
  const begun = { target: target.name, begunAt: now(), isFirstPass: true, lastOfPass: null };
  const { begunAt, isFirstPass, lastOfPass } = saved.target === target.name ? saved : begun;
  const workers = isFirstPass
    ? await listNext(db, target, lastOfPass, batchSize)
    : await listMissed(db, target, batchSize);
  // One transaction for each worker, so that nobody waits for more than one of them.
  for (const worker of workers) await sweepWorker(context, worker, target);
  if (workers.length > 0) context.wake('mail');
  const isEnd = workers.length < batchSize;
  const hasSettled = now().getTime() - (begunAt?.getTime() ?? 0) > SETTLE_MS;
  await saveSweep(db, saved, {
    ...{ target: target.name, begunAt, isFirstPass: isFirstPass === true && !isEnd },
    lastOfPass: isFirstPass && !isEnd ? (workers.at(-1)?.id ?? null) : null,
    doneTarget: !isFirstPass && workers.length === 0 && hasSettled ? target.name : null,
  });
  return isFirstPass === true || !isEnd;
}

const listNext = (db: Tx, { isOn }: Target, last: Sweep['lastOfPass'], limit: number): Promise<SweptWorker[]> =>
  isOn ? listWorkersAfter(db, last, limit) : listAdmittedAfter(db, last, limit);

/** Workers whose sign-up, or other action, began before the change and committed after the first pass. */
async function listMissed(db: Tx, { isOn }: Target, limit: number): Promise<SweptWorker[]> {
  const asked = isOn ? await listRolesWithRequirements(db) : [];
  return [...(await listWorkersWithout(db, asked, limit)), ...(await listHeldWithoutRequirements(db, asked, limit))];
}

async function sweepWorker(context: SweepContext, worker: SweptWorker, target: Target): Promise<void> {
  await transact(context.db, async (tx) => {
    const inside: MailContext = { ...context, db: tx, wake: () => {} };
    const admission = await lockAdmission(tx, worker.id);
    // The target has changed meanwhile. The next sweep handles this worker.
    if ((await readTarget(tx, context.now())).name !== target.name) return;
    const requirements = await listRequirements(tx, worker.role);
    const isAsking = target.isOn && hasRequirements(requirements);
    if (admission) return sweepAdmission(inside, admission, isAsking);
    if (!isAsking) return;
    const asked = await enrolWorker(inside, worker);
    await applyAdmissionEverywhere(inside, asked, null);
    await queueAskedMail(inside, asked.id, asked.worksUntil);
  });
}

/** Applies the requirements to a worker who has an admission. When none are required, the restriction is lifted. */
async function sweepAdmission(inside: MailContext, before: Admission, isAsking: boolean): Promise<void> {
  const { admission, kinds, isBesides } = await requestDocumentsOnce(inside, before);
  if (isAsking && (await tryAdmissionStep(inside, admission, 'lapse')).ok) return;
  const action = isAsking ? await reviewAndApply(inside, admission) : undefined;
  if (!isAsking) await applyAdmissionEverywhere(inside, admission, null);
  if (action === 'reinstate') return queueAdmittedMail(inside, admission.id, false);
  if (kinds.length === 0) return;
  const { worksUntil = null } = (await findAdmission(inside.db, admission.id)) ?? {};
  await queueAskedMail(inside, admission.id, worksUntil, isBesides ? kinds : []);
}
