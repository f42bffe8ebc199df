import { readNetworkState } from '../../domain/disputes.ts';
import { boundsOfDay, type DayDifference, type DaySum, MAX_DIFFERENCES, NO_SUMS } from '../../domain/reconciledDays.ts';
import type { Context } from '../context.ts';
import {
  type CardNetworkCharge,
  type CardNetworkDispute,
  type CardNetworkRefund,
  CardNetworkUnavailableError,
  type DayBounds,
} from './cards.ts';
import {
  addFinishedDays,
  type DayProgress,
  type DueDay,
  finishDay,
  keepProgress,
  listOurCharges,
  listOurDisputes,
  listOurRefunds,
  listUnseenMovements,
  type OurMovement,
  postponeDay,
  takeDueDay,
} from './reconciledDays.sql.ts';
import { addMs, retryDelayMs, SLOW_AFTER_TRIES } from './retry.ts';

export { findReconciledDay, listReconciledDays, type ReconciledDayRow, recheckDay } from './reconciledDays.sql.ts';

/** More than the payments of a large town in a week. */
const MAX_PAGES = 5_000;
/** After so many tries at the same place, the day begins anew: the card network may have forgotten the place. */
const TRIES_AT_A_PLACE = 3;
const OURS_PAGE = 50;

const START: DayProgress = {
  part: 'charges',
  pages: 0,
  ours: NO_SUMS,
  theirs: NO_SUMS,
  counts: { charged: 0, refunded: 0, disputed: 0 },
  differing: 0,
  differences: [],
  seen: [],
};

/** Compares the next page of a finished day with the card network; false when nothing is due. */
export async function reconcileDays(context: Context): Promise<boolean> {
  const { db, now, log } = context;
  await addFinishedDays(db, now());
  const due = await takeDueDay(db, now());
  if (!due) return false;
  const { day } = due;
  try {
    const before = due.progress ?? START;
    if (before.pages >= MAX_PAGES) throw new CardNetworkUnavailableError(new Error('its lists do not end'));
    const { isDone, ...progress } = await compareNextPage(context, boundsOfDay(day), before);
    if (!isDone) {
      await keepProgress(db, due, progress, now());
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

async function postpone({ db, now, log }: Context, due: DueDay, error: CardNetworkUnavailableError): Promise<void> {
  const tries = due.tries + 1;
  log.warn({ day: due.day, tries }, 'the card network is unavailable, the day will be compared later');
  const again = addMs(now(), retryDelayMs(tries));
  const anew = tries % TRIES_AT_A_PLACE === 0;
  await postponeDay(db, due, { why: error.message, again, anew, isOver: tries > SLOW_AFTER_TRIES });
}

type Page = DayProgress & { readonly isDone?: boolean };

const NEXT_PART = { charges: 'refunds', refunds: 'disputes', disputes: 'ours' } as const;

async function compareNextPage(context: Context, bounds: DayBounds, before: DayProgress): Promise<Page> {
  const { db, cards } = context;
  const progress = { ...before, pages: before.pages + 1 };
  const { part, cursor } = progress;
  if (part === 'ours') return compareUnseen(context, bounds, progress);
  const goOn = (compared: DayProgress, seen: readonly string[], next: string | undefined): DayProgress => ({
    ...compared,
    part: next === undefined ? NEXT_PART[part] : part,
    cursor: next,
    seen: [...compared.seen, ...seen],
  });
  if (part === 'charges') {
    const page = await cards.lists.charges(bounds, cursor);
    const seen = page.items.map(({ squareId }) => squareId);
    return goOn(await compareCharges(db, progress, page.items), seen, page.cursor);
  }
  if (part === 'refunds') {
    const page = await cards.lists.refunds(bounds, cursor);
    const seen = page.items.map(({ squareId }) => squareId);
    return goOn(await compareRefunds(db, progress, page.items), seen, page.cursor);
  }
  const page = await cards.disputes.list(cursor);
  const seen = page.disputes.map(({ squareId }) => squareId);
  const ofDay = page.disputes.filter(({ createdAt }) => isWithin(bounds, createdAt));
  return goOn(await compareDisputes(db, progress, ofDay), seen, page.cursor);
}

const isWithin = ({ begin, end }: DayBounds, at: Date | null) => at !== null && at >= begin && at < end;

/**
 * What only the ledger has on this day: the card network may have it on another one, because its answer came late. That is
 * compared on its day there.
 */
async function compareUnseen(context: Context, bounds: DayBounds, before: DayProgress): Promise<Page> {
  const { seen, cursor } = before;
  const movements = await listUnseenMovements(context.db, bounds, { seen, cursor, limit: OURS_PAGE });
  let progress = before;
  for (const movement of movements) progress = await compareMovement(context, bounds, progress, movement);
  return { ...progress, cursor: movements.at(-1)?.entry, isDone: movements.length < OURS_PAGE };
}

async function compareMovement(
  { db, cards }: Context,
  bounds: DayBounds,
  progress: DayProgress,
  { kind, squareId, paymentId }: OurMovement,
): Promise<DayProgress> {
  const isElsewhere = (at: Date) => !isWithin(bounds, at);
  if (kind === 'captured') {
    const found = await cards.lists.findCharge(squareId);
    if (found?.at && isElsewhere(found.at)) return progress;
    return compareCharges(db, progress, [found?.at ? found : { squareId, at: null, amount: 0, fee: 0 }]);
  }
  if (kind === 'refunded') {
    const found = await cards.lists.findRefund(squareId);
    if (found && isElsewhere(found.at)) return progress;
    const none = { squareId, paymentId, at: bounds.begin, amount: 0, isMade: false };
    return compareRefunds(db, progress, [found ?? none]);
  }
  return compareDisputes(db, progress, [{ squareId, paymentId, amount: 0, state: '' }]);
}

type Tx = Context['db'];

async function compareCharges(tx: Tx, before: DayProgress, items: readonly CardNetworkCharge[]): Promise<DayProgress> {
  const ours = new Map((await listOurCharges(tx, idsOf(items))).map((row) => [row.squareId, row]));
  return items.reduce((progress, { squareId, at, amount, fee }) => {
    const found = ours.get(squareId);
    const of = { squareId, orderId: found?.orderId ?? null };
    const charged = { what: 'charged', ...of, ours: found?.charged ?? 0, theirs: amount } as const;
    const fees = { what: 'fees', ...of, ours: found?.fees ?? 0, theirs: fee } as const;
    return add(add(at === null ? progress : count(progress, 'charged'), charged), fees);
  }, before);
}

async function compareRefunds(tx: Tx, before: DayProgress, items: readonly CardNetworkRefund[]): Promise<DayProgress> {
  const ids = items.map(({ squareId, paymentId }) => ({ squareId, paymentId }));
  const ours = new Map((await listOurRefunds(tx, ids)).map((row) => [row.squareId, row]));
  return items.reduce((progress, { squareId, paymentId, amount, isMade }) => {
    const found = ours.get(squareId);
    const of = { what: 'refunded', squareId: paymentId, orderId: found?.orderId ?? null } as const;
    const compared = add(progress, { ...of, ours: found?.refunded ?? 0, theirs: isMade ? amount : 0 });
    return isMade ? count(compared, 'refunded') : compared;
  }, before);
}

type Contested = Pick<CardNetworkDispute, 'squareId' | 'paymentId' | 'amount' | 'state'>;

async function compareDisputes(tx: Tx, before: DayProgress, items: readonly Contested[]): Promise<DayProgress> {
  const ours = new Map((await listOurDisputes(tx, idsOf(items))).map((row) => [row.squareId, row]));
  return items.reduce((progress, { squareId, paymentId, amount, state }) => {
    const found = ours.get(squareId);
    const { isTaken, outcome } = readNetworkState(state);
    const theirs = isTaken && outcome !== 'won' ? amount : 0;
    const of = { what: 'disputed', squareId: paymentId, orderId: found?.orderId ?? null } as const;
    const compared = add(progress, { ...of, ours: found?.disputed ?? 0, theirs });
    return state === '' ? compared : count(compared, 'disputed');
  }, before);
}

const idsOf = (items: readonly { readonly squareId: string }[]) => items.map(({ squareId }) => squareId);

const count = (progress: DayProgress, what: keyof DayProgress['counts']): DayProgress => ({
  ...progress,
  counts: { ...progress.counts, [what]: progress.counts[what] + 1 },
});

/** Adds an amount to the sums, and to the differences when it is not the same on both sides. */
function add(progress: DayProgress, amount: DayDifference): DayProgress {
  const { what, ours, theirs } = amount;
  const addTo = (sums: DayProgress['ours'], cents: number) => ({
    ...sums,
    [what]: sums[what satisfies DaySum] + cents,
  });
  const sums = { ours: addTo(progress.ours, ours), theirs: addTo(progress.theirs, theirs) };
  if (ours === theirs) return { ...progress, ...sums };
  const isListed = progress.differences.length < MAX_DIFFERENCES;
  return {
    ...progress,
    ...sums,
    differing: progress.differing + 1,
    differences: isListed ? [...progress.differences, amount] : progress.differences,
  };
}
