import { formatDollars } from '../../domain/payments.ts';
import { DISPUTE_TIMER_ROWS } from '../../domain/process/dispute.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { type DueTimer, takeTimer } from '../jobs/timers.sql.ts';
import { runDueTimers } from '../jobs/timers.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { DISPUTES, lockDispute } from './disputes.sql.ts';
import { tryDisputeStep } from './steps.ts';

type Timers = Pick<Context, 'db' | 'now' | 'newId' | 'config' | 'wake' | 'log'>;

/** Warns the town of chargebacks that nobody has answered. Returns how many timers were due. */
export async function runDisputeTimers(context: Timers): Promise<number> {
  const due = await runDueTimers(context, DISPUTES, DISPUTE_TIMER_ROWS, (timer) => warn(context, timer));
  if (due > 0) context.wake('mail');
  return due;
}

async function warn({ db, now, newId, config }: Timers, timer: DueTimer): Promise<void> {
  await transact(db, async (tx) => {
    const dispute = await lockDispute(tx, timer.subjectId);
    if (!dispute || !(await takeTimer(tx, timer)) || !(await tryDisputeStep(tx, dispute, 'warn', now())).ok) return;
    const { id, cents, reason, dueAt } = dispute;
    const content = {
      greeting: 'Hello,',
      subject: `A chargeback of ${formatDollars(cents)} waits for an answer`,
      lines: [
        `A card holder contests ${formatDollars(cents)} at their bank: ${reason}.`,
        `The bank wants an answer by ${dueAt?.toISOString().slice(0, 16).replace('T', ' ')} UTC. Without one the money is lost.`,
      ],
      button: { label: 'Answer it', link: `${config.publicUrl}/#/operator/chargebacks/${id}` },
    };
    await queueMail(tx, { id: newId(), recipient: config.supportEmail, ...renderAccountMail(content, config) }, now());
  });
}
