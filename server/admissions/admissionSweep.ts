import { graceLeft } from '../../domain/admissions.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { readPolicy } from '../policies.sql.ts';
import { type MailContext, queueAskedMail } from './admissionMails.ts';
import { listWorkersAfter, readSweep, type SweptWorker, saveSweep } from './admissionSweep.sql.ts';
import { type Admission, hasWorked, lockAdmission, readIsAsking, updateAdmission } from './admissions.sql.ts';
import { lapse } from './admissionTimers.ts';
import { applyAndShow } from './decideAdmission.ts';
import { endOf, endOfGrace, enrolWorker } from './enrol.ts';

type SweepContext = Pick<Context, 'db' | 'now' | 'newId' | 'config' | 'wake'>;

const BATCH_SIZE = 100;
/** Longer than a sign-up takes, which reads the policy when it begins. */
const SETTLE_MS = 60_000;

/**
 * Makes a change of the policy true for those who were there before, a few at a time: who has not worked is kept from new
 * work, who has works on for a while. Once the town no longer asks, nobody is kept from work. Returns whether there is more.
 */
export async function sweepAdmissions(context: SweepContext, batchSize = BATCH_SIZE): Promise<boolean> {
  const { db, now } = context;
  const before = await readSweep(db);
  const isOn = await readIsAsking(db, now());
  if (before.isOn === isOn && before.isDone) return false;
  const { lastUser } = before.isOn === isOn ? before : { lastUser: null };
  const since = (await readPolicy(db, 'admission', now()))?.validFrom ?? now();
  const workers = await listWorkersAfter(db, lastUser, batchSize);
  // Each in a transaction of their own, so that nobody waits for more than one of them.
  for (const worker of workers) await sweepWorker(context, worker, { isOn, since });
  const isLast = workers.length < batchSize;
  const isDone = isLast && now().getTime() - since.getTime() > SETTLE_MS;
  await saveSweep(db, before, { isOn, lastUser: workers.at(-1)?.id ?? lastUser, isDone });
  if (workers.length > 0) context.wake('mail');
  return !isLast;
}

type Change = { readonly isOn: boolean; readonly since: Date };

async function sweepWorker(context: SweepContext, worker: SweptWorker, { isOn, since }: Change): Promise<void> {
  await transact(context.db, async (tx) => {
    const inside: MailContext = { ...context, db: tx, wake: () => {} };
    const admission = await lockAdmission(tx, worker.id);
    // It has changed meanwhile. The next sweep does it.
    if ((await readIsAsking(tx, context.now())) !== isOn) return;
    if (admission && isOn) return askAgainLater(inside, admission, since);
    if (admission) return applyAndShow(inside, admission, null);
    if (!isOn) return;
    const asked = await enrolWorker(inside, worker);
    await applyAndShow(inside, asked, null);
    await queueAskedMail(inside, asked.id, asked.worksUntil);
  });
}

/** The town asks again. Who has worked and is no longer admitted gets time once more. */
async function askAgainLater(inside: MailContext, admission: Admission, since: Date): Promise<void> {
  const { db: tx, now } = inside;
  const worksUntil = (await hasWorked(tx, admission)) ? endOfGrace(now()) : null;
  const end = await endOf(inside, admission);
  if (admission.status === 'active' && end && end <= now()) return lapse(inside, admission, worksUntil);
  const isLeft = admission.status === 'active' || admission.status === 'refused';
  // People who were asked since then have got their time already.
  if (isLeft || admission.since >= since || graceLeft(admission.worksUntil, now()))
    return applyAndShow(inside, admission, null);
  const asked = await updateAdmission(tx, admission, { status: admission.status, worksUntil }, now());
  await applyAndShow(inside, asked, null);
  // Who has sent everything has nothing to do.
  if (admission.status !== 'waiting') await queueAskedMail(inside, admission.id, worksUntil);
}
