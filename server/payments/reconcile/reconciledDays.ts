import { boundsOfDay, NO_SUMS } from '../../../domain/reconciledDays.ts';
import type { Context } from '../../context.ts';
import { CardNetworkUnavailableError } from '../card/cards.ts';
import { addMs, retryDelayMs, SLOW_AFTER_TRIES } from '../card/retry.ts';
import { UnclearAnswerError } from '../card/squareAnswers.ts';
import { SquareRefusalError } from '../card/squareClient.ts';
import { compareAfterRestore, recheckEarlyDays } from './afterRestore.sql.ts';
import { compareNextPage } from './compareDay.ts';
import {
  addFinishedDays,
  correctDaysAhead,
  type DayProgress,
  type DueDay,
  finishDay,
  forgetListedIds,
  keepProgress,
  postponeDay,
  takeDueDay,
} from './reconciledDays.sql.ts';

export { findReconciledDay, listReconciledDays, type ReconciledDayRow, recheckDay } from './reconciledDays.sql.ts';

/** Ten times the pages of a day with two million payments and the holds of the week before. */
const MAX_PAGES = 2_000_000;
/** After so many tries of one page, the day starts over: the card network may have forgotten the place. */
const TRIES_OF_A_PAGE = 3;

const START: Omit<DayProgress, 'run'> = {
  part: 'charges',
  pages: 0,
  ours: NO_SUMS,
  theirs: NO_SUMS,
  counts: { charged: 0, refunded: 0, disputed: 0 },
  differing: 0,
  differences: [],
};

/** Compares the next page of a finished day with the card network; false when nothing is due. */
export async function reconcileDays(context: Context): Promise<boolean> {
  const { db, now, log } = context;
  await compareAfterRestore(db, now());
  await correctDaysAhead(db, now());
  await recheckEarlyDays(db, now());
  await addFinishedDays(db, now());
  const due = await takeDueDay(db, now());
  if (!due) return forgetListedIds(db);
  const { day } = due;
  try {
    const before = progressOf(due, context);
    if (before.pages >= MAX_PAGES) throw unclear('its lists do not end');
    const { isDone, listed, progress } = await compareNextPage(context, boundsOfDay(day), before);
    if (!isDone) {
      await keepProgress(db, due, { progress, listed }, now());
      return true;
    }
    if (progress.differing > 0) log.error({ day, amounts: progress.differing }, 'a day differs at the card network');
    await finishDay(db, due, progress, now());
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    await postpone(context, due, error);
  }
  return true;
}

const unclear = (why: string) => new CardNetworkUnavailableError(new UnclearAnswerError(why));

/** Where the comparison resumes. */
function progressOf({ progress }: DueDay, { newId }: Pick<Context, 'newId'>): DayProgress {
  if (!progress?.run) return { ...START, run: newId() };
  const { failures: _before, ...rest } = progress;
  return rest;
}

async function postpone({ db, now, log }: Context, due: DueDay, error: CardNetworkUnavailableError): Promise<void> {
  const tries = due.tries + 1;
  log.warn(
    { day: due.day, tries, err: error.cause },
    'the card network is unavailable, the day will be compared later',
  );
  const failures = due.progress?.run ? (due.progress.failures ?? 0) + 1 : 0;
  await postponeDay(db, due, {
    why: whyOf(error),
    // A page of a large day may fail now and then: only a page that fails again waits longer.
    again: addMs(now(), retryDelayMs(failures === 0 ? tries : failures)),
    failures: failures < TRIES_OF_A_PAGE ? failures : 0,
    isOver: tries > SLOW_AFTER_TRIES,
  });
}

/** What the operator reads: what the card network answered, or else that it is unavailable. */
function whyOf({ message, cause }: CardNetworkUnavailableError): string {
  const isAnswer =
    cause instanceof UnclearAnswerError || (cause instanceof SquareRefusalError && cause.statusCode < 500);
  return isAnswer ? cause.message : message;
}
