import type { Context } from '../context.ts';
import { Refusal } from '../http/refusals.ts';
import { type DueTimer, leaseDueTimers, type TimerSubject, takeTimer } from './timers.sql.ts';
import { transactWithEffects } from './transactWithEffects.ts';

export type TimerContext = Pick<Context, 'db' | 'now' | 'log' | 'wake' | 'endStreamsOf'>;

/** The timers of one kind of subject. */
export type TimerKind<C> = {
  readonly subject: TimerSubject;
  /** Its rows that the server takes after a while. */
  readonly rows: readonly { readonly action: string }[];
  /** Who is woken when some of them were due. */
  readonly wakes: Parameters<Context['wake']>;
  /**
   * Locks the subject, before its timer: the steps that start or end timers do the same, and neither waits for the other. Returns what
   * takes the row of the timer, if the row still fits; undefined without a subject.
   */
  readonly lock: (inside: C, timer: DueTimer) => Promise<(() => Promise<unknown>) | undefined>;
  /** The same for a timer whose row was refused, and rolled back. */
  readonly lockAfter?: (inside: C, timer: DueTimer, refusal: Refusal) => ReturnType<TimerKind<C>['lock']>;
};

/** Leases the timers that are due, and takes the row of each in a transaction of its own. Returns how many were due. */
export async function runTimers<C extends TimerContext>(context: C, kinds: readonly TimerKind<C>[]): Promise<number> {
  const due = await leaseDueTimers(context.db, kinds, context.now());
  // In the order of the kinds: those of an order before those of its deliveries and cases.
  for (const timer of kinds.flatMap(({ subject }) => due.filter((one) => one.subject === subject))) {
    // The others do not wait for one that fails. It is due again after its lease.
    await fireTimer(context, kinds, timer).catch((error: unknown) => {
      const { subject, subjectId, action } = timer;
      context.log.error({ err: error, [subject]: subjectId, action }, 'a timer failed and will be tried again');
    });
  }
  const woken = kinds.filter(({ subject }) => due.some((timer) => timer.subject === subject));
  if (woken.length > 0) context.wake(...new Set(woken.flatMap(({ wakes }) => wakes)));
  return due.length;
}

/** Takes the row of a leased timer. When no row fits any more, nothing changes. */
export async function fireTimer<C extends TimerContext>(
  context: C,
  kinds: readonly TimerKind<C>[],
  timer: DueTimer,
): Promise<void> {
  const kind = kinds.find(({ subject }) => subject === timer.subject);
  if (!kind) throw new Error(`nobody takes the timers of a ${timer.subject}`);
  const fire = (lock: TimerKind<C>['lock']) =>
    transactWithEffects(context, async (inside) => {
      const take = await lock(inside, timer);
      if ((await takeTimer(inside.db, timer)) && take) await take();
    });
  const { lock, lockAfter } = kind;
  await fire(lock).catch(async (error: unknown) => {
    if (!lockAfter || !(error instanceof Refusal)) throw error;
    await fire((inside, leased) => lockAfter(inside, leased, error));
  });
}
