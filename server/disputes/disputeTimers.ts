import { formatDollars } from '../../domain/payments.ts';
import { DISPUTE_TIMER_ROWS } from '../../domain/process/dispute.ts';
import { reasonText } from '../../texts/chargebacks.ts';
import type { Context } from '../context.ts';
import type { TimerContext, TimerKind } from '../jobs/timers.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { type DisputeRow, lockDispute } from './disputes.sql.ts';
import { tryDisputeStep } from './steps.ts';

type Timers = TimerContext & Pick<Context, 'newId' | 'config'>;

/** Warns the town of chargebacks that nobody has answered. */
export const DISPUTE_TIMERS: TimerKind<Timers> = {
  subject: 'dispute',
  rows: DISPUTE_TIMER_ROWS,
  wakes: ['mail'],
  lock: async (inside, { subjectId }) => {
    const dispute = await lockDispute(inside.db, subjectId);
    return dispute && (() => warn(inside, dispute));
  },
};

async function warn(context: Timers, dispute: DisputeRow): Promise<void> {
  const { db: tx, now, newId } = context;
  if (!(await tryDisputeStep(tx, dispute, 'warn', now())).ok) return;
  const { id, cents, reason, dueAt } = dispute;
  const town = await readPublicTown(context);
  const content = {
    greeting: 'Hello,',
    subject: `A chargeback of ${formatDollars(cents)} waits for an answer`,
    lines: [
      `A card holder contests ${formatDollars(cents)} at their bank. ${reasonText(reason)}.`,
      `The bank wants an answer by ${dueAt?.toUTCString().slice(5, 22)} UTC. Without one the money is lost.`,
    ],
    button: { label: 'Answer it', link: `${town.publicUrl}/#/operator/chargebacks/${id}` },
  };
  await queueMail(tx, { id: newId(), recipient: town.supportEmail, ...renderAccountMail(content, town) }, now());
}
