import type { Logger } from 'pino';
import { processResetRequest } from './accounts/passwordResets.ts';
import { returnAbandonedDocuments } from './admissions/abandonedDocuments.ts';
import { sweepAdmissions } from './admissions/admissionSweep.ts';
import { ADMISSION_TIMERS } from './admissions/admissionTimers.ts';
import type { Sealer } from './auth/sealing.ts';
import { caseTimers } from './cases/caseTimers.ts';
import type { Context, Work } from './context.ts';
import { deleteExpiredPositions } from './deliveries/positions.ts';
import { DELIVERY_TIMERS } from './deliveries/silence.ts';
import { runDisputeJobs } from './disputes/disputeCalls.ts';
import { DISPUTE_TIMERS } from './disputes/disputeTimers.ts';
import { deleteOldEvents } from './events/liveEvents.ts';
import { eraseFiles } from './files/eraseFiles.ts';
import type { FileParts } from './files/files.ts';
import { createRetentionJob } from './jobs/retention.ts';
import { runTimers, type TimerKind } from './jobs/timers.ts';
import { type Job, type StartWorker, startWorker } from './jobs/worker.ts';
import { writeBroadcasts } from './notifications/broadcasts.ts';
import { approvalTimers } from './operator/approvals.ts';
import { ACTS } from './operator/handlers.ts';
import { SUSPENSION_TIMERS } from './operator/suspensionSteps.ts';
import type { ConsoleContext } from './operatorContext.ts';
import { ORDER_TIMERS } from './orders/orderTimers.ts';
import { CLEANING_AGAIN } from './orders/reopenOrder.ts';
import type { CircuitBreaker } from './outgoing/circuitBreaker.ts';
import { runPaymentJobs } from './payments/paymentJobs.ts';
import { runDuePayouts } from './payments/payouts/payouts.ts';
import { reconcileDays } from './payments/reconcile/reconciledDays.ts';
import { keepErasureList } from './personal/erasureList.ts';
import { ERASURE_TIMERS } from './personal/erasureSteps.ts';
import { makeExports } from './personal/exports.ts';

/** Runs on a timer only. If the request woke it, response times would tell whether the account exists. */
const PASSWORD_RESET_INTERVAL_MS = 500;
const PAYMENT_INTERVAL_MS = 1_000;
/** Retries while a normal broadcast waits for other mails. */
const BROADCAST_INTERVAL_MS = 5_000;
const TIMER_INTERVAL_MS = 30_000;
const DISPUTE_INTERVAL_MS = 30_000;
const PAYOUT_INTERVAL_MS = 60_000;
/** So that an operator who asks for a day waits for seconds. */
const RECONCILIATION_INTERVAL_MS = 5_000;
/** For those that another server has left. */
const EXPORT_INTERVAL_MS = 60_000;
const CLEANUP_INTERVAL_MS = 10 * 60_000;
const PAUSE_MS = 20;

/** What the server does by itself when the time of a row has come. */
const TIMERS: readonly TimerKind<ConsoleContext>[] = [
  ...[ORDER_TIMERS, DELIVERY_TIMERS, caseTimers(CLEANING_AGAIN), DISPUTE_TIMERS, ADMISSION_TIMERS],
  ...[approvalTimers(ACTS), SUSPENSION_TIMERS, ERASURE_TIMERS],
];

/** What `context.wake` calls, by the kind of work that was committed, and what `context.endStreamsOf` calls. */
export type WakeUps = Record<Work, () => void> & { endStreamsOf: Context['endStreamsOf'] };

/** They wake nothing until the workers and streams have started. */
export const createWakeUps = (): WakeUps => ({
  ...{ mail: () => {}, payments: () => {}, events: () => {}, broadcasts: () => {}, exports: () => {} },
  endStreamsOf: () => {},
});

type WorkerParts = {
  readonly isPaused: () => boolean;
  readonly cardCircuit: CircuitBreaker;
  /** Before that, a stand-in of the card network in this server does not answer. */
  readonly isListening: () => boolean;
  readonly logger: Logger;
  readonly files: FileParts;
  readonly sealer: Sealer;
  readonly start: StartWorker | undefined;
};

/** Starts the background jobs. */
export function startWorkers(
  context: Context,
  { isPaused, cardCircuit, isListening, logger: log, files, sealer, start: startJob = startWorker }: WorkerParts,
) {
  const isCardNetworkAway = () => cardCircuit.isOpen() || !isListening();
  const start = (name: string, everyMs: number, runOnce: Job['runOnce'], isAway = () => false, pauseMs?: number) =>
    startJob({ name, everyMs, runOnce, isPaused: () => isPaused() || isAway(), log, ...(pauseMs ? { pauseMs } : {}) });
  const startCleanup = (name: string, runOnce: Job['runOnce']) =>
    start(name, CLEANUP_INTERVAL_MS, runOnce, undefined, PAUSE_MS);
  return {
    passwordResets: start('password resets', PASSWORD_RESET_INTERVAL_MS, () => processResetRequest(context)),
    payments: start('payments', PAYMENT_INTERVAL_MS, () => runPaymentJobs(context), cardCircuit.isOpen),
    broadcasts: start('broadcasts', BROADCAST_INTERVAL_MS, () => writeBroadcasts(context)),
    disputes: start('chargebacks', DISPUTE_INTERVAL_MS, () => runDisputeJobs(context), isCardNetworkAway),
    reconciliation: start(
      'reconciliation',
      RECONCILIATION_INTERVAL_MS,
      () => reconcileDays(context),
      isCardNetworkAway,
      PAUSE_MS,
    ),
    payouts: start('payouts', PAYOUT_INTERVAL_MS, () => runDuePayouts(context)),
    timers: start(
      'timers',
      TIMER_INTERVAL_MS,
      async () => (await runTimers({ ...context, sealer, files }, TIMERS)) > 0,
    ),
    admissions: start('admissions', TIMER_INTERVAL_MS, () => sweepAdmissions(context)),
    exports: start(
      'exports',
      EXPORT_INTERVAL_MS,
      () => makeExports({ ...context, storage: files.storage }),
      undefined,
      PAUSE_MS,
    ),
    erasureList: start('list of erasures', TIMER_INTERVAL_MS, () => keepErasureList(context)),
    oldPositions: startCleanup('old positions', () => deleteExpiredPositions(context)),
    oldEvents: startCleanup('old events', () => deleteOldEvents(context)),
    abandonedDocuments: startCleanup('abandoned documents', () => returnAbandonedDocuments(context)),
    oldFiles: startCleanup('old files', () => eraseFiles({ ...context, storage: files.storage })),
    retention: startCleanup('retention', createRetentionJob(context)),
  };
}
